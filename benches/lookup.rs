//! Warm lookups: judge inputs per second through `--many`, and lookups per second through the library.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use tabletop::dice::index::HandRank;
use tabletop::dice::{Answers, Hand};
use tabletop::hopchess::Board;
use tabletop::hopchess::index::BoardRank;
use tabletop::jenga::index::{Class, Rank, unrank};
use tabletop::table::Places;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");
const CASES: usize = 1_000_000;
const CODENAMES_BOARD: &str = "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n";
const CODENAMES_BOARDS: usize = 20_000;
const ROUNDS: usize = 5;

fn main() -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("dice");
    fs::write(&file, dice_input())?;
    report("dice --many", "cases", CASES, || stream("dice", &file));
    let file = directory.path().join("codenames");
    fs::write(&file, CODENAMES_BOARD.repeat(CODENAMES_BOARDS))?;
    report("codenames --many", "boards", CODENAMES_BOARDS, || stream("codenames", &file));

    let answers = Answers::open(&Places::only(TABLES)).expect("the shipped tables are there");
    let hands: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    report("dice library", "lookups", hands.len() * hands.len(), || {
        for &a in &hands {
            for &b in &hands {
                black_box(answers.first_rolls(black_box(a), black_box(b)).expect("the table is intact"));
            }
        }
    });

    let file = directory.path().join("jenga");
    fs::write(&file, jenga_input())?;
    report("jenga --many", "towers", CASES, || stream("jenga", &file));
    let file = directory.path().join("hopchess");
    fs::write(&file, hopchess_input())?;
    report("hopchess --many", "inputs", CASES, || stream("hopchess", &file));
    Ok(())
}

/// Prints the best of a few rounds, which is the one that the rest of the machine disturbed least.
fn report(name: &str, unit: &str, count: usize, mut round: impl FnMut()) {
    let seconds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_secs_f64()
    });
    let best = seconds.fold(f64::INFINITY, f64::min);
    println!("{name:<16} {:>8.2} million {unit} per second", count as f64 / best / 1e6);
}

/// A million cases that visit all pairs of hands.
fn dice_input() -> String {
    let hands: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    let mut input = format!("{CASES}\n");
    for case in 0..CASES {
        let (a, b) = (hands[case % hands.len()], hands[case / hands.len() % hands.len()]);
        write!(input, "{a}\n{b}\n").expect("a string takes any text");
    }
    input
}

/// A million starts of six levels that visit all forms of such a start.
fn jenga_input() -> String {
    let start = Class { full: 5, half: 0, top: 3 };
    let mut input = String::new();
    for case in 0..CASES as u32 {
        input.push_str("6\n");
        for level in unrank(start, Rank(case % start.forms())).tower().levels() {
            writeln!(input, "{level}").expect("a string takes any text");
        }
    }
    input
}

/// A million inputs that visit all full boards, with all pairs of error factors.
fn hopchess_input() -> String {
    let boards: Vec<Board> = BoardRank::all().map(BoardRank::board).collect();
    let mut input = String::new();
    for case in 0..CASES {
        // The step shares no factor with the number of boards, so every board has its turn.
        let board = boards[case * 7919 % boards.len()];
        let shape = board.shape();
        let (justin, donald) = (case % 13 + 1, case / 13 % 13 + 1);
        write!(input, "{} {}\n{board}\n{justin} {donald}\n", shape.rows(), shape.columns())
            .expect("a string takes any text");
    }
    input
}

fn stream(game: &str, file: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
    command.args([game, "--many", "--tables", TABLES]).arg(file).stdout(Stdio::null());
    let status = command.status().expect("the query binary starts");
    assert!(status.success(), "{command:?} failed");
}
