//! The contest's text: the size, the rows of the board, the error factors; one probability back.
//!
//! Beyond the contest a cell may be empty (`.`), the board may have up to 16 cells, an error factor may be any positive
//! number, and a line `to move: J` or `to move: D` before the error factors says whose turn it is.

use std::io::{Read, Write as _};

use super::chance::Chance;
use super::rules::{Board, Case, Cells, ErrorFactor, Factors, MOST_CELLS, Player, Position, Shape};
use crate::input::{InputError, Line, Lines, quote, whole_number};

const ROW_FORMAT: &str = "write the rows of the board in letters J, D or '.', as many as its size says";
const FACTOR_FORMAT: &str = "write the error factors of Justin and Donald, two whole numbers of at least 1";

/// Reads the size of the next board, or `None` where no input follows.
pub fn read_shape(lines: &mut Lines<impl Read>) -> Result<Option<Shape>, InputError> {
    let Some(line) = lines.next_line()? else { return Ok(None) };
    let format = || format!("write the numbers of rows and columns, of at most {MOST_CELLS} cells");
    let [rows, columns] = read_pair(line, format)?;
    match Shape::new(rows as usize, columns as usize) {
        Some(shape) => Ok(Some(shape)),
        None => Err(line.error(format!("a board of {rows} by {columns} cells"), format())),
    }
}

/// Reads the rest of a case whose size is known.
pub fn read_case(shape: Shape, lines: &mut Lines<impl Read>) -> Result<Case, InputError> {
    let board = read_board(shape, lines)?;
    let line = lines.require_line(FACTOR_FORMAT)?;
    let Some(to_move) = read_turn(line)? else {
        let position = Position { board, to_move: board.turn_by_parity() };
        return Ok(Case { position, factors: read_factors(line)? });
    };
    let factors = read_factors(lines.require_line(FACTOR_FORMAT)?)?;
    Ok(Case { position: Position { board, to_move }, factors })
}

fn read_board(shape: Shape, lines: &mut Lines<impl Read>) -> Result<Board, InputError> {
    let (mut justin, mut donald) = (Cells::NONE, Cells::NONE);
    for row in 0..shape.rows() {
        let line = lines.require_line(ROW_FORMAT)?;
        // What is no row at all, such as the error factors after too few rows, is not to be counted in cells.
        if let Some(letter) = line.bytes.iter().find(|letter| !b"JD.".contains(letter)) {
            return Err(line.error(format!("{} is not a cell", quote(&[*letter])), ROW_FORMAT));
        }
        if line.bytes.len() != shape.columns() {
            let found = format!("a row of {} cells on a board {} wide", line.bytes.len(), shape.columns());
            return Err(line.error(found, ROW_FORMAT));
        }
        for (column, letter) in line.bytes.iter().enumerate() {
            let cell = Cells::only(row * shape.columns() + column);
            match letter {
                b'J' => justin = justin.or(cell),
                b'D' => donald = donald.or(cell),
                _ => {}
            }
        }
    }
    Ok(Board::new(shape, justin, donald).expect("every cell was read once"))
}

/// Reads whose turn it is, or `None` if the line is not about that: the error factors begin with a digit.
fn read_turn(line: Line<'_>) -> Result<Option<Player>, InputError> {
    if !line.bytes.starts_with(b"to") {
        return Ok(None);
    }
    match line.bytes.strip_prefix(b"to move:").map(<[u8]>::trim_ascii) {
        Some(b"J") => Ok(Some(Player::Justin)),
        Some(b"D") => Ok(Some(Player::Donald)),
        _ => Err(line.error(format!("{} names no player", quote(line.bytes)), "write 'to move: J' or 'to move: D'")),
    }
}

fn read_factors(line: Line<'_>) -> Result<Factors, InputError> {
    let [justin, donald] = read_pair(line, || FACTOR_FORMAT.to_owned())?;
    match (ErrorFactor::new(justin), ErrorFactor::new(donald)) {
        (Some(justin), Some(donald)) => Ok(Factors { justin, donald }),
        _ => Err(line.error("an error factor of 0", FACTOR_FORMAT)),
    }
}

/// Reads a line of two whole numbers; what exceeds 64 bits counts as the largest of them.
fn read_pair(line: Line<'_>, format: impl Fn() -> String) -> Result<[u64; 2], InputError> {
    let mut numbers = [0; 2];
    let mut count = 0;
    for word in line.words() {
        let number =
            whole_number(word).ok_or_else(|| line.error(format!("{} is not a whole number", quote(word)), format()))?;
        if let Some(place) = numbers.get_mut(count) {
            *place = number;
        }
        count += 1;
    }
    if count != numbers.len() {
        let words = if count == 1 { "word" } else { "words" };
        return Err(line.error(format!("{count} {words} where two numbers stand"), format()));
    }
    Ok(numbers)
}

/// Appends the judge's line for a chance: exactly three decimals.
pub fn write_answer(chance: Chance, out: &mut Vec<u8>) {
    writeln!(out, "{chance}").expect("a vector takes any text");
}
