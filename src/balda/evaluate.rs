//! The worth of a finished board, given its letters and the order in which its cells are filled.
//!
//! An occurrence of a word can be made in exactly one turn: the one that fills the last of its cells. So every
//! occurrence belongs to one cell, and a game is a choice of one occurrence for each cell, without using a word twice.
//! Adjacency needs no check: a word of two letters or more joins its last cell to one filled before.
//!
//! [`Evaluation`] keeps all occurrences in a bucket per cell, the longest first. A proposal is tried on these buckets
//! without changing them. If it changes a letter, the trial also searches for all words through the changed cell. Most
//! proposals are refused by the trial. Only an accepted one updates the buckets, with the words that the trial found.

mod buckets;
mod spell;
mod trial;
mod used;
mod worth;

use std::ops::RangeInclusive;

use self::buckets::Buckets;
pub(crate) use self::buckets::Entry;
pub(crate) use self::spell::Speller;
use self::trial::Trial;
use self::used::UsedWords;
pub(crate) use self::worth::{Worth, letters as word_letters};
use crate::balda::cells::CellSet;
use crate::balda::clock::Clock;
use crate::balda::gaddag::Gaddag;
use crate::balda::letter::Letter;
use crate::balda::rules::{MAX_SIDE, PlayedGame, Start};
use crate::balda::search::{Grid, Searcher};

/// Room for the turns 1 to 210 at which cells are filled; turn 0 is the start word.
const TURNS: usize = 256;
const _: () = assert!(MAX_SIDE * (MAX_SIDE - 1) < TURNS);

/// A finished board, its fill order, and the words chosen for its cells.
pub(crate) struct Evaluation<'g, S> {
    gaddag: &'g Gaddag,
    grid: Grid<S>,
    searcher: Searcher<S>,
    /// Numbers of the letters by cell.
    letters: Vec<u8>,
    /// The cell filled at each turn; turn 0 stands for the start word.
    order: Vec<usize>,
    buckets: Buckets<S>,
    /// The word chosen for each cell.
    held: Vec<Entry<S>>,
    /// The words in `held` and the start word.
    used: UsedWords,
    /// Length of the chosen word of each turn.
    held_lengths: [u8; TURNS],
    /// Cells of the chosen word of each turn.
    held_cells: [S; TURNS],
    worth: Worth,
    /// Sum of the worths of all cells outside the middle row.
    total: i32,
    word_letters: i32,
    /// Words that all searches for new letters have found so far.
    words_found: usize,
    trial: Trial<S>,
}

impl<'g, S: CellSet> Evaluation<'g, S> {
    /// Evaluates a board from scratch. `letters` are the letter numbers row by row, with the start word in the middle
    /// row. `order` lists the other cells as they are filled. When the time is over, words not found yet are missed.
    pub fn new(gaddag: &'g Gaddag, letters: &[u8], order: &[usize], clock: Clock<'_>) -> Self {
        let side = letters.len().isqrt();
        let mut grid = Grid::new(side);
        for (cell, &letter) in letters.iter().enumerate() {
            grid.squares[grid.square(cell)].letter_bit = 1 << letter;
        }
        let middle = side / 2 * side;
        let start: Vec<Letter> =
            letters[middle..middle + side].iter().map(|&number| Letter::of(gaddag.alphabet(), number)).collect();
        let mut used = UsedWords::empty(gaddag.word_count());
        if let Some(start) = gaddag.find(&start) {
            used.insert(start);
        }
        let mut evaluation = Evaluation {
            gaddag,
            grid,
            searcher: Searcher::new(),
            letters: letters.to_vec(),
            order: std::iter::once(middle).chain(order.iter().copied()).collect(),
            buckets: Buckets::new(side * side),
            held: vec![Entry::NOTHING; side * side],
            used,
            held_lengths: [0; TURNS],
            held_cells: [S::EMPTY; TURNS],
            worth: Worth::new(0.0),
            total: 0,
            word_letters: 0,
            words_found: 0,
            trial: Trial::new(),
        };
        evaluation.number_turns(1..=order.len());
        evaluation.fill_buckets(clock);
        evaluation.improve();
        evaluation
    }

    /// Sum of the worths of all chosen words, minus a penalty for each cell without a word. The unit is a fraction of a
    /// letter, see [`Worth::PER_LETTER`].
    pub fn total(&self) -> i32 {
        self.total
    }

    /// Letters of all chosen words, minus a penalty for each cell without a word.
    pub fn word_letters(&self) -> i32 {
        self.word_letters
    }

    /// Words that all searches for new letters have found so far: a measure of the time that proposals took.
    pub fn words_found(&self) -> usize {
        self.words_found
    }

    /// Changes the worth of words.
    pub fn set_worth(&mut self, worth: Worth) {
        self.worth = worth;
        self.sum_up();
    }

    /// Numbers of the letters, row by row.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The cells in the order in which they are filled.
    pub fn order(&self) -> &[usize] {
        &self.order[1..]
    }

    /// The turn at which a cell is filled; 0 for the start word.
    pub fn turn(&self, cell: usize) -> usize {
        usize::from(self.grid.squares[self.grid.square(cell)].turn)
    }

    /// Whether every cell has a word.
    pub fn is_full(&self) -> bool {
        self.order().iter().all(|&cell| self.held[cell].length > 0)
    }

    /// The words chosen, by cell.
    pub fn held(&self) -> &[Entry<S>] {
        &self.held
    }

    /// Chooses the words that an earlier evaluation of the same board had chosen.
    pub fn hold(&mut self, held: &[Entry<S>]) {
        for entry in self.held.iter().filter(|entry| entry.length > 0) {
            self.used.remove(entry.word);
        }
        self.held.copy_from_slice(held);
        for entry in held.iter().filter(|entry| entry.length > 0) {
            self.used.insert(entry.word);
        }
        self.improve();
    }

    /// The game of this board. A cell without a word cannot be filled, so the words through it are replaced first.
    pub fn into_game(mut self, start: &Start) -> PlayedGame {
        let mut left_empty = vec![false; self.held.len()];
        while let Some(cell) =
            self.order().iter().copied().find(|&cell| self.held[cell].length == 0 && !left_empty[cell])
        {
            left_empty[cell] = true;
            self.leave_empty(cell);
        }
        let speller = Speller { gaddag: self.gaddag, start, letters: &self.letters, grid: &self.grid };
        speller.game(self.order().iter().copied(), &self.held)
    }

    fn leave_empty(&mut self, cell: usize) {
        let single = S::single(cell);
        self.buckets.remove_through(single);
        for held in &mut self.held {
            if held.cells.meets(single) {
                self.used.remove(held.word);
                *held = Entry::NOTHING;
            }
        }
        self.improve();
    }

    fn number_turns(&mut self, turns: RangeInclusive<usize>) {
        for turn in turns {
            self.grid.squares[self.grid.square(self.order[turn])].turn = turn as u8;
        }
    }

    /// Adds every occurrence on the board to its bucket.
    fn fill_buckets(&mut self, clock: Clock<'_>) {
        for cell in 0..self.letters.len() {
            if clock.is_over() {
                break;
            }
            let square = self.grid.square(cell);
            self.trial.found.clear();
            self.searcher.words_through(self.gaddag, &self.grid, square, &mut self.trial.found);
            self.keep_found();
            // All words through this cell are found, so later searches must not use it.
            self.grid.squares[square].letter_bit = 0;
        }
        for (cell, &letter) in self.letters.iter().enumerate() {
            self.grid.squares[self.grid.square(cell)].letter_bit = 1 << letter;
        }
    }

    /// Adds the words that a search has found to their buckets.
    fn keep_found(&mut self) {
        // A word inside the middle row has turn 0: no move can make it.
        for found in self.trial.found.iter().filter(|found| found.turn > 0) {
            self.buckets.insert(self.order[usize::from(found.turn)], found.entry());
        }
    }

    /// Replaces chosen words by longer unused ones until no cell can improve; then updates the sums.
    fn improve(&mut self) {
        loop {
            let mut changed = false;
            for turn in 1..self.order.len() {
                changed |= self.improve_cell(self.order[turn]);
            }
            if !changed {
                break;
            }
        }
        self.sum_up();
    }

    fn improve_cell(&mut self, cell: usize) -> bool {
        let present = self.held[cell];
        let mut longer = self.buckets[cell].iter().take_while(|entry| entry.length > present.length);
        let Some(&choice) = longer.find(|entry| !self.used.contains(entry.word)) else {
            return false;
        };
        if present.length > 0 {
            self.used.remove(present.word);
        }
        self.used.insert(choice.word);
        self.held[cell] = choice;
        true
    }

    fn sum_up(&mut self) {
        (self.total, self.word_letters) = (0, 0);
        for (turn, &cell) in self.order.iter().enumerate().skip(1) {
            let held = self.held[cell];
            self.held_lengths[turn] = held.length;
            self.held_cells[turn] = held.cells;
            self.total += self.worth.of(held.length);
            self.word_letters += worth::letters(held.length);
        }
    }
}

#[cfg(test)]
mod tests;
