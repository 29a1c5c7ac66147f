//! The contest's text. Input: the size, the rows of the board, the error factors. Output: one probability.
//!
//! Extensions of the contest's format: a cell may be empty (`.`), the board may have up to 16 cells, an error factor
//! may be any positive number, and a line `to move: J` or `to move: D` before the error factors says whose turn it is.

use std::fmt;
use std::io::Read;
use std::str::FromStr;

use super::Hopchess;
use super::chance::Chance;
use super::rules::{Board, Case, Cells, ErrorFactor, Factors, MOST_CELLS, Player, Position, Shape};
use crate::game::{Game, Verdict};
use crate::input::{InputError, Line, Lines, quote, whole_number};

const ROW_FORMAT: &str = "write the rows of the board in letters J, D or '.', as many as its size says";
const FACTOR_FORMAT: &str = "write the error factors of Justin and Donald, two whole numbers of at least 1";

fn read_shape(lines: &mut Lines<impl Read>) -> Result<Shape, InputError> {
    let line = lines.require_line(Hopchess::PROFILE.format)?;
    let format = || format!("write the numbers of rows and columns, of at most {MOST_CELLS} cells");
    let [rows, columns] = read_pair(line, format)?;
    Shape::new(rows as usize, columns as usize)
        .ok_or_else(|| line.error(format!("a board of {rows} by {columns} cells"), format()))
}

/// Reads a case.
pub fn read_case(lines: &mut Lines<impl Read>) -> Result<Case, InputError> {
    let shape = read_shape(lines)?;
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
        // The letters are checked before the length: the line may not be a row, for example if rows are missing.
        if let Some(letter) = line.bytes.iter().find(|letter| !b"JD.".contains(letter)) {
            let expected = if b"jd".contains(letter) { "write capital letters: J, D" } else { ROW_FORMAT };
            return Err(line.error(format!("{} is not a cell", quote(&[*letter])), expected));
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

/// Reads whose turn it is, or `None` if the line does not begin with `to`: the error factors begin with a digit.
fn read_turn(line: Line<'_>) -> Result<Option<Player>, InputError> {
    if line.after_label("to").is_none() {
        return Ok(None);
    }
    match line.after_label("to move:") {
        Some(b"J" | b"j") => Ok(Some(Player::Justin)),
        Some(b"D" | b"d") => Ok(Some(Player::Donald)),
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

/// Reads a line of two whole numbers. A number beyond 64 bits becomes `u64::MAX`.
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

impl fmt::Display for Case {
    /// The judge's input with this case. The turn is written only if it differs from [`Board::turn_by_parity`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { position: Position { board, to_move }, factors } = self;
        writeln!(f, "{} {}\n{board}", board.shape().rows(), board.shape().columns())?;
        if *to_move != board.turn_by_parity() {
            writeln!(f, "to move: {}", to_move.letter())?;
        }
        writeln!(f, "{} {}", factors.justin, factors.donald)
    }
}

impl FromStr for Case {
    type Err = InputError;

    /// Reads a judge's input with one case.
    fn from_str(text: &str) -> Result<Case, InputError> {
        Hopchess::read_only(text)
    }
}

/// Judges an answer by its three decimals. If the exact value lies halfway between two roundings, the one that is not
/// printed is a tie: accepted programs differ there.
pub(super) fn accepts(chance: Chance, answer: &str) -> Verdict {
    let is_plain = answer.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let Some(found) = answer.parse::<f64>().ok().filter(|_| is_plain) else {
        return Verdict::Malformed(String::from("a probability with three decimals is expected"));
    };
    let thousandths = |number: f64| (number * 1000.0).round() as i64;
    if (found * 1000.0 - thousandths(found) as f64).abs() > 1e-6 {
        return Verdict::Malformed(String::from("a probability rounded to three decimals is expected"));
    }
    let printed: f64 = chance.to_string().parse().expect("a chance prints as a decimal number");
    if thousandths(found) == thousandths(printed) {
        Verdict::Accepted
    } else if chance.other_rounding() == Some(thousandths(found)) {
        Verdict::Tie
    } else {
        Verdict::Wrong
    }
}
