//! The command line: parses the arguments, runs the command and prints the answers.

mod balda;
mod completions;
mod external;
mod failure;
mod game;
mod input;
mod output;
mod query;
mod split;
mod tables;
mod welcome;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, value_parser};
use tabletop::door::{self, Failure};
use tabletop::explain::Paint;
use tabletop::game::{PROFILES, Profile};
use tabletop::table::Places;

/// The argument that names the directory of the tables.
const TABLES: &str = "tables";
/// The argument that reads tables instead of mapping them.
const NO_MAP: &str = "no-map";

/// A command of the program.
struct Command {
    name: &'static str,
    /// Its line in the overview of all commands.
    about: &'static str,
    /// Adds its arguments. This is called only for the command that runs: setting up the arguments of all commands
    /// would take a fifth of the time of a cold query.
    arguments: fn(clap::Command) -> clap::Command,
    run: fn(&str, &ArgMatches, &Places) -> Result<(), Failure>,
}

/// Every command: the games in listing order, then the others.
fn commands() -> Vec<Command> {
    let game = |&&Profile { name, about, .. }: &&_| match name == balda::PROFILE.name {
        false => Command { name, about, arguments: game::arguments, run: game::run },
        true => Command {
            name,
            about,
            arguments: balda::BaldaArguments::augment_args,
            run: |_, matches, places| balda::run(&parsed(matches)?, places),
        },
    };
    let mut commands: Vec<Command> = PROFILES.iter().map(game).collect();
    commands.extend([
        Command {
            name: "tables",
            about: tables::ABOUT,
            arguments: tables::TablesArguments::augment_args,
            run: |_, matches, places| tables::run(&parsed(matches)?, places),
        },
        Command {
            name: "completions",
            about: completions::ABOUT,
            arguments: completions::CompletionsArguments::augment_args,
            run: |_, matches, _| completions::run(&parsed(matches)?),
        },
    ]);
    commands
}

/// The whole command line.
pub fn command_line() -> clap::Command {
    let tables = Arg::new(TABLES)
        .long(TABLES)
        .global(true)
        .value_name("DIR")
        .help("Look for tables in DIR and nowhere else")
        .value_parser(value_parser!(PathBuf));
    let no_map = Arg::new(NO_MAP)
        .long(NO_MAP)
        .global(true)
        .action(ArgAction::SetTrue)
        .help("Read tables into memory instead of mapping them");
    let commands = commands();
    let commands =
        commands.iter().map(|command| clap::Command::new(command.name).about(command.about).defer(command.arguments));
    clap::Command::new("tabletop")
        .about("Exact answers to games, from tables computed once")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .after_help(external::help())
        .args([tables, no_map])
        .subcommands(commands)
}

/// The command line with the programs that `tabletop NAME` runs, for completions. The options of all commands are only
/// those of the commands in this program.
pub fn command_line_with_programs() -> clap::Command {
    let command_line = command_line().mut_args(|option| option.global(false));
    let options: Vec<Arg> = command_line.get_arguments().cloned().collect();
    command_line.mut_subcommands(|command| command.args(&options)).subcommands(external::commands())
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    if std::env::args_os().len() == 1 {
        return welcome::show();
    }
    // An unknown command NAME runs the program `tabletop-NAME`.
    let outcome = match command_line().allow_external_subcommands(true).try_get_matches() {
        Ok(matches) => dispatch(&matches),
        Err(error) if error.use_stderr() => Err(usage(&error)),
        Err(answer) => door::show(&answer),
    };
    outcome.unwrap_or_else(|failure| failure.report("tabletop"))
}

fn dispatch(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let (name, arguments) = matches.subcommand().expect("clap requires a command");
    let Some(command) = commands().into_iter().find(|command| command.name == name) else {
        return external::run(name, matches, arguments);
    };
    let tables: Option<&PathBuf> = arguments.get_one(TABLES);
    let places = tables.map_or_else(Places::from_environment, Places::only);
    let places = if arguments.get_flag(NO_MAP) { places.in_memory() } else { places };
    (command.run)(name, arguments, &places).map(|()| ExitCode::SUCCESS)
}

/// A command's arguments as a struct.
fn parsed<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Failure> {
    A::from_arg_matches(matches).map_err(|error| usage(&error))
}

fn usage(error: &clap::Error) -> Failure {
    let mut text = error.render().to_string();
    if error.kind() == ErrorKind::ArgumentConflict {
        // clap wrongly shows the file in the usage of an option that conflicts with it.
        text = text.replace(" [FILE]\n", "\n");
    }
    Failure::arguments(&text)
}

/// The named file, or `None` for standard input or output: no name, or `-`.
fn named(file: Option<&Path>) -> Option<&Path> {
    file.filter(|path| *path != Path::new("-"))
}

/// Whether the text on standard output may contain escape sequences.
fn stdout_paint() -> Paint {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !refused && !dumb { Paint::Colour } else { Paint::Plain }
}
