//! What the query says when it has no answer.

use std::fmt;

use tabletop::door::{self, Failure};
use tabletop::game::{Error, Setting};
use tabletop::input::InputError;

/// Prints a message on standard error.
pub(crate) fn say(message: impl fmt::Display) {
    door::say("tabletop", message);
}

/// The failure of an input, see [`Failure::input`].
#[cold]
pub(super) fn input_failure(source: &str, case: Option<u64>, error: &InputError) -> Failure {
    Failure::input(source, case, error, "name a file or leave it out for standard input")
}

/// The failure of a game without a case to name.
#[cold]
pub(super) fn limit_failure(error: Error) -> Failure {
    match error {
        Error::Table(error) => error.into(),
        other => {
            let (reason, remedy) = limit_message(other);
            Failure::Usage(format!("{reason}, {remedy}"))
        }
    }
}

/// What a limit is about, and the remedy. The setting that allows more comes first.
#[cold]
pub(super) fn limit_message(error: Error) -> (String, String) {
    match error {
        Error::Limit { reason, remedy, setting: Some(Setting { name, value }) } => {
            (reason, format!("pass --{name} {value} to wait for it, or {remedy}"))
        }
        Error::Limit { reason, remedy, .. } | Error::Stopped { reason, remedy } => (reason, remedy),
        other => (other.to_string(), String::from("ask for something smaller")),
    }
}
