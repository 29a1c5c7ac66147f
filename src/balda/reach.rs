//! Decides whether a game can reach a board, given its letters and the words made so far.
//!
//! A move places one letter and makes one word through it. The check goes backwards: undoing the last move empties a
//! cell that one word uses, and all other words can still be read in the remaining cells.

use std::collections::HashSet;
use std::ops::Range;

use super::cells::{CellSet, WideSet};
use super::letter::{Letter, Word};
use super::rules::Cell;

/// Why no game can reach a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreachable {
    /// The board is not square, or its side is not legal.
    #[error("the board is not a square of 3, 5, 7, 9, 11, 13 or 15 rows")]
    Shape,
    /// The board has no letter.
    #[error("a board without a letter")]
    Empty,
    /// A cell of the middle row is empty, where the start word should be.
    #[error("the middle row is not full, and the start word stands there")]
    MiddleRow,
    /// No chain of neighbouring letters joins this letter to the middle row.
    #[error("no letters join {0} to the middle row")]
    Apart(Cell),
    /// A word is given twice.
    #[error("a word that is used twice")]
    Repeated {
        /// The place of the second one among the words, from 0.
        place: usize,
    },
    /// A word cannot be read on the board through a letter outside the middle row.
    #[error("the word cannot be read on the board through a letter that was placed")]
    NotOnBoard {
        /// Its place among the words, from 0.
        place: usize,
    },
    /// The numbers of letters outside the middle row and of words differ, but each move adds one of both.
    #[error("{letters} letters were placed and {words} words made, and a move does both")]
    Count {
        /// Letters outside the middle row.
        letters: usize,
        /// Words besides the start word.
        words: usize,
    },
    /// There is no order in which these letters make these words.
    #[error("these letters cannot make these words in any order")]
    Order,
}

/// The most cells that the search for one word may enter. Only boards of very few different letters need more.
const MAX_STEPS: usize = 1 << 16;
/// The most moves that the search for an order may undo.
const MAX_UNDONE: usize = 1 << 12;

/// Checks the letters of a square board, row by row, with the words made; returns the start word.
///
/// The time is bounded. A board is refused only if it is certain that no game reaches it.
pub(super) fn check(side: usize, letters: &[Option<Letter>], used: &[Word]) -> Result<Word, Unreachable> {
    let board = Letters { side, letters, middle: side / 2 * side..(side / 2 + 1) * side };
    let start = board.start_word()?;
    board.check_joined()?;
    let mut seen = HashSet::new();
    if let Some(place) = used.iter().position(|word| !seen.insert(word)) {
        return Err(Unreachable::Repeated { place });
    }
    let words = used.iter().enumerate().map(|(place, word)| UsedWord { place, word });
    let made: Vec<UsedWord<'_>> = words.filter(|used| *used.word != start).collect();
    let placed = board.placed();
    if made.len() != placed.len() {
        return Err(Unreachable::Count { letters: placed.len(), words: made.len() });
    }
    board.check_order(&made, &placed)?;
    Ok(start)
}

/// The letters of a board by cell, row by row.
struct Letters<'a> {
    side: usize,
    letters: &'a [Option<Letter>],
    /// The cells of the middle row.
    middle: Range<usize>,
}

/// A word that was made, and its place among the words, from 0.
struct UsedWord<'a> {
    place: usize,
    word: &'a Word,
}

/// The sets of cells in which a word can be read.
struct Readings {
    sets: Vec<WideSet>,
    /// Whether the search was not cut short.
    is_complete: bool,
}

impl Letters<'_> {
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let side = self.side;
        Cell::numbered(cell, side).neighbours(side).map(move |next| next.number(side))
    }

    fn start_word(&self) -> Result<Word, Unreachable> {
        if self.letters.iter().all(Option::is_none) {
            return Err(Unreachable::Empty);
        }
        let word: Option<Word> = self.letters[self.middle.clone()].iter().copied().collect();
        word.ok_or(Unreachable::MiddleRow)
    }

    /// The filled cells outside the middle row.
    fn placed(&self) -> Vec<usize> {
        (0..self.letters.len()).filter(|cell| self.letters[*cell].is_some() && !self.middle.contains(cell)).collect()
    }

    fn check_joined(&self) -> Result<(), Unreachable> {
        let mut joined: Vec<bool> = (0..self.letters.len()).map(|cell| self.middle.contains(&cell)).collect();
        let mut pending: Vec<usize> = self.middle.clone().collect();
        while let Some(cell) = pending.pop() {
            for next in self.neighbours(cell) {
                if self.letters[next].is_some() && !joined[next] {
                    joined[next] = true;
                    pending.push(next);
                }
            }
        }
        let apart = (0..self.letters.len()).find(|&cell| self.letters[cell].is_some() && !joined[cell]);
        apart.map_or(Ok(()), |cell| Err(Unreachable::Apart(Cell::numbered(cell, self.side))))
    }

    /// Checks that some order of moves puts the letters into `placed` and makes the words.
    fn check_order(&self, made: &[UsedWord<'_>], placed: &[usize]) -> Result<(), Unreachable> {
        let (mut readings, mut all_known) = (Vec::new(), true);
        for &UsedWord { place, word } in made {
            let found = self.readings(word);
            if found.sets.is_empty() && found.is_complete {
                return Err(Unreachable::NotOnBoard { place });
            }
            all_known &= found.is_complete;
            readings.push(found.sets);
        }
        let mut search = UndoSearch { readings, undone: 0 };
        if all_known && search.undo(WideSet::EMPTY, placed, &mut vec![false; placed.len()]) == Outcome::Impossible {
            return Err(Unreachable::Order);
        }
        Ok(())
    }

    /// Every set of cells in which the word can be read, except inside the middle row.
    fn readings(&self, word: &[Letter]) -> Readings {
        let mut readings = Readings { sets: Vec::new(), is_complete: true };
        let mut steps = 0;
        // Partial paths: the last cell, the number of letters, and the set of cells.
        let mut pending: Vec<(usize, usize, WideSet)> = Vec::new();
        let Some(&first) = word.first() else { return readings };
        let begins = |cell: &usize| self.letters[*cell] == Some(first);
        pending.extend((0..self.letters.len()).filter(begins).map(|cell| (cell, 1, WideSet::single(cell))));
        while let Some((cell, length, cells)) = pending.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                readings.is_complete = false;
                break;
            }
            let Some(&letter) = word.get(length) else {
                let leaves_middle = (0..self.letters.len())
                    .any(|cell| !self.middle.contains(&cell) && cells.meets(WideSet::single(cell)));
                if leaves_middle && !readings.sets.contains(&cells) {
                    readings.sets.push(cells);
                }
                continue;
            };
            for next in self.neighbours(cell) {
                let single = WideSet::single(next);
                if self.letters[next] == Some(letter) && !cells.meets(single) {
                    pending.push((next, length + 1, cells.union(single)));
                }
            }
        }
        readings
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Possible,
    Impossible,
    /// The search reached its limit.
    Unknown,
}

/// Searches for an order of the moves: undoes moves, the last one first, until none is left.
struct UndoSearch {
    /// For each word, the sets of cells in which it can be read.
    readings: Vec<Vec<WideSet>>,
    undone: usize,
}

impl UndoSearch {
    /// Whether some order of moves puts letters into all cells of `placed` and makes all words not marked in `removed`.
    /// `empty` has the cells emptied so far.
    fn undo(&mut self, empty: WideSet, placed: &[usize], removed: &mut [bool]) -> Outcome {
        if placed.is_empty() {
            return Outcome::Possible;
        }
        if self.undone >= MAX_UNDONE {
            return Outcome::Unknown;
        }
        self.undone += 1;
        for (at, &cell) in placed.iter().enumerate() {
            for word in self.last_words(cell, empty, removed) {
                let rest: Vec<usize> = placed[..at].iter().chain(&placed[at + 1..]).copied().collect();
                removed[word] = true;
                let outcome = self.undo(empty.union(WideSet::single(cell)), &rest, removed);
                removed[word] = false;
                if outcome != Outcome::Impossible {
                    return outcome;
                }
            }
        }
        Outcome::Impossible
    }

    /// The words that a last move in `cell` may have made: without this cell, all other words can still be read.
    fn last_words(&self, cell: usize, empty: WideSet, removed: &[bool]) -> Vec<usize> {
        let without = empty.union(WideSet::single(cell));
        let left = || (0..self.readings.len()).filter(|&word| !removed[word]);
        let needs_cell = |&word: &usize| self.readings[word].iter().all(|cells| cells.meets(without));
        let passes_cell = |&word: &usize| {
            self.readings[word].iter().any(|cells| !cells.meets(empty) && cells.meets(WideSet::single(cell)))
        };
        let needing: Vec<usize> = left().filter(needs_cell).collect();
        match needing[..] {
            [] => left().filter(passes_cell).collect(),
            [word] if passes_cell(&word) => vec![word],
            _ => Vec::new(),
        }
    }
}
