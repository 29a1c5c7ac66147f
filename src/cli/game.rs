//! The command of a game with exact answers: its arguments and settings.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use tabletop::door::Failure;
use tabletop::game::{
    GameOption, OptionKind, PROFILES, Profile, Progress, Reply, ReplyError, Role, Run, TextGame, exact_game,
};
use tabletop::table::Places;
use tabletop::text::visible;

use super::failure::limit_failure;
use super::output::Output;
use super::query::{self, QueryArguments};

/// Adds the arguments of the game that the command names.
pub(super) fn arguments(command: clap::Command) -> clap::Command {
    let Profile { about, help, options, .. } = profile(command.get_name());
    let command = QueryArguments::augment_args(command).about(about).after_help(help);
    command.args(options.iter().map(argument))
}

/// The profile of the game with this name.
fn profile(name: &str) -> &'static Profile<'static> {
    PROFILES.iter().find(|profile| profile.name == name).expect("every command has a profile")
}

fn argument(option: &'static GameOption<'static>) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(option.help);
    let argument = match option.kind.placeholder() {
        Some(placeholder) => argument.value_name(placeholder).action(ArgAction::Set),
        None => argument.action(ArgAction::SetTrue),
    };
    match option.role {
        Role::Setting => argument,
        Role::Question => argument.conflicts_with_all(["file", "many", "split", "explain"]),
        Role::View => argument.conflicts_with_all(["many", "split", "explain"]),
    }
}

/// Answers the command of this name.
pub(super) fn run(name: &str, matches: &ArgMatches, places: &Places) -> Result<(), Failure> {
    let mut game = exact_game(name, places).expect("every command has a game");
    let arguments = QueryArguments::from_arg_matches(matches).map_err(|error| super::usage(&error))?;
    let asked = apply_options(&mut *game, profile(name).options, matches)?;
    let game: Arc<dyn TextGame> = Arc::from(game);
    let show = |progress: Progress| show_progress(name, progress);
    let quiet = |_: Progress| ();
    let run = Run { watch: if arguments.shows_progress() { &show } else { &quiet }, ..Run::default() };
    match asked {
        None => query::run(&game, &arguments, &run),
        Some(Asked::Question { option, value }) => {
            let reply = game.reply(option, &value).map_err(|error| reply_failure(option, &value, error))?;
            write_reply(&*reply, &arguments)
        }
        Some(Asked::View(view)) => {
            let (source, input) = query::read_only(&game, &arguments)?;
            let reply = input.view(view, &run).map_err(|error| match error {
                ReplyError::Value(error) => Failure::Usage(format!("{source}: {error}")),
                ReplyError::Game(error) => query::game_failure(&source, None, input.line(0), error),
            })?;
            write_reply(&*reply, &arguments)
        }
    }
}

/// What the options ask instead of the answer.
enum Asked {
    Question { option: &'static str, value: String },
    View(&'static str),
}

/// Sets the settings of a game, and finds the question or the view that the options ask for.
fn apply_options(
    game: &mut dyn TextGame,
    options: &'static [GameOption<'static>],
    matches: &ArgMatches,
) -> Result<Option<Asked>, Failure> {
    let mut asked = None;
    for option in options {
        let text = match option.kind {
            OptionKind::Flag => matches.get_flag(option.name).then_some(""),
            _ => matches.get_one(option.name).map(String::as_str),
        };
        let Some(text) = text else { continue };
        match option.role {
            Role::Setting => {
                let set = option.kind.read(text).and_then(|value| game.set(option.name, value));
                set.map_err(|error| reply_failure(option.name, text, ReplyError::Value(error)))?;
            }
            Role::Question => asked = Some(Asked::Question { option: option.name, value: text.to_owned() }),
            Role::View => asked = Some(Asked::View(option.name)),
        }
    }
    Ok(asked)
}

/// The failure of an option. A value that the game does not accept is worded like clap's errors.
fn reply_failure(option: &str, value: &str, error: ReplyError) -> Failure {
    match error {
        ReplyError::Value(error) => {
            Failure::Usage(format!("arguments: invalid value '{}' for '--{option}': {error}", visible(value)))
        }
        ReplyError::Game(error) => limit_failure(error),
    }
}

fn write_reply(reply: &dyn Reply, arguments: &QueryArguments) -> Result<(), Failure> {
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
fn show_progress(game: &str, Progress { done, total }: Progress) {
    let line = format!("{game}: {} % of the positions", 100 * done / total.max(1));
    let line = match (io::stderr().is_terminal(), done < total) {
        (true, true) => format!("\r{line} "),
        (true, false) => format!("\r{:1$}\r", "", line.len() + 1),
        (false, _) => format!("{line}\n"),
    };
    // If standard error is closed, nothing can be done.
    let _ = io::stderr().write_all(line.as_bytes());
}
