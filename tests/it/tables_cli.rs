//! Missing, unreadable and damaged tables, through the real binary.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{
    Outcome, assert_named, assert_refused, copied_tables, directory_for_program, link_program, shipped_tables,
    tabletop, tabletop_on,
};
use tabletop::dice::index::{HANDS, PAIRS};
use tabletop::game::tables;
use tabletop::jenga::index::TOWERS;
use tabletop::table::{Spec, Values, encode, sha256};

const CASE: &str = "1\n1 2 3 1 1\n1 2 3 4 5\n";

/// The line of a listing about a table.
#[track_caller]
fn line_of<'a>(outcome: &'a Outcome, spec: &Spec) -> &'a str {
    let name = format!("{:<17}", spec.name);
    outcome.stdout.lines().find(|line| line.starts_with(&name)).unwrap_or_else(|| panic!("{}", outcome.stdout))
}

/// The records of a table of hands that is not the shipped one.
fn other_hands() -> Vec<u8> {
    (0..252).rev().collect()
}

#[test]
fn the_listing_has_the_place_and_the_size_of_every_table() {
    let outcome = tabletop(&["tables"], "");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let mut lines = outcome.stdout.lines();
    assert_eq!(lines.next().unwrap(), format!("in {}, format version 1:", shipped_tables().display()));
    let titles: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(titles, ["table", "game", "positions", "bytes", "bits", "each", "made", "by"]);
    for (spec, line) in tables().zip(lines.by_ref()) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let bytes = fs::metadata(shipped_tables().join(spec.file_name())).unwrap().len();
        assert_eq!(columns[..2], [spec.name, spec.game]);
        let positions: f64 = columns[2].parse().unwrap();
        assert_eq!(columns[3], bytes.to_string());
        assert_eq!(columns[4], format!("{:.2}", bytes as f64 * 8.0 / positions));
        assert!(line.ends_with("  \"tabletop-gen rev 1\""), "{line}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn both_listings_fit_into_80_columns() {
    let directory = copied_tables();
    let long = "made by somebody who has very much to say for himself";
    fs::write(directory.path().join("dice-hands.tbl"), encode(&HANDS, long, &other_hands())).unwrap();
    for arguments in [&["tables"][..], &["tables", "--verify"]] {
        let outcome = tabletop_on(directory.path(), arguments, "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        // The first line has the directory, which may be longer.
        for line in outcome.stdout.lines().skip(1) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let line = line_of(&outcome, &HANDS);
        assert!(line.ends_with("\"made by somebody wh…\""), "{line}");
    }
}

#[test]
fn verify_distinguishes_shipped_tables_from_others() {
    let outcome = tabletop(&["tables", "--verify"], "");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert!(tables().all(|spec| line_of(&outcome, spec).contains("  intact, as shipped  ")), "{}", outcome.stdout);

    let directory = copied_tables();
    fs::write(directory.path().join("dice-hands.tbl"), encode(&HANDS, "another generator", &other_hands())).unwrap();
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.stdout.lines().filter(|line| line.contains("intact, not the shipped one")).count(), 1);
    let line = line_of(&outcome, &HANDS);
    assert!(line.contains("  intact, not the shipped one  \"another generator\""), "{line}");
}

#[test]
fn a_forged_generator_name_is_not_shown_as_a_verdict() {
    let directory = copied_tables();
    let path = directory.path().join("dice-hands.tbl");
    for forger in ["intact, as shipped", "x\"  intact, as shipped", "\u{202e}deppihs sa", "\u{2066}x"] {
        fs::write(&path, encode(&HANDS, forger, &other_hands())).unwrap();
        let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
        let line = line_of(&outcome, &HANDS);
        assert!(line[28..].starts_with("intact, not the shipped one  \""), "{line}");
        assert!(line.is_ascii() || line.ends_with("…\""), "{line}");
    }
}

#[test]
fn a_bad_table_is_listed_with_its_reason_among_the_good_ones() {
    let directory = copied_tables();
    fs::write(directory.path().join("dice-hands.tbl"), b"nonsense").unwrap();
    fs::remove_file(directory.path().join("balda-ru.tbl")).unwrap();
    fs::copy(shipped_tables().join("jenga.tbl"), directory.path().join("hopchess.tbl")).unwrap();
    let bad = [("dice-hands", "damaged"), ("hopchess", "another table"), ("balda-ru", "missing")];
    for arguments in [&["tables"][..], &["tables", "--verify"]] {
        let outcome = tabletop_on(directory.path(), arguments, "");
        assert_eq!((outcome.code, outcome.stderr.lines().count()), (Some(1), bad.len()), "{outcome:?}");
        for spec in tables() {
            let line = line_of(&outcome, spec);
            match bad.iter().find(|(name, _)| *name == spec.name) {
                Some((_, reason)) => assert!(line.ends_with(&format!("  {reason}")), "{line}"),
                None => assert!(line.ends_with("\"tabletop-gen rev 1\""), "{line}"),
            }
        }
    }
}

#[test]
fn verify_refuses_impossible_records() {
    let any = |spec: &Spec| Spec { positions: None, values: Values::Any, ..spec.clone() };
    let directory = copied_tables();
    let verify = |spec: &Spec, file: Vec<u8>, what: &str| {
        let path = directory.path().join(spec.file_name());
        let intact = fs::read(&path).unwrap();
        fs::write(&path, file).unwrap();
        let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
        assert_named(&outcome, &path, spec);
        assert!(outcome.stderr.contains(what), "{}", outcome.stderr);
        fs::write(&path, intact).unwrap();
    };
    verify(&PAIRS, encode::<u32>(&any(&PAIRS), "forger", &[]), "holds 0 positions where 63504 are expected");
    verify(
        &PAIRS,
        encode(&any(&PAIRS), "forger", &vec![60_466_177_u32; 63_504]),
        "record 0 has a value that cannot be",
    );
    verify(&HANDS, encode(&any(&HANDS), "forger", &[252_u8; 252]), "record 0 has a value that cannot be");
    for impossible in [f64::NAN, -0.0, 1e308] {
        let mut minutes = vec![1.0; 726_730];
        minutes[1000] = impossible;
        verify(&TOWERS, encode(&any(&TOWERS), "forger", &minutes), "record 1000 has a value that cannot be");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_digests_or_of_a_table_is_refused_at_once() {
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let directory = copied_tables();
    pipe(&directory.path().join("SHA256SUMS"));
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_eq!((outcome.code, outcome.stderr.lines().count()), (Some(1), 1), "{outcome:?}");
    assert!(outcome.stderr.contains("SHA256SUMS: cannot be read: not a regular file"), "{}", outcome.stderr);
    fs::remove_file(directory.path().join("dice.tbl")).unwrap();
    pipe(&directory.path().join("dice.tbl"));
    for arguments in [&["tables"][..], &["tables", "--verify"], &["dice"]] {
        let outcome = tabletop_on(directory.path(), arguments, "1\n1 2 3 1 1\n1 2 3 4 5\n");
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.stderr.contains("dice.tbl: cannot be read: not a regular file"), "{}", outcome.stderr);
    }
}

#[test]
fn a_table_that_is_missing_beside_others_is_not_searched_further() {
    let home = directory_for_program();
    let program = home.path().join("tabletop");
    link_program(&program);
    let (beside, working) = (home.path().join("tables"), home.path().join("work/tables"));
    for directory in [&beside, &working] {
        fs::create_dir_all(directory).unwrap();
    }
    fs::copy(shipped_tables().join("jenga.tbl"), beside.join("jenga.tbl")).unwrap();
    fs::copy(shipped_tables().join("dice.tbl"), working.join("dice.tbl")).unwrap();
    let ask = || {
        let mut child = Command::new(&program)
            .arg("dice")
            .current_dir(home.path().join("work"))
            .env_remove("TABLETOP_TABLES")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(CASE.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let refused = ask();
    let message = format!(
        "tabletop: dice.tbl: table missing in {0}, where the other tables are, run `tabletop-gen dice --out {0}` or name \
         its directory with --tables\n",
        beside.display()
    );
    assert_eq!(String::from_utf8(refused.stderr).unwrap(), message);
    assert_eq!((refused.status.code(), refused.stdout), (Some(1), Vec::new()));
    // A directory without tables is skipped, whatever else is in it.
    fs::rename(beside.join("jenga.tbl"), beside.join("jenga.txt")).unwrap();
    assert_eq!(ask().stdout, b"0.430834\n");
}

#[test]
fn verify_reports_unreadable_digests_once() {
    let directory = copied_tables();
    let sums = directory.path().join("SHA256SUMS");
    fs::create_dir(&sums).unwrap();
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stderr.starts_with(&format!("tabletop: {}: cannot be read: ", sums.display())), "{outcome:?}");
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    assert_eq!(tabletop_on(directory.path(), &["tables"], "").code, Some(0));
}

#[test]
fn verify_reports_a_table_newer_than_its_digest() {
    let directory = copied_tables();
    let sums = directory.path().join("SHA256SUMS");
    fs::copy(shipped_tables().join("SHA256SUMS"), &sums).unwrap();
    assert_eq!(tabletop_on(directory.path(), &["tables", "--verify"], "").code, Some(0));
    let path = directory.path().join("dice-hands.tbl");
    fs::write(&path, encode(&HANDS, "another generator", &other_hands())).unwrap();
    let outcome = tabletop_on(directory.path(), &["tables", "--verify"], "");
    assert_named(&outcome, &path, &HANDS);
    assert!(line_of(&outcome, &HANDS).ends_with("  digest outdated"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("SHA256SUMS beside it states the digest of another table"), "{}", outcome.stderr);
    let listed = fs::read_to_string(&sums).unwrap();
    let others: Vec<&str> = listed.lines().filter(|line| !line.contains("hands")).collect();
    fs::write(&sums, others.join("\n")).unwrap();
    assert_eq!(tabletop_on(directory.path(), &["tables", "--verify"], "").code, Some(0));
}

#[test]
fn the_digests_beside_the_tables_are_those_of_the_tables() {
    let sums = fs::read_to_string(shipped_tables().join("SHA256SUMS")).unwrap();
    let mut names: Vec<String> = tables().map(|spec| spec.file_name()).collect();
    names.sort();
    let lines =
        names.iter().map(|name| format!("{}  {name}\n", sha256(&fs::read(shipped_tables().join(name)).unwrap())));
    assert_eq!(sums, lines.collect::<String>());
}

#[test]
fn a_missing_table_is_reported_with_the_places_searched() {
    let empty = tempfile::tempdir().unwrap();
    let message = format!(
        "dice.tbl: table missing (looked in {0}), run `tabletop-gen dice --out {0}` or name its directory with --tables",
        empty.path().display()
    );
    tabletop_on(empty.path(), &["dice"], CASE).fails(1, &message);
}

#[test]
fn without_any_table_the_listing_is_one_line_that_says_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let message = format!(
        "no tables found (looked in {0}), run `tabletop-gen all --out {0}` or name their directory with --tables",
        empty.path().display()
    );
    for arguments in [&["tables"][..], &["tables", "--verify"]] {
        tabletop_on(empty.path(), arguments, "").fails(1, &message);
    }
    // A table that is there and damaged is named.
    fs::write(empty.path().join("dice.tbl"), "nonsense").unwrap();
    let outcome = tabletop_on(empty.path(), &["tables"], "");
    assert_eq!((outcome.code, outcome.stderr.lines().count()), (Some(1), tables().count()), "{outcome:?}");
}

#[test]
fn the_remedy_is_one_command_of_a_shell_and_the_listing_has_no_control_characters() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("a b\u{1b}[2J\u{61c}");
    fs::create_dir(&directory).unwrap();
    let shown = format!(r"{}/a b\u{{1b}}[2J\u{{61c}}", home.path().display());
    let message = format!(
        "dice.tbl: table missing (looked in {shown}), run `tabletop-gen dice --out '{shown}'` or name its directory \
         with --tables"
    );
    tabletop_on(&directory, &["dice"], CASE).fails(1, &message);
    fs::write(directory.join("dice.tbl"), "").unwrap();
    let outcome = tabletop_on(&directory, &["dice"], CASE);
    assert!(outcome.stderr.contains(&format!("run `tabletop-gen dice --out '{shown}'` to")), "{}", outcome.stderr);
    fs::copy(shipped_tables().join("dice.tbl"), directory.join("dice.tbl")).unwrap();
    let outcome = tabletop_on(&directory, &["tables"], "");
    assert!(outcome.stdout.starts_with(&format!("in {shown}, format version ")), "{}", outcome.stdout);
}

#[test]
fn an_unreadable_directory_is_reported() {
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
fn the_flag_overrides_the_environment() {
    let empty = tempfile::tempdir().unwrap();
    let tables = shipped_tables();
    tabletop_on(empty.path(), &["dice", "--tables", tables.to_str().unwrap()], CASE).answers("0.430834\n");
    tabletop_on(empty.path(), &["--tables", tables.to_str().unwrap(), "dice"], CASE).answers("0.430834\n");
}

#[test]
fn without_flag_and_environment_the_working_directory_is_searched() {
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
fn a_table_of_another_version_or_of_other_rules_is_refused_with_the_reason() {
    let directory = copied_tables();
    let path = directory.path().join("dice.tbl");
    let intact = fs::read(&path).unwrap();
    let mut other_version = intact.clone();
    other_version[16] = 2;
    fs::write(&path, &other_version).unwrap();
    let outcome = tabletop_on(directory.path(), &["dice"], CASE);
    assert_refused(&outcome, &path, &PAIRS);
    assert!(outcome.stderr.contains("a table of format version 2, this program reads version 1"), "{}", outcome.stderr);

    let other_rules = Spec { rules: "others", positions: None, ..PAIRS };
    fs::write(&path, encode(&other_rules, "another generator", &[0_u32])).unwrap();
    let outcome = tabletop_on(directory.path(), &["dice"], CASE);
    assert_refused(&outcome, &path, &PAIRS);
    assert!(outcome.stderr.contains("made for other rules"), "{}", outcome.stderr);
}
