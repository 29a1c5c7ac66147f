//! Coloured Jenga: one player, a die and a tower; how many minutes the game lasts under best play.
//!
//! Every minute the die names a colour. The player takes a block of it from below the top and puts it on the top, or
//! waits where that is impossible, and chooses so that the game is expected to end as soon as it can.

pub mod answer;
pub mod form;
pub mod index;
pub mod judge;
pub mod rules;

pub use answer::{Advice, Answers, Choice};
pub use form::Form;
pub use rules::{Colour, Level, Minutes, Move, Place, Spot, Tower};
