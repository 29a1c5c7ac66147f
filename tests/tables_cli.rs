//! Missing, unreadable and damaged tables, as the user of the real binary meets them.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{Outcome, copied_tables, shipped_tables, tabletop, tabletop_on};
use tabletop::TABLES;
use tabletop::table::{Spec, sha256};

const CASE: &str = "1\n1 2 3 1 1\n1 2 3 4 5\n";

#[track_caller]
fn assert_refused(outcome: &Outcome, path: &Path, spec: &Spec) {
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{outcome:?}");
    let (path, remedy) = (path.to_str().unwrap(), format!("`tabletop-gen {}", spec.game));
    assert!(outcome.stderr.starts_with(&format!("tabletop: {path}: ")), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&remedy), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
}

#[test]
fn the_listing_tells_where_and_how_large_every_table_is() {
    let outcome = tabletop(&["tables"], "");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let mut lines = outcome.stdout.lines();
    let titles: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(titles, ["path", "game", "positions", "bytes", "bits/position", "version", "made", "by"]);
    for (spec, line) in TABLES.iter().zip(lines.by_ref()) {
        let path = shipped_tables().join(spec.file_name());
        let columns: Vec<&str> = line.split_whitespace().collect();
        let bytes = fs::metadata(&path).unwrap().len();
        assert_eq!(columns[..2], [path.to_str().unwrap(), spec.game]);
        let positions: f64 = columns[2].parse().unwrap();
        assert_eq!(columns[3], bytes.to_string());
        assert_eq!(columns[4], format!("{:.2}", bytes as f64 * 8.0 / positions));
        assert_eq!(columns[5], "1");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn verify_tells_the_shipped_tables_from_others() {
    let outcome = tabletop(&["tables", "--verify"], "");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert!(outcome.stdout.lines().skip(1).all(|line| line.ends_with("intact, as shipped")), "{}", outcome.stdout);

    let directory = copied_tables();
    let spec = TABLES[1];
    let path = directory.path().join(spec.file_name());
    let records: Vec<u8> = (0..252).rev().collect();
    fs::write(&path, tabletop::table::encode(spec, "another generator", &records)).unwrap();
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_eq!(outcome.code, Some(0));
    let local: Vec<&str> = outcome.stdout.lines().filter(|line| line.ends_with("intact, made locally")).collect();
    assert_eq!(local.len(), 1);
    assert!(local[0].starts_with(path.to_str().unwrap()));
}

#[test]
fn verify_tells_once_that_the_digests_cannot_be_read() {
    let directory = copied_tables();
    let sums = directory.path().join("SHA256SUMS");
    fs::create_dir(&sums).unwrap();
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{outcome:?}");
    assert!(outcome.stderr.starts_with(&format!("tabletop: {}: cannot be read: ", sums.display())), "{outcome:?}");
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    assert_eq!(tabletop_on(directory.path(), &["tables"], "").code, Some(0));
}

#[test]
fn verify_tells_a_table_that_is_newer_than_its_digest() {
    let directory = copied_tables();
    let sums = directory.path().join("SHA256SUMS");
    fs::copy(shipped_tables().join("SHA256SUMS"), &sums).unwrap();
    assert_eq!(tabletop_on(directory.path(), &["tables", "--verify"], "").code, Some(0));
    let path = directory.path().join("dice-hands.tbl");
    let records: Vec<u8> = (0..252).rev().collect();
    fs::write(&path, tabletop::table::encode(TABLES[1], "another generator", &records)).unwrap();
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_refused(&outcome, &path, TABLES[1]);
    assert!(outcome.stderr.contains("SHA256SUMS beside it states the digest of another table"), "{}", outcome.stderr);
    let listed = fs::read_to_string(&sums).unwrap();
    let others: Vec<&str> = listed.lines().filter(|line| !line.contains("hands")).collect();
    fs::write(&sums, others.join("\n")).unwrap();
    assert_eq!(tabletop_on(directory.path(), &["tables", "--verify"], "").code, Some(0));
}

#[test]
fn the_digests_beside_the_tables_are_those_of_the_tables() {
    let sums = fs::read_to_string(shipped_tables().join("SHA256SUMS")).unwrap();
    let mut names: Vec<String> = TABLES.iter().map(|spec| spec.file_name()).collect();
    names.sort();
    let lines =
        names.iter().map(|name| format!("{}  {name}\n", sha256(&fs::read(shipped_tables().join(name)).unwrap())));
    assert_eq!(sums, lines.collect::<String>());
}

#[test]
fn a_missing_table_is_said_to_be_missing_with_the_places_searched() {
    let empty = tempfile::tempdir().unwrap();
    let message = format!(
        "dice.tbl: table missing (looked in {0}), run `tabletop-gen dice --out {0}` or name its directory with --tables",
        empty.path().display()
    );
    tabletop_on(empty.path(), &["dice"], CASE).fails(1, &message);
    let outcome = tabletop_on(empty.path(), &["tables"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert_eq!(outcome.stderr.lines().count(), TABLES.len());
}

#[test]
fn a_directory_that_cannot_be_read_is_said_to_be_that() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let outcome = tabletop_on(&file, &["dice"], CASE);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("cannot be read"), "{}", outcome.stderr);

    fs::create_dir(directory.path().join("dice.tbl")).unwrap();
    let outcome = tabletop_on(directory.path(), &["dice"], CASE);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("cannot be read: not a regular file"), "{}", outcome.stderr);
}

#[test]
fn the_flag_goes_before_the_environment() {
    let empty = tempfile::tempdir().unwrap();
    let tables = shipped_tables();
    tabletop_on(empty.path(), &["dice", "--tables", tables.to_str().unwrap()], CASE).answers("0.430834\n");
    tabletop_on(empty.path(), &["--tables", tables.to_str().unwrap(), "dice"], CASE).answers("0.430834\n");
}

#[test]
fn without_flag_and_environment_the_working_directory_has_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path().join("tables");
    fs::create_dir(&tables).unwrap();
    fs::copy(shipped_tables().join("dice.tbl"), tables.join("dice.tbl")).unwrap();
    let input = directory.path().join("case");
    fs::write(&input, CASE).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["dice", "case"])
        .current_dir(directory.path())
        .env_remove("TABLETOP_TABLES")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "0.430834\n");
}

#[test]
fn a_table_of_another_version_or_of_other_rules_is_named_as_that() {
    let directory = copied_tables();
    let path = directory.path().join("dice.tbl");
    let intact = fs::read(&path).unwrap();
    let mut other_version = intact.clone();
    other_version[16] = 2;
    fs::write(&path, &other_version).unwrap();
    let outcome = tabletop_on(directory.path(), &["dice"], CASE);
    assert_refused(&outcome, &path, TABLES[0]);
    assert!(outcome.stderr.contains("a table of format version 2, this program reads version 1"), "{}", outcome.stderr);

    static OTHER_RULES: Spec = Spec {
        name: "dice",
        game: "dice",
        rules: "others",
        records: tabletop::table::RecordType::U32,
        block_records: 1,
    };
    fs::write(&path, tabletop::table::encode(&OTHER_RULES, "another generator", &[0_u32])).unwrap();
    let outcome = tabletop_on(directory.path(), &["dice"], CASE);
    assert_refused(&outcome, &path, TABLES[0]);
    assert!(outcome.stderr.contains("made for other rules"), "{}", outcome.stderr);
}
