//! `--split`: the parts of many inputs, answered one by one, give the answers of the whole.

use serde_json::Value;

use crate::support::{Outcome, tabletop};

/// Inputs of each game in all their forms: positions in mid-game, labels in any case, blank lines, other line ends.
const STREAMS: [(&str, &str); 4] = [
    (
        "dice",
        "2\nTO MOVE: b\n1 2 3 1 1\n1 2 3 4 5\n6 6 6 1 2\n1 1 2 2 3\n\n\n0\n1\r\nto move: nobody\r\n6 6 6 6 6\r\n1 2 3 4 5\r\n \
         1\n1 2 3 4 5\n2 3 4 5 6\n3\n1 1 1 1 1\n2 2 2 2 2\nto move: A\n1 1 1 1 1\n2 2 2 2 2\n1 1 1 1 2\n2 2 2 2 2\n",
    ),
    ("jenga", "\u{feff}3\nRGB\n\nRRR\nGBG\n1\nRRR\n\n2\nRGB\nR..\n1\nBBB"),
    ("hopchess", "1 3\nJDJ\n1 2\n2 2\nJ.\n.D\nto move: D\n5 5\n\n1 3\nJDJ\nTo Move: J\n1 2\n1 1\nJ\n1 1\n\n"),
    (
        "codenames",
        "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n\
         3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n",
    ),
];

/// A line of `--split`.
struct Part {
    byte: usize,
    bytes: usize,
    line: usize,
    case: usize,
}

fn split(game: &str, size: u64, stream: &str) -> (Vec<Part>, Outcome) {
    let outcome = tabletop(&[game, "--split", &size.to_string()], stream);
    let parts = outcome.stdout.lines().map(|line| {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object.as_object().unwrap().len(), 4);
        let number = |name: &str| object[name].as_u64().unwrap() as usize;
        Part { byte: number("byte"), bytes: number("bytes"), line: number("line"), case: number("case") }
    });
    (parts.collect(), outcome)
}

#[test]
fn the_parts_are_answered_as_the_whole_is_for_any_size() {
    for (game, stream) in STREAMS {
        let stream = stream.repeat(if stream.ends_with('\n') { 3 } else { 1 });
        let whole = tabletop(&[game, "--many"], &stream);
        assert_eq!((whole.code, whole.stderr.as_str()), (Some(0), ""));
        for size in [1, 2, 3, 1000] {
            let (parts, outcome) = split(game, size, &stream);
            assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
            assert_eq!(parts.len() == 1, size == 1000, "{game} {size}");
            let (mut answers, mut byte) = (String::new(), 0);
            for part in parts {
                assert_eq!(part.byte, byte, "{game} {size}: a gap between two parts");
                byte += part.bytes;
                assert_eq!(part.line, 1 + stream[..part.byte].matches('\n').count(), "{game} {size}");
                assert_eq!(part.case, 1 + answers.lines().count(), "{game} {size}");
                let answer = tabletop(&[game, "--many"], &stream[part.byte..byte]);
                assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{game} {size}");
                answers += &answer.stdout;
            }
            assert!(stream[byte..].trim().is_empty(), "{game} {size}: every input is in a part");
            assert_eq!(answers, whole.stdout, "{game} {size}");
        }
    }
}

#[test]
fn a_bad_case_ends_the_parts_and_is_in_the_last_one() {
    let good = "2\n1 2 3 1 1\n1 2 3 4 5\nto move: B\n6 6 6 6 6\n1 2 3 4 5\n".repeat(3);
    for bad in [
        "3\n1 2 3 1 1\n1 2 3 4 5\n1 2 3 1 1\n1 2 3 4 7\n1 1 1 1 1\n1 1 1 1 1\n".to_owned() + &good,
        String::from("2\n1 2 3 1 1\n1 2 3 4 5\n1 2 3 1 1\n"),
        String::from("nonsense\n") + &good,
        format!("1\n{}\n", "1".repeat(70_000)),
    ] {
        let stream = good.clone() + &bad;
        let whole = tabletop(&["dice", "--many"], &stream);
        for size in [1, 4, 1000] {
            let (parts, outcome) = split("dice", size, &stream);
            assert_eq!((outcome.code, &outcome.stderr), (Some(2), &whole.stderr));
            let (last, before) = parts.split_last().unwrap();
            let answer = |part: &Part| tabletop(&["dice", "--many"], &stream[part.byte..part.byte + part.bytes]);
            let mut answers: String = before.iter().map(|part| answer(part).stdout).collect();
            let refused = answer(last);
            answers += &refused.stdout;
            assert_eq!(answers, whole.stdout);
            // The error of the last part is that of the whole, with other numbers.
            let what = |message: &str| message.split(": ").skip(2).collect::<String>();
            assert_eq!((refused.code, what(&refused.stderr)), (Some(2), what(&whole.stderr)));
        }
    }
}

#[test]
fn an_empty_file_has_no_parts_and_a_part_is_not_empty() {
    tabletop(&["jenga", "--split", "1"], "\n\n").answers("");
    tabletop(&["jenga", "--split", "0"], "1\nRRR\n")
        .fails(2, "--split: a part has at least one case, write a number from 1");
    let refused = tabletop(&["jenga", "--split", "2", "--many"], "");
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
}
