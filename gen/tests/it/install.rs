//! `tabletop-gen install`, through the real binary.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{files, shipped_tables};

fn install(home: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
    command.arg("install").args(arguments).current_dir("/").env_clear();
    command.envs(home.map(|home| ("HOME", home))).output().unwrap()
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
}

#[test]
fn without_a_home_directory_the_message_names_the_prefix_option() {
    let output = install(None, &[]);
    let message = "tabletop-gen: no home directory is known, say with --prefix where to install\n";
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(1), message));
}
