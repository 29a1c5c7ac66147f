//! The text format of a board in mid-game: the language, the rows with `.` for an empty cell, then the words made.

use std::fmt::{self, Write as _};
use std::io::Read;
use std::str::FromStr;

use super::alphabet::{Alphabet, Language};
use super::judge::read_language;
use super::letter::{Letter, Word};
use super::reach::Unreachable;
use super::rules::{Board, IllegalMove, MAX_SIDE, Move, is_side};
use crate::input::{InputError, Line, Lines};

const ROW_FORMAT: &str = "write as many rows as a row has cells, 3, 5, 7, 9, 11, 13 or 15, with '.' for an empty cell";

/// The most letters of all used words: at most one word per cell, and at most one letter of a word per cell.
const MAX_USED_LETTERS: usize = (MAX_SIDE * MAX_SIDE) * (MAX_SIDE * MAX_SIDE);

/// A board in mid-game.
///
/// It is read and written in the same format, in UTF-8:
///
/// ```
/// # use tabletop::balda::Position;
/// let text = "en\n.....\n..g..\nkenaf\n.....\n.....\nkenaf\nfang\n";
/// let position: Position = text.parse()?;
/// assert_eq!(position.to_string(), text);
/// # Ok::<(), tabletop::input::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The language.
    pub language: Language,
    /// The letters and the words made.
    pub board: Board,
}

impl Position {
    /// The position after a move; an error if the move breaks a rule. Its word is not checked against a dictionary.
    pub fn after(&self, made: &Move) -> Result<Position, IllegalMove> {
        let mut next = self.clone();
        next.board.apply(made, |_| true)?;
        Ok(next)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.language.code())?;
        for cell in self.board.cells() {
            if cell.column == 0 {
                f.write_char('\n')?;
            }
            f.write_char(self.board.letter(cell).map_or('.', Letter::to_char))?;
        }
        self.board.used().iter().try_for_each(|word| write!(f, "\n{word}"))?;
        f.write_char('\n')
    }
}

impl FromStr for Position {
    type Err = InputError;

    /// Reads a position that a game can reach. The words are not checked against a dictionary.
    fn from_str(text: &str) -> Result<Position, InputError> {
        read_position(&mut Lines::new(text.as_bytes()))?.position(|_| true)
    }
}

/// The parts of a position as they were read, with their line numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText {
    language: Language,
    rows: Vec<Vec<Option<Letter>>>,
    row_lines: Vec<u64>,
    used: Vec<UsedWord>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct UsedWord {
    line: u64,
    word: Word,
}

impl PositionText {
    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The position, if `is_word` accepts all its words and a game can reach its board.
    pub fn position(self, is_word: impl Fn(&[Letter]) -> bool) -> Result<Position, InputError> {
        let refuse_unknown = |line: u64, word: &Word, remedy: &str| {
            InputError::malformed(line, format!("{word} is not a word of the {} list", self.language), remedy)
        };
        if let Some(unknown) = self.used.iter().find(|used| !is_word(&used.word)) {
            return Err(refuse_unknown(unknown.line, &unknown.word, "correct it, or take back its move"));
        }
        let words = self.used.iter().map(|used| used.word.clone()).collect();
        let board = Board::from_rows(&self.rows, words).map_err(|reason| self.refusal(&reason))?;
        let start = &board.used()[0];
        if !is_word(start) {
            return Err(refuse_unknown(self.row_lines[self.rows.len() / 2], start, "correct it"));
        }
        Ok(Position { language: self.language, board })
    }

    /// The error for an unreachable board: the line that causes it, and what to write there.
    fn refusal(&self, reason: &Unreachable) -> InputError {
        let (line, expected) = match *reason {
            Unreachable::Shape => (self.row_lines[0], ROW_FORMAT),
            Unreachable::Empty => (self.row_lines[0], "write the letters placed so far"),
            Unreachable::MiddleRow => (self.row_lines[self.rows.len() / 2], "write the start word"),
            Unreachable::Apart(cell) => (self.row_lines[usize::from(cell.row)], "write every letter placed so far"),
            Unreachable::Repeated { place } | Unreachable::NotOnBoard { place } => {
                let UsedWord { line, word } = &self.used[place];
                let found = format!("{word}: {reason}");
                return InputError::malformed(*line, found, "write each word that was made on this board, once");
            }
            Unreachable::Count { .. } => {
                (self.row_lines[0], "write every word that was made, one for each letter placed")
            }
            Unreachable::Order => (self.row_lines[0], "compare the board with the words below it"),
        };
        InputError::malformed(line, reason.to_string(), expected)
    }
}

/// Reads the text of a position, in UTF-8.
pub fn read_position(lines: &mut Lines<impl Read>) -> Result<PositionText, InputError> {
    let language = read_language(lines.require_line("write the language, en, ru or tr, on the first line")?)?;
    let alphabet = language.alphabet();
    let first = lines.require_line(ROW_FORMAT)?;
    let mut row_lines = vec![first.number];
    let mut rows = vec![read_row(first, alphabet)?];
    let side = rows[0].len();
    if !is_side(side) {
        return Err(InputError::malformed(row_lines[0], format!("a row of {side} cells"), ROW_FORMAT));
    }
    while rows.len() < side {
        let line = lines.require_line(ROW_FORMAT)?;
        let row = read_row(line, alphabet)?;
        if row.len() != side {
            let found = format!("a row of {} cells on a board {side} wide", row.len());
            return Err(InputError::malformed(line.number, found, ROW_FORMAT));
        }
        row_lines.push(line.number);
        rows.push(row);
    }
    Ok(PositionText { language, rows, row_lines, used: read_used(lines, alphabet)? })
}

fn read_row(line: Line<'_>, alphabet: Alphabet) -> Result<Vec<Option<Letter>>, InputError> {
    let cell = |character: char| match character {
        '.' => Ok(None),
        _ => alphabet.from_char(character).map(Some).ok_or_else(|| wrong_character(line, character, alphabet)),
    };
    line.text()?.chars().map(cell).collect()
}

fn read_used(lines: &mut Lines<impl Read>, alphabet: Alphabet) -> Result<Vec<UsedWord>, InputError> {
    let (mut used, mut letters) = (Vec::new(), 0);
    while let Some(line) = lines.next_line()? {
        let letter =
            |character: char| alphabet.from_char(character).ok_or_else(|| wrong_character(line, character, alphabet));
        let word: Word = line.text()?.chars().map(letter).collect::<Result<_, _>>()?;
        letters += word.len();
        if letters > MAX_USED_LETTERS {
            let found = format!("used words of more than {MAX_USED_LETTERS} letters");
            return Err(InputError::malformed(line.number, found, "leave out words that were not made on this board"));
        }
        used.push(UsedWord { line: line.number, word });
    }
    Ok(used)
}

fn wrong_character(line: Line<'_>, character: char, alphabet: Alphabet) -> InputError {
    let found = format!("'{}' is not a letter of the language", character.escape_debug());
    let remedy = alphabet.replacement(character.encode_utf8(&mut [0; 4]));
    let remedy = remedy.unwrap_or("write lower-case letters, and '.' for an empty cell of the board".to_owned());
    InputError::malformed(line.number, found, remedy)
}
