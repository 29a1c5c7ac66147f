//! The worth of a finished board: its letters and the order in which its cells are filled.
//!
//! A word on the board can be made in exactly one turn: the one that fills the last of its cells. So every
//! occurrence of a word belongs to one cell, and a game is a choice of one occurrence for each cell with no word
//! twice. Adjacency needs no care: a word of two letters or more joins its cell to one filled before.
//!
//! [`Evaluation`] keeps all occurrences, in a bucket for each cell, the longest first. A proposal is first tried
//! against them and, if it changes a letter, against all words that a search through the changed cell finds; most
//! are refused there. Only what is accepted updates the buckets, with the words that the trial has found already.

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
use crate::balda::rules::{Game, MAX_SIDE, Start};
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
    /// The words held and the start word.
    used: UsedWords,
    /// Length of the word of each turn.
    held_lengths: [u8; TURNS],
    /// Cells of the word of each turn.
    held_cells: [S; TURNS],
    worth: Worth,
    /// Sum of the worths of all words held.
    total: i32,
    word_letters: i32,
    /// Words that the searches for new letters have found so far.
    words_found: usize,
    trial: Trial<S>,
}

impl<'g, S: CellSet> Evaluation<'g, S> {
    /// Evaluates a board from scratch. `letters` are numbers row by row with the start word in the middle row; `order`
    /// lists the other cells as they are filled. When the time is over, the words not found yet are passed over.
    pub fn new(gaddag: &'g Gaddag, letters: &[u8], order: &[usize], clock: Clock<'_>) -> Self {
        let side = letters.len().isqrt();
        let mut grid = Grid::new(side);
        for (cell, &letter) in letters.iter().enumerate() {
            grid.squares[grid.square(cell)].letter_bit = 1 << letter;
        }
        let middle = side / 2 * side;
        let start: Vec<Letter> =
            letters[middle..middle + side].iter().map(|&number| Letter::of(gaddag.alphabet(), number)).collect();
        let mut used = UsedWords::none_of(gaddag.word_count());
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

    /// Sum of the worths of all words held, in parts of a letter, less a penalty for each cell without a word.
    pub fn total(&self) -> i32 {
        self.total
    }

    /// Letters of all words held, less a penalty for each cell without a word.
    pub fn word_letters(&self) -> i32 {
        self.word_letters
    }

    /// Words that the searches for new letters have found so far: a measure of the time that proposals took.
    pub fn words_found(&self) -> usize {
        self.words_found
    }

    /// Counts words by another worth from now on.
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

    /// The words chosen, by cell.
    pub fn held(&self) -> &[Entry<S>] {
        &self.held
    }

    /// Chooses the words of an earlier evaluation of this same board.
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

    /// The game of this board. A cell without a word cannot be filled, so words through it are given up first.
    pub fn into_game(mut self, start: &Start) -> Game {
        let mut unfilled = vec![false; self.held.len()];
        while let Some(cell) = self.order().iter().copied().find(|&cell| self.held[cell].length == 0 && !unfilled[cell])
        {
            unfilled[cell] = true;
            self.give_up_cell(cell);
        }
        let speller = Speller { gaddag: self.gaddag, start, letters: &self.letters, grid: &self.grid };
        speller.game(self.order().iter().copied(), &self.held)
    }

    fn give_up_cell(&mut self, cell: usize) {
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
            // Words through this cell are all found now: later searches go around it.
            self.grid.squares[square].letter_bit = 0;
        }
        for (cell, &letter) in self.letters.iter().enumerate() {
            self.grid.squares[self.grid.square(cell)].letter_bit = 1 << letter;
        }
    }

    /// Adds the words that a search has found to their buckets.
    fn keep_found(&mut self) {
        // Words within the middle row alone belong to no turn.
        for found in self.trial.found.iter().filter(|found| found.turn > 0) {
            self.buckets.insert(self.order[usize::from(found.turn)], found.entry());
        }
    }

    /// Lets each cell change to a longer unused word until none can; then sums up.
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
