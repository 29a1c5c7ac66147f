//! The choice of boards to start from: stored boards, or halves of two.
//!
//! A half is the rows above the start word, or those below it. A stored board was bred with many start words, so its
//! halves hardly depend on the middle row or on each other. Next to the half of another board, a half is worth about
//! the same, unless the two need the same words. With the start word of this game some halves are worth more than
//! others, and the best two seldom come from one board.
//!
//! ```text
//!   board a      board b, upside down     the best halves for the start word
//!   a a a a a    b b b b b                  a a a a a    (a half may also be mirrored)
//!   a a a a a    b b b b b                  a a a a a
//!   . start .    . start .                  s t a r t
//!   a a a a a    b b b b b                  b b b b b
//!   a a a a a    b b b b b                  b b b b b
//! ```

use super::anneal::WarmBoard;
use crate::ranked::ranked;

/// Number of pairs of halves that are evaluated, from the highest sum down. More pairs brought no better boards.
const PAIRS: usize = 16;

/// A board is worth using if the mean length of its words is at least this multiple of [`length_from_random`]. A cell
/// without a word counts as -10 letters. With the shipped dictionaries boards reach 0.81 to 1.1, and they improve games.
/// With another English list of 64,000 words, which has half of the shipped words, they reach 0.78, and games are 3 to
/// 4 % worse.
const LEAST_RATIO: f64 = 0.8;

/// A board whose words are shorter than this on average, in letters, is never used.
const LEAST_WORD_LENGTH: f64 = 5.5;

/// About how long words are, on average, at the end of a search from random letters with this number of words in the
/// dictionary. Measured: 7.9 letters with 18,000 words, 9.3 with 41,000 and 10.2 with 64,000.
fn length_from_random(words: usize) -> f64 {
    7.9 + 1.2 * libm::log2(words.max(1) as f64 / 18_000.0)
}

/// The strongest boards made of `boards`, the best first, and at most `count`. Those that are not worth using are left
/// out. All boards have the start word in the middle row. `words` is the number of words in the dictionary.
///
/// `cell_points` returns the worth of each cell of a board, in letters, or `None` when the time is over.
pub(super) fn strongest(
    side: usize,
    boards: &[WarmBoard],
    words: usize,
    count: usize,
    cell_points: &mut dyn FnMut(&WarmBoard) -> Option<Vec<i32>>,
) -> Vec<WarmBoard> {
    let middle = side / 2 * side;
    let outside = |points: &[i32]| points[..middle].iter().chain(&points[middle + side..]).sum::<i32>();
    let mut evaluated = Vec::new();
    let mut halves = Vec::new();
    for (number, board) in boards.iter().enumerate() {
        for board in [board.clone(), mirrored(board, side)] {
            // The start word itself must not be mirrored.
            let board = with_middle(board, &boards[number], side);
            let Some(points) = cell_points(&board) else { break };
            evaluated.push((outside(&points), board.clone()));
            halves.push(Half {
                of: (number, Rows::Upper),
                points: points[..middle].iter().sum(),
                board: board.clone(),
            });
            let points = points[middle + side..].iter().sum();
            halves.push(Half { of: (number, Rows::Lower), points, board: upside_down(&board, side) });
        }
    }
    for (upper, lower) in best_pairs(&halves) {
        let board = joined(&upper.board, &upside_down(&lower.board, side), side);
        let Some(points) = cell_points(&board) else { break };
        evaluated.push((outside(&points), board));
    }
    let least = (LEAST_RATIO * length_from_random(words)).max(LEAST_WORD_LENGTH);
    let mut strongest = Vec::new();
    for (points, board) in ranked(evaluated, |(points, _)| -i64::from(*points)) {
        let is_worth_using = f64::from(points) >= least * board.order.len() as f64;
        if !is_worth_using || strongest.len() == count {
            break;
        }
        // The two halves of one board make the board itself again.
        if !strongest.contains(&board) {
            strongest.push(board);
        }
    }
    strongest
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Upper,
    Lower,
}

/// Half of a board. A lower half is stored upside down, so that its rows are above the middle.
struct Half {
    /// The number of the board, and which half of it this is.
    of: (usize, Rows),
    /// Worth of the half on its own board, in letters.
    points: i32,
    board: WarmBoard,
}

/// The pairs of halves with the highest sums. A half is not paired with its own mirror image, because the two need the
/// same words. An upper half stays above if it can.
fn best_pairs(halves: &[Half]) -> Vec<(&Half, &Half)> {
    let mut pairs: Vec<(&Half, &Half)> = Vec::new();
    for (number, half) in halves.iter().enumerate() {
        let others = halves[..number].iter().filter(|other| other.of != half.of);
        pairs.extend(others.map(|other| if half.of.1 == Rows::Upper { (half, other) } else { (other, half) }));
    }
    let mut pairs = ranked(pairs, |(upper, lower)| -i64::from(upper.points + lower.points));
    pairs.truncate(PAIRS);
    pairs
}

/// The board with left and right exchanged.
fn mirrored(board: &WarmBoard, side: usize) -> WarmBoard {
    permuted(board, |cell| cell / side * side + side - 1 - cell % side)
}

fn upside_down(board: &WarmBoard, side: usize) -> WarmBoard {
    permuted(board, |cell| (side - 1 - cell / side) * side + cell % side)
}

/// The board with its cells exchanged in pairs.
fn permuted(board: &WarmBoard, partner: impl Fn(usize) -> usize) -> WarmBoard {
    WarmBoard {
        letters: (0..board.letters.len()).map(|cell| board.letters[partner(cell)]).collect(),
        order: board.order.iter().map(|&cell| partner(usize::from(cell)) as u8).collect(),
    }
}

/// The board with the middle row of another.
fn with_middle(mut board: WarmBoard, other: &WarmBoard, side: usize) -> WarmBoard {
    let middle = side / 2 * side..side / 2 * side + side;
    board.letters[middle.clone()].copy_from_slice(&other.letters[middle]);
    board
}

/// The rows of `upper` down to the middle and the rows of `lower` below it; cells keep the order of their turns.
fn joined(upper: &WarmBoard, lower: &WarmBoard, side: usize) -> WarmBoard {
    let below = side / 2 * side + side;
    let turns = |board: &WarmBoard, is_lower: bool| {
        let turns: Vec<(usize, bool, u8)> =
            board.order.iter().enumerate().map(|(turn, &cell)| (turn, is_lower, cell)).collect();
        turns.into_iter().filter(move |&(_, _, cell)| (usize::from(cell) >= below) == is_lower)
    };
    let order: Vec<_> = turns(upper, false).chain(turns(lower, true)).collect();
    // The ranking is stable: for equal turns the upper cell comes first.
    let order = ranked(order, |&(turn, ..)| turn as i64);
    WarmBoard {
        letters: [&upper.letters[..below], &lower.letters[below..]].concat(),
        order: order.into_iter().map(|(_, _, cell)| cell).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 3;

    /// With 12,000 words, a board needs 5.76 letters a word.
    const WORDS: usize = 12_000;

    /// A board of one letter around the start word, filled from the last cell to the first.
    fn board(letter: u8) -> WarmBoard {
        let mut letters = vec![letter; SIDE * SIDE];
        letters[3..6].copy_from_slice(&[20, 21, 22]);
        WarmBoard { letters, order: vec![8, 7, 6, 2, 1, 0] }
    }

    /// The worth of a cell, by its letter, in the upper and in the lower rows.
    fn worth(upper: [i32; 3], lower: [i32; 3]) -> impl Fn(&WarmBoard) -> Option<Vec<i32>> {
        move |board| {
            let cell = |(cell, &letter): (usize, &u8)| match cell {
                0..3 => upper[usize::from(letter)],
                6..9 => lower[usize::from(letter)],
                _ => -10,
            };
            assert_eq!(board.letters[3..6], [20, 21, 22], "the start word is not mirrored");
            Some(board.letters.iter().enumerate().map(cell).collect())
        }
    }

    /// The letters of the upper and of the lower rows.
    fn rows(board: &WarmBoard) -> (u8, u8) {
        assert!(board.fits(SIDE, 26));
        (board.letters[0], board.letters[8])
    }

    #[test]
    fn the_best_halves_make_the_board() {
        let boards = [board(0), board(1), board(2)];
        let choose = |upper, lower| strongest(SIDE, &boards, WORDS, 1, &mut worth(upper, lower)).first().map(rows);
        assert_eq!(choose([9, 6, 6], [9, 6, 6]), Some((0, 0)), "a whole board");
        assert_eq!(choose([6, 9, 6], [6, 6, 9]), Some((1, 2)));
        assert_eq!(choose([6, 6, 9], [9, 6, 6]), Some((2, 0)));
        assert_eq!(choose([5, 5, 5], [5, 5, 5]), None, "no board is strong enough");
        assert_eq!(choose([6, 5, 5], [5, 5, 5]), None, "5.5 letters on average");
        assert_eq!(choose([7, 5, 5], [5, 5, 5]), Some((0, 0)), "6 letters on average");
        let chosen =
            |words, letters| !strongest(SIDE, &boards, words, 1, &mut worth([letters; 3], [letters; 3])).is_empty();
        assert_eq!([5, 6].map(|letters| chosen(10, letters)), [false, true], "a small dictionary");
        assert_eq!([8, 9].map(|letters| chosen(100_000, letters)), [false, true], "a large dictionary");
    }

    #[test]
    fn the_strongest_boards_come_first_and_each_comes_once() {
        let boards = [board(0), board(1), board(2)];
        let value = worth([9, 6, 4], [8, 6, 4]);
        let points = |board: &WarmBoard| value(board).unwrap().iter().sum::<i32>() + 30;
        let chosen = strongest(SIDE, &boards, WORDS, 99, &mut &value);
        assert_eq!(rows(&chosen[0]), (0, 0));
        assert!(chosen.is_sorted_by_key(|board| -points(board)));
        assert!(chosen.iter().all(|board| f64::from(points(board)) >= 5.76 * 6.0), "words are long enough");
        for (number, board) in chosen.iter().enumerate() {
            assert!(!chosen[..number].contains(board), "{number}");
        }
        assert_eq!(strongest(SIDE, &boards, WORDS, 3, &mut &value), chosen[..3]);
    }

    #[test]
    fn at_the_deadline_the_best_board_so_far_is_used() {
        let boards = [board(0), board(1), board(2)];
        let value = worth([6, 9, 6], [6, 6, 9]);
        for (evaluations, expected) in [(0, None), (1, Some((0, 0))), (3, Some((1, 1))), (6, Some((1, 1)))] {
            let mut left = evaluations;
            let chosen = strongest(SIDE, &boards, WORDS, 1, &mut |board| {
                left -= 1;
                if left < 0 { None } else { value(board) }
            });
            assert_eq!(chosen.first().map(rows), expected, "{evaluations}");
        }
    }

    #[test]
    fn flipping_twice_changes_nothing_and_joined_halves_keep_their_order() {
        let board = WarmBoard { letters: (0..9).collect(), order: vec![7, 0, 8, 2, 6, 1] };
        assert_eq!(mirrored(&mirrored(&board, SIDE), SIDE), board);
        assert_eq!(mirrored(&board, SIDE).letters, [2, 1, 0, 5, 4, 3, 8, 7, 6]);
        assert_eq!(upside_down(&upside_down(&board, SIDE), SIDE), board);
        assert_eq!(upside_down(&board, SIDE).order, [1, 6, 2, 8, 0, 7]);
        assert_eq!(joined(&board, &board, SIDE), board);
        let other = joined(&board, &mirrored(&board, SIDE), SIDE);
        assert_eq!(other.letters, [0, 1, 2, 3, 4, 5, 8, 7, 6]);
        assert_eq!(other.order, [7, 0, 6, 2, 8, 1]);
    }
}
