//! What a program expects in a table.

use xxhash_rust::xxh3::xxh3_64;

use super::record::{Record, RecordType};

/// The description of a table in the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The table's name: the file name without its extension.
    pub name: &'static str,
    /// The game of the table.
    pub game: &'static str,
    /// The rules, the ranking and the parameters in words. The hash of this text is the fingerprint. Change the text
    /// whenever the meaning of a record changes: then older tables are refused instead of misread.
    pub rules: &'static str,
    /// The type of the records.
    pub records: RecordType,
    /// The number of records in a block. A cold lookup unpacks one block.
    pub block_records: u32,
    /// The number of records, or `None` if it is not fixed.
    pub positions: Option<u64>,
    /// The values that a record may have.
    pub values: Values,
    /// What the user does if the table is missing or unusable.
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
    /// Any value of the record type.
    Any,
    /// From zero to this value, both included. Negative zero and NaN are invalid.
    UpTo(f64),
}

impl Values {
    /// The index of the first record with an invalid value.
    pub(super) fn first_invalid<R: Record>(self, records: &[R]) -> Option<usize> {
        match self {
            Values::Any => None,
            // Doubles from zero up are in the order of their bits. Negative ones and NaN have larger bits than any of them.
            Values::UpTo(most) => records.iter().position(|&record| record.to_f64().to_bits() > most.to_bits()),
        }
    }
}

/// What the user does if a table is missing or unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Run `tabletop-gen` with this argument.
    Generate(&'static str),
    /// Anything else, as the end of an error message: "run `make tables`".
    Advice(&'static str),
}
