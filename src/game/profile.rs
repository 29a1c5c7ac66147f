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
    /// Arguments that show what the game does; `None` if it answers the sample.
    pub demonstration: Option<&'a str>,
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

/// An option of a game.
#[derive(Debug, Clone, Copy)]
pub struct GameOption<'a> {
    /// The name on the command line, without `--`.
    pub name: &'a str,
    /// What follows the name.
    pub kind: OptionKind<'a>,
    /// What the option does, in one line.
    pub help: &'a str,
    /// What the option is for.
    pub role: Role,
}

/// What follows the name of an option.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum OptionKind<'a> {
    /// Nothing: the option is a flag.
    Flag,
    /// A whole number.
    Number {
        /// What stands for it in the help: its unit, or `N`.
        placeholder: &'a str,
        /// The smallest number.
        least: u64,
        /// The largest number.
        most: u64,
        /// A valid number.
        example: u64,
    },
    /// A text that the game reads.
    Text {
        /// What stands for it in the help.
        placeholder: &'a str,
        /// A valid text.
        example: &'a str,
    },
}

/// The value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValue<'a> {
    /// A flag is set.
    Set,
    /// A whole number of the option's range.
    Number(u64),
    /// A text.
    Text(&'a str),
}

impl OptionKind<'_> {
    /// What stands for the value in the help; `None` for a flag.
    pub fn placeholder(&self) -> Option<&str> {
        match self {
            OptionKind::Flag => None,
            OptionKind::Number { placeholder, .. } | OptionKind::Text { placeholder, .. } => Some(placeholder),
        }
    }

    /// A valid value as text.
    pub fn example(&self) -> String {
        match self {
            OptionKind::Flag => String::new(),
            OptionKind::Number { example, .. } => example.to_string(),
            OptionKind::Text { example, .. } => (*example).to_owned(),
        }
    }

    /// Reads a value. The error says what to write instead.
    pub fn read<'t>(&self, text: &'t str) -> Result<OptionValue<'t>, String> {
        match *self {
            OptionKind::Flag => Ok(OptionValue::Set),
            OptionKind::Text { .. } => Ok(OptionValue::Text(text)),
            OptionKind::Number { placeholder, least, most, .. } => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                number.map(OptionValue::Number).ok_or_else(|| {
                    let unit =
                        if placeholder == "N" { "" } else { &format!(" of {}", placeholder.to_ascii_lowercase()) };
                    match most {
                        u64::MAX => format!("write a whole number{unit}, {least} or more"),
                        _ => format!("write a whole number{unit} from {least} to {most}"),
                    }
                })
            }
        }
    }
}

/// The purpose of an option.
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
