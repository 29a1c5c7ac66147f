//! Coloured Jenga through the real binary.

use crate::support::tabletop;
use serde_json::{Value, json};

const SAMPLE: &str = "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n";
const SAMPLE_ANSWER: &str = "17.119213696601992\n";
const LEVEL_REMEDY: &str = "write three of R, G, B and . (an empty place)";
const LIMIT: &str = "the limit is 24 blocks, which is 8 full levels";

#[test]
fn the_sample_of_the_statement() {
    tabletop(&["jenga"], SAMPLE).answers(SAMPLE_ANSWER);
}

#[test]
fn white_space_is_tolerated() {
    tabletop(&["jenga"], "\r\n 6\t\r\nRGB\n\n GRG \nBBB\r\nGGR\nBRG\nBRB").answers(SAMPLE_ANSWER);
}

#[test]
fn one_level_is_the_end_and_two_levels_are_played() {
    tabletop(&["jenga"], "1\nRGB\n").answers("0\n");
    tabletop(&["jenga"], "1\n.G.\n").answers("0\n");
    tabletop(&["jenga"], "2\nRRB\nRRG\n").answers("13.600000000000001\n");
    tabletop(&["jenga"], "2\nBGB\nGGG\n").answers("5.25\n");
}

#[test]
fn towers_in_mid_game_are_answered() {
    tabletop(&["jenga"], "3\nRGB\n.RG\nG..\n").answers("8.100000000000001\n");
    tabletop(&["jenga"], "4\nRGB\nR.R\nGR.\nG..\n").answers("8.100000000000001\n");
    tabletop(&["jenga"], "2\nR.R\n..G\n").answers("0\n");
    // No tower in the table has ten half levels. There are 14 moves: ten half levels, and the middle blocks of the four
    // levels that end up below the top. Each move waits six minutes for red.
    let halves = format!("11\n{}R..\n", "RR.\n".repeat(10));
    tabletop(&["jenga"], halves).answers("84\n");
}

#[test]
fn seven_and_eight_levels_are_searched_and_nine_are_refused() {
    let tower = |levels: usize| format!("{levels}\n{}", "RGB\n".repeat(levels));
    tabletop(&["jenga"], tower(7)).answers("25.51976085688864\n");
    tabletop(&["jenga"], tower(8)).answers("27.938510615430562\n");
    tabletop(&["jenga"], tower(9)).fails(2, &format!("stdin, line 1: a tower of 27 blocks, {LIMIT}"));
    tabletop(&["jenga"], "25\n").fails(
        2,
        "stdin, line 1: '25' is not the number of levels, write the number of levels alone on its line, a whole number \
         from 1 to 24",
    );
}

#[test]
fn every_mistake_is_named_with_its_line_and_remedy() {
    let cases: &[(&[u8], &str)] = &[
        (
            b"",
            "line 1: the input is empty, write the number of levels, then a line of three letters per level, the bottom \
             first",
        ),
        (
            b"RGB\n",
            "line 1: 'RGB' is not the number of levels, write the number of levels alone on its line, a whole number from 1 \
             to 24",
        ),
        (
            b"0\n",
            "line 1: '0' is not the number of levels, write the number of levels alone on its line, a whole number from 1 to 24",
        ),
        (b"1\nRGX\n", "line 2: 'RGX' is not a level, {level}"),
        (b"1\nrgb\n", "line 2: 'rgb' is not a level, write capital letters: R, G, B"),
        (b"1\nRG\n", "line 2: 'RG' is not a level, {level}"),
        (b"1\nRGBR\n", "line 2: 'RGBR' is not a level, {level}"),
        (b"1\nR G B\n", "line 2: 'R G B' is not a level, {level}"),
        (b"1\nRG\xff\n", "line 2: the line is not valid UTF-8, save the input as plain text"),
        (b"2\n...\nRGB\n", "line 2: the tower falls, level 1 below the top is empty, {stand}"),
        (b"2\n\n..G\nRGB\n", "line 3: the tower falls, level 1 rests on a lone side block, {stand}"),
        (b"2\nRGB\n...\n", "line 3: the top level 2 is empty, leave the level out or put a block on it"),
        (
            b"2\nRGB\n",
            "line 3: the input ends too early, write one line per level, the bottom first, or lower the number of levels",
        ),
        (
            b"1\nRGB\nRGB\n",
            "line 3: 'RGB' after the end of the input, remove it, or pass --many to answer several inputs",
        ),
    ];
    for (input, message) in cases {
        let message = message.replace("{level}", LEVEL_REMEDY);
        let message = message.replace("{stand}", "leave it its middle block or both side blocks");
        tabletop(&["jenga"], input).fails(2, &format!("stdin, {message}"));
    }
}

#[test]
fn many_towers_are_answered_up_to_the_first_bad_one() {
    tabletop(&["jenga", "--many"], SAMPLE.repeat(3)).answers(&SAMPLE_ANSWER.repeat(3));
    let outcome = tabletop(&["jenga", "--many"], format!("{SAMPLE}1\nRGB\n2\nR..\nRGB\n"));
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stdout, format!("{SAMPLE_ANSWER}0\n"));
    assert!(outcome.stderr.starts_with("tabletop: stdin, case 3, line 11: the tower falls"), "{}", outcome.stderr);
}

#[test]
fn an_explanation_shows_the_tower_every_move_and_what_each_face_means() {
    tabletop(&["jenga", "--explain"], "3\nRGR\n.RG\nG..\n").answers(
        "\
7.666666666666666
   3  G  .  .  top
   2  .  R  G
   1 [R][G] R
    red   takes     puts            ways  minutes then
  * level 1 left    level 3 right      2  11
    level 1 left    level 3 middle     2  11.666666666666668
    green takes     puts            ways  minutes then
  * level 1 middle  level 3 middle     2  3
    level 2 right   level 3 middle     1  5
    level 2 right   level 3 right      1  5.333333333333334
  ways: how many moves leave equally many minutes; a line shows one of them
  red: take level 1 left, put it on level 3 right
  green: take level 1 middle, put it on level 3 middle
  blue: wait, no blue block can be taken
  black: wait
  then, after red
    3
    .GR
    .RG
    G.R
  then, after green
    3
    R.R
    .RG
    GG.

",
    );
}

#[test]
fn the_end_of_a_game_is_explained() {
    tabletop(&["jenga", "--explain"], "2\nR.R\n..G\n").answers(
        "\
0
   2  .  .  G  top
   1  R  .  R
  the game is over: no block can be taken

",
    );
}

#[test]
fn json_is_one_object_per_tower_and_says_what_the_explanation_says() {
    let outcome = tabletop(&["jenga", "--json", "--many"], format!("{SAMPLE}3\nRGR\n.RG\nG..\n"));
    assert_eq!(outcome.code, Some(0));
    let objects: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(format!("{}\n", objects[0]["answer"].as_str().unwrap()), SAMPLE_ANSWER);
    assert_eq!(objects[0]["minutes"].as_f64(), SAMPLE_ANSWER.trim().parse().ok());

    let object = &objects[1];
    assert_eq!((&object["game"], &object["levels"]), (&json!("jenga"), &json!(["RGR", ".RG", "G.."])));
    let faces = object["faces"].as_array().unwrap();
    let names: Vec<&str> = faces.iter().map(|face| face["face"].as_str().unwrap()).collect();
    assert_eq!(names, ["red", "green", "blue", "black"]);
    assert_eq!(faces.iter().map(|face| face["sides"].as_u64().unwrap()).sum::<u64>(), 6);
    assert_eq!(
        faces[1]["moves"][0],
        json!({"take": {"level": 1, "place": "middle"}, "put": {"level": 3, "place": "middle"}, "ways": 2,
               "minutes": 3.0, "next": "3\nR.R\n.RG\nGG.\n"})
    );
    assert_eq!(faces[2]["moves"], json!([]));
}
