//! Endless inputs, full disks and paths that are not files give a clear message in bounded time and memory.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::support::{Outcome, Query, queries, shipped_tables};
use tabletop::balda;
use tabletop::game::{Form, Kind, PROFILES, Sizes, answer, exact_test_games};
use tabletop::table::Places;

/// The limit of a run's address space in KiB: a run whose memory grows without bound crashes.
const MEMORY_KIB: u32 = 400_000;
/// The limit of a run's time: far more than any run takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Every command that reads a text.
fn readers() -> Vec<String> {
    queries().iter().map(|query| query.arguments.join(" ")).collect()
}

/// A shell command that pipes the input of a query into the program, with the arguments `more` appended.
fn piped(query: Query, more: &str) -> String {
    format!("printf '%s' '{}' | tabletop {} {more}", query.input, query.arguments.join(" "))
}

/// Runs a shell script in which `tabletop` is the real binary, with limited memory and time.
#[track_caller]
fn shell(script: &str) -> Outcome {
    let script = format!("ulimit -v {MEMORY_KIB}; tabletop() {{ \"$0\" \"$@\"; }}; {script}");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_tabletop")])
        .env("TABLETOP_TABLES", shipped_tables())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    // A program that fills a pipe which nobody reads would wait for ever.
    let (stdout, stderr) = (drain(child.stdout.take().unwrap()), drain(child.stderr.take().unwrap()));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            // Killing only the shell would leave its children running.
            Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status().unwrap();
            child.wait().unwrap();
            panic!("no end after {PATIENCE:?}: {script}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    Outcome { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

/// Reads a pipe to its end while its writer runs.
fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).unwrap();
        text
    })
}

/// Asserts an exit code, one message with this text, and nothing on standard output.
#[track_caller]
fn assert_ends(script: &str, code: i32, text: &str) {
    let outcome = shell(script);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(code), ""), "{script}: {}", outcome.stderr);
    assert!(outcome.stderr.starts_with("tabletop: ") && outcome.stderr.contains(text), "{script}: {}", outcome.stderr);
    assert_eq!(outcome.stderr.lines().count(), 1, "{script}: {}", outcome.stderr);
}

#[test]
fn an_endless_line_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let sparse = directory.path().join("gigabyte");
    fs::File::create(&sparse).unwrap().set_len(1 << 30).unwrap();
    for reader in readers() {
        let message = "line 1: a line of more than 65536 bytes, break it as the format says";
        assert_ends(&format!("tabletop {reader} < /dev/zero"), 2, message);
        assert_ends(&format!("tabletop {reader} /dev/zero"), 2, message);
        assert_ends(&format!("yes | tr -d '\\n' | tabletop {reader}"), 2, message);
        assert_ends(&format!("tabletop {reader} '{}'", sparse.display()), 2, message);
    }
    assert_ends("tabletop dice --many /dev/zero", 2, "line 1: a line of more than 65536 bytes");
    assert_ends("tabletop balda --check /dev/zero /dev/zero", 2, "/dev/zero, line 1: a line of more than");
}

#[test]
fn endless_lines_are_refused_at_the_first_extra_line() {
    let long_word = "$(head -c 60000 /dev/zero | tr '\\0' a)";
    let scripts = [
        ("yes 1 | tabletop dice", "line 2: "),
        ("(echo 1000000; yes '1 2 3 4 5') | tabletop dice", "line 2000002: '1' after the end of the input"),
        ("(echo 1000000; yes '1 2 3 4 5') | tabletop dice --json", "line 2000002: '1' after the end of the input"),
        ("(echo 24; yes .R.) | tabletop jenga", "line 26: "),
        ("(echo 16 1; yes J) | tabletop hopchess", "line 18: "),
        ("(printf '2 R\\na b\\nR B\\n1000\\n'; yes '1 a') | tabletop codenames", "line 1005: "),
        ("(printf 'en\\ncat\\n\\ncat\\n'; yes dog) | tabletop balda", "line 4000004: a dictionary of more than"),
        (
            &format!("(printf 'en\\ncat\\n\\ncat\\n'; yes {long_word}) | tabletop balda"),
            "line 5: a dictionary of more than 4000000 words, or of too long ones, shorten it",
        ),
        (&format!("(echo en; yes {long_word}) | tabletop balda --board"), "line 2: a row of 60000 cells"),
        ("(printf 'en\\n...\\ncat\\n...\\n'; yes dog) | tabletop balda --board", "used words of more than"),
        ("head -c 33554432 /dev/zero | tr '\\0' '\\n' | tabletop dice", "line 1: the input is empty"),
    ];
    // For every game: its sample, then lines that belong to no input.
    for profile in PROFILES.iter().filter(|profile| profile.name != balda::PROFILE.name) {
        let script = format!("(printf '%s' '{}'; yes x) | tabletop {}", profile.sample, profile.name);
        let after = profile.sample.lines().count() + 1;
        assert_ends(&script, 2, &format!("line {after}: 'x' after the end of the input"));
    }
    for (script, text) in scripts {
        assert_ends(script, 2, text);
    }
}

#[test]
fn an_endless_stream_is_answered_until_its_reader_ends() {
    const ANSWERS: usize = 20_000;
    for game in exact_test_games(&Places::only(shipped_tables())) {
        let name = game.profile().name;
        let input = Arc::clone(&game).sample(Kind::Tiny, &Sizes::default(), 1).unwrap().text();
        let [input, answer] = [&input[..], &answer(&game, &input, Form::Judge).unwrap()]
            .map(|text| str::from_utf8(text).unwrap().trim_end().to_owned());
        let outcome = shell(&format!("yes '{input}' | tabletop {name} --many | head -n {ANSWERS} | sort | uniq -c"));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{name}");
        assert_eq!(outcome.stdout.trim(), format!("{ANSWERS} {answer}"), "{name}");
    }
    // More than a pipe holds.
    let outcome = shell("yes 0 | tabletop dice --json --many | head -n 20000");
    outcome.answers(&"{\"game\":\"dice\",\"cases\":[]}\n".repeat(20_000));
}

#[test]
fn a_missing_input_and_a_directory_are_reported() {
    for reader in readers() {
        assert_ends(&format!("tabletop {reader} <&-"), 2, "stdin, line 1: the input ");
        assert_ends(&format!("tabletop {reader} /"), 1, "/: cannot be read: ");
        assert_ends(&format!("tabletop {reader} < /"), 1, "stdin: cannot be read: ");
        assert_ends(&format!("tabletop {reader} /proc/no/such/file"), 1, "/proc/no/such/file: cannot be read: ");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_reported() {
    for query in queries() {
        let message = "cannot be written: ";
        for form in ["", "--json"] {
            assert_ends(&piped(query, &format!("{form} > /dev/full")), 1, "stdout: cannot be");
            assert_ends(&piped(query, &format!("{form} -o /dev/full")), 1, "/dev/full: cannot be");
        }
        assert_ends(&piped(query, "-o /"), 1, message);
        assert_ends(&piped(query, "-o /proc/nothing/here"), 1, message);
        assert_ends(&piped(query, "-o /dev/null/file"), 1, message);
    }
    for command in ["tables", "tables --verify", "completions bash", "--help", "dice --help"] {
        assert_ends(&format!("tabletop {command} > /dev/full"), 1, "stdout: cannot be written: ");
    }
    assert_ends("yes 0 | tabletop dice --many --json > /dev/full", 1, "stdout: cannot be written: ");
}

#[test]
fn a_path_of_tables_that_is_not_a_directory_is_reported() {
    for query in queries().into_iter().filter(|query| query.needs_tables) {
        for place in ["/dev/null", "/proc/self/mem", "\"$0\""] {
            assert_ends(&piped(query, &format!("--tables {place}")), 1, "cannot be read: Not a directory");
        }
        assert_ends(&piped(query, "--tables /proc/nothing"), 1, "table missing");
    }
}

#[test]
fn without_open_streams_the_exit_code_is_still_right() {
    let code = |script: &str| shell(script).code;
    assert_eq!(code("tabletop dice <&- >&- 2>&-"), Some(2));
    assert_eq!(code("echo x | tabletop dice 2>&-"), Some(2));
    assert_eq!(code("echo x | tabletop dice 2> /dev/full"), Some(2));
    // The Rust runtime replaces a closed standard output by /dev/null before the program starts.
    assert_eq!(code("echo 0 | tabletop dice >&-"), Some(0));
}
