//! A game as a tester sees it.

use std::ops::RangeInclusive;
use std::time::Duration;

use tabletop::input::InputError;

use crate::failure::Failure;
use crate::plan::{Recipe, Shape};
use crate::verdict::Judgement;

/// What a command is tested with: inputs, their judge, and smaller inputs.
pub trait Subject: Sync {
    /// An input.
    type Input: Clone + PartialEq + Send + Sync;

    /// The name of the game.
    fn name(&self) -> &'static str;

    /// Opens every table that answers need.
    fn ready(&self) -> Result<(), Failure>;

    /// How many inputs are fed and how long each may take, if nobody says otherwise.
    fn defaults(&self) -> Defaults;

    /// The sizes that can be asked for.
    fn sizes(&self) -> Vec<(&'static str, RangeInclusive<u32>)>;

    /// Draws an input. The same recipe and shape give the same input on every machine.
    fn draw(&self, recipe: Recipe, shape: &Shape) -> Result<Self::Input, Failure>;

    /// The input as the contest writes it.
    fn text(&self, input: &Self::Input) -> Vec<u8>;

    /// Reads an input.
    fn read(&self, text: &[u8]) -> Result<Self::Input, InputError>;

    /// What the input is, in a few words.
    fn describe(&self, input: &Self::Input) -> String;

    /// The answer as the query prints it.
    fn answer(&self, input: &Self::Input) -> Result<Vec<u8>, Failure>;

    /// Judges what a command printed after this time, with exit code 0.
    fn judge(&self, input: &Self::Input, output: &[u8], time: Duration) -> Result<Judgement, Failure>;

    /// Valid inputs that are a little simpler, the simplest first. `case` is the one that was answered wrongly, from 0.
    fn smaller(&self, input: &Self::Input, case: Option<usize>) -> Vec<Self::Input>;
}

/// What holds if nobody says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Defaults {
    /// How many inputs are fed.
    pub inputs: u64,
    /// How long a run may take.
    pub time: Duration,
}
