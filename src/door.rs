//! What the programs of this project have in common: messages of the command line, printed answers, and how a program
//! ends without one.

pub(crate) mod table;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

#[cfg(feature = "door")]
use clap::error::ErrorKind;

use crate::game::Error;
use crate::input::InputError;
use crate::table::TableError;
use crate::text::visible_lines;

pub use table::{no_tables_message, table_message};

/// The exit code of a table or file problem.
const FILE_PROBLEM: u8 = 1;
/// The exit code of bad input or usage.
const BAD_INPUT: u8 = 2;

/// Why a program ends without an answer. The texts contain the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A table, a file or the system refuses something.
    #[error("{0}")]
    Problem(String),
    /// The input or the arguments are wrong.
    #[error("{0}")]
    Usage(String),
    /// This signal ended the work.
    #[error("ended by signal {0}")]
    Interrupted(i32),
    /// Standard output was closed by its reader.
    #[error("the output was closed")]
    ClosedPipe,
    /// The messages are printed already, such as a list of damaged tables.
    #[error("")]
    Reported,
}

impl Failure {
    /// A table, a file or the system refuses something.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::Problem(message.into())
    }

    /// Turns an error of writing to `path` into a failure.
    pub fn output(path: impl fmt::Display) -> impl FnOnce(io::Error) -> Failure {
        move |error| {
            let remedy = match error.kind() {
                io::ErrorKind::NotFound => "create the directory or write elsewhere",
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space or write elsewhere",
                _ => "write elsewhere",
            };
            Failure::unwritable(&path, &error, remedy)
        }
    }

    /// `path` cannot be written. A closed pipe is not an error.
    pub fn unwritable(path: &dyn fmt::Display, error: &io::Error, remedy: &str) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Problem(format!("{path}: cannot be written: {error}, {remedy}")),
        }
    }

    /// An input that is wrong or cannot be read. `source` is its name as the user wrote it, and `case` the number of the
    /// case, from 1, if there can be any number of them. `elsewhere` is the remedy if it cannot be read.
    #[cold]
    pub fn input(source: &str, case: Option<u64>, error: &InputError, elsewhere: &str) -> Failure {
        match (error, case) {
            (InputError::Unreadable(error), _) => {
                Failure::Problem(format!("{source}: cannot be read: {error}, {elsewhere}"))
            }
            (error, Some(case)) => Failure::Usage(format!("{source}, case {case}, {error}")),
            (error, None) => Failure::Usage(format!("{source}, {error}")),
        }
    }

    /// A message of clap as bad usage.
    #[cfg(feature = "door")]
    #[cold]
    pub fn arguments(message: &str) -> Failure {
        Failure::Usage(format!("arguments: {}", message.trim_start_matches("error: ").trim_end()))
    }

    /// Prints what is wrong on standard error and returns the exit code. A closed pipe is not an error.
    pub fn report(self, program: &str) -> ExitCode {
        match self {
            Failure::Problem(message) => {
                say(program, message);
                ExitCode::from(FILE_PROBLEM)
            }
            Failure::Usage(message) => {
                say(program, message);
                ExitCode::from(BAD_INPUT)
            }
            Failure::Interrupted(signal) => ExitCode::from(128 + signal as u8),
            Failure::ClosedPipe => ExitCode::SUCCESS,
            Failure::Reported => ExitCode::from(FILE_PROBLEM),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::new(table_message(&error))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Table(error) => error.into(),
            Error::Program { .. } => Failure::new(error.to_string()),
            Error::Limit { .. } | Error::Stopped { .. } => Failure::Usage(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    /// For an error that says by itself what the system refuses.
    fn from(error: io::Error) -> Failure {
        Failure::new(error.to_string())
    }
}

/// Prints a message on standard error, with control characters escaped. If standard error is closed, there is nowhere to
/// report that.
pub fn say(program: &str, message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{program}: {}", visible_lines(&message.to_string()));
}

/// Writes a complete answer to standard output.
pub fn print(answer: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(answer).and_then(|()| stdout.flush()).map_err(Failure::output("stdout"))
}

/// Prints help and version as answers. Every other message of clap is bad usage.
#[cfg(feature = "door")]
pub fn show(message: &clap::Error) -> Result<ExitCode, Failure> {
    let text = message.render().to_string();
    match message.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print(text.as_bytes()).map(|()| ExitCode::SUCCESS),
        _ => Err(Failure::arguments(&text)),
    }
}
