//! The lines of `SHA256SUMS`, in the format of the tool `sha256sum`. The build script uses this module too.

/// The name of the list of digests beside the tables.
pub const SUMS_FILE: &str = "SHA256SUMS";

/// The digest and the file name in a line of the list, or `None` if the line is malformed.
pub fn parse_sums_line(line: &str) -> Option<(&str, &str)> {
    let (digest, name) = line.split_once("  ")?;
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_digest && !name.is_empty()).then_some((digest, name))
}
