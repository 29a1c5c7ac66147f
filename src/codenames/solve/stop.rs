//! Ending a run early.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::SolveError;

/// Hints with fewer own cards are worked out in some microseconds, so the clock is not looked at for each of them.
const MANY_OWN: usize = 12;

/// When to give up.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stop<'a> {
    pub deadline: Option<Instant>,
    pub cancelled: Option<&'a AtomicBool>,
}

impl Stop<'_> {
    /// An error if the run is to end now.
    #[inline]
    pub fn check(&self) -> Result<(), SolveError> {
        if self.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(SolveError::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(SolveError::OutOfTime);
        }
        Ok(())
    }

    /// As [`Stop::check`], before a hint with so much to work out that it matters.
    #[inline(always)]
    pub fn check_before(&self, own: usize) -> Result<(), SolveError> {
        if own < MANY_OWN { Ok(()) } else { self.check() }
    }
}
