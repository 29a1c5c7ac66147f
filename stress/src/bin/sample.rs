//! `tabletop-sample`: valid inputs, and test data with answers.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop_stress::cli::sample::main()
}
