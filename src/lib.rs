//! Precomputed answers to games.
//!
//! The generator (`tabletop-gen`) solves a bounded game once and writes a compressed table. This library maps the table
//! into memory and answers by lookup plus light search. Every game is a type that implements [`game::Game`]:
//! [`dice::Dice`], [`jenga::Jenga`], [`hopchess::Hopchess`] and [`codenames::Codenames`]. The word game [`balda`] has
//! no exact answers; the library plays it.
//!
//! ```
//! use tabletop::dice::{Case, Dice};
//! use tabletop::game::Game;
//! use tabletop::table::Places;
//!
//! let dice = Dice::open(&Places::only("tables"))?;
//! let case = Case::first_rolls("6 6 6 6 6".parse()?, "1 2 3 4 5".parse()?);
//! assert_eq!(dice.value(&case)?.to_string(), "0.999871");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every game has the same modules, as far as it needs them: `rules` (types and legal moves), `index` (position to
//! rank), `judge` (the contest's text), `answer` (value and ranked moves), `explain` (answers as text and JSON) and
//! `sample` (seeded cases).

#![warn(missing_debug_implementations)]

pub mod balda;
#[cfg(feature = "bars")]
pub mod bars;
/// The command line of the query, for the binary and for the programs that generate its documentation.
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
pub mod codenames;
mod combinations;
pub mod dice;
#[cfg(any(feature = "door", feature = "solved"))]
pub mod door;
pub mod explain;
pub mod game;
pub mod hopchess;
pub mod input;
#[doc(hidden)]
pub mod internal;
pub mod jenga;
#[cfg(feature = "solved")]
pub mod kit;
#[cfg(any(feature = "door", feature = "json"))]
mod program;
#[cfg(feature = "publish")]
pub mod publish;
mod ranked;
#[cfg(feature = "json")]
pub mod request;
pub mod seeded;
pub mod table;
pub mod text;

#[cfg(feature = "cli")]
extern crate self as tabletop;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
