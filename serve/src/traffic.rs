//! Lets long work give way to lookups.
//!
//! A low priority is not enough: a solver on an idle processor still takes cache, memory bandwidth and the other half of
//! a core with two threads, and the slowest lookups then take several times as long. So while lookups arrive, a solver
//! pauses after every short piece of work.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// While lookups arrive, long work pauses this many times as long as it has worked.
const PAUSE_PER_WORK: u32 = 19;
/// Work this short is not worth a pause yet.
const SHORTEST_WORK: Duration = Duration::from_micros(50);
/// No pause is longer, so that work goes on soon after the last lookup.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Counts requests, so that long work sees whether any arrive.
#[derive(Debug, Default)]
pub struct Traffic {
    requests: AtomicU64,
}

impl Traffic {
    /// Counts a request.
    pub fn count(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

/// The pace of one long job.
#[derive(Debug)]
pub struct Pace<'a> {
    traffic: &'a Traffic,
    began: Instant,
    /// Number of requests at the end of the last pause.
    seen: AtomicU64,
    /// When the last pause ended, in nanoseconds after `began`.
    resumed: AtomicU64,
}

impl<'a> Pace<'a> {
    /// The pace of a job that begins now.
    pub fn new(traffic: &'a Traffic) -> Pace<'a> {
        let seen = AtomicU64::new(traffic.requests());
        Pace { traffic, began: Instant::now(), seen, resumed: AtomicU64::new(0) }
    }

    /// Is called often by the job. Pauses if requests have arrived since the last pause.
    pub fn give_way(&self) {
        if let Some(pause) = self.pause(self.began.elapsed()) {
            thread::sleep(pause);
            self.resume(self.began.elapsed());
        }
    }

    /// The pause that is due this long after the job began.
    fn pause(&self, now: Duration) -> Option<Duration> {
        let worked = now.saturating_sub(Duration::from_nanos(self.resumed.load(Ordering::Relaxed)));
        if worked < SHORTEST_WORK {
            return None;
        }
        if self.traffic.requests() == self.seen.load(Ordering::Relaxed) {
            self.resume(now);
            return None;
        }
        Some((worked * PAUSE_PER_WORK).min(LONGEST_PAUSE))
    }

    /// Begins a piece of work.
    fn resume(&self, now: Duration) {
        self.seen.store(self.traffic.requests(), Ordering::Relaxed);
        self.resumed.store(now.as_nanos() as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_pauses_only_while_requests_arrive() {
        let traffic = Traffic::default();
        let pace = Pace::new(&traffic);
        let at = Duration::from_micros;
        assert_eq!(pace.pause(at(200)), None, "no request");
        traffic.count();
        assert_eq!(pace.pause(at(240)), None, "too short a work");
        assert_eq!(pace.pause(at(400)), Some(at(200) * PAUSE_PER_WORK));
        pace.resume(at(1800));
        assert_eq!(pace.pause(at(2000)), None, "no request since then");
        traffic.count();
        assert_eq!(pace.pause(at(900_000)), Some(LONGEST_PAUSE));
    }
}
