//! Tests a program against exact answers, and writes test data.
//!
//! `stress` draws inputs of a game, feeds them to a command through a [`runner`] process, judges the outputs, and shrinks
//! the first input on which the command fails.

#![forbid(unsafe_code)]

pub mod cli;
pub mod data;
pub mod failure;
pub mod plan;
#[cfg(target_os = "linux")]
pub mod report;
pub mod runner;
#[cfg(target_os = "linux")]
pub mod shrink;
#[cfg(target_os = "linux")]
pub mod stress;
pub mod verdict;

pub use verdict::{Judgement, Verdict};
