//! The interface of every game. The command line, the tester, the web page and Rust programs all use it.
//!
//! A game is a type that implements [`Game`]. It reads cases from a judge's text and writes them back. It answers a
//! case with a value, and advises on it: every move, its value and the next position. [`PROFILES`] lists the
//! descriptions of all games, and [`visit_all`] runs generic code for every game.
//!
//! ```
//! use tabletop::game::Game;
//! use tabletop::jenga::Jenga;
//! use tabletop::table::Places;
//!
//! let jenga = Jenga::open(&Places::only("tables"))?;
//! let tower = "2\nRGB\nGRG\n".parse()?;
//! let advice = jenga.advise(&tower)?;
//! println!("{}", tabletop::explain::Explain::to_text(&advice, Default::default()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::{self, Debug, Display};
use std::io::{Read, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::balda;
use crate::codenames::Codenames;
use crate::dice::Dice;
use crate::explain::Explain;
use crate::hopchess::Hopchess;
use crate::input::{InputError, Lines};
use crate::jenga::Jenga;
use crate::table::{Places, Spec, TableError};

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

/// The reply to a question, see [`Role::Question`].
pub trait Reply {
    /// The reply as text for people.
    fn to_text(&self) -> String;

    /// The reply as a JSON object.
    #[cfg(feature = "json")]
    fn to_json(&self) -> Vec<u8>;
}

/// Why a question has no reply.
#[derive(Debug)]
pub enum ReplyError {
    /// The value of the option is wrong; the text says what to write instead.
    Value(String),
    /// The game cannot answer.
    Game(Error),
}

/// A game with exact answers.
pub trait Game: Send + Sync + Sized + 'static {
    /// The description of the game.
    const PROFILE: Profile;
    /// The maximum number of cases in one input. If it is more than 1, every input begins with its number of cases.
    const MAX_CASES: u32 = 1;

    /// The maximum number of cases in one input of the contest.
    const CONTEST_CASES: u32 = 1;
    /// The sizes that [`Game::sized`] accepts.
    const SIZES: &'static [Size] = &[];

    /// A position with everything that its value depends on. Its text is a judge's input with one case.
    type Case: Clone + PartialEq + Debug + Display + FromStr<Err = InputError> + Send + Sync;
    /// The value of a case. Its text is the judge's answer.
    type Value: Clone + PartialEq + Debug + Display + Send + Sync;
    /// Every move of a case with its value.
    type Advice: Explain<Case = Self::Case, Value = Self::Value> + Send;

    /// The game with the tables in these places. Each table is opened when a case first needs it.
    fn at(places: &Places) -> Self;

    /// Opens every table now.
    fn ready(&self) -> Result<(), TableError>;

    /// The game with every table open.
    fn open(places: &Places) -> Result<Self, TableError> {
        let game = Self::at(places);
        game.ready()?;
        Ok(game)
    }

    /// Sets one of the profile's options. The error says what to write instead.
    fn set(&mut self, option: &str, _value: Option<&str>) -> Result<(), String> {
        Err(format!("{} has no option '{option}'", Self::PROFILE.name))
    }

    /// Replies to one of the profile's questions, see [`Role::Question`].
    fn reply(&self, question: &str, _value: &str) -> Result<Box<dyn Reply>, ReplyError> {
        Err(ReplyError::Value(format!("{} has no question '{question}'", Self::PROFILE.name)))
    }

    /// Starts the next input and returns its number of cases, or `None` if no input follows.
    fn read_count(lines: &mut Lines<impl Read>) -> Result<Option<u32>, InputError> {
        Ok((!lines.is_at_end()?).then_some(1))
    }

    /// Reads the next case of an input.
    fn read(lines: &mut Lines<impl Read>) -> Result<Self::Case, InputError>;

    /// Writes cases as judge inputs: one input for all cases if the game allows that, otherwise one per case.
    fn write(cases: &[Self::Case]) -> String {
        cases.iter().map(Self::Case::to_string).collect()
    }

    /// The cases of a whole input.
    fn read_all(text: &[u8]) -> Result<Vec<Self::Case>, InputError> {
        let mut lines = Lines::new(text);
        let count = Self::read_count(&mut lines)?;
        let count = count.ok_or_else(|| InputError::malformed(1, "the input is empty", Self::PROFILE.format))?;
        let cases = (0..count).map(|_| Self::read(&mut lines)).collect::<Result<_, _>>()?;
        lines.require_end("remove it")?;
        Ok(cases)
    }

    /// The case of an input that has exactly one.
    fn read_only(text: &str) -> Result<Self::Case, InputError> {
        let mut cases = Self::read_all(text.as_bytes())?;
        match (cases.pop(), cases.len()) {
            (Some(case), 0) => Ok(case),
            (_, others) => Err(InputError::malformed(1, format!("{others} cases more than one"), "write one case")),
        }
    }

    /// Whether a case is answered and explained within about ten milliseconds. A server answers these cases at once and
    /// queues the others.
    fn is_quick(&self, _case: &Self::Case) -> bool {
        true
    }

    /// The value of a case. It is looked up, or searched if no table contains it.
    fn value(&self, case: &Self::Case) -> Result<Self::Value, Error>;

    /// Every move of a case with its value and the next position.
    fn advise(&self, case: &Self::Case) -> Result<Self::Advice, Error>;

    /// Appends the judge's answer for a value, without a line feed.
    fn write_answer(&self, value: &Self::Value, out: &mut Vec<u8>) {
        write!(out, "{value}").expect("writing to a vector cannot fail");
    }

    /// The judge's answer for a value.
    fn answer(&self, value: &Self::Value) -> String {
        let mut out = Vec::new();
        self.write_answer(value, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// A note for the user on how the case was interpreted, if there is one.
    fn remark(&self, _case: &Self::Case) -> Option<String> {
        None
    }

    /// Sets the observer of long computations. Fast ones do not report progress.
    fn watch(&mut self, _watch: Watch) {}

    /// A valid case within the contest's limits. The same seed gives the same case on every machine.
    fn sample(kind: Kind, seed: u64) -> Self::Case;

    /// A valid case within the contest's limits that programs often answer wrongly.
    fn edge(seed: u64) -> Self::Case {
        Self::sample(Kind::Ordinary, seed)
    }

    /// A valid case of these sizes, in the order of [`Game::SIZES`]. A size that is `None` is chosen within the
    /// contest's limits. The error says what to ask for instead.
    fn sized(_sizes: &[Option<u32>], _seed: u64) -> Result<Self::Case, String> {
        Err(format!("{} has no sizes to ask for, leave them out", Self::PROFILE.name))
    }

    /// The sizes of a case, in the order of [`Game::SIZES`].
    fn sizes(_case: &Self::Case) -> Vec<u32> {
        Vec::new()
    }

    /// Valid cases that are a little simpler, the simplest first: with fewer parts, or with smaller numbers. Repeating
    /// this always ends, because no case can be reached from itself.
    fn smaller(_case: &Self::Case) -> Vec<Self::Case> {
        Vec::new()
    }

    /// Like [`Game::write`], but with a random order wherever the contest allows any order.
    fn write_shuffled(cases: &[Self::Case], _seed: u64) -> String {
        Self::write(cases)
    }

    /// Judges an answer by the contest's comparison rule.
    fn accepts(value: &Self::Value, answer: &str) -> Verdict;
}

/// A size of a case that [`Game::sized`] accepts.
#[derive(Debug)]
pub struct Size {
    /// The name, such as `levels`.
    pub name: &'static str,
    /// The accepted values. They may exceed the contest's limits.
    pub limits: RangeInclusive<u32>,
}

/// How hard a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As small as the contest allows, so that a person can check it by hand.
    Tiny,
    /// Of any size that the contest allows.
    Ordinary,
    /// As large as the contest allows.
    Worst,
}

impl Kind {
    /// Every kind, the easiest first.
    pub const ALL: [Kind; 3] = [Kind::Tiny, Kind::Ordinary, Kind::Worst];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Tiny => "tiny",
            Kind::Ordinary => "ordinary",
            Kind::Worst => "worst",
        }
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The judgement of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The answer is right.
    Accepted,
    /// The exact value lies halfway between two roundings, and the answer is the one that this library does not print.
    Tie,
    /// The answer has the right form and the wrong value.
    Wrong,
    /// The answer does not have the form that the contest requires. The text says what is wrong.
    Malformed(String),
}

/// The progress of a long computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Finished steps.
    pub done: u64,
    /// All steps.
    pub total: u64,
}

/// An observer of a long computation.
pub type Watch = Box<dyn Fn(Progress) + Send + Sync>;

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

/// Generic code that runs for a game.
pub trait Visitor {
    /// The result for one game.
    type Output;

    /// Runs for the game `G`.
    fn visit<G: Game>(&mut self) -> Self::Output;
}

/// Defines the list of games with exact answers. All code that handles every game uses this list.
macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The profiles of all games, Balda included, in listing order.
        pub const PROFILES: &[&Profile] = &[$(&<$game as Game>::PROFILE,)+ &balda::PROFILE];

        /// Visits every game with exact answers, in listing order.
        pub fn visit_all<V: Visitor>(visitor: &mut V) -> Vec<V::Output> {
            vec![$(visitor.visit::<$game>()),+]
        }

        /// Visits the game with this name, if it is in the list.
        pub fn visit_named<V: Visitor>(name: &str, visitor: &mut V) -> Option<V::Output> {
            $(if name == <$game as Game>::PROFILE.name {
                return Some(visitor.visit::<$game>());
            })+
            None
        }
    };
}

games![Dice, Jenga, Hopchess, Codenames];

/// Every table that a game of this library uses, in listing order.
pub fn tables() -> impl Iterator<Item = &'static Spec> {
    PROFILES.iter().flat_map(|profile| profile.tables.iter().copied())
}

/// Judges a decimal number that may differ from `value` by at most `tolerance`.
pub(crate) fn accepts_within(value: f64, answer: &str, tolerance: f64) -> Verdict {
    let is_plain = answer.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    match answer.parse::<f64>() {
        Ok(found) if is_plain && found.is_finite() => {
            if (found - value).abs() <= tolerance {
                Verdict::Accepted
            } else {
                Verdict::Wrong
            }
        }
        _ => Verdict::Malformed(String::from("a decimal number is expected")),
    }
}
