//! Dice poker through the real binary.

use crate::support::{Outcome, tabletop};
use serde_json::Value;

const SAMPLE: &str = "5\n6 6 6 6 6\n1 2 3 4 5\n1 2 3 4 5\n2 3 4 5 6\n1 2 3 1 1\n1 2 3 4 5\n1 3 1 2 2\n2 2 3 4 6\n\
                      1 1 1 1 1\n5 4 5 5 5\n";
const SAMPLE_ANSWERS: &str = "0.999871\n0.056503\n0.430834\n0.477623\n0.833333\n";
/// A good input and a bad one.
const BAD_STREAM: &str = "1\n6 6 6 6 6\n1 2 3 4 5\n1\n1 2 3 4 5\n1 2 3 4 7\n";
const HAND_REMEDY: &str = "write five numbers from 1 to 6 on the line";
const COUNT_REMEDY: &str = "write the number of cases alone on its line, a whole number from 0 to 1000000";

#[test]
fn the_sample_of_the_statement() {
    tabletop(&["dice"], SAMPLE).answers(SAMPLE_ANSWERS);
}

#[test]
fn a_file_is_read_and_a_file_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let (input, output) = (directory.path().join("in"), directory.path().join("out"));
    std::fs::write(&input, SAMPLE).unwrap();
    let arguments = ["dice", input.to_str().unwrap(), "-o", output.to_str().unwrap()];
    tabletop(&arguments, "").answers("");
    assert_eq!(std::fs::read_to_string(output).unwrap(), SAMPLE_ANSWERS);
}

#[test]
fn a_bad_input_leaves_the_output_file_alone() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out");
    let outcome = tabletop(&["dice", "--output", output.to_str().unwrap()], "1\n1 2 3 4 5\n");
    assert_eq!(outcome.code, Some(2));
    assert!(!output.exists());
}

#[test]
fn a_bad_case_of_a_stream_leaves_the_output_file_alone() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out");
    for arguments in [&["dice", "--many"][..], &["dice", "--many", "--json"], &["dice", "--split", "1"]] {
        let to_stdout = tabletop(arguments, BAD_STREAM);
        assert_eq!((to_stdout.code, to_stdout.stdout.lines().count() > 0), (Some(2), true), "{arguments:?}");
        let to_file = || tabletop(&[arguments, &["-o", output.to_str().unwrap()]].concat(), BAD_STREAM);
        let refused = Outcome { stdout: String::new(), ..to_stdout };
        assert_eq!(to_file(), refused, "{arguments:?}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "{arguments:?}: no file appears");
        std::fs::write(&output, "old").unwrap();
        assert_eq!(to_file(), refused, "{arguments:?}");
        assert_eq!(std::fs::read_to_string(&output).unwrap(), "old", "{arguments:?}");
        std::fs::remove_file(&output).unwrap();
    }
}

/// Nothing is replaced there: the answers before a bad case stand, as on standard output.
#[cfg(target_os = "linux")]
#[test]
fn a_bad_case_of_a_stream_leaves_the_answers_in_a_pipe() {
    let outcome = tabletop(&["dice", "--many", "-o", "/dev/stdout"], BAD_STREAM);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), "0.999871\n"));
}

#[test]
fn white_space_is_tolerated_and_dice_come_in_any_order() {
    let input = "\r\n 2 \t\r\n\r\n5 4\t5 5 5  \r\n1 1 1 1 1\r\n\n\n2 1 1 3 1\n5 4 3 2 1";
    let sorted = "2\n4 5 5 5 5\n1 1 1 1 1\n1 1 1 2 3\n1 2 3 4 5\n";
    let expected = tabletop(&["dice"], sorted);
    tabletop(&["dice"], input).answers(&expected.stdout);
}

#[test]
fn zero_cases_get_an_empty_answer() {
    tabletop(&["dice"], "0\n").answers("");
    tabletop(&["dice", "--many"], "0\n0\n").answers("");
}

#[test]
fn a_million_cases_are_answered_and_one_more_is_refused() {
    let mut input = String::from("1000000\n");
    input.push_str(&"6 6 6 6 6\n1 2 3 4 5\n".repeat(1_000_000));
    tabletop(&["dice"], &input).answers(&"0.999871\n".repeat(1_000_000));
    tabletop(&["dice"], "1000001\n")
        .fails(2, &format!("stdin, line 1: '1000001' is not the number of cases, {COUNT_REMEDY}"));
}

#[test]
fn every_mistake_is_named_with_its_line_and_remedy() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "line 1: the input is empty, write the number of cases, then A's dice and B's dice on a line each"),
        (b"\n \n", "line 1: the input is empty, write the number of cases, then A's dice and B's dice on a line each"),
        (b"1\n1 2 3 4\n1 2 3 4 5\n", "line 2: a hand of 4 dice, {hand}"),
        (b"1\n\n1 2 3 4 5\n1 2 3 4 5 6\n", "line 4: a hand of 6 dice, {hand}"),
        (b"1\n1 2 3 4 7\n1 2 3 4 5\n", "line 2: '7' is not the face of a die, {hand}"),
        (b"1\n1 2 3 4 0\n1 2 3 4 5\n", "line 2: '0' is not the face of a die, {hand}"),
        (b"1\n1 2 3 4 05\n1 2 3 4 5\n", "line 2: '05' is not the face of a die, {hand}"),
        (b"1\n1 2 3 4 5\n1 2 x 4 5\n", "line 3: 'x' is not the face of a die, {hand}"),
        (b"1\n1,2,3,4,5\n1 2 3 4 5\n", "line 2: '1,2,3,4,5' is not the face of a die, {hand}"),
        (b"1\n1 2 3 4 \xff\n1 2 3 4 5\n", "line 2: the line is not valid UTF-8, save the input as plain text"),
        (b"1\n1 2 3 4 5\n", "line 3: the input ends too early, write B's dice, five numbers from 1 to 6"),
        (
            b"2\n1 2 3 4 5\n1 2 3 4 5\n",
            "line 4: the input ends too early, write A's dice, five numbers from 1 to 6, or lower the number of cases",
        ),
        (
            b"1\n1 2 3 4 5\n1 2 3 4 5\n6 6 6 6 6\n",
            "line 4: '6' after the end of the input, remove it, or pass --many to answer several inputs",
        ),
        (b"-1\n", "line 1: '-1' is not the number of cases, {count}"),
        (b"1 2\n", "line 1: more than one word where the number of cases stands, {count}"),
        (b"x\n", "line 1: 'x' is not the number of cases, {count}"),
    ];
    for (input, message) in cases {
        let message = message.replace("{hand}", HAND_REMEDY).replace("{count}", COUNT_REMEDY);
        tabletop(&["dice"], input).fails(2, &format!("stdin, {message}"));
    }
}

#[test]
fn many_inputs_are_answered_up_to_the_first_bad_case() {
    let two = format!("{SAMPLE}{SAMPLE}");
    tabletop(&["dice", "--many"], &two).answers(&SAMPLE_ANSWERS.repeat(2));
    tabletop(&["dice", "--many"], "").answers("");

    let outcome = tabletop(&["dice", "--many"], format!("{SAMPLE}2\n6 6 6 6 6\n1 2 3 4 5\n1 2 3 4 9\n"));
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stdout, format!("{SAMPLE_ANSWERS}0.999871\n"));
    assert_eq!(
        outcome.stderr,
        format!("tabletop: stdin, case 7, line 15: '9' is not the face of a die, {HAND_REMEDY}\n")
    );
}

#[test]
fn an_explanation_lists_all_choices_best_first() {
    let outcome = tabletop(&["dice", "--explain"], "1\n1 2 3 1 1\n1 2 3 4 5\n");
    outcome.answers(
        "\
0.430834
  A 1 1 1 2 3 (three of a kind), B 1 2 3 4 5 (straight): A to reroll
    A rerolls  keeps      ways  A wins    exactly
  * 2 3        1 1 1         1  0.430834  20101/46656
    3          1 1 1 2       1  0.320216  415/1296
    2          1 1 1 3       1  0.320216  415/1296
    1 2 3      1 1           3  0.160185  134525/839808
    1 2        1 1 3         3  0.105838  823/7776
    1 3        1 1 2         3  0.105753  2467/23328
    1 1 1 2    3             1  0.071842  26815/373248
    1 1 1 3    2             1  0.071748  120509/1679616
    1 1 1 2 3  nothing       1  0.069449  1399765/20155392
    1 1 1      2 3           1  0.058510  16379/279936
    1 1 2 3    1             3  0.056221  188861/3359232
    1 1 2      1 3           3  0.035315  4943/139968
    1 1 3      1 2           3  0.035269  1097/31104
    nothing    1 1 1 2 3     1  0.000000  0
    1          1 1 2 3       3  0.000000  0
    1 1        1 2 3         3  0.000000  0
  ways: how many of the 32 choices of dice a line stands for
  the best reroll gives A
    five of a kind   0.027778
    four of a kind   0.277778
    full house       0.138889
    three of a kind  0.555556
  then: write A's new dice and B's dice, and ask for B with --a-finished

",
    );
}

#[test]
fn the_reply_of_b_is_explained_when_a_has_finished() {
    let input = "1\n6 6 6 6 6\n1 2 3 4 5\n";
    tabletop(&["dice", "--a-finished"], input).answers("0.999871\n");
    let outcome = tabletop(&["dice", "--a-finished", "--explain"], input);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "0.999871");
    assert_eq!(lines[1], "  A 6 6 6 6 6 (five of a kind), B 1 2 3 4 5 (straight): B to reroll");
    assert_eq!(lines[3], "  * 1 2 3 4 5  nothing       1  0.999871  7775/7776");
}

#[test]
fn an_input_that_says_who_decides_overrides_the_option() {
    let hands = "1 2 3 1 1\n1 2 3 4 5\n";
    let input = format!("3\nto move: A\n{hands}{hands}to move: nobody\n{hands}");
    let without_option = tabletop(&["dice"], format!("3\n{hands}to move: B\n{hands}to move: nobody\n{hands}"));
    assert!(without_option.stdout.starts_with("0.430834\n"), "{without_option:?}");
    tabletop(&["dice", "--a-finished"], input).answers(&without_option.stdout);
    for mover in ["", "to move: A\n", "to move: B\n", "to move: nobody\n"] {
        let text = format!("1\n{mover}1 1 1 2 3\n1 2 3 4 5\n");
        assert_eq!(text.parse::<tabletop::dice::Case>().unwrap().to_string(), text);
    }
}

#[test]
fn json_is_one_object_per_input_and_says_what_the_explanation_says() {
    let outcome = tabletop(&["dice", "--json", "--many"], format!("{SAMPLE}1\n1 2 3 1 1\n1 2 3 4 5\n"));
    assert_eq!(outcome.code, Some(0));
    let objects: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[0]["game"], "dice");
    let cases = objects[0]["cases"].as_array().unwrap();
    let answers: String = cases.iter().map(|case| format!("{}\n", case["answer"].as_str().unwrap())).collect();
    assert_eq!(answers, SAMPLE_ANSWERS);
    assert_eq!(objects[1]["cases"][0], cases[2]);

    let case = &cases[2];
    assert_eq!(case["a"], serde_json::json!({"dice": [1, 1, 1, 2, 3], "arrangement": "three of a kind"}));
    assert_eq!(case["mover"], "A");
    let moves = case["moves"].as_array().unwrap();
    assert_eq!(moves.iter().map(|choice| choice["ways"].as_u64().unwrap()).sum::<u64>(), 32);
    assert_eq!(moves[0]["reroll"], serde_json::json!([2, 3]));
    assert_eq!(moves[0]["keep"], serde_json::json!([1, 1, 1]));
    assert_eq!(moves[0]["fraction"], "20101/46656");
    assert_eq!(moves[0]["probability"].as_f64().unwrap(), 20101.0 / 46656.0);
}

#[test]
fn a_bad_case_leaves_no_partial_json_object() {
    let outcome = tabletop(&["dice", "--json", "--many"], "2\n6 6 6 6 6\n1 2 3 4 5\n1 2 3 4 9\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
}

#[test]
fn a_stream_is_not_written_over_its_own_input() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("cases");
    std::fs::write(&file, SAMPLE).unwrap();
    let path = file.canonicalize().unwrap();
    let path = path.to_str().unwrap();
    tabletop(&["dice", "--many", path, "-o", path], "")
        .fails(2, &format!("{path}: is the input and the output, name another output"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), SAMPLE);
    tabletop(&["dice", "-o", "-", path], "").answers(SAMPLE_ANSWERS);
}

#[test]
fn a_forged_table_with_impossible_counts_is_refused() {
    use tabletop::dice::index::PAIRS;
    use tabletop::table::{Spec, Values};
    let directory = crate::support::copied_tables();
    let any = Spec { values: Values::Any, ..PAIRS };
    let forged = tabletop::table::encode(&any, "a forger", &vec![u32::MAX; 252 * 252]);
    std::fs::write(directory.path().join("dice.tbl"), forged).unwrap();
    let outcome = crate::support::tabletop_on(directory.path(), &["dice"], SAMPLE);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("has a value that cannot be"), "{}", outcome.stderr);
}

#[test]
fn a_forged_distribution_with_too_many_ways_is_refused() {
    use tabletop::dice::index::REROLLS;
    use tabletop::table::{Spec, Values, encode};
    let directory = crate::support::copied_tables();
    let any = Spec { values: Values::Any, ..REROLLS };
    let forged = encode(&any, "a forger", &vec![7776_u16; REROLLS.positions.unwrap() as usize]);
    std::fs::write(directory.path().join("dice-rerolls.tbl"), forged).unwrap();
    for arguments in [&["dice", "--explain"][..], &["dice", "--a-finished"]] {
        let outcome = crate::support::tabletop_on(directory.path(), arguments, SAMPLE);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(outcome.stderr.contains("has a value that cannot be"), "{}", outcome.stderr);
    }
}

#[test]
fn a_json_object_too_long_for_the_buffer_equals_that_of_a_stream() {
    // Hands of five different faces have the longest explanations.
    let hand = |missing: usize| {
        let faces = (1..=6).filter(|face| *face != missing % 6 + 1).map(|face| face.to_string());
        faces.collect::<Vec<_>>().join(" ")
    };
    let cases: Vec<String> = (0..4500).map(|case| format!("{}\n{}\n", hand(case), hand(case / 6))).collect();
    let text = format!("{}\n{}", cases.len(), cases.concat());
    let held = tabletop(&["dice", "--json"], &text);
    assert_eq!((held.code, held.stderr.as_str()), (Some(0), ""));
    assert!(held.stdout.len() > 1 << 24, "{} bytes fit into the buffer", held.stdout.len());
    assert!(held == tabletop(&["dice", "--json", "--many"], &text));
}

/// A hard link and a redirection can name the same file.
#[cfg(unix)]
#[test]
fn a_stream_is_not_written_over_its_input_under_another_name() {
    use std::process::Command;
    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("cases"), directory.path().join("link"));
    std::fs::write(&file, SAMPLE).unwrap();
    std::fs::hard_link(&file, &link).unwrap();
    let (file, link) = (file.to_str().unwrap(), link.to_str().unwrap());
    let refused = format!("{link}: is the input and the output, name another output");
    tabletop(&["dice", "--many", file, "-o", link], "").fails(2, &refused);
    let output = Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["dice", "--many", "-o", link])
        .env("TABLETOP_TABLES", crate::support::shipped_tables())
        .stdin(std::fs::File::open(file).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("tabletop: {refused}\n"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), SAMPLE);
}

/// With a limit of 0 on the file size the new file cannot be written, so the old one stays.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_leaves_the_old_file() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out");
    std::fs::write(&output, "old").unwrap();
    let script = format!("ulimit -f 0; exec {} dice -o {}", env!("CARGO_BIN_EXE_tabletop"), output.display());
    let mut child = std::process::Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; {script}")])
        .env("TABLETOP_TABLES", crate::support::shipped_tables())
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), SAMPLE.as_bytes()).unwrap();
    let outcome = child.wait_with_output().unwrap();
    assert_eq!(outcome.status.code(), Some(1), "{outcome:?}");
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "old");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn an_output_in_a_missing_directory_is_refused_with_a_remedy() {
    let outcome = tabletop(&["dice", "-o", "missing/directory/out"], SAMPLE);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.starts_with("tabletop: missing/directory/out: cannot be written: "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with(", create the directory or write elsewhere\n"), "{}", outcome.stderr);
}

#[test]
fn a_game_can_be_played_to_its_end() {
    // A keeps all, then B rerolls, then the game is over.
    let outcome = tabletop(&["dice", "--explain"], "1\n6 6 6 6 6\n1 2 3 4 5\n");
    let (_, then) = outcome.stdout.split_once("  then\n").unwrap();
    assert_eq!(then.trim_end(), "    1\n    to move: B\n    6 6 6 6 6\n    1 2 3 4 5");
    tabletop(&["dice"], then).answers("0.999871\n");
    tabletop(&["dice", "--a-finished"], "1\n6 6 6 6 6\n1 2 3 4 5\n").answers("0.999871\n");
    let over = "2\nTO MOVE: Nobody\n6 6 6 6 6\n1 2 3 4 5\nto move: nobody\n6 6 6 6 6\n6 6 6 6 6\n";
    tabletop(&["dice"], over).answers("1.000000\n0.000000\n");
    let text = tabletop(&["dice", "--explain"], over).stdout;
    assert!(
        text.contains("the game is over, A has won\n") && text.contains("the game is over, A has not won\n"),
        "{text}"
    );
    let object: Value = serde_json::from_str(&tabletop(&["dice", "--json"], over).stdout).unwrap();
    assert_eq!((&object["cases"][0]["over"], &object["cases"][0]["mover"]), (&"A has won".into(), &Value::Null));
    tabletop(&["dice"], "1\nto move: C\n6 6 6 6 6\n1 2 3 4 5\n")
        .fails(2, "stdin, line 2: 'C' names no player, write 'to move: A', 'to move: B' or 'to move: nobody'");
}

#[test]
fn the_outcomes_of_kept_dice_are_shown_without_an_input() {
    let text = tabletop(&["dice", "--reroll", "1 1 1"], "").stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "keep 1 1 1, reroll 2");
    assert_eq!(
        lines[2..6],
        [
            "    five of a kind   0.027778",
            "    four of a kind   0.277778",
            "    full house       0.138889",
            "    three of a kind  0.555556"
        ]
    );
    assert!(lines.contains(&"    1 1 1 6 6  full house       0.027778"), "{text}");
    let object: Value = serde_json::from_str(&tabletop(&["dice", "--reroll", "", "--json"], "").stdout).unwrap();
    let sum =
        |list: &Value| list.as_array().unwrap().iter().map(|one| one["probability"].as_f64().unwrap()).sum::<f64>();
    assert!((sum(&object["arrangements"]) - 1.0).abs() < 1e-12 && (sum(&object["hands"]) - 1.0).abs() < 1e-12);
    assert_eq!(object["hands"].as_array().unwrap().len(), 252);
    for wrong in ["7", "1 1 1 1 1 1", "x", "+1 1", "01"] {
        let message = format!(
            "arguments: invalid value '{wrong}' for '--reroll': '{wrong}' is not dice to keep, write at most five numbers from 1 to 6"
        );
        tabletop(&["dice", "--reroll", wrong], "").fails(2, &message);
    }
}

#[test]
fn every_move_lists_the_outcomes_of_its_reroll() {
    let outcome = tabletop(&["dice", "--json"], "1\n1 2 3 1 1\n1 2 3 4 5\n");
    let object: Value = serde_json::from_str(&outcome.stdout).unwrap();
    for choice in object["cases"][0]["moves"].as_array().unwrap() {
        let outcomes = choice["outcomes"].as_array().unwrap();
        let sum: f64 = outcomes.iter().map(|outcome| outcome["probability"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{choice}");
        assert_eq!(choice.get("next").is_some(), choice["reroll"].as_array().unwrap().is_empty(), "{choice}");
    }
}
