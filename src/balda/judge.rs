//! The contest's text formats. Input: a language, a start word and a dictionary. Output: moves.

use std::io::Read;

use super::alphabet::{Alphabet, Language};
use super::dictionary::{Dictionary, DictionaryBuilder};
use super::letter::{Letter, Word};
use super::rules::{Board, Cell, IllegalGame, Move, PlayedGame, Start};
use crate::input::{InputError, Line, Lines, quote, whole_number};

/// The most words that are read; more than any natural dictionary has.
pub(super) const MAX_WORDS: usize = 4_000_000;
/// The most index nodes that a dictionary may need; more than any natural one does. The engine indexes a word from each
/// of its letters back to its beginning: a word of n letters takes up to n (n + 1) / 2 nodes.
const MAX_NODES: usize = 1 << 26;

/// A judge's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The language.
    pub language: Language,
    /// The word in the middle row.
    pub start: Start,
    /// The words that may be made.
    pub dictionary: Dictionary,
}

/// Reads an input. The words may be in any order and repeat.
pub fn read_input(lines: &mut Lines<impl Read>) -> Result<Input, InputError> {
    let language = read_language(lines.require_line("write the language, en, ru or tr, on the first line")?)?;
    let start_line = lines.require_line("write the start word on the second line")?;
    let start_number = start_line.number;
    let word = read_word(start_line, language)?;
    let letters = word.len();
    let start = Start::new(word).map_err(|_| {
        let found = format!("a start word of {letters} letters");
        InputError::malformed(start_number, found, "write one of 3, 5, 7, 9, 11, 13 or 15 letters")
    })?;
    let dictionary = read_dictionary(lines, language)?;
    if dictionary.is_empty() {
        // The line where the first word should be, after an empty line.
        return Err(InputError::malformed(start_number + 2, "the dictionary is empty", "write its words, one a line"));
    }
    if !dictionary.contains(&start) {
        let found = format!("the start word {start} is not in the dictionary");
        return Err(InputError::malformed(start_number, found, "choose a word that is, or add it"));
    }
    Ok(Input { language, start, dictionary })
}

pub(super) fn read_language(line: Line<'_>) -> Result<Language, InputError> {
    let code = str::from_utf8(line.bytes).ok().and_then(|text| text.parse().ok());
    code.ok_or_else(|| {
        let found = format!("{} is not a language", quote(line.bytes));
        InputError::malformed(line.number, found, "write en, ru or tr")
    })
}

fn read_dictionary(lines: &mut Lines<impl Read>, language: Language) -> Result<Dictionary, InputError> {
    let mut words = DictionaryBuilder::new(language.alphabet());
    let mut word = Vec::new();
    let mut nodes = 0usize;
    let mut last_line = 0;
    let no_memory = |line: u64| {
        let found = "a dictionary too large for the memory that the program may use";
        InputError::malformed(line, found, "shorten it, or allow more memory")
    };
    while let Some(line) = lines.next_line()? {
        word.clear();
        append_word(line, language, &mut word)?;
        nodes = nodes.saturating_add(word.len() * (word.len() + 1) / 2);
        words.add(&word).map_err(|_| no_memory(line.number))?;
        if words.len() > MAX_WORDS || nodes > MAX_NODES {
            let found = format!("a dictionary of more than {MAX_WORDS} words, or of too long ones");
            return Err(InputError::malformed(line.number, found, "shorten it"));
        }
        last_line = line.number;
    }
    words.finish().map_err(|_| no_memory(last_line))
}

fn read_word(line: Line<'_>, language: Language) -> Result<Word, InputError> {
    let mut letters = Vec::new();
    append_word(line, language, &mut letters)?;
    Ok(Word::from(letters))
}

/// Appends the letters of the line's only word.
fn append_word(line: Line<'_>, language: Language, letters: &mut Vec<Letter>) -> Result<(), InputError> {
    let alphabet = language.alphabet();
    for &byte in line.bytes {
        let letter =
            alphabet.from_contest(byte).ok_or_else(|| not_a_letter(line, byte, language, "one word a line"))?;
        letters.push(letter);
    }
    Ok(())
}

/// The error for a byte that is not a letter; `expected` is what should be written in letters.
fn not_a_letter(line: Line<'_>, byte: u8, language: Language, expected: &str) -> InputError {
    let found = match byte {
        b' ' | b'\t' => String::from("more than one word on a line"),
        _ => format!("{} is not a letter of {language}", quote_byte(byte)),
    };
    let alphabet = language.alphabet();
    let text = match alphabet {
        Alphabet::Latin => str::from_utf8(line.bytes).ok(),
        // The byte of ё in CP866.
        Alphabet::Russian => (byte == 0xF1).then_some("ё"),
    };
    let replacement = text.and_then(|text| alphabet.replacement(text));
    let remedy = replacement.unwrap_or_else(|| format!("write {expected} in {}", as_encoded(alphabet)));
    InputError::malformed(line.number, found, remedy)
}

/// A description of the letters and their encoding in the contest's files, for messages.
fn as_encoded(alphabet: Alphabet) -> String {
    match alphabet {
        Alphabet::Latin => alphabet.described().to_owned(),
        Alphabet::Russian => format!("{}, encoded in CP866", alphabet.described()),
    }
}

fn quote_byte(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("'{}'", byte as char) } else { format!("the byte 0x{byte:02X}") }
}

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// The encoding of the contest's files: ASCII, and CP866 for Russian.
    Contest,
    /// UTF-8.
    Utf8,
}

/// Appends a game in the contest's format: the number of moves, then a line per move.
pub fn write_game(game: &PlayedGame, encoding: Encoding, out: &mut Vec<u8>) {
    let text = game.to_string();
    match encoding {
        Encoding::Utf8 => out.extend_from_slice(text.as_bytes()),
        Encoding::Contest => {
            let alphabet = game.start[0].alphabet();
            let byte = |character: char| match alphabet.from_char(character) {
                Some(letter) if alphabet == Alphabet::Russian => letter.to_contest(),
                // Numbers, steps and Latin letters are ASCII.
                _ => character as u8,
            };
            out.extend(text.chars().map(byte));
        }
    }
}

const MOVE_FORMAT: &str =
    "write: row, column, letter, word, row and column of its first letter, steps of r, l, u and d";

/// A move and the number of its line.
struct NumberedMove {
    line: u64,
    made: Move,
}

/// Reads a program's answer in the contest's format and encoding, for a board of this side.
fn read_moves(lines: &mut Lines<impl Read>, language: Language, side: usize) -> Result<Vec<NumberedMove>, InputError> {
    let count_line = lines.require_line("write the number of moves on the first line")?;
    let count = count_line.whole_number("the number of moves", 0..=(side * side) as u32)?;
    let mut moves = Vec::new();
    for _ in 0..count {
        let line = lines.require_line("write as many moves as the first line says")?;
        moves.push(NumberedMove { line: line.number, made: read_move(line, language, side)? });
    }
    lines.require_end("write as many moves as the first line says")?;
    Ok(moves)
}

fn read_move(line: Line<'_>, language: Language, side: usize) -> Result<Move, InputError> {
    let wrong = |found: String| InputError::malformed(line.number, found, MOVE_FORMAT);
    let words: Vec<&[u8]> = line.words().collect();
    let [row, column, letter, word, first_row, first_column, steps] = words[..] else {
        return Err(wrong(format!("a move of {} words", words.len())));
    };
    let number = |word: &[u8]| {
        let inside = whole_number(word).filter(|value| (1..=side as u64).contains(value));
        inside.map(|value| value as u8 - 1).ok_or_else(|| wrong(format!("{} is not on the board", quote(word))))
    };
    let letters = |word: &[u8]| {
        let alphabet = language.alphabet();
        let letter =
            |&byte: &u8| alphabet.from_contest(byte).ok_or_else(|| not_a_letter(line, byte, language, "words"));
        word.iter().map(letter).collect::<Result<Word, InputError>>()
    };
    let cell = Cell { row: number(row)?, column: number(column)? };
    let first = Cell { row: number(first_row)?, column: number(first_column)? };
    let [letter] = *letters(letter)? else { return Err(wrong(String::from("more than one letter for the cell"))) };
    let path = walk(first, steps, side)
        .ok_or_else(|| wrong(String::from("a step that is not r, l, u or d, or that leaves the board")))?;
    Ok(Move { cell, letter, word: letters(word)?, path })
}

/// The cells of a path, or `None` if it leaves the board or if a character is not a step.
fn walk(first: Cell, steps: &[u8], side: usize) -> Option<Vec<Cell>> {
    let mut path = vec![first];
    let mut at = first;
    for step in steps {
        at = match step {
            b'r' => Cell { column: at.column + 1, ..at },
            b'l' => Cell { column: at.column.checked_sub(1)?, ..at },
            b'u' => Cell { row: at.row.checked_sub(1)?, ..at },
            b'd' => Cell { row: at.row + 1, ..at },
            _ => return None,
        };
        if usize::from(at.row.max(at.column)) >= side {
            return None;
        }
        path.push(at);
    }
    Some(path)
}

/// What is wrong with an answer: the first violation.
#[derive(Debug)]
pub enum Violation {
    /// The text does not have the format of an answer.
    Format(InputError),
    /// A move breaks a rule.
    Rule {
        /// The line of the move, from 1.
        line: u64,
        /// The move and the rule.
        broken: IllegalGame,
    },
}

/// Checks an answer by every rule and returns the game.
pub fn check(input: &Input, lines: &mut Lines<impl Read>) -> Result<PlayedGame, Violation> {
    lines.keep_mark();
    let moves = read_moves(lines, input.language, input.start.side()).map_err(Violation::Format)?;
    let mut game = PlayedGame { start: input.start.clone(), moves: Vec::new() };
    let mut board = Board::new(&input.start);
    for (number, NumberedMove { line, made }) in (1..).zip(moves) {
        let is_word = |word: &[Letter]| input.dictionary.contains(word);
        board.apply(&made, is_word).map_err(|reason| {
            let broken = IllegalGame { number, word: made.word.clone(), reason };
            Violation::Rule { line, broken }
        })?;
        game.moves.push(made);
    }
    Ok(game)
}
