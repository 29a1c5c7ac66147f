//! The solvers against their referees, and the generator through its real binary.

mod command_line;
mod dice_referee;
mod hopchess_referee;
mod install;
mod interrupted;
mod jenga_referee;
mod support;
mod terminal;
