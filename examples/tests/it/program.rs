//! Runs a real program made with the kit.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::published::tic_tac_toe;
use crate::support::{PIG, Program, RunOutput, SHUT_THE_BOX, TIC_TAC_TOE};

fn refused(code: i32, error: &str) -> RunOutput {
    RunOutput { code: Some(code), out: String::new(), error: format!("tic-tac-toe: {error}\n") }
}

/// Asks about the start with the tables of a directory.
fn ask_in(directory: &Path) -> RunOutput {
    TIC_TAC_TOE.run(directory, &["ask", ".../.../...", "--tables", "tables"])
}

#[test]
fn a_missing_table_is_reported_with_the_command_that_writes_it() {
    let directory = tempfile::tempdir().unwrap();
    let expected = "tic-tac-toe.tbl: table missing (looked in tables), run `tic-tac-toe solve --out tables` \
                    or name its directory with --tables";
    assert_eq!(ask_in(directory.path()), refused(1, expected));
    let output = TIC_TAC_TOE.run(directory.path(), &["solve", "--out", "tables"]);
    assert_eq!((output.code, output.out.split(',').next()), (Some(0), Some("tables/tic-tac-toe.tbl: 765 positions")));
    assert_eq!(ask_in(directory.path()).out, "0 in 9 moves\n");
}

#[test]
fn damage_is_reported_and_solve_repairs_it() {
    let whole = fs::read(tic_tac_toe().join("tables/tic-tac-toe.tbl")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let path = tables.join("tic-tac-toe.tbl");
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).unwrap();
        let output = ask_in(directory.path());
        assert_eq!((output.code, output.out.as_str()), (Some(1), ""), "byte {place}");
        assert!(output.error.starts_with("tic-tac-toe: tables/tic-tac-toe.tbl: "), "{}", output.error);
        let remedy = ", run `tic-tac-toe solve --out tables` to write it anew\n";
        assert!(output.error.ends_with(remedy), "{}", output.error);
    }
    for length in [0, 1, 39, 40, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(ask_in(directory.path()).code, Some(1), "{length} bytes");
    }
    assert_eq!(TIC_TAC_TOE.run(directory.path(), &["solve", "--out", "tables"]).code, Some(0));
    assert_eq!(fs::read(&path).unwrap(), whole, "the same bytes");
    assert_eq!(ask_in(directory.path()).out, "0 in 9 moves\n");
    let left: Vec<_> = fs::read_dir(&tables).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["tic-tac-toe.tbl"]);
}

#[test]
fn the_table_is_the_same_for_any_number_of_threads() {
    let whole = fs::read(tic_tac_toe().join("tables/tic-tac-toe.tbl")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    for jobs in ["1", "2", "7"] {
        assert_eq!(TIC_TAC_TOE.run(directory.path(), &["solve", "--out", jobs, "--jobs", jobs]).code, Some(0));
        assert_eq!(fs::read(directory.path().join(jobs).join("tic-tac-toe.tbl")).unwrap(), whole, "{jobs} threads");
    }
}

#[test]
fn only_the_temporary_files_of_a_killed_solver_are_removed() {
    let directory = tempfile::tempdir().unwrap();
    for name in [".tic-tac-toe.tbl.abcdef.tmp", ".other.tbl.abcdef.tmp", "notes.tmp"] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    // A directory is not a file that a solver has left.
    fs::create_dir(directory.path().join(".tic-tac-toe.tbl.ghijkl.tmp")).unwrap();
    assert_eq!(TIC_TAC_TOE.run(directory.path(), &["solve", "--out", "."]).code, Some(0));
    let mut left: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    let expected = [".other.tbl.abcdef.tmp", ".tic-tac-toe.tbl.ghijkl.tmp", "notes.tmp", "tic-tac-toe.tbl"];
    assert_eq!(left, expected);
}

#[test]
fn bad_positions_are_reported_with_their_line_and_an_example() {
    let directory = tic_tac_toe();
    let example = "write a position such as '.../.../...'";
    let no_mark = "'...y' is not a position: 'y' is no mark; for example '.../.../...'";
    assert_eq!(TIC_TAC_TOE.run(&directory, &["ask", "...y"]), refused(2, &format!("arguments: {no_mark}")));
    assert_eq!(
        TIC_TAC_TOE.run_with(&directory, &["ask"], "\n...y\n"),
        refused(2, &format!("stdin, line 2: {no_mark}"))
    );
    assert_eq!(
        TIC_TAC_TOE.run(&directory, &["ask", "xxx/xxx/xxx"]),
        refused(2, &format!("arguments: 'xxx/xxx/xxx' is not reached from the start, {example} that is"))
    );
    assert_eq!(
        TIC_TAC_TOE.run_with(&directory, &["ask"], "\n"),
        refused(2, &format!("stdin, line 1: the input ends too early, {example}"))
    );
    assert_eq!(
        TIC_TAC_TOE.run_with(&directory, &["ask"], ".../.../...\n.../.../...\n"),
        refused(
            2,
            "stdin, line 2: '.../.../...' after the end of the input, remove it, or pass --many to answer several positions"
        )
    );
}

#[test]
fn many_positions_are_answered_up_to_the_first_bad_one() {
    let directory = tic_tac_toe();
    let input = ".../.../...\n\nxx./oo./...\r\nx../.o./...\n";
    let output = TIC_TAC_TOE.run_with(&directory, &["ask", "--many"], input);
    let answers = "0 in 9 moves\n1 in 1 move\n0 in 7 moves\n";
    assert_eq!(output, RunOutput { code: Some(0), out: answers.to_owned(), error: String::new() });
    let output = TIC_TAC_TOE.run_with(&directory, &["ask", "--many"], &format!("{input}nonsense\n{input}"));
    let error = "tic-tac-toe: stdin, case 4, line 5: 'nonsense' is not a position: 'n' is no mark; \
                 for example '.../.../...'\n";
    assert_eq!(output, RunOutput { code: Some(2), out: answers.to_owned(), error: error.to_owned() });
}

#[test]
fn json_is_one_object_per_position() {
    let directory = tic_tac_toe();
    let output = TIC_TAC_TOE.run_with(&directory, &["ask", "--many", "--json"], "xx./oo./...\n.../.../...\n");
    let objects: Vec<serde_json::Value> = output.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[0]["game"], "tic-tac-toe");
    assert_eq!(objects[0]["position"], "xx./oo./...");
    assert_eq!(objects[0]["value"], 1.0);
    assert_eq!(objects[0]["moves_to_end"], 1);
    let next = "xxx/oo./...";
    let best = serde_json::json!(
        {"move": "c3", "touch": [[[0, 2]]], "value": 1.0, "moves_to_end": 0, "next": next, "turn": true}
    );
    assert_eq!(objects[0]["moves"][0], best);
    assert_eq!((&objects[0]["goal"], &objects[0]["board"][1]), (&"max".into(), &"oo.".into()));
    assert_eq!(objects[1]["moves"].as_array().unwrap().len(), 9);
}

#[test]
fn usage_errors_exit_with_2_and_print_nothing_to_standard_output() {
    let directory = tempfile::tempdir().unwrap();
    let side = ["play", "--side", "third"];
    for arguments in [&[][..], &["draw"], &side, &["solve", "--jobs", "0"], &["solve", "--max-positions", "0"]] {
        let output = TIC_TAC_TOE.run(directory.path(), arguments);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(output.error.starts_with("tic-tac-toe: arguments: "), "{}", output.error);
    }
}

#[test]
fn a_mistyped_option_is_not_a_position() {
    let output = TIC_TAC_TOE.run(&tic_tac_toe(), &["play", "--sede", "1"]);
    assert!(output.error.contains("unexpected argument '--sede' found"), "{}", output.error);
    for arguments in [&["ask", "--explian", ".../.../..."][..], &["ask", ".../.../...", "--explian"]] {
        let output = TIC_TAC_TOE.run(&tic_tac_toe(), arguments);
        assert_eq!(output.code, Some(2));
        let start = "tic-tac-toe: arguments: unexpected argument '--explian' found\n";
        assert!(output.error.starts_with(start) && output.error.contains("'--explain'"), "{}", output.error);
    }
    // A text that begins with a hyphen may be a position.
    let output = TIC_TAC_TOE.run(&tic_tac_toe(), &["ask", "-x"]);
    let error = "arguments: '-x' is not a position: '-' is no mark; for example '.../.../...'";
    assert_eq!(output, refused(2, error));
}

#[test]
fn json_wins_over_an_explanation() {
    let directory = tic_tac_toe();
    let json = TIC_TAC_TOE.answer(&directory, &["ask", "xx./oo./...", "--json"]);
    assert_eq!(TIC_TAC_TOE.answer(&directory, &["ask", "xx./oo./...", "--json", "--explain"]), json);
}

#[test]
fn the_version_is_the_one_of_tabletop() {
    let version = format!("tic-tac-toe made with tabletop {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(TIC_TAC_TOE.answer(&tic_tac_toe(), &["--version"]), version);
}

#[test]
fn a_game_can_be_limited_to_a_number_of_positions() {
    let directory = tempfile::tempdir().unwrap();
    let output = TIC_TAC_TOE.run(directory.path(), &["solve", "--max-positions", "700"]);
    assert_eq!((output.code, output.out.as_str()), (Some(1), ""));
    assert!(output.error.starts_with("tic-tac-toe: more than 700 positions, such as '"), "{}", output.error);
    assert_eq!(TIC_TAC_TOE.run(directory.path(), &["solve", "--max-positions", "765"]).code, Some(0));
}

#[test]
fn positions_are_counted_and_memory_is_limited() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(TIC_TAC_TOE.answer(directory.path(), &["count"]), "765 positions\n");
    let refused = |program: &Program, name: &str, remedy: &str| {
        let output = program.run(directory.path(), &["solve", "--memory", "1K"]);
        assert_eq!((output.code, output.out.as_str()), (Some(1), ""));
        let needed = "needs at least 1 MiB of memory, and 1 MiB are allowed, pass a larger --memory, or";
        assert_eq!(output.error, format!("{name}: {needed} {remedy}\n"));
    };
    let by_ranks = "give positions ranks with `ranks`, `rank` and `unrank`, which takes a tenth of it";
    refused(&SHUT_THE_BOX, "shut-the-box", by_ranks);
    refused(&TIC_TAC_TOE, "tic-tac-toe", "let `stage` divide the game into smaller stages, or give positions ranks");
    let output = TIC_TAC_TOE.run(directory.path(), &["count", "--memory", "much"]);
    assert_eq!(output.code, Some(2));
    assert!(output.error.contains("write a whole number of bytes, or one with K, M, G or T"), "{}", output.error);
}

#[test]
fn the_table_in_the_working_directory_is_found_before_one_beside_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let beside = directory.path().join("bin");
    fs::create_dir_all(beside.join("tables")).unwrap();
    let program = beside.join("tic-tac-toe");
    fs::copy(TIC_TAC_TOE.0, &program).unwrap();
    fs::write(beside.join("tables/tic-tac-toe.tbl"), "an old table").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(&program);
        RunOutput::from(command.args(arguments).current_dir(&directory).env_remove("TABLETOP_TABLES").output().unwrap())
    };
    assert_eq!(run(&["ask", ".../.../..."]).code, Some(1), "the old table");
    assert_eq!((run(&["solve"]).code, run(&["solve"]).error.as_str()), (Some(0), ""));
    assert_eq!(run(&["ask", ".../.../..."]).out, "0 in 9 moves\n");
    // Tables of other games do not hide the one beside the program.
    fs::remove_file(directory.path().join("tables/tic-tac-toe.tbl")).unwrap();
    fs::write(directory.path().join("tables/other.tbl"), "").unwrap();
    assert!(run(&["ask", ".../.../..."]).error.contains("bin/tables/tic-tac-toe.tbl"));
}

#[test]
fn another_table_that_is_found_first_is_remarked_on() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(TIC_TAC_TOE.run(directory.path(), &["solve"]).error, "");
    let output = TIC_TAC_TOE.run(directory.path(), &["solve", "--out", "other"]);
    let remark = "tic-tac-toe: tables/tic-tac-toe.tbl is found before other/tic-tac-toe.tbl, \
                  remove it or pass --tables other\n";
    assert_eq!((output.code, output.error.as_str()), (Some(0), remark));
}

#[test]
fn a_directory_that_cannot_be_written_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), "").unwrap();
    let output = TIC_TAC_TOE.run(directory.path(), &["solve", "--out", "file/tables"]);
    assert_eq!((output.code, output.out.as_str()), (Some(1), ""));
    assert!(
        output.error.starts_with("tic-tac-toe: file/tables/tic-tac-toe.tbl: cannot be written: "),
        "{}",
        output.error
    );
    assert!(output.error.ends_with(", write elsewhere\n"), "{}", output.error);
}

#[test]
fn the_table_of_another_game_and_a_directory_are_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let path = tables.join("pig.tbl");
    fs::copy(tic_tac_toe().join("tables/tic-tac-toe.tbl"), &path).unwrap();
    let output = PIG.run(directory.path(), &["solve"]);
    let error = "pig: tables/pig.tbl: holds the table 'tic-tac-toe' of another game, \
                 write elsewhere with --out, or remove it\n";
    assert_eq!((output.code, output.error.as_str()), (Some(1), error));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let output = PIG.run(directory.path(), &["solve"]);
    let error = "pig: tables/pig.tbl: cannot be written: is a directory, write elsewhere\n";
    assert_eq!((output.code, output.error.as_str()), (Some(1), error));
}

#[cfg(unix)]
#[test]
fn a_solver_that_waits_for_a_lock_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let lock = File::open(directory.path()).unwrap();
    lock.lock().unwrap();
    let mut command = Command::new(TIC_TAC_TOE.0);
    command.args(["solve", "--out", "."]).current_dir(&directory).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut solver = command.spawn().unwrap();
    let mut lines = BufReader::new(solver.stderr.take().unwrap()).lines();
    let remark = "tic-tac-toe: .: locked by another program, waiting until that one releases it or ends";
    assert_eq!(lines.next().unwrap().unwrap(), remark);
    lock.unlock().unwrap();
    assert!(solver.wait().unwrap().success());
    assert!(lines.next().is_none() && directory.path().join("tic-tac-toe.tbl").is_file());
}

#[test]
fn the_word_start_is_the_start() {
    let directory = tic_tac_toe();
    // Without a position, the input is empty.
    for arguments in [&["ask", "start"][..], &["ask", ".../.../..."], &["ask"]] {
        assert_eq!(TIC_TAC_TOE.answer(&directory, arguments), "0 in 9 moves\n");
    }
    let output = TIC_TAC_TOE.run_with(&directory, &["ask", "--many"], "start\nxx./oo./...\n");
    assert_eq!((output.code, output.out.as_str()), (Some(0), "0 in 9 moves\n1 in 1 move\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn ask_on_a_terminal_answers_for_the_start() {
    use tabletop_measure::terminal::Terminal;

    let terminal = Terminal::open().unwrap();
    let mut command = Command::new(TIC_TAC_TOE.0);
    command.args(["ask"]).current_dir(tic_tac_toe()).env_remove("TABLETOP_TABLES");
    command.stdin(terminal.stream().unwrap()).stdout(terminal.stream().unwrap()).stderr(terminal.stream().unwrap());
    let session = terminal.run(&mut command, b"").unwrap();
    assert_eq!((session.status.code(), session.shown.as_str()), (Some(0), "0 in 9 moves\r\n"));
}
