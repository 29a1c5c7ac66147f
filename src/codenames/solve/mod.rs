//! The solver: computes the value of every position, each after all positions that it leads to.
//!
//! Three methods share the closed form of [`turn`].
//!
//! - [`rows`] keeps a bound per set of unrevealed cards, team and hint. These bounds exclude nearly all hints but take
//!   memory: 14 MiB for a board at the contest's limits (15 cards, 50 hints), twice as much for each further card.
//! - [`strips`] keeps only the values, and uses vectors and a weaker bound. It is at most three times slower, and a
//!   real board of 25 cards fits in 256 MiB.
//! - [`counts`] counts interchangeable cards instead of enumerating their sets.
//!
//! `rows` is used if its rows fit in [`ROWS_LIMIT`], else `strips`. `counts` is used where [`effort`] expects it to be
//! faster.
//!
//! The first two rely on the compiler for vector instructions, and it may use only the oldest ones of the target. With
//! the newest ones, a board of 25 cards was solved a sixth faster. That is not enough to choose at run time, which
//! would need unsafe code.

mod blocks;
mod classes;
mod counts;
mod effort;
mod live;
mod memory;
mod rows;
mod stop;
mod strips;
#[cfg(test)]
mod tests;
mod turn;

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use blocks::{Block, Blocks, Layout, Standings};
use classes::ClassBoard;
use counts::{CountStandings, Position};
pub use effort::Effort;
use effort::{Costs, Counting};
use live::{LiveBoard, LiveSet, MAX_LIVE};
use stop::Stop;
use turn::{Chances, Turn};

use super::rules::{Board, Team};

/// The most bytes of rows that the method [`rows`] may take.
const ROWS_LIMIT: u64 = 32 << 20;
/// Boards with fewer live cards are solved so fast that a second thread does not pay.
const PARALLEL_WIDTH: usize = 18;
/// Number of cards that select the block: it gives enough blocks for progress reports and for several threads.
const BLOCK_CARDS: usize = 8;
/// The most positions of a board; their values take 512 MiB.
const MAX_POSITIONS: usize = 1 << MAX_LIVE;
/// The default for [`Run::patience`].
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The progress of a long run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of solved parts; all parts have the same number of positions.
    pub done: usize,
    /// The number of all parts.
    pub total: usize,
}

type Watch<'a> = &'a (dyn Fn(Progress) + Sync);

/// The settings of a run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Threads for a large board; a small one uses one. If threads cannot be started, fewer are used.
    pub threads: NonZeroUsize,
    /// Is called with the progress of a large board, from any thread.
    pub watch: &'a (dyn Fn(Progress) + Sync),
    /// A board that is expected to take longer than this is refused at once.
    pub patience: Duration,
    /// The run ends with an error at this time.
    pub deadline: Option<Instant>,
    /// The run ends with an error soon after this is set.
    pub cancelled: Option<&'a AtomicBool>,
}

impl Run<'_> {
    /// A run that may take `time`: it is refused if it is expected to take longer, and ends with an error after `time`.
    pub fn within(time: Duration) -> Self {
        Run { patience: time, deadline: Instant::now().checked_add(time), ..Run::default() }
    }
}

impl Default for Run<'_> {
    /// As many threads as the machine can run at once, no progress reports, [`PATIENCE`], and no deadline.
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Run { threads, watch: &|_| (), patience: PATIENCE, deadline: None, cancelled: None }
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("threads", &self.threads)
            .field("patience", &self.patience)
            .field("deadline", &self.deadline)
            .field("cancelled", &self.cancelled)
            .finish_non_exhaustive()
    }
}

/// Why a board is not solved.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SolveError {
    /// The values of its positions do not fit in memory.
    TooLarge {
        /// Cards that hints can reveal.
        cards: usize,
        /// Bytes that the values would take.
        bytes: u128,
    },
    /// It is expected to take longer than the run may.
    TooLong {
        /// The expected effort.
        effort: Effort,
        /// The time that the run may take.
        patience: Duration,
    },
    /// The run was not finished at the deadline.
    OutOfTime,
    /// The run was cancelled.
    Cancelled,
    /// An allocation failed, although enough memory was free when the board was checked.
    OutOfMemory,
}

impl SolveError {
    /// What is wrong.
    pub fn found(&self) -> String {
        match self {
            SolveError::TooLarge { cards, bytes } => {
                format!("{cards} cards that hints can reveal would take {} MiB of memory", bytes >> 20)
            }
            SolveError::TooLong { effort, patience } => {
                let seconds = patience.as_secs();
                format!("the board is expected to take {effort}, which is more than {seconds} seconds")
            }
            SolveError::OutOfTime => String::from("the board is not solved in time"),
            SolveError::Cancelled => String::from("solving the board was cancelled"),
            SolveError::OutOfMemory => String::from("there is not enough memory to solve the board"),
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            SolveError::TooLarge { .. } => "leave out cards or hints that matter least",
            SolveError::TooLong { .. } | SolveError::OutOfTime => {
                "allow it more time, or leave out cards or hints that matter least"
            }
            SolveError::Cancelled => "start it again",
            SolveError::OutOfMemory => "end other programs, or leave out cards or hints that matter least",
        }
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.found(), self.remedy())
    }
}

impl std::error::Error for SolveError {}

/// The method that solves a board. All methods give the same values.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Rows,
    Strips,
    Counts,
}

/// A board and the method chosen to solve it.
#[derive(Debug, Clone)]
pub struct Solver {
    board: Board,
    plan: Plan,
    effort: Effort,
}

#[derive(Debug, Clone)]
enum Plan {
    /// The game is over.
    Over,
    Rows(LiveBoard),
    Strips(LiveBoard),
    Counts(ClassBoard),
}

impl Solver {
    /// Chooses the method for a board. A board whose values do not fit in memory is refused.
    pub fn new(board: Board) -> Result<Solver, SolveError> {
        let classes = ClassBoard::new(&board);
        Solver::choose(board, classes, None)
    }

    /// As [`Solver::new`], but with a given method.
    #[doc(hidden)]
    pub fn with_method(board: Board, method: Method) -> Result<Solver, SolveError> {
        let classes = ClassBoard::new(&board);
        Solver::choose(board, classes, Some(method))
    }

    fn choose(board: Board, classes: ClassBoard, method: Option<Method>) -> Result<Solver, SolveError> {
        if board.winner().is_some() {
            return Ok(Solver { board, plan: Plan::Over, effort: Effort::NONE });
        }
        let width = classes.width();
        let candidates = match method {
            Some(method) => vec![method],
            None if classes.classes.len() == width => vec![method_without_classes(&classes)],
            None => vec![Method::Counts, method_without_classes(&classes)],
        };
        let fitting = candidates.into_iter().filter(|&method| method == Method::Counts || width <= MAX_LIVE);
        let estimated = fitting.map(|method| (method, effort_of(&classes, method)));
        let cheapest = estimated.min_by(|(_, one), (_, other)| one.seconds.total_cmp(&other.seconds));
        let positions = || classes.classes.iter().map(|class| class.size() as u128 + 1).product::<u128>();
        let bytes = |positions: u128| positions.saturating_mul(2 * size_of::<f64>() as u128);
        let Some((method, effort)) = cheapest.filter(|(_, effort)| effort.positions <= MAX_POSITIONS as u64) else {
            return Err(SolveError::TooLarge { cards: width, bytes: bytes(positions()) });
        };
        let bytes = bytes(effort.positions.into());
        if !memory::is_available(bytes) {
            return Err(SolveError::TooLarge { cards: width, bytes });
        }
        let plan = match method {
            Method::Rows => Plan::Rows(LiveBoard::new(&board)),
            Method::Strips => Plan::Strips(LiveBoard::new(&board)),
            Method::Counts => Plan::Counts(classes),
        };
        Ok(Solver { board, plan, effort })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The work to solve the board.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The chosen method; `None` if the game is over.
    #[doc(hidden)]
    pub fn method(&self) -> Option<Method> {
        match self.plan {
            Plan::Over => None,
            Plan::Rows(_) => Some(Method::Rows),
            Plan::Strips(_) => Some(Method::Strips),
            Plan::Counts(_) => Some(Method::Counts),
        }
    }

    /// Solves the board.
    pub fn solve(&self, run: Run) -> Result<Solution<'_>, SolveError> {
        if self.effort.time() > run.patience {
            return Err(SolveError::TooLong { effort: self.effort, patience: run.patience });
        }
        let stop = Stop { deadline: run.deadline, cancelled: run.cancelled };
        let chances = Chances::new(self.board.cards().len());
        let values = match &self.plan {
            Plan::Over => Values::Over,
            Plan::Rows(live) => {
                let standings = Box::new(rows::solve(live, &chances, stop)?);
                Values::Sets(SetValues { live, standings, chances })
            }
            Plan::Strips(live) => {
                let standings = Box::new(solve_blocks(live, &chances, run, stop)?);
                Values::Sets(SetValues { live, standings, chances })
            }
            Plan::Counts(classes) => {
                let standings = counts::solve(classes, &chances, stop, run.watch)?;
                Values::Counts(CountValues { classes, standings, chances })
            }
        };
        Ok(Solution { board: &self.board, values })
    }
}

/// The best method that does not use classes.
fn method_without_classes(classes: &ClassBoard) -> Method {
    let rows = rows::bytes(classes.width(), classes.hints.len());
    if rows.is_some_and(|bytes| bytes <= ROWS_LIMIT) { Method::Rows } else { Method::Strips }
}

fn effort_of(classes: &ClassBoard, method: Method) -> Effort {
    let (counting, costs) = match method {
        Method::Rows => (Counting::Cards, ROWS_COSTS),
        Method::Strips => (Counting::Cards, STRIPS_COSTS),
        Method::Counts => (Counting::Classes, COUNTS_COSTS),
    };
    let positions = match counting {
        Counting::Cards => 1 << classes.width(),
        Counting::Classes => classes.positions.map_or(u64::MAX, |positions| positions as u64),
    };
    Effort { positions, seconds: effort::seconds(classes, counting, costs) }
}

// Fitted to the processor time of 40 seeded boards of 15 to 25 cards and 4 to 1000 hints.
const ROWS_COSTS: Costs = Costs { position: 100.0, hint: 18.0, largest: 2.0, term: 0.3 };
const STRIPS_COSTS: Costs = Costs { position: 100.0, hint: 12.0, largest: 5.0, term: 0.5 };
const COUNTS_COSTS: Costs = Costs { position: 200.0, hint: 15.0, largest: 4.0, term: 2.0 };

/// A solved board.
#[derive(Debug)]
pub struct Solution<'a> {
    board: &'a Board,
    values: Values<'a>,
}

#[derive(Debug)]
enum Values<'a> {
    Over,
    Sets(SetValues<'a>),
    Counts(CountValues<'a>),
}

/// The values by set of unrevealed cards.
struct SetValues<'a> {
    live: &'a LiveBoard,
    standings: Box<dyn Standings>,
    chances: Chances,
}

/// The values by number of unrevealed cards per class.
#[derive(Debug)]
struct CountValues<'a> {
    classes: &'a ClassBoard,
    standings: CountStandings,
    chances: Chances,
}

impl fmt::Debug for SetValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetValues").field("live", self.live).finish_non_exhaustive()
    }
}

impl Solution<'_> {
    /// The board that was solved.
    pub fn board(&self) -> &Board {
        self.board
    }

    /// The probability that `team` wins when the other team is to move, after `card` is revealed, if one is given.
    pub(crate) fn standing(&self, card: Option<usize>, team: Team) -> f64 {
        match &self.values {
            Values::Over => {
                if self.board.winner() == Some(team) {
                    1.0
                } else {
                    0.0
                }
            }
            Values::Sets(sets) => sets.standings.standing(sets.without(card), team),
            Values::Counts(counts) => counts.standings.standing(counts.without(card).index(), team),
        }
    }

    /// The probabilities that `team` wins when it gives `hint` with the numbers 1, 2, … up to its number of unrevealed
    /// words, after `card` is revealed, if one is given. Empty if the game is over.
    pub(crate) fn values(&self, card: Option<usize>, team: Team, hint: usize) -> Vec<f64> {
        let hint = self.board.hints()[hint];
        match &self.values {
            Values::Over => Vec::new(),
            Values::Sets(sets) => {
                let hint = sets.live.hint(self.board, hint);
                Turn::new(sets.live, sets.without(card), team, hint).values(sets.live, &*sets.standings, &sets.chances)
            }
            Values::Counts(counts) => {
                let CountValues { classes, standings, chances } = counts;
                let hint = classes.hint(self.board, hint);
                counts::values(classes, standings, chances, &counts.without(card), team, &hint)
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

/// Solves all blocks, layer by layer. A layer has the blocks with the same number of cards in their numbers. A set
/// leads only to sets in its own block or in earlier layers, so the blocks of a layer can be solved in parallel.
fn solve_blocks(board: &LiveBoard, chances: &Chances, run: Run, stop: Stop) -> Result<Blocks, SolveError> {
    let parallel = board.width() >= PARALLEL_WIDTH;
    let mut blocks = Blocks::new(Layout::new(board.width(), if parallel { BLOCK_CARDS } else { 0 }));
    let threads = if parallel { run.threads.get() } else { 1 };
    let total = blocks.layout().blocks();
    let done = AtomicUsize::new(0);
    for cards in 0..=total.trailing_zeros() {
        let layer: Vec<usize> = (0..total).filter(|number| number.count_ones() == cards).collect();
        let solve = |number: usize| {
            let block = strips::solve_block(board, chances, &blocks, number, stop)?;
            (run.watch)(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
            Ok(block)
        };
        for (number, block) in solve_layer(&layer, threads, &solve)? {
            blocks.insert(number, block);
        }
    }
    Ok(blocks)
}

/// A solved block with its number.
type Numbered = (usize, Block);
type SolveBlock<'a> = &'a (dyn Fn(usize) -> Result<Block, SolveError> + Sync);

/// Solves the blocks of a layer. Each thread takes the next block from a queue. The calling thread works too, so the
/// layer is solved even if no other thread can be started.
fn solve_layer(layer: &[usize], threads: usize, solve: SolveBlock) -> Result<Vec<Numbered>, SolveError> {
    let queue = Mutex::new(layer.iter());
    let next = || queue.lock().expect("no thread panics while it holds the queue").next().copied();
    let work = || -> Result<Vec<Numbered>, SolveError> {
        std::iter::from_fn(next).map(|number| Ok((number, solve(number)?))).collect()
    };
    thread::scope(|scope| {
        let helpers = threads.min(layer.len()).saturating_sub(1);
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let started: Vec<_> = (0..helpers).map_while(start).collect();
        let mut blocks = work()?;
        for helper in started {
            blocks.extend(helper.join().expect("solving a block does not panic")?);
        }
        Ok(blocks)
    })
}
