//! Why a board is not solved.

use std::fmt;
use std::time::Duration;

use super::effort::Effort;

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
            SolveError::TooLarge { .. } | SolveError::TooLong { .. } => "leave out cards or hints that matter least",
            SolveError::OutOfTime => "allow it more time, or leave out cards or hints that matter least",
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
