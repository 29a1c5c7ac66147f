//! What the generator tells on standard output.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line; a reader that has gone away does not stop the work.
pub(crate) fn report(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}
