//! Why a solved game does not answer.

use std::fmt;
use std::path::{Path, PathBuf};

use super::error::BadRules;
use crate::table::{Cure, TableError};
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
            NoAnswer::Table(error) => table_message(error, program),
            NoAnswer::Wrong { path, what } => {
                let remedy = Solve { program, directory: path.parent() };
                format!("{}: {}, {remedy} to write it anew", visible_path(path), visible(what))
            }
        }
    }
}

fn table_message(error: &TableError, program: &str) -> String {
    let end = match error.cure() {
        // The default search path includes the directory that `solve` writes to, so `--out` is not needed.
        Cure::Make { directory, .. } => {
            format!(", {} or name its directory with --tables", Solve { program, directory })
        }
        Cure::MakeAgain { directory } => format!(", {} to write it anew", Solve { program, directory }),
        Cure::MakeReadable => String::from(", name a readable directory with --tables"),
        _ => String::new(),
    };
    format!("{}{end}", visible(&error.to_string()))
}

/// The command that writes a table into a directory.
struct Solve<'a> {
    program: &'a str,
    directory: Option<&'a Path>,
}

impl fmt::Display for Solve<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.directory.filter(|directory| !directory.as_os_str().is_empty()) {
            None => write!(f, "run `{} solve`", self.program),
            Some(directory) => write!(f, "run `{} solve --out {}`", self.program, visible_path(directory)),
        }
    }
}
