//! Runs a command. A separate runner process starts it, limits it, and kills every process that it leaves behind.
//!
//! ```text
//!                                   ┌─────────── pid namespace ───────────┐
//!   tester ─starts─▶ supervisor ─starts─▶ runner ──input──▶ command ─▶ …  │
//!     ▲ │                           │     ▲ │    ◀─output──               │
//!     │ └─────────requests────────────────┘ │                             │
//!     └───────────────runs──────────────────┘                             │
//!                                   └─────────────────────────────────────┘
//! ```
//!
//! The supervisor only waits for the runner, and the kernel kills it when the tester dies, and the runner when it dies.
//! The runner is the first process of its pid namespace. The command cannot signal a process outside, the kernel discards
//! SIGSTOP and SIGKILL from inside to the first process, and it kills the whole namespace when the first process dies.
//!
//! If the kernel refuses a namespace, there is no supervisor, and the runner adopts orphaned processes of the command. The
//! tester adopts the orphans of a killed runner. The tester continues a stopped runner, and the runner a stopped tester.
//!
//! The runner is a small process because the measured peak memory of a new process includes the memory of its parent at
//! the start. When its standard input is closed, for example because the tester was killed, it kills everything that it
//! started and exits.

#[cfg(target_os = "linux")]
mod client;
#[cfg(target_os = "linux")]
mod descendants;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod surroundings;

use std::ffi::OsString;
use std::time::Duration;

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
pub use client::{Interrupt, Runner};
#[cfg(target_os = "linux")]
pub use descendants::Orphans;
#[cfg(target_os = "linux")]
pub(crate) use server::{ARGUMENT, serve};

/// The limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Standard output in bytes.
    pub output: u64,
    /// Writable memory of each process, and resident memory of all processes together, in bytes.
    pub memory: u64,
}

/// Where the processes of a command live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespace {
    /// In a pid namespace of their own if the kernel allows it, else as `Shared`.
    Own,
    /// In the pid namespace of the tester.
    Shared,
}

/// A command with its limits.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The limits of each run.
    pub limits: Limits,
    /// Where its processes live.
    pub namespace: Namespace,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// It was killed by this signal, which the runner did not send.
    Signalled(i32),
    /// It exceeded the time limit.
    TimeLimit,
    /// It exceeded the output limit.
    OutputLimit,
    /// Its processes together exceeded the memory limit.
    MemoryLimit,
    /// It could not be started, for this reason.
    Unstartable(String),
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// Wall-clock time.
    pub time: Duration,
    /// The peak memory of one of its processes, in bytes.
    pub memory: u64,
    /// Standard output, up to the limit.
    pub output: Vec<u8>,
    /// The beginning of standard error.
    pub errors: Vec<u8>,
}

/// The header line before an input. `input` is its length in bytes.
#[derive(Debug, Serialize, Deserialize)]
struct RequestHeader {
    microseconds: u64,
    input: usize,
}

/// The header line before an output. `output` and `errors` are lengths in bytes.
#[derive(Debug, Serialize, Deserialize)]
struct RunHeader {
    ending: Ending,
    microseconds: u64,
    memory: u64,
    output: usize,
    errors: usize,
}
