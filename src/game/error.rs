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
    },
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Table(error) => Display::fmt(error, f),
            Error::Limit { reason, remedy } => write!(f, "{reason}, {remedy}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Table(error) => Some(error),
            Error::Limit { .. } => None,
        }
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Error {
        Error::Table(error)
    }
}
