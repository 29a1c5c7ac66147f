//! A table that is opened at its first use.

use std::sync::OnceLock;

use super::bytes::TableBytes;
use super::error::TableError;
use super::places::Places;
use super::reader::Table;
use super::record::Record;
use super::spec::Spec;

/// A table that is opened at its first use, so that a game opens only the tables that its answers need.
///
/// Threads may share it. An error is not stored: the next use searches for the table again.
#[derive(Debug)]
pub struct LazyTable<R> {
    opened: OnceLock<Table<TableBytes, R>>,
    places: Places,
    spec: &'static Spec,
}

impl<R: Record> LazyTable<R> {
    /// The table of `spec`, which will be searched for in `places` at its first use.
    pub fn at(places: &Places, spec: &'static Spec) -> LazyTable<R> {
        LazyTable { opened: OnceLock::new(), places: places.clone(), spec }
    }

    /// The table. It is opened now if it is not open yet.
    pub fn table(&self) -> Result<&Table<TableBytes, R>, TableError> {
        if let Some(table) = self.opened.get() {
            return Ok(table);
        }
        let table = self.places.open(self.spec)?;
        // If another thread was faster, its table is used.
        Ok(self.opened.get_or_init(|| table))
    }
}

impl<R: Record> From<Table<TableBytes, R>> for LazyTable<R> {
    fn from(table: Table<TableBytes, R>) -> LazyTable<R> {
        let spec = table.spec();
        LazyTable { opened: OnceLock::from(table), places: Places::nowhere(), spec }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{RecordType, Remedy, Values, encode};

    static SQUARES: Spec = Spec {
        name: "squares",
        game: "test",
        rules: "record i is i * i",
        records: RecordType::U32,
        block_records: 10,
        positions: Some(25),
        values: Values::UpTo(576.0),
        remedy: Remedy::Advice("run the tests"),
    };

    fn squares() -> Vec<u8> {
        encode(&SQUARES, "test 1", &(0..25).map(|i| i * i).collect::<Vec<u32>>())
    }

    #[test]
    fn a_table_is_opened_at_its_first_use_and_an_error_is_not_stored() {
        let directory = tempfile::tempdir().unwrap();
        for places in [Places::only(directory.path()), Places::only(directory.path()).in_memory()] {
            let table = LazyTable::<u32>::at(&places, &SQUARES);
            assert!(matches!(table.table(), Err(TableError::Missing { .. })));
            let path = directory.path().join("squares.tbl");
            std::fs::write(&path, squares()).unwrap();
            assert_eq!(table.table().unwrap().get(12).unwrap(), 144);
            std::fs::remove_file(&path).unwrap();
            assert_eq!(table.table().unwrap().get(24).unwrap(), 576);
        }
    }

    #[test]
    fn threads_can_share_an_open_table_that_has_no_place() {
        let bytes = TableBytes::from(squares());
        let table = LazyTable::from(Table::<_, u32>::open(bytes, &SQUARES, "in memory".as_ref()).unwrap());
        std::thread::scope(|scope| {
            for rank in 0..4 {
                let table = &table;
                scope.spawn(move || assert_eq!(table.table().unwrap().get(rank).unwrap(), (rank * rank) as u32));
            }
        });
    }
}
