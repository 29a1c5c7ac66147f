//! The contract of the command line, apart from any game.

mod support;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use support::{shipped_tables, tabletop};

const COMMANDS: &[&str] = &["dice", "jenga", "hopchess", "codenames", "balda", "tables", "completions"];

#[test]
fn no_command_in_a_pipe_is_a_usage_error_with_a_way_out() {
    tabletop(&[], "").fails(2, "arguments: no command, name a game such as `tabletop dice` or see `tabletop --help`");
}

#[test]
fn wrong_usage_is_explained_on_standard_error() {
    for (arguments, expected) in [
        (&["dicey"][..], "unrecognized subcommand 'dicey'"),
        (&["dice", "--mony"], "unexpected argument '--mony'"),
        (&["completions", "tcsh-42"], "invalid value 'tcsh-42'"),
        (&["dice", "a", "b"], "unexpected argument 'b'"),
    ] {
        let outcome = tabletop(arguments, "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(outcome.stderr.starts_with(&format!("tabletop: arguments: {expected}")), "{}", outcome.stderr);
    }
}

#[test]
fn the_help_of_every_command_has_an_example() {
    for command in COMMANDS {
        let outcome = tabletop(&[command, "--help"], "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        let (_, examples) = outcome.stdout.split_once("Example").expect(command);
        assert!(examples.contains(&format!("tabletop {command}")), "{examples}");
    }
    let overview = tabletop(&["--help"], "").stdout;
    assert!(COMMANDS.iter().all(|command| overview.contains(command)), "{overview}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = tabletop(&["completions", shell], "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        let options = ["a-finished", "digits", "verify"];
        assert!(COMMANDS.iter().chain(&options).all(|word| outcome.stdout.contains(word)), "{shell}");
    }
}

#[test]
fn an_input_that_cannot_be_read_is_a_file_problem() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    for path in [missing.as_path(), directory.path()] {
        let outcome = tabletop(&["dice", path.to_str().unwrap()], "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
        let start = format!("tabletop: {}: cannot be read: ", path.display());
        assert!(outcome.stderr.starts_with(&start), "{}", outcome.stderr);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_a_file_problem() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let outcome = tabletop(&["dice", "-o", path], "0\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.starts_with(&format!("tabletop: {path}: cannot be written: ")), "{}", outcome.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_input_ends_at_its_first_mistake() {
    for arguments in [&["dice", "/dev/zero"][..], &["dice", "--many", "/dev/zero"]] {
        let outcome = tabletop(arguments, "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        assert!(outcome.stderr.contains("a line of more than 65536 bytes"), "{}", outcome.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_file_problem() {
    let outcome = Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["completions", "bash"])
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(outcome.status.code(), Some(1));
    assert!(String::from_utf8(outcome.stderr).unwrap().starts_with("tabletop: stdout: cannot be written: "));
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = streaming_child();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let input = "1\n6 6 6 6 6\n1 2 3 4 5\n".repeat(200_000);
        stdin.write_all(input.as_bytes()).ok()
    });
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "0.999871\n");
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn a_stream_answers_before_the_next_input_comes() {
    let mut child = streaming_child();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"1\n6 6 6 6 6\n1 2 3 4 5\n").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, "0.999871\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

fn streaming_child() -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["dice", "--many"])
        .env("TABLETOP_TABLES", shipped_tables())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}
