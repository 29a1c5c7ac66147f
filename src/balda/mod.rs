//! Balda: a word game on a square board, played alone for points.
//!
//! A word stands in the middle row. Each move puts a letter into an empty cell beside a filled one and reads a new word
//! through it, along neighbouring cells; a word scores its length.

pub mod alphabet;
pub mod anneal;
pub mod answer;
mod cells;
pub mod dawg;
pub mod dictionary;
mod evaluate;
pub mod index;
pub mod judge;
pub mod lexicon;
pub mod library;
pub mod position;
pub mod rules;
mod search;

pub use alphabet::{Alphabet, Language};
pub use dawg::Dawg;
pub use dictionary::{Dictionary, WordListHash};
pub use rules::{Board, Cell, Game, Move};
