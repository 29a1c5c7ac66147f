//! What can be played next on a board, the longest words first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::dawg::Dawg;
use super::rules::{Board, Cell, Move};

/// Every word that can be made next, longest first, then in alphabetical order, each with one way to make it.
pub fn next_moves(board: &Board, dawg: &Dawg) -> Vec<Move> {
    let mut found = BTreeMap::new();
    for cell in board.cells().filter(|&cell| board.is_open(cell)) {
        let mut walk = Walk { board, dawg, cell, letter: None, word: Vec::new(), path: Vec::new(), found: &mut found };
        for first in board.cells() {
            walk.enter(first, 0);
        }
    }
    let mut moves: Vec<Move> = found.into_values().collect();
    moves.sort_by_key(|made| Reverse(made.word.len()));
    moves
}

/// A walk over the board along the words of the graph, with one empty cell that may take any letter.
struct Walk<'a> {
    board: &'a Board,
    dawg: &'a Dawg,
    cell: Cell,
    /// What the empty cell took on this walk.
    letter: Option<u8>,
    word: Vec<u8>,
    path: Vec<Cell>,
    found: &'a mut BTreeMap<Vec<u8>, Move>,
}

impl Walk<'_> {
    /// Tries to read on at `cell`, from a state of the graph; the walk is afterwards as it was.
    fn enter(&mut self, cell: Cell, state: usize) {
        let is_placed = cell == self.cell;
        let held = self.board.letter(cell);
        if (held.is_none() && !is_placed) || self.path.contains(&cell) {
            return;
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
                    self.enter(neighbour, next);
                }
            }
            self.word.pop();
        }
        if is_placed {
            self.letter = None;
        }
        self.path.pop();
    }

    fn record(&mut self) {
        let Some(letter) = self.letter else { return };
        if self.board.is_used(&self.word) || self.found.contains_key(&self.word) {
            return;
        }
        let made = Move { cell: self.cell, letter, word: self.word.clone(), path: self.path.clone() };
        self.found.insert(self.word.clone(), made);
    }
}
