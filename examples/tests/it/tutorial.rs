//! Tests the tutorial: its program is the example, its snippets come from the examples, its commands print what it
//! shows.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::{SHUT_THE_BOX, solved};

const TUTORIAL: &str = include_str!("../../../docs/your-own-game.md");
const PROGRAM: &str = include_str!("../../src/bin/shut-the-box.rs");
/// The heading after which the blocks are snippets and no longer steps of the program.
const OTHER_GAMES: &str = "\n## Other games\n";
/// The imports of the program before it has a board.
const FIRST_IMPORTS: &str = "use tabletop::kit::{self, Node, Rules};";

/// The code blocks of one language in a part of the tutorial.
fn blocks<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

fn parts() -> (&'static str, &'static str) {
    TUTORIAL.split_once(OTHER_GAMES).expect("the tutorial has a part on other games")
}

#[test]
fn the_steps_of_the_tutorial_form_the_program() {
    let mut steps = blocks(parts().0, "rust");
    assert!(steps.len() >= 4, "the program is built in steps");
    // The last step gives it a board: imports, and functions that come before `starts`.
    let (imports, board) = steps.pop().unwrap().split_once("\n\n").expect("imports and functions");
    let program = steps.join("\n").replace(FIRST_IMPORTS, imports);
    let board = board.lines().map(|line| if line.is_empty() { String::from("\n") } else { format!("    {line}\n") });
    let starts = "    fn starts(&self)";
    let with_board = program.replacen(starts, &format!("{}\n{starts}", board.collect::<String>()), 1);
    assert_eq!(with_board, PROGRAM);
}

#[test]
fn the_snippets_of_the_tutorial_come_from_compiled_programs() {
    let sources = [
        include_str!("../../src/bin/tic-tac-toe.rs"),
        include_str!("../../src/bin/pig.rs"),
        include_str!("../../src/bin/yahtzee.rs"),
        include_str!("../../src/bin/connect-four.rs"),
        include_str!("../../src/bin/three-mens-morris.rs"),
        include_str!("../../ten-to-zero/src/main.rs"),
        include_str!("ranked.rs"),
        include_str!("solver.rs"),
    ];
    let plain = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let sources = sources.map(plain);
    let snippets = blocks(parts().1, "rust");
    assert!(snippets.len() >= 6);
    for snippet in snippets {
        let wanted = plain(snippet);
        assert!(sources.iter().any(|source| source.contains(wanted.trim())), "not in any source:\n{snippet}");
    }
}

/// A directory in which the game of the tutorial has been solved.
pub fn shut_the_box() -> PathBuf {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    solved(SHUT_THE_BOX, &[], &DIRECTORY)
}

#[test]
fn the_commands_of_the_tutorial_print_what_it_shows() {
    let directory = shut_the_box();
    let consoles = blocks(TUTORIAL, "console");
    assert!(consoles.len() >= 4);
    for console in consoles {
        check(&directory, console);
    }
}

/// Runs a command. Lines after the prompt `> ` are typed.
#[track_caller]
fn check(directory: &Path, console: &str) {
    let (command, expected) = console.split_once('\n').unwrap();
    let command = command.strip_prefix("$ shut-the-box ").expect("a command of the tutorial's program");
    let arguments: Vec<&str> = command.split(' ').collect();
    let (typed, shown): (Vec<&str>, Vec<&str>) = expected.lines().partition(|line| line.starts_with("> "));
    let typed: String = typed.iter().map(|line| format!("{}\n", &line[2..])).collect();
    let shown: String = shown.iter().map(|line| format!("{line}\n")).collect();
    let output = SHUT_THE_BOX.run_with(directory, &arguments, &typed);
    assert_eq!((output.code, output.error.as_str(), output.out), (Some(0), "", shown), "{command}");
}
