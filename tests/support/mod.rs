//! What the tests of the real binary share.

#![allow(dead_code)]

pub mod codenames;
#[path = "../../gen/src/seeded.rs"]
mod seeded;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use seeded::Seeded;
use tabletop::input::InputError;

/// What a run of the binary left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// Asserts an answer and nothing else.
    #[track_caller]
    pub fn answers(&self, stdout: &str) {
        let expected = Outcome { code: Some(0), stdout: stdout.to_owned(), stderr: String::new() };
        assert_eq!(*self, expected);
    }

    /// Asserts an exit code with exactly this message and nothing on standard output.
    #[track_caller]
    pub fn fails(&self, code: i32, message: &str) {
        let expected = Outcome { code: Some(code), stdout: String::new(), stderr: format!("tabletop: {message}\n") };
        assert_eq!(*self, expected);
    }
}

/// The shipped tables.
pub fn shipped_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")
}

/// Runs `tabletop` on the shipped tables.
pub fn tabletop(arguments: &[&str], input: impl AsRef<[u8]>) -> Outcome {
    run(&shipped_tables(), arguments, input.as_ref())
}

/// Runs `tabletop` on the tables in `tables`.
pub fn tabletop_on(tables: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> Outcome {
    run(tables, arguments, input.as_ref())
}

fn run(tables: &Path, arguments: &[&str], input: &[u8]) -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(arguments)
        .env("TABLETOP_TABLES", tables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A child that refuses its input early closes the pipe; what it says of it is what the test looks at.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A directory of its own with a copy of every shipped table.
pub fn copied_tables() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for spec in tabletop::TABLES {
        let name = spec.file_name();
        std::fs::copy(shipped_tables().join(&name), directory.path().join(&name)).unwrap();
    }
    directory
}

/// Whether the text is read, or refused at one of its lines or where the next one is missing.
pub fn read_or_refused<T>(text: &[u8], read: Result<T, InputError>) -> bool {
    let after_last = text.iter().filter(|&&byte| byte == b'\n').count() as u64 + 2;
    match read {
        Ok(_) => true,
        Err(InputError::Malformed { line, .. }) => (1..=after_last).contains(&line),
        Err(_) => false,
    }
}
