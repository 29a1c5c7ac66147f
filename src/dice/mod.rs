//! Dice poker: two players, five dice each, one reroll each.
//!
//! A rerolls any of his dice, then B, who sees A's final hand, rerolls any of hers. A wins with the heavier hand; equal
//! hands are not a win.

pub mod answer;
pub mod chance;
pub mod index;
pub mod judge;
pub mod rules;

pub use answer::{Advice, Adviser, Answers, Choice};
pub use chance::Chance;
pub use rules::{Arrangement, Case, Hand, Kept, Weight};
