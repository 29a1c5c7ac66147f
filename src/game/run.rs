//! How a long answer is computed: its threads, its limits, and what can stop it.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::clock::Instant;
use serde::Serialize;

/// The default for [`Run::patience`].
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The progress of a long computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Finished steps.
    pub done: u64,
    /// All steps.
    pub total: u64,
}

/// The settings of a computation. A lookup ignores them.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Threads for a large case; a small one uses one. If threads cannot be started, fewer are used.
    pub threads: NonZeroUsize,
    /// Is called with the progress of a large case, from any thread.
    pub watch: &'a (dyn Fn(Progress) + Sync),
    /// A case that is expected to take longer than this is refused at once.
    pub patience: Duration,
    /// The run ends with an error at this time.
    pub deadline: Option<Instant>,
    /// The run ends with an error soon after this is set.
    pub cancelled: Option<&'a AtomicBool>,
    /// Is called often, from every computing thread. It may sleep, to leave the processor to other work.
    pub give_way: Option<&'a (dyn Fn() + Sync)>,
}

impl Run<'_> {
    /// A run that may take `time`: it is refused if it is expected to take longer, and ends with an error after `time`.
    pub fn within(time: Duration) -> Self {
        Run { patience: time, deadline: Instant::now().checked_add(time), ..Run::default() }
    }

    /// Whether the run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
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

/// How much work an answer takes. A server answers lookups at once and queues the others by their load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Load {
    /// About ten milliseconds at most.
    Lookup,
    /// Up to a few seconds and 16 MiB.
    Search,
    /// A search beyond the tables, of up to 128 MiB.
    Deep,
    /// Up to 512 MiB.
    Large,
    /// As long as the question allows, and 16 MiB.
    Play,
    /// Another program answers, and this one waits.
    Program,
}
