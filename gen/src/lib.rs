//! Solves the games of tabletop and writes their tables.
//!
//! Each game has a module with its solver and a `referee`: a plain solver that shares at most the rules with it. Tests,
//! benches and `--check` compare the two.

#![forbid(unsafe_code)]

mod boards;
mod check;
pub mod cli;
pub mod dice;
mod generator;
pub mod hopchess;
mod install;
pub mod jenga;
mod publish;
mod report;
mod sums;
mod uninstall;
pub mod words;
