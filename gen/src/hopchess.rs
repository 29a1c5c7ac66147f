//! Hop chess, solved for every full board and every pair of error factors.

mod solve;
mod stats;

use std::collections::HashMap;

use indicatif::ProgressBar;
use rayon::prelude::*;
use tabletop::hopchess::index::{BOARDS, BoardRank, ROWS, canonical};
use tabletop::hopchess::row::LARGEST_FACTOR;
use tabletop::hopchess::rules::Shape;
use tabletop::hopchess::{Answers, Board, Case, Chance, ErrorFactor, Factors, Player, Position, answer};

use self::solve::Solution;
use crate::generator::{EncodedTable, Failure, Generator};
use crate::progress::Progress;

/// The shapes among whose positions are those of all other shapes with as many rows.
const WIDEST: [(usize, usize); 3] = [(1, 13), (2, 6), (3, 4)];

/// Boards of at most so many cells are searched for every pair by the proof.
const SEARCHED_CELLS: usize = 7;
/// Larger boards that the proof searches, each for one pair.
const SEARCHED_CASES: u64 = 3000;

/// The generator of hop chess's two tables.
pub(crate) struct Hopchess;

impl Generator for Hopchess {
    fn game(&self) -> &'static str {
        "hopchess"
    }

    fn generate(&self, progress: &Progress) -> Result<Vec<EncodedTable>, Failure> {
        let mut rows = PackedRows::default();
        for (row_count, columns) in WIDEST {
            let shape = Shape::new(row_count, columns).expect("the widest shapes are shapes");
            let open = solve::Open::new(shape);
            let bar = progress.steps("positions", open.positions() as u64);
            let solution = open.solve(|positions| bar.inc(positions as u64));
            bar.finish_and_clear();
            let canonical_boards: Vec<BoardRank> = BoardRank::all()
                .filter(|rank| rank.board().shape().rows() == row_count && canonical(rank.board()) == rank.board())
                .collect();
            let bar = progress.steps("rows", canonical_boards.len() as u64);
            rows.extend(&canonical_boards, &solution, &bar);
            bar.finish_and_clear();
        }
        let beginnings = rows.beginnings()?;
        Ok(vec![EncodedTable::new(&BOARDS, &beginnings), EncodedTable::new(&ROWS, &rows.bytes)])
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<String>, Failure> {
        let cases = cases_to_search();
        cases.par_chunks(256).try_for_each(|cases| {
            let mut answers = answers(tables)?;
            for &case in cases {
                let found = answers.look_up(case)?;
                let expected = answer::search(case);
                if found != Some(expected) {
                    return Err(Failure::new(disagreement(case, found, expected)));
                }
            }
            Ok(())
        })?;
        let mut answers = answers(tables)?;
        for rank in BoardRank::all() {
            let image = BoardRank::of(canonical(rank.board())).expect("a reflection of a numbered board has a number");
            let expected = answers.row(image)?.clone();
            if *answers.row(rank)? != expected {
                return Err(Failure::new(format!("{}: another row than its reflection", one_line(rank.board()))));
            }
        }
        Ok(vec![
            format!("{} cases derived anew by search, all equal bit for bit", cases.len()),
            format!("{} boards have a row, the same as their reflections", BoardRank::all().count()),
        ])
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        stats::stats(&mut answers(tables)?)
    }
}

/// The finished tables, opened from memory.
fn answers(tables: &[EncodedTable]) -> Result<Answers<&[u8]>, Failure> {
    let [boards, rows] = tables else {
        return Err(Failure::new("hopchess: two tables expected"));
    };
    Ok(Answers::new(boards.open()?, rows.open()?))
}

/// The table of rows as it grows.
#[derive(Default)]
struct PackedRows {
    bytes: Vec<u8>,
    /// Where the row of each canonical board begins.
    begins: HashMap<BoardRank, u32>,
}

impl PackedRows {
    /// Appends the rows of these boards, packed in parallel.
    fn extend(&mut self, boards: &[BoardRank], solution: &Solution, bar: &ProgressBar) {
        let packed: Vec<Vec<u8>> = boards
            .par_iter()
            .map(|rank| {
                bar.inc(1);
                solution.row(rank.board()).pack()
            })
            .collect();
        for (&rank, row) in boards.iter().zip(packed) {
            let block = ROWS.block_records as usize;
            let left_in_block = block - self.bytes.len() % block;
            if row.len() > left_in_block {
                self.bytes.resize(self.bytes.len() + left_in_block, 0);
            }
            self.begins.insert(rank, self.bytes.len() as u32);
            self.bytes.extend(row);
        }
    }

    /// Where the row of every board begins, in the order of the boards' ranks.
    fn beginnings(&self) -> Result<Vec<u32>, Failure> {
        let begin = |rank: BoardRank| {
            let canonical_rank = BoardRank::of(canonical(rank.board()));
            let begin = canonical_rank.and_then(|canonical_rank| self.begins.get(&canonical_rank));
            begin
                .copied()
                .ok_or_else(|| Failure::new(format!("{}: no row was solved for this board", one_line(rank.board()))))
        };
        BoardRank::all().map(begin).collect()
    }
}

/// Every small board with every pair of error factors, and a repeatable sample of the others.
fn cases_to_search() -> Vec<Case> {
    let factor = |moves: u64| ErrorFactor::new(moves);
    let case = |rank: BoardRank, justin: u64, donald: u64| {
        let position = Position { board: rank.board(), to_move: Player::Justin };
        Some(Case { position, factors: Factors { justin: factor(justin)?, donald: factor(donald)? } })
    };
    let largest = LARGEST_FACTOR as u64;
    let (small, large): (Vec<BoardRank>, Vec<BoardRank>) =
        BoardRank::all().partition(|rank| rank.board().shape().cells() <= SEARCHED_CELLS);
    let pairs = (1..=largest).flat_map(|justin| (1..=largest).map(move |donald| (justin, donald)));
    let every_pair = small.iter().flat_map(|&rank| pairs.clone().map(move |(justin, donald)| (rank, justin, donald)));
    // Steps that share no factor with the number of boards or of pairs reach all of them in the long run.
    let sample = (0..SEARCHED_CASES).map(|i| {
        let rank = large[(i * 7919 % large.len() as u64) as usize];
        (rank, 1 + i * 5 % largest, 1 + i / largest * 7 % largest)
    });
    every_pair.chain(sample).filter_map(|(rank, justin, donald)| case(rank, justin, donald)).collect()
}

fn disagreement(case: Case, found: Option<Chance>, expected: Chance) -> String {
    let Factors { justin, donald } = case.factors;
    let found = found.map_or(String::from("nothing"), |chance| chance.to_f64().to_string());
    let board = one_line(case.position.board);
    let (justin, donald) = (justin.moves(), donald.moves());
    format!("{board} with J = {justin}, D = {donald}: {found} in the table, {} by search", expected.to_f64())
}

/// A board with its rows behind each other.
fn one_line(board: Board) -> String {
    board.to_string().replace('\n', "/")
}
