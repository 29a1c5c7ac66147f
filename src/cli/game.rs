//! The command of a game with exact answers: its arguments and settings.

use std::io::{self, IsTerminal, Write};

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use tabletop::game::{Game, GameOption, Profile, Progress, ReplyError, Role, Visitor};
use tabletop::text::visible;

use super::Command;
use super::failure::Failure;
use super::output::Output;
use super::query::{self, QueryArguments};

/// Collects the command of every game.
pub(super) struct Commands;

impl Visitor for Commands {
    type Output = Command;

    fn visit<G: Game>(&mut self) -> Command {
        Command {
            name: G::PROFILE.name,
            about: G::PROFILE.about,
            arguments: arguments::<G>,
            run: |matches, places| run(G::at(places), matches),
        }
    }
}

fn arguments<G: Game>(command: clap::Command) -> clap::Command {
    let Profile { about, help, options, .. } = G::PROFILE;
    let command = QueryArguments::augment_args(command).about(about).after_help(help);
    command.args(options.iter().map(argument))
}

fn argument(option: &GameOption) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(option.help);
    let argument = match option.value {
        Some(value) => argument.value_name(value).action(ArgAction::Set),
        None => argument.action(ArgAction::SetTrue),
    };
    match option.role {
        Role::Setting => argument,
        Role::Question => argument.conflicts_with_all(["file", "many", "explain"]),
    }
}

fn run<G: Game>(mut game: G, matches: &ArgMatches) -> Result<(), Failure> {
    let arguments = QueryArguments::from_arg_matches(matches).map_err(|error| super::usage(&error))?;
    for option in G::PROFILE.options {
        let value: Option<&String> = match option.value {
            Some(_) => matches.get_one(option.name),
            None => None,
        };
        match option.role {
            Role::Setting if value.is_some() || (option.value.is_none() && matches.get_flag(option.name)) => {
                game.set(option.name, value.map(String::as_str)).map_err(|error| wrong(option, value, &error))?;
            }
            Role::Question => {
                if let Some(value) = value {
                    return answer_question(&game, option, value, &arguments);
                }
            }
            Role::Setting => {}
        }
    }
    if arguments.shows_progress() {
        game.watch(Box::new(show_progress::<G>));
    }
    query::run(game, &arguments)
}

/// The error for a value that the game does not accept, worded like clap's errors.
fn wrong(option: &GameOption, value: Option<&String>, error: &str) -> Failure {
    let (name, value) = (option.name, visible(value.map_or("", String::as_str)));
    Failure::Usage(format!("arguments: invalid value '{value}' for '--{name}': {error}"))
}

fn answer_question<G: Game>(
    game: &G,
    option: &GameOption,
    value: &String,
    arguments: &QueryArguments,
) -> Result<(), Failure> {
    let reply = game.reply(option.name, value).map_err(|error| match error {
        ReplyError::Value(error) => wrong(option, Some(value), &error),
        ReplyError::Game(error) => error.into(),
    })?;
    let mut text = if arguments.wants_json() {
        let mut text = reply.to_json();
        text.push(b'\n');
        text
    } else {
        reply.to_text().into_bytes()
    };
    Output::open(arguments.output())?.finish(&mut text)
}

/// Prints the progress of a long answer on standard error. On a terminal, each line replaces the previous one.
fn show_progress<G: Game>(Progress { done, total }: Progress) {
    let line = format!("{}: {} % of the positions", G::PROFILE.name, 100 * done / total.max(1));
    let line = match (io::stderr().is_terminal(), done < total) {
        (true, true) => format!("\r{line} "),
        (true, false) => format!("\r{:1$}\r", "", line.len() + 1),
        (false, _) => format!("{line}\n"),
    };
    // If standard error is closed, nothing can be done.
    let _ = io::stderr().write_all(line.as_bytes());
}
