//! Hop chess through the real binary.

use crate::support::{tabletop, tabletop_on};
use serde_json::{Value, json};

const SAMPLE_1: &str = "1 3\nJJD\n3 1\n";
const SAMPLE_2: &str = "2 2\nJJ\nDD\n3 1\n";
const SIZE_REMEDY: &str = "write the numbers of rows and columns, of at most 16 cells";
const ROWS_REMEDY: &str = "write the rows of the board in letters J, D or '.', as many as its size says";
const TURN_REMEDY: &str = "write 'to move: J' or 'to move: D'";
const FACTOR_REMEDY: &str = "write the error factors of Justin and Donald, two whole numbers of at least 1";

#[test]
fn the_samples_of_the_statement() {
    tabletop(&["hopchess"], SAMPLE_1).answers("0.667\n");
    tabletop(&["hopchess"], SAMPLE_2).answers("0.000\n");
}

#[test]
fn ties_are_rounded_as_c_rounds_the_nearest_double() {
    for (input, fraction, answer) in [
        ("1 8\nDDDJDDDD\n1 4\n", "1/16", "0.062"),
        ("1 7\nDJDJDDD\n2 2\n", "3/16", "0.188"),
        ("1 7\nJJDJDDJ\n4 6\n", "51/80", "0.637"),
        ("1 10\nJJJDDJDJDD\n7 2\n", "13/80", "0.163"),
        ("1 8\nJJJDDJDD\n4 5\n", "231/400", "0.578"),
        ("1 8\nDJDDJJDD\n4 5\n", "157/400", "0.393"),
        ("1 9\nDDJJDJJDD\n8 5\n", "1011/2000", "0.505"),
    ] {
        tabletop(&["hopchess"], input).answers(&format!("{answer}\n"));
        let outcome = tabletop(&["hopchess", "--json"], input);
        let object: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!((&object["fraction"], &object["answer"]), (&json!(fraction), &json!(answer)));
    }
}

#[test]
fn white_space_is_tolerated_and_a_board_may_be_higher_than_wide() {
    tabletop(&["hopchess"], "\r\n 1\t3 \r\n\r\n JJD \r\n3  1").answers("0.667\n");
    tabletop(&["hopchess"], "3 1\nJ\nJ\nD\n3 1\n").answers("0.667\n");
}

#[test]
fn boards_of_one_player_and_of_one_cell_are_answered() {
    tabletop(&["hopchess", "--many"], "1 3\nJJJ\n1 1\n1 3\nDDD\n1 1\n1 1\nJ\n1 1\n1 1\n.\n1 1\n")
        .answers("1.000\n0.000\n0.000\n1.000\n");
}

#[test]
fn the_player_to_move_follows_from_the_empty_cells_or_from_a_line() {
    // One piece is gone, so Donald is to move. He captures, and Justin cannot move.
    tabletop(&["hopchess"], "1 3\n.JD\n1 1\n").answers("0.000\n");
    tabletop(&["hopchess"], "1 3\n.JD\nto move: D\n1 1\n").answers("0.000\n");
    tabletop(&["hopchess"], "1 3\n.JD\nto move:J\n1 1\n").answers("1.000\n");
    // A full board with Donald to move: the players change roles.
    tabletop(&["hopchess"], "1 3\nDDJ\nto move: D\n1 3\n").answers("0.333\n");
}

#[test]
fn error_factors_above_13_are_answered_like_the_number_of_moves() {
    tabletop(&["hopchess"], "1 3\nJJD\n14 99\n").answers("0.667\n");
    tabletop(&["hopchess"], "1 3\nJJD\n99999999999999999999999999 1\n").answers("0.667\n");
    let nearly_all_of_justin = |factor| format!("1 13\nJJJJJJJJJDJJJ\n{factor} 2\n");
    let answers: Vec<String> =
        [13, 14, 23, 24, 1000].map(|factor| tabletop(&["hopchess"], nearly_all_of_justin(factor)).stdout).to_vec();
    assert!(answers[0] > answers[1] && answers[1] > answers[2] && answers[3] == answers[4], "{answers:?}");
}

#[test]
fn boards_of_14_to_16_cells_are_searched() {
    // Computed by a plain solver that uses doubles and stores positions as text.
    for (input, answer) in [
        ("1 14\nJDDJJDJDDJJDJD\n3 2\n", "0.398\n"),
        ("2 7\nJDJDDJJ\nDJJDJDD\n4 3\n", "0.504\n"),
        ("3 5\nJDDJJ\nDJDDJ\nJDJDJ\n5 2\n", "0.217\n"),
        ("1 16\nJDDJJDJDDJJDJDJJ\n14 9\n", "0.586\n"),
        ("4 4\nJDDJ\nJ.JD\nDJJD\nJDJD\n2 3\n", "0.844\n"),
    ] {
        tabletop(&["hopchess"], input).answers(answer);
    }
}

#[test]
fn searched_positions_need_no_tables() {
    let empty = tempfile::tempdir().unwrap();
    tabletop_on(empty.path(), &["hopchess"], "1 3\n.JD\n1 1\n").answers("0.000\n");
    let explained = tabletop_on(empty.path(), &["hopchess", "--explain"], SAMPLE_1);
    assert_eq!((explained.code, explained.stderr.as_str()), (Some(0), ""));
    let outcome = tabletop_on(empty.path(), &["hopchess"], SAMPLE_1);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("hopchess.tbl: table missing"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("run `tabletop-gen hopchess --out "), "{}", outcome.stderr);
}

#[test]
fn every_mistake_is_named_with_its_line_and_remedy() {
    let cases: &[(&[u8], &str)] = &[
        (
            b"",
            "line 1: the input is empty, write the numbers of rows and columns, the rows of the board, then the error factors",
        ),
        (b"3\n", "line 1: 1 word where two numbers stand, {size}"),
        (b"1 2 3\n", "line 1: 3 words where two numbers stand, {size}"),
        (b"0 3\n", "line 1: a board of 0 by 3 cells, {size}"),
        (b"1 17\n", "line 1: a board of 1 by 17 cells, {size}"),
        (b"4 5\n", "line 1: a board of 4 by 5 cells, {size}"),
        (b"99999999999999999999 2\n", "line 1: a board of 18446744073709551615 by 2 cells, {size}"),
        (b"-1 3\n", "line 1: '-1' is not a whole number, {size}"),
        (b"01 3\n", "line 1: '01' is not a whole number, {size}"),
        (b"x\n", "line 1: 'x' is not a whole number, {size}"),
        (b"2 3\nJJD\n", "line 3: the input ends too early, {rows}"),
        (b"2 3\nJJD\nJD\n", "line 3: a row of 2 cells on a board 3 wide, {rows}"),
        (b"2 3\nJJDD\n", "line 2: a row of 4 cells on a board 3 wide, {rows}"),
        (b"2 3\nJ D\n", "line 2: ' ' is not a cell, {rows}"),
        (b"2 3\nJjD\n", "line 2: 'j' is not a cell, write capital letters: J, D"),
        (b"2 3\nJ\xffD\n", "line 2: the line is not valid UTF-8, save the input as plain text"),
        (b"2 3\nJJD\nJDD\n", "line 4: the input ends too early, {factor}"),
        (b"2 3\nJJD\nJDD\n3\n", "line 4: 1 word where two numbers stand, {factor}"),
        (b"2 3\nJJD\nJDD\n3 0\n", "line 4: an error factor of 0, {factor}"),
        (b"2 3\nJJD\nJDD\n3 1.5\n", "line 4: '1.5' is not a whole number, {factor}"),
        (b"2 3\nJJD\n3 1\n", "line 3: '3' is not a cell, {rows}"),
        (b"2 3\nJJD\nJDD\nto move: X\n3 1\n", "line 4: 'to move: X' names no player, {turn}"),
        (b"2 3\nJJD\nJDD\nto move D\n3 1\n", "line 4: 'to move D' names no player, {turn}"),
        (b"2 3\nJJD\nJDD\nto  move: D\n3 1\n", "line 4: 'to  move: D' names no player, {turn}"),
        (b"2 3\nJJD\nJDD\nto move: J\n", "line 5: the input ends too early, {factor}"),
        (
            b"1 3\nJJD\n3 1\n1 3\n",
            "line 4: '1' after the end of the input, remove it, or pass --many to answer several inputs",
        ),
    ];
    for (input, message) in cases {
        let remedies =
            [("{size}", SIZE_REMEDY), ("{rows}", ROWS_REMEDY), ("{factor}", FACTOR_REMEDY), ("{turn}", TURN_REMEDY)];
        let message = remedies.iter().fold(message.to_string(), |message, (name, text)| message.replace(name, text));
        tabletop(&["hopchess"], input).fails(2, &format!("stdin, {message}"));
    }
}

#[test]
fn many_inputs_are_answered_up_to_the_first_bad_case() {
    let two = format!("{SAMPLE_1}\n{SAMPLE_2}");
    tabletop(&["hopchess", "--many"], &two).answers("0.667\n0.000\n");
    tabletop(&["hopchess", "--many"], "").answers("");
    let outcome = tabletop(&["hopchess", "--many"], format!("{SAMPLE_1}1 2\nJX\n1 1\n"));
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), "0.667\n"));
    assert_eq!(outcome.stderr, format!("tabletop: stdin, case 2, line 5: 'X' is not a cell, {ROWS_REMEDY}\n"));
}

#[test]
fn an_explanation_draws_the_board_and_lists_all_moves_best_first() {
    tabletop(&["hopchess", "--explain"], SAMPLE_1).answers(
        "\
0.667
  J to move, J = 3, D = 1

       1 2 3
    1  J J D

  J proposes 3 of 3 moves
    from  to    takes  J wins  exactly
  * 1,2   1,1   J      1.000   1
  * 1,2   1,3   D      1.000   1
  * 1,1   1,2   J      0.000   0
  cells are row,column; * marks the proposal set: the mover plays one of
  these moves at random, as many as his error factor (J or D above) allows
  then, after 1,2 to 1,1
    1 3
    J.D
    3 1
  then, after 1,2 to 1,3
    1 3
    J.J
    3 1
  then, after 1,1 to 1,2
    1 3
    .JD
    3 1

",
    );
    tabletop(&["hopchess", "--explain"], "2 3\nJ.D\nDJJ\nto move: D\n3 2\n").answers(
        "\
0.667
  D to move, J = 3, D = 2

       1 2 3
    1  J . D
    2  D J J

  D proposes 2 of 3 moves
    from  to    takes  J wins  exactly
  * 1,3   2,3   J      0.667   2/3
  * 2,1   1,1   J      0.667   2/3
    2,1   2,2   J      1.000   1
  cells are row,column; * marks the proposal set: the mover plays one of
  these moves at random, as many as his error factor (J or D above) allows
  then, after 1,3 to 2,3
    2 3
    J..
    DJD
    3 2
  then, after 2,1 to 1,1
    2 3
    D.D
    .JJ
    3 2

",
    );
    tabletop(&["hopchess", "--explain"], "1 2\nJ.\n3 2\n").answers(
        "\
1.000
  D to move, J = 3, D = 2

       1 2
    1  J .

  the game is over: D cannot move, Justin has won

",
    );
}

#[test]
fn json_is_one_object_per_input_and_says_what_the_explanation_says() {
    let outcome = tabletop(&["hopchess", "--json", "--many"], format!("{SAMPLE_1}{SAMPLE_2}"));
    assert_eq!(outcome.code, Some(0));
    let objects: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(
        objects[0],
        json!({
            "game": "hopchess",
            "board": ["JJD"],
            "mover": "J",
            "factors": {"justin": 3, "donald": 1},
            "proposal_size": 3,
            "answer": "0.667",
            "fraction": "2/3",
            "probability": 2.0 / 3.0,
            "moves": [
                {"from": {"row": 1, "column": 2}, "to": {"row": 1, "column": 1}, "captured": "J", "proposed": true,
                 "answer": "1.000", "fraction": "1", "probability": 1.0, "next": "1 3\nJ.D\n3 1\n"},
                {"from": {"row": 1, "column": 2}, "to": {"row": 1, "column": 3}, "captured": "D", "proposed": true,
                 "answer": "1.000", "fraction": "1", "probability": 1.0, "next": "1 3\nJ.J\n3 1\n"},
                {"from": {"row": 1, "column": 1}, "to": {"row": 1, "column": 2}, "captured": "J", "proposed": true,
                 "answer": "0.000", "fraction": "0", "probability": 0.0, "next": "1 3\n.JD\n3 1\n"},
            ],
        })
    );
    let moves = objects[1]["moves"].as_array().unwrap();
    assert_eq!(moves.iter().filter(|choice| choice["proposed"] == true).count(), 3);
    assert_eq!((objects[1]["answer"].as_str(), moves.len()), (Some("0.000"), 4));
}

#[test]
fn the_mean_over_the_marked_moves_is_the_answer() {
    for (input, proposed) in [("3 4\nJDDJ\nDJDJ\nJDJJ\n7 5\n", 7), ("2 5\nJDDJJ\nDJDD.\n3 4\n", 4)] {
        let object: Value = serde_json::from_str(&tabletop(&["hopchess", "--json"], input).stdout).unwrap();
        let probability = |value: &Value| value["probability"].as_f64().unwrap();
        let moves = object["moves"].as_array().unwrap();
        let marked: Vec<f64> = moves.iter().filter(|choice| choice["proposed"] == true).map(probability).collect();
        assert_eq!(marked.len(), proposed);
        let mean = marked.iter().sum::<f64>() / proposed as f64;
        assert!((mean - probability(&object)).abs() < 1e-15, "{mean}");
        let all: Vec<f64> = moves.iter().map(probability).collect();
        assert!(all.is_sorted_by(|one, two| if object["mover"] == "J" { one >= two } else { one <= two }));
        tabletop(&["hopchess"], input).answers(&format!("{}\n", object["answer"].as_str().unwrap()));
    }
}
