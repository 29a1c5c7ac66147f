//! A board in mid-game as people write it: the language, the rows with `.` for an empty cell, then the used words.

use std::io::Read;

use super::alphabet::{Alphabet, Language};
use super::judge::read_language;
use super::rules::{Board, MAX_SIDE, is_side};
use crate::input::{InputError, Line, Lines};

const ROW_FORMAT: &str = "write as many rows as a row has cells, 3, 5, 7, 9, 11, 13 or 15, with '.' for an empty cell";

/// Each cell lets one word be made, and a word passes each cell once.
const MAX_USED_LETTERS: usize = (MAX_SIDE * MAX_SIDE) * (MAX_SIDE * MAX_SIDE);

/// A board in mid-game.
#[derive(Debug, Clone)]
pub struct Position {
    /// The language.
    pub language: Language,
    /// The letters and the used words.
    pub board: Board,
}

/// Reads a position, in UTF-8.
pub fn read_position(lines: &mut Lines<impl Read>) -> Result<Position, InputError> {
    let language = read_language(lines.require_line("write the language, en, ru or tr, on the first line")?)?;
    let alphabet = language.alphabet();
    let first = lines.require_line(ROW_FORMAT)?;
    let first_line = first.number;
    let mut rows = vec![read_row(first, alphabet)?];
    let side = rows[0].len();
    if !is_side(side) {
        return Err(InputError::malformed(first_line, format!("a row of {side} cells"), ROW_FORMAT));
    }
    while rows.len() < side {
        let line = lines.require_line(ROW_FORMAT)?;
        let row = read_row(line, alphabet)?;
        if row.len() != side {
            let found = format!("a row of {} cells on a board {side} wide", row.len());
            return Err(InputError::malformed(line.number, found, ROW_FORMAT));
        }
        rows.push(row);
    }
    let used = read_used(lines, alphabet)?;
    let board = Board::from_rows(&rows, used).ok_or_else(|| {
        InputError::malformed(first_line, "a board without a letter", "write the letters placed so far")
    })?;
    Ok(Position { language, board })
}

fn read_row(line: Line<'_>, alphabet: Alphabet) -> Result<Vec<Option<u8>>, InputError> {
    let cell = |character: char| match character {
        '.' => Ok(None),
        _ => alphabet.from_char(character).map(Some).ok_or_else(|| wrong_character(line, character)),
    };
    line.text()?.chars().map(cell).collect()
}

fn read_used(lines: &mut Lines<impl Read>, alphabet: Alphabet) -> Result<Vec<Vec<u8>>, InputError> {
    let (mut used, mut letters) = (Vec::new(), 0);
    while let Some(line) = lines.next_line()? {
        let letter = |character: char| alphabet.from_char(character).ok_or_else(|| wrong_character(line, character));
        let word: Vec<u8> = line.text()?.chars().map(letter).collect::<Result<_, _>>()?;
        letters += word.len();
        if letters > MAX_USED_LETTERS {
            let found = format!("used words of more than {MAX_USED_LETTERS} letters");
            return Err(InputError::malformed(line.number, found, "leave out words that were not made on this board"));
        }
        used.push(word);
    }
    Ok(used)
}

fn wrong_character(line: Line<'_>, character: char) -> InputError {
    let found = format!("'{}' is not a letter of the language", character.escape_debug());
    InputError::malformed(line.number, found, "write lower-case letters, and '.' for an empty cell of the board")
}
