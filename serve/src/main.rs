//! The program of `tabletop serve`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop_serve::main()
}
