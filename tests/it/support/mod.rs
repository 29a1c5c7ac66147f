//! Shared by the tests of the real binary.

pub mod codenames;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tabletop::balda;
use tabletop::game::PROFILES;
use tabletop::input::InputError;
pub use tabletop::seeded::Seeded;
use tabletop::table::{Remedy, Spec};

/// The result of a run of the binary.
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

/// Asserts exit code 1 and one message that names the file of a table and the remedy.
#[track_caller]
pub fn assert_named(outcome: &Outcome, path: &Path, spec: &Spec) {
    let Remedy::Generate(argument) = spec.remedy else { panic!("{}", spec.name) };
    assert!(outcome.stderr.starts_with(&format!("tabletop: {}: ", path.display())), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&format!("`tabletop-gen {argument} --out")), "{}", outcome.stderr);
    assert_eq!((outcome.code, outcome.stderr.lines().count()), (Some(1), 1), "{}", outcome.stderr);
}

/// Asserts the same, and nothing on standard output.
#[track_caller]
pub fn assert_refused(outcome: &Outcome, path: &Path, spec: &Spec) {
    assert_eq!(outcome.stdout, "", "{outcome:?}");
    assert_named(outcome, path, spec);
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
    // A child that refuses its input closes the pipe early. The test looks at its message, not at this error.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A temporary directory on the file system of the program, for [`link_program`].
pub fn directory_for_program() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Hard-links the program to another path; the file must not be changed. A copy could be busy: a file that any process
/// has open for writing cannot be run, and a child of another test may have inherited the open file.
pub fn link_program(path: &Path) {
    std::fs::hard_link(env!("CARGO_BIN_EXE_tabletop"), path).unwrap();
}

/// Writes a program for the shell. Another process writes it, so that this one never has it open: see [`link_program`].
#[cfg(unix)]
pub fn write_script(path: &Path, script: &str) {
    let write = r#"printf %s "$1" > "$0" && chmod 755 "$0""#;
    assert!(Command::new("sh").args(["-c", write]).arg(path).arg(script).status().unwrap().success());
}

/// A temporary directory with a copy of every shipped table.
pub fn copied_tables() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for spec in tabletop::game::tables() {
        let name = spec.file_name();
        std::fs::copy(shipped_tables().join(&name), directory.path().join(&name)).unwrap();
    }
    directory
}

/// Arguments of the program, and an input for them.
#[derive(Debug, Clone, Copy)]
pub struct Query {
    pub arguments: &'static [&'static str],
    pub input: &'static str,
    /// Whether there is no answer without tables.
    pub needs_tables: bool,
}

/// The sample of every game in the list, and a board for Balda.
pub fn queries() -> Vec<Query> {
    let sample = |profile: &&'static tabletop::game::Profile| {
        // Leaked: the arguments live as long as the test program.
        let mut arguments = vec![profile.name];
        let mut needs_tables = !profile.tables.is_empty();
        if profile.name == balda::PROFILE.name {
            arguments.extend(["--nodes", "300"]);
            // The sample has its own dictionary.
            needs_tables = false;
        }
        Query { arguments: arguments.leak(), input: profile.sample, needs_tables }
    };
    let mut queries: Vec<Query> = PROFILES.iter().map(sample).collect();
    let input = "tr\n...\nhal\n...\nhal\n";
    queries.push(Query { arguments: &["balda", "--board"], input, needs_tables: true });
    queries
}

/// Whether the text is read, or refused with the number of one of its lines or of the missing line after them.
pub fn read_or_refused<T>(text: &[u8], read: Result<T, InputError>) -> bool {
    let after_last = text.iter().filter(|&&byte| byte == b'\n').count() as u64 + 2;
    match read {
        Ok(_) => true,
        Err(InputError::Malformed { line, .. }) => (1..=after_last).contains(&line),
        Err(_) => false,
    }
}
