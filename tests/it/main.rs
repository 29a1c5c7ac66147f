//! The library and the real binary, as their users see them.

mod balda_cli;
mod balda_limits;
mod codenames_cli;
mod codenames_judge;
mod codenames_referee;
mod command_line;
mod concurrency;
mod container;
mod damage;
mod dice_cli;
mod dice_judge;
mod errors;
mod fuzz;
mod games;
mod hopchess_cli;
mod hopchess_judge;
mod install;
mod jenga_cli;
mod jenga_judge;
#[cfg(unix)]
mod overwritten;
mod resources;
mod split;
mod support;
mod tables_cli;
mod terminal;
