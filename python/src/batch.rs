//! Many cases at once, as bytes of numpy arrays, on all cores and without the interpreter.

use std::num::NonZeroUsize;
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tabletop::dice::{Case, Hand};
use tabletop::game::{Error, Game};
use tabletop::hopchess::{self, Board, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::jenga::{Level, Tower};

use crate::{DICE, HOPCHESS, JENGA, error};

/// A thread is worth its start from this number of cases on.
const MIN_CASES: usize = 4096;

/// Why a batch has no answer.
enum Failed {
    /// The case with this number, from 0, is wrong: what is wrong, and what to do about it.
    Case(usize, String, String),
    Game(Error),
}

/// The values of `cases` cases of `size` bytes each, as the bytes of doubles. The error is that of the first wrong case.
fn values<'py>(
    py: Python<'py>,
    bytes: &[u8],
    size: usize,
    value: impl Fn(usize, &[u8]) -> Result<f64, Failed> + Sync,
) -> PyResult<Bound<'py, PyByteArray>> {
    if size == 0 || !bytes.len().is_multiple_of(size) {
        return Err(PyValueError::new_err("the array has another shape"));
    }
    let cases = bytes.len() / size;
    let mut doubles = vec![[0; 8]; cases];
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let part = cases.div_ceil(cores).max(MIN_CASES);
    let fill = |part_number: usize, parts: &[u8], out: &mut [[u8; 8]]| -> Result<(), Failed> {
        for (place, (case, out)) in parts.chunks_exact(size).zip(out).enumerate() {
            *out = value(part_number * part + place, case)?.to_ne_bytes();
        }
        Ok(())
    };
    let filled: Result<(), Failed> = py.detach(|| {
        if cases <= part {
            return fill(0, bytes, &mut doubles);
        }
        thread::scope(|scope| {
            let parts = bytes.chunks(part * size).zip(doubles.chunks_mut(part)).enumerate();
            let threads: Vec<_> =
                parts.map(|(number, (bytes, out))| scope.spawn(move || fill(number, bytes, out))).collect();
            let ends: Vec<Result<(), Failed>> =
                threads.into_iter().map(|thread| thread.join().expect("a lookup does not panic")).collect();
            ends.into_iter().collect()
        })
    });
    filled.map_err(|failed| match failed {
        Failed::Case(case, what, remedy) => error::input(py, 0, &format!("case {case}: {what}"), &remedy),
        Failed::Game(error) => error::of_game(py, &error),
    })?;
    Ok(PyByteArray::new(py, doubles.as_flattened()))
}

/// The chances that A wins after the first rolls. A case is ten faces: A's five dice, then B's.
#[pyfunction]
pub(crate) fn dice_values<'py>(py: Python<'py>, faces: &[u8]) -> PyResult<Bound<'py, PyByteArray>> {
    values(py, faces, 10, |number, case| {
        let hand = |faces: &[u8]| faces.try_into().ok().and_then(Hand::new);
        let (Some(a), Some(b)) = (hand(&case[..5]), hand(&case[5..])) else {
            let what = format!("{case:?} is not two hands");
            return Err(Failed::Case(number, what, String::from("give ten faces from 1 to 6")));
        };
        DICE.value(&Case::first_rolls(a, b)).map(|chance| chance.to_f64()).map_err(Failed::Game)
    })
}

/// The expected minutes of towers. A case is `levels` levels of three numbers, the bottom first: 0 is an empty place, 1
/// red, 2 green, 3 blue. Empty levels above the top are left out.
#[pyfunction]
pub(crate) fn jenga_values<'py>(py: Python<'py>, blocks: &[u8], levels: usize) -> PyResult<Bound<'py, PyByteArray>> {
    values(py, blocks, levels.saturating_mul(3), |number, case| {
        let level = |numbers: &[u8]| numbers.try_into().ok().and_then(Level::from_numbers);
        let no_level = || {
            let remedy = String::from("use 0 for an empty place, 1 for red, 2 for green, 3 for blue");
            Failed::Case(number, String::from("a number above 3"), remedy)
        };
        let mut levels = case.chunks_exact(3).map(level).collect::<Option<Vec<Level>>>().ok_or_else(no_level)?;
        while levels.last() == Some(&Level::EMPTY) {
            levels.pop();
        }
        let refused = |reason: tabletop::jenga::NotATower| Failed::Case(number, reason.to_string(), reason.remedy());
        let tower = Tower::new(levels).map_err(refused)?;
        JENGA.value(&tower).map(|minutes| minutes.0).map_err(Failed::Game)
    })
}

/// The probabilities that Justin wins. A case is a board, row after row: 0 is an empty cell, 1 Justin, 2 Donald. It is
/// the turn of the player whose turn it is if Justin started on the full board.
#[pyfunction]
pub(crate) fn hopchess_values<'py>(
    py: Python<'py>,
    boards: &[u8],
    rows: usize,
    columns: usize,
    justin: u64,
    donald: u64,
) -> PyResult<Bound<'py, PyByteArray>> {
    let wrong = |what: &str, remedy: &str| error::input(py, 0, what, remedy);
    let shape = Shape::new(rows, columns)
        .ok_or_else(|| wrong(&format!("boards of {rows}x{columns} cells"), "give boards of 1 to 16 cells"))?;
    let factor = |moves| ErrorFactor::new(moves).ok_or_else(|| wrong("an error factor of 0", "give 1 or more"));
    let factors = Factors { justin: factor(justin)?, donald: factor(donald)? };
    values(py, boards, shape.cells(), |number, case| {
        let of = |player: u8| {
            let own = (0..).zip(case).filter(|(_, owner)| **owner == player).map(|(cell, _)| cell);
            own.fold(Cells::NONE, |cells, cell| cells.or(Cells::only(cell)))
        };
        if case.iter().any(|owner| *owner > 2) {
            let remedy = String::from("use 0 for an empty cell, 1 for Justin, 2 for Donald");
            return Err(Failed::Case(number, String::from("a number above 2"), remedy));
        }
        let board = Board::new(shape, of(1), of(2)).expect("every cell has one owner");
        let to_move: Player = board.turn_by_parity();
        let case = hopchess::Case { position: Position { board, to_move }, factors };
        HOPCHESS.value(&case).map(|chance| chance.to_f64()).map_err(Failed::Game)
    })
}
