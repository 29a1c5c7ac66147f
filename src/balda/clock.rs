//! When work has to end.

use crate::clock::Instant;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells work when to end: at a deadline, when a flag is set, or never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock<'a> {
    /// The time to end at.
    pub deadline: Option<Instant>,
    /// Ends the work as soon as it is set, by a signal handler or another thread.
    pub stop: Option<&'a AtomicBool>,
}

impl Clock<'_> {
    /// Whether to end now.
    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The clock whose deadline leaves this fraction of the time from now on.
    pub(crate) fn part(self, part: f64) -> Self {
        let now = Instant::now();
        let cut = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(part);
        Clock { deadline: self.deadline.map(cut), ..self }
    }
}
