//! Hop chess: two players who err, on a rectangle of pieces that capture their neighbours.
//!
//! A move takes a neighbouring piece, whoever owns it; who cannot move loses. A player picks at random among his best
//! moves, as many as his error factor says, and both know that of each other.

pub mod answer;
mod bits;
pub mod chance;
pub mod index;
pub mod judge;
pub mod row;
pub mod rules;
pub mod search;

pub use answer::{Advice, Answers, Choice};
pub use chance::Chance;
pub use rules::{Board, Case, Cells, ErrorFactor, Factors, Move, Player, Position, Shape};
pub use search::Search;
