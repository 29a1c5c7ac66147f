//! Why a solved game does not answer.

use std::path::PathBuf;

use super::error::BadRules;
use crate::door::table;
use crate::table::TableError;
use crate::text::{visible, visible_path};

/// Why a solved game does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The text is not a position, or the position cannot be reached.
    #[error("{0}")]
    Text(String),
    /// The rules are wrong.
    #[error("{0}")]
    Rules(#[from] BadRules),
    /// A table is missing, unreadable or damaged.
    #[error("{0}")]
    Table(#[from] TableError),
    /// A table is intact, but its values do not match the rules.
    #[error("{}: {what}, solve the game again", visible_path(.path))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What does not match.
        what: String,
    },
}

impl NoAnswer {
    /// The error message. Its remedies name the program.
    pub(super) fn message(&self, program: &str) -> String {
        match self {
            NoAnswer::Text(message) => message.clone(),
            NoAnswer::Rules(error) => visible(&error.to_string()).into_owned(),
            NoAnswer::Table(error) => table::message(error, &format!("{program} solve"), table::run),
            NoAnswer::Wrong { path, what } => {
                let remedy = table::run(&format!("{program} solve"), path.parent());
                format!("{}: {}, {remedy} to write it anew", visible_path(path), visible(what))
            }
        }
    }
}
