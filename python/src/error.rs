//! Errors of the library as exceptions of `tabletop._errors`.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabletop::game::Error;
use tabletop::input::InputError;
use tabletop::table::{Cure, NotReadable, TableError};

/// An exception of the package with these arguments.
fn exception<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyErr {
    let make = || py.import("tabletop._errors")?.getattr(name)?.call1(arguments.into_pyobject(py)?);
    make().map_or_else(|error| error, PyErr::from_value)
}

/// `InputError`: the line (0 if it is not known), what is wrong with it, what to write instead.
pub(crate) fn input(py: Python<'_>, line: u64, what: &str, remedy: &str) -> PyErr {
    exception(py, "InputError", (line, what, remedy))
}

/// `InputError` of a text.
pub(crate) fn of_text(py: Python<'_>, error: &InputError) -> PyErr {
    match error {
        InputError::Malformed { line, found, expected } => input(py, *line, found, expected),
        other => input(py, 0, &other.to_string(), "pass a text"),
    }
}

/// `TableError`. The tables of our games are inside the package, all others were written by `solve`.
pub(crate) fn of_table(py: Python<'_>, error: &TableError) -> PyErr {
    let remedy = match error.cure() {
        Cure::MakeReadable => "make the file readable",
        _ => "solve the game again, or install the package again if it is a table of the package",
    };
    exception(py, "TableError", (format!("{error}, {remedy}"),))
}

/// `TableError` of any table.
pub(crate) fn of_any_table(py: Python<'_>, error: &NotReadable) -> PyErr {
    exception(py, "TableError", (error.to_string(),))
}

/// Whether the rules raised an exception because they are wrong. Ctrl-C and `sys.exit` are none of their errors.
pub(crate) fn is_of_rules(py: Python<'_>, raised: &PyErr) -> bool {
    raised.is_instance_of::<PyException>(py)
}

/// `RulesError`: what is wrong with the rules of a game, and the exception that they raised, if any. An exception that
/// is no error of the rules is given back as it is.
pub(crate) fn rules(py: Python<'_>, what: &str, cause: Option<PyErr>) -> PyErr {
    let cause = match cause {
        Some(raised) if !is_of_rules(py, &raised) => return raised,
        other => other,
    };
    let error = exception(py, "RulesError", (what,));
    error.set_cause(py, cause);
    error
}

/// `LimitError`: what takes too much time or memory, and what to do about it.
pub(crate) fn limit(py: Python<'_>, what: &str, remedy: &str) -> PyErr {
    exception(py, "LimitError", (what, remedy))
}

/// The exception for a case without an answer.
pub(crate) fn of_game(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Table(error) => of_table(py, error),
        Error::Limit { reason, remedy, setting: Some(setting) } => {
            limit(py, reason, &format!("pass {}={}, or {remedy}", setting.name, setting.value))
        }
        Error::Limit { reason, remedy, .. } | Error::Stopped { reason, remedy } => limit(py, reason, remedy),
        other => limit(py, &other.to_string(), "see the message"),
    }
}
