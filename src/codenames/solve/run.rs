//! The settings of a run, and why a board is not solved.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use super::effort::Effort;
use crate::game::Progress;

/// The default for [`Run::patience`].
pub const PATIENCE: Duration = Duration::from_secs(60);

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
    /// Is called often, from every solving thread. It may sleep, to leave the processor to other work.
    pub give_way: Option<&'a (dyn Fn() + Sync)>,
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
        Run { threads, watch: &|_| (), patience: PATIENCE, deadline: None, cancelled: None, give_way: None }
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
