//! Warm lookups: streams of judge inputs through `--many`, and calls of the library.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tabletop::balda::Language;
use tabletop::balda::index::WordTable;
use tabletop::dice::Hand;
use tabletop::dice::index::{HAND_COUNT, HandRank};
use tabletop::game::{Form, Input, Kind, Run, Sizes, TestGame, TextLines, exact_test_games};
use tabletop::hopchess::index::{BOARD_COUNT, BoardRank};
use tabletop::hopchess::{Board, Case, ErrorFactor, Factors, Player, Position};
use tabletop::input::Lines;
use tabletop::jenga::index::{Class, Rank, unrank};
use tabletop::table::Places;

use crate::{Contestant, Program, run};

/// Starts of six levels, the most that the contest asks for.
const JENGA_STARTS: Class = Class { full: 5, half: 0, top: 3 };
/// A game without tables is solved, not looked up, so its stream is shorter by this factor.
const LOOKUPS_PER_SOLUTION: usize = 50;

/// The questions for a game.
struct Questions {
    /// What one question is about.
    unit: &'static str,
    /// The number of different questions.
    different: usize,
    /// Makes the judge's text of a given number of questions.
    text: Box<dyn Fn(usize) -> String>,
}

impl Questions {
    /// Questions that visit the whole table of a known game; for other games seeded samples.
    fn of(game: &Arc<dyn TestGame>) -> Questions {
        let questions =
            |unit, different, text: fn(usize) -> String| Questions { unit, different, text: Box::new(text) };
        match game.profile().name {
            "dice" => questions("cases", HAND_COUNT * HAND_COUNT, dice_input),
            "jenga" => questions("towers", JENGA_STARTS.forms() as usize, jenga_input),
            "hopchess" => questions("boards", BOARD_COUNT as usize, hopchess_input),
            "codenames" => questions("boards", SAMPLES, |boards| CODENAMES_BOARD.repeat(boards)),
            _ => {
                let game = Arc::clone(game);
                Questions {
                    unit: "cases",
                    different: SAMPLES,
                    text: Box::new(move |cases| sampled_input(&game, cases)),
                }
            }
        }
    }

    /// The number of questions in a stream: fewer than `lookups` if the game has to solve them.
    fn count(game: &Arc<dyn TestGame>, lookups: usize) -> usize {
        if game.profile().tables.is_empty() { lookups.div_ceil(LOOKUPS_PER_SOLUTION) } else { lookups }
    }
}

/// The games with exact answers, in listing order.
fn open(places: &Places) -> Vec<Arc<dyn TestGame>> {
    exact_test_games(places)
}

/// A stream of about `cases` inputs for every game, through `--many`. Writes the inputs into `directory`.
pub fn streams(program: &Program, directory: &Path, cases: usize) -> io::Result<Vec<Contestant<'static>>> {
    let stream = |game: Arc<dyn TestGame>| {
        let (name, questions) = (game.profile().name, Questions::of(&game));
        let count = Questions::count(&game, cases);
        let file = directory.join(format!("{name} stream"));
        fs::write(&file, (questions.text)(count))?;
        let mut command = program.query(name);
        command.arg("--many").arg(file);
        Ok(Contestant::new(name, questions.unit, count, move || run(&mut command)))
    };
    open(&Places::only(&program.tables)).into_iter().map(stream).collect()
}

/// Calls of the library that ask a game every question once.
fn game_calls(game: &Arc<dyn TestGame>) -> Contestant<'static> {
    game.ready().expect("the shipped tables are there");
    let questions = Questions::of(game);
    let text = (questions.text)(questions.different);
    let mut lines: TextLines = Lines::new(Box::new(text.as_bytes()));
    let next = || Arc::clone(game).read_next(&mut lines).expect("the questions are valid");
    let inputs: Vec<Arc<dyn Input>> = std::iter::from_fn(next).collect();
    let count = inputs.iter().map(|input| input.cases()).sum();
    let mut out = Vec::new();
    Contestant::new(game.profile().name, questions.unit, count, move || {
        // To find out how many cores there are takes longer than an answer.
        let run = Run::default();
        for input in &inputs {
            for case in 0..input.cases() {
                out.clear();
                input.answer(case, Form::Judge, &run, &mut out).expect("the table is intact");
                black_box(&out);
            }
        }
    })
}

/// Calls of the library, with questions that visit the whole table. Every block has been read once before.
pub fn calls(program: &Program) -> Vec<Contestant<'static>> {
    let places = Places::only(&program.tables);
    let calls = open(&places).iter().map(game_calls).chain([word_calls(&places)]).collect::<Vec<_>>().into_iter();
    calls.map(Contestant::warmed_up).collect()
}

fn word_calls(places: &Places) -> Contestant<'static> {
    let words = WordTable::open(places, Language::English).expect("the shipped tables are there");
    let dictionary = words.dawg.dictionary();
    Contestant::new("balda", "words", words.count, move || {
        assert!(dictionary.words().all(|word| words.dawg.contains(black_box(word))));
    })
}

const CODENAMES_BOARD: &str = "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n";

/// Number of different samples of a game without its own questions.
const SAMPLES: usize = 1000;

/// Seeded samples, which repeat after [`SAMPLES`] cases.
fn sampled_input(game: &Arc<dyn TestGame>, cases: usize) -> String {
    let shape = Sizes::one_case(&game.profile());
    let sample = |seed| Arc::clone(game).sample(Kind::Ordinary, &shape, seed as u64).expect("a sample").text();
    let texts: Vec<String> =
        (0..SAMPLES.min(cases)).map(|seed| String::from_utf8_lossy(&sample(seed)).into_owned()).collect();
    (0..cases).map(|case| texts[case % SAMPLES].as_str()).collect()
}

/// Cases that visit all pairs of hands.
fn dice_input(cases: usize) -> String {
    let hands: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    let mut input = format!("{cases}\n");
    for case in 0..cases {
        let (a, b) = (hands[case % hands.len()], hands[case / hands.len() % hands.len()]);
        write!(input, "{a}\n{b}\n").expect("a string takes any text");
    }
    input
}

/// Starts of six levels that visit all forms of them.
fn jenga_input(cases: usize) -> String {
    let mut input = String::new();
    for case in 0..cases as u32 {
        input.push_str("6\n");
        for level in unrank(JENGA_STARTS, Rank(case % JENGA_STARTS.forms())).tower().levels() {
            writeln!(input, "{level}").expect("a string takes any text");
        }
    }
    input
}

/// Inputs that visit all full boards, with all pairs of error factors.
fn hopchess_input(cases: usize) -> String {
    let mut input = String::new();
    for Case { position: Position { board, .. }, factors } in hopchess_cases(cases) {
        let (shape, justin, donald) = (board.shape(), factors.justin.moves(), factors.donald.moves());
        write!(input, "{} {}\n{board}\n{justin} {donald}\n", shape.rows(), shape.columns())
            .expect("a string takes any text");
    }
    input
}

fn hopchess_cases(count: usize) -> impl Iterator<Item = Case> {
    let boards: Vec<Board> = BoardRank::all().map(BoardRank::board).collect();
    let factor = |moves: usize| ErrorFactor::new(moves as u64).expect("a positive number");
    (0..count).map(move |number| {
        // The step is coprime to the number of boards, so every board is visited.
        let board = boards[number * 7919 % boards.len()];
        let factors = Factors { justin: factor(number % 13 + 1), donald: factor(number / 13 % 13 + 1) };
        Case { position: Position { board, to_move: Player::Justin }, factors }
    })
}
