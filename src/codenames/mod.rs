//! Codenames: two teams, secret identities, and hints that both spymasters share.
//!
//! A board is different every time, so there is no table: the game is solved when it is asked for. Every guess reveals
//! a card, so it is enough to know the value of each set of unrevealed cards, the smaller sets first.

pub mod answer;
pub mod judge;
pub mod rules;
pub mod solve;

pub use answer::{Advice, Guess, Move, Outcome, Probability};
pub use rules::{Board, Card, CardSet, Identity, Team};
pub use solve::{LiveBoard, Progress, Run, Solution, TooLarge};
