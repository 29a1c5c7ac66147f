//! The description of a game and of its options.

use crate::table::Spec;

/// The description of a game, available without opening a table.
#[derive(Debug, Clone, Copy)]
pub struct Profile<'a> {
    /// The name on the command line, in JSON and in URLs.
    pub name: &'a str,
    /// What the game answers, in one line.
    pub about: &'a str,
    /// The game's full name and what a player learns from it, in one line.
    pub question: &'a str,
    /// What to write: the remedy in the error for an empty input.
    pub format: &'a str,
    /// The input format and examples, for the help; lines of at most 80 columns.
    pub help: &'a str,
    /// A valid input.
    pub sample: &'a str,
    /// The maximum number of cases in one input. If it is more than 1, every input begins with its number of cases.
    pub max_cases: u32,
    /// How programs are tested.
    pub contest: Contest,
    /// The tables that the game uses.
    pub tables: &'a [&'static Spec],
    /// The game's options.
    pub options: &'a [GameOption<'a>],
}

impl Profile<'_> {
    /// Why nothing of this name can be asked for: `kind` is an option, a question or a view.
    pub(crate) fn lacks(&self, kind: &str, name: &str) -> String {
        format!("{} has no {kind} '{name}'", self.name)
    }
}

/// How programs that play a game are tested, unless the user says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contest {
    /// The number of inputs.
    pub inputs: u64,
    /// The time limit for one input, in seconds.
    pub seconds: u64,
}

impl Contest {
    /// Many inputs with short answers.
    pub const USUAL: Contest = Contest { inputs: 1000, seconds: 2 };
}

/// An option of a game: a flag, or an option with a value.
#[derive(Debug, Clone, Copy)]
pub struct GameOption<'a> {
    /// The name on the command line, without `--`.
    pub name: &'a str,
    /// The value of the option; `None` for a flag.
    pub value: Option<OptionValue<'a>>,
    /// What the option does, in one line.
    pub help: &'a str,
    /// What the option is for.
    pub role: Role,
}

/// The value of an option.
#[derive(Debug, Clone, Copy)]
pub struct OptionValue<'a> {
    /// The placeholder for the value in the help.
    pub placeholder: &'a str,
    /// A valid value.
    pub example: &'a str,
}

/// The kind of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// It changes how inputs are answered.
    Setting,
    /// It asks a question, and no input is read.
    Question,
    /// It is a flag that asks something else about an input of one case.
    View,
}
