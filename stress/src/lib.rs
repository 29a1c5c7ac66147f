//! Tests somebody's program against exact answers, and writes test data.
//!
//! A [`Subject`] is a game as a tester sees it: it draws inputs, judges outputs and makes inputs smaller. Every game of
//! the library is one through [`Exact`]; Balda, which is played rather than answered, is one of its own. `stress` feeds
//! inputs to a command that a [`runner`] process runs, and makes the first one that it fails on smaller.

#![forbid(unsafe_code)]

pub mod balda;
pub mod cli;
pub mod data;
pub mod exact;
pub mod failure;
pub mod plan;
#[cfg(target_os = "linux")]
pub mod report;
pub mod runner;
#[cfg(target_os = "linux")]
pub mod shrink;
#[cfg(target_os = "linux")]
pub mod stress;
pub mod subject;
pub mod verdict;

pub use exact::Exact;
pub use subject::Subject;
pub use verdict::{Judgement, Verdict};
