//! Simulated annealing over finished boards: their letters, and the order in which their cells are filled.
//!
//! A proposal changes the letter of a cell or its place in the order. It is accepted when it is worth at least the
//! present total less a random loss, whose mean is the temperature; the temperature falls geometrically with the
//! part of the budget spent. The best board seen is the answer, so that the search may end at any time.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::alphabet::Alphabet;
use super::cells::{CellSet, WideSet};
use super::clock::Clock;
use super::evaluate::{Entry, Evaluation, Speller, Worth, word_letters};
use super::gaddag::{Gaddag, NeighbourLetters};
use super::rules::{Game, Start};
use super::search::Grid;
use super::warm;
use crate::ranked::ranked;

/// A finished board to start from: a strong one of the same language and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarmBoard {
    /// Numbers of the letters row by row; the middle row is replaced by the start word.
    pub letters: Vec<u8>,
    /// The cells outside the middle row, numbered row by row, as they are filled.
    pub order: Vec<u8>,
}

impl WarmBoard {
    fn evaluate<'g, S: CellSet>(&self, gaddag: &'g Gaddag, clock: Clock<'_>) -> Evaluation<'g, S> {
        let order: Vec<usize> = self.order.iter().map(|&cell| usize::from(cell)).collect();
        Evaluation::new(gaddag, &self.letters, &order, clock)
    }

    /// Whether this is a board of the side and alphabet, each cell outside the middle row filled once.
    pub fn fits(&self, side: usize, alphabet: u8) -> bool {
        let mut cells = self.order.clone();
        cells.sort_unstable();
        let outside = (0..side * side).filter(|cell| cell / side != side / 2);
        self.letters.len() == side * side
            && self.letters.iter().all(|&letter| letter < alphabet)
            && cells.into_iter().map(usize::from).eq(outside)
    }

    fn with_start(mut self, start: &Start) -> WarmBoard {
        let middle_row = &mut self.letters[start.side() / 2 * start.side()..];
        for (cell, letter) in middle_row.iter_mut().zip(start.iter()) {
            *cell = letter.number();
        }
        self
    }
}

/// Warm boards that are looked at.
const BOARDS_EVALUATED: usize = 32;

/// Part of the time that the choice among the warm boards may take.
const TIME_FOR_CHOICE: f64 = 0.25;

/// The board to start from: the warm one, or halves of two, that is worth most once it holds the start word. When the time
/// is over, the best of those looked at.
fn strongest<S: CellSet>(gaddag: &Gaddag, start: &Start, warm: &[WarmBoard], clock: Clock<'_>) -> Option<WarmBoard> {
    let side = start.side();
    let clock = clock.part(TIME_FOR_CHOICE);
    let fitting = warm.iter().filter(|board| board.fits(side, gaddag.alphabet().len())).take(BOARDS_EVALUATED);
    let boards: Vec<WarmBoard> = fitting.map(|board| board.clone().with_start(start)).collect();
    let mut looked_at = 0;
    warm::strongest(side, &boards, |board| {
        looked_at += 1;
        if looked_at > 1 && clock.is_over() {
            return None;
        }
        let evaluation = board.evaluate::<S>(gaddag, Clock::default());
        Some(evaluation.held().iter().map(|entry| word_letters(entry.length)).collect())
    })
}

/// Temperatures and shares of the proposals, the same for all languages and sizes.
#[derive(Clone, Copy, Debug)]
struct Tuning {
    /// Temperature at the beginning, in letters. Above it boards are random; the quality of a game is decided
    /// between here and 0.9, where families of words form.
    hot: f64,
    /// Temperature at the end, in letters. Below it nothing moves but the letters of single cells.
    cold: f64,
    /// Temperature at the beginning from a warm board, in letters, in a search of as many proposals as the contest's time
    /// allows…
    warm_hot: f64,
    /// …and by how much it is higher for each time that the search is twice as long. With enough time it is the temperature
    /// at which nothing is left of the board: then the search does better by itself, and is the same as from nothing.
    warm_rise: f64,
    /// By how much the worth of words is bent at the beginning, in letters per letter squared; at the end it is
    /// straight. Long words grow in families, each of which makes the next one likely, so that one is worth more than
    /// its letters while the board still changes.
    bend: f64,
    /// Share of the proposals that change a letter; the others change the fill order, which costs far less.
    letter_share: f64,
    /// A new letter loses all words through its cell. Up to this loss it is always searched for new ones, in letters…
    patience: f64,
    /// …and beyond it less often by a factor of e for each of these: where much is lost, hardly any letter is
    /// accepted (1 in 5 at 16 letters, 1 in 50 at 30, 1 in 2,000 at 55), but the search costs as much as elsewhere.
    patience_spread: f64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            hot: 1.6,
            cold: 0.5,
            warm_hot: 1.2,
            warm_rise: 0.05,
            bend: 0.08,
            letter_share: 0.4,
            patience: 17.0,
            patience_spread: 6.0,
        }
    }
}

impl Tuning {
    /// For a search from a warm board that makes about this number of proposals.
    fn warm(self, proposals: f64) -> Tuning {
        let doublings = libm::log2(proposals / CONTEST_PROPOSALS).max(0.0);
        Tuning { hot: (self.warm_hot + self.warm_rise * doublings).min(self.hot), ..self }
    }
}

/// What a core makes of proposals in a second, about.
const PROPOSALS_PER_SECOND: f64 = 1e6;

/// What a core makes of proposals within the contest's time, about.
const CONTEST_PROPOSALS: f64 = 3.0 * PROPOSALS_PER_SECOND;

/// The clock is looked at, and temperature and worth set, once in this number of proposals.
const PROPOSALS_PER_LOOK: u64 = 256;

/// Or when this number of words has been found since. Boards of real words never have that many, but with a made-up
/// dictionary one proposal may find thousands, and the deadline would pass unseen.
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

/// Proposals of a search that nothing else ends.
const DEFAULT_PROPOSALS: u64 = 1_000_000;

/// Time that is kept to write the game down: the time that the first evaluation took, times this.
const EVALUATIONS_TO_FINISH: u32 = 2;

/// A search for a good game from a start word. It ends at whichever limit comes first; without any, after a million
/// proposals.
///
/// Equal words, start, number of proposals, seed and warm boards give an equal game. The game is always a legal one.
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

    /// Ends at a moment.
    pub fn deadline(self, deadline: Instant) -> Annealing<'a> {
        Annealing { clock: Clock { deadline: Some(deadline), ..self.clock }, ..self }
    }

    /// Ends when the flag is set.
    pub fn stop(self, stop: &'a AtomicBool) -> Annealing<'a> {
        Annealing { clock: Clock { stop: Some(stop), ..self.clock }, ..self }
    }

    /// Where chance begins.
    pub fn seed(self, seed: u64) -> Annealing<'a> {
        Annealing { seed, ..self }
    }

    /// Starts from the strongest of these boards; those of another side or alphabet are passed over.
    pub fn warm_boards(self, warm: &'a [WarmBoard]) -> Annealing<'a> {
        Annealing { warm, ..self }
    }

    /// Searches until a limit is reached.
    pub fn run(&self) -> Annealed {
        with_cell_set!(self.start.side(), Set => self.run_on::<Set>())
    }

    fn run_on<S: CellSet>(&self) -> Annealed {
        let began = Instant::now();
        let mut annealer = Annealer::<S>::new(self);
        let clock = Clock { deadline: self.last_moment(annealer.evaluation_time), ..self.clock };
        let is_limited = clock.deadline.is_some() || clock.stop.is_some();
        let proposals = self.proposals.or(if is_limited { None } else { Some(DEFAULT_PROPOSALS) });
        let elapsed = |done: u64| {
            if clock.is_over() {
                return 1.0;
            }
            // A number of proposals alone steers the temperature, so that the clock cannot change the game that it gives.
            match (proposals, clock.deadline) {
                (Some(most), _) => done as f64 / most.max(1) as f64,
                (None, Some(deadline)) => began.elapsed().as_secs_f64() / (deadline - began).as_secs_f64(),
                (None, None) => 0.0,
            }
        };
        annealer.anneal(|done| Some(elapsed(done)).filter(|&elapsed| elapsed < 1.0));
        annealer.finish(self.start, Clock { stop: None, ..self.clock })
    }

    /// How many proposals there will be, about; without a limit, as many as one may want.
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

    /// When proposals have to end, so that the game is written down by the deadline.
    fn last_moment(&self, evaluation: Duration) -> Option<Instant> {
        let deadline = self.clock.deadline?;
        Some(deadline.checked_sub(evaluation * EVALUATIONS_TO_FINISH).unwrap_or(deadline))
    }
}

/// The start word is of another alphabet than the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl fmt::Display for OtherAlphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, found) = (self.expected.described(), self.found.described());
        write!(f, "a start word in {found} with a dictionary in {expected}, use one alphabet")
    }
}

impl std::error::Error for OtherAlphabet {}

/// A game and the board that it fills.
#[derive(Clone, Debug)]
pub struct Annealed {
    /// The best game found.
    pub game: Game,
    /// The finished board, for use as a warm start.
    pub board: WarmBoard,
}

/// Temperature at which a board leaves the breeder, in letters: a little below the one at which a game takes it over.
const BRED_COLD: f64 = 0.8;

/// Temperature at which a board with gaps is played on, in letters: where words form, and families of words stay.
const MENDING_HOT: f64 = 1.2;

/// A board that is annealed while its start word changes, for use as a warm start: what survives does not depend on the
/// middle row. Between two start words it can be stopped, stored and gone on with.
pub struct Breeding<'a> {
    gaddag: &'a Gaddag,
    starts: &'a [Start],
    /// Proposals for each start word.
    share: u64,
}

/// A breeding between two start words: all that the rest of it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreedingState {
    /// The board as the last start word has left it.
    pub board: WarmBoard,
    /// The state of the random numbers, which is never 0.
    pub random: u64,
}

/// What a start word has made of a board.
#[derive(Clone, Debug)]
pub struct Bred {
    /// The state with which the next start word begins.
    pub state: BreedingState,
    /// The best game with this start word; its board still holds what a game would anneal away.
    pub best: Annealed,
}

impl<'a> Breeding<'a> {
    /// A breeding under start words, one after the other, with an equal share of the proposals for each.
    ///
    /// `None` when there is no start word, or they differ in length or are of another alphabet than the words.
    pub fn new(gaddag: &'a Gaddag, starts: &'a [Start], proposals: u64) -> Option<Breeding<'a>> {
        let side = starts.first()?.side();
        let is_playable = |start: &Start| start.side() == side && OtherAlphabet::check(gaddag, start).is_ok();
        let share = (proposals / starts.len() as u64).max(1);
        starts.iter().all(is_playable).then_some(Breeding { gaddag, starts, share })
    }

    /// The state before the first start word.
    pub fn begin(&self, seed: u64) -> BreedingState {
        let mut random = Random::new(seed);
        let board = random_board(self.gaddag, &self.starts[0], &mut random);
        BreedingState { board, random: random.0 }
    }

    /// Goes on from a state with the start word number `turn`, from 0. Equal states give equal results.
    ///
    /// `None` when there is no such start word, or the state is none of a breeding with these words.
    pub fn step(&self, turn: usize, state: &BreedingState) -> Option<Bred> {
        let start = self.starts.get(turn)?;
        let board = self.with_start(&state.board, start)?;
        let tuning = Tuning { cold: BRED_COLD, ..Tuning::default() };
        let random = Random(state.random.max(1));
        let turns = self.starts.len();
        Some(with_cell_set!(start.side(), Set => {
            let mut annealer = Annealer::<Set>::from_board(self.gaddag, board, random, tuning);
            annealer.anneal(|done| {
                let elapsed = (turn as f64 + done as f64 / self.share as f64) / turns as f64;
                (done < self.share).then_some(elapsed)
            });
            let state = BreedingState { board: annealer.present_board(), random: annealer.random.0 };
            Bred { state, best: annealer.finish(start, Clock::default()) }
        }))
    }

    /// Plays on from the board at the end of a breeding, to fill the cells that are left without a word.
    ///
    /// `None` when the board is none of a breeding with these words.
    pub fn mend(&self, board: &WarmBoard, proposals: u64, seed: u64) -> Option<Annealed> {
        let start = self.starts.last()?;
        let board = self.with_start(board, start)?;
        let tuning = Tuning { hot: MENDING_HOT, cold: BRED_COLD, ..Tuning::default() };
        Some(with_cell_set!(start.side(), Set => {
            let mut annealer = Annealer::<Set>::from_board(self.gaddag, board, Random::new(seed), tuning);
            annealer.anneal(|done| (done < proposals).then(|| done as f64 / proposals as f64));
            annealer.finish(start, Clock::default())
        }))
    }

    fn with_start(&self, board: &WarmBoard, start: &Start) -> Option<WarmBoard> {
        let fits = board.fits(start.side(), self.gaddag.alphabet().len());
        fits.then(|| board.clone().with_start(start))
    }
}

struct Annealer<'g, S> {
    gaddag: &'g Gaddag,
    side: usize,
    /// The cells that share an edge with each cell.
    around: Vec<[u8; 4]>,
    tuning: Tuning,
    random: Random,
    state: Evaluation<'g, S>,
    /// How long it took to evaluate the first board.
    evaluation_time: Duration,
    best: WarmBoard,
    best_held: Vec<Entry<S>>,
    /// Letters of the best board's words.
    best_letters: i32,
}

impl<'g, S: CellSet> Annealer<'g, S> {
    fn new(task: &Annealing<'g>) -> Self {
        let Annealing { gaddag, start, warm, .. } = *task;
        let mut tuning = Tuning::default();
        let mut random = Random::new(task.seed);
        let donor = strongest::<S>(gaddag, start, warm, task.clock);
        if donor.is_some() {
            tuning = tuning.warm(task.expected_proposals());
        }
        let board = donor.unwrap_or_else(|| random_board(gaddag, start, &mut random));
        Annealer::from_board(gaddag, board, random, tuning)
    }

    fn from_board(gaddag: &'g Gaddag, board: WarmBoard, random: Random, tuning: Tuning) -> Self {
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
        };
        annealer.remember_best();
        annealer
    }

    /// Makes proposals until `progress` ends; it tells the part of the budget that is spent from the proposals made.
    fn anneal(&mut self, mut progress: impl FnMut(u64) -> Option<f64>) {
        let mut done = 0;
        while self.gaddag.word_count() > 0
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

    /// The board as it is now.
    fn present_board(&self) -> WarmBoard {
        WarmBoard {
            letters: self.state.letters().to_vec(),
            order: self.state.order().iter().map(|&cell| cell as u8).collect(),
        }
    }

    /// Writes the best game down. If a cell is without a word, the words through it must be replaced, for which the board
    /// is evaluated again, as far as there is time.
    fn finish(self, start: &Start, clock: Clock<'_>) -> Annealed {
        let is_full = self.best.order.iter().all(|&cell| self.best_held[usize::from(cell)].length > 0);
        let game = if is_full {
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

    /// The Metropolis rule with the random number drawn first: the least total to accept.
    fn least(&mut self, temperature: f64) -> i32 {
        self.state.total() + in_worth(temperature * libm::log(self.random.unit()))
    }

    fn propose_letter(&mut self, temperature: f64) -> bool {
        let least = self.least(temperature);
        let turn = self.random.below(self.state.order().len());
        let cell = self.state.order()[turn];
        let Some(letter) = self.pick_letter(cell) else { return false };
        let patience = in_worth(self.tuning.patience - self.tuning.patience_spread * libm::log(self.random.unit()));
        self.state.try_letter(cell, letter, least, patience)
    }

    /// The number of a letter other than the present one, by how often it stands beside the letters around in the words.
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
        let least = self.least(temperature);
        self.state.try_turn(from, to, least)
    }

    fn remember_best(&mut self) {
        if self.state.word_letters() > self.best_letters {
            self.best_letters = self.state.word_letters();
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

/// Letters as parts of a letter, the unit of worth.
fn in_worth(letters: f64) -> i32 {
    (letters * f64::from(Worth::PER_LETTER)) as i32
}

/// Random letters around the start word, filled from the middle row outwards.
fn random_board(gaddag: &Gaddag, start: &Start, random: &mut Random) -> WarmBoard {
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
