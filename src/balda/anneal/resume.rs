//! Annealing in parts: between two parts the work can be stopped, stored and continued.

use super::annealer::{Annealer, Tuning, random_board};
use super::random::Random;
use super::{Annealed, OtherAlphabet, WarmBoard, strongest};
use crate::balda::cells::WideSet;
use crate::balda::clock::Clock;
use crate::balda::gaddag::Gaddag;
use crate::balda::rules::Start;

/// The temperatures of a part, in letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperatures {
    /// At the beginning.
    pub hot: f64,
    /// At the end.
    pub cold: f64,
}

impl Default for Temperatures {
    /// Those of a game on a small board.
    fn default() -> Temperatures {
        let Tuning { hot, cold, .. } = Tuning::default();
        Temperatures { hot, cold }
    }
}

impl Temperatures {
    /// The same temperatures, higher for longer words.
    pub fn heated(self, gaddag: &Gaddag) -> Temperatures {
        let Tuning { hot, cold, .. } = self.tuning().heated(gaddag);
        Temperatures { hot, cold }
    }

    fn tuning(self) -> Tuning {
        Tuning { hot: self.hot, cold: self.cold, ..Tuning::default() }
    }
}

/// A board between two parts: everything that the next part depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumable {
    /// The board.
    pub board: WarmBoard,
    /// The state of the random number generator; never 0.
    pub random: u64,
}

impl Resumable {
    /// The best board for this start word that can be made of halves of the parents. It has random letters if there are no
    /// parents, or if they are too weak. `None` if the start word is not of the dictionary's alphabet.
    pub fn begin(gaddag: &Gaddag, start: &Start, seed: u64, parents: &[WarmBoard]) -> Option<Resumable> {
        OtherAlphabet::check(gaddag, start).ok()?;
        let mut random = Random::new(seed);
        let best = with_cell_set!(start.side(), Set => strongest::<Set>(gaddag, start, parents, 1, Clock::default()));
        let board = best.into_iter().next().unwrap_or_else(|| random_board(gaddag, start, &mut random));
        Some(Resumable { board, random: random.0 })
    }

    /// A board with a new random number generator.
    pub fn seeded(board: WarmBoard, seed: u64) -> Resumable {
        Resumable { board, random: Random::new(seed).0 }
    }

    /// Anneals the board with this start word. `progress` returns the fraction of the budget that is spent after a number
    /// of proposals, or `None` at the end. Returns the board at the end, and the best game, whose board is not yet
    /// annealed as far as a game's would be. Equal boards give equal results.
    ///
    /// `None` if the board does not fit, or if the start word is not of the dictionary's alphabet.
    pub fn anneal(
        &self,
        gaddag: &Gaddag,
        start: &Start,
        temperatures: Temperatures,
        progress: &dyn Fn(u64) -> Option<f64>,
    ) -> Option<(Resumable, Annealed)> {
        OtherAlphabet::check(gaddag, start).ok()?;
        if !self.board.fits(start.side(), gaddag.alphabet().len()) {
            return None;
        }
        let (board, random) = (self.board.clone().with_start(start), Random(self.random.max(1)));
        Some(with_cell_set!(start.side(), Set => {
            let mut annealer = Annealer::<Set>::from_board(gaddag, board, random, temperatures.tuning());
            annealer.anneal(progress);
            let end = Resumable { board: annealer.current_board(), random: annealer.random.0 };
            (end, annealer.finish(start, Clock::default()))
        }))
    }
}
