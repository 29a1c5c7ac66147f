//! `tabletop balda`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use signal_hook::consts::{SIGINT, SIGTERM};
use tabletop::balda::clock::Clock;
use tabletop::balda::index::WordTable;
use tabletop::balda::judge::{self, Encoding, Input, Violation};
use tabletop::balda::position::read_position;
use tabletop::balda::{Balda, Effort, EngineError, Language, PlayedGame, Source, Task, answer, explain};
use tabletop::door::{Failure, table_message};
use tabletop::input::{InputError, Lines};
use tabletop::table::Places;

pub(super) use tabletop::balda::PROFILE;

use super::failure::{input_failure, say};
use super::input::open_input;
use super::output::Output;

/// Wall-clock seconds from the start of the command, including reading and writing. The contest's limit is 3 seconds;
/// the margin is for slow machines.
const DEFAULT_SECONDS: f64 = 2.75;
/// The largest part of the time for indexing the dictionary. Words that are not indexed by then are not used.
const TIME_FOR_INDEX: f64 = 0.5;

/// The arguments of `tabletop balda`.
#[derive(Args)]
#[command(about = PROFILE.about, after_help = PROFILE.help)]
pub(crate) struct BaldaArguments {
    /// The judge's input [default: standard input]
    file: Option<PathBuf>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Seconds to play [default: 2.75, none with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// Proposals per thread: the same number, the same game
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play on the shipped words of en, ru or tr
    #[arg(long, value_name = "LANG", hide_possible_values = true, requires = "word", conflicts_with_all = ["file", "board"],
          value_parser = PossibleValuesParser::new(Language::ALL.map(Language::code)).try_map(|code| code.parse::<Language>()))]
    lang: Option<Language>,
    /// The start word for --lang
    #[arg(long, requires = "lang")]
    word: Option<String>,
    /// The game as it grows, move by move
    #[arg(long)]
    explain: bool,
    /// The game as one JSON object
    #[arg(long)]
    json: bool,
    /// The input is a board in mid-game: list its next words
    #[arg(long)]
    board: bool,
    /// Judge the output OUT of any program for the input IN
    #[arg(long, num_args = 2, value_names = ["IN", "OUT"],
          conflicts_with_all = ["file", "lang", "board", "explain", "json"])]
    check: Option<Vec<PathBuf>>,
    /// Known from the other games, and refused with the reason
    #[arg(long, hide = true)]
    many: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err(String::from("write seconds from 0 to 1000000")),
    }
}

/// Plays a game, lists next words or judges an output, depending on the arguments.
pub(super) fn run(arguments: &BaldaArguments, places: &Places) -> Result<(), Failure> {
    let started = Instant::now();
    if arguments.many {
        let message = "--many: a game of Balda takes all its time for one input, run the program once for each";
        return Err(Failure::Usage(String::from(message)));
    }
    let mut text = match &arguments.check {
        Some(files) => judge_output(&files[0], &files[1])?,
        None if arguments.board => list_next(arguments, places)?,
        None => return answer_game(arguments, places, started),
    };
    Output::open(arguments.output.as_deref())?.finish(&mut text)
}

/// Searches a game for the input and writes it.
fn answer_game(arguments: &BaldaArguments, places: &Places, started: Instant) -> Result<(), Failure> {
    let limit = arguments.time.or(if arguments.nodes.is_some() { None } else { Some(DEFAULT_SECONDS) });
    let after = |part: f64| limit.map(|seconds| started + Duration::from_secs_f64(part * seconds));
    let stop = stop_flag();
    let clock = Clock { deadline: after(TIME_FOR_INDEX), stop: Some(&stop) };
    let balda = Balda::at(places);
    let (source, encoding) = match (arguments.lang, &arguments.word) {
        (Some(language), Some(word)) => (Source::Shipped(language, word), Encoding::Utf8),
        _ => (Source::Own(read_judge_input(arguments.file.as_deref())?), Encoding::Contest),
    };
    let task = balda.task(source, clock).map_err(|error| match error {
        EngineError::Table(error) => error.into(),
        EngineError::Start(remedy) => {
            let word = arguments.word.as_deref().unwrap_or_default().escape_debug();
            Failure::Usage(format!("--word: '{word}' cannot start a game, {remedy}"))
        }
        other => Failure::Usage(other.to_string()),
    })?;
    if let Some(missing) = &task.missing {
        // A judge may have nothing but the program.
        say(format_args!("{}; this game is played without it", table_message(missing)));
    }
    // Opened before the search, so that an output that cannot be written is an error at once.
    let output = Output::open(arguments.output.as_deref())?;
    let clock = Clock { deadline: after(1.0), ..clock };
    let game = find_game(&task, Effort { clock, proposals: arguments.nodes, seed: arguments.seed }, arguments.threads);
    // From now on a signal ends the program at once, for example while writing to a full pipe.
    stop.store(true, Ordering::SeqCst);
    let mut text = match (arguments.json, arguments.explain) {
        (true, _) => explain::game_object(&game, task.language),
        (false, true) => explain::game_text(&game, Output::paint(arguments.output.as_deref())).into_bytes(),
        (false, false) => {
            let mut answer = Vec::new();
            judge::write_game(&game, encoding, &mut answer);
            answer
        }
    };
    output.finish(&mut text)
}

fn read_judge_input(file: Option<&Path>) -> Result<Input, Failure> {
    let (source, reader) = open_input(file, PROFILE.name, PROFILE.format)?;
    judge::read_input(&mut Lines::new(reader)).map_err(|error| input_failure(&source, None, &error))
}

/// A flag that the first SIGTERM or SIGINT sets. Once it is set, another signal ends the program.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        // If a handler cannot be installed, the signal ends the program as usual. The game can still be played.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop));
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}

/// Searches on all threads, each with its own seed, and returns the best game. Among equal games the first one wins. If a
/// thread cannot be started, its seed is searched on this thread after the others, as long as there is time.
fn find_game(task: &Task, effort: Effort<'_>, threads: u16) -> PlayedGame {
    let search = |thread| task.search(Effort { seed: effort.seed.wrapping_add(u64::from(thread)), ..effort });
    let mut games = thread::scope(|scope| {
        let start = |number| (number, thread::Builder::new().spawn_scoped(scope, move || search(number)));
        let started: Vec<_> = (1..threads).map(start).collect();
        let mut games = vec![search(0)];
        for (number, thread) in started {
            match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(game)) => games.push(game),
                _ if effort.clock.deadline.is_none_or(|deadline| Instant::now() < deadline) => {
                    games.push(search(number))
                }
                _ => {}
            }
        }
        games
    });
    let best = (0..games.len()).rev().max_by_key(|&game| games[game].letters()).unwrap_or(0);
    games.swap_remove(best)
}

fn list_next(arguments: &BaldaArguments, places: &Places) -> Result<Vec<u8>, Failure> {
    const BOARD_FORMAT: &str = "write the language, the rows of the board, then the used words";
    let (source, reader) = open_input(arguments.file.as_deref(), PROFILE.name, BOARD_FORMAT)?;
    let refused = |error| input_failure(&source, None, &error);
    let described = read_position(&mut Lines::new(reader)).map_err(refused)?;
    let words = WordTable::open(places, described.language())?;
    let position = described.position(|word| words.dawg.contains(word)).map_err(refused)?;
    let moves = answer::next_moves(&position.board, &words.dawg).map_err(|error| {
        let remedy = "check the words with `tabletop tables --verify`";
        refused(InputError::malformed(2, error.to_string(), remedy))
    })?;
    Ok(if arguments.json {
        explain::moves_object(&moves, &position)
    } else {
        explain::moves_text(&moves, &position.board, Output::paint(arguments.output.as_deref())).into_bytes()
    })
}

fn judge_output(input: &Path, output: &Path) -> Result<Vec<u8>, Failure> {
    let input = read_judge_input(Some(input))?;
    let (source, reader) = open_input(Some(output), PROFILE.name, "name the output")?;
    let error = match judge::check(&input, &mut Lines::new(reader)) {
        Ok(game) => return Ok(format!("{}\n", game.points()).into_bytes()),
        Err(Violation::Format(error)) => error,
        Err(Violation::Rule { line, broken }) => {
            InputError::malformed(line, broken.to_string(), "such an output scores 0 points")
        }
    };
    Err(input_failure(&source, None, &error))
}
