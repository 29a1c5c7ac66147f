//! Compares ten to zero with the values published by GamesCrafters: multiples of three lose, and 10 wins in 7 moves.

use std::path::Path;
use std::process::Command;

fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ten-to-zero"));
    let output = command.args(arguments).current_dir(directory).env_remove("TABLETOP_TABLES").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_position_has_the_published_value_and_number_of_moves() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (code, out, error) = run(directory, &["solve"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.starts_with("tables/ten-to-zero.tbl: 11 positions, "), "{out}");
    let published = [(-1, 0), (1, 1), (1, 1), (-1, 2), (1, 3), (1, 3), (-1, 4), (1, 5), (1, 5), (-1, 6), (1, 7)];
    for (left, (value, moves)) in published.into_iter().enumerate() {
        let expected = match moves {
            0 => format!("{value}, the game is over\n"),
            1 => format!("{value} in 1 move\n"),
            _ => format!("{value} in {moves} moves\n"),
        };
        assert_eq!(run(directory, &["ask", &left.to_string()]), (Some(0), expected, String::new()));
    }
    let explained = "1 in 7 moves\n  1  1 in 6 moves -> 9\n  2  -1 in 5 moves -> 8\n";
    assert_eq!(run(directory, &["ask", "10", "--explain"]).1, explained);
    assert_eq!(run(directory, &["check"]).0, Some(0));
}

#[test]
fn the_program_has_at_most_forty_lines() {
    assert!(include_str!("../src/main.rs").lines().count() <= 40);
}
