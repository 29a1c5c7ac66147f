//! The solver: computes the value of every position, each after all positions that it leads to.
//!
//! Three methods share the closed form of [`turn`].
//!
//! - [`rows`] keeps a bound per set of unrevealed cards, team and hint. These bounds exclude nearly all hints but take
//!   memory: 14 MiB for a board at the contest's limits (15 cards, 50 hints), twice as much for each further card.
//! - [`strips`] keeps only the values, and uses vectors and a weaker bound. It is at most three times slower, and a
//!   real board of 25 cards fits in 256 MiB.
//! - [`counts`] counts interchangeable cards instead of enumerating their sets.
//!
//! `rows` is used if its rows fit in [`solver::ROWS_LIMIT`], else `strips`. `counts` is used where [`effort`] expects it to be
//! faster.
//!
//! The first two rely on the compiler for vector instructions, and it may use only the oldest ones of the target. With
//! the newest ones, a board of 25 cards was solved a sixth faster. That is not enough to choose at run time, which
//! would need unsafe code.

mod blocks;
mod classes;
mod counts;
mod effort;
mod error;
mod live;
mod memory;
mod rows;
mod solution;
mod solver;
mod stop;
mod strips;
#[cfg(test)]
mod tests;
mod threads;
mod turn;

pub use effort::Effort;
pub use error::SolveError;
pub use solution::Solution;
pub use solver::{Method, Solver};
