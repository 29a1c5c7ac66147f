//! Solves the games of tabletop and writes their tables.
//!
//! Each game has its solver under its own name, and beside it a `referee`: a plain solver that shares nothing with it but
//! the rules. Tests, benches and `--check` ask the referees.

#![forbid(unsafe_code)]

mod boards;
mod check;
pub mod cli;
pub mod dice;
mod generator;
pub mod hopchess;
mod install;
pub mod jenga;
mod progress;
mod publish;
mod report;
mod sums;
pub mod words;
