//! Games and moves of Balda as JSON.

use serde::Serialize;

use super::rules::{Move, PlayedGame};
use super::{Language, Position};
use crate::text;

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
