//! Tests of the kit: the example programs, small games, and rules with errors.

mod bad_rules;
mod iteration;
mod large;
mod play;
mod program;
mod published;
mod ranked;
mod repeat;
mod solver;
mod speak;
mod support;
mod tutorial;
mod yahtzee;
