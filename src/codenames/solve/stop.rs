//! Ending a run early, and pausing it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::SolveError;
use crate::clock::Instant;

/// Hints with fewer own cards take only microseconds, so the clock is not checked for each of them.
const MANY_OWN: usize = 12;

/// When a run ends early or pauses.
#[derive(Clone, Copy, Default)]
pub struct Stop<'a> {
    pub deadline: Option<Instant>,
    pub cancelled: Option<&'a AtomicBool>,
    pub give_way: Option<&'a (dyn Fn() + Sync)>,
}

impl Stop<'_> {
    /// Pauses if other work needs the processor. Returns an error if the run must end now.
    #[inline]
    pub fn check(&self) -> Result<(), SolveError> {
        if let Some(give_way) = self.give_way {
            give_way();
        }
        if self.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(SolveError::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(SolveError::OutOfTime);
        }
        Ok(())
    }

    /// As [`Stop::check`], but only before a hint with at least [`MANY_OWN`] own cards.
    #[inline(always)]
    pub fn check_before(&self, own: usize) -> Result<(), SolveError> {
        if own < MANY_OWN { Ok(()) } else { self.check() }
    }
}
