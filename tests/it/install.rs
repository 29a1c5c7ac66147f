//! Where an installed program finds its tables, and its message when there are none.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Outcome, directory_for_program, link_program, shipped_tables};

const CASE: &str = "1\n1 2 3 1 1\n1 2 3 4 5\n";

/// A program in a home directory that has nothing else.
struct Installed {
    home: tempfile::TempDir,
}

impl Installed {
    fn new() -> Installed {
        let home = directory_for_program();
        fs::create_dir(home.path().join("bin")).unwrap();
        link_program(&home.path().join("bin/tabletop"));
        Installed { home }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// Runs the program from the root directory, with these environment variables only.
    fn run(&self, environment: &[(&str, &Path)], arguments: &[&str]) -> Outcome {
        let mut child = Command::new(self.path("bin/tabletop"))
            .args(arguments)
            .current_dir("/")
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that finds no table may end before it has read its input.
        let _ = child.stdin.take().unwrap().write_all(CASE.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Outcome { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

fn link_tables(directory: &Path) {
    fs::create_dir_all(directory.parent().unwrap()).unwrap();
    symlink(shipped_tables(), directory).unwrap();
}

#[test]
fn tables_in_the_data_directory_are_found_from_any_directory() {
    let installed = Installed::new();
    let home = [("HOME", installed.home.path())];
    link_tables(&installed.path(".local/share/tabletop/tables"));
    installed.run(&home, &["dice"]).answers("0.430834\n");
    let listing = installed.run(&home, &["tables"]).stdout;
    assert!(listing.starts_with(&format!("in {}/.local/share/tabletop/tables,", installed.home.path().display())));
}

#[test]
fn the_data_directory_can_be_chosen_and_the_prefix_is_searched_first() {
    let installed = Installed::new();
    let data = installed.path("data");
    let environment = [("HOME", installed.home.path()), ("XDG_DATA_HOME", data.as_path())];
    link_tables(&data.join("tabletop/tables"));
    installed.run(&environment, &["dice"]).answers("0.430834\n");
    link_tables(&installed.path("share/tabletop/tables"));
    let listing = installed.run(&environment, &["tables"]).stdout;
    assert!(
        listing.starts_with(&format!("in {}/share/tabletop/tables,", installed.home.path().display())),
        "{listing}"
    );
}

#[test]
fn a_missing_table_is_reported_with_the_remedy_and_how_to_get_it() {
    let installed = Installed::new();
    let home = installed.home.path().display().to_string();
    let looked = format!(
        "dice.tbl: table missing (looked in {home}/bin/tables, {home}/share/tabletop/tables, \
         {home}/.local/share/tabletop/tables, tables)"
    );
    let environment = [("HOME", installed.home.path()), ("PATH", Path::new(""))];
    let without = format!(
        "{looked}, get the generator with `cargo install --path gen` in the source of tabletop and run \
         `tabletop-gen install` or name its directory with --tables"
    );
    installed.run(&environment, &["dice"]).fails(1, &without);
    let none = without.replace("dice.tbl: table missing", "no tables found").replace("name its", "name their");
    installed.run(&environment, &["tables"]).fails(1, &none);

    let elsewhere = installed.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("tabletop-gen"), "").unwrap();
    fs::set_permissions(elsewhere.join("tabletop-gen"), fs::Permissions::from_mode(0o755)).unwrap();
    let with = format!("{looked}, run `tabletop-gen install` or name its directory with --tables");
    let environment = [("HOME", installed.home.path()), ("PATH", elsewhere.as_path())];
    installed.run(&environment, &["dice"]).fails(1, &with);
    fs::rename(elsewhere.join("tabletop-gen"), installed.path("bin/tabletop-gen")).unwrap();
    installed.run(&environment, &["dice"]).fails(1, &with);
}
