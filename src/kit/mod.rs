//! The kit solves your own game into a table.
//!
//! You implement [`Rules`]. [`main`] turns them into a program that solves the game, answers questions about positions,
//! explains every move and checks its table. `docs/your-own-game.md` builds a game step by step.
//!
//! ```
//! use tabletop::kit::{Node, Precision, Rules, solve};
//!
//! /// Two players take turns to subtract one or two. The player who reaches zero wins.
//! struct TenToZero;
//!
//! impl Rules for TenToZero {
//!     const NAME: &'static str = "ten-to-zero";
//!     type Position = u8;
//!     type Move = u8;
//!
//!     fn starts(&self) -> Vec<u8> {
//!         vec![10]
//!     }
//!
//!     fn node(&self, left: &u8) -> Node<Self> {
//!         if *left == 0 {
//!             return Node::over(-1);
//!         }
//!         Node::max((1..=2.min(*left)).map(|step| (step, Node::turn(left - step))))
//!     }
//! }
//!
//! # fn main() -> Result<(), tabletop::kit::BadRules> {
//! let solution = solve(&TenToZero, Precision::Doubles)?;
//! assert_eq!(solution.value(&TenToZero, &10).unwrap().to_string(), "1 in 7 moves");
//! # Ok(())
//! # }
//! ```

mod check;
mod command;
mod distance;
mod error;
mod explain;
mod explore;
mod failure;
mod file;
mod formula;
mod iterate;
mod key;
mod number;
mod order;
mod plain;
pub mod publish;
mod rules;
mod solve;
mod stats;
#[cfg(test)]
mod tests;
mod value;

pub use command::main;
pub use error::BadRules;
pub use file::{Answers, spec};
pub use number::{Arithmetic, Bounds, Closed, Number};
pub use plain::Plain;
pub use rules::{Cycles, Goal, Node, Outcome, Rules, Step};
pub use solve::{Effort, Precision, Solution, solve};
pub use value::{Value, Worth};
