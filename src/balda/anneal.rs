//! Simulated annealing over finished boards: their letters, and the order in which their cells are filled.
//!
//! A proposal changes the letter of a cell or its place in the order. It is accepted if the new total is at least the
//! current total minus a random loss. The mean of that loss is the temperature, which falls geometrically as the budget
//! is spent. The best board seen is the answer, so the search may end at any time.

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

/// The most warm boards that are evaluated.
const BOARDS_EVALUATED: usize = 32;

/// Fraction of the time that the choice among the warm boards may take.
const TIME_FOR_CHOICE: f64 = 0.25;

/// The best board to start from, with the start word in it: a warm board or two halves of them. When the time is over,
/// the best of those evaluated so far.
fn strongest<S: CellSet>(gaddag: &Gaddag, start: &Start, warm: &[WarmBoard], clock: Clock<'_>) -> Option<WarmBoard> {
    let side = start.side();
    let clock = clock.part(TIME_FOR_CHOICE);
    let fitting = warm.iter().filter(|board| board.fits(side, gaddag.alphabet().len())).take(BOARDS_EVALUATED);
    let boards: Vec<WarmBoard> = fitting.map(|board| board.clone().with_start(start)).collect();
    let mut evaluated = 0;
    warm::strongest(side, &boards, |board| {
        evaluated += 1;
        if evaluated > 1 && clock.is_over() {
            return None;
        }
        let evaluation = board.evaluate::<S>(gaddag, Clock::default());
        Some(evaluation.held().iter().map(|entry| word_letters(entry.length)).collect())
    })
}

/// The parameters of the search, the same for all languages and sizes.
#[derive(Clone, Copy, Debug)]
struct Tuning {
    /// Temperature at the beginning, in letters. Above it boards are random. The quality of a game is decided between
    /// here and 0.9, where groups of related words form.
    hot: f64,
    /// Temperature at the end, in letters. Below it only letters of single cells still change.
    cold: f64,
    /// Temperature at the beginning of a search of [`CONTEST_PROPOSALS`] from a warm board, in letters.
    warm_hot: f64,
    /// How much that temperature rises, in letters, each time the search gets twice as long. It stops at `hot`, where
    /// nothing is left of the board: a long search does better without it.
    warm_rise: f64,
    /// Curvature of the worth of words at the beginning, in letters per letter squared; it falls to 0 at the end. Long
    /// related words make each other likely: while the board still changes, they are worth more than their letters.
    curvature: f64,
    /// Share of the proposals that change a letter; the others change the fill order, which costs far less.
    letter_share: f64,
    /// A new letter loses all words through its cell, and new words must make up for them. If they must gain no more
    /// than this, in letters, they are always searched for.
    gain_limit: f64,
    /// Above the limit, the search is made with a probability that falls by a factor of e per `gain_limit_spread`
    /// letters. Few of these proposals are accepted (1 in 5 at 16 letters, 1 in 50 at 30, 1 in 2,000 at 55), and each
    /// search costs as much as any other.
    gain_limit_spread: f64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            hot: 1.6,
            cold: 0.5,
            warm_hot: 1.2,
            warm_rise: 0.05,
            curvature: 0.08,
            letter_share: 0.4,
            gain_limit: 17.0,
            gain_limit_spread: 6.0,
        }
    }
}

impl Tuning {
    /// The parameters for a search from a warm board that makes about this number of proposals.
    fn warm(self, proposals: f64) -> Tuning {
        let doublings = libm::log2(proposals / CONTEST_PROPOSALS).max(0.0);
        Tuning { hot: (self.warm_hot + self.warm_rise * doublings).min(self.hot), ..self }
    }
}

/// About how many proposals one core makes per second.
const PROPOSALS_PER_SECOND: f64 = 1e6;

/// About how many proposals one core makes within the contest's 3 seconds.
const CONTEST_PROPOSALS: f64 = 3.0 * PROPOSALS_PER_SECOND;

/// Proposals between two checks of the clock; each check also sets the temperature and the worth of words.
const PROPOSALS_PER_CHECK: u64 = 256;

/// The clock is also checked after this number of words found. Real words never reach it, but with an artificial
/// dictionary one proposal may find thousands, and the deadline would pass unnoticed.
const WORDS_PER_CHECK: usize = 1 << 15;

/// Cells further apart than this, in rows or columns, share few words, so their order hardly matters.
const NEARBY: usize = 2;

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

/// Number of proposals in a search without any limit.
const DEFAULT_PROPOSALS: u64 = 1_000_000;

/// Time reserved to write the game, as a multiple of the time that the first evaluation took.
const EVALUATIONS_TO_FINISH: u32 = 2;

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

    /// The seed of the random numbers.
    pub fn seed(self, seed: u64) -> Annealing<'a> {
        Annealing { seed, ..self }
    }

    /// Starts from the strongest of these boards if it is strong enough; ignores those of another side or alphabet.
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
        annealer.anneal(|done| Some(elapsed(done)).filter(|&elapsed| elapsed < 1.0));
        annealer.finish(self.start, Clock { stop: None, ..self.clock })
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

/// Temperature at the end of a breeding, in letters: a little below the one at which a game starts from the board.
const BRED_COLD: f64 = 0.8;

/// Temperature at which a board with gaps is annealed again, in letters: new words form, and related words stay.
const MENDING_HOT: f64 = 1.2;

/// Anneals a board while its start word changes, so that the result does not depend on the middle row and can be used
/// as a warm board. Between two start words the work can be stopped, stored and continued.
pub struct Breeding<'a> {
    gaddag: &'a Gaddag,
    starts: &'a [Start],
    /// Proposals for each start word.
    share: u64,
}

/// The state of a breeding between two start words: everything that the next steps depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreedingState {
    /// The board at the end of the last start word.
    pub board: WarmBoard,
    /// The state of the random number generator; never 0.
    pub random: u64,
}

/// The result of one step of a breeding.
#[derive(Clone, Debug)]
pub struct Bred {
    /// The state with which the next start word begins.
    pub state: BreedingState,
    /// The best game with this start word. Its board is not yet annealed as far as a game's would be.
    pub best: Annealed,
}

impl<'a> Breeding<'a> {
    /// A breeding with these start words, one after the other, each with an equal share of the proposals.
    ///
    /// `None` if there is no start word, if they differ in length, or if one is not of the dictionary's alphabet.
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

    /// Continues from a state with the start word number `turn`, from 0. Equal states give equal results.
    ///
    /// `None` if there is no start word of this number, or if the board of the state does not fit.
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
            let state = BreedingState { board: annealer.current_board(), random: annealer.random.0 };
            Bred { state, best: annealer.finish(start, Clock::default()) }
        }))
    }

    /// Anneals the board at the end of a breeding again, to find words for the cells that have none.
    ///
    /// `None` if the board does not fit the start words.
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
        let warm_board = strongest::<S>(gaddag, start, warm, task.clock);
        if warm_board.is_some() {
            tuning = tuning.warm(task.expected_proposals());
        }
        let board = warm_board.unwrap_or_else(|| random_board(gaddag, start, &mut random));
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

    /// Makes proposals until `progress` returns `None`. Given the number of proposals made, it returns the fraction of
    /// the budget that is spent.
    fn anneal(&mut self, mut progress: impl FnMut(u64) -> Option<f64>) {
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
    }

    /// The current board.
    fn current_board(&self) -> WarmBoard {
        WarmBoard {
            letters: self.state.letters().to_vec(),
            order: self.state.order().iter().map(|&cell| cell as u8).collect(),
        }
    }

    /// Writes the best game. If a cell has no word, it stays empty and the words through it must be replaced, so the
    /// board is evaluated again, as far as the time allows.
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
        // From 0 the generator would return only 0.
        Random((mixed ^ (mixed >> 31)).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`, which must be much smaller than 2^32.
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
