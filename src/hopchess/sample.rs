//! Seeded full boards with error factors.

use super::matrix;
use super::rules::{self, Board, CONTEST_CELLS, Case, Cells, ErrorFactor, Factors, Player, Position, Shape};
use crate::game::{Kind, Size};
use crate::seeded::Seeded;

/// The contest's largest error factor. The tables cover all factors up to it.
const CONTEST_FACTOR: u64 = matrix::LARGEST_FACTOR as u64;

/// A case of this kind: with two to four cells, of any shape, or of a shape whose search takes longest.
pub(super) fn sample(kind: Kind, seed: u64) -> Case {
    let mut seeded = Seeded(seed);
    let cells = match kind {
        Kind::Tiny => 2..=4,
        Kind::Ordinary => 2..=CONTEST_CELLS,
        Kind::Worst => 12..=CONTEST_CELLS,
        Kind::Edge => return edge(seed),
    };
    let shapes: Vec<Shape> = (1..=CONTEST_CELLS)
        .flat_map(|rows| (1..=CONTEST_CELLS).map(move |columns| (rows, columns)))
        .filter(|(rows, columns)| cells.contains(&(rows * columns)))
        .filter_map(|(rows, columns)| Shape::new(rows, columns))
        .collect();
    let shape = shapes[seeded.below(shapes.len() as u64) as usize];
    any_case(shape, &mut seeded)
}

/// The sizes that [`sized`] accepts. The search supports up to 16 cells.
pub(super) const SIZES: &[Size] = &[Size { name: "rows", limits: 1..=16 }, Size { name: "columns", limits: 1..=16 }];

/// A case with these numbers of rows and columns. `None` means any number that the contest allows.
pub(super) fn sized(rows: Option<u32>, columns: Option<u32>, seed: u64) -> Result<Case, String> {
    let mut seeded = Seeded(seed);
    // If the given side exceeds the contest's limit, the other side is 1.
    let other = |given: u32| (CONTEST_CELLS as u32 / given).max(1);
    let between = |low: u32, high: u32, seeded: &mut Seeded| low + seeded.below(u64::from(high - low + 1)) as u32;
    let (rows, columns) = match (rows, columns) {
        (Some(rows), Some(columns)) => (rows, columns),
        (Some(rows), None) => (rows, between(if rows == 1 { 2 } else { 1 }, other(rows), &mut seeded)),
        (None, Some(columns)) => (between(if columns == 1 { 2 } else { 1 }, other(columns), &mut seeded), columns),
        (None, None) => return Ok(sample(Kind::Ordinary, seed)),
    };
    let shape = Shape::new(rows as usize, columns as usize).filter(|shape| shape.cells() >= 2);
    let shape = shape
        .ok_or_else(|| format!("a board of {rows} by {columns} cells, ask for 2 to {} cells", rules::MOST_CELLS))?;
    Ok(any_case(shape, &mut seeded))
}

/// A board with one or two rows, or one column, often with a single piece of a player, and with extreme error factors.
fn edge(seed: u64) -> Case {
    let mut seeded = Seeded(seed);
    let length = 2 + seeded.below(CONTEST_CELLS as u64 - 1) as usize;
    let (rows, columns) = [(1, length), (length, 1), (2, length.div_ceil(2).min(6))][seeded.below(3) as usize];
    let shape = Shape::new(rows, columns).expect("the contest's boards are supported");
    let case = any_case(shape, &mut seeded);
    let lone = Cells::only(seeded.below(shape.cells() as u64) as usize);
    let board = match seeded.below(3) {
        0 => Board::full(shape, lone),
        1 => Board::full(shape, shape.all().without(lone)),
        _ => case.position.board,
    };
    let extreme = |seeded: &mut Seeded| {
        let factor = [1, 2, CONTEST_FACTOR - 1, CONTEST_FACTOR][seeded.below(4) as usize];
        ErrorFactor::new(factor).expect("the factor is at least 1")
    };
    let factors = Factors { justin: extreme(&mut seeded), donald: extreme(&mut seeded) };
    Case { position: Position { board, ..case.position }, factors }
}

/// The full board without one of its rows or columns, with a lower error factor, or with one of Donald's pieces given
/// to Justin.
pub(super) fn smaller(case: &Case) -> Vec<Case> {
    let Case { position: Position { board, .. }, factors } = *case;
    if !board.is_full() {
        return Vec::new();
    }
    let shape = board.shape();
    let (rows, columns) = (shape.rows(), shape.columns());
    let justin_at = |row: usize, column: usize| board.owner(row * columns + column) == Some(Player::Justin);
    let mut boards = Vec::new();
    for left_out in (0..rows).filter(|_| rows > 1) {
        boards
            .extend(full_board(rows - 1, columns, |row, column| justin_at(row + usize::from(row >= left_out), column)));
    }
    for left_out in (0..columns).filter(|_| columns > 1) {
        boards.extend(full_board(rows, columns - 1, |row, column| {
            justin_at(row, column + usize::from(column >= left_out))
        }));
    }
    let mut pairs = Vec::new();
    for justin in lower(factors.justin) {
        pairs.push(Factors { justin, ..factors });
    }
    for donald in lower(factors.donald) {
        pairs.push(Factors { donald, ..factors });
    }
    let repainted = (0..shape.cells()).filter(|&cell| board.owner(cell) == Some(Player::Donald)).filter_map(|cell| {
        let justin = board.pieces_of(Player::Justin).or(Cells::only(cell));
        (justin != shape.all()).then(|| Board::full(shape, justin))
    });
    let at_start = |board: Board, factors| Case { position: Position { board, to_move: Player::Justin }, factors };
    let with_fewer_cells = boards.into_iter().map(|board| at_start(board, factors));
    let with_factors = pairs.into_iter().map(|factors| at_start(board, factors));
    let with_pieces = repainted.map(|board| at_start(board, factors));
    with_fewer_cells.chain(with_factors).chain(with_pieces).collect()
}

/// The full board of this size on which `is_justin` says which cells are Justin's, if both players have a piece.
fn full_board(rows: usize, columns: usize, is_justin: impl Fn(usize, usize) -> bool) -> Option<Board> {
    let shape = Shape::new(rows, columns)?;
    let cells = (0..shape.cells()).filter(|cell| is_justin(cell / columns, cell % columns));
    let justin = cells.fold(Cells::NONE, |cells, cell| cells.or(Cells::only(cell)));
    (!justin.is_empty() && justin != shape.all()).then(|| Board::full(shape, justin))
}

/// Lower factors, the lowest first.
fn lower(factor: ErrorFactor) -> Vec<ErrorFactor> {
    let moves = factor.moves() as u64;
    let mut lower: Vec<u64> = [1, moves / 2, moves - 1].into_iter().filter(|&low| low >= 1 && low < moves).collect();
    lower.dedup();
    lower.into_iter().filter_map(ErrorFactor::new).collect()
}

/// A random full board of this shape with random error factors.
fn any_case(shape: Shape, seeded: &mut Seeded) -> Case {
    let board = any_board(shape, seeded);
    let factors = Factors { justin: factor(seeded), donald: factor(seeded) };
    Case { position: Position { board, to_move: Player::Justin }, factors }
}

/// A random full board on which both players have a piece.
fn any_board(shape: Shape, seeded: &mut Seeded) -> Board {
    let all = u64::from(shape.all().0);
    Board::full(shape, Cells((1 + seeded.below(all - 1)) as u16))
}

fn factor(seeded: &mut Seeded) -> ErrorFactor {
    ErrorFactor::new(1 + seeded.below(CONTEST_FACTOR)).expect("the factor is at least 1")
}
