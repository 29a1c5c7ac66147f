//! The contest's text. Input: the number of cases, then two lines of five dice per case. Output: a line per case.
//!
//! An extension of the contest's format: a line `to move: B` before a case says that A's hand is final, and
//! `to move: nobody` that both hands are final. `to move: A` says that A decides, also with the option `a-finished`.

use std::fmt::{self, Write as _};
use std::io::Read;
use std::str::FromStr;

use super::rules::{Case, DICE, Hand, Stage, read_face};
use super::{Chance, Dice};
use crate::game::{Game, Verdict};
use crate::input::{InputError, Line, Lines, quote};

/// The maximum number of cases in one input.
pub const MAX_CASES: u32 = 1_000_000;

const HAND_FORMAT: &str = "write five numbers from 1 to 6 on the line";

/// Reads the number of cases of the next input, or `None` if no input follows.
pub fn read_count(lines: &mut Lines<impl Read>) -> Result<Option<u32>, InputError> {
    match lines.next_line()? {
        Some(line) => line.whole_number("the number of cases", 0..=MAX_CASES).map(Some),
        None => Ok(None),
    }
}

/// Reads one case.
pub fn read_case(lines: &mut Lines<impl Read>) -> Result<Case, InputError> {
    const FIRST_HAND: &str = "write A's dice, five numbers from 1 to 6, or lower the number of cases";
    let line = lines.require_line(FIRST_HAND)?;
    let (stage, a) = match read_stage(line)? {
        Some(stage) => (stage, read_hand(lines.require_line(FIRST_HAND)?)?),
        None => (Stage::FirstRolls, read_hand(line)?),
    };
    let b = read_hand(lines.require_line("write B's dice, five numbers from 1 to 6")?)?;
    Ok(Case { a, b, stage })
}

/// Reads whose turn it is, or `None` if the line does not start with `to move:`.
fn read_stage(line: Line<'_>) -> Result<Option<Stage>, InputError> {
    let Some(mover) = line.after_label("to move:") else { return Ok(None) };
    match mover {
        b"A" | b"a" => Ok(Some(Stage::AToMove)),
        b"B" | b"b" => Ok(Some(Stage::AFinished)),
        _ if mover.eq_ignore_ascii_case(b"nobody") => Ok(Some(Stage::Over)),
        _ => Err(line.error(
            format!("{} names no player", quote(mover)),
            "write 'to move: A', 'to move: B' or 'to move: nobody'",
        )),
    }
}

fn read_hand(line: Line<'_>) -> Result<Hand, InputError> {
    let mut faces = [0; DICE];
    let mut count = 0;
    for word in line.words() {
        let face = read_face(word)
            .ok_or_else(|| line.error(format!("{} is not the face of a die", quote(word)), HAND_FORMAT))?;
        if let Some(place) = faces.get_mut(count) {
            *place = face;
        }
        count += 1;
    }
    if count != DICE {
        return Err(line.error(format!("a hand of {count} dice"), HAND_FORMAT));
    }
    Ok(Hand::new(faces).expect("each face was checked"))
}

/// Writes cases as one input.
pub fn write_cases(cases: &[Case]) -> String {
    let mut text = format!("{}\n", cases.len());
    for Case { a, b, stage } in cases {
        let mover = match stage {
            Stage::FirstRolls => "",
            Stage::AToMove => "to move: A\n",
            Stage::AFinished => "to move: B\n",
            Stage::Over => "to move: nobody\n",
        };
        write!(text, "{mover}{a}\n{b}\n").expect("writing to a string cannot fail");
    }
    text
}

impl fmt::Display for Case {
    /// The judge's input with this case only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_cases(&[*self]))
    }
}

impl FromStr for Case {
    type Err = InputError;

    /// Reads a judge's input with one case.
    fn from_str(text: &str) -> Result<Case, InputError> {
        Dice::read_only(text)
    }
}

/// Judges an answer: it must have exactly six decimals, and all must be right.
pub(super) fn accepts(chance: Chance, answer: &str) -> Verdict {
    let has_form = match answer.split_once('.') {
        Some((whole, decimals)) => {
            matches!(whole, "0" | "1") && decimals.len() == 6 && decimals.bytes().all(|digit| digit.is_ascii_digit())
        }
        None => false,
    };
    if !has_form {
        return Verdict::Malformed(String::from("a probability with exactly six decimals is expected"));
    }
    if answer == chance.to_string() { Verdict::Accepted } else { Verdict::Wrong }
}
