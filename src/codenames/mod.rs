//! Codenames: two teams, secret identities, and hints that both spymasters share.
//!
//! There are too many boards for a table, so each board is solved on request. Every guess reveals a card, so the solver
//! computes the value of each set of unrevealed cards, the smaller sets first.
//!
//! ```
//! use tabletop::codenames::{Board, Card, Identity, Run, Solver, Team};
//!
//! let cards = [
//!     Card::new("apple", Identity::Agent(Team::Blue)),
//!     Card::new("sleep", Identity::Agent(Team::Red)),
//!     Card::new("java", Identity::Innocent),
//!     Card::new("dog", Identity::Assassin),
//! ];
//! let board = Board::new(Team::Blue, cards, [["apple", "java"], ["apple", "dog"], ["sleep", "java"]])?;
//!
//! let solver = Solver::new(board)?;
//! assert!(solver.effort().seconds < 1.0);
//! let advice = solver.solve(Run::default())?.advise();
//! assert_eq!(advice.win.to_string(), "0.5000");
//! assert_eq!(advice.moves[0].to_string(), "hint 1 with number 1");
//!
//! // The contest's text, and the board after a guess that ends the turn.
//! let text = solver.board().to_string();
//! assert_eq!(text.parse::<Board>()?, *solver.board());
//! let java = &advice.best.unwrap().guesses[1];
//! assert_eq!(java.outcome.to_string(), "ends the turn");
//! let next = java.next.as_ref().unwrap();
//! assert!(next.to_string().starts_with("4 R\napple sleep java dog\nB R . A\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod answer;
mod explain;
mod game;
pub(crate) mod judge;
pub(crate) mod rules;
pub mod sample;
pub(crate) mod solve;

pub use answer::{Advice, BestMove, Guess, Move, Outcome, Probability};
pub use explain::BoardAdvice;
pub use game::Codenames;
pub use rules::{
    Board, BoardError, Card, CardSet, GuessError, Guessing, Identity, MAX_CARDS, MAX_HINTS, MAX_WORD_BYTES, Team,
};
pub use solve::{Effort, Method, Solution, SolveError, Solver};

pub use crate::game::{PATIENCE, Progress, Run};
