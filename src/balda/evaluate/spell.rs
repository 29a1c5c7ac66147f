//! Writes the game of a finished board: finds the path of each chosen word.

use super::buckets::Entry;
use crate::balda::cells::CellSet;
use crate::balda::gaddag::Gaddag;
use crate::balda::letter::{Letter, Word};
use crate::balda::rules::{Cell, Move, PlayedGame, Start};
use crate::balda::search::Grid;

/// A finished board to read words from.
pub(crate) struct Speller<'a, S> {
    pub gaddag: &'a Gaddag,
    pub start: &'a Start,
    /// Numbers of the letters by cell.
    pub letters: &'a [u8],
    pub grid: &'a Grid<S>,
}

impl<S: CellSet> Speller<'_, S> {
    /// The game that fills cells in this order and makes the word chosen for each; cells without a word stay empty. If a
    /// word is not on the board, the game ends before it, because later words may use its cell.
    pub fn game(&self, order: impl IntoIterator<Item = usize>, held: &[Entry<S>]) -> PlayedGame {
        let filled = order.into_iter().filter(|&cell| held[cell].length > 0);
        let moves = filled.map_while(|cell| self.move_at(cell, &held[cell])).collect();
        PlayedGame { start: self.start.clone(), moves }
    }

    /// The move that fills a cell and makes the entry's word; `None` if the word is not on the board.
    fn move_at(&self, cell: usize, entry: &Entry<S>) -> Option<Move> {
        let mut path = Vec::new();
        (0..self.letters.len()).find(|&first| self.spell(entry, 0, first, &mut path))?;
        let place = |cell: usize| Cell::numbered(cell, self.grid.side);
        let letter = |cell: usize| Letter::of(self.gaddag.alphabet(), self.letters[cell]);
        let word: Word = path.iter().map(|&cell| letter(cell)).collect();
        Some(Move { cell: place(cell), letter: letter(cell), word, path: path.into_iter().map(place).collect() })
    }

    /// Extends the path by `cell` and then to the end of the entry's word; returns whether that is possible.
    fn spell(&self, entry: &Entry<S>, node: usize, cell: usize, path: &mut Vec<usize>) -> bool {
        let node = &self.gaddag.forward[node];
        let letter_bit = 1 << self.letters[cell];
        if !entry.cells.meets(S::single(cell)) || path.contains(&cell) || node.letters & letter_bit == 0 {
            return false;
        }
        let child = node.child(letter_bit) as usize;
        path.push(cell);
        if path.len() == usize::from(entry.length) && self.gaddag.forward[child].target == entry.word {
            return true;
        }
        for next in self.grid.around(self.grid.square(cell)) {
            if self.grid.squares[next].letter_bit != 0 && self.spell(entry, child, self.grid.cell(next), path) {
                return true;
            }
        }
        path.pop();
        false
    }
}
