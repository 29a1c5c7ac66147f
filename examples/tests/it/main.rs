//! The kit, by the programs that are made with it and by games that go wrong.

mod bad_rules;
mod iteration;
mod program;
mod published;
mod solver;
mod support;
mod tutorial;
