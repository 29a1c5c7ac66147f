//! The program of a game without the solver: it answers by the protocol of game programs.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use super::file::Answers;
use super::rules::Rules;
use super::speak::speak;
use crate::game::program::SPEAK;
use crate::table::Places;

/// The exit code of a table problem.
const FILE_PROBLEM: u8 = 1;
/// The exit code of bad usage.
const BAD_INPUT: u8 = 2;

/// Runs the program of a game. Without the feature `kit` it knows only `speak`: it answers from the table by the protocol
/// in `docs/game-programs.md`.
pub fn main<R: Rules>(rules: R) -> ExitCode {
    let fails = |what: &dyn std::fmt::Display, code: u8| {
        // There may be nobody to read it.
        let _ = writeln!(io::stderr(), "{}: {what}", rules.name());
        ExitCode::from(code)
    };
    if !env::args_os().skip(1).eq([SPEAK]) {
        return fails(&"knows only `speak`, build it with the feature `kit` for the other commands", BAD_INPUT);
    }
    let places = Places::from_environment_with(Path::new("tables"));
    let answers = match Answers::open(&rules, &places) {
        Ok(answers) => answers,
        Err(error) => return fails(&error, FILE_PROBLEM),
    };
    let unreadable = |_| fails(&"stdin: cannot be read, write requests", BAD_INPUT);
    // A door that no longer listens has ended.
    let unwritable = |_| ExitCode::SUCCESS;
    speak(&answers, unreadable, unwritable).err().unwrap_or(ExitCode::SUCCESS)
}
