//! Solves a game with rules in Python, and answers from its table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tabletop::kit::{self, BadRules, Precision, Solution};
use tabletop::publish;

use crate::answer::interruptible;
use crate::error;
use crate::session::{Needs, PythonRules, Session, asked, asked_by_program, asked_on_all_cores};

/// The commands that need every node.
const NEED_ALL: [&str; 4] = ["solve", "count", "check", "stats"];

/// A solved game with rules in Python.
#[pyclass(frozen, module = "tabletop._native")]
pub(crate) struct Solved {
    session: Arc<Session>,
    /// The bytes of the table's file, made when they are needed.
    table: OnceLock<Vec<u8>>,
    /// What the table is made of, for a game that was not opened from a file.
    solution: Option<Solution>,
    solved: kit::Solved<PythonRules>,
}

impl Solved {
    /// Answers from the bytes of a table.
    fn answers(
        py: Python<'_>,
        session: &Arc<Session>,
        table: Vec<u8>,
        path: &str,
    ) -> PyResult<kit::Solved<PythonRules>> {
        let rules = PythonRules(Arc::clone(session));
        let (opened, raised) = asked(py, session, || kit::Solved::from_bytes(rules, table, Path::new(path)));
        opened.map_err(|error| raised.unwrap_or_else(|| error::of_table(py, &error)))
    }

    /// The bytes of the table's file.
    fn file(&self, py: Python<'_>) -> PyResult<&[u8]> {
        if let (None, Some(solution)) = (self.table.get(), &self.solution) {
            let rules = PythonRules(Arc::clone(&self.session));
            let (encoded, raised) = py.detach(|| asked_on_all_cores(&self.session, || solution.encode(&rules)));
            let bytes = encoded.map_err(|bad| error::rules(py, &bad.to_string(), raised))?;
            // Another thread may have made them in the meantime.
            let _ = self.table.set(bytes);
        }
        Ok(self.table.get().map_or(&[], Vec::as_slice))
    }
}

#[pymethods]
impl Solved {
    /// The bytes of the table's file.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.file(py)?))
    }

    /// Writes the file of the table into a directory, which is made if it is missing. The file appears when it is complete.
    fn save(&self, py: Python<'_>, directory: PathBuf, name: &str) -> PyResult<()> {
        py.detach(|| publish::require_writable(&directory))?;
        let table = self.file(py)?;
        let publish = || {
            let _lock = publish::DirectoryLock::wait(&directory, |_| ())?;
            publish::replace(&directory, name, table)
        };
        py.detach(publish).map_err(PyErr::from)
    }

    /// The reply to a request of the protocol of game programs, both as JSON.
    fn reply(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let (reply, raised) = asked(py, &self.session, || self.solved.reply(request));
        raised.map_or(Ok(reply), Err)
    }

    /// Checks every value, and returns the number of positions.
    fn check(&self, py: Python<'_>) -> PyResult<usize> {
        self.session.explore(py)?;
        self.session.read_all_back(py)?;
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
            let is_cancelled = cancelled.load(Ordering::Relaxed);
            let table = if is_cancelled { Vec::new() } else { solution.encode_quickly(&python_rules)? };
            Ok((solution, table))
        })
    })?;
    let (solution, table) = solved.map_err(|bad: BadRules| error::rules(py, &bad.to_string(), raised))?;
    let solved = Solved::answers(py, &session, table, "the table in memory")?;
    Ok(Solved { session, table: OnceLock::new(), solution: Some(solution), solved })
}

/// Opens a table that was made with the same rules.
#[pyfunction]
pub(crate) fn open_table(py: Python<'_>, rules: &Bound<'_, PyAny>, table: Vec<u8>, path: &str) -> PyResult<Solved> {
    let session = Arc::new(Session::new(rules)?);
    let solved = Solved::answers(py, &session, table.clone(), path)?;
    Ok(Solved { session, table: OnceLock::from(table), solution: None, solved })
}

/// Runs the program of a game and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, rules: &Bound<'_, PyAny>, arguments: Vec<OsString>) -> PyResult<u8> {
    let session = Arc::new(Session::new(rules)?);
    let needs = match arguments.get(1) {
        Some(command) if NEED_ALL.iter().any(|name| command == name) => Needs::Values,
        _ => Needs::Names,
    };
    if needs == Needs::Values {
        session.explore(py)?;
    }
    if arguments.get(1).is_some_and(|command| command == "check") {
        session.read_all_back(py)?;
    }
    let rules = PythonRules(Arc::clone(&session));
    let (code, raised) = asked_by_program(py, &session, needs, || kit::main_with(&rules, arguments));
    let code = [0, 1, 2].into_iter().find(|known| code == ExitCode::from(*known)).unwrap_or(1);
    match raised {
        Some(raised) if code != 0 => Err(raised),
        // `speak` has put the exceptions of the rules into its replies.
        _ => Ok(code),
    }
}
