//! The tester's view of a game.

use std::ops::RangeInclusive;
use std::time::Duration;

use tabletop::input::InputError;

use crate::failure::Failure;
use crate::plan::{Recipe, Shape};
use crate::verdict::Judgement;

/// Everything the tester needs from a game: it draws inputs, judges outputs and makes inputs smaller.
pub trait Subject: Sync {
    /// An input.
    type Input: Clone + PartialEq + Send + Sync;

    /// The name of the game.
    fn name(&self) -> &'static str;

    /// Opens every table that answers need.
    fn ready(&self) -> Result<(), Failure>;

    /// The default number of inputs and time limit.
    fn defaults(&self) -> Defaults;

    /// The sizes that can be requested, with their limits.
    fn sizes(&self) -> Vec<(&'static str, RangeInclusive<u32>)>;

    /// Draws an input. The same recipe and shape give the same input on every machine.
    fn draw(&self, recipe: Recipe, shape: &Shape) -> Result<Self::Input, Failure>;

    /// The input in the contest's format.
    fn text(&self, input: &Self::Input) -> Vec<u8>;

    /// Parses an input in the contest's format.
    fn read(&self, text: &[u8]) -> Result<Self::Input, InputError>;

    /// A short description of an input.
    fn describe(&self, input: &Self::Input) -> String;

    /// The answer as the query prints it.
    fn answer(&self, input: &Self::Input) -> Result<Vec<u8>, Failure>;

    /// Judges the output of a command that exited with code 0 after `time`.
    fn judge(&self, input: &Self::Input, output: &[u8], time: Duration) -> Result<Judgement, Failure>;

    /// Valid inputs that are a little smaller, the smallest first. `case` is the wrongly answered case, from 0.
    fn smaller(&self, input: &Self::Input, case: Option<usize>) -> Vec<Self::Input>;
}

/// The defaults of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Defaults {
    /// The number of inputs.
    pub inputs: u64,
    /// The time limit of a run.
    pub time: Duration,
}
