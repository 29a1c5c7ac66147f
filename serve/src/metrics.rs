//! Counters for Prometheus.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::StatusCode;

/// The statuses with their own counter. All others are counted as status 0.
const STATUSES: [u16; 13] = [200, 204, 304, 400, 404, 405, 408, 413, 415, 421, 431, 500, 503];
/// Upper bounds of the histogram's buckets, in microseconds.
const BUCKETS: [u64; 6] = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The counters of all endpoints.
pub struct Metrics {
    endpoints: HashMap<String, Endpoint>,
    order: Vec<String>,
    /// Number of connections that were closed to make room for others.
    pub evicted: AtomicU64,
    /// Number of open connections.
    pub connections: AtomicU64,
}

#[derive(Default)]
struct Endpoint {
    statuses: [AtomicU64; STATUSES.len() + 1],
    buckets: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
}

/// The label for requests that match no endpoint.
const OTHER: &str = "other";

impl Metrics {
    /// Counters for these endpoints.
    pub fn new(paths: impl Iterator<Item = String>) -> Metrics {
        let order: Vec<String> = paths.chain([OTHER.to_owned()]).collect();
        let endpoints = order.iter().map(|path| (path.clone(), Endpoint::default())).collect();
        Metrics { endpoints, order, evicted: AtomicU64::new(0), connections: AtomicU64::new(0) }
    }

    /// Counts a request.
    pub fn count(&self, path: Option<&str>, status: StatusCode, time: Duration) {
        let endpoint = path.and_then(|path| self.endpoints.get(path)).unwrap_or_else(|| &self.endpoints[OTHER]);
        let microseconds = time.as_micros() as u64;
        let status = STATUSES.iter().position(|&known| known == status.as_u16()).unwrap_or(STATUSES.len());
        let bucket = BUCKETS.iter().position(|&bound| microseconds <= bound).unwrap_or(BUCKETS.len());
        endpoint.statuses[status].fetch_add(1, Ordering::Relaxed);
        endpoint.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        endpoint.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// All counters in Prometheus' text format.
    pub fn to_text(&self, gauges: &[(&str, &str, usize)]) -> String {
        let mut text = String::from("# TYPE tabletop_requests_total counter\n");
        let mut line = |content: &str| writeln!(text, "{content}").expect("writing to a string cannot fail");
        for (path, endpoint) in self.in_order() {
            for (status, counter) in STATUSES.iter().chain([&0]).zip(&endpoint.statuses) {
                let count = counter.load(Ordering::Relaxed);
                if count > 0 {
                    line(&format!("tabletop_requests_total{{path=\"{path}\",status=\"{status}\"}} {count}"));
                }
            }
        }
        line("# TYPE tabletop_request_seconds histogram");
        for (path, endpoint) in self.in_order() {
            let mut total = 0;
            for (place, counter) in endpoint.buckets.iter().enumerate() {
                total += counter.load(Ordering::Relaxed);
                let bound = BUCKETS.get(place).map_or(String::from("+Inf"), |bound| (*bound as f64 / 1e6).to_string());
                line(&format!("tabletop_request_seconds_bucket{{path=\"{path}\",le=\"{bound}\"}} {total}"));
            }
            let seconds = endpoint.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
            line(&format!("tabletop_request_seconds_sum{{path=\"{path}\"}} {seconds}"));
            line(&format!("tabletop_request_seconds_count{{path=\"{path}\"}} {total}"));
        }
        line("# TYPE tabletop_connections gauge");
        line(&format!("tabletop_connections {}", self.connections.load(Ordering::Relaxed)));
        line("# TYPE tabletop_connections_evicted_total counter");
        line(&format!("tabletop_connections_evicted_total {}", self.evicted.load(Ordering::Relaxed)));
        let mut last = "";
        for (name, label, value) in gauges {
            if *name != last {
                line(&format!("# TYPE {name} gauge"));
                last = name;
            }
            line(&format!("{name}{label} {value}"));
        }
        text
    }

    fn in_order(&self) -> impl Iterator<Item = (&String, &Endpoint)> {
        self.order.iter().map(|path| (path, &self.endpoints[path]))
    }
}
