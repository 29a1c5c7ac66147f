//! Solves Codenames boards on half of the processors, with progress, and stops when the client is gone.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tabletop::codenames::{Board, BoardAdvice, Codenames, Progress, Run, SolveError, Solver};
use tabletop::game::{Game, Kind, Profile};
use tabletop::text;

use crate::failure::Failure;
use crate::games::{Asked, Exact, Outcome, PoolKind, Served};
use crate::traffic::{Pace, Traffic};

/// The game's name in paths.
pub const NAME: &str = Codenames::PROFILE.name;

/// A board with more positions than this goes to the pool for large work. Their values take 16 MiB.
const LARGE_POSITIONS: u64 = 1 << 20;
/// A board that is expected to take longer is refused. The solver stops after this time.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Decimals of every probability, as on the command line.
const DIGITS: usize = 4;

/// Codenames with a solver that can be cancelled and gives way to lookups.
pub struct Cancellable<G> {
    /// The game, for boards that are solved at once.
    pub exact: Exact<G>,
    /// The lookups that a long solve gives way to.
    pub traffic: Arc<Traffic>,
}

impl<G: Game> Served for Cancellable<G> {
    fn profile(&self) -> &'static Profile {
        self.exact.profile()
    }

    fn ask(&self, input: &[u8]) -> Result<Asked, Failure> {
        let board = read(input)?;
        if Codenames::default().is_quick(&board) {
            return self.exact.ask(input);
        }
        let pool = pool_for(&board)?;
        let traffic = Arc::clone(&self.traffic);
        Ok(Asked::Later(pool, Box::new(move |cancelled| solve(&board, &traffic, cancelled, &|_| ()))))
    }

    fn reply(&self, question: &str, value: &str) -> Outcome {
        self.exact.reply(question, value)
    }

    fn sample(&self, kind: Kind, seed: u64) -> String {
        self.exact.sample(kind, seed)
    }
}

/// Reads a board.
pub fn read(input: &[u8]) -> Result<Board, Failure> {
    let mut boards = Codenames::read_all(input)?;
    boards.pop().ok_or_else(|| Failure::bad_request("the input is empty", Codenames::PROFILE.format))
}

/// The pool that solves a board. Refuses a board that is too large or would take too long.
pub fn pool_for(board: &Board) -> Result<PoolKind, Failure> {
    let effort = Solver::new(board.clone()).map_err(refusal)?.effort();
    if effort.time() > TIME_LIMIT {
        return Err(refusal(SolveError::TooLong { effort, patience: TIME_LIMIT }));
    }
    Ok(if effort.positions > LARGE_POSITIONS { PoolKind::Large } else { PoolKind::Search })
}

/// The JSON answer for a board, as the command line writes it.
pub fn solve(board: &Board, traffic: &Traffic, cancelled: &AtomicBool, watch: &(dyn Fn(Progress) + Sync)) -> Outcome {
    let pace = Pace::new(traffic);
    let half = thread::available_parallelism().map_or(1, |all| all.get() / 2);
    let run = Run {
        threads: NonZeroUsize::new(half).unwrap_or(NonZeroUsize::MIN),
        watch,
        patience: TIME_LIMIT,
        deadline: Instant::now().checked_add(TIME_LIMIT),
        cancelled: Some(cancelled),
        give_way: Some(&|| pace.give_way()),
    };
    let solver = Solver::new(board.clone()).map_err(refusal)?;
    let advice = solver.solve(run).map_err(refusal)?.advise();
    let mut text = text::to_json(&BoardAdvice { board: board.clone(), advice, digits: DIGITS });
    text.push(b'\n');
    Ok(text)
}

fn refusal(error: SolveError) -> Failure {
    let status = match error {
        // The board was expected to take less time, so the server is busy.
        SolveError::OutOfTime => return Failure::busy(error.found()),
        SolveError::Cancelled | SolveError::OutOfMemory => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    Failure::new(status, error.found(), error.remedy())
}
