//! Hop chess, solved for every full board and every pair of error factors.

pub mod referee;
pub mod solve;
mod stats;

use std::collections::HashMap;

use indicatif::{HumanCount, ProgressBar};
use num_traits::ToPrimitive;
use rayon::prelude::*;
use tabletop::bars::Bars;
use tabletop::hopchess::index::{BOARDS, BoardRank, ROWS, canonical, shapes};
use tabletop::hopchess::matrix::LARGEST_FACTOR;
use tabletop::hopchess::rules::Shape;
use tabletop::hopchess::{Board, Case, Cells, Chance, ErrorFactor, Factors, Player, Position};
use tabletop::internal::hopchess::answer;
use tabletop::seeded::Seeded;

use self::referee::{Referee, is_exact_enough};
use self::solve::Solution;

use crate::generator::{EncodedTable, Failure, Generator, Proof};

/// The widest shape for each number of rows: its positions include those of all narrower ones.
const WIDEST: [(usize, usize); 3] = [(1, 13), (2, 6), (3, 4)];

/// Boards of at most this many cells are searched by the proof for every pair of error factors.
const SEARCHED_CELLS: usize = 7;
/// Number of larger boards that the proof searches, each for one pair.
const SEARCHED_CASES: u64 = 3000;
/// Number of boards of all sizes that the referee checks, each for one pair.
const REFEREED_CASES: usize = 300;

/// The generator of hop chess's two tables.
pub(crate) struct Hopchess;

impl Generator for Hopchess {
    fn game(&self) -> &'static str {
        "hopchess"
    }

    fn generate(&self, bars: &Bars) -> Result<Vec<EncodedTable>, Failure> {
        let mut rows = PackedRows::default();
        for (row_count, columns) in WIDEST {
            let shape = Shape::new(row_count, columns).expect("the widest shapes are shapes");
            let open = solve::Open::new(shape);
            let bar = bars.steps("positions", open.positions() as u64);
            let solution = open.solve(|positions| bar.inc(positions as u64));
            bar.finish_and_clear();
            let canonical_boards: Vec<BoardRank> = BoardRank::all()
                .filter(|rank| rank.board().shape().rows() == row_count && canonical(rank.board()) == rank.board())
                .collect();
            let bar = bars.steps("rows", canonical_boards.len() as u64);
            rows.extend(&canonical_boards, &solution, &bar);
            bar.finish_and_clear();
        }
        let beginnings = rows.beginnings()?;
        Ok(vec![EncodedTable::new(&BOARDS, &beginnings), EncodedTable::new(&ROWS, &rows.bytes)])
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<Proof>, Failure> {
        Ok(vec![Proof::of([compare_reflections(tables)?]), Proof::of([search_anew(tables)?, ask_referee(tables)?])])
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        stats::stats(&answers(tables)?)
    }
}

/// The finished tables, opened from memory.
fn answers(tables: &[EncodedTable]) -> Result<tabletop::hopchess::Hopchess, Failure> {
    let [boards, rows] = tables else {
        return Err(Failure::new("hopchess: two tables expected"));
    };
    Ok(tabletop::hopchess::Hopchess::new(boards.open()?, rows.open()?))
}

fn compare_reflections(tables: &[EncodedTable]) -> Result<String, Failure> {
    let answers = answers(tables)?;
    for rank in BoardRank::all() {
        let image = BoardRank::of(canonical(rank.board())).expect("a reflection of a numbered board has a number");
        if answers.matrix(rank)? != answers.matrix(image)? {
            return Err(Failure::new(format!("{}: another row than its reflection", one_line(rank.board()))));
        }
    }
    Ok(String::from("every board has a row, the same as its reflections"))
}

/// No table holds the positions after the first move, so the proof searches them.
fn search_anew(tables: &[EncodedTable]) -> Result<String, Failure> {
    let cases = cases_to_search();
    judge_all(tables, &cases, 256, |case, found| {
        let expected = answer::search(case);
        if found != Some(expected) {
            return Err(disagreement(case, found, expected.to_f64(), "by search"));
        }
        Ok(())
    })?;
    Ok(format!(
        "{} cases, all of up to {SEARCHED_CELLS} cells among them, follow from their successors to the last bit",
        HumanCount(cases.len() as u64)
    ))
}

fn ask_referee(tables: &[EncodedTable]) -> Result<String, Failure> {
    let cases = cases_to_referee();
    judge_all(tables, &cases, 16, |case, found| {
        let exact = Referee::judge(case);
        if !found.is_some_and(|chance| is_exact_enough(chance, &exact)) {
            let exact = exact.to_f64().unwrap_or(f64::NAN);
            return Err(disagreement(case, found, exact, "by the plain solver"));
        }
        Ok(())
    })?;
    Ok(format!("{REFEREED_CASES} seeded cases equal the exact fractions of the plain solver"))
}

/// Looks up the cases in parallel, in chunks of `chunk` cases, and passes each answer to `judge`.
fn judge_all(
    tables: &[EncodedTable],
    cases: &[Case],
    chunk: usize,
    judge: impl Fn(Case, Option<Chance>) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let answers = answers(tables)?;
    cases.par_chunks(chunk).try_for_each(|cases| cases.iter().try_for_each(|case| judge(*case, answers.look_up(case)?)))
}

/// The table of rows while it is built.
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
                solution.matrix(rank.board()).pack()
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
    // The steps are coprime to the numbers of boards and of factors, so a longer sample would reach all of them.
    let sample = (0..SEARCHED_CASES).map(|i| {
        let rank = large[(i * 7919 % large.len() as u64) as usize];
        (rank, 1 + i * 5 % largest, 1 + i / largest * 7 % largest)
    });
    every_pair.chain(sample).filter_map(|(rank, justin, donald)| case(rank, justin, donald)).collect()
}

/// Takes equally many boards of every shape. Drawn from all boards, most would have the largest shapes.
fn cases_to_referee() -> Vec<Case> {
    let mut seeded = Seeded(1);
    let shapes: Vec<Shape> = shapes().collect();
    let factor = |seeded: &mut Seeded| ErrorFactor::new(1 + seeded.below(LARGEST_FACTOR as u64));
    let cases = shapes.into_iter().cycle().take(REFEREED_CASES).filter_map(|shape| {
        let board = Board::full(shape, Cells(seeded.below(1 << shape.cells()) as u16));
        let factors = Factors { justin: factor(&mut seeded)?, donald: factor(&mut seeded)? };
        Some(Case { position: Position { board, to_move: Player::Justin }, factors })
    });
    cases.collect()
}

fn disagreement(case: Case, found: Option<Chance>, expected: f64, by: &str) -> Failure {
    let Factors { justin, donald } = case.factors;
    let found = found.map_or(String::from("nothing"), |chance| chance.to_f64().to_string());
    let board = one_line(case.position.board);
    let (justin, donald) = (justin.moves(), donald.moves());
    Failure::new(format!("{board} with J = {justin}, D = {donald}: {found} in the table, {expected} {by}"))
}

/// A board in one line, with `/` between its rows.
fn one_line(board: Board) -> String {
    board.to_string().replace('\n', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped tables, with the beginnings of rows changed.
    fn tables_with(change: impl FnOnce(&mut [u32])) -> [EncodedTable; 2] {
        [EncodedTable::shipped(&BOARDS).changed(change), EncodedTable::shipped(&ROWS)]
    }

    fn rank(letters: &str) -> usize {
        let justin = letters.bytes().zip(0..).map(|(letter, cell)| u16::from(letter == b'J') << cell).sum();
        let shape = Shape::new(1, letters.len()).unwrap();
        BoardRank::of(Board::full(shape, Cells(justin))).unwrap().index()
    }

    #[test]
    fn a_board_with_the_row_of_another_is_found_by_its_reflection_or_by_search() {
        let tables = tables_with(|begins| begins[rank("JDDJJ")] = begins[rank("JDJDJ")]);
        assert!(compare_reflections(&tables).unwrap_err().to_string().ends_with("another row than its reflection"));
        let tables = tables_with(|begins| begins[rank("JDJDJ")] = begins[rank("DDDDD")]);
        assert!(compare_reflections(&tables).is_ok());
        assert!(search_anew(&tables).unwrap_err().to_string().ends_with("by search"));
    }

    #[test]
    fn the_referee_finds_swapped_rows() {
        let tables = tables_with(|begins| begins.swap(rank("JJ"), rank("DD")));
        assert!(ask_referee(&tables_with(|_| ())).is_ok());
        assert!(ask_referee(&tables).unwrap_err().to_string().ends_with("by the plain solver"));
    }
}
