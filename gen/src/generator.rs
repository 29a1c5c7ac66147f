//! What every game's solver offers to the generator.

use std::fmt;
use std::path::Path;

use tabletop::bars::Bars;
pub(crate) use tabletop::door::Failure;
use tabletop::table::{Record, RecordTask, Spec, Table, TableBytes, TableError, encode};

/// The generator's name in the tables, with the revision of what it writes. Every release must write the same bytes, so
/// it is not the version of a release. Raise it when the records or the encoding of a table change.
const GENERATOR: &str = "tabletop-gen rev 1";

/// A game that can be solved into tables.
pub(crate) trait Generator: Sync {
    /// The game's name on the command line.
    fn game(&self) -> &'static str;

    /// Solves the game.
    fn generate(&self, bars: &Bars) -> Result<Vec<EncodedTable>, Failure>;

    /// Derives the content of the finished tables a second time, and compares a sample with a referee: a plain solver
    /// that shares at most the rules with [`Generator::generate`]. Returns one proof per table, in the same order.
    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<Proof>, Failure>;

    /// Facts about the solved game, with examples.
    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure>;
}

/// A table as the bytes of its file.
pub(crate) struct EncodedTable {
    pub(crate) spec: &'static Spec,
    pub(crate) positions: usize,
    pub(crate) bytes: Vec<u8>,
}

impl EncodedTable {
    pub(crate) fn new<R: Record>(spec: &'static Spec, records: &[R]) -> EncodedTable {
        EncodedTable { spec, positions: records.len(), bytes: encode(spec, GENERATOR, records) }
    }

    /// A table from the bytes of its file, which are checked as far as the header goes.
    pub(crate) fn from_bytes(spec: &'static Spec, bytes: Vec<u8>) -> Result<EncodedTable, TableError> {
        let mut table = EncodedTable { spec, positions: 0, bytes };
        table.positions = spec.records.dispatch(CountPositions(&table))?;
        Ok(table)
    }

    /// Reads the table from memory, as the query program would from its file.
    pub(crate) fn open<R: Record>(&self) -> Result<Table<TableBytes, R>, TableError> {
        Table::open(self.bytes.clone().into(), self.spec, Path::new("generated in memory"))
    }

    /// A shipped table, for tests that change it.
    #[cfg(test)]
    pub(crate) fn shipped(spec: &'static Spec) -> EncodedTable {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables").join(spec.file_name());
        EncodedTable::from_bytes(spec, std::fs::read(path).unwrap()).unwrap()
    }

    /// The table with its records changed.
    #[cfg(test)]
    pub(crate) fn changed<R: Record>(&self, change: impl FnOnce(&mut [R])) -> EncodedTable {
        let mut records = self.open::<R>().unwrap().records().unwrap();
        change(&mut records);
        EncodedTable::new(self.spec, &records)
    }
}

/// Reads from the header of a table how many positions it has.
struct CountPositions<'a>(&'a EncodedTable);

impl RecordTask for CountPositions<'_> {
    type Output = Result<usize, TableError>;

    fn run<R: Record>(self) -> Self::Output {
        Ok(self.0.open::<R>()?.header().positions as usize)
    }
}

/// What was proved about the content of a table: findings that are printed on one line.
pub(crate) struct Proof(Vec<String>);

impl Proof {
    pub(crate) fn of(findings: impl Into<Vec<String>>) -> Proof {
        Proof(findings.into())
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}
