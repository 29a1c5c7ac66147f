//! Solves Codenames boards on half of the processors, with progress, and stops when the client is gone.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tabletop::codenames::{Board, BoardAdvice, Codenames, Progress, Run, SolveError, Solver};
use tabletop::game::{Game, Kind, Profile};
use tabletop::text;

use crate::failure::Failure;
use crate::games::{Asked, Exact, Outcome, PoolKind, Served};

/// The game's name in paths.
pub const NAME: &str = Codenames::PROFILE.name;

/// A board with more positions than this goes to the pool for large work. Their values take 16 MiB.
const LARGE_POSITIONS: u64 = 1 << 20;
/// A board that is expected to take longer is refused. The solver stops after this time.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Decimals of every probability, as on the command line.
const DIGITS: usize = 4;

/// Codenames with a solver that can be cancelled.
pub struct Cancellable<G>(pub Exact<G>);

impl<G: Game> Served for Cancellable<G> {
    fn profile(&self) -> &'static Profile {
        self.0.profile()
    }

    fn ask(&self, input: &[u8]) -> Result<Asked, Failure> {
        let board = read(input)?;
        if Codenames::default().is_quick(&board) {
            return self.0.ask(input);
        }
        let pool = pool_for(&board)?;
        Ok(Asked::Later(pool, Box::new(move |cancelled| solve(&board, cancelled, &|_| ()))))
    }

    fn reply(&self, question: &str, value: &str) -> Outcome {
        self.0.reply(question, value)
    }

    fn sample(&self, kind: Kind, seed: u64) -> String {
        self.0.sample(kind, seed)
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
pub fn solve(board: &Board, cancelled: &AtomicBool, watch: &(dyn Fn(Progress) + Sync)) -> Outcome {
    let half = thread::available_parallelism().map_or(1, |all| all.get() / 2);
    let run = Run {
        threads: NonZeroUsize::new(half).unwrap_or(NonZeroUsize::MIN),
        watch,
        patience: TIME_LIMIT,
        deadline: Instant::now().checked_add(TIME_LIMIT),
        cancelled: Some(cancelled),
    };
    let solver = Solver::new(board.clone()).map_err(refusal)?;
    let advice = solver.solve(run).map_err(refusal)?.advise();
    let mut text = text::to_json(&BoardAdvice { board: board.clone(), advice, digits: DIGITS });
    text.push(b'\n');
    Ok(text)
}

fn refusal(error: SolveError) -> Failure {
    let status = match error {
        SolveError::Cancelled | SolveError::OutOfMemory => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    Failure::new(status, error.found(), error.remedy())
}
