//! Tables that are part of the program, put in by the build script.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The bytes of a table by its file's name: with the feature `embedded` any of them, with `boards` those of Balda's boards.
pub fn embedded_table(file_name: &str) -> Option<&'static [u8]> {
    EMBEDDED.iter().find(|(name, _)| *name == file_name).map(|(_, bytes)| *bytes)
}
