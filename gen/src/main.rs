//! The generator: see the library.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop_gen::cli::main()
}
