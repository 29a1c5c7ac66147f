//! Warm lookups: streams of judge inputs through `--many`, and calls of the library.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;

use tabletop::balda::Language;
use tabletop::balda::index::Words;
use tabletop::dice::Hand;
use tabletop::dice::index::HandRank;
use tabletop::hopchess::index::BoardRank;
use tabletop::hopchess::{Board, Case, ErrorFactor, Factors, Player, Position};
use tabletop::jenga::index::{Class, Rank, unrank};
use tabletop::jenga::{Minutes, Tower};
use tabletop::table::Places;
use tabletop::{dice, hopchess, jenga};

use super::{Contestant, Program, run};

const CODENAMES_BOARD: &str = "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n";
/// A board of Codenames is solved when it is asked for, which takes longer than a lookup.
const CASES_PER_CODENAMES_BOARD: usize = 50;
/// Starts of six levels, the most that the contest asks for.
const JENGA_STARTS: Class = Class { full: 5, half: 0, top: 3 };

/// A stream of about `cases` inputs for every game, through `--many`; the inputs are written into `directory`.
pub fn streams(program: &Program, directory: &Path, cases: usize) -> io::Result<Vec<Contestant<'static>>> {
    let boards = cases / CASES_PER_CODENAMES_BOARD;
    let inputs = [
        ("dice", "cases", cases, dice_input(cases)),
        ("jenga", "towers", cases, jenga_input(cases)),
        ("hopchess", "boards", cases, hopchess_input(cases)),
        ("codenames", "boards", boards, CODENAMES_BOARD.repeat(boards)),
    ];
    let stream = |(game, unit, count, input): (&str, _, _, String)| {
        let file = directory.join(format!("{game} stream"));
        fs::write(&file, input)?;
        let mut command = program.query(game);
        command.arg("--many").arg(file);
        Ok(Contestant::new(game, unit, count, move || run(&mut command)))
    };
    inputs.into_iter().map(stream).collect()
}

/// Calls of the library, on questions that visit the whole table, every block of it read already.
pub fn calls(program: &Program) -> Vec<Contestant<'static>> {
    let places = Places::only(&program.tables);
    let calls = [dice_calls(&places), jenga_calls(&places), hopchess_calls(&places), word_calls(&places)];
    calls.into_iter().map(Contestant::warmed_up).collect()
}

fn dice_calls(places: &Places) -> Contestant<'static> {
    let answers = dice::Answers::open(places).expect("the shipped tables are there");
    let hands: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    Contestant::new("dice", "cases", hands.len() * hands.len(), move || {
        for &a in &hands {
            for &b in &hands {
                black_box(answers.first_rolls(black_box(a), black_box(b)).expect("the table is intact"));
            }
        }
    })
}

fn jenga_calls(places: &Places) -> Contestant<'static> {
    let answers = jenga::Answers::open(places).expect("the shipped tables are there");
    let towers: Vec<Tower> = (0..JENGA_STARTS.forms()).map(|rank| unrank(JENGA_STARTS, Rank(rank)).tower()).collect();
    Contestant::new("jenga", "towers", towers.len(), move || {
        let total: f64 = towers
            .iter()
            .map(|tower| {
                let Minutes(minutes) = answers.minutes(tower).expect("the table is intact");
                minutes
            })
            .sum();
        black_box(total);
    })
}

fn hopchess_calls(places: &Places) -> Contestant<'static> {
    let mut answers = hopchess::Answers::open(places).expect("the shipped tables are there");
    let cases: Vec<Case> = hopchess_cases(BoardRank::all().count()).collect();
    Contestant::new("hopchess", "boards", cases.len(), move || {
        for &case in &cases {
            black_box(answers.look_up(black_box(case)).expect("the table is intact"));
        }
    })
}

fn word_calls(places: &Places) -> Contestant<'static> {
    let words = Words::open(places, Language::English).expect("the shipped tables are there");
    let dictionary = words.dawg.dictionary();
    Contestant::new("balda", "words", words.count, move || {
        assert!(dictionary.words().all(|word| words.dawg.contains(black_box(word))));
    })
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

/// Starts of six levels that visit all forms of such a start.
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
        // The step shares no factor with the number of boards, so every board has its turn.
        let board = boards[number * 7919 % boards.len()];
        let factors = Factors { justin: factor(number % 13 + 1), donald: factor(number / 13 % 13 + 1) };
        Case { position: Position { board, to_move: Player::Justin }, factors }
    })
}
