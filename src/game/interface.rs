//! The trait that every game with exact answers implements.

use std::fmt::{Debug, Display};
use std::io::{Read, Write as _};
use std::iter;
use std::str::FromStr;
use std::time::Duration;

#[cfg(feature = "json")]
use super::Description;
use super::located::Located;
use super::{Error, Judging, Load, OptionValue, Profile, Reply, ReplyError, Run, Verdict};
use crate::explain::Explain;
use crate::input::{InputError, Lines};
use crate::table::TableError;

/// A game with exact answers.
pub trait Game: Send + Sync + Sized + 'static {
    /// What to write: the remedy in the error for an empty input.
    const FORMAT: &'static str;

    /// A position with everything that its value depends on. Its text is a judge's input with one case.
    type Case: Clone + PartialEq + Debug + Display + FromStr<Err = InputError> + Send + Sync;
    /// The value of a case. Its text is the judge's answer, unless the game has its own [`Game::write_answer`].
    type Value: Clone + PartialEq + Debug + Display + Send + Sync;
    /// Every move of a case with its value.
    type Advice: Explain<Case = Self::Case, Value = Self::Value> + Send;

    /// The description of the game.
    fn profile(&self) -> Profile<'_>;

    /// How the game describes itself for a page, if it was made with the kit.
    #[cfg(feature = "json")]
    fn description(&self) -> Option<&Description> {
        None
    }

    /// Opens every table now.
    fn ready(&self) -> Result<(), TableError>;

    /// Sets one of the profile's options. The error says what to write instead.
    fn set(&mut self, option: &str, _value: OptionValue<'_>) -> Result<(), String> {
        Err(self.profile().lacks("option", option))
    }

    /// Replies to one of the profile's questions, see [`Role::Question`](super::Role::Question).
    fn reply(&self, question: &str, _value: &str) -> Result<Box<dyn Reply>, ReplyError> {
        Err(ReplyError::Value(self.profile().lacks("question", question)))
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
        let located = Located::read_next::<Self>(&mut lines)?;
        let located = located.ok_or_else(|| InputError::malformed(1, "the input is empty", Self::FORMAT))?;
        lines.require_end("remove it")?;
        Ok(located.into_iter().map(|located| located.case).collect())
    }

    /// The cases of each of any number of concatenated inputs, read as they are asked for. After an error nothing
    /// follows.
    ///
    /// ```
    /// use tabletop::game::Game;
    /// use tabletop::jenga::Jenga;
    ///
    /// let two_towers = "2\nRGB\nGRG\n3\nRGR\n.RG\nG..\n";
    /// let mut heights = Vec::new();
    /// for input in Jenga::inputs(two_towers.as_bytes()) {
    ///     heights.extend(input?.iter().map(|tower| tower.levels().len()));
    /// }
    /// assert_eq!(heights, [2, 3]);
    /// # Ok::<(), tabletop::input::InputError>(())
    /// ```
    fn inputs<R: Read>(source: R) -> impl Iterator<Item = Result<Vec<Self::Case>, InputError>> {
        let mut lines = Some(Lines::new(source));
        iter::from_fn(move || {
            let input = Located::read_next::<Self>(lines.as_mut()?).transpose();
            if !matches!(input, Some(Ok(_))) {
                lines = None;
            }
            input.map(|input| input.map(|cases| cases.into_iter().map(|located| located.case).collect()))
        })
    }

    /// The case of an input that has exactly one.
    fn read_only(text: &str) -> Result<Self::Case, InputError> {
        let mut cases = Self::read_all(text.as_bytes())?;
        match (cases.pop(), cases.len()) {
            (Some(case), 0) => Ok(case),
            (_, others) => Err(InputError::malformed(1, format!("{others} cases more than one"), "write one case")),
        }
    }

    /// How much work it takes to answer and explain a case. A case that is expected to take longer than `patience` is
    /// refused.
    fn load(&self, _case: &Self::Case, _patience: Duration) -> Result<Load, Error> {
        Ok(Load::Lookup)
    }

    /// The value of a case. It is looked up, or searched if no table contains it.
    fn value(&self, case: &Self::Case) -> Result<Self::Value, Error>;

    /// Every move of a case with its value and the next position.
    fn advise(&self, case: &Self::Case) -> Result<Self::Advice, Error>;

    /// The value of a case, computed as `run` says. A game that only looks up ignores it.
    fn value_with(&self, case: &Self::Case, _run: &Run<'_>) -> Result<Self::Value, Error> {
        self.value(case)
    }

    /// The advice on a case, computed as `run` says.
    fn advise_with(&self, case: &Self::Case, _run: &Run<'_>) -> Result<Self::Advice, Error> {
        self.advise(case)
    }

    /// Replies to one of the profile's views of a case, see [`Role::View`](super::Role::View).
    fn view(&self, view: &str, _case: &Self::Case, _run: &Run<'_>) -> Result<Box<dyn Reply>, ReplyError> {
        Err(ReplyError::Value(self.profile().lacks("view", view)))
    }

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

    /// Judges an answer by the contest's comparison rule, or within the tolerance of `judging` if there is no contest.
    fn accepts(value: &Self::Value, answer: &str, judging: &Judging) -> Verdict;
}
