//! The generator's command line, through the real binary.

use std::fs;
use std::process::Command;

use crate::support::{files, generate, shipped_tables};

#[track_caller]
fn assert_reproducible(game: &str, tables: usize, jobs: &[&str]) {
    let shipped = files(&shipped_tables());
    for jobs in jobs {
        let directory = tempfile::tempdir().unwrap();
        let output = generate(&[game, "--jobs", jobs], directory.path());
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "progress is shown only on a terminal");
        let mut written = files(directory.path());
        written.remove("SHA256SUMS");
        assert_eq!(written.len(), tables);
        assert!(written.iter().all(|(name, bytes)| shipped.get(name) == Some(bytes)), "--jobs {jobs}");
    }
}

#[test]
fn the_tables_of_dice_poker_are_the_shipped_ones_with_any_number_of_threads() {
    assert_reproducible("dice", 3, &["1", "2", "5"]);
}

#[test]
fn the_table_of_coloured_jenga_is_the_shipped_one_with_five_threads() {
    assert_reproducible("jenga", 1, &["5"]);
}

#[test]
fn the_tables_of_hop_chess_are_the_shipped_ones_with_five_threads() {
    assert_reproducible("hopchess", 2, &["5"]);
}

#[test]
fn a_check_writes_nothing_and_prints_one_line_per_table() {
    let directory = tempfile::tempdir().unwrap();
    assert!(generate(&["dice"], directory.path()).status.success());
    let before = files(directory.path());
    let output = generate(&["dice", "--check"], directory.path());
    assert!(output.status.success(), "{output:?}");
    let report = String::from_utf8(output.stdout).unwrap();
    let expected = [
        "dice.tbl: 63,504 positions, 50,217 bytes: identical; every pair follows from all choices of both players; \
         2,000 seeded pairs equal the plain solver, which throws every reroll",
        "dice-hands.tbl: 252 positions, 405 bytes: identical; every hand beats as many as in a second ranking of its own",
        "dice-rerolls.tbl: 116,424 positions, 2,855 bytes: identical; every count equals that of the plain solver, which \
         throws every reroll",
    ];
    let expected = expected.map(|line| format!("{}/{line}\n", directory.path().display())).concat();
    assert_eq!(report, expected);
    assert_eq!(files(directory.path()), before);
}

#[test]
fn a_check_of_the_shipped_words_says_the_same_on_every_machine() {
    let output = generate(&["words", "--check"], &shipped_tables());
    assert!(output.status.success(), "{output:?}");
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(report.lines().count(), 3);
    let turkish = "all 18,203 words found, and listed in the order of the source; no two of 11,444 states are alike; \
                   17,423 seeded near misses not found";
    assert!(report.contains("balda-tr.tbl: 25,482 positions") && report.contains(turkish), "{report}");
}

#[test]
fn a_check_finds_a_missing_a_damaged_and_an_unlisted_table() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("dice.tbl");
    let expect = |what: &str| {
        let output = generate(&["dice", "--check"], directory.path());
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(what) && message.contains("run `tabletop-gen dice --out "), "{message}");
    };
    expect("dice.tbl: cannot be read");
    assert!(generate(&["dice"], directory.path()).status.success());
    let mut damaged = fs::read(&path).unwrap();
    damaged[1000] ^= 1;
    fs::write(&path, damaged).unwrap();
    expect("dice.tbl: differs from the table that is generated now");
    assert!(generate(&["dice"], directory.path()).status.success());
    fs::remove_file(directory.path().join("SHA256SUMS")).unwrap();
    expect("its digest in SHA256SUMS is missing or wrong");
}

#[test]
fn writing_keeps_the_digests_of_other_tables_and_leaves_no_temporary_file() {
    let directory = tempfile::tempdir().unwrap();
    let other = format!("{}  other.tbl\n", "0123456789abcdef".repeat(4));
    fs::write(directory.path().join("SHA256SUMS"), &other).unwrap();
    assert!(generate(&["dice"], directory.path()).status.success());
    let names: Vec<String> = files(directory.path()).into_keys().collect();
    assert_eq!(names, ["SHA256SUMS", "dice-hands.tbl", "dice-rerolls.tbl", "dice.tbl"]);
    let sums = fs::read_to_string(directory.path().join("SHA256SUMS")).unwrap();
    assert_eq!(sums.lines().count(), 4);
    assert!(sums.ends_with(&other));
}

#[test]
fn the_facts_of_dice_poker() {
    let directory = tempfile::tempdir().unwrap();
    let output = generate(&["dice", "--stats"], directory.path());
    assert!(output.status.success());
    let facts = String::from_utf8(output.stdout).unwrap();
    for fact in [
        "0.482096522352 (1762621269121670 of 6^20)",
        "A 6 6 6 6 6 against B 5 5 5 5 5: 0.999871 = 7775/7776",
        "252; A 1 1 1 1 1 against B 6 6 6 6 6: 0.000000 = 0",
        "7453 pairs",
    ] {
        assert!(facts.contains(fact), "{facts}");
    }
    assert!(files(directory.path()).is_empty());
}

#[test]
fn the_facts_of_coloured_jenga() {
    let directory = tempfile::tempdir().unwrap();
    let output = generate(&["jenga", "--stats"], directory.path());
    assert!(output.status.success());
    let facts = String::from_utf8(output.stdout).unwrap();
    for fact in [
        "2280824 forms solved, which stand for 4556925 with green and blue told apart",
        "48 minutes, such as RRR RRR RRR RRR RRR RRR, 1 of 237116 forms",
        "15.19921875 minutes, such as GGG GBG BBB BBB BGB GGG, 2 of 237116 forms",
        "30 in any game, 30 in one of best moves",
        "in 726251 of 726720 forms with a choice, 99.9 %",
    ] {
        assert!(facts.contains(fact), "{facts}");
    }
}

#[test]
fn the_facts_of_hop_chess() {
    let directory = tempfile::tempdir().unwrap();
    let output = generate(&["hopchess", "--stats"], directory.path());
    assert!(output.status.success());
    let facts = String::from_utf8(output.stdout).unwrap();
    for fact in [
        "26406, 11029 up to symmetry",
        "4462614",
        "chances exactly between two answers          7999",
        "2.65e-10",
        "3090680 of 4119336, 75.03 %; it harms him: never",
        "2886189 of 4119336, 70.06 %; it harms him: never",
        "1x13   13, 13  JJJJJJJJJJDJJ   0.9991       1   DDDJDDDDDDDDD   0.0126       1",
    ] {
        assert!(facts.contains(fact), "{facts}");
    }
}

#[test]
fn an_unwritable_directory_is_named_with_a_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let output = generate(&["dice"], &file);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("file") && message.contains("cannot be written") && message.contains("--out"),
        "{message}"
    );
}

#[test]
fn the_options_of_boards_are_refused_in_wrong_combinations_and_for_other_targets() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, what) in [
        (&["boards", "--shard", "0/2"][..], "write the number of a share and of all shares, such as 1/2 and 2/2"),
        (&["boards", "--shard", "3/2"], "'3/2'"),
        (&["boards", "--shard", "1/2", "--check"], "cannot be used with"),
        (&["boards", "--shard", "1/2", "--stats"], "cannot be used with"),
        (&["boards", "--only", "en-9-100m-1", "--merge"], "cannot be used with"),
        (&["boards", "--list", "--check"], "cannot be used with"),
        (&["boards", "--turns", "3"], "--only <NAME>"),
        (&["boards", "--effort", "0"], "'0'"),
        (&["words", "--shard", "1/2"], "unexpected argument '--shard' found"),
        (&["all", "--work", "elsewhere"], "unexpected argument '--work' found"),
    ] {
        let output = generate(arguments, directory.path());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("tabletop-gen: arguments: ") && message.contains(what), "{message}");
    }
    assert!(files(directory.path()).is_empty());
}

#[test]
fn a_board_is_bred_step_by_step_listed_and_merged() {
    let (work, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let boards = |arguments: &[&str]| {
        let all = [&["boards", "--effort", "6000", "--work", work.path().to_str().unwrap()], arguments].concat();
        let output = generate(&all, out.path());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let name = "tr-9-6000-1";
    let line = |list: &str| list.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(line(&boards(&["--list"])).contains(r#""effort":6000,"state":"missing","done":0,"turns":60"#));
    assert!(boards(&["--only", name, "--turns", "7"]).ends_with(": tr-9-6000-1: half (7 of 60 start words)\n"));
    assert!(line(&boards(&["--list"])).contains(r#""state":"half","done":7"#));
    assert!(boards(&["--only", name]).ends_with(": tr-9-6000-1: done\n"));
    assert!(line(&boards(&["--list"])).contains(r#""state":"done","done":60"#));
    assert!(files(out.path()).is_empty(), "no table is written before a merge");
    let merged = boards(&["--merge"]);
    assert!(merged.contains(": 1 of 142 boards finished; en-9-6000-1 missing, "), "{merged}");
    assert_eq!(files(out.path()).len(), 4);
    let unknown = generate(&["boards", "--only", "tr-9-7"], out.path());
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("no board is called 'tr-9-7'"));
}

#[test]
fn a_merge_of_a_wrong_directory_keeps_the_tables() {
    let (empty, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for language in ["en", "ru", "tr"] {
        let name = format!("balda-boards-{language}.tbl");
        fs::copy(shipped_tables().join(&name), out.path().join(&name)).unwrap();
    }
    let before = files(out.path());
    let refused = |work: &std::path::Path| {
        let output = generate(&["boards", "--merge", "--work", work.to_str().unwrap()], out.path());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        assert_eq!(files(out.path()), before);
        String::from_utf8(output.stderr).unwrap()
    };
    let message = refused(empty.path());
    let what =
        format!("but 0 are finished in {}, name the directory of the boards with --work", empty.path().display());
    assert!(message.contains("balda-boards-en.tbl: holds ") && message.contains(&what), "{message}");
    let mistyped = empty.path().join("mistyped");
    let message = refused(&mistyped);
    let what = format!("{}: cannot be read: ", mistyped.display());
    assert!(message.contains(&what) && message.ends_with("with --work\n"), "{message}");
    assert!(!mistyped.exists());
}

#[cfg(unix)]
#[test]
fn the_directories_of_boards_and_tables_must_differ_however_they_are_written() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("tables")).unwrap();
    std::os::unix::fs::symlink("tables", directory.path().join("link")).unwrap();
    for (work, out) in [("tables", "tables"), ("tables", "./link/."), ("new", "./new"), ("tables/new", "link/new")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
        command.args(["boards", "--list", "--work", work, "--out", out]).current_dir(directory.path());
        let output = command.output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{work} {out}: {message}");
        assert!(message.contains("--work and --out are the same directory"), "{message}");
    }
}

#[test]
fn a_check_and_the_facts_name_a_missing_table_of_boards() {
    let directory = tempfile::tempdir().unwrap();
    for look in ["--check", "--stats"] {
        let output = generate(&["boards", look], directory.path());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let message = String::from_utf8(output.stderr).unwrap();
        let remedy = format!("run `tabletop-gen boards --out {}`", directory.path().display());
        assert!(message.contains("balda-boards-en.tbl: table missing") && message.contains(&remedy), "{message}");
    }
}

#[test]
fn the_help_lists_and_describes_every_target() {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tabletop-gen")).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let overview = help(&["--help"]);
    for target in [
        "dice       Dice poker",
        "jenga      Coloured Jenga",
        "hopchess   Hop chess",
        "words      The words of Balda",
        "all        Every target above",
        "uninstall  Remove the tables that install wrote",
        "boards     Strong boards for Balda to start from: takes long",
    ] {
        assert!(overview.contains(target), "{overview}");
    }
    assert!(!help(&["dice", "--help"]).contains("--work"));
    assert!(help(&["boards", "--help"]).contains("--work"));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_digests_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("SHA256SUMS");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [&["words"][..], &["words", "--check"]] {
        let output = generate(arguments, directory.path());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("SHA256SUMS") && message.contains("not a regular file"), "{message}");
    }
}
