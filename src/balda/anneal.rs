//! Simulated annealing over finished boards: their letters, and the order in which their cells are filled.
//!
//! A proposal changes the letter of a cell or its place in the order. It is accepted if the new total is at least the
//! current total minus a random loss. The mean of that loss is the temperature, which falls geometrically as the budget
//! is spent. The best board seen is the answer, so the search may end at any time.

/// Evaluates `$run` with `$set` as the smallest type of cell set that holds a board of the side.
macro_rules! with_cell_set {
    ($side:expr, $set:ident => $run:expr) => {
        match $side {
            ..=7 => {
                type $set = u64;
                $run
            }
            8..=11 => {
                type $set = u128;
                $run
            }
            _ => {
                type $set = WideSet;
                $run
            }
        }
    };
}

mod annealer;
mod random;
mod resume;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::annealer::{Annealer, PROPOSALS_PER_SECOND, Tuning, random_board};
use self::random::Random;
pub use self::resume::{Resumable, Temperatures};
use super::alphabet::Alphabet;
use super::cells::{CellSet, WideSet};
use super::clock::Clock;
use super::evaluate::{Evaluation, word_letters};
use super::gaddag::Gaddag;
use super::rules::{PlayedGame, Start};
use super::warm;
use crate::clock::Instant;

/// A strong finished board that a search can start from, of the same alphabet and side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarmBoard {
    /// Numbers of the letters row by row; the middle row is replaced by the start word.
    pub letters: Vec<u8>,
    /// The cells outside the middle row, numbered row by row, in the order in which they are filled.
    pub order: Vec<u8>,
}

impl WarmBoard {
    fn evaluate<'g, S: CellSet>(&self, gaddag: &'g Gaddag, clock: Clock<'_>) -> Evaluation<'g, S> {
        let order: Vec<usize> = self.order.iter().map(|&cell| usize::from(cell)).collect();
        Evaluation::new(gaddag, &self.letters, &order, clock)
    }

    /// Whether the board has this side, letters below `alphabet`, and fills each cell outside the middle row once.
    pub fn fits(&self, side: usize, alphabet: u8) -> bool {
        let mut is_filled = vec![false; side * side];
        let mut fill = |cell: usize| {
            let is_outside = cell < side * side && cell / side != side / 2;
            is_outside && !std::mem::replace(&mut is_filled[cell], true)
        };
        self.letters.len() == side * side
            && self.letters.iter().all(|&letter| letter < alphabet)
            && self.order.len() == side * side - side
            && self.order.iter().all(|&cell| fill(usize::from(cell)))
    }

    fn with_start(mut self, start: &Start) -> WarmBoard {
        let middle_row = &mut self.letters[start.side() / 2 * start.side()..];
        for (cell, letter) in middle_row.iter_mut().zip(start.iter()) {
            *cell = letter.number();
        }
        self
    }
}

/// The most warm boards that are evaluated: more than are stored for any side. 25 boards and their pairs take 20 ms.
const BOARDS_EVALUATED: usize = 64;

/// At most `count` boards to start from, the best first, with the start word in them: warm boards, or halves of two.
/// Boards that are too weak are left out. When the time is over, the best of those evaluated so far.
fn strongest<S: CellSet>(
    gaddag: &Gaddag,
    start: &Start,
    warm: &[WarmBoard],
    count: usize,
    clock: Clock<'_>,
) -> Vec<WarmBoard> {
    let side = start.side();
    let fitting = warm.iter().filter(|board| board.fits(side, gaddag.alphabet().len())).take(BOARDS_EVALUATED);
    let boards: Vec<WarmBoard> = fitting.map(|board| board.clone().with_start(start)).collect();
    let mut evaluated = 0;
    warm::strongest(side, &boards, gaddag.word_count(), count, &mut |board| {
        evaluated += 1;
        if evaluated > 1 && clock.is_over() {
            return None;
        }
        let evaluation = board.evaluate::<S>(gaddag, Clock::default());
        Some(evaluation.held().iter().map(|entry| word_letters(entry.length)).collect())
    })
}

/// Number of boards that are tried before a search from a warm board. The points of a stored board say little about the
/// games from it; its points after a short search say more. Games of contest length gained 0.4 to 1.2 % with 12 boards,
/// half as much with 6, and no more with 24.
const BOARDS_TRIED: usize = 12;

/// About the fraction of the proposals that all trials together take.
const TRIAL_SHARE: f64 = 0.2;

/// The most proposals for one trial. More did not improve the choice.
const TRIAL_PROPOSALS: f64 = 100_000.0;

/// Fraction of the time that the choice among the warm boards may take, including the trials. On a slow machine fewer
/// boards are tried.
const TIME_FOR_CHOICE: f64 = 0.25;

/// Number of proposals in a search without any limit.
const DEFAULT_PROPOSALS: u64 = 1_000_000;

/// Time reserved to write the game, as a multiple of the time that the first evaluation took.
const EVALUATIONS_TO_FINISH: u32 = 2;

/// Fraction of the budget, after the trials, by which a search from a warm board must have found a board without gaps. A
/// gap that is left then is hardly ever closed, and costs all words through it: the search starts again from random
/// letters.
const LATEST_GAP: f64 = 0.3;

/// Fraction of the budget after which it is too late to start again.
const LATEST_RESTART: f64 = 0.5;

/// A search for a good game from a start word. It ends at the first limit that it reaches; without a limit, after a
/// million proposals.
///
/// The same words, start word, number of proposals, seed and warm boards give the same game. The game is always legal.
#[derive(Clone, Copy, Debug)]
pub struct Annealing<'a> {
    gaddag: &'a Gaddag,
    start: &'a Start,
    proposals: Option<u64>,
    clock: Clock<'a>,
    seed: u64,
    warm: &'a [WarmBoard],
}

impl<'a> Annealing<'a> {
    /// A search with the indexed words; they must be of the start word's alphabet.
    pub fn new(gaddag: &'a Gaddag, start: &'a Start) -> Result<Annealing<'a>, OtherAlphabet> {
        OtherAlphabet::check(gaddag, start)?;
        Ok(Annealing { gaddag, start, proposals: None, clock: Clock::default(), seed: 0, warm: &[] })
    }

    /// Ends after this number of proposals; the same number gives the same game.
    pub fn proposals(self, proposals: u64) -> Annealing<'a> {
        Annealing { proposals: Some(proposals), ..self }
    }

    /// Ends at this time.
    pub fn deadline(self, deadline: Instant) -> Annealing<'a> {
        Annealing { clock: Clock { deadline: Some(deadline), ..self.clock }, ..self }
    }

    /// Ends when the flag is set.
    pub fn stop(self, stop: &'a AtomicBool) -> Annealing<'a> {
        Annealing { clock: Clock { stop: Some(stop), ..self.clock }, ..self }
    }

    /// Ends when this clock is over, or after this number of proposals.
    pub fn limits(self, clock: Clock<'a>, proposals: Option<u64>) -> Annealing<'a> {
        Annealing { clock, proposals, ..self }
    }

    /// The seed of the random numbers.
    pub fn seed(self, seed: u64) -> Annealing<'a> {
        Annealing { seed, ..self }
    }

    /// Starts from one of these boards, or from halves of two. The strongest are tried in short searches, and the one that
    /// does best is used. Boards that are too weak, or of another side or alphabet, are ignored.
    pub fn warm_boards(self, warm: &'a [WarmBoard]) -> Annealing<'a> {
        Annealing { warm, ..self }
    }

    /// Searches until a limit is reached.
    pub fn run(&self) -> Annealed {
        with_cell_set!(self.start.side(), Set => self.run_on::<Set>())
    }

    fn run_on<S: CellSet>(&self) -> Annealed {
        let began = Instant::now();
        let warm = self.start_warm::<S>();
        let is_warm = warm.is_some();
        let (mut annealer, mut done) = warm.unwrap_or_else(|| (self.start_cold(), 0));
        let clock = Clock { deadline: self.proposal_deadline(annealer.evaluation_time), ..self.clock };
        let is_limited = clock.deadline.is_some() || clock.stop.is_some();
        let proposals = self.proposals.or(if is_limited { None } else { Some(DEFAULT_PROPOSALS) });
        let elapsed = |done: u64| {
            if clock.is_over() {
                return 1.0;
            }
            // A given number of proposals alone sets the temperature, so that the clock cannot change the game.
            match (proposals, clock.deadline) {
                (Some(most), _) => done as f64 / most.max(1) as f64,
                (None, Some(deadline)) => began.elapsed().as_secs_f64() / (deadline - began).as_secs_f64(),
                (None, None) => 0.0,
            }
        };
        // Anneals until the fraction `end` of the budget is spent. The temperature falls from the fraction `begin` on.
        let anneal = |annealer: &mut Annealer<'a, S>, done: u64, begin: f64, end: f64| {
            done + annealer.anneal(&|more| {
                let elapsed = elapsed(done + more);
                (elapsed < end).then(|| (elapsed - begin) / (1.0 - begin))
            })
        };
        let mut begin = elapsed(done);
        if is_warm {
            done = anneal(&mut annealer, done, begin, begin + LATEST_GAP * (1.0 - begin));
            let spent = elapsed(done);
            if !annealer.is_best_full() && spent < LATEST_RESTART {
                (annealer, begin) = (self.start_cold(), spent);
            }
        }
        anneal(&mut annealer, done, begin, 1.0);
        annealer.finish(self.start, Clock { stop: None, ..self.clock })
    }

    /// A search from the warm board that does best in a short trial, and the number of proposals that all trials took.
    /// `None` if no warm board is strong enough.
    fn start_warm<S: CellSet>(&self) -> Option<(Annealer<'a, S>, u64)> {
        // With a number of proposals, only the deadline itself may end the choice: the clock must not change the game.
        let clock = if self.proposals.is_some() { self.clock } else { self.clock.part(TIME_FOR_CHOICE) };
        let expected = self.expected_proposals();
        let for_trials = expected * TRIAL_SHARE;
        let per_trial = (for_trials / BOARDS_TRIED as f64).min(TRIAL_PROPOSALS) as u64;
        let mut best: Option<Annealer<'a, S>> = None;
        let mut done = 0;
        for board in strongest::<S>(self.gaddag, self.start, self.warm, BOARDS_TRIED, clock) {
            if best.is_some() && (clock.is_over() || done as f64 >= for_trials) {
                break;
            }
            let random = Random::new(self.seed);
            let mut annealer = Annealer::from_board(self.gaddag, board, random, Tuning::of_trial());
            done +=
                annealer.anneal(&|made| (made < per_trial && !clock.is_over()).then(|| made as f64 / per_trial as f64));
            if best.as_ref().is_none_or(|best| annealer.best_rank() > best.best_rank()) {
                best = Some(annealer);
            }
        }
        let best = best?.with_tuning(self.tuning().warm(expected));
        Some((best, done))
    }

    fn start_cold<S: CellSet>(&self) -> Annealer<'a, S> {
        let mut random = Random::new(self.seed);
        let board = random_board(self.gaddag, self.start, &mut random);
        Annealer::from_board(self.gaddag, board, random, self.tuning())
    }

    fn tuning(&self) -> Tuning {
        Tuning::of_game(self.gaddag, self.start.side())
    }

    /// About how many proposals the search will make; infinite if only the stop flag can end it.
    fn expected_proposals(&self) -> f64 {
        match (self.proposals, self.clock.deadline) {
            (Some(most), _) => most as f64,
            (None, Some(deadline)) => {
                deadline.saturating_duration_since(Instant::now()).as_secs_f64() * PROPOSALS_PER_SECOND
            }
            (None, None) if self.clock.stop.is_none() => DEFAULT_PROPOSALS as f64,
            (None, None) => f64::INFINITY,
        }
    }

    /// When the proposals have to end, so that the game is written by the deadline.
    fn proposal_deadline(&self, evaluation: Duration) -> Option<Instant> {
        let deadline = self.clock.deadline?;
        Some(deadline.checked_sub(evaluation * EVALUATIONS_TO_FINISH).unwrap_or(deadline))
    }
}

/// The start word and the dictionary are of different alphabets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a start word in {} with a dictionary in {}, use one alphabet", .found.described(), .expected.described())]
pub struct OtherAlphabet {
    /// The alphabet of the dictionary.
    pub expected: Alphabet,
    /// The alphabet of the start word.
    pub found: Alphabet,
}

impl OtherAlphabet {
    fn check(gaddag: &Gaddag, start: &Start) -> Result<(), OtherAlphabet> {
        let (expected, found) = (gaddag.alphabet(), start[0].alphabet());
        if expected == found { Ok(()) } else { Err(OtherAlphabet { expected, found }) }
    }
}

/// A game and the board that it fills.
#[derive(Clone, Debug)]
pub struct Annealed {
    /// The best game found.
    pub game: PlayedGame,
    /// The finished board, for use as a warm start.
    pub board: WarmBoard,
}

#[cfg(test)]
mod tests;
