//! Running a command: a process of its own starts it, limits it, and ends everything that it leaves behind.
//!
//! ```text
//!   tabletop-stress ──requests──▶ runner ──input──▶ command ─▶ its children
//!                   ◀───runs────         ◀─output──
//! ```
//!
//! The runner is a small process, so that the command's peak memory is the command's own: a process counts what its
//! parent held when it was started. The runner adopts what the command leaves behind, and it ends with everything that it
//! started when the requests end, however the tester itself ended.

#[cfg(target_os = "linux")]
mod client;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod server;

use std::ffi::OsString;
use std::time::Duration;

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
pub use client::{Interrupt, Runner};
#[cfg(target_os = "linux")]
pub(crate) use server::{ARGUMENT, serve};

/// What a command may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall clock from its start to its end.
    pub time: Duration,
    /// Bytes on standard output.
    pub output: u64,
    /// Bytes of memory that each of its processes can write to.
    pub memory: u64,
}

/// A command with its limits.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// What it may take.
    pub limits: Limits,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// With this exit code.
    Exited(i32),
    /// By this signal, which was not ours.
    Signalled(i32),
    /// It was still running when its time was over.
    TimeLimit,
    /// It had printed too much.
    OutputLimit,
    /// It could not be started, for this reason.
    Unstartable(String),
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// Wall clock from its start to its end.
    pub time: Duration,
    /// The most memory that one of its processes held, in bytes.
    pub memory: u64,
    /// Standard output, up to its limit.
    pub output: Vec<u8>,
    /// The beginning of standard error.
    pub errors: Vec<u8>,
}

/// The line before an input.
#[derive(Debug, Serialize, Deserialize)]
struct RequestHeader {
    microseconds: u64,
    input: usize,
}

/// The line before an output.
#[derive(Debug, Serialize, Deserialize)]
struct RunHeader {
    ending: Ending,
    microseconds: u64,
    memory: u64,
    output: usize,
    errors: usize,
}
