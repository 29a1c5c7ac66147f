//! Dice poker: two players, five dice each, one reroll each.
//!
//! A rerolls any of his dice, then B, who sees A's final hand, rerolls any of hers. A wins with the heavier hand; equal
//! hands are not a win.

pub mod answer;
pub mod index;
pub mod judge;
pub mod rules;

pub use answer::{Advice, Adviser, Answers, Chance, Choice};
pub use judge::Case;
pub use rules::{Arrangement, Hand, Kept, Weight};
