//! Any table: its header, its records, and whether they are intact.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tabletop::table::{AnyTable, Header};

use crate::error;

/// An open table, for `tabletop.Table`.
#[pyclass(frozen, module = "tabletop._native")]
pub(crate) struct Table {
    table: AnyTable,
}

#[pymethods]
impl Table {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
        let table = py.detach(|| AnyTable::open(&path)).map_err(|error| error::of_any_table(py, &error))?;
        Ok(Table { table })
    }

    /// Name, game, generator, fingerprint, type of the records, their number, records per block, number of blocks.
    fn header(&self) -> (String, String, String, u64, String, u64, u32, usize) {
        let Header { name, game, generator, fingerprint, records, positions, block_records, .. } =
            self.table.header().clone();
        (name, game, generator, fingerprint, records.to_string(), positions, block_records, self.table.block_count())
    }

    /// The little-endian bytes of the records of a block.
    fn block<'py>(&self, py: Python<'py>, block: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.table.block(block)).map_err(|error| error::of_any_table(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }
}
