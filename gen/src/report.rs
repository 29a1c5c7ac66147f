//! What the generator prints on standard output.

use std::fmt::Display;
use std::io::{self, Write};

use crate::generator::Failure;

/// Prints a line. A closed pipe is not a failure: the work continues.
pub(crate) fn report(line: impl Display) -> Result<(), Failure> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("stdout: cannot be written: {error}, free some space or redirect it elsewhere")))
        }
        _ => Ok(()),
    }
}
