//! The contest's text: the number of cases, then two lines of five dice per case; one probability per line back.

use std::io::{Read, Write as _};

use super::chance::Chance;
use super::rules::{Case, DICE, FACES, Hand};
use crate::input::{InputError, Line, Lines, quote};

/// Cases that one input may hold.
pub const MAX_CASES: u32 = 1_000_000;

const HAND_FORMAT: &str = "write five numbers from 1 to 6 on the line";

/// Reads the number of cases of the next input, or `None` where no input follows.
pub fn read_count(lines: &mut Lines<impl Read>) -> Result<Option<u32>, InputError> {
    match lines.next_line()? {
        Some(line) => line.whole_number("the number of cases", 0..=MAX_CASES).map(Some),
        None => Ok(None),
    }
}

/// Reads one case.
pub fn read_case(lines: &mut Lines<impl Read>) -> Result<Case, InputError> {
    let a = read_hand(lines.require_line("write A's dice, five numbers from 1 to 6, or lower the number of cases")?)?;
    let b = read_hand(lines.require_line("write B's dice, five numbers from 1 to 6")?)?;
    Ok(Case { a, b })
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

fn read_face(word: &[u8]) -> Option<u8> {
    match word {
        [digit] => digit.checked_sub(b'0').filter(|face| (1..=FACES as u8).contains(face)),
        _ => None,
    }
}

/// Appends the judge's line for a chance: exactly six decimals, halves rounded up.
pub fn write_answer(chance: Chance, out: &mut Vec<u8>) {
    writeln!(out, "{chance}").expect("a vector takes any text");
}
