//! Solves small boards with a bound per set and hint, which is nearly always the value itself.
//!
//! The bound lets the team decide after every hit whether to guess again with the same hint. That can only help. It
//! follows from the sets with one card less, without enumerating subsets:
//!
//! ```text
//! bound(set, hint) = the mean, over the unrevealed words x of the hint, of
//!                      max(waiting win at set - x, bound(set - x, hint))   if x is own
//!                      waiting win at set - x                              if it is another card
//!                      0                                                   if it is an assassin
//! ```
//!
//! The bounds of a set form a row, and vector instructions compute several hints of a row at once. Only one or two
//! hints per set have a bound that reaches the best value so far, and need the closed form. This takes memory for a row
//! per set and team, so it is not for large boards.

use super::SolveError;
use super::blocks::WaitingWins;
use super::live::{LiveBoard, LiveSet};
use super::memory::reserved;
use super::stop::Stop;
use super::turn::{Chances, Turn};
use crate::codenames::rules::Team;

/// Number of hints in one vector.
const LANES: usize = 8;
type Lanes = [f32; LANES];

/// The rounding error of a bound is below this. A bound is a mean of at most 25 numbers up to 1, which adds an error
/// below 28 times 2^-24 in single precision, and bounds depend on each other at most 25 deep.
const ROUNDING: f32 = 5e-5;

/// Sets between two checks of the clock.
const SETS_PER_CHECK: u32 = 256;

/// Bytes of the rows of a board with `width` live cards and `hints` usable hints; `None` if the number overflows.
pub fn bytes(width: usize, hints: usize) -> Option<u64> {
    let row = (2 * hints.div_ceil(LANES) * size_of::<Lanes>()) as u64;
    row.checked_mul(1_u64.checked_shl(width as u32)?)
}

fn groups(board: &LiveBoard) -> usize {
    board.hints.len().div_ceil(LANES)
}

/// Solves a board, in rising order of its sets.
pub fn solve(board: &LiveBoard, chances: &Chances, stop: Stop) -> Result<SetWins, SolveError> {
    let sets = 1_u32 << board.width();
    let mut solved = SetWins { wins: reserved(sets as usize)? };
    let mut rows = Rows::new(board, chances)?;
    for set in (0..sets).map(LiveSet) {
        if set.0 % SETS_PER_CHECK == 0 {
            stop.check()?;
        }
        let wins = rows.waiting_wins(&solved, set);
        solved.wins.push(wins);
    }
    Ok(solved)
}

/// The waiting wins of both teams for every set.
#[derive(Debug)]
pub struct SetWins {
    wins: Vec<[f64; 2]>,
}

impl WaitingWins for SetWins {
    #[inline(always)]
    fn waiting_win(&self, set: LiveSet, team: Team) -> f64 {
        self.wins[set.index()][team as usize]
    }
}

struct Rows<'a> {
    board: &'a LiveBoard,
    chances: &'a Chances,
    /// A row per card: 1 for a hint that mentions the card, else 0.
    mentions: Vec<Vec<Lanes>>,
    /// The assassins of each hint.
    assassins: Vec<Lanes>,
    /// For the current set, 1 over the number of unrevealed words of each hint, or 0 if it has none.
    shares: Vec<Lanes>,
    /// The bounds: a row per set and team, up to the current set.
    bounds: Vec<Lanes>,
}

impl<'a> Rows<'a> {
    fn new(board: &'a LiveBoard, chances: &'a Chances) -> Result<Rows<'a>, SolveError> {
        let row = |number: &dyn Fn(usize) -> f32| -> Vec<Lanes> {
            let number = |hint| if hint < board.hints.len() { number(hint) } else { 0.0 };
            (0..groups(board)).map(|group| std::array::from_fn(|lane| number(group * LANES + lane))).collect()
        };
        let mentions = |card: usize| row(&|hint| (board.hints[hint].words.0 >> card & 1) as f32);
        let bounds = reserved((2 * groups(board)) << board.width())?;
        Ok(Rows {
            board,
            chances,
            mentions: (0..board.width()).map(mentions).collect(),
            assassins: row(&|hint| board.hints[hint].assassins as f32),
            shares: row(&|_| 0.0),
            bounds,
        })
    }

    /// The waiting wins of a set; those of all smaller sets must be solved.
    fn waiting_wins(&mut self, solved: &SetWins, set: LiveSet) -> [f64; 2] {
        self.bounds.resize(self.row_start(set, Team::Red) + 2 * self.shares.len(), [0.0; LANES]);
        if let Some(wins) = self.board.final_wins(set) {
            return wins;
        }
        self.compute_shares(set);
        let [red, blue] = Team::BOTH.map(|team| {
            self.compute_bounds(solved, set, team);
            self.best(solved, set, team)
        });
        [1.0 - blue, 1.0 - red]
    }

    fn compute_shares(&mut self, set: LiveSet) {
        self.shares.copy_from_slice(&self.assassins);
        for card in set.cards() {
            add_misses(&mut self.shares, &self.mentions[card.lowest()], 1.0);
        }
        for share in self.shares.as_flattened_mut() {
            *share = if *share > 0.0 { 1.0 / *share } else { 0.0 };
        }
    }

    fn row_start(&self, set: LiveSet, team: Team) -> usize {
        (set.index() * 2 + team as usize) * self.shares.len()
    }

    /// Computes the row of a set and a team.
    fn compute_bounds(&mut self, solved: &SetWins, set: LiveSet, team: Team) {
        let start = self.row_start(set, team);
        for card in set.cards() {
            let left = set.minus(card);
            let win = solved.waiting_win(left, team) as f32;
            let mentions = &self.mentions[card.lowest()];
            let own = self.board.is_own(team, card);
            let left_start = self.row_start(left, team);
            let (below, row) = self.bounds.split_at_mut(start);
            if own {
                add_hits(row, mentions, win, &below[left_start..]);
            } else {
                add_misses(row, mentions, win);
            }
        }
        for (bounds, shares) in self.bounds[start..].iter_mut().zip(&self.shares) {
            *bounds = std::array::from_fn(|lane| bounds[lane] * shares[lane]);
        }
    }

    /// The value of the best hint: computes the hint with the highest bound, then all hints whose bound could beat it.
    fn best(&self, solved: &SetWins, set: LiveSet, team: Team) -> f64 {
        let start = self.row_start(set, team);
        let row = &self.bounds[start..start + self.shares.len()].as_flattened()[..self.board.hints.len()];
        let value = |hint: usize| Turn::new(self.board, set, team, self.board.hints[hint]).best(solved, self.chances);
        let highest = row.iter().fold(0.0, |highest, &bound| if bound > highest { bound } else { highest });
        let Some(first) = row.iter().position(|&bound| bound == highest) else { return 0.0 };
        let mut best = value(first);
        let mut cutoff = cutoff_bound(best);
        for (hint, &bound) in row.iter().enumerate() {
            if bound > cutoff && hint != first {
                best = best.max(value(hint));
                cutoff = cutoff_bound(best);
            }
        }
        best
    }
}

/// A hint with at most this bound cannot beat `best`.
fn cutoff_bound(best: f64) -> f32 {
    if best >= 1.0 { f32::INFINITY } else { f32::max(best as f32 - ROUNDING, 0.0) }
}

#[inline(always)]
fn add_misses(row: &mut [Lanes], mentions: &[Lanes], win: f32) {
    for (sums, mentions) in row.iter_mut().zip(mentions) {
        *sums = std::array::from_fn(|lane| sums[lane] + mentions[lane] * win);
    }
}

#[inline(always)]
fn add_hits(row: &mut [Lanes], mentions: &[Lanes], win: f32, bounds: &[Lanes]) {
    for ((sums, mentions), bounds) in row.iter_mut().zip(mentions).zip(bounds) {
        let larger: Lanes = bounds.map(|bound| if bound > win { bound } else { win });
        *sums = std::array::from_fn(|lane| sums[lane] + mentions[lane] * larger[lane]);
    }
}
