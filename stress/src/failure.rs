//! Errors that end a program without a verdict, and their exit codes.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use tabletop::game::Error;
use tabletop::table::TableError;
use tabletop::text::visible_lines;

/// The exit code of a command that is not accepted.
pub const NOT_ACCEPTED: u8 = 3;
/// The exit code of a table or file problem.
const FILE_PROBLEM: u8 = 1;
/// The exit code of bad input or usage.
const BAD_INPUT: u8 = 2;

/// Why a program ends without a verdict.
#[derive(Debug)]
pub enum Failure {
    /// A table or a file is missing, unreadable or cannot be written, or the command cannot be run. The text contains
    /// the remedy.
    File(String),
    /// The input or the arguments are wrong. The text contains the remedy.
    Usage(String),
    /// Standard output was closed by its reader.
    ClosedPipe,
    /// This signal ended the work.
    Interrupted(i32),
}

impl Failure {
    /// A file that cannot be read or written.
    pub fn file(path: &Path, what: &str, error: &io::Error, remedy: &str) -> Failure {
        Failure::File(format!("{}: cannot be {what}: {error}, {remedy}", path.display()))
    }

    /// An error while writing to standard output.
    pub fn output(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::File(format!("stdout: cannot be written: {error}, free some space or name another file")),
        }
    }

    /// Prints the error to standard error and returns the exit code.
    pub fn report(self, program: &str) -> ExitCode {
        let code = match &self {
            Failure::File(_) => FILE_PROBLEM,
            Failure::Usage(_) => BAD_INPUT,
            Failure::ClosedPipe => return ExitCode::SUCCESS,
            Failure::Interrupted(signal) => return ExitCode::from(128 + *signal as u8),
        };
        // If standard error is closed, there is nowhere to report that.
        let _ = writeln!(io::stderr(), "{program}: {}", visible_lines(&self.to_string()));
        ExitCode::from(code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::File(message) | Failure::Usage(message) => f.write_str(message),
            Failure::ClosedPipe => f.write_str("the output was closed"),
            Failure::Interrupted(signal) => write!(f, "ended by signal {signal}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::File(error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Table(error) => error.into(),
            error @ Error::Program { .. } => Failure::File(error.to_string()),
            other => Failure::Usage(other.to_string()),
        }
    }
}
