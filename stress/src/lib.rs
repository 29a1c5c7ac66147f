//! Tests a program against exact answers, and writes test data.
//!
//! A [`Subject`] is a game for the tester: it draws inputs, judges outputs and makes inputs smaller. [`Exact`] makes a
//! subject of every game with exact answers; Balda, which is played, has its own. `stress` feeds inputs to a command
//! through a [`runner`] process, and shrinks the first input on which the command fails.

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
