//! `tabletop-gen install`, through the real binary.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{files, shipped_tables};

fn install(home: Option<&Path>, arguments: &[&str]) -> Output {
    run("install", home, arguments)
}

fn run(command: &str, home: Option<&Path>, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
    program.arg(command).args(arguments).current_dir("/").env_clear();
    program.envs(home.map(|home| ("HOME", home))).output().unwrap()
}

/// Runs `uninstall` and returns its lines.
#[track_caller]
fn uninstall(home: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run("uninstall", Some(home), arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn install_writes_every_shipped_table_into_the_data_directory() {
    let home = tempfile::tempdir().unwrap();
    let output = install(Some(home.path()), &[]);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "progress is shown only on a terminal");
    let directory = home.path().join(".local/share/tabletop/tables");
    let (installed, shipped) = (files(&directory), files(&shipped_tables()));
    assert_eq!(installed.keys().collect::<Vec<_>>(), shipped.keys().collect::<Vec<_>>());
    for (name, bytes) in installed {
        assert!(bytes == shipped[&name], "{name}");
    }
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.starts_with(&format!("in {}, format version 1:\n", directory.display())), "{report}");
    let verdicts = report.lines().skip(2).filter(|line| line.contains("  intact, as shipped  "));
    assert_eq!(verdicts.count(), tabletop::game::tables().count(), "{report}");

    // What was installed is removed, and nothing is left.
    let removed = uninstall(home.path(), &[]);
    let line = |name: &str| format!("{}: removed", directory.join(name).display());
    let expected: Vec<String> = tabletop::game::tables().map(|spec| line(&spec.file_name())).collect();
    assert_eq!(removed, expected);
    let share = home.path().join(".local/share");
    assert_eq!(fs::read_dir(&share).unwrap().count(), 0);
    assert_eq!(uninstall(home.path(), &[]), [format!("{}: nothing is installed there", directory.display())]);
}

#[test]
fn uninstall_removes_tables_of_an_older_version_and_keeps_all_other_files() {
    let prefix = tempfile::tempdir().unwrap();
    let directory = prefix.path().join("share/tabletop/tables");
    fs::create_dir_all(&directory).unwrap();
    let place = |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes).unwrap();
    place("dice.tbl", &files(&shipped_tables())["dice.tbl"]);
    // An older version, as the list of digests says.
    place("dice-hands.tbl", b"older");
    // A table that somebody else wrote, one that is a link, a game of the user's own, and notes.
    place("jenga.tbl", b"another");
    place("pig.tbl", b"the user's");
    place("notes.txt", b"notes");
    std::os::unix::fs::symlink(shipped_tables().join("hopchess.tbl"), directory.join("hopchess.tbl")).unwrap();
    let digest = |bytes: &[u8]| tabletop::table::sha256(bytes);
    let sums = [("dice-hands.tbl", &b"older"[..]), ("jenga.tbl", b"the one before"), ("pig.tbl", b"the user's")];
    let sums = sums.map(|(name, bytes)| format!("{}  {name}\n", digest(bytes)));
    place("SHA256SUMS", sums.concat().as_bytes());

    let said = uninstall(Path::new("/"), &["--prefix", prefix.path().to_str().unwrap()]);
    let line = |name: &str, what: &str| format!("{}: {what}", directory.join(name).display());
    let kept = "kept, because `tabletop-gen install` did not write it";
    let expected = [
        line("dice.tbl", "removed"),
        line("dice-hands.tbl", "removed"),
        line("jenga.tbl", kept),
        line("hopchess.tbl", kept),
    ];
    assert_eq!(said, expected);
    let left = files(&directory);
    let names: Vec<&str> = left.keys().map(String::as_str).collect();
    assert_eq!(names, ["SHA256SUMS", "hopchess.tbl", "jenga.tbl", "notes.txt", "pig.tbl"]);
    assert_eq!(left["SHA256SUMS"], sums[1..].concat().as_bytes());
    assert!(shipped_tables().join("hopchess.tbl").exists());
}

#[test]
fn without_a_home_directory_the_message_names_the_prefix_option() {
    let output = install(None, &[]);
    let message = "tabletop-gen: no home directory is known, say with --prefix where to install\n";
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(1), message));
}
