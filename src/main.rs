//! The query binary: reads a judge's input and prints the answers.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop::cli::run()
}
