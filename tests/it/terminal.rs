//! Output that is shown on a terminal only.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};

use tabletop_measure::terminal::{Session, Terminal};

use crate::support::{Seeded, queries, shipped_tables, tabletop};
use tabletop::codenames::sample::Shape;
use tabletop::game::PROFILES;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
    command.args(arguments).env("TABLETOP_TABLES", shipped_tables()).env_remove("NO_COLOR").env("TERM", "xterm");
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs a command with its standard output on a terminal.
fn shown(command: &mut Command) -> Session {
    let terminal = Terminal::open().unwrap();
    command.stdout(terminal.stream().unwrap());
    let session = terminal.run(command, b"").unwrap();
    assert!(session.status.success(), "{session:?}");
    session
}

/// The text without escape sequences, and with line ends as in a file.
fn plain(shown: &str) -> String {
    let mut parts = shown.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| text + part.split_once('m').expect("colours end with an m").1);
    text.replace("\r\n", "\n")
}

#[test]
fn an_explanation_on_a_terminal_is_that_of_a_pipe_with_colours_unless_they_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    // Balda's list of next words has no colours.
    for query in queries().into_iter().filter(|query| !query.arguments.contains(&"--board")) {
        let game = query.arguments.join(" ");
        let file = directory.path().join(&game);
        std::fs::write(&file, query.input).unwrap();
        let arguments = [query.arguments, &["--explain", file.to_str().unwrap()]].concat();
        let piped = tabletop(&arguments, "").stdout;
        assert!(!piped.is_empty() && !piped.contains('\x1b'), "{game}: {piped}");

        let coloured = shown(&mut command(&arguments)).shown;
        assert!(coloured.contains("\x1b["), "{game}: {coloured}");
        assert_eq!(plain(&coloured), piped, "{game}");
        let dash = [&arguments[..], &["-o", "-"]].concat();
        assert_eq!(shown(&mut command(&dash)).shown, coloured, "{game}");
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            let refused = shown(command(&arguments).env(name, value)).shown;
            assert_eq!(refused.replace("\r\n", "\n"), piped, "{game}, {name}");
        }
    }
}

#[test]
fn an_answer_and_an_object_have_no_colours() {
    let directory = tempfile::tempdir().unwrap();
    for query in queries() {
        let file = directory.path().join("input");
        std::fs::write(&file, query.input).unwrap();
        for form in [&[][..], &["--json"]] {
            let arguments = [query.arguments, &[file.to_str().unwrap()], form].concat();
            let piped = tabletop(&arguments, "").stdout;
            assert_eq!(shown(&mut command(&arguments)).shown.replace("\r\n", "\n"), piped, "{arguments:?}");
        }
    }
}

#[test]
fn without_arguments_the_welcome_has_examples_that_work() {
    let welcome = shown(&mut command(&[])).shown.replace("\r\n", "\n");
    assert!(welcome.starts_with("tabletop answers games exactly"), "{welcome}");
    let program = Path::new(env!("CARGO_BIN_EXE_tabletop"));
    let is_example = |line: &&str| line.starts_with("  printf") || line.starts_with("  tabletop balda");
    let examples: Vec<&str> = welcome.lines().filter(is_example).collect();
    for game in PROFILES.iter().map(|profile| profile.name) {
        let example = examples.iter().find(|example| example.contains(&format!("tabletop {game} ")));
        let example = example.unwrap_or_else(|| panic!("no example of {game}: {welcome}"));
        let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", example]).env("PATH", path).env("TABLETOP_TABLES", shipped_tables()).output();
        let output = output.unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{example}: {output:?}");
        assert!(output.stdout.len() > 100, "{example}: {output:?}");
    }
}

#[test]
fn a_long_search_shows_its_progress() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("board");
    let shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 20, words: 3..=4 };
    std::fs::write(&file, shape.board(&mut Seeded(1)).unwrap().to_string()).unwrap();
    let arguments = ["codenames", file.to_str().unwrap()];
    let terminal = Terminal::open().unwrap();
    let mut command = command(&arguments);
    command.stdout(Stdio::piped()).stderr(terminal.stream().unwrap());
    let session = terminal.run(&mut command, b"").unwrap();
    assert!(session.status.success(), "{session:?}");
    let (first, rest) =
        session.shown.split_once("\rcodenames: ").unwrap_or_else(|| panic!("a percentage is shown: {session:?}"));
    assert_eq!(first, "");
    assert!(rest.contains(" % of the positions "), "{session:?}");
    // The line is cleared before the answer is printed.
    let last = session.shown.trim_end_matches('\r').rsplit('\r').next().unwrap();
    assert!(last.chars().all(|character| character == ' '), "{session:?}");
    assert_eq!(tabletop(&arguments, "").stderr, "");
}

#[test]
fn an_input_from_a_terminal_gets_a_prompt() {
    let terminal = Terminal::open().unwrap();
    let mut command = command(&["dice"]);
    command.stdin(terminal.stream().unwrap()).stdout(terminal.stream().unwrap()).stderr(terminal.stream().unwrap());
    let end_of_input = "\x04";
    let session = terminal.run(&mut command, format!("1\n6 6 6 6 6\n1 2 3 4 5\n{end_of_input}").as_bytes()).unwrap();
    assert!(session.status.success(), "{session:?}");
    assert!(session.shown.contains("dice: reading from the terminal, "), "{session:?}");
    assert!(session.shown.contains("end with Ctrl-D"), "{session:?}");
    assert!(session.shown.ends_with("0.999871\r\n"), "{session:?}");
}
