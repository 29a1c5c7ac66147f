//! What a program expects of a table.

use xxhash_rust::xxh3::xxh3_64;

use super::record::{Record, RecordType};

/// A table as the program knows it, before any file is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The table's name, which is its file's name without the ending.
    pub name: &'static str,
    /// The game that the table belongs to.
    pub game: &'static str,
    /// The rules, the numbering and the parameters in words. Its hash is the fingerprint, so a change of what a record
    /// means is a change of this text: tables made before it are then refused by name instead of misread.
    pub rules: &'static str,
    /// The type of the records.
    pub records: RecordType,
    /// Records in one block: a cold lookup unpacks one block.
    pub block_records: u32,
    /// How many records the table has; `None` where the content decides.
    pub positions: Option<u64>,
    /// Which values a record may have.
    pub values: Values,
    /// What to do when the table is missing or of no use.
    pub remedy: Remedy,
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

/// The values that the records of a table may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Values {
    /// Any of their type.
    Any,
    /// From zero to this, both included; no negative zero and nothing that is not a number.
    UpTo(f64),
}

impl Values {
    /// Where the first record stands that has none of these values.
    pub(super) fn first_other<R: Record>(self, records: &[R]) -> Option<usize> {
        match self {
            Values::Any => None,
            // Doubles from zero up are in the order of their bits. Negative ones and NaN have larger bits than any of them.
            Values::UpTo(most) => records.iter().position(|&record| record.to_f64().to_bits() > most.to_bits()),
        }
    }
}

/// What a person does about a table that is missing or of no use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// `tabletop-gen` writes the table when it is called with this argument.
    Generate(&'static str),
    /// Something else, as the end of a sentence that begins with what is wrong: "run `make tables`".
    Advice(&'static str),
}
