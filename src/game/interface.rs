//! The trait that every game with exact answers implements.

use std::fmt::{Debug, Display};
use std::io::{Read, Write as _};
use std::str::FromStr;

use super::located::Located;
use super::sample::check_sizes;
use super::{Error, Kind, Profile, Reply, ReplyError, Size, Verdict, Watch};
use crate::explain::Explain;
use crate::input::{InputError, Lines};
use crate::table::{Places, TableError};

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

    /// Replies to one of the profile's questions, see [`Role::Question`](super::Role::Question).
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
        let located = Located::read_all::<Self>(&mut Lines::new(text), "remove it")?;
        Ok(located.into_iter().map(|located| located.case).collect())
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
    fn sized(sizes: &[Option<u32>], seed: u64) -> Result<Self::Case, String> {
        check_sizes(Self::SIZES, sizes)?;
        Self::with_sizes(sizes, seed)
    }

    /// The case of [`Game::sized`] for sizes within the limits of [`Game::SIZES`]. The error names sizes that do not go
    /// together.
    fn with_sizes(_sizes: &[Option<u32>], _seed: u64) -> Result<Self::Case, String> {
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
