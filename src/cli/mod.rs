//! The command line: arguments to a game's rooms, their answers to text.

mod codenames;
mod dice;
mod failure;
mod hopchess;
mod jenga;
mod paint;
mod query;
mod tables;
mod welcome;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tabletop::table::Places;

use failure::Failure;

/// Exact answers to games, from tables computed once
#[derive(Parser)]
#[command(name = "tabletop", version, subcommand_required = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Look for tables in DIR and nowhere else
    #[arg(long, global = true, value_name = "DIR")]
    tables: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    Dice(dice::DiceArguments),
    Jenga(jenga::JengaArguments),
    Hopchess(hopchess::HopchessArguments),
    Codenames(codenames::CodenamesArguments),
    Tables(tables::TablesArguments),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  tabletop completions bash > ~/.local/share/bash-completion/completions/tabletop"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Runs the program that its arguments ask for.
pub(crate) fn run() -> ExitCode {
    if std::env::args_os().len() == 1 {
        return welcome::show();
    }
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => dispatch(arguments),
        Err(error) => show_clap_message(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    let places = arguments.tables.map_or_else(Places::from_environment, Places::only);
    match arguments.command {
        Command::Dice(arguments) => dice::run(&arguments, &places),
        Command::Jenga(arguments) => jenga::run(&arguments, &places),
        Command::Hopchess(arguments) => hopchess::run(&arguments, &places),
        Command::Codenames(arguments) => codenames::run(&arguments),
        Command::Tables(arguments) => tables::run(&arguments, &places),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "tabletop", &mut script);
            print_answer(&script)
        }
    }
}

/// Help and version are answers; everything else that clap says is a usage error.
fn show_clap_message(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print_answer(text.as_bytes()),
        _ => Err(Failure::Usage(text.trim_start_matches("error: ").trim_end().to_owned())),
    }
}

/// Writes a complete answer to standard output.
fn print_answer(answer: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(answer).and_then(|()| stdout.flush()).map_err(Failure::output("stdout"))
}

/// Whether escape sequences may be printed on standard output.
fn stdout_paint() -> paint::Paint {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !refused && !dumb { paint::Paint::Colour } else { paint::Paint::Plain }
}
