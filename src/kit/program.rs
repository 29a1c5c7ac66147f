//! The program of a game without the solver: it answers by the protocol of game programs.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use super::file::Answers;
use super::rules::Rules;
use super::speak::speak;
use crate::door::Failure;
use crate::game::program::SPEAK;
use crate::table::Places;

/// Runs the program of a game. Without the feature `kit` it knows only `speak`: it answers from the table by the protocol
/// in `docs/game-programs.md`.
pub fn main<R: Rules>(rules: R) -> ExitCode {
    match run(&rules) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(rules.name()),
    }
}

fn run<R: Rules>(rules: &R) -> Result<(), Failure> {
    if !env::args_os().skip(1).eq([SPEAK]) {
        let what = "knows only `speak`, build it with the feature `kit` for the other commands";
        return Err(Failure::Usage(String::from(what)));
    }
    let places = Places::from_environment_with(Path::new("tables"));
    speak(&Answers::open(rules, &places)?)
}
