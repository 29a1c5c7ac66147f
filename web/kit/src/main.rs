//! Solves the games of the static site: `tabletop-web-kit GAME ARGUMENTS…` is the program of a game, and without
//! arguments it prints the names of all.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use tabletop_web_kit::{names, run};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if arguments.is_empty() {
        println!("{}", names().join("\n"));
        return ExitCode::SUCCESS;
    }
    run(arguments).unwrap_or_else(|| {
        eprintln!("tabletop-web-kit: no such game, choose one of: {}", names().join(", "));
        ExitCode::from(2)
    })
}
