//! Games and moves of Balda as people and scripts read them.

use std::fmt::Write as _;

use serde::Serialize;
use tabletop::balda::judge::certificate;
use tabletop::balda::{Alphabet, Board, Cell, Game, Language, Move};

use crate::cli::paint::Paint;
use crate::cli::query::write_object;

/// Next words that are printed; JSON has them all.
const PRINTED_WORDS: usize = 30;

#[derive(Serialize)]
struct GameObject {
    game: &'static str,
    language: &'static str,
    start: String,
    points: u32,
    letters: u32,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct MovesObject {
    game: &'static str,
    language: &'static str,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct MoveObject {
    row: u8,
    column: u8,
    letter: String,
    word: String,
    first_row: u8,
    first_column: u8,
    steps: String,
}

impl MoveObject {
    fn new(made: &Move, alphabet: Alphabet) -> MoveObject {
        MoveObject {
            row: made.cell.row + 1,
            column: made.cell.column + 1,
            letter: alphabet.text(&[made.letter]),
            word: alphabet.text(&made.word),
            first_row: made.path[0].row + 1,
            first_column: made.path[0].column + 1,
            steps: certificate(&made.path),
        }
    }
}

fn move_objects(moves: &[Move], language: Language) -> Vec<MoveObject> {
    moves.iter().map(|made| MoveObject::new(made, language.alphabet())).collect()
}

/// A game as one JSON object.
pub(super) fn game_object(game: &Game, language: Language) -> Vec<u8> {
    object_line(&GameObject {
        game: "balda",
        language: language.code(),
        start: language.alphabet().text(&game.start),
        points: game.score(),
        letters: game.points(),
        moves: move_objects(&game.moves, language),
    })
}

/// The words that can be made next as one JSON object.
pub(super) fn moves_object(moves: &[Move], language: Language) -> Vec<u8> {
    object_line(&MovesObject { game: "balda", language: language.code(), moves: move_objects(moves, language) })
}

fn object_line(object: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::new();
    write_object(object, &mut line);
    line.push(b'\n');
    line
}

/// The points, then every move with the board after it.
pub(super) fn game_as_it_grows(game: &Game, language: Language, paint: Paint) -> String {
    let alphabet = language.alphabet();
    let side = game.start.len();
    let mut text = format!("{}\n", game.score());
    let start = alphabet.text(&game.start);
    line(&mut text, &format!("  {start} on {side} x {side}: {} moves, {} letters", game.moves.len(), game.points()));
    let Some(mut board) = Board::new(&game.start) else { return text };
    let mut letters = 0;
    for (number, made) in (1..).zip(&game.moves) {
        if board.apply(made, |_| true).is_err() {
            break;
        }
        letters += made.word.len();
        let title = format!("{number:>4}. {}  +{} = {letters}", describe(made, alphabet), made.word.len());
        line(&mut text, &format!("\n{title}"));
        text.push_str(&picture(&board, alphabet, Some(made.cell), paint));
    }
    text
}

/// The board, then the words that can be made next.
pub(super) fn next_words(moves: &[Move], board: &Board, language: Language, paint: Paint) -> String {
    let alphabet = language.alphabet();
    let mut text = String::new();
    match moves.first() {
        Some(best) => line(&mut text, &format!("{}", best.word.len())),
        None => line(&mut text, "0"),
    }
    text.push_str(&picture(board, alphabet, None, paint));
    line(&mut text, &format!("  {} words can be made next", moves.len()));
    for made in moves.iter().take(PRINTED_WORDS) {
        line(&mut text, &format!("  {:>3}  {}", made.word.len(), describe(made, alphabet)));
    }
    text
}

fn describe(made: &Move, alphabet: Alphabet) -> String {
    let MoveObject { row, column, letter, word, first_row, first_column, steps } = MoveObject::new(made, alphabet);
    format!("{word}: {letter} at row {row}, column {column}; from row {first_row}, column {first_column} {steps}")
}

/// The rows of the board; the letter just placed is marked.
fn picture(board: &Board, alphabet: Alphabet, placed: Option<Cell>, paint: Paint) -> String {
    let mut text = String::new();
    for cell in board.cells() {
        if cell.column == 0 {
            text.push_str("      ");
        }
        let letter = board.letter(cell).map_or('.', |letter| alphabet.to_char(letter));
        let shown = if placed == Some(cell) { paint.bold(&format!("*{letter}")) } else { format!(" {letter}") };
        text.push_str(&shown);
        if usize::from(cell.column) + 1 == board.side() {
            text.push('\n');
        }
    }
    text
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("a string takes any text");
}
