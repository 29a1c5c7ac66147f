//! A board in mid-game as people write it: the language, the rows with `.` for an empty cell, then the used words.

use std::io::Read;

use super::alphabet::{Alphabet, Language};
use super::judge::read_language;
use super::rules::Board;
use crate::input::{InputError, Line, Lines};

const ROW_FORMAT: &str = "write as many rows as a row has cells, 3, 5, 7, 9, 11, 13 or 15, with '.' for an empty cell";

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
    let mut rows = vec![read_row(lines.require_line(ROW_FORMAT)?, alphabet)?];
    let side = rows[0].len();
    let mut last_line = 0;
    while rows.len() < side {
        let line = lines.require_line(ROW_FORMAT)?;
        last_line = line.number;
        rows.push(read_row(line, alphabet)?);
    }
    let used = read_used(lines, alphabet)?;
    let board = Board::from_rows(&rows, used)
        .ok_or_else(|| InputError::malformed(last_line, "no square board with a letter on it", ROW_FORMAT))?;
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
    let mut used = Vec::new();
    while let Some(line) = lines.next_line()? {
        let letter = |character: char| alphabet.from_char(character).ok_or_else(|| wrong_character(line, character));
        used.push(line.text()?.chars().map(letter).collect::<Result<_, _>>()?);
    }
    Ok(used)
}

fn wrong_character(line: Line<'_>, character: char) -> InputError {
    let found = format!("'{}' is not a letter of the language", character.escape_debug());
    InputError::malformed(line.number, found, "write lower-case letters, and '.' for an empty cell of the board")
}
