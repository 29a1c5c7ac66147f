//! Why a case has no answer.

use std::fmt::{self, Display};

use crate::table::TableError;

/// Why a case has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A table is missing, unreadable, damaged or outdated.
    Table(TableError),
    /// The case is valid and cannot be answered within the limits of time or memory.
    Limit {
        /// Which limit it exceeds.
        reason: String,
        /// What to do about it.
        remedy: String,
        /// The game's setting that allows the case, if there is one.
        setting: Option<Setting>,
    },
    /// The computation was stopped: it was cancelled, or time or memory ran out.
    Stopped {
        /// What stopped it.
        reason: String,
        /// What to do about it.
        remedy: String,
    },
    /// The program of a game has a fault.
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

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Table(error) => Display::fmt(error, f),
            Error::Limit { reason, remedy, .. } | Error::Stopped { reason, remedy } => {
                write!(f, "{reason}, {remedy}")
            }
            Error::Program { program, reason, remedy } => write!(f, "{program}: {reason}, {remedy}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Table(error) => Some(error),
            Error::Limit { .. } | Error::Stopped { .. } | Error::Program { .. } => None,
        }
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Error {
        Error::Table(error)
    }
}
