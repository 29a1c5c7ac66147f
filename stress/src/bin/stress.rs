//! `tabletop-stress`: does a command answer a game rightly?

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop_stress::cli::stress::main()
}
