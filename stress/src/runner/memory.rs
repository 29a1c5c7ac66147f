//! The memory that the processes of a command hold together.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::descendants;

/// Time between two measurements.
const INTERVAL: Duration = Duration::from_millis(10);
/// A measurement of many processes takes long. At least this many times as long passes before the next one.
const PAUSE: u32 = 10;

/// Measures the resident memory of all descendants at intervals.
pub(super) struct Meter {
    limit: u64,
    next: Instant,
    /// Whether the last measurement was above the limit.
    was_above: bool,
}

impl Meter {
    pub(super) fn new(limit: u64, started: Instant) -> Meter {
        Meter { limit, next: started + INTERVAL, was_above: false }
    }

    /// When to measure next.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Measures. Whether this is the second measurement in a row above the limit: for the moment between the start of a
    /// process and of its program, the memory of its parent is counted twice.
    pub(super) fn is_exceeded(&mut self) -> bool {
        let started = Instant::now();
        let is_above = descendants::all().is_ok_and(|processes| are_above(&processes, self.limit));
        let ended = Instant::now();
        self.next = ended + INTERVAL.max((ended - started) * PAUSE);
        std::mem::replace(&mut self.was_above, is_above) && is_above
    }
}

/// Whether these processes hold more than `limit` bytes. Only then are pages that they share counted once, which takes
/// the kernel longer.
fn are_above(processes: &[Pid], limit: u64) -> bool {
    let resident = |process: &Pid| bytes(*process, "status", ["RssAnon:", "RssShmem:"]).unwrap_or(0);
    let proportional = |process: &Pid| {
        bytes(*process, "smaps_rollup", ["Pss_Anon:", "Pss_Shmem:"]).unwrap_or_else(|| resident(process))
    };
    processes.iter().map(resident).sum::<u64>() > limit && processes.iter().map(proportional).sum::<u64>() > limit
}

/// The sum of two fields of a file of `/proc/PROCESS`, which are in KiB.
fn bytes(process: Pid, file: &str, fields: [&str; 2]) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    let field = |name: &str| -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_ascii_whitespace().next()?.parse().ok()
    };
    Some((field(fields[0])? + field(fields[1])?) << 10)
}
