//! The digests of the shipped tables. The build script takes them from `tables/SHA256SUMS`.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The SHA-256 digest, in lower-case hexadecimal, of the shipped file of this name.
pub fn shipped_digest(file_name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(name, _)| *name == file_name).map(|(_, digest)| *digest)
}

/// The SHA-256 digest of a table's file in lower-case hexadecimal, as `sha256sum` prints it.
pub fn sha256(file: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(file) {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
    }
    text
}
