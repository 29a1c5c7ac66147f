//! Errors of a program made with the kit, and their exit codes.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use super::no_answer::NoAnswer;
use crate::door;
use crate::input::InputError;
use crate::text::{visible, visible_lines, visible_path};

/// Why the program fails.
#[derive(Debug)]
pub(super) enum Failure {
    /// The rules or the table are wrong, or the text is no position.
    NoAnswer(NoAnswer),
    /// Everything whose message does not depend on the program's name.
    Door(door::Failure),
}

impl<E: Into<NoAnswer>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::NoAnswer(error.into())
    }
}

impl Failure {
    /// The arguments or the input are wrong. The message may have several lines, as those of clap do.
    pub(super) fn usage(message: impl Into<String>) -> Failure {
        Failure::Door(door::Failure::Usage(message.into()))
    }

    /// Standard input is wrong or cannot be read. With `--many`, `case` is the number of the position, from 1.
    pub(super) fn input(case: Option<u64>) -> impl Fn(InputError) -> Failure {
        move |error| Failure::Door(door::Failure::input("stdin", case, &error, "name a position as an argument"))
    }

    /// Converts an error from writing to `path`.
    pub(super) fn output(path: impl fmt::Display) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::Door(door::Failure::output(visible(&path.to_string()))(error))
    }

    /// The plain solver disagrees with a table that is as the rules say.
    pub(super) fn disagreement(table: &Path, what: &str) -> Failure {
        Failure::Door(door::Failure::new(format!(
            "{}: {}, mend the rules: is `canonical` right? does `node` depend on more than the position?",
            visible_path(table),
            visible(what)
        )))
    }

    /// The file of the table holds the table of another game.
    pub(super) fn occupied(path: &Path, table: &str) -> Failure {
        Failure::Door(door::Failure::new(format!(
            "{}: holds the table '{}' of another game, write elsewhere with --out, or remove it",
            visible_path(path),
            visible(table)
        )))
    }

    /// A function of the rules panicked.
    pub(super) fn panicked() -> Failure {
        let what = "a function of the rules panicked with the message above, mend it for every position";
        Failure::Door(door::Failure::new(what))
    }

    /// The error message. Its remedies name the program.
    pub(super) fn message(&self, program: &str) -> String {
        match self {
            Failure::NoAnswer(no_answer) => no_answer.message(program),
            Failure::Door(failure) => visible_lines(&failure.to_string()),
        }
    }

    /// Prints the error to standard error and returns the exit code. A closed pipe counts as success.
    pub(super) fn report(self, program: &str) -> ExitCode {
        let failure = match self {
            Failure::NoAnswer(no_answer) => door::Failure::new(no_answer.message(program)),
            Failure::Door(failure) => failure,
        };
        failure.report(program)
    }
}
