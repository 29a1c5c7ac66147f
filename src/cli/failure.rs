//! Why the program ends without an answer, and its exit code.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use tabletop::game::{Error, Setting};
use tabletop::input::InputError;
use tabletop::table::TableError;
use tabletop::text::visible_lines;

/// The exit code of a table or file problem.
const FILE_PROBLEM: u8 = 1;
/// The exit code of bad input or usage.
const BAD_INPUT: u8 = 2;

/// Prints a message on standard error, with control characters escaped. Errors are ignored.
pub(crate) fn say(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "tabletop: {}", visible_lines(&message.to_string()));
}

/// Why the program ends without an answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A table is missing, unreadable or damaged.
    Table(TableError),
    /// The input is valid and cannot be answered within the limits of time or memory.
    Limit(String),
    /// The input is wrong or cannot be read.
    Input {
        /// The name of the input as the user wrote it.
        source: String,
        /// With `--many`, the number of the case, from 1.
        case: Option<u64>,
        /// What is wrong with it.
        error: InputError,
    },
    /// The answer cannot be written.
    Output { path: String, error: io::Error },
    /// The program of an external command cannot be started.
    Unstartable { path: String, error: io::Error },
    /// The arguments are wrong.
    Usage(String),
    /// The messages are already printed, such as a list of damaged tables.
    Reported,
}

impl Failure {
    /// Turns an error of writing to `path` into a failure.
    pub(crate) fn output(path: impl Into<String>) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::Output { path: path.into(), error }
    }

    /// Prints what is wrong, in one line if possible, and returns the exit code. A closed pipe is not an error.
    pub(crate) fn report(self) -> ExitCode {
        match &self {
            Failure::Output { error, .. } if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Reported => {}
            _ => say(&self),
        }
        match self {
            Failure::Usage(_) | Failure::Limit(_) | Failure::Input { error: InputError::Malformed { .. }, .. } => {
                ExitCode::from(BAD_INPUT)
            }
            _ => ExitCode::from(FILE_PROBLEM),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Table(error) => error.fmt(f),
            Failure::Input { source, error: InputError::Unreadable(error), .. } => {
                write!(f, "{source}: cannot be read: {error}, name a file or leave it out for standard input")
            }
            Failure::Input { source, case: Some(case), error } => write!(f, "{source}, case {case}, {error}"),
            Failure::Input { source, case: None, error } => write!(f, "{source}, {error}"),
            Failure::Output { path, error } => {
                let remedy = match error.kind() {
                    io::ErrorKind::NotFound => "create the directory or name another file",
                    _ => "free some space or name another file",
                };
                write!(f, "{path}: cannot be written: {error}, {remedy}")
            }
            Failure::Usage(message) | Failure::Limit(message) => f.write_str(message),
            Failure::Unstartable { path, error } => {
                write!(f, "{path}: cannot be started: {error}, install it again")
            }
            Failure::Reported => Ok(()),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Table(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Table(error) => Failure::Table(error),
            other => {
                let (reason, remedy) = limit_message(other);
                Failure::Limit(format!("{reason}, {remedy}"))
            }
        }
    }
}

/// What a limit is about, and the remedy. The setting that allows more comes first.
#[cold]
pub(super) fn limit_message(error: Error) -> (String, String) {
    match error {
        Error::Limit { reason, remedy, setting: Some(Setting { name, value }) } => {
            (reason, format!("pass --{name} {value} to wait for it, or {remedy}"))
        }
        Error::Limit { reason, remedy, .. } | Error::Stopped { reason, remedy } => (reason, remedy),
        other => (other.to_string(), String::from("ask for something smaller")),
    }
}
