//! The rules of hop chess: a rectangle of pieces, two players, captures of a neighbour.
//!
//! A cell is the bit `row * columns + column` of a [`Cells`] set. The cells of a 3x4 board:
//!
//! ```text
//!     0  1  2  3
//!     4  5  6  7
//!     8  9 10 11
//! ```
//!
//! Every move removes exactly one piece, and then it is the other player's turn. Pieces move only onto occupied cells.
//! So a piece without a neighbour can never move and never be captured: [`Grid::live`] removes it, and positions that
//! differ only in such pieces are treated as one.

use std::fmt;

use crate::ranked::ranked;

/// The number of cells of the largest supported board.
pub const MOST_CELLS: usize = 16;
/// The number of cells of the contest's largest board.
pub const CONTEST_CELLS: usize = 13;

/// A set of cells, bit `row * columns + column`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells(pub u16);

impl Cells {
    /// No cell.
    pub const NONE: Cells = Cells(0);

    /// The set with only this cell.
    pub fn only(cell: usize) -> Cells {
        Cells(1 << cell)
    }

    /// Whether the cell is in the set.
    pub fn has(self, cell: usize) -> bool {
        self.0 >> cell & 1 == 1
    }

    /// Whether no cell is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cells in the set.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The cells of either set.
    pub fn or(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }

    /// The cells of both sets.
    pub fn and(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }

    /// The cells of this set that are not in the other.
    pub fn without(self, other: Cells) -> Cells {
        Cells(self.0 & !other.0)
    }
}

impl Iterator for Cells {
    type Item = usize;

    /// Removes the lowest cell from the set and returns it.
    fn next(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let cell = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

/// The size of a board in rows and columns. It has at least one cell and at most [`MOST_CELLS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u8,
    columns: u8,
}

impl Shape {
    /// The shape with these numbers of rows and columns, or `None` if it has no cell or too many.
    pub fn new(rows: usize, columns: usize) -> Option<Shape> {
        let cells = rows.checked_mul(columns)?;
        if cells == 0 || cells > MOST_CELLS {
            return None;
        }
        Some(Shape { rows: rows as u8, columns: columns as u8 })
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }

    /// The number of columns.
    pub fn columns(self) -> usize {
        usize::from(self.columns)
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.rows() * self.columns()
    }

    /// Every cell of the board.
    pub fn all(self) -> Cells {
        Cells((u32::MAX >> (32 - self.cells())) as u16)
    }

    /// The shape with rows and columns exchanged.
    pub fn transposed(self) -> Shape {
        Shape { rows: self.columns, columns: self.rows }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// One of the two players; Justin moves first on a full board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player whose winning probability is the answer.
    Justin,
    /// His opponent.
    Donald,
}

impl Player {
    /// The other player.
    pub fn opponent(self) -> Player {
        match self {
            Player::Justin => Player::Donald,
            Player::Donald => Player::Justin,
        }
    }

    /// The letter of his pieces on a board.
    pub fn letter(self) -> char {
        match self {
            Player::Justin => 'J',
            Player::Donald => 'D',
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Justin => "Justin",
            Player::Donald => "Donald",
        })
    }
}

/// The largest size of a player's proposal set, in moves; at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorFactor(u64);

impl ErrorFactor {
    /// The factor of `moves` moves, or `None` if that is 0.
    pub fn new(moves: u64) -> Option<ErrorFactor> {
        (moves > 0).then_some(ErrorFactor(moves))
    }

    /// The largest size of the proposal set, in moves.
    pub fn moves(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for ErrorFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The error factors of both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Factors {
    /// Justin's error factor.
    pub justin: ErrorFactor,
    /// Donald's error factor.
    pub donald: ErrorFactor,
}

impl Factors {
    /// The error factor of this player.
    pub fn of(self, player: Player) -> ErrorFactor {
        match player {
            Player::Justin => self.justin,
            Player::Donald => self.donald,
        }
    }

    /// The factors with the players exchanged.
    pub fn exchanged(self) -> Factors {
        Factors { justin: self.donald, donald: self.justin }
    }
}

/// The pieces on a board: every cell is Justin's, Donald's or empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    justin: Cells,
    donald: Cells,
}

impl Board {
    /// The board with these pieces, or `None` if two pieces share a cell or a piece is outside the board.
    pub fn new(shape: Shape, justin: Cells, donald: Cells) -> Option<Board> {
        let outside = justin.or(donald).without(shape.all());
        let legal = outside.is_empty() && justin.and(donald).is_empty();
        legal.then_some(Board { shape, justin, donald })
    }

    /// The full board on which these cells are Justin's and all others Donald's.
    pub fn full(shape: Shape, justin: Cells) -> Board {
        let justin = justin.and(shape.all());
        Board { shape, justin, donald: shape.all().without(justin) }
    }

    /// The board's size.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// The cells of this player's pieces.
    pub fn pieces_of(self, player: Player) -> Cells {
        match player {
            Player::Justin => self.justin,
            Player::Donald => self.donald,
        }
    }

    /// Whether no cell is empty.
    pub fn is_full(self) -> bool {
        self.justin.or(self.donald) == self.shape.all()
    }

    /// The owner of the piece on a cell.
    pub fn owner(self, cell: usize) -> Option<Player> {
        [Player::Justin, Player::Donald].into_iter().find(|&player| self.pieces_of(player).has(cell))
    }

    /// The player whose turn it is if Justin started on the full board. Every move has removed one piece.
    pub fn turn_by_parity(self) -> Player {
        let removed = self.shape.cells() - self.justin.or(self.donald).count();
        if removed.is_multiple_of(2) { Player::Justin } else { Player::Donald }
    }

    /// The board with every piece given to the other player.
    pub fn exchanged(self) -> Board {
        Board { shape: self.shape, justin: self.donald, donald: self.justin }
    }

    /// The board with rows and columns exchanged; the game on it is the same.
    pub fn transposed(self) -> Board {
        self.moved(self.shape.transposed(), |row, column| (column, row))
    }

    /// The board with the first row last; the game on it is the same.
    pub fn upside_down(self) -> Board {
        self.moved(self.shape, |row, column| (self.shape.rows() - 1 - row, column))
    }

    /// The board with the first column last; the game on it is the same.
    pub fn mirrored(self) -> Board {
        self.moved(self.shape, |row, column| (row, self.shape.columns() - 1 - column))
    }

    /// The board with every piece moved from its row and column to `place(row, column)`.
    fn moved(self, shape: Shape, place: impl Fn(usize, usize) -> (usize, usize)) -> Board {
        let columns = self.shape.columns();
        let image = |cells: Cells| {
            cells.fold(Cells::NONE, |image, cell| {
                let (row, column) = place(cell / columns, cell % columns);
                image.or(Cells::only(row * shape.columns() + column))
            })
        };
        Board { shape, justin: image(self.justin), donald: image(self.donald) }
    }
}

impl fmt::Display for Board {
    /// Row after row, `.` for an empty cell, as the judge writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..self.shape.cells() {
            if cell > 0 && cell.is_multiple_of(self.shape.columns()) {
                writeln!(f)?;
            }
            write!(f, "{}", self.owner(cell).map_or('.', Player::letter))?;
        }
        Ok(())
    }
}

/// A board and whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces.
    pub board: Board,
    /// The player who moves next.
    pub to_move: Player,
}

impl Position {
    /// The pieces as the side to move sees them.
    pub fn pieces(self) -> Pieces {
        Pieces { mover: self.board.pieces_of(self.to_move), other: self.board.pieces_of(self.to_move.opponent()) }
    }

    /// Every legal move of the side to move, ordered by the cells.
    pub fn moves(self) -> Vec<Move> {
        let moves = Grid::new(self.board.shape).moves(self.pieces()).collect();
        ranked(moves, |capture: &Move| (capture.from * MOST_CELLS + capture.to) as i64)
    }

    /// The position after a move, or an error if the move is not legal.
    pub fn after(self, capture: Move) -> Result<Position, IllegalMove> {
        if self.moves().contains(&capture) { Ok(self.after_legal(capture)) } else { Err(IllegalMove(capture)) }
    }

    /// The position after one of its [moves](Position::moves).
    pub(crate) fn after_legal(self, capture: Move) -> Position {
        let Pieces { mover, other } = self.pieces().after(capture);
        let (justin, donald) = match self.to_move {
            Player::Justin => (other, mover),
            Player::Donald => (mover, other),
        };
        let board = Board { shape: self.board.shape, justin, donald };
        Position { board, to_move: self.to_move.opponent() }
    }

    /// The same game with the players exchanged: Justin's pieces become Donald's, and so does his turn.
    pub fn exchanged(self) -> Position {
        Position { board: self.board.exchanged(), to_move: self.to_move.opponent() }
    }
}

/// The pieces of both sides. The sides are named by the turn, so the search need not distinguish the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// The cells of the side to move.
    pub mover: Cells,
    /// The cells of the side that moved last.
    pub other: Cells,
}

impl Pieces {
    /// The pieces after a move. The other side is then the side to move.
    pub fn after(self, capture: Move) -> Pieces {
        let target = Cells::only(capture.to);
        Pieces { mover: self.other.without(target), other: self.mover.without(Cells::only(capture.from)).or(target) }
    }

    /// The cells with a piece.
    pub fn occupied(self) -> Cells {
        self.mover.or(self.other)
    }
}

/// A capture: the piece on `from` moves onto the neighbouring, occupied cell `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell that the moving piece leaves.
    pub from: usize,
    /// The cell of the captured piece.
    pub to: usize,
}

impl fmt::Display for Move {
    /// The numbers of both cells, counted row by row from 0. [`Move::on`] shows rows and columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {} takes cell {}", self.from, self.to)
    }
}

impl Move {
    /// The move as text with rows and columns, counted from 1, on a board of this shape.
    pub fn on(self, shape: Shape) -> String {
        let place = |cell: usize| format!("{},{}", cell / shape.columns() + 1, cell % shape.columns() + 1);
        format!("{} takes {}", place(self.from), place(self.to))
    }
}

/// A move that is not legal in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a move of this position, choose one of those that it lists", .0)]
pub struct IllegalMove(pub Move);

/// Finds the neighbours of cells on boards of one shape, by shifting whole sets.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    columns: usize,
    not_first: Cells,
    not_last: Cells,
    all: Cells,
}

impl Grid {
    /// The grid of this shape.
    pub fn new(shape: Shape) -> Grid {
        let columns = shape.columns();
        let column =
            |number: usize| (0..shape.rows()).fold(Cells::NONE, |set, row| set.or(Cells::only(row * columns + number)));
        let all = shape.all();
        Grid { columns, not_first: all.without(column(0)), not_last: all.without(column(columns - 1)), all }
    }

    /// For every direction: the distance in cells, and the mover's pieces with a neighbour in this direction.
    fn captures(&self, pieces: Pieces) -> [(isize, Cells); 4] {
        let (mover, occupied) = (pieces.mover, u32::from(pieces.occupied().0));
        let columns = self.columns;
        let with_neighbour = |shifted: u32| mover.and(Cells(shifted as u16));
        [
            (1, with_neighbour(occupied >> 1).and(self.not_last)),
            (-1, with_neighbour(occupied << 1).and(self.not_first)),
            (columns as isize, with_neighbour(occupied >> columns)),
            (-(columns as isize), with_neighbour(occupied << columns)),
        ]
    }

    /// Every legal move of the side to move.
    pub fn moves(&self, pieces: Pieces) -> impl Iterator<Item = Move> + use<> {
        self.captures(pieces).into_iter().flat_map(|(distance, movers)| {
            movers.map(move |from| Move { from, to: from.wrapping_add_signed(distance) })
        })
    }

    /// The pieces that have a neighbour. The others can never move or be captured.
    pub fn live(&self, pieces: Pieces) -> Pieces {
        let occupied = pieces.occupied();
        let set = u32::from(occupied.0);
        let in_row = Cells((set << 1) as u16).and(self.not_first).or(Cells((set >> 1) as u16).and(self.not_last));
        let in_column = Cells((set << self.columns | set >> self.columns) as u16).and(self.all);
        let neighbours = in_row.or(in_column);
        Pieces { mover: pieces.mover.and(neighbours), other: pieces.other.and(neighbours) }
    }
}

/// A position and the players' error factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The board and whose turn it is.
    pub position: Position,
    /// The error factors.
    pub factors: Factors,
}

impl Case {
    /// The same game with the players exchanged: Justin's pieces and factor become Donald's, and so does his turn.
    pub fn exchanged(self) -> Case {
        Case { position: self.position.exchanged(), factors: self.factors.exchanged() }
    }
}
