//! Tables that the build script includes in the program.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The bytes of the built-in table with this file name. The feature `embedded` includes all tables, the feature
/// `boards` only those of Balda's boards.
pub fn embedded_table(file_name: &str) -> Option<&'static [u8]> {
    EMBEDDED.iter().find(|(name, _)| *name == file_name).map(|(_, bytes)| *bytes)
}
