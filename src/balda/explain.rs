//! Games and moves of Balda as text and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::rules::{Board, Cell, Move, PlayedGame};
use super::{Language, Letter, Position};
use crate::explain::Paint;
use crate::text;

/// The number of next words that are printed. JSON contains all of them.
const PRINTED_WORDS: usize = 30;

/// A game.
#[derive(Serialize)]
struct GameObject {
    game: &'static str,
    language: &'static str,
    start: String,
    points: u32,
    letters: u32,
    moves: Vec<MoveObject>,
}

/// Moves that can be made.
#[derive(Serialize)]
struct MovesObject {
    game: &'static str,
    language: &'static str,
    moves: Vec<MoveObject>,
}

/// A move; rows and columns are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MoveObject {
    /// The row of the letter.
    pub row: u8,
    /// The column of the letter.
    pub column: u8,
    /// The letter.
    pub letter: String,
    /// The word.
    pub word: String,
    /// The row of the word's first letter.
    pub first_row: u8,
    /// The column of the word's first letter.
    pub first_column: u8,
    /// The steps from letter to letter: l, r, u or d.
    pub steps: String,
    /// The board after the move as text, in a list of next moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl MoveObject {
    /// The JSON object of a move.
    pub fn new(made: &Move) -> MoveObject {
        let first = made.first();
        MoveObject {
            row: made.cell.row + 1,
            column: made.cell.column + 1,
            letter: made.letter.to_string(),
            word: made.word.to_string(),
            first_row: first.row + 1,
            first_column: first.column + 1,
            steps: made.steps(),
            next: None,
        }
    }
}

fn move_objects(moves: &[Move]) -> Vec<MoveObject> {
    moves.iter().map(MoveObject::new).collect()
}

/// A game as one JSON object on a line.
pub fn game_object(game: &PlayedGame, language: Language) -> Vec<u8> {
    object_line(&GameObject {
        game: "balda",
        language: language.code(),
        start: game.start.to_string(),
        points: game.points(),
        letters: game.letters(),
        moves: move_objects(&game.moves),
    })
}

/// The words that can be made next in a position as one JSON object on a line.
pub fn moves_object(moves: &[Move], position: &Position) -> Vec<u8> {
    let mut objects = move_objects(moves);
    for (object, made) in objects.iter_mut().zip(moves) {
        object.next = position.after(made).ok().map(|next| next.to_string());
    }
    object_line(&MovesObject { game: "balda", language: position.language.code(), moves: objects })
}

fn object_line(object: &impl Serialize) -> Vec<u8> {
    let mut line = text::to_json(object);
    line.push(b'\n');
    line
}

/// The points, then every move with the board after it.
pub fn game_text(game: &PlayedGame, paint: Paint) -> String {
    let (start, side) = (&game.start, game.start.side());
    let mut text = format!("{}\n", game.points());
    line(&mut text, &format!("  {start} on {side} x {side}: {} moves, {} letters", game.moves.len(), game.letters()));
    let mut board = Board::new(start);
    let mut letters = 0;
    for (number, made) in (1..).zip(&game.moves) {
        if board.apply(made, |_| true).is_err() {
            break;
        }
        letters += made.word.len();
        let title = format!("{number:>4}. {}  +{} = {letters}", describe(made), made.word.len());
        line(&mut text, &format!("\n{title}"));
        text.push_str(&picture(&board, Some(made.cell), paint));
    }
    text
}

/// The board, then the words that can be made next.
pub fn moves_text(moves: &[Move], board: &Board, paint: Paint) -> String {
    let mut text = String::new();
    match moves.first() {
        Some(best) => line(&mut text, &format!("{}", best.word.len())),
        None => line(&mut text, "0"),
    }
    text.push_str(&picture(board, None, paint));
    line(&mut text, &format!("  {} words can be made next", moves.len()));
    for made in moves.iter().take(PRINTED_WORDS) {
        line(&mut text, &format!("  {:>3}  {}", made.word.len(), describe(made)));
    }
    text
}

fn describe(made: &Move) -> String {
    let MoveObject { row, column, letter, word, first_row, first_column, steps, .. } = MoveObject::new(made);
    format!("{word}: {letter} at row {row}, column {column}; from row {first_row}, column {first_column} {steps}")
}

/// The rows of the board. The newly placed letter is marked.
fn picture(board: &Board, placed: Option<Cell>, paint: Paint) -> String {
    let mut text = String::new();
    for cell in board.cells() {
        if cell.column == 0 {
            text.push_str("      ");
        }
        let letter = board.letter(cell).map_or('.', Letter::to_char);
        let shown = if placed == Some(cell) { paint.bold(&format!("*{letter}")) } else { format!(" {letter}") };
        text.push_str(&shown);
        if usize::from(cell.column) + 1 == board.side() {
            text.push('\n');
        }
    }
    text
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a string cannot fail");
}
