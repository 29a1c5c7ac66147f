//! Codenames boards made from others, and their values.

use tabletop::codenames::sample::Shape;
use tabletop::codenames::{Board, BoardError, Card, Identity, Run, Solver, Team};

use super::Seeded;

/// A seeded board.
pub fn board(shape: Shape, seeded: &mut Seeded) -> Board {
    shape.board(seeded).unwrap()
}

/// The words of the hints of a board.
pub fn hint_words(board: &Board) -> Vec<Vec<String>> {
    let words = |card: usize| board.cards()[card].word().to_owned();
    board.hints().iter().map(|hint| hint.iter().map(words).collect()).collect()
}

/// A board with the same hints but other cards.
pub fn with_cards(board: &Board, to_move: Team, cards: Vec<Card>) -> Result<Board, BoardError> {
    Board::new(to_move, cards, hint_words(board))
}

/// A board with some cards revealed.
pub fn with_revealed(board: &Board, revealed: impl Fn(usize, Identity) -> bool) -> Result<Board, BoardError> {
    let cards = board.cards().iter().enumerate().map(|(place, card)| {
        let identity = if revealed(place, card.identity()) { Identity::Revealed } else { card.identity() };
        Card::new(card.word(), identity)
    });
    with_cards(board, board.to_move(), cards.collect())
}

/// The probability that the team to move wins, by the method that the program chooses.
pub fn win(board: &Board) -> f64 {
    Solver::new(board.clone()).unwrap().solve(Run::default()).unwrap().win().to_f64()
}
