//! Helpers to run the real programs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub const PROBE: &str = env!("CARGO_BIN_EXE_stress-probe");
/// The environment variable that marks the processes of a test.
const MARK: &str = "STRESS_TEST_DIRECTORY";
/// Longer than any condition takes on a busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// The exit code and the output of a program.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// The report of a run with `--json`.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts the exit code, that the error message contains `message`, and that standard output is empty.
    #[track_caller]
    pub fn fails(&self, code: i32, message: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:?}");
        assert!(self.stderr.contains(message), "{self:?}");
    }
}

pub fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

/// A command with the shipped tables, in its own directory.
pub fn command(program: &str, directory: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env("TABLETOP_TABLES", tables()).env(MARK, directory.path());
    command.current_dir(directory).stdin(Stdio::null());
    command
}

fn run(program: &str, directory: &TempDir, arguments: &[&str]) -> Outcome {
    let output = command(program, directory, arguments).output().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Tests the probe with this behaviour and asserts that no process is left behind.
#[track_caller]
pub fn stress(directory: &TempDir, arguments: &[&str], behaviour: &[&str]) -> Outcome {
    let arguments = [arguments, &["--", PROBE], behaviour].concat();
    let outcome = run(env!("CARGO_BIN_EXE_tabletop-stress"), directory, &arguments);
    assert_eq!(processes_in(directory), [0; 0], "processes are left behind");
    outcome
}

pub fn sample(directory: &TempDir, arguments: &[&str]) -> Outcome {
    run(env!("CARGO_BIN_EXE_tabletop-sample"), directory, arguments)
}

/// The running processes that were started by a `command` in this directory, and their descendants: all inherit an
/// environment variable. The kernel hides that of the runner in a namespace from other users than root; it is found if the
/// directory is an argument of the tested command.
pub fn processes_in(directory: &TempDir) -> Vec<u32> {
    let path = directory.path().to_str().unwrap();
    let mark = format!("{MARK}={path}");
    let has = |file: String, word: &str| {
        fs::read(file).is_ok_and(|words| words.split(|&byte| byte == 0).any(|found| found == word.as_bytes()))
    };
    let number = |name: &OsStr| name.to_str()?.parse::<u32>().ok();
    let all = fs::read_dir("/proc").unwrap().filter_map(|entry| number(&entry.ok()?.file_name()));
    all.filter(|process| {
        has(format!("/proc/{process}/environ"), &mark) || has(format!("/proc/{process}/cmdline"), path)
    })
    .collect()
}

/// Waits until `holds` returns true. After `TIMEOUT` it panics with `what`.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < TIMEOUT, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
