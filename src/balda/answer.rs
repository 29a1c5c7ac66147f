//! The moves that can be made next on a board, the longest words first.

use std::collections::BTreeMap;

use super::dawg::Dawg;
use super::letter::{Letter, Word};
use super::rules::{Board, Cell, Move};
use crate::ranked::ranked;

/// The most steps of one search. A step enters a cell. A board of 15 x 15 cells and real words needs less than half a
/// million.
const MAX_STEPS: u64 = 1 << 23;

/// The search would take too long: the board has few different letters, and the dictionary has long words of these
/// letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search for words on this board takes more than {MAX_STEPS} steps")]
pub struct TooManySteps;

/// Every word that can be made next, longest first, then in alphabetical order, with one of the moves that make it.
pub fn next_moves(board: &Board, dawg: &Dawg) -> Result<Vec<Move>, TooManySteps> {
    let mut walk = Walk {
        board,
        dawg,
        placed: Cell { row: 0, column: 0 },
        letter: None,
        word: Vec::new(),
        path: Vec::new(),
        found: BTreeMap::new(),
        steps: 0,
    };
    for cell in board.cells().filter(|&cell| board.is_open(cell)) {
        walk.placed = cell;
        for first in board.cells() {
            walk.enter(first, 0)?;
        }
    }
    Ok(ranked(walk.found.into_values().collect(), |made| -(made.word.len() as i64)))
}

/// A depth-first search along the board and the word graph, with one empty cell that may take any letter.
struct Walk<'a> {
    board: &'a Board,
    dawg: &'a Dawg,
    /// The empty cell.
    placed: Cell,
    /// Its letter on the current path.
    letter: Option<Letter>,
    word: Vec<Letter>,
    path: Vec<Cell>,
    found: BTreeMap<Word, Move>,
    steps: u64,
}

impl Walk<'_> {
    /// Extends the path by `cell` from a state of the graph. The path is restored afterwards.
    fn enter(&mut self, cell: Cell, state: usize) -> Result<(), TooManySteps> {
        let is_placed = cell == self.placed;
        let held = self.board.letter(cell);
        if (held.is_none() && !is_placed) || self.path.contains(&cell) {
            return Ok(());
        }
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(TooManySteps);
        }
        let dawg = self.dawg;
        self.path.push(cell);
        for step in dawg.steps(state).filter(|step| held.is_none_or(|letter| letter == step.letter)) {
            self.word.push(step.letter);
            if is_placed {
                self.letter = Some(step.letter);
            }
            if step.word_ends {
                self.record();
            }
            if let Some(next) = step.next {
                for neighbour in self.board.neighbours(cell) {
                    self.enter(neighbour, next)?;
                }
            }
            self.word.pop();
        }
        if is_placed {
            self.letter = None;
        }
        self.path.pop();
        Ok(())
    }

    fn record(&mut self) {
        let Some(letter) = self.letter else { return };
        if self.found.contains_key(&self.word[..]) || self.board.is_used(&self.word) {
            return;
        }
        let word = Word::from(&self.word[..]);
        let made = Move { cell: self.placed, letter, word: word.clone(), path: self.path.clone() };
        self.found.insert(word, made);
    }
}
