//! Codenames through the real binary.

use crate::support::{Outcome, Seeded, codenames, tabletop};
use serde_json::{Value, json};
use tabletop::codenames::Solver;
use tabletop::codenames::sample::Shape;

const SAMPLE: &str = "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n";
const HEADER_REMEDY: &str = "write the number of cards, from 1 to 64, and the team to move, R or B";
const IDENTITY_REMEDY: &str = "write R, B, I or A for each of the 4 cards, or . for a revealed one";
const HINT_REMEDY: &str = "write the number of words and then these words of the board, each once";
const COUNT_REMEDY: &str = "write the number of hints alone on its line, a whole number from 1 to 1000";
/// Neither team can reveal all its agents, and no hint has an assassin, so the hints run out.
const STUCK: &str = "4 R\na b c d\nR B R B\n1\n2 a b\n";
const STUCK_WARNING: &str =
    "the hints can run out before either team has won, which is read as a loss for the team whose turn it is then";

#[test]
fn the_sample_of_the_statement() {
    tabletop(&["codenames"], SAMPLE).answers("0.5000\n");
}

#[test]
fn the_board_in_the_text_of_the_statement() {
    let rest = "Plate Screen Novel Robin Iron Server\nR I A B R B\n6\n3 Robin Server Plate\n3 Server Screen Plate\n\
                2 Screen Server\n3 Screen Robin Server\n2 Robin Novel\n2 Iron Screen\n";
    tabletop(&["codenames", "--digits", "12"], format!("6 R\n{rest}")).answers("0.208333333333\n");
    // Red cannot win in one turn. Whatever blue's first hint, Computer or Twitter, reveals: the next such hint has only
    // blue words.
    tabletop(&["codenames", "--digits", "12"], format!("6 B\n{rest}")).answers("1.000000000000\n");
}

#[test]
fn the_number_of_decimals_can_be_chosen() {
    tabletop(&["codenames", "--digits", "1"], SAMPLE).answers("0.5\n");
    tabletop(&["codenames", "--digits", "12"], SAMPLE).answers("0.500000000000\n");
    for wrong in ["0", "13", "-1", "x"] {
        let outcome = tabletop(&["codenames", &format!("--digits={wrong}")], SAMPLE);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "--digits={wrong}");
        assert!(outcome.stderr.contains("--digits"), "{}", outcome.stderr);
    }
}

#[test]
fn words_may_be_anything_without_white_space_and_differ_in_case() {
    let input = "4  B\r\nB  b\tпёс averyveryverylongwordofmorethantwentyletters\r\n\r\nB R I A\r\n3\r\n2 B пёс\n\
                 2 B averyveryverylongwordofmorethantwentyletters\n2 b пёс";
    tabletop(&["codenames"], input).answers("0.5000\n");
}

#[test]
fn many_boards_are_answered_up_to_the_first_bad_one() {
    tabletop(&["codenames", "--many"], SAMPLE.repeat(3)).answers("0.5000\n0.5000\n0.5000\n");
    tabletop(&["codenames", "--many"], "").answers("");
    let outcome = tabletop(&["codenames", "--many"], format!("{SAMPLE}4 B\napple sleep java dog\nB R I X\n"));
    let message = format!("tabletop: stdin, case 2, line 10: 'X' is not an identity, {IDENTITY_REMEDY}\n");
    assert_eq!(outcome, Outcome { code: Some(2), stdout: String::from("0.5000\n"), stderr: message });
}

#[test]
fn an_explanation_lists_hints_numbers_and_first_guesses() {
    tabletop(&["codenames", "--explain"], SAMPLE).answers(
        "\
0.5000
  blue to move, 1 agent to reveal; red has 1 agent
    hint  number  wins    words
  *    1       1  0.5000  apple java
  *    2       1  0.5000  apple dog
       3       1  0.0000  sleep java
  hint 1 by number
               1  0.5000
               2  0.5000
  hint 1 with number 1, by first guess
               B  1.0000  apple: wins the game
               I  0.0000  java: ends the turn
  wins: the probability for the team to move; * marks the best hints
  then: take 'next' of a guess from --json, or write . for the identity of each
  guessed card and the other team to move; if the team guesses on, write instead
  'guessing: hint 1 with number N' after the identities, N hits to go

",
    );
}

#[test]
fn a_control_character_in_a_word_is_escaped() {
    let input = "3 R\na\u{1b}[2J b c\nR B I\n1\n2 a\u{1b}[2J c\n";
    let text = tabletop(&["codenames", "--explain"], input).stdout;
    assert_eq!(text.matches("a\\u{1b}[2J").count(), 2, "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let json = tabletop(&["codenames", "--json"], input).stdout;
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["moves"][0]["words"][0], "a\u{1b}[2J");
}

#[test]
fn a_position_in_mid_game_is_explained_without_its_revealed_cards() {
    let input = "7 R\na b c d e f g\nR R . B B A I\n4\n4 a b c e\n3 d e g\n1 c\n3 d f g\n";
    tabletop(&["codenames", "--explain", "--digits", "6"], input).answers(
        "\
0.666667
  red to move, 2 agents to reveal; blue has 2 agents
    hint  number  wins      words
  *    1       2  0.666667  a b e
       2       1  0.222222  d e g
       4       1  0.055556  d f g
  hint 1 by number
               1  0.444444
               2  0.666667
               3  0.666667
  hint 1 with number 2, by first guess
               R  0.750000  a: guesses on
               R  0.750000  b: guesses on
               B  0.500000  e: ends the turn
  wins: the probability for the team to move; * marks the best hints
  then: take 'next' of a guess from --json, or write . for the identity of each
  guessed card and the other team to move; if the team guesses on, write instead
  'guessing: hint 1 with number N' after the identities, N hits to go

",
    );
}

#[test]
fn json_says_what_the_explanation_says() {
    let outcome = tabletop(&["codenames", "--json", "--many"], SAMPLE.repeat(2));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let objects: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let win = |answer: &str, probability: f64, mut object: Value| {
        object["answer"] = answer.into();
        object["probability"] = probability.into();
        object
    };
    let half = |object| win("0.5000", 0.5, object);
    let next = |identities: &str| SAMPLE.replace("4 B\n", "4 R\n").replace("B R I A", identities);
    let expected = half(json!({
        "game": "codenames",
        "mover": "B",
        "moves": [
            half(json!({"hint": 1, "words": ["apple", "java"], "number": 1})),
            half(json!({"hint": 2, "words": ["apple", "dog"], "number": 1})),
            win("0.0000", 0.0, json!({"hint": 3, "words": ["sleep", "java"], "number": 1})),
        ],
        "numbers": [half(json!({"number": 1})), half(json!({"number": 2}))],
        "first_guesses": [
            win("1.0000", 1.0, json!({"word": "apple", "identity": "B", "outcome": "wins the game", "next": next(". R I A")})),
            win("0.0000", 0.0, json!({"word": "java", "identity": "I", "outcome": "ends the turn", "next": next("B R . A")})),
        ],
    }));
    assert_eq!(objects, [expected.clone(), expected]);
}

#[test]
fn a_position_in_the_middle_of_a_turn_has_one_move() {
    let board = |mover: &str, identities: &str, guessing: &str| {
        format!("7 {mover}\na b c d e f g\n{identities}\n{guessing}4\n4 a b c e\n3 d e g\n1 c\n3 d f g\n")
    };
    let start = board("R", "R R . B B A I", "");
    let object = |input: &str| {
        let outcome = tabletop(&["codenames", "--json"], input);
        serde_json::from_str::<Value>(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome:?}"))
    };
    let guessed = object(&start)["first_guesses"][0].clone();
    assert_eq!((guessed["word"].as_str(), guessed["outcome"].as_str()), (Some("a"), Some("guesses on")));
    let middle = board("R", ". R . B B A I", "guessing: hint 1 with number 1\n");
    assert_eq!(guessed["next"].as_str(), Some(middle.as_str()));
    tabletop(&["codenames"], &middle).answers("0.7500\n");
    tabletop(&["codenames", "--explain"], &middle).answers(
        "\
0.7500
  red to guess, 1 agent to reveal; blue has 2 agents
    hint  number  wins    words
  *    1       1  0.7500  b e
  hint 1 with number 1, by next guess
               R  1.0000  b: wins the game
               B  0.5000  e: ends the turn
  wins: the probability for the team to move; * marks the best hints
  then: take 'next' of a guess from --json, or write . for the identity of each
  guessed card and the other team to move; if the team guesses on, write instead
  'guessing: hint 1 with number N' after the identities, N hits to go

",
    );
    let answer = object(&middle);
    assert_eq!(answer["guessing"], "hint 1 with number 1");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1);
    assert_eq!(answer["moves"][0]["number"], 1);
    assert_eq!(answer["first_guesses"][1]["next"].as_str(), Some(board("B", ". R . B . A I", "").as_str()));
    // Both hints are answered as they are given, although the first one is better.
    for (guessing, value) in
        [("guessing: hint 1 with number 2", "0.6667\n"), ("Guessing:hint 2  with number 1", "0.2222\n")]
    {
        tabletop(&["codenames"], board("R", "R R . B B A I", &format!("\r\n {guessing}\r\n"))).answers(value);
    }
    let format = "write 'guessing: hint 1 with number 2' for 2 more hits with the first hint, or leave the line out";
    let limits = "name a hint and at most as many hits as it has unrevealed words, or leave the line out";
    for (identities, guessing, message) in [
        ("R R . B B A I", "guessing: 1 2", format!("'guessing: 1 2' names no hint and number, {format}")),
        (
            "R R . B B A I",
            "guessing: hint 0 with number 2",
            format!("'guessing: hint 0 with nu…' names no hint and number, {format}"),
        ),
        (
            "R R . B B A I",
            "guessing: hint 5 with number 1",
            format!("no team can be guessing hint 5 with number 1, {limits}"),
        ),
        (
            "R R . B B A I",
            "guessing: hint 1 with number 4",
            format!("no team can be guessing hint 1 with number 4, {limits}"),
        ),
        (
            "R R . B B A I",
            "guessing: hint 3 with number 1",
            format!("no team can be guessing hint 3 with number 1, {limits}"),
        ),
        (
            ". . . B B A I",
            "guessing: hint 1 with number 1",
            format!("no team can be guessing hint 1 with number 1, {limits}"),
        ),
    ] {
        let input = board("R", identities, &format!("{guessing}\n"));
        tabletop(&["codenames"], input).fails(2, &format!("stdin, line 4: {message}"));
    }
}

#[test]
fn every_mistake_is_named_with_its_line_and_remedy() {
    let cases: &[(&str, &str)] = &[
        (
            "",
            "line 1: the input is empty, write the number of cards and the team, the words, the identities and the hints",
        ),
        ("4\n", "line 1: 1 word on the first line, {header}"),
        ("4 B R\n", "line 1: 3 words on the first line, {header}"),
        ("0 B\n", "line 1: '0' is not the number of cards, {header}"),
        ("65 B\n", "line 1: '65' is not the number of cards, {header}"),
        ("+4 B\n", "line 1: '+4' is not the number of cards, {header}"),
        ("4 G\n", "line 1: 'G' is not a team, {header}"),
        ("4 B\n", "line 2: the input ends too early, write the 4 words of the cards on one line"),
        ("4 B\na b c\n", "line 2: 3 words for 4 cards, write the 4 words of the cards on one line"),
        ("4 B\na b c d e\n", "line 2: 5 words for 4 cards, write the 4 words of the cards on one line"),
        ("4 B\na b c b\n", "line 2: 'b' is twice on the board, give each card a word of its own"),
        ("4 B\na b c d\n", "line 3: the input ends too early, {identity}"),
        ("4 B\na b c d\nB R I\n", "line 3: 3 identities for 4 cards, {identity}"),
        ("4 B\na b c d\nB R I A A\n", "line 3: 5 identities for 4 cards, {identity}"),
        ("4 B\na b c d\nB R I N\n", "line 3: 'N' is not an identity, {identity}"),
        ("4 B\na b c d\nBRIA\n", "line 3: 'BRIA' is not an identity, {identity}"),
        ("4 B\na b c d\nB B I A\n", "line 3: the red team has no agent, give at least one card the identity R"),
        ("4 B\na b c d\nR R I A\n", "line 3: the blue team has no agent, give at least one card the identity B"),
        (
            "4 B\na b c d\n. . I A\n",
            "line 3: neither team has an unrevealed agent, give at least one card the identity R or B: the game ends with \
             one winner",
        ),
        ("4 B\na b c d\nB R I A\n", "line 4: the input ends too early, write the number of hints"),
        ("4 B\na b c d\nB R I A\n0\n", "line 4: '0' is not the number of hints, {count}"),
        ("4 B\na b c d\nB R I A\n1001\n", "line 4: '1001' is not the number of hints, {count}"),
        ("4 B\na b c d\nB R I A\n2\n1 a\n", "line 6: the input ends too early, write 2 hints, or lower their number"),
        ("4 B\na b c d\nB R I A\n1\n1 e\n", "line 5: 'e' is not on the board, {hint}"),
        ("4 B\na b c d\nB R I A\n1\n1 A\n", "line 5: 'A' is not on the board, {hint}"),
        ("4 B\na b c d\nB R I A\n1\n2 a a\n", "line 5: 'a' is twice in the hint, {hint}"),
        ("4 B\na b c d\nB R I A\n1\n2 a\n", "line 5: 1 word in a hint of 2, {hint}"),
        ("4 B\na b c d\nB R I A\n1\n1 a b\n", "line 5: 2 words in a hint of 1, {hint}"),
        ("4 B\na b c d\nB R I A\n1\n0\n", "line 5: '0' is not the number of words of a hint, {hint}"),
        ("4 B\na b c d\nB R I A\n1\n5 a b c d a\n", "line 5: '5' is not the number of words of a hint, {hint}"),
        (
            "4 B\na b c d\nB R I A\n1\n1 a\n1 b\n",
            "line 6: '1' after the end of the input, remove it, or pass --many to answer several inputs",
        ),
    ];
    for (input, message) in cases {
        let message = message.replace("{header}", HEADER_REMEDY).replace("{identity}", IDENTITY_REMEDY);
        let message = message.replace("{count}", COUNT_REMEDY).replace("{hint}", HINT_REMEDY);
        tabletop(&["codenames"], input).fails(2, &format!("stdin, {message}"));
    }
    let not_text = [b"4 B\na b c \xff\n".as_slice(), b"4 B\na b c d\nB R I \xff\n", b"4 \xff\n"];
    for (line, input) in [2, 3, 1].into_iter().zip(not_text) {
        let message = format!("stdin, line {line}: the line is not valid UTF-8, save the input as plain text");
        tabletop(&["codenames"], input).fails(2, &message);
    }
}

#[test]
fn a_position_without_a_legal_hint_gets_a_warning() {
    let outcome = tabletop(&["codenames"], STUCK);
    let stderr = format!("tabletop: stdin: {STUCK_WARNING}\n");
    assert_eq!(outcome, Outcome { code: Some(0), stdout: String::from("0.5000\n"), stderr });

    let outcome = tabletop(&["codenames", "--many"], format!("{SAMPLE}{STUCK}"));
    let stderr = format!("tabletop: stdin, case 2: {STUCK_WARNING}\n");
    assert_eq!(outcome, Outcome { code: Some(0), stdout: String::from("0.5000\n0.5000\n"), stderr });

    // Every hint is used up before the first move.
    let outcome = tabletop(&["codenames", "--explain"], "3 R\na b c\nR B .\n1\n1 c\n");
    let stderr = format!("tabletop: stdin: {STUCK_WARNING}\n");
    let stdout = "0.0000\n  red to move, 1 agent to reveal; blue has 1 agent\n  red cannot win: no hint mentions a\n    \
                  no hint has an unrevealed word\n\n";
    assert_eq!(outcome, Outcome { code: Some(0), stdout: String::from(stdout), stderr });

    // A hint with an assassin can always be given, and a team that can finish ends the game.
    tabletop(&["codenames"], "4 R\na b c d\nR B A I\n1\n2 c d\n").answers("0.5000\n");
    tabletop(&["codenames"], "3 R\na b c\nR B R\n1\n2 a c\n").answers("1.0000\n");
}

/// A board of `cards` cards that all appear in hints, no two of them in the same hints.
fn wide_board(cards: usize) -> String {
    let half = cards / 2;
    let shape = Shape { red: half, blue: cards - half, innocent: 0, assassins: 0, hints: 40, words: half..=half };
    codenames::board(shape, &mut Seeded(1)).to_string()
}

#[test]
fn a_finished_game_has_a_value() {
    let over = |to_move: &str| format!("4 {to_move}\na b c d\nR . I A\n1\n2 a c\n");
    tabletop(&["codenames"], over("B")).answers("1.0000\n");
    tabletop(&["codenames"], over("R")).answers("0.0000\n");
}

#[test]
fn a_board_above_the_memory_limit_is_refused_with_the_estimate() {
    let remedy = "leave out cards or hints that matter least";
    for (cards, mebibytes) in [(26, "1024"), (40, "16777216"), (64, "281474976710656")] {
        let message =
            format!("stdin, line 1: {cards} cards that hints can reveal would take {mebibytes} MiB of memory");
        tabletop(&["codenames"], wide_board(cards)).fails(2, &format!("{message}, {remedy}"));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_board_that_the_machine_has_no_memory_for_is_refused_with_the_estimate() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("in");
    std::fs::write(&input, wide_board(22)).unwrap();
    let (code, stderr) = run_limited("ulimit -v 60000", &input);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("line 1: 22 cards that hints can reveal would take 64 MiB of memory"), "{stderr}");
}

/// Solves a board in a shell after the command `limit`. Asserts that the answer is complete or absent.
#[cfg(target_os = "linux")]
fn run_limited(limit: &str, input: &std::path::Path) -> (Option<i32>, String) {
    let script = format!("{limit}; exec {} codenames {}", env!("CARGO_BIN_EXE_tabletop"), input.display());
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.stdout.len(), if output.status.success() { "0.5000\n".len() } else { 0 }, "{stderr}");
    (output.status.code(), stderr)
}

#[test]
#[cfg(target_os = "linux")]
fn with_any_limit_on_memory_a_board_is_answered_or_refused() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("in");
    let shape = Shape { red: 7, blue: 7, innocent: 6, assassins: 0, hints: 40, words: 2..=4 };
    let board = codenames::board(shape, &mut Seeded(1));
    assert_eq!(Solver::new(board.clone()).unwrap().effort().positions, 1 << 20);
    std::fs::write(&input, board.to_string()).unwrap();
    let mut codes = Vec::new();
    for mebibytes in (10..120).step_by(5) {
        let (code, stderr) = run_limited(&format!("ulimit -v {}", mebibytes << 10), &input);
        assert!(matches!(code, Some(0 | 2)), "{mebibytes} MiB: {code:?} {stderr}");
        codes.push(code);
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(2)), "{codes:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn if_no_thread_can_be_started_the_board_is_still_solved() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("in");
    let shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 50, words: 1..=6 };
    std::fs::write(&input, codenames::board(shape, &mut Seeded(1)).to_string()).unwrap();
    let (code, stderr) = run_limited("export RUST_MIN_STACK=1000000000000000", &input);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_board_that_takes_long_is_refused_with_the_estimate() {
    let shape = Shape { red: 23, blue: 2, innocent: 0, assassins: 0, hints: 60, words: 18..=24 };
    let board = codenames::board(shape, &mut Seeded(25)).to_string();
    let outcome = tabletop(&["codenames"], &board);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    let start = "tabletop: stdin, line 1: the board is expected to take about ";
    let remedy = "more than 60 seconds, pass --time ";
    assert!(outcome.stderr.starts_with(start) && outcome.stderr.contains(remedy), "{}", outcome.stderr);
    let outcome = tabletop(&["codenames", "--time", "1"], &board);
    assert!(outcome.stderr.contains("more than 1 seconds"), "{}", outcome.stderr);
}
