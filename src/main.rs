//! The query binary: a judge's input in, answers out.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop::cli::run()
}
