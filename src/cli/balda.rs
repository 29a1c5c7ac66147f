//! `tabletop balda`.

mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use tabletop::balda::anneal::{self, Budget, WarmBoard};
use tabletop::balda::index::Words;
use tabletop::balda::judge::{self, Encoding, Input, Violation};
use tabletop::balda::lexicon::Lexicon;
use tabletop::balda::library::{self, Library};
use tabletop::balda::position::read_position;
use tabletop::balda::{Dictionary, Game, Language, answer};
use tabletop::input::{InputError, Lines};
use tabletop::table::{Places, TableError};

use super::failure::{Failure, say};
use super::paint::Paint;
use super::query::{self, Output};
use super::stdout_paint;

/// Wall-clock seconds from the start of the process, reading and writing included: the contest's limit is 3, and the
/// margin is for a slow judge's machine.
const DEFAULT_SECONDS: f64 = 2.75;
const FORMAT: &str = "write the language, the start word, an empty line and the dictionary";

/// What the overview of all commands says of this one.
pub(super) const ABOUT: &str = "Balda: a game of as many points as can be found";

/// The arguments of `tabletop balda`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "\
Input: the language (en, ru or tr), the start word, an empty line, the words of the dictionary; Russian in CP866.
With --board: the language, the rows of the board with '.' for an empty cell, then the words used so far; in UTF-8.

Start words of 11 letters of the shipped dictionaries start from stored boards, if their table is found.

Examples:
  tabletop balda input.txt -o output.txt
  tabletop balda --lang en --word kenaf --explain
  tabletop balda --check input.txt output.txt
  printf 'en\\n...\\ncat\\n...\\ncat\\n' | tabletop balda --board")]
pub(crate) struct BaldaArguments {
    /// The judge's input [default: standard input]
    file: Option<PathBuf>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Seconds of wall clock from the start of the program [default: 2.75, or no limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Proposals to make per thread: the same number gives the same game
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play on the shipped words of a language, without an input
    #[arg(long, value_name = "LANGUAGE", requires = "word", conflicts_with_all = ["file", "board"])]
    lang: Option<Language>,
    /// The start word for --lang
    #[arg(long, requires = "lang")]
    word: Option<String>,
    /// The game as it grows, with a picture of every move
    #[arg(long)]
    explain: bool,
    /// The game as one JSON object
    #[arg(long)]
    json: bool,
    /// The input is a board in mid-game: list the words that can be made next, longest first
    #[arg(long)]
    board: bool,
    /// Judge the OUTPUT of any program for an INPUT: the points, or the first rule that it breaks
    #[arg(long, num_args = 2, value_names = ["INPUT", "OUTPUT"],
          conflicts_with_all = ["file", "lang", "board", "explain", "json"])]
    check: Option<Vec<PathBuf>>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err(String::from("write seconds from 0 to 1000000")),
    }
}

/// Plays, lists or judges, as the arguments ask.
pub(super) fn run(arguments: &BaldaArguments, places: &Places) -> Result<(), Failure> {
    let started = Instant::now();
    let mut text = match &arguments.check {
        Some(files) => check(&files[0], &files[1])?,
        None if arguments.board => list_next(arguments, places)?,
        None => play(arguments, places, started)?,
    };
    Output::open(arguments.output.as_deref())?.write(&mut text)
}

fn play(arguments: &BaldaArguments, places: &Places, started: Instant) -> Result<Vec<u8>, Failure> {
    let (input, encoding) = match (arguments.lang, &arguments.word) {
        (Some(language), Some(word)) => (shipped_input(language, word, places)?, Encoding::Utf8),
        _ => (read_judge_input(arguments.file.as_deref())?, Encoding::Contest),
    };
    let game = find_game(arguments, &input, &warm_boards(&input, places)?, started);
    Ok(match (arguments.json, arguments.explain) {
        (true, _) => text::game_object(&game, input.language),
        (false, true) => text::game_as_it_grows(&game, input.language, paint(arguments)).into_bytes(),
        (false, false) => {
            let mut answer = Vec::new();
            judge::write_game(&game, input.language.alphabet(), encoding, &mut answer);
            answer
        }
    })
}

fn paint(arguments: &BaldaArguments) -> Paint {
    if arguments.output.is_some() { Paint::Plain } else { stdout_paint() }
}

fn read_judge_input(file: Option<&Path>) -> Result<Input, Failure> {
    let (source, reader) = query::open_input(file, "balda", FORMAT)?;
    judge::read_input(&mut Lines::new(reader)).map_err(|error| Failure::Input { source, case: None, error })
}

/// An input made of the shipped words.
fn shipped_input(language: Language, word: &str, places: &Places) -> Result<Input, Failure> {
    let dictionary = Words::open(places, language)?.dawg.dictionary();
    let refused = |remedy: &str| Err(Failure::Usage(format!("--word: '{word}' cannot start a game, {remedy}")));
    match language.alphabet().letters(word) {
        None => refused(&format!("write it in small {}", language.alphabet().described())),
        Some(start) if !judge::is_start(&start) => refused("choose a word of 3, 5, 7, 9, 11, 13 or 15 letters"),
        Some(start) if !dictionary.contains(&start) => refused(&format!("choose a word of the {language} list")),
        Some(start) => Ok(Input { language, start, dictionary }),
    }
}

/// The stored boards to start from: those of the input's side, made of exactly the input's words.
///
/// Who has nothing but the program, such as a judge, is told once what is missing, and still gets a game.
fn warm_boards(input: &Input, places: &Places) -> Result<Vec<WarmBoard>, Failure> {
    let side = input.start.len();
    if !library::SIDES.contains(&side) {
        return Ok(Vec::new());
    }
    let library = match Library::open(places, input.language) {
        Err(error @ TableError::Missing { .. }) => {
            say(format_args!("{error}; this game is played without it"));
            return Ok(Vec::new());
        }
        other => other?,
    };
    if library.words != input.dictionary.hash() {
        return Ok(Vec::new());
    }
    Ok(library.boards.into_iter().filter(|stored| stored.side() == side).map(|stored| stored.board).collect())
}

/// Plays on every thread with a seed of its own and keeps the best game, of equal ones the first.
fn find_game(arguments: &BaldaArguments, input: &Input, warm: &[WarmBoard], started: Instant) -> Game {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        // Without a handler the signal ends the program as it always did, which is no reason not to play.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    let limit = arguments.time.or(if arguments.nodes.is_some() { None } else { Some(DEFAULT_SECONDS) });
    let budget = Budget {
        proposals: arguments.nodes,
        deadline: limit.map(|seconds| started + Duration::from_secs_f64(seconds)),
    };
    let lexicon = lexicon(&input.dictionary, input.language);
    let play = |thread: u16| {
        let seed = arguments.seed.wrapping_add(u64::from(thread));
        anneal::play(&lexicon, &input.start, &budget, seed, &stop, warm).game
    };
    let mut games: Vec<Game> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..arguments.threads).map(|thread| scope.spawn(move || play(thread))).collect();
        let first = play(0);
        std::iter::once(first).chain(others.into_iter().filter_map(|thread| thread.join().ok())).collect()
    });
    let best = (0..games.len()).rev().max_by_key(|&game| games[game].points()).unwrap_or(0);
    games.swap_remove(best)
}

fn lexicon(dictionary: &Dictionary, language: Language) -> Lexicon {
    let words: Vec<&[u8]> = dictionary.words().collect();
    Lexicon::new(&words, language.alphabet().len())
}

fn list_next(arguments: &BaldaArguments, places: &Places) -> Result<Vec<u8>, Failure> {
    const BOARD_FORMAT: &str = "write the language, the rows of the board, then the used words";
    let (source, reader) = query::open_input(arguments.file.as_deref(), "balda", BOARD_FORMAT)?;
    let position =
        read_position(&mut Lines::new(reader)).map_err(|error| Failure::Input { source, case: None, error })?;
    let words = Words::open(places, position.language)?;
    let moves = answer::next_moves(&position.board, &words.dawg);
    Ok(if arguments.json {
        text::moves_object(&moves, position.language)
    } else {
        text::next_words(&moves, &position.board, position.language, paint(arguments)).into_bytes()
    })
}

fn check(input: &Path, output: &Path) -> Result<Vec<u8>, Failure> {
    let input = read_judge_input(Some(input))?;
    let (source, reader) = query::open_input(Some(output), "balda", "name the output")?;
    let error = match judge::check(&input, &mut Lines::new(reader)) {
        Ok(game) => return Ok(format!("{}\n", game.score()).into_bytes()),
        Err(Violation::Format(error)) => error,
        Err(Violation::Rule { line, broken }) => {
            InputError::malformed(line, broken.to_string(), "such an output scores 0 points")
        }
    };
    Err(Failure::Input { source, case: None, error })
}
