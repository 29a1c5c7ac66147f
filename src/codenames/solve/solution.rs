//! A solved board: the values of its positions and hints.

use std::fmt;

use super::blocks::WaitingWins;
use super::classes::ClassBoard;
use super::counts::{self, CountWins, Position};
use super::live::{LiveBoard, LiveSet};
use super::turn::{Chances, Turn};
use crate::codenames::rules::{Board, Team};

/// A solved board.
#[derive(Debug)]
pub struct Solution<'a> {
    board: &'a Board,
    values: Values<'a>,
}

/// The values of all positions.
#[derive(Debug)]
pub enum Values<'a> {
    /// The game is over.
    Over,
    Sets(SetValues<'a>),
    Counts(CountValues<'a>),
}

/// The values by set of unrevealed cards.
pub struct SetValues<'a> {
    pub live: &'a LiveBoard,
    pub wins: Box<dyn WaitingWins>,
    pub chances: Chances,
}

/// The values by number of unrevealed cards per class.
#[derive(Debug)]
pub struct CountValues<'a> {
    pub classes: &'a ClassBoard,
    pub wins: CountWins,
    pub chances: Chances,
}

impl fmt::Debug for SetValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetValues").field("live", self.live).finish_non_exhaustive()
    }
}

impl<'a> Solution<'a> {
    pub(super) fn new(board: &'a Board, values: Values<'a>) -> Solution<'a> {
        Solution { board, values }
    }

    /// The board that was solved.
    pub fn board(&self) -> &Board {
        self.board
    }

    /// The probability that `team` wins when the other team is to move, after `card` is revealed, if one is given.
    pub(crate) fn waiting_win(&self, card: Option<usize>, team: Team) -> f64 {
        match &self.values {
            Values::Over => {
                if self.board.winner() == Some(team) {
                    1.0
                } else {
                    0.0
                }
            }
            Values::Sets(sets) => sets.wins.waiting_win(sets.without(card), team),
            Values::Counts(counts) => counts.wins.waiting_win(counts.without(card).index(), team),
        }
    }

    /// The probabilities that `team` wins when it gives `hint` with the numbers 1, 2, … up to its number of unrevealed
    /// words, after `card` is revealed, if one is given. Empty if the game is over.
    // It contains the closed form for several sizes: a copy in every caller would make the program larger.
    #[inline(never)]
    pub(crate) fn values(&self, card: Option<usize>, team: Team, hint: usize) -> Vec<f64> {
        let hint = self.board.hints()[hint];
        match &self.values {
            Values::Over => Vec::new(),
            Values::Sets(sets) => {
                let hint = sets.live.hint(self.board, hint);
                Turn::new(sets.live, sets.without(card), team, hint).values(sets.live, &*sets.wins, &sets.chances)
            }
            Values::Counts(counts) => {
                let CountValues { classes, wins, chances } = counts;
                let hint = classes.hint(self.board, hint);
                counts::values(classes, wins, chances, &counts.without(card), team, &hint)
            }
        }
    }
}

impl SetValues<'_> {
    fn without(&self, card: Option<usize>) -> LiveSet {
        let root = self.live.root();
        card.map_or(root, |card| root.minus(self.live.single(card)))
    }
}

impl CountValues<'_> {
    fn without(&self, card: Option<usize>) -> Position {
        let root = Position::root(self.classes);
        let class = card.and_then(|card| self.classes.class_of(card));
        class.map_or(root.clone(), |class| root.without(self.classes, class))
    }
}
