//! The lines of `SHA256SUMS`, in the format of the tool `sha256sum`. The build script uses this module too.

/// The name of the list of digests beside the tables.
pub const SUMS_FILE: &str = "SHA256SUMS";

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumsLine<'a> {
    /// The SHA-256 digest, in hexadecimal digits.
    pub digest: &'a str,
    /// The name of the file.
    pub name: &'a str,
}

impl<'a> SumsLine<'a> {
    /// Reads a line, or returns `None` if it is malformed.
    pub fn parse(line: &'a str) -> Option<SumsLine<'a>> {
        let (digest, name) = line.split_once("  ")?;
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_digest && !name.is_empty()).then_some(SumsLine { digest, name })
    }
}
