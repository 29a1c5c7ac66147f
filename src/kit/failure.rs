//! Errors of a program made with the kit, and their exit codes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use super::no_answer::NoAnswer;
use crate::door;
use crate::input::InputError;
use crate::text::{visible, visible_lines, visible_path};

/// Why the program fails.
#[derive(Debug)]
pub(super) enum Failure {
    /// The rules or the table are wrong, or the text is no position.
    NoAnswer(NoAnswer),
    /// The plain solver disagrees with a table that is as the rules say.
    Disagreement { path: PathBuf, what: String },
    /// A line of standard input is not a position, or not a position of the game.
    Position {
        /// With `--many`, the number of this position, from 1.
        case: Option<u64>,
        /// The number of the line, from 1.
        line: u64,
        message: String,
    },
    /// The input is wrong or cannot be read.
    Input {
        /// With `--many`, the number of this position, from 1.
        case: Option<u64>,
        error: InputError,
    },
    /// The answer or the table cannot be written, or the arguments are wrong.
    Door(door::Failure),
    /// The file of the table holds the table of another game.
    Occupied { path: PathBuf, table: String },
    /// A function of the rules panicked.
    Panicked,
    /// The arguments are wrong.
    Usage(String),
}

impl<E: Into<NoAnswer>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::NoAnswer(error.into())
    }
}

impl Failure {
    /// Converts an error from writing to `path`.
    pub(super) fn output(path: impl fmt::Display) -> impl FnOnce(io::Error) -> Failure {
        move |error| {
            let remedy = match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space or write elsewhere",
                _ => "write elsewhere",
            };
            Failure::Door(door::Failure::unwritable(&visible(&path.to_string()), &error, remedy))
        }
    }

    /// The error message. Its remedies name the program.
    pub(super) fn message(&self, program: &str) -> String {
        Message { failure: self, program }.to_string()
    }

    /// Prints the error to standard error and returns the exit code. A closed pipe counts as success.
    pub(super) fn report(self, program: &str) -> ExitCode {
        let message = self.message(program);
        let failure = match self {
            Failure::Door(failure) => failure,
            Failure::Usage(_)
            | Failure::Position { .. }
            | Failure::Input { error: InputError::Malformed { .. }, .. } => door::Failure::Usage(message),
            _ => door::Failure::Problem(message),
        };
        failure.report(program)
    }
}

/// The error message of a failure. Its remedies name the program.
struct Message<'a> {
    failure: &'a Failure,
    program: &'a str,
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.failure {
            Failure::NoAnswer(no_answer) => f.write_str(&no_answer.message(self.program)),
            Failure::Disagreement { path, what } => {
                write!(f, "{}: {}, mend the rules: ", visible_path(path), visible(what))?;
                write!(f, "is `canonical` right? does `node` depend on more than the position?")
            }
            Failure::Position { case: Some(case), line, message } => {
                write!(f, "stdin, case {case}, line {line}: {}", visible(message))
            }
            Failure::Position { case: None, line, message } => {
                write!(f, "stdin, line {line}: {}", visible(message))
            }
            Failure::Input { error: InputError::Unreadable(error), .. } => {
                write!(f, "stdin: cannot be read: {error}, name a position as an argument")
            }
            Failure::Input { case: Some(case), error } => write!(f, "stdin, case {case}, {error}"),
            Failure::Input { case: None, error } => write!(f, "stdin, {error}"),
            Failure::Door(failure) => f.write_str(&visible_lines(&failure.to_string())),
            Failure::Occupied { path, table } => {
                write!(f, "{}: holds the table '{}' of another game, ", visible_path(path), visible(table))?;
                write!(f, "write elsewhere with --out, or remove it")
            }
            Failure::Panicked => {
                write!(f, "a function of the rules panicked with the message above, mend it for every position")
            }
            // The messages of clap have several lines.
            Failure::Usage(message) => f.write_str(&visible_lines(message)),
        }
    }
}
