//! Tests of the kit: the example programs, small games, and rules with errors.

mod bad_rules;
mod iteration;
mod program;
mod published;
mod ranked;
mod solver;
mod support;
mod tutorial;
