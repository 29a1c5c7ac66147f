//! The kit solves your own game into a table.
//!
//! You implement [`Rules`]. [`main`] turns them into a program that solves the game, answers questions about positions,
//! explains every move, plays against you and checks its table. `docs/your-own-game.md` builds a game step by step.
//!
//! ```
//! use tabletop::kit::{Node, Precision, Rules, solve};
//!
//! /// Two players take turns to subtract one or two. The player who reaches zero wins.
//! struct TenToZero;
//!
//! impl Rules for TenToZero {
//!     type Position = u8;
//!     type Move = u8;
//!
//!     fn name(&self) -> &str {
//!         "ten-to-zero"
//!     }
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

#[cfg(test)]
mod brute_force;
mod check;
mod collapse;
mod command;
mod distance;
mod eliminate;
mod error;
mod explain;
mod explore;
mod explored;
mod failure;
mod file;
mod formula;
mod iterate;
mod key;
mod number;
mod order;
mod plain;
mod play;
mod policy;
mod ranked;
mod repeat;
mod retrograde;
mod rules;
mod show;
mod solve;
mod solved;
mod speak;
mod stats;
#[cfg(test)]
mod tests;
mod transient;
mod value;

pub use command::{main, main_with};
pub use error::{BadRules, Fault};
pub use explored::{Explored, Numbers};
pub use file::{Answers, spec};
pub use formula::MAX_DEPTH;
pub use number::{Arithmetic, Bounds, Closed, Number};
pub use plain::Plain;
pub use rules::{Cycles, Goal, Node, Outcome, Rules, Step};
pub use show::{Cell, Colour, Look, Shape, Touch};
pub use solve::{Effort, Precision, Solution, solve};
pub use solved::{Solved, SolvedMove};
pub use speak::Raised;
pub use value::{Value, Worth};
