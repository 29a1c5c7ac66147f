//! Solves a game with rules in Python, and answers from its table.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tabletop::kit::{self, BadRules, Precision};

use crate::answer::interruptible;
use crate::error;
use crate::session::{Asked, PythonRules, Session};

/// A solved game with rules in Python.
#[pyclass(frozen, module = "tabletop._native")]
pub(crate) struct Solved {
    session: Arc<Session>,
    table: Vec<u8>,
    solved: kit::Solved<PythonRules>,
}

impl Solved {
    fn from_table(py: Python<'_>, session: Arc<Session>, table: Vec<u8>, path: &str) -> PyResult<Solved> {
        let rules = PythonRules(Arc::clone(&session));
        let opened = py.detach(|| {
            let _asked = Asked::new(&session);
            kit::Solved::from_bytes(rules, table.clone(), Path::new(path))
        });
        let solved = opened.map_err(|error| error::of_table(py, &error))?;
        Ok(Solved { session, table, solved })
    }
}

#[pymethods]
impl Solved {
    /// The bytes of the table's file.
    fn table<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.table)
    }

    /// The reply to a request of the protocol of game programs, both as JSON.
    fn reply(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let reply = py.detach(|| {
            let _asked = Asked::new(&self.session);
            self.solved.reply(request)
        });
        self.session.take_raised().map_or(Ok(reply), Err)
    }

    /// Checks every value, and returns the number of positions.
    fn check(&self, py: Python<'_>) -> PyResult<usize> {
        self.session.explore(py)?;
        let checked = py.detach(|| {
            let _asked = Asked::new(&self.session);
            self.solved.check()
        });
        match self.session.take_raised() {
            Some(raised) => Err(raised),
            None => checked.map_err(|what| error::rules(py, &what, None)),
        }
    }
}

/// Solves a game. Ctrl-C stops it while Python is asked for nodes, and otherwise when a step is done.
#[pyfunction]
pub(crate) fn solve(py: Python<'_>, rules: &Bound<'_, PyAny>, exact: bool) -> PyResult<Solved> {
    let session = Arc::new(Session::new(rules)?);
    session.explore(py)?;
    let precision = if exact { Precision::Fractions } else { Precision::Doubles };
    let python_rules = PythonRules(Arc::clone(&session));
    let solved = interruptible(py, |cancelled| {
        let _asked = Asked::new(&session);
        let solution = kit::solve(&python_rules, precision)?;
        if cancelled.load(Ordering::Relaxed) { Ok(Vec::new()) } else { solution.encode(&python_rules) }
    })?;
    let table = solved.map_err(|bad: BadRules| error::rules(py, &bad.to_string(), session.take_raised()))?;
    Solved::from_table(py, session, table, "the table in memory")
}

/// Opens a table that was made with the same rules.
#[pyfunction]
pub(crate) fn open_table(py: Python<'_>, rules: &Bound<'_, PyAny>, table: Vec<u8>, path: &str) -> PyResult<Solved> {
    Solved::from_table(py, Arc::new(Session::new(rules)?), table, path)
}

/// Runs the program of a game and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, rules: &Bound<'_, PyAny>, arguments: Vec<OsString>) -> PyResult<u8> {
    let session = Arc::new(Session::new(rules)?);
    // These commands need every node.
    if arguments.get(1).is_some_and(|command| command == "solve" || command == "check" || command == "stats") {
        session.explore(py)?;
    }
    let code = py.detach(|| {
        let _asked = Asked::new(&session);
        kit::main_with(&PythonRules(Arc::clone(&session)), arguments)
    });
    let code = [0, 1, 2].into_iter().find(|known| code == ExitCode::from(*known)).unwrap_or(1);
    session.take_raised().map_or(Ok(code), Err)
}
