//! `tabletop-serve`, the program behind `tabletop serve`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabletop_serve::main()
}
