//! Shared by benches and tests: contestants that are timed in turns, the questions for them, and a terminal.

pub mod balda;
pub mod codenames;
pub mod cold_start;
pub mod lookup;
#[cfg(target_os = "linux")]
pub mod terminal;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The query binary, and the tables that it reads.
pub struct Program {
    /// The program.
    pub binary: PathBuf,
    /// The directory of the tables.
    pub tables: PathBuf,
}

impl Program {
    /// A query of a game whose answer is discarded.
    pub fn query(&self, game: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg(game).arg("--tables").arg(&self.tables).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// Work that is timed: `count` times one `unit` of it.
pub struct Contestant<'a> {
    /// What it is called in a report.
    pub name: String,
    /// What is counted.
    pub unit: &'static str,
    /// Units in one run.
    pub count: usize,
    work: Box<dyn FnMut() + 'a>,
}

impl<'a> Contestant<'a> {
    /// Work that does `count` units each time it is called.
    pub fn new(name: impl Into<String>, unit: &'static str, count: usize, work: impl FnMut() + 'a) -> Contestant<'a> {
        Contestant { name: name.into(), unit, count, work: Box::new(work) }
    }

    /// The same contestant after one run that is not timed.
    pub fn warmed_up(mut self) -> Contestant<'a> {
        (self.work)();
        self
    }

    /// One run of a process.
    pub fn process(name: impl Into<String>, mut command: Command) -> Contestant<'a> {
        Contestant::new(name, "runs", 1, move || run(&mut command))
    }
}

/// The median seconds of each contestant. They take turns, so that a slow moment of the machine affects all of them.
pub fn medians(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..rounds {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (contestant.work)();
            times.push(start.elapsed());
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

/// Runs a process that must succeed.
pub fn run(command: &mut Command) {
    let status = command.status().expect("the program starts");
    assert!(status.success(), "{command:?} failed");
}

/// The pause between two measurements of the memory of a process.
const MEMORY_INTERVAL: Duration = Duration::from_millis(2);
/// A process of fewer seconds ends before its memory can be measured.
const UNMEASURED: f64 = 0.02;
/// A process of fewer seconds is timed in several runs, in which its memory is not measured.
const SHORT: f64 = 0.5;
const RUNS_OF_SHORT: usize = 5;

/// The cost of one run of a process.
#[derive(Clone, Copy)]
pub struct Cost {
    /// Wall-clock time from its start to its end.
    pub seconds: f64,
    /// The peak of its memory; `None` if it ended too soon to be measured.
    pub peak_mebibytes: Option<f64>,
}

/// Runs a process that must succeed, and measures its time and memory.
pub fn cost(command: &mut Command) -> io::Result<Cost> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut peak = 0;
    let status = loop {
        // The peak cannot be read after the process has ended, so the last measurement before counts.
        peak = peak.max(peak_kibibytes(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(MEMORY_INTERVAL);
    };
    assert!(status.success(), "{command:?} failed");
    let seconds = start.elapsed().as_secs_f64();
    Ok(Cost { seconds, peak_mebibytes: (seconds >= UNMEASURED).then_some(peak as f64 / 1024.0) })
}

/// The cost of a run. For a short process the time is the median of several runs.
pub fn typical_cost(command: &mut Command) -> io::Result<Cost> {
    let watched = cost(command)?;
    if watched.seconds >= SHORT {
        return Ok(watched);
    }
    let times = (0..RUNS_OF_SHORT).map(|_| {
        let start = Instant::now();
        run(command);
        start.elapsed()
    });
    Ok(Cost { seconds: median(times.collect()), ..watched })
}

/// The run of median length.
pub fn median_cost(mut costs: Vec<Cost>) -> Cost {
    costs.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    costs[costs.len() / 2]
}

/// The peak of the memory of a running process, in KiB, where the system reports it.
pub fn peak_kibibytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}
