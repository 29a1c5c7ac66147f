//! The lines of `SHA256SUMS`, as `sha256sum` writes and checks them. The build script has this module too.

/// The name of the list of digests beside the tables.
pub const SUMS_FILE: &str = "SHA256SUMS";

/// The digest and the file name in a line of the list, or `None` if the line is no such pair.
pub fn parse_sums_line(line: &str) -> Option<(&str, &str)> {
    let (digest, name) = line.split_once("  ")?;
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_digest && !name.is_empty()).then_some((digest, name))
}
