//! What the generator prints on standard output.

use std::fmt::Display;

use tabletop::door::{Failure, print};

/// Prints a line. A closed pipe is not a failure: the work continues.
pub(crate) fn report(line: impl Display) -> Result<(), Failure> {
    match print(format!("{line}\n").as_bytes()) {
        Err(Failure::ClosedPipe) => Ok(()),
        printed => printed,
    }
}
