//! `tabletop-stress`: tests whether a command answers a game correctly.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop_stress::cli::stress::main()
}
