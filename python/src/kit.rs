//! Solves a game with rules in Python, and answers from its table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tabletop::kit::{self, BadRules, Precision};
use tabletop::publish;

use crate::answer::interruptible;
use crate::error;
use crate::session::{PythonRules, Session, asked, asked_by_program, asked_on_all_cores};

/// The commands that need every node.
const NEED_ALL: [&str; 4] = ["solve", "count", "check", "stats"];

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
        let (opened, raised) = asked(py, &session, || {
            let bytes = table.clone();
            kit::Solved::from_bytes(rules, bytes, Path::new(path))
        });
        let solved = opened.map_err(|error| raised.unwrap_or_else(|| error::of_table(py, &error)))?;
        Ok(Solved { session, table, solved })
    }
}

#[pymethods]
impl Solved {
    /// The bytes of the table's file.
    fn table<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.table)
    }

    /// Writes the file of the table into a directory, which is made if it is missing. The file appears when it is complete.
    fn save(&self, py: Python<'_>, directory: PathBuf, name: &str) -> PyResult<()> {
        py.detach(|| {
            publish::require_writable(&directory)?;
            publish::replace(&directory, name, &self.table)
        })
        .map_err(PyErr::from)
    }

    /// The reply to a request of the protocol of game programs, both as JSON.
    fn reply(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let (reply, raised) = asked(py, &self.session, || self.solved.reply(request));
        raised.map_or(Ok(reply), Err)
    }

    /// Checks every value, and returns the number of positions.
    fn check(&self, py: Python<'_>) -> PyResult<usize> {
        self.session.explore(py)?;
        let (checked, raised) = py.detach(|| asked_on_all_cores(&self.session, || self.solved.check()));
        match raised {
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
    let (solved, raised) = interruptible(py, |cancelled| {
        asked_on_all_cores(&session, || {
            let solution = kit::solve(&python_rules, precision)?;
            if cancelled.load(Ordering::Relaxed) { Ok(Vec::new()) } else { solution.encode(&python_rules) }
        })
    })?;
    let table = solved.map_err(|bad: BadRules| error::rules(py, &bad.to_string(), raised))?;
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
    if arguments.get(1).is_some_and(|command| NEED_ALL.iter().any(|name| command == name)) {
        session.explore(py)?;
    }
    let rules = PythonRules(Arc::clone(&session));
    let (code, raised) = asked_by_program(py, &session, || kit::main_with(&rules, arguments));
    let code = [0, 1, 2].into_iter().find(|known| code == ExitCode::from(*known)).unwrap_or(1);
    match raised {
        Some(raised) if code != 0 => Err(raised),
        // `speak` has put the exceptions of the rules into its replies.
        _ => Ok(code),
    }
}
