//! The solver of hop chess against a plain loop over pairs of error factors and boards, in one run.
//!
//! The plain loop searches every full board of every shape in one thread, pair by pair. Boards of the same shape and
//! pair share a memo. All 169 pairs would take minutes, so it runs over 13 pairs, in which every factor of each player
//! occurs once, and its time is multiplied by 13.

use std::hint::black_box;
use std::time::Instant;

use tabletop::hopchess::index::{BoardRank, canonical, shapes};
use tabletop::hopchess::matrix;
use tabletop::hopchess::{Board, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::internal::hopchess::Search;
use tabletop_gen::hopchess::solve::Open;

const FACTORS: u64 = matrix::LARGEST_FACTOR as u64;

fn main() {
    let solver = seconds(|| {
        for (rows, columns) in [(1, 13), (2, 6), (3, 4)] {
            let shape = Shape::new(rows, columns).expect("a shape of at most 16 cells");
            let solution = Open::new(shape).solve(|_| ());
            let boards = BoardRank::all().map(BoardRank::board).filter(|board| board.shape().rows() == rows);
            for board in boards.filter(|&board| canonical(board) == board) {
                black_box(solution.matrix(board));
            }
        }
    });
    let sample = seconds(|| {
        for justin in 1..=FACTORS {
            let factor = |moves| ErrorFactor::new(moves).expect("a positive number");
            plain_loop(Factors { justin: factor(justin), donald: factor(justin * 5 % FACTORS + 1) });
        }
    });
    let plain = sample * FACTORS as f64;
    let threads = rayon::current_num_threads();
    println!("solver, {threads} threads: {solver:.1} s");
    println!("plain loop, 1 thread: {sample:.1} s for 13 of 169 pairs, {plain:.0} s for all");
    println!("the solver is {:.0} times as fast", plain / solver);
}

fn plain_loop(factors: Factors) {
    for shape in shapes() {
        let mut search = Search::new(shape, factors);
        for justin in 0..=shape.all().0 {
            let board = Board::full(shape, Cells(justin));
            black_box(search.chance(Position { board, to_move: Player::Justin }));
        }
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
