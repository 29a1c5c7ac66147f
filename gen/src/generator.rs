//! What every game's solver offers to the generator.

use std::fmt;
use std::path::Path;

use tabletop::table::{Record, Spec, Table, TableError, encode};

use crate::progress::Progress;

/// The generator as the tables name it.
const GENERATOR: &str = concat!("tabletop-gen ", env!("CARGO_PKG_VERSION"));

/// A game that can be solved into tables.
pub(crate) trait Generator: Sync {
    /// The game's name on the command line.
    fn game(&self) -> &'static str;

    /// Solves the game.
    fn generate(&self, progress: &Progress) -> Result<Vec<EncodedTable>, Failure>;

    /// Derives what the tables hold a second time, from the finished tables; returns what was proved, in words.
    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<String>, Failure>;

    /// Facts about the solved game, with examples.
    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure>;
}

/// The bytes of a table's file.
pub(crate) struct EncodedTable {
    pub(crate) spec: &'static Spec,
    pub(crate) positions: usize,
    pub(crate) bytes: Vec<u8>,
}

impl EncodedTable {
    pub(crate) fn new<R: Record>(spec: &'static Spec, records: &[R]) -> EncodedTable {
        EncodedTable { spec, positions: records.len(), bytes: encode(spec, GENERATOR, records) }
    }

    /// Reads the table from memory, as the query program would from its file.
    pub(crate) fn open<R: Record>(&self) -> Result<Table<&[u8], R>, TableError> {
        Table::open(&self.bytes, self.spec, Path::new("generated in memory"))
    }
}

/// Why nothing was generated, or what a check found: one line, with the remedy.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure(error.to_string())
    }
}
