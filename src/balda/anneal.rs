//! Simulated annealing over finished boards: their letters, and the order in which their cells are filled.
//!
//! A proposal changes the letter of a cell or its place in the order. It is accepted when it is worth at least the
//! present total less a random loss, whose mean is the temperature; the temperature falls geometrically with the
//! part of the budget spent. The best board seen is the answer, so that the search may end at any time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::balda::cells::{CellSet, WideSet};
use crate::balda::evaluate::{Entry, Evaluation, Letter, Worth};
use crate::balda::lexicon::{Company, Lexicon};
use crate::balda::rules::{Game, is_side};

/// When to end: at whichever limit comes first. Without any limit only the stop flag ends the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Number of proposals; the same number gives the same game.
    pub proposals: Option<u64>,
    /// The moment to end at.
    pub deadline: Option<Instant>,
}

/// A finished board to start from: a strong one of the same language and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarmBoard {
    /// Letter codes row by row; the middle row is replaced by the start word.
    pub letters: Vec<u8>,
    /// The cells outside the middle row, numbered row by row, as they are filled.
    pub order: Vec<u8>,
}

impl WarmBoard {
    fn evaluate<'l, S: CellSet>(&self, lexicon: &'l Lexicon) -> Evaluation<'l, S> {
        let order: Vec<usize> = self.order.iter().map(|&cell| usize::from(cell)).collect();
        Evaluation::new(lexicon, &self.letters, &order)
    }

    /// Whether this is a board of the side and alphabet, each cell outside the middle row filled once.
    pub(super) fn fits(&self, side: usize, alphabet: u8) -> bool {
        let mut cells = self.order.clone();
        cells.sort_unstable();
        let outside = (0..side * side).filter(|cell| cell / side != side / 2);
        self.letters.len() == side * side
            && self.letters.iter().all(|&letter| letter < alphabet)
            && cells.into_iter().map(usize::from).eq(outside)
    }

    /// The board seen from behind. Upside down it would be worth the same with any start word, so that only
    /// left and right are worth exchanging.
    fn mirrored(&self, side: usize) -> WarmBoard {
        let mirror = |cell: usize| cell / side * side + side - 1 - cell % side;
        WarmBoard {
            letters: (0..side * side).map(|cell| self.letters[mirror(cell)]).collect(),
            order: self.order.iter().map(|&cell| mirror(usize::from(cell)) as u8).collect(),
        }
    }

    fn with_start(mut self, start: &[u8]) -> WarmBoard {
        self.letters[start.len() / 2 * start.len()..][..start.len()].copy_from_slice(start);
        self
    }
}

/// So many warm boards are evaluated with the start word: those that share most letters with it in place.
const DONORS_EVALUATED: usize = 64;

/// The warm board, as it is or mirrored, that is worth most once it holds the start word.
fn strongest<S: CellSet>(lexicon: &Lexicon, start: &[u8], warm: &[WarmBoard]) -> Option<WarmBoard> {
    let side = start.len();
    let mut donors: Vec<WarmBoard> = warm
        .iter()
        .filter(|board| board.fits(side, lexicon.alphabet()))
        .flat_map(|board| [board.clone(), board.mirrored(side)])
        .collect();
    let middle = side / 2 * side;
    donors.sort_by_cached_key(|board| {
        let same = board.letters[middle..][..side].iter().zip(start).filter(|(donor, own)| donor == own).count();
        std::cmp::Reverse(same)
    });
    donors
        .into_iter()
        .take(DONORS_EVALUATED)
        .map(|board| board.with_start(start))
        .max_by_key(|board| board.evaluate::<S>(lexicon).points())
}

/// Temperatures and shares of the proposals, the same for all languages and sizes.
#[derive(Clone, Copy, Debug)]
struct Tuning {
    /// Temperature at the beginning, in points. Above it boards are random; the quality of a game is decided
    /// between here and 0.9, where families of words form.
    hot: f64,
    /// Temperature at the end, in points. Below it nothing moves but the letters of single cells.
    cold: f64,
    /// Temperature at the beginning from a warm board, in points.
    warm_hot: f64,
    /// By how much the worth of words is bent at the beginning, in points per letter squared; at the end it is
    /// straight. Long words grow in families, each of which makes the next one likely, so that one is worth more than
    /// its letters while the board still changes.
    bend: f64,
    /// Share of the proposals that change a letter; the others change the fill order, which costs far less.
    letter_share: f64,
    /// A new letter loses all words through its cell. Up to this loss it is always searched for new ones, in points…
    patience: f64,
    /// …and beyond it less often by a factor of e for each of these: where much is lost, hardly any letter is
    /// accepted (1 in 5 at 16 points, 1 in 50 at 30, 1 in 2,000 at 55), but the search costs as much as elsewhere.
    patience_spread: f64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            hot: 1.6,
            cold: 0.5,
            warm_hot: 1.0,
            bend: 0.08,
            letter_share: 0.4,
            patience: 17.0,
            patience_spread: 6.0,
        }
    }
}

/// The clock and the stop flag are looked at, and temperature and worth set, once in so many proposals.
const PROPOSALS_PER_LOOK: u64 = 256;

/// Or when so many words have been found since: on boards of real words they never are, but with a made-up dictionary
/// one proposal may find thousands, and the deadline would pass unseen.
const WORDS_PER_LOOK: usize = 1 << 15;

/// Cells further apart than this in a row or column share few words, so that their order hardly matters.
const NEARBY: usize = 2;

/// Evaluates `$run` with `$set` standing for the smallest set of cells that holds a board of the side.
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

/// Plays the best game found within the budget; always a legal one.
///
/// Equal words, start, number of proposals, seed and warm boards give an equal game.
/// Panics when the start word's length is no legal side or has a letter outside the alphabet.
pub fn play(
    lexicon: &Lexicon,
    start: &[u8],
    budget: &Budget,
    seed: u64,
    stop: &AtomicBool,
    warm: &[WarmBoard],
) -> Played {
    assert_playable(lexicon, start);
    let began = Instant::now();
    let progress = |done: u64| {
        let time_is_up = budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stop.load(Ordering::Relaxed) || time_is_up {
            return 1.0;
        }
        // A number of proposals alone steers the temperature, so that the clock cannot change the game that it gives.
        match (budget.proposals, budget.deadline) {
            (Some(most), _) => done as f64 / most.max(1) as f64,
            (None, Some(deadline)) => began.elapsed().as_secs_f64() / (deadline - began).as_secs_f64(),
            (None, None) => 0.0,
        }
    };
    let tuning = Tuning::default();
    with_cell_set!(start.len(), Set => Annealer::<Set>::new(lexicon, start, seed, warm, tuning).play(progress))
}

/// A game and how it was found.
#[derive(Clone, Debug)]
pub struct Played {
    /// The best game found.
    pub game: Game,
    /// The finished board, for use as a warm start.
    pub board: WarmBoard,
}

/// Temperature at which a board leaves the breeder, in points: a little below the one at which a game takes it over.
const BRED_COLD: f64 = 0.8;

/// Anneals one board while its start word changes, for use as a warm start: what survives does not depend on the
/// middle row. The game returned is the one with the last start word; it still holds what a game would anneal away.
///
/// Panics when there is no start word, they differ in length, or [`play`] would panic with one.
pub fn breed(lexicon: &Lexicon, starts: &[Vec<u8>], proposals: u64, seed: u64) -> Played {
    let side = starts.first().expect("a start word").len();
    for start in starts {
        assert_playable(lexicon, start);
        assert_eq!(start.len(), side, "start words of one length");
    }
    let tuning = Tuning { cold: BRED_COLD, ..Tuning::default() };
    with_cell_set!(side, Set => Annealer::<Set>::new(lexicon, &starts[0], seed, &[], tuning).breed(starts, proposals))
}

fn assert_playable(lexicon: &Lexicon, start: &[u8]) {
    assert!(is_side(start.len()), "start word of {} letters", start.len());
    assert!(start.iter().all(|&letter| letter < lexicon.alphabet()), "letter outside the alphabet");
}

struct Annealer<'l, S> {
    lexicon: &'l Lexicon,
    side: usize,
    /// The cells that share an edge with each cell.
    around: Vec<[u8; 4]>,
    tuning: Tuning,
    random: Random,
    state: Evaluation<'l, S>,
    best: WarmBoard,
    best_held: Vec<Entry<S>>,
    best_points: i32,
}

impl<'l, S: CellSet> Annealer<'l, S> {
    fn new(lexicon: &'l Lexicon, start: &[u8], seed: u64, warm: &[WarmBoard], mut tuning: Tuning) -> Self {
        let side = start.len();
        let mut random = Random::new(seed);
        let donor = strongest::<S>(lexicon, start, warm);
        if donor.is_some() {
            tuning.hot = tuning.warm_hot;
        }
        let board = donor.unwrap_or_else(|| random_board(lexicon, start, &mut random));
        let state = board.evaluate(lexicon);
        let mut annealer = Annealer {
            lexicon,
            side,
            around: (0..side * side).map(|cell| cells_around(side, cell)).collect(),
            tuning,
            random,
            state,
            best: board,
            best_held: Vec::new(),
            best_points: i32::MIN,
        };
        annealer.remember_best();
        annealer
    }

    fn play(mut self, mut progress: impl FnMut(u64) -> f64) -> Played {
        self.anneal(|done| Some(progress(done)).filter(|&elapsed| elapsed < 1.0));
        self.finish()
    }

    fn breed(mut self, starts: &[Vec<u8>], proposals: u64) -> Played {
        let share = (proposals / starts.len() as u64).max(1);
        for (turn, start) in starts.iter().enumerate() {
            self.change_start(start);
            self.anneal(|done| {
                let elapsed = (turn as f64 + done as f64 / share as f64) / starts.len() as f64;
                (done < share).then_some(elapsed)
            });
        }
        self.finish()
    }

    /// Makes proposals until `progress` ends; it tells the part of the budget that is spent from the proposals made.
    fn anneal(&mut self, mut progress: impl FnMut(u64) -> Option<f64>) {
        let mut done = 0;
        while self.lexicon.word_count() > 0
            && let Some(elapsed) = progress(done)
        {
            let temperature = self.tuning.hot * libm::pow(self.tuning.cold / self.tuning.hot, elapsed);
            self.state.set_worth(Worth::new(self.tuning.bend * (1.0 - elapsed)));
            let enough_words = self.state.words_found() + WORDS_PER_LOOK;
            let enough_proposals = done + PROPOSALS_PER_LOOK;
            while done < enough_proposals && self.state.words_found() < enough_words {
                self.propose(temperature);
                done += 1;
            }
        }
    }

    /// Goes on from the present board with another start word.
    fn change_start(&mut self, start: &[u8]) {
        self.take_for_best();
        self.state = self.best.clone().with_start(start).evaluate(self.lexicon);
        self.take_for_best();
    }

    /// Takes the present board for the best.
    fn take_for_best(&mut self) {
        self.best_points = i32::MIN;
        self.remember_best();
    }

    fn finish(self) -> Played {
        let mut finished = self.best.evaluate(self.lexicon);
        finished.hold(&self.best_held);
        let game = finished.into_game();
        Played { game, board: self.best }
    }

    fn propose(&mut self, temperature: f64) {
        let changes_letter = self.random.unit() < self.tuning.letter_share;
        let accepted = if changes_letter { self.propose_letter(temperature) } else { self.propose_turn(temperature) };
        if accepted {
            self.remember_best();
        }
    }

    /// The Metropolis rule with the random number drawn first: the least total to accept.
    fn least(&mut self, temperature: f64) -> i32 {
        self.state.total() + in_worth(temperature * libm::log(self.random.unit()))
    }

    fn propose_letter(&mut self, temperature: f64) -> bool {
        let least = self.least(temperature);
        let turn = self.random.below(self.state.order().len());
        let cell = self.state.order()[turn];
        let Some(code) = self.pick_letter(cell) else { return false };
        let patience = in_worth(self.tuning.patience - self.tuning.patience_spread * libm::log(self.random.unit()));
        self.state.try_letters(&[Letter { cell, code }], least, patience)
    }

    /// A letter other than the present one, by how often it stands beside the letters around in the words.
    fn pick_letter(&mut self, cell: usize) -> Option<u8> {
        let companies = self.around[cell].map(|near| {
            let letter = self.state.letters().get(usize::from(near))?;
            Some(self.lexicon.company(*letter))
        });
        let weights = companies.map(|company| company.map_or(0, |company| company.weight as usize));
        let mut point = self.random.below(weights.iter().sum());
        for (company, weight) in companies.into_iter().zip(weights) {
            if point < weight {
                let code = company?.slots[self.random.below(Company::SLOTS)];
                return (code != self.state.letters()[cell]).then_some(code);
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
        let least = self.least(temperature);
        self.state.try_turn(from, to, least)
    }

    fn remember_best(&mut self) {
        if self.state.points() > self.best_points {
            self.best_points = self.state.points();
            self.best_held.clear();
            self.best_held.extend_from_slice(self.state.held());
            self.best.letters.clear();
            self.best.letters.extend_from_slice(self.state.letters());
            self.best.order.clear();
            self.best.order.extend(self.state.order().iter().map(|&cell| cell as u8));
        }
    }
}

/// Stands for the outside of the board where a cell has fewer than four around it.
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

/// Points as parts of a point, the unit of worth.
fn in_worth(points: f64) -> i32 {
    (points * f64::from(Worth::PER_POINT)) as i32
}

/// Random letters of the start word's kind, filled from the middle row outwards.
fn random_board(lexicon: &Lexicon, start: &[u8], random: &mut Random) -> WarmBoard {
    let side = start.len();
    let mut letters: Vec<u8> = (0..side * side).map(|_| random.below(usize::from(lexicon.alphabet())) as u8).collect();
    letters[side / 2 * side..][..side].copy_from_slice(start);
    let mut order: Vec<u8> = (0..side * side).filter(|cell| cell / side != side / 2).map(|cell| cell as u8).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    order.sort_by_key(|&cell| (usize::from(cell) / side).abs_diff(side / 2));
    WarmBoard { letters, order }
}

/// A small fast generator (xorshift64* seeded by splitmix64): the same numbers on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        // The generator would stay at 0 for ever.
        Random((mixed ^ (mixed >> 31)).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`, which is small against 2^32.
    fn below(&mut self, end: usize) -> usize {
        (((self.next() >> 32) * end as u64) >> 32) as usize
    }

    /// A number above 0 and at most 1.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests;
