//! The ranks of full boards, and the two tables.
//!
//! The tables contain the shapes of 2 to 13 cells with at least as many columns as rows, in the order below. Within a
//! shape, boards are ranked by the set of Justin's cells as a number; cell 0 is the lowest bit:
//!
//! ```text
//!   shape         1x2  1x3  1x4 …  1x13    2x2    2x3 …    2x6    3x3    3x4
//!   first rank      0    4   12 …  8188  16380  16396 …  17740  21836  22348   end 26444
//!
//!   J J D    cells 0, 1 and 5 are Justin's, 1 + 2 + 32 = 35
//!   D D J    rank = 16396 + 35 = 16431
//!
//!   boards   rank -> the rank in `rows` where the board's row begins
//!   rows     the bytes of the rows of all canonical boards, one after another; no row crosses the end of a block
//! ```
//!
//! A row is the packed matrix of a board, see `codec.rs`. Reflections, and transposition of a square, do not change the
//! game. The canonical board is the image with the lowest rank. Only canonical boards have a row of their own; the
//! other boards share the row of their canonical board.

use super::rules::{Board, CONTEST_CELLS, Cells, Player, Shape};
use crate::table::{RecordType, Remedy, Spec, Values};

/// The number of cells of the largest board in the tables, which contain all boards of the contest.
pub const MOST_TABLE_CELLS: usize = CONTEST_CELLS;
/// The number of full boards in the tables.
pub const BOARD_COUNT: u32 = 26_444;
/// The size of all packed rows, in bytes.
const ROW_BYTES: u64 = 4_900_915;

/// The start of the row of every board.
pub static BOARDS: Spec = Spec {
    name: "hopchess",
    game: "hopchess",
    rules: "hop chess 1: record b is the number of the record in hopchess-rows where the row of full board b begins; \
            boards are numbered by shape (rows, then columns, rows <= columns, 2 to 13 cells) and within a shape by the \
            set of Justin's cells",
    records: RecordType::U32,
    block_records: 1 << 9,
    positions: Some(BOARD_COUNT as u64),
    values: Values::UpTo((ROW_BYTES - 1) as f64),
    remedy: Remedy::Generate("hopchess"),
};

/// The chances that Justin wins for all pairs of error factors, as one packed row per canonical board.
pub static ROWS: Spec = Spec {
    name: "hopchess-rows",
    game: "hopchess",
    rules: "hop chess 1: bytes of packed rows, none across a block; a row holds the probability that Justin, who moves \
            first, wins for error factors (J, D) from 1 to 13, as fractions predicted from their neighbours",
    records: RecordType::U8,
    block_records: 1 << 14,
    positions: Some(ROW_BYTES),
    values: Values::Any,
    remedy: Remedy::Generate("hopchess"),
};

/// The rank of a full board, below 26444.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardRank(u32);

impl BoardRank {
    /// Every rank.
    pub fn all() -> impl Iterator<Item = BoardRank> {
        (0..BOARD_COUNT).map(BoardRank)
    }

    /// The rank of a board, which may be transposed. `None` if the board is not full or its shape is not in the tables.
    pub fn of(board: Board) -> Option<BoardRank> {
        let shape = board.shape();
        if shape.rows() > shape.columns() {
            return BoardRank::of(board.transposed());
        }
        if !board.is_full() {
            return None;
        }
        let within = u32::from(board.pieces_of(Player::Justin).0);
        let &first = FIRSTS.get(shape.rows())?.get(shape.columns())?;
        first.map(|first| BoardRank(first + within))
    }

    /// The rank as an array index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The board with this rank.
    pub fn board(self) -> Board {
        let mut within = self.0;
        for shape in shapes() {
            if within < board_count(shape) {
                return Board::full(shape, Cells(within as u16));
            }
            within -= board_count(shape);
        }
        unreachable!("a rank is below the number of boards")
    }
}

/// The rank of the first board of every shape in the tables: `FIRSTS[rows][columns]`.
const FIRSTS: [[Option<u32>; MOST_TABLE_CELLS + 1]; 4] = {
    let mut firsts = [[None; MOST_TABLE_CELLS + 1]; 4];
    let mut first = 0;
    let mut rows = 1;
    while rows < firsts.len() {
        let mut columns = rows;
        while rows * columns <= MOST_TABLE_CELLS {
            if rows * columns > 1 {
                firsts[rows][columns] = Some(first);
                first += 1 << (rows * columns);
            }
            columns += 1;
        }
        rows += 1;
    }
    assert!(first == BOARD_COUNT);
    firsts
};

/// The shapes in the tables, in rank order.
pub fn shapes() -> impl Iterator<Item = Shape> {
    let of_rows = |rows| (rows..=MOST_TABLE_CELLS / rows).filter_map(move |columns| Shape::new(rows, columns));
    (1..=MOST_TABLE_CELLS).flat_map(of_rows).filter(|shape| shape.cells() > 1)
}

/// The number of full boards of a shape.
fn board_count(shape: Shape) -> u32 {
    1 << shape.cells()
}

/// The image of a full board with the lowest rank.
pub fn canonical(board: Board) -> Board {
    let upright = [board, board.mirrored(), board.upside_down(), board.mirrored().upside_down()];
    let is_square = board.shape().rows() == board.shape().columns();
    let turned = upright.map(Board::transposed).into_iter().filter(|_| is_square);
    upright.into_iter().chain(turned).min_by_key(|image| image.pieces_of(Player::Justin)).unwrap_or(board)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_board_round_trips_through_its_rank_and_its_transposition_has_the_same_rank() {
        for rank in BoardRank::all() {
            let board = rank.board();
            assert_eq!(BoardRank::of(board), Some(rank));
            if board.shape().rows() < board.shape().columns() {
                assert_eq!(BoardRank::of(board.transposed()), Some(rank));
            }
        }
        let boards: u32 = shapes().map(board_count).sum();
        assert_eq!(boards, BOARD_COUNT);
    }

    #[test]
    fn boards_that_are_not_full_or_too_large_or_too_small_have_no_rank() {
        let shape = |rows, columns| Shape::new(rows, columns).unwrap();
        assert_eq!(BoardRank::of(Board::new(shape(1, 3), Cells(1), Cells(2)).unwrap()), None);
        assert_eq!(BoardRank::of(Board::full(shape(2, 7), Cells(1))), None);
        assert_eq!(BoardRank::of(Board::full(shape(1, 1), Cells(1))), None);
    }

    #[test]
    fn the_documented_examples_hold() {
        let rank = |rows, columns, justin| {
            BoardRank::of(Board::full(Shape::new(rows, columns).unwrap(), Cells(justin))).unwrap().index()
        };
        assert_eq!(rank(2, 3, 35), 16_431);
        let firsts = [(1, 2), (1, 3), (1, 4), (1, 13), (2, 2), (2, 3), (2, 6), (3, 3), (3, 4)]
            .map(|(rows, columns)| rank(rows, columns, 0));
        assert_eq!(firsts, [0, 4, 12, 8188, 16_380, 16_396, 17_740, 21_836, 22_348]);
    }

    #[test]
    fn every_orbit_has_one_canonical_board() {
        let canonical_boards: HashSet<Board> = BoardRank::all().map(|rank| canonical(rank.board())).collect();
        // The number of orbits of all shapes by Burnside's lemma.
        assert_eq!(canonical_boards.len(), 11_067);
        assert!(canonical_boards.iter().all(|&board| canonical(board) == board));
    }
}
