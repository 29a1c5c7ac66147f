//! Games and moves of Balda as text.

use std::fmt::Write as _;

use tabletop::balda::explain::MoveObject;
use tabletop::balda::{Board, Cell, Letter, Move, PlayedGame};
use tabletop::explain::Paint;

/// The number of next words that are printed. JSON contains all of them.
const PRINTED_WORDS: usize = 30;

/// The points, then every move with the board after it.
pub(super) fn game_as_it_grows(game: &PlayedGame, paint: Paint) -> String {
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
pub(super) fn next_words(moves: &[Move], board: &Board, paint: Paint) -> String {
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
