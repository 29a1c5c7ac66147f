//! Questions about games: answered at once, or work for a pool.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use tabletop::game::{Load, Progress, Run, call};
use tabletop::request::{Question, TIME_LIMIT};

use crate::failure::Failure;
use crate::pool::Work;
use crate::traffic::{Pace, Traffic};

/// An answer as JSON, or an error.
pub type Outcome = Result<Vec<u8>, Failure>;

/// A parsed question.
pub enum Asked {
    /// The answer, from a lookup.
    Answered(Vec<u8>),
    /// Work for a pool: the answer takes longer than a lookup.
    Later(Load, Work<Outcome>),
}

/// The answer if a lookup is enough, otherwise work for a pool.
pub fn ask(question: Question, traffic: &Arc<Traffic>) -> Result<Asked, Failure> {
    if question.load == Load::Lookup {
        return Ok(Asked::Answered(question.answer(&Run::default())?));
    }
    let (load, traffic) = (question.load, Arc::clone(traffic));
    let work = move |cancelled: &AtomicBool| in_run(&traffic, cancelled, &|_| (), |run| question.answer(run));
    Ok(Asked::Later(load, Box::new(work)))
}

/// Work for a pool that replies to one of the profile's views.
pub fn ask_view(question: Question, view: String, traffic: &Arc<Traffic>) -> Asked {
    let (load, traffic) = (question.load.max(Load::Search), Arc::clone(traffic));
    let work = move |cancelled: &AtomicBool| in_run(&traffic, cancelled, &|_| (), |run| question.view(&view, run));
    Asked::Later(load, Box::new(work))
}

/// Calls `work` with the settings of long work: half of the processors, a time limit, and giving way to `traffic`.
pub fn in_run(
    traffic: &Traffic,
    cancelled: &AtomicBool,
    watch: &(dyn Fn(Progress) + Sync),
    work: impl FnOnce(&Run<'_>) -> call::Outcome,
) -> Outcome {
    let pace = Pace::new(traffic);
    let half = thread::available_parallelism().map_or(1, |all| all.get() / 2);
    let outcome = work(&Run {
        threads: NonZeroUsize::new(half).unwrap_or(NonZeroUsize::MIN),
        watch,
        patience: TIME_LIMIT,
        deadline: Instant::now().checked_add(TIME_LIMIT),
        cancelled: Some(cancelled),
        give_way: Some(&|| pace.give_way()),
    });
    Ok(outcome?)
}
