//! The command line: arguments to a game's rooms, their answers to text.

mod balda;
mod codenames;
mod completions;
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
use clap::{Arg, ArgMatches, Args, FromArgMatches, value_parser};
use tabletop::table::Places;

use failure::Failure;

/// The argument that names the directory of the tables.
const TABLES: &str = "tables";

/// A command of the program.
struct Command {
    name: &'static str,
    /// What the overview says of it.
    about: &'static str,
    /// Adds its arguments. Most runs need those of one command only, and to set up all of them would take a fifth of a
    /// cold query, so this waits until the command is called.
    arguments: fn(clap::Command) -> clap::Command,
    run: fn(&ArgMatches, &Places) -> Result<(), Failure>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "dice",
        about: dice::ABOUT,
        arguments: dice::DiceArguments::augment_args,
        run: |matches, places| dice::run(&parsed(matches)?, places),
    },
    Command {
        name: "jenga",
        about: jenga::ABOUT,
        arguments: jenga::JengaArguments::augment_args,
        run: |matches, places| jenga::run(&parsed(matches)?, places),
    },
    Command {
        name: "hopchess",
        about: hopchess::ABOUT,
        arguments: hopchess::HopchessArguments::augment_args,
        run: |matches, places| hopchess::run(&parsed(matches)?, places),
    },
    Command {
        name: "codenames",
        about: codenames::ABOUT,
        arguments: codenames::CodenamesArguments::augment_args,
        run: |matches, _| codenames::run(&parsed(matches)?),
    },
    Command {
        name: "balda",
        about: balda::ABOUT,
        arguments: balda::BaldaArguments::augment_args,
        run: |matches, places| balda::run(&parsed(matches)?, places),
    },
    Command {
        name: "tables",
        about: tables::ABOUT,
        arguments: tables::TablesArguments::augment_args,
        run: |matches, places| tables::run(&parsed(matches)?, places),
    },
    Command {
        name: "completions",
        about: completions::ABOUT,
        arguments: completions::CompletionsArguments::augment_args,
        run: |matches, _| completions::run(&parsed(matches)?),
    },
];

/// The whole command line.
fn command_line() -> clap::Command {
    let tables = Arg::new(TABLES)
        .long(TABLES)
        .global(true)
        .value_name("DIR")
        .help("Look for tables in DIR and nowhere else")
        .value_parser(value_parser!(PathBuf));
    let commands =
        COMMANDS.iter().map(|command| clap::Command::new(command.name).about(command.about).defer(command.arguments));
    clap::Command::new("tabletop")
        .about("Exact answers to games, from tables computed once")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg(tables)
        .subcommands(commands)
}

/// Runs the program that its arguments ask for.
pub(crate) fn run() -> ExitCode {
    if std::env::args_os().len() == 1 {
        return welcome::show();
    }
    let outcome = match command_line().try_get_matches() {
        Ok(matches) => dispatch(&matches),
        Err(error) => show_clap_message(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(matches: &ArgMatches) -> Result<(), Failure> {
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    let command = COMMANDS.iter().find(|command| command.name == name).expect("clap knows the commands from this list");
    let tables: Option<&PathBuf> = matches.get_one(TABLES);
    let places = tables.map_or_else(Places::from_environment, Places::only);
    (command.run)(matches, &places)
}

/// The arguments that a command's matches hold.
fn parsed<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Failure> {
    A::from_arg_matches(matches).map_err(|error| usage(&error))
}

/// Help and version are answers; everything else that clap says is a usage error.
fn show_clap_message(error: &clap::Error) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print_answer(error.render().to_string().as_bytes()),
        _ => Err(usage(error)),
    }
}

fn usage(error: &clap::Error) -> Failure {
    Failure::Usage(format!("arguments: {}", error.render().to_string().trim_start_matches("error: ").trim_end()))
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
