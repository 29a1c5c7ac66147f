//! Games that are programs.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use serde_json::json;
use tabletop::game::{ProgramGame, TestGame, read_test};
use tempfile::tempdir;

use crate::support::{PROBE, sample, stress};

#[test]
fn a_program_is_tested_on_positions_of_a_game_program() {
    let directory = tempdir().unwrap();
    let arguments = ["--game", PROBE, "--cases", "50", "--json", "--time-limit", "60"];
    let report = stress(&directory, &arguments, &["remainder", "1000"]).json();
    assert_eq!((&report["game"], &report["verdict"]), (&json!("remainder"), &json!("accepted")), "{report}");

    // Wrong from 40 on, so 40 is the smallest failing position.
    let outcome = stress(&directory, &arguments, &["remainder", "40"]);
    let failure = &outcome.json()["failure"];
    assert_eq!((outcome.code, &failure["input"], &failure["expected"]), (Some(3), &json!("40\n"), &json!("1\n")));
    let command = failure["command"].as_str().unwrap();
    assert!(command.starts_with(&format!("tabletop stress --game {PROBE} --data remainder-1-")), "{command}");
    let file = failure["file"].as_str().unwrap();
    let again = ["--game", PROBE, "--data", file, "--time-limit", "60"];
    assert_eq!(stress(&directory, &again, &["remainder", "40"]).code, Some(3));
    assert_eq!(stress(&directory, &again, &["remainder", "41"]).code, Some(0));
}

#[test]
fn numbers_are_compared_within_the_tolerance() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("a.in"), "4\n").unwrap();
    let verdict = |tolerance: &str, line: &str| {
        let arguments = ["--game", PROBE, "--data", "a.in", "--tolerance", tolerance, "--time-limit", "60"];
        stress(&directory, &arguments, &["print-line", line]).code
    };
    for (tolerance, line, code) in [
        ("0", "1", 0),
        ("0", "2/2", 0),
        ("0", "1.0000001", 3),
        ("1e-6", "1.0000001", 0),
        ("1e-6", "3", 3),
        ("1e-6", "1 1", 3),
        ("1e-6", "nan", 3),
        ("1e-6", "1/0", 3),
    ] {
        assert_eq!(verdict(tolerance, line), Some(code), "{tolerance} {line}");
    }
    let arguments = ["--game", PROBE, "--tolerance", "-1"];
    stress(&directory, &arguments, &["nothing"]).fails(2, "write a number from 0");
}

#[test]
fn a_file_without_a_position_is_no_fault_of_the_command() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("a.in"), "four\n").unwrap();
    let tested = stress(&directory, &["--game", PROBE, "--data", "a.in"], &["exit", "1"]);
    tested.fails(2, "a.in, line 1: this is no number, write a number");
}

#[test]
fn positions_of_a_game_program_are_drawn() {
    let directory = tempdir().unwrap();
    let drawn = sample(&directory, &["--game", PROBE, "--seed", "1234"]);
    assert_eq!((drawn.code, drawn.stdout.as_str()), (Some(0), "234\n"), "{drawn:?}");
    let written = sample(&directory, &["--game", PROBE, "--seed", "7", "--count", "2", "--out", "data"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let number: u64 = fs::read_to_string(directory.path().join("data/01.in")).unwrap().trim().parse().unwrap();
    assert_eq!(fs::read_to_string(directory.path().join("data/01.ans")).unwrap(), format!("{}\n", number % 3));
    let sized = sample(&directory, &["--game", PROBE, "--shape", "levels=3"]);
    sized.fails(2, "'levels' is no size of this game");
}

#[test]
fn a_program_that_misbehaves_is_named() {
    let directory = tempdir().unwrap();
    let run = |manner: &str| {
        let program = directory.path().join(manner);
        let _ = symlink(PROBE, &program);
        stress(&directory, &["--game", program.to_str().unwrap()], &["nothing"])
    };
    run("dies").fails(1, "dies: ended without an answer, mend the program");
    run("garbage").fails(1, "garbage: does not speak the protocol: a line that is no JSON object");
    run("array").fails(1, "array: does not speak the protocol: a line that is no JSON object");
    run("huge").fails(1, "huge: does not speak the protocol: a line of more than 4194304 bytes");
    run("no-name").fails(1, "no-name: does not speak the protocol: the name 'No Name'");
    run("new").fails(1, "new: does not speak the protocol: version 2 instead of 1");
    let note = directory.path().join("note");
    fs::write(&note, "no program").unwrap();
    let message = "note: cannot be started: Permission denied (os error 13), name a program that can be run";
    stress(&directory, &["--game", note.to_str().unwrap()], &["nothing"]).fails(1, message);
    stress(&directory, &["--game", "./missing"], &["nothing"]).fails(1, "./missing: is no program");
    stress(&directory, &["--game", "missing"], &["nothing"]).fails(1, "install `tabletop-missing`");
    stress(&directory, &["jenga", "--game", PROBE], &["nothing"]).fails(2, "cannot be used with");
}

/// A reply that is no object must not end the tester, whatever was asked.
#[test]
fn a_sample_that_is_no_object_is_refused() {
    let directory = tempdir().unwrap();
    let program = directory.path().join("array");
    symlink(PROBE, &program).unwrap();
    let drawn = sample(&directory, &["--game", program.to_str().unwrap()]);
    drawn.fails(1, "array: does not speak the protocol: a line that is no JSON object");
}

#[test]
fn a_position_of_a_program_is_one_line() {
    let directory = tempdir().unwrap();
    let program = directory.path().join("lines");
    symlink(PROBE, &program).unwrap();
    let drawn = sample(&directory, &["--game", program.to_str().unwrap()]);
    drawn.fails(1, r"lines: does not speak the protocol: the position '1\n2', give one line");

    let game: Arc<dyn TestGame> = Arc::new(ProgramGame::open(&program).unwrap());
    let smaller = read_test(&game, b"50\n").unwrap().smaller(None);
    assert_eq!(smaller.iter().map(|input| input.text()).collect::<Vec<_>>(), [b"40\n"]);
}

#[test]
fn a_program_that_does_not_read_is_late() {
    let directory = tempdir().unwrap();
    let program = directory.path().join("deaf");
    symlink(PROBE, &program).unwrap();
    fs::write(directory.path().join("long.in"), format!("{}\n", "7".repeat(200_000))).unwrap();
    let arguments = ["--game", program.to_str().unwrap(), "--data", "long.in"];
    stress(&directory, &arguments, &["nothing"]).fails(1, "deaf: has not answered within 20 seconds");
}

#[test]
fn a_program_that_ends_after_each_answer_is_started_again() {
    let directory = tempdir().unwrap();
    let program = directory.path().join("tires");
    symlink(PROBE, &program).unwrap();
    let arguments = ["--game", program.to_str().unwrap(), "--cases", "10", "--time-limit", "60"];
    assert_eq!(stress(&directory, &arguments, &["remainder", "1000"]).code, Some(0));
}
