//! Hop chess positions that no table covers: the run time of a whole query process, and of the search in it.

use std::fs;
use std::hint::black_box;
use std::io;
use std::process::{Command, Stdio};

use tabletop::hopchess::{Board, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::internal::hopchess::Search;
use tabletop_measure::{Contestant, medians};

const ROUNDS: usize = 9;

fn main() -> io::Result<()> {
    for (rows, columns) in [(1, 13), (2, 6), (3, 4)] {
        let shape = Shape::new(rows, columns).expect("a shape of at most 16 cells");
        let (board, positions) = widest(shape);
        report(&format!("{shape}, the full board with the most positions"), board, positions)?;
    }
    // All neighbours have different owners. None of 40 random 4x4 boards led to as many positions.
    let shape = Shape::new(4, 4).expect("a shape of at most 16 cells");
    let checkered = Board::full(shape, Cells(0b0101_1010_0101_1010));
    report("4x4, checkered", checkered, positions_from(checkered))
}

/// Error factors above those in the tables. They differ, so that mixing up the players would be noticed.
fn factors() -> Factors {
    let factor = |moves| ErrorFactor::new(moves).expect("a positive number");
    Factors { justin: factor(20), donald: factor(15) }
}

fn positions_from(board: Board) -> usize {
    let mut search = Search::new(board.shape(), factors());
    black_box(search.chance(Position { board, to_move: Player::Justin }));
    search.positions()
}

/// The full board from which the search visits the most positions.
fn widest(shape: Shape) -> (Board, usize) {
    let boards = (0..=shape.all().0).map(|justin| Board::full(shape, Cells(justin)));
    boards.map(|board| (board, positions_from(board))).max_by_key(|&(_, positions)| positions).expect("some board")
}

fn report(name: &str, board: Board, positions: usize) -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("input");
    let Factors { justin, donald } = factors();
    let shape = board.shape();
    fs::write(
        &file,
        format!("{} {}\n{board}\n{} {}\n", shape.rows(), shape.columns(), justin.moves(), donald.moves()),
    )?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
    command.arg("hopchess").arg(file).args(["--tables", concat!(env!("CARGO_MANIFEST_DIR"), "/tables")]);
    command.stdout(Stdio::null());
    let search = || {
        black_box(positions_from(board));
    };
    let mut contestants =
        [Contestant::process("process", command), Contestant::new("search", "positions", positions, search)];
    let times = medians(ROUNDS, &mut contestants);
    let (process, search) = (times[0] * 1e3, times[1] * 1e3);
    let board = board.to_string().replace('\n', "/");
    println!("{name}: {board}, {positions} positions, process {process:.1} ms, search {search:.1} ms");
    Ok(())
}
