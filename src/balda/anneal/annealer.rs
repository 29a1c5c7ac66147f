//! One run of simulated annealing on one board.

use std::time::Duration;

use super::random::Random;
use super::{Annealed, WarmBoard};
use crate::balda::cells::CellSet;
use crate::balda::clock::Clock;
use crate::balda::evaluate::{Entry, Evaluation, Speller, Worth};
use crate::balda::gaddag::{Gaddag, NeighbourLetters};
use crate::balda::rules::Start;
use crate::balda::search::Grid;
use crate::clock::Instant;
use crate::ranked::ranked;

/// The parameters of the search. The default is for small boards and for dictionaries of short words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    /// Temperature at the beginning, in letters. Above it boards are random. The quality of a game is decided below it,
    /// where groups of related words form.
    pub(super) hot: f64,
    /// Temperature at the end, in letters. Below it only letters of single cells still change.
    pub(super) cold: f64,
    /// Temperature at the beginning of a search of [`CONTEST_PROPOSALS`] from a warm board, in letters.
    pub(super) warm_hot: f64,
    /// Number of doublings of [`CONTEST_PROPOSALS`] after which a search from a warm board begins at `hot`. Nothing is
    /// left of the board there, but so long a search does better without it. Up to then the temperature rises by the
    /// same amount with each doubling.
    pub(super) warm_doublings: f64,
    /// Curvature of the worth of words at the beginning, in letters per letter squared; it falls to 0 at the end. Long
    /// related words make each other likely: while the board still changes, they are worth more than their letters.
    pub(super) curvature: f64,
    /// Share of the proposals that change a letter; the others change the fill order, which costs far less.
    pub(super) letter_share: f64,
    /// A new letter loses all words through its cell, and new words must make up for them. If they must gain no more
    /// than this, in letters, they are always searched for.
    pub(super) gain_limit: f64,
    /// Above the limit, the search is made with a probability that falls by a factor of e per `gain_limit_spread`
    /// letters. Few of these proposals are accepted (1 in 5 at 16 letters, 1 in 50 at 30, 1 in 2,000 at 55), and each
    /// search costs as much as any other.
    pub(super) gain_limit_spread: f64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            hot: 1.6,
            cold: 0.5,
            warm_hot: 1.2,
            warm_doublings: 5.0,
            curvature: 0.08,
            letter_share: 0.4,
            gain_limit: 17.0,
            gain_limit_spread: 6.0,
        }
    }
}

impl Tuning {
    /// The parameters for this dictionary and a board of this side.
    pub(super) fn of_game(gaddag: &Gaddag, side: usize) -> Tuning {
        if side < LARGE_SIDE { Tuning::default() } else { Tuning::default().heated(gaddag) }
    }

    /// The same parameters with the temperatures that suit the words.
    pub(super) fn heated(self, gaddag: &Gaddag) -> Tuning {
        let factor = heat_of_words(gaddag);
        Tuning { hot: self.hot * factor, cold: self.cold * factor, ..self }
    }

    /// The parameters for the trial of a warm board. The temperature is low: details improve, and groups of words stay
    /// together.
    pub(super) fn of_trial() -> Tuning {
        Tuning { hot: 0.8, curvature: 0.0, ..Tuning::default() }
    }

    /// The parameters for a search from a warm board that makes about this number of proposals. It ends at the default
    /// temperature: its groups of words exist already, and only details change.
    pub(super) fn warm(self, proposals: f64) -> Tuning {
        let doublings = libm::log2(proposals / CONTEST_PROPOSALS).clamp(0.0, self.warm_doublings);
        let rise = (self.hot - self.warm_hot) * doublings / self.warm_doublings;
        Tuning { hot: self.warm_hot + rise, cold: Tuning::default().cold, ..self }
    }
}

/// The side from which the temperatures depend on the words. On boards of side 7 more heat gained nothing certain.
const LARGE_SIDE: usize = 9;

/// How much hotter than the default a search on a large board must be for these words.
///
/// A group of long words is worth more than a group of short ones, so it stays together at a higher temperature. If a
/// search begins below that temperature, it keeps the first groups that form, good or bad. The best factors measured were
/// 1.5 for English (8.5 letters a word), 1.4 for Russian (8.0, the formula gives 1.36), and 1 for Turkish (6.8).
pub(super) fn heat_of_words(gaddag: &Gaddag) -> f64 {
    (1.0 + 0.3 * (gaddag.mean_length() - 6.8)).clamp(1.0, 1.5)
}

/// About how many proposals one core makes per second.
pub(super) const PROPOSALS_PER_SECOND: f64 = 1e6;

/// About how many proposals one core makes within the contest's 3 seconds.
pub(super) const CONTEST_PROPOSALS: f64 = 3.0 * PROPOSALS_PER_SECOND;

/// Proposals between two checks of the clock; each check also sets the temperature and the worth of words.
const PROPOSALS_PER_CHECK: u64 = 256;

/// The clock is also checked after this number of words found. Real words never reach it, but with an artificial
/// dictionary one proposal may find thousands, and the deadline would pass unnoticed.
const WORDS_PER_CHECK: usize = 1 << 15;

/// Cells further apart than this, in rows or columns, share few words, so their order hardly matters.
const NEARBY: usize = 2;

/// A board that is annealed, and the best board so far.
pub(super) struct Annealer<'g, S> {
    gaddag: &'g Gaddag,
    side: usize,
    /// The cells that share an edge with each cell.
    around: Vec<[u8; 4]>,
    tuning: Tuning,
    pub(super) random: Random,
    state: Evaluation<'g, S>,
    /// How long it took to evaluate the first board.
    pub(super) evaluation_time: Duration,
    best: WarmBoard,
    best_held: Vec<Entry<S>>,
    /// Letters of the best board's words.
    best_letters: i32,
    /// Whether every cell of the best board has a word.
    is_best_full: bool,
}

impl<'g, S: CellSet> Annealer<'g, S> {
    pub(super) fn from_board(gaddag: &'g Gaddag, board: WarmBoard, random: Random, tuning: Tuning) -> Self {
        let side = board.letters.len().isqrt();
        let began = Instant::now();
        let state = board.evaluate(gaddag, Clock::default());
        let mut annealer = Annealer {
            gaddag,
            side,
            around: (0..side * side).map(|cell| cells_around(side, cell)).collect(),
            tuning,
            random,
            state,
            evaluation_time: began.elapsed(),
            best: board,
            best_held: Vec::new(),
            best_letters: i32::MIN,
            is_best_full: false,
        };
        annealer.remember_best();
        annealer
    }

    /// Makes proposals until `progress` returns `None`, and returns their number. Given the number of proposals made,
    /// `progress` returns the fraction of the budget that is spent. It is a `dyn Fn`, so that all callers share one copy of
    /// this function and the program stays small. It is called once in 256 proposals, so this costs no time.
    pub(super) fn anneal(&mut self, progress: &dyn Fn(u64) -> Option<f64>) -> u64 {
        let mut done = 0;
        while self.gaddag.word_count() > 0
            && let Some(elapsed) = progress(done)
        {
            let temperature = self.tuning.hot * libm::pow(self.tuning.cold / self.tuning.hot, elapsed);
            self.state.set_worth(Worth::new(self.tuning.curvature * (1.0 - elapsed)));
            let enough_words = self.state.words_found() + WORDS_PER_CHECK;
            let enough_proposals = done + PROPOSALS_PER_CHECK;
            while done < enough_proposals && self.state.words_found() < enough_words {
                self.propose(temperature);
                done += 1;
            }
        }
        done
    }

    /// Whether every cell of the best board has a word.
    pub(super) fn is_best_full(&self) -> bool {
        self.is_best_full
    }

    /// Orders the best boards of searches, the better the higher: a board without gaps is better than one with gaps.
    pub(super) fn best_rank(&self) -> (bool, i32) {
        (self.is_best_full, self.best_letters)
    }

    /// The same search with other parameters from now on.
    pub(super) fn with_tuning(self, tuning: Tuning) -> Self {
        Annealer { tuning, ..self }
    }

    /// The current board.
    pub(super) fn current_board(&self) -> WarmBoard {
        WarmBoard {
            letters: self.state.letters().to_vec(),
            order: self.state.order().iter().map(|&cell| cell as u8).collect(),
        }
    }

    /// Writes the best game. If a cell has no word, it stays empty and the words through it must be replaced, so the
    /// board is evaluated again, as far as the time allows.
    pub(super) fn finish(self, start: &Start, clock: Clock<'_>) -> Annealed {
        let game = if self.is_best_full {
            let mut grid = Grid::new(self.side);
            for (cell, &letter) in self.best.letters.iter().enumerate() {
                grid.squares[grid.square(cell)].letter_bit = 1 << letter;
            }
            let speller = Speller { gaddag: self.gaddag, start, letters: &self.best.letters, grid: &grid };
            speller.game(self.best.order.iter().map(|&cell| usize::from(cell)), &self.best_held)
        } else {
            let mut finished = self.best.evaluate(self.gaddag, clock);
            finished.hold(&self.best_held);
            finished.into_game(start)
        };
        Annealed { game, board: self.best }
    }

    fn propose(&mut self, temperature: f64) {
        let changes_letter = self.random.unit() < self.tuning.letter_share;
        let accepted = if changes_letter { self.propose_letter(temperature) } else { self.propose_turn(temperature) };
        if accepted {
            self.remember_best();
        }
    }

    /// The Metropolis rule with the random number drawn first: the smallest total that is accepted.
    fn min_total(&mut self, temperature: f64) -> i32 {
        self.state.total() + in_worth(temperature * libm::log(self.random.unit()))
    }

    fn propose_letter(&mut self, temperature: f64) -> bool {
        let min_total = self.min_total(temperature);
        let turn = self.random.below(self.state.order().len());
        let cell = self.state.order()[turn];
        let Some(letter) = self.pick_letter(cell) else { return false };
        let spread = self.tuning.gain_limit_spread;
        let gain_limit = in_worth(self.tuning.gain_limit - spread * libm::log(self.random.unit()));
        self.state.try_letter(cell, letter, min_total, gain_limit)
    }

    /// Draws a letter, as its number, with the frequency at which the words have it next to the letters around the
    /// cell. `None` if it is the letter that the cell already has.
    fn pick_letter(&mut self, cell: usize) -> Option<u8> {
        let neighbours = self.around[cell].map(|near| {
            let letter = self.state.letters().get(usize::from(near))?;
            Some(self.gaddag.neighbours(*letter))
        });
        let weights = neighbours.map(|letters| letters.map_or(0, |letters| letters.weight as usize));
        let mut point = self.random.below(weights.iter().sum());
        for (letters, weight) in neighbours.into_iter().zip(weights) {
            if point < weight {
                let letter = letters?.slots[self.random.below(NeighbourLetters::SLOTS)];
                return (letter != self.state.letters()[cell]).then_some(letter);
            }
            point -= weight;
        }
        None
    }

    /// Moves a cell in the fill order to the place of a cell nearby.
    fn propose_turn(&mut self, temperature: f64) -> bool {
        let turns = self.state.order().len();
        let from = 1 + self.random.below(turns);
        let cell = self.state.order()[from - 1];
        let (row, column) = (cell / self.side, cell % self.side);
        let row = (row + self.random.below(2 * NEARBY + 1)).wrapping_sub(NEARBY);
        let column = (column + self.random.below(2 * NEARBY + 1)).wrapping_sub(NEARBY);
        if row >= self.side || column >= self.side {
            return false;
        }
        let to = self.state.turn(row * self.side + column);
        if to == 0 || to == from {
            return false;
        }
        let min_total = self.min_total(temperature);
        self.state.try_turn(from, to, min_total)
    }

    /// Keeps the present board if it is the best so far.
    fn remember_best(&mut self) {
        let letters = self.state.word_letters();
        if letters <= self.best_letters && self.is_best_full {
            return;
        }
        let is_full = self.state.is_full();
        if (is_full, letters) > self.best_rank() {
            self.is_best_full = is_full;
            self.best_letters = letters;
            self.best_held.clear();
            self.best_held.extend_from_slice(self.state.held());
            self.best.letters.clear();
            self.best.letters.extend_from_slice(self.state.letters());
            self.best.order.clear();
            self.best.order.extend(self.state.order().iter().map(|&cell| cell as u8));
        }
    }
}

/// Stands for a neighbour outside the board.
const OUTSIDE: u8 = u8::MAX;

/// The cells that share an edge with a cell.
fn cells_around(side: usize, cell: usize) -> [u8; 4] {
    let (row, column) = (cell / side, cell % side);
    let inside = |is_inside: bool, near: usize| if is_inside { near as u8 } else { OUTSIDE };
    [
        inside(row > 0, cell.wrapping_sub(side)),
        inside(column > 0, cell.wrapping_sub(1)),
        inside(column + 1 < side, cell + 1),
        inside(row + 1 < side, cell + side),
    ]
}

/// Converts letters to the unit of worth, a fraction of a letter.
fn in_worth(letters: f64) -> i32 {
    (letters * f64::from(Worth::PER_LETTER)) as i32
}

/// Random letters around the start word, filled from the middle row outwards.
pub(super) fn random_board(gaddag: &Gaddag, start: &Start, random: &mut Random) -> WarmBoard {
    let side = start.side();
    let alphabet = usize::from(gaddag.alphabet().len());
    let letters: Vec<u8> = (0..side * side).map(|_| random.below(alphabet) as u8).collect();
    let mut order: Vec<u8> = (0..side * side).filter(|cell| cell / side != side / 2).map(|cell| cell as u8).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    let order = ranked(order, |&cell| (usize::from(cell) / side).abs_diff(side / 2) as i64);
    WarmBoard { letters, order }.with_start(start)
}
