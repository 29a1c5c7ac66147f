//! Precomputed answers to games.
//!
//! The generator (`tabletop-gen`) solves a bounded game once and writes a compressed table; this library maps the table
//! into memory and answers by lookup plus light search. Every game is a module with the same rooms, as far as it needs them: `rules` (what the
//! game is), `index` (position to number), `judge` (the contest's text) and `answer` (value and ranked moves).
//!
//! ```
//! # fn main() -> Result<(), tabletop::table::TableError> {
//! use tabletop::dice::{Case, Hand, Adviser, answer::Stage};
//! use tabletop::table::Places;
//!
//! let adviser = Adviser::open(&Places::only("tables"))?;
//! let case = Case { a: Hand::new([1, 2, 3, 1, 1]).unwrap(), b: Hand::new([1, 2, 3, 4, 5]).unwrap() };
//! let best = adviser.advise(case, Stage::FirstRolls)?.choices[0];
//! assert_eq!(best.keep.kept.to_string(), "1 1 1");
//! assert_eq!(best.chance.fraction(), "20101/46656");
//! # Ok(())
//! # }
//! ```

pub mod balda;
pub mod codenames;
pub mod dice;
pub mod hopchess;
pub mod input;
pub mod jenga;
pub mod table;

use table::Spec;

/// Every table that the games of this library look for, in the order in which they are listed to people.
pub const TABLES: &[&Spec] = &[
    &dice::index::PAIRS,
    &dice::index::HANDS,
    &dice::index::REROLLS,
    &jenga::index::TOWERS,
    &hopchess::index::BOARDS,
    &hopchess::index::ROWS,
    &balda::index::ENGLISH,
    &balda::index::RUSSIAN,
    &balda::index::TURKISH,
    &balda::library::ENGLISH,
    &balda::library::RUSSIAN,
    &balda::library::TURKISH,
];

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
