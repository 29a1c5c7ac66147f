//! What a program expects of a table.

use xxhash_rust::xxh3::xxh3_64;

use super::record::RecordType;

/// A table as the program knows it, before any file is opened.
#[derive(Debug, PartialEq, Eq)]
pub struct Spec {
    /// The table's name, which is its file's name without the ending.
    pub name: &'static str,
    /// The game, which is also the argument of the generator that writes the table.
    pub game: &'static str,
    /// The rules, the numbering and the parameters in words. Its hash is the fingerprint, so a change of what a record
    /// means is a change of this text: tables made before it are then refused by name instead of misread.
    pub rules: &'static str,
    /// The type of the records.
    pub records: RecordType,
    /// Records in one block: a cold lookup unpacks one block.
    pub block_records: u32,
}

impl Spec {
    /// The name of the table's file.
    pub fn file_name(&self) -> String {
        format!("{}.tbl", self.name)
    }

    /// The fingerprint of the rules.
    pub fn fingerprint(&self) -> u64 {
        xxh3_64(self.rules.as_bytes())
    }
}
