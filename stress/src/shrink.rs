//! Shrinks a failing input while the command keeps failing on it.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::stress::{Failing, Test};

/// The result of shrinking.
pub struct Shrunk {
    /// The smallest failing input that was found.
    pub failing: Failing,
    /// The number of tried inputs.
    pub tried: u64,
    /// Whether no smaller candidate gets the same verdict. Otherwise the time was over.
    pub is_smallest: bool,
}

/// Repeatedly replaces the input by a smaller one with the same verdict, for at most `time`.
pub fn shrink(test: &Test<'_>, failing: Failing, time: Duration) -> Result<Shrunk, Failure> {
    let deadline = Instant::now() + time;
    let mut seen = HashSet::from([failing.input.text()]);
    let mut shrunk = Shrunk { failing, tried: 0, is_smallest: false };
    let mut runner = test.runner()?;
    // After a signal the smallest input so far is still reported.
    let is_interrupted = || test.interrupt.signal().is_some();
    'smaller: loop {
        let current = &shrunk.failing;
        for input in current.input.smaller(current.judgement.case) {
            let text = input.text();
            if !seen.insert(text.clone()) {
                continue;
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Ok(shrunk);
            }
            let limit = test.job.limits.time;
            let judged = runner.run(&text, limit.min(remaining)).and_then(|run| Ok((test.judge(&*input, &run)?, run)));
            if (limit > remaining && Instant::now() >= deadline) || is_interrupted() {
                return Ok(shrunk);
            }
            let (judgement, run) = judged?;
            shrunk.tried += 1;
            if judgement.verdict == shrunk.failing.judgement.verdict {
                shrunk.failing = Failing { number: shrunk.failing.number, input, judgement, run };
                continue 'smaller;
            }
        }
        shrunk.is_smallest = !is_interrupted();
        return Ok(shrunk);
    }
}
