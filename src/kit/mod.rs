//! The kit solves your own game into a table.
//!
//! You implement [`Rules`]. [`main`] turns them into a program that solves the game, answers questions about positions,
//! explains every move, plays against you and checks its table. `docs/your-own-game.md` builds a game step by step.
//!
//! A program that only answers from a table needs the feature `solved` and not `kit`: [`Solved`] is there without the
//! solver and its dependencies. Tables of exact fractions also need the feature `fractions`.
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

// Reading a solved game.
mod ask;
mod distance;
mod error;
mod examples;
mod explain;
mod file;
#[cfg(feature = "fractions")]
mod fraction;
mod key;
mod no_answer;
mod number;
#[cfg(not(feature = "kit"))]
mod program;
mod rules;
mod show;
mod solved;
mod speak;
mod transient;
mod value;
mod walk;

// Solving a game.
#[cfg(feature = "kit")]
mod check;
#[cfg(feature = "kit")]
mod closed;
#[cfg(feature = "kit")]
mod collapse;
#[cfg(feature = "kit")]
mod command;
#[cfg(feature = "kit")]
mod eliminate;
#[cfg(feature = "kit")]
mod explore;
#[cfg(feature = "kit")]
mod explored;
#[cfg(feature = "kit")]
mod facts;
#[cfg(feature = "kit")]
mod failure;
#[cfg(feature = "kit")]
mod formula;
#[cfg(feature = "kit")]
mod graph;
#[cfg(feature = "kit")]
mod iterate;
#[cfg(feature = "kit")]
mod keys;
#[cfg(feature = "kit")]
mod order;
#[cfg(feature = "kit")]
mod plain;
#[cfg(feature = "kit")]
mod play;
#[cfg(feature = "kit")]
mod policy;
#[cfg(feature = "kit")]
mod ranked;
#[cfg(feature = "kit")]
mod repeat;
#[cfg(feature = "kit")]
mod retrograde;
#[cfg(feature = "kit")]
mod rule_checks;
#[cfg(feature = "kit")]
mod scheme;
#[cfg(feature = "kit")]
mod solve;
#[cfg(feature = "kit")]
mod stats;

#[cfg(all(test, feature = "kit"))]
mod brute_force;
#[cfg(all(test, feature = "kit"))]
mod tests;
#[cfg(all(test, feature = "kit"))]
mod toy;

pub use ask::PositionText;
pub use error::{BadRules, Fault};
pub use explain::Explanation;
pub use file::{Answers, SolvedPosition, spec};
pub use no_answer::NoAnswer;
pub use number::{Arithmetic, Bounds, Number};
pub use rules::{Cycles, Goal, Node, Outcome, Rules, Step};
pub use show::{Cell, Colour, Look, Shape, Touch};
pub use solved::{Solved, SolvedMove};
pub use speak::Raised;
pub use value::{Value, Worth};
pub use walk::MAX_DEPTH;

#[cfg(feature = "kit")]
pub use self::{
    closed::Closed,
    command::{main, main_with},
    explored::{Explored, Numbers},
    plain::Plain,
    solve::{Effort, Precision, Solution, solve},
};
#[cfg(not(feature = "kit"))]
pub use program::main;
