//! Dice poker through the real binary.

mod support;

use serde_json::Value;
use support::tabletop;

const SAMPLE: &str = "5\n6 6 6 6 6\n1 2 3 4 5\n1 2 3 4 5\n2 3 4 5 6\n1 2 3 1 1\n1 2 3 4 5\n1 3 1 2 2\n2 2 3 4 6\n\
                      1 1 1 1 1\n5 4 5 5 5\n";
const SAMPLE_ANSWERS: &str = "0.999871\n0.056503\n0.430834\n0.477623\n0.833333\n";
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
fn white_space_is_tolerated_and_dice_come_in_any_order() {
    let input = "\r\n 2 \t\r\n\r\n5 4\t5 5 5  \r\n1 1 1 1 1\r\n\n\n2 1 1 3 1\n5 4 3 2 1";
    let sorted = "2\n4 5 5 5 5\n1 1 1 1 1\n1 1 1 2 3\n1 2 3 4 5\n";
    let expected = tabletop(&["dice"], sorted);
    tabletop(&["dice"], input).answers(&expected.stdout);
}

#[test]
fn no_cases_are_answered_with_nothing() {
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
        (b"\xef\xbb\xbf1\n", "line 1: a byte order mark, save the input without it"),
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
fn a_bad_case_leaves_no_half_of_a_json_object() {
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
fn a_forged_table_with_more_ways_than_there_are_has_no_answer() {
    use tabletop::dice::index::PAIRS;
    let directory = support::copied_tables();
    let forged = tabletop::table::encode(&PAIRS, "a forger", &vec![u32::MAX; 252 * 252]);
    std::fs::write(directory.path().join("dice.tbl"), forged).unwrap();
    let outcome = support::tabletop_on(directory.path(), &["dice"], SAMPLE);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("does not unpack to its records"), "{}", outcome.stderr);
}

#[test]
fn an_object_that_is_too_long_to_be_held_is_the_same_as_that_of_a_stream() {
    // Hands of five different faces have the longest explanations.
    let hand = |missing: usize| {
        let faces = (1..=6).filter(|face| *face != missing % 6 + 1).map(|face| face.to_string());
        faces.collect::<Vec<_>>().join(" ")
    };
    let cases: Vec<String> = (0..4500).map(|case| format!("{}\n{}\n", hand(case), hand(case / 6))).collect();
    let text = format!("{}\n{}", cases.len(), cases.concat());
    let held = tabletop(&["dice", "--json"], &text);
    assert_eq!((held.code, held.stderr.as_str()), (Some(0), ""));
    assert!(held.stdout.len() > 1 << 24, "{} bytes are held", held.stdout.len());
    assert!(held == tabletop(&["dice", "--json", "--many"], &text));
}
