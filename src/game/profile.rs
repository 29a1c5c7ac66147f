//! The description of a game and of its options.

use crate::table::Spec;

/// The description of a game, available without opening a table.
#[derive(Debug)]
pub struct Profile {
    /// The name on the command line, in JSON and in URLs.
    pub name: &'static str,
    /// What the game answers, in one line.
    pub about: &'static str,
    /// The game's full name and what a player learns from it, in one line.
    pub question: &'static str,
    /// What to write: the remedy in the error for an empty input.
    pub format: &'static str,
    /// The input format and examples, for the help; lines of at most 80 columns.
    pub help: &'static str,
    /// A valid input.
    pub sample: &'static str,
    /// The tables that the game uses.
    pub tables: &'static [&'static Spec],
    /// The game's options.
    pub options: &'static [GameOption],
}

/// An option of a game: a flag, or an option with a value.
#[derive(Debug)]
pub struct GameOption {
    /// The name on the command line, without `--`.
    pub name: &'static str,
    /// The placeholder for the value in the help; `None` for a flag.
    pub value: Option<&'static str>,
    /// What the option does, in one line.
    pub help: &'static str,
    /// Whether it is a setting or a question.
    pub role: Role,
}

/// The kind of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It changes how inputs are answered.
    Setting,
    /// It asks a question, and no input is read.
    Question,
}
