//! Why a case has no answer.

use crate::table::TableError;

/// Why a case has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A table is missing, unreadable, damaged or outdated.
    #[error("{0}")]
    Table(#[from] TableError),
    /// The case is valid and cannot be answered within the limits of time or memory.
    #[error("{reason}, {remedy}")]
    Limit {
        /// Which limit it exceeds.
        reason: String,
        /// What to do about it.
        remedy: String,
        /// The game's setting that allows the case, if there is one.
        setting: Option<Setting>,
    },
    /// The computation was stopped: it was cancelled, or time or memory ran out.
    #[error("{reason}, {remedy}")]
    Stopped {
        /// What stopped it.
        reason: String,
        /// What to do about it.
        remedy: String,
    },
    /// The program of a game has a fault.
    #[error("{program}: {reason}, {remedy}")]
    Program {
        /// The program as the user named it.
        program: String,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        remedy: String,
    },
}

/// An option of a game with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name of the option.
    pub name: &'static str,
    /// The value.
    pub value: String,
}

impl Error {
    /// The error of a run that was cancelled.
    pub fn cancelled() -> Error {
        Error::Stopped { reason: String::from("the question was given up"), remedy: String::from("ask again") }
    }
}
