//! Inputs without end, outputs without room, and files that are none: a clear end, in bounded time and memory.

#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Outcome, shipped_tables};

/// Address space of a run in KiB: what grows without bound ends in a crash instead of an answer.
const MEMORY_KIB: u32 = 400_000;
/// Far more than any of the runs takes on a busy machine, and far less than for ever.
const PATIENCE: Duration = Duration::from_secs(30);

/// Every command that reads a text.
const READERS: [&str; 6] = ["dice", "jenga", "hopchess", "codenames", "balda", "balda --board"];
/// A command and a small input for each of the games that are answered at once.
const QUERIES: [(&str, &str); 5] = [
    ("dice", "1\\n1 2 3 1 1\\n1 2 3 4 5\\n"),
    ("jenga", "2\\nRGB\\nGRG\\n"),
    ("hopchess", "2 2\\nJJ\\nDD\\n3 1\\n"),
    ("codenames", "3 R\\nbat cave wing\\nR B R\\n2\\n2 bat wing\\n1 cave\\n"),
    ("balda --board", "en\\n...\\ncat\\n...\\ncat\\n"),
];

/// Runs a shell script in which `tabletop` is the real binary, within memory and time.
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
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            // The shell alone would leave what it started running.
            Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status().unwrap();
            child.wait().unwrap();
            panic!("no end after {PATIENCE:?}: {script}");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    Outcome { code: status.code(), stdout, stderr }
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
    for reader in READERS {
        let message = "line 1: a line of more than 65536 bytes, break it as the format says";
        assert_ends(&format!("tabletop {reader} < /dev/zero"), 2, message);
        assert_ends(&format!("tabletop {reader} /dev/zero"), 2, message);
        assert_ends(&format!("yes | tr -d '\\n' | tabletop {reader}"), 2, message);
        assert_ends(&format!("tabletop {reader} '{}'", sparse.display()), 2, message);
    }
    assert_ends("tabletop balda --check /dev/zero /dev/zero", 2, "/dev/zero, line 1: a line of more than");
}

#[test]
fn endless_lines_are_refused_at_the_first_that_is_too_much() {
    let long_word = "$(head -c 60000 /dev/zero | tr '\\0' a)";
    for (script, text) in [
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
    ] {
        assert_ends(script, 2, text);
    }
}

#[test]
fn an_endless_stream_is_answered_until_nobody_listens() {
    for (game, input, answer) in [
        ("dice", "1\n6 6 6 6 6\n1 2 3 4 5", "0.999871\n"),
        ("jenga", "1\nRGB", "0\n"),
        ("hopchess", "1 3\nJJD\n3 1", "0.667\n"),
        ("dice --json", "0", "{\"game\":\"dice\",\"cases\":[]}\n"),
    ] {
        let outcome = shell(&format!("yes '{input}' | tabletop {game} --many | head -n 100000 | sort | uniq -c"));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{game}");
        assert_eq!(outcome.stdout.trim(), format!("100000 {}", answer.trim()), "{game}");
    }
}

#[test]
fn a_missing_input_and_a_directory_are_said_to_be_that() {
    for reader in READERS {
        assert_ends(&format!("tabletop {reader} <&-"), 2, "stdin, line 1: the input ");
        assert_ends(&format!("tabletop {reader} /"), 1, "/: cannot be read: ");
        assert_ends(&format!("tabletop {reader} < /"), 1, "stdin: cannot be read: ");
        assert_ends(&format!("tabletop {reader} /proc/no/such/file"), 1, "/proc/no/such/file: cannot be read: ");
    }
}

#[test]
fn an_output_without_room_is_said_to_be_that() {
    for (game, input) in QUERIES {
        let message = "cannot be written: ";
        for form in ["", "--json"] {
            assert_ends(&format!("printf '{input}' | tabletop {game} {form} > /dev/full"), 1, "stdout: cannot be");
            assert_ends(&format!("printf '{input}' | tabletop {game} {form} -o /dev/full"), 1, "/dev/full: cannot be");
        }
        assert_ends(&format!("printf '{input}' | tabletop {game} -o /"), 1, message);
        assert_ends(&format!("printf '{input}' | tabletop {game} -o /proc/nothing/here"), 1, message);
        assert_ends(&format!("printf '{input}' | tabletop {game} -o /dev/null/file"), 1, message);
    }
    for command in ["tables", "tables --verify", "completions bash", "--help", "dice --help"] {
        assert_ends(&format!("tabletop {command} > /dev/full"), 1, "stdout: cannot be written: ");
    }
    assert_ends("yes 0 | tabletop dice --many --json > /dev/full", 1, "stdout: cannot be written: ");
}

#[test]
fn tables_that_are_no_directory_are_said_to_be_that() {
    for (game, input) in QUERIES.iter().filter(|(game, _)| *game != "codenames") {
        for place in ["/dev/null", "/proc/self/mem", "\"$0\""] {
            let script = format!("printf '{input}' | tabletop {game} --tables {place}");
            assert_ends(&script, 1, "cannot be read: Not a directory");
        }
        assert_ends(&format!("printf '{input}' | tabletop {game} --tables /proc/nothing"), 1, "table missing");
    }
}

#[test]
fn without_any_open_descriptor_the_exit_code_still_tells() {
    let code = |script: &str| shell(script).code;
    assert_eq!(code("tabletop dice <&- >&- 2>&-"), Some(2));
    assert_eq!(code("echo x | tabletop dice 2>&-"), Some(2));
    assert_eq!(code("echo x | tabletop dice 2> /dev/full"), Some(2));
    // A closed standard output is replaced by /dev/null before the program starts; the README says so.
    assert_eq!(code("echo 0 | tabletop dice >&-"), Some(0));
}
