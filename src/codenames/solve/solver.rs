//! The choice of the method that solves a board.

use super::classes::ClassBoard;
use super::effort::{self, Costs, Counting, Effort};
use super::error::SolveError;
use super::live::{LiveBoard, MAX_LIVE};
use super::solution::{CountValues, SetValues, Solution, Values};
use super::stop::Stop;
use super::turn::Chances;
use super::{counts, memory, rows, threads};
use crate::codenames::rules::Board;
use crate::game::Run;

/// The most bytes of rows that the method [`rows`] may take.
const ROWS_LIMIT: u64 = 32 << 20;
/// The most positions of a board; their values take 512 MiB.
const MAX_POSITIONS: usize = 1 << MAX_LIVE;

/// The method that solves a board. All methods give the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// For small boards: a bound for every set of cards and hint.
    Rows,
    /// For large boards: sixteen sets of cards at once.
    Strips,
    /// For boards with interchangeable cards.
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

    /// Solves the board.
    pub fn solve(&self, run: Run) -> Result<Solution<'_>, SolveError> {
        if self.effort.time() > run.patience {
            return Err(SolveError::TooLong { effort: self.effort, patience: run.patience });
        }
        let stop = Stop { deadline: run.deadline, cancelled: run.cancelled, give_way: run.give_way };
        let chances = Chances::new(self.board.cards().len());
        let values = match &self.plan {
            Plan::Over => Values::Over,
            Plan::Rows(live) => {
                let wins = Box::new(rows::solve(live, &chances, stop)?);
                Values::Sets(SetValues { live, wins, chances })
            }
            Plan::Strips(live) => {
                let wins = Box::new(threads::solve_blocks(live, &chances, run, stop)?);
                Values::Sets(SetValues { live, wins, chances })
            }
            Plan::Counts(classes) => {
                let wins = counts::solve(classes, &chances, stop, run.watch)?;
                Values::Counts(CountValues { classes, wins, chances })
            }
        };
        Ok(Solution::new(&self.board, values))
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

// Fitted to the processor time of seeded boards: 40 of 15 to 25 cards and 4 to 1000 hints, and for the strips 170 more,
// half of them with unequal teams and long hints. `cargo bench --bench codenames` prints estimates beside times.
const ROWS_COSTS: Costs = Costs { position: 100.0, hint: 18.0, largest: 2.0, term: 0.3 };
const STRIPS_COSTS: Costs = Costs { position: 90.0, hint: 10.0, largest: 9.0, term: 0.75 };
const COUNTS_COSTS: Costs = Costs { position: 200.0, hint: 15.0, largest: 4.0, term: 2.0 };
