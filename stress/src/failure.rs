//! Failures of both programs, and their exit codes.

use std::io;
use std::path::Path;

pub use tabletop::door::Failure;

/// The exit code of a command that is not accepted.
pub const NOT_ACCEPTED: u8 = 3;

/// A file that cannot be read or written.
pub fn file(path: &Path, what: &str, error: &io::Error, remedy: &str) -> Failure {
    Failure::new(format!("{}: cannot be {what}: {error}, {remedy}", path.display()))
}
