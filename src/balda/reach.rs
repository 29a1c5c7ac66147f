//! Whether a game can reach a board: the letters on it and the words made so far.
//!
//! A move places one letter and makes one word through it. Seen backwards, the last move takes away a cell that one word
//! passes, and all other words can still be read in the cells that are left.

use std::collections::HashSet;
use std::fmt;

use super::cells::{CellSet, WideSet};
use super::letter::{Letter, Word};
use super::rules::Cell;

/// Why no game can reach a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// The board is not square or has no legal side.
    Shape,
    /// The board has no letter.
    Empty,
    /// A cell of the middle row, where the start word stands, is empty.
    MiddleRow,
    /// A letter that no chain of letters joins to the middle row.
    Apart(Cell),
    /// A word is named twice.
    Repeated {
        /// The place of the second one among the words, from 0.
        place: usize,
    },
    /// A word that cannot be read on the board through a letter outside the middle row.
    NotOnBoard {
        /// Its place among the words, from 0.
        place: usize,
    },
    /// Each letter outside the middle row makes one word, and their numbers differ.
    Count {
        /// Letters outside the middle row.
        letters: usize,
        /// Words besides the start word.
        words: usize,
    },
    /// In no order can these letters make these words.
    Order,
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreachable::Shape => write!(f, "the board is not a square of 3, 5, 7, 9, 11, 13 or 15 rows"),
            Unreachable::Empty => write!(f, "a board without a letter"),
            Unreachable::MiddleRow => write!(f, "the middle row is not full, and the start word stands there"),
            Unreachable::Apart(Cell { row, column }) => {
                let (row, column) = (u16::from(*row) + 1, u16::from(*column) + 1);
                write!(f, "no letters join row {row} column {column} to the middle row")
            }
            Unreachable::Repeated { .. } => write!(f, "a word that is used twice"),
            Unreachable::NotOnBoard { .. } => {
                write!(f, "the word cannot be read on the board through a letter that was placed")
            }
            Unreachable::Count { letters, words } => {
                write!(f, "{letters} letters were placed and {words} words made, and a move does both")
            }
            Unreachable::Order => write!(f, "in no order can these letters make these words"),
        }
    }
}

impl std::error::Error for Unreachable {}

/// Cells looked at for one word, at most. Only boards of hardly any different letters need more.
const MAX_STEPS: usize = 1 << 16;
/// Moves taken back in the search for an order, at most.
const MAX_TAKEN_BACK: usize = 1 << 12;

/// Checks the letters of a square board, row by row, with the words made; returns the start word.
///
/// What can be decided within bounded time is: a board is refused only where it is certain that no game reaches it.
pub(super) fn check(side: usize, letters: &[Option<Letter>], used: &[Word]) -> Result<Word, Unreachable> {
    if letters.iter().all(Option::is_none) {
        return Err(Unreachable::Empty);
    }
    let middle = side / 2 * side..(side / 2 + 1) * side;
    let start: Option<Word> = letters[middle.clone()].iter().copied().collect();
    let start = start.ok_or(Unreachable::MiddleRow)?;
    let squares = Squares { side, letters };
    squares.check_joined(middle.clone())?;
    let placed: Vec<usize> =
        (0..letters.len()).filter(|cell| letters[*cell].is_some() && !middle.contains(cell)).collect();
    let mut seen = HashSet::new();
    if let Some(place) = used.iter().position(|word| !seen.insert(word)) {
        return Err(Unreachable::Repeated { place });
    }
    let made = || used.iter().enumerate().filter(|(_, word)| **word != start);
    if made().count() != placed.len() {
        return Err(Unreachable::Count { letters: placed.len(), words: made().count() });
    }
    let (mut ways, mut all_known) = (Vec::new(), true);
    for (place, word) in made() {
        let found = squares.ways(word, &middle);
        if found.sets.is_empty() && found.is_complete {
            return Err(Unreachable::NotOnBoard { place });
        }
        all_known &= found.is_complete;
        ways.push(found.sets);
    }
    let mut search = TakingBack { ways, taken_back: 0 };
    match all_known && search.take_back(WideSet::EMPTY, &placed, &mut vec![false; placed.len()]) == Outcome::Impossible
    {
        true => Err(Unreachable::Order),
        false => Ok(start),
    }
}

/// A board's letters by cell, row by row.
struct Squares<'a> {
    side: usize,
    letters: &'a [Option<Letter>],
}

/// The sets of cells in which a word can be read.
struct Ways {
    sets: Vec<WideSet>,
    is_complete: bool,
}

impl Squares<'_> {
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (side, column) = (self.side, cell % self.side);
        let above = cell.checked_sub(side);
        let below = Some(cell + side).filter(|&below| below < side * side);
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < side).then_some(cell + 1);
        [above, left, right, below].into_iter().flatten()
    }

    fn check_joined(&self, middle: std::ops::Range<usize>) -> Result<(), Unreachable> {
        let mut joined: Vec<bool> = (0..self.letters.len()).map(|cell| middle.contains(&cell)).collect();
        let mut pending: Vec<usize> = middle.collect();
        while let Some(cell) = pending.pop() {
            for next in self.neighbours(cell) {
                if self.letters[next].is_some() && !joined[next] {
                    joined[next] = true;
                    pending.push(next);
                }
            }
        }
        let apart = (0..self.letters.len()).find(|&cell| self.letters[cell].is_some() && !joined[cell]);
        let place = |cell: usize| Cell { row: (cell / self.side) as u8, column: (cell % self.side) as u8 };
        apart.map_or(Ok(()), |cell| Err(Unreachable::Apart(place(cell))))
    }

    /// Every set of cells in which the word can be read, those within the middle row left out.
    fn ways(&self, word: &[Letter], middle: &std::ops::Range<usize>) -> Ways {
        let mut ways = Ways { sets: Vec::new(), is_complete: true };
        let mut steps = 0;
        // Partial paths: the last cell, how many letters they spell, and the cells.
        let mut pending: Vec<(usize, usize, WideSet)> = Vec::new();
        let Some(&first) = word.first() else { return ways };
        let begins = |cell: &usize| self.letters[*cell] == Some(first);
        pending.extend((0..self.letters.len()).filter(begins).map(|cell| (cell, 1, WideSet::single(cell))));
        while let Some((cell, length, cells)) = pending.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                ways.is_complete = false;
                break;
            }
            let Some(&letter) = word.get(length) else {
                let leaves_middle =
                    (0..self.letters.len()).any(|cell| !middle.contains(&cell) && cells.meets(WideSet::single(cell)));
                if leaves_middle && !ways.sets.contains(&cells) {
                    ways.sets.push(cells);
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
        ways
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Possible,
    Impossible,
    /// The search was given up.
    Unknown,
}

/// Takes moves back, the last first, until none is left.
struct TakingBack {
    /// By word.
    ways: Vec<Vec<WideSet>>,
    taken_back: usize,
}

impl TakingBack {
    /// Whether all words that are not in `gone` can be made with the letters in `placed`; `empty` are the other cells.
    fn take_back(&mut self, empty: WideSet, placed: &[usize], gone: &mut [bool]) -> Outcome {
        if placed.is_empty() {
            return Outcome::Possible;
        }
        if self.taken_back >= MAX_TAKEN_BACK {
            return Outcome::Unknown;
        }
        self.taken_back += 1;
        for (at, &cell) in placed.iter().enumerate() {
            for word in self.last_words(cell, empty, gone) {
                let rest: Vec<usize> = placed[..at].iter().chain(&placed[at + 1..]).copied().collect();
                gone[word] = true;
                let outcome = self.take_back(empty.union(WideSet::single(cell)), &rest, gone);
                gone[word] = false;
                if outcome != Outcome::Impossible {
                    return outcome;
                }
            }
        }
        Outcome::Impossible
    }

    /// The words that may have been made last, by the letter in `cell`: without it all others can still be read.
    fn last_words(&self, cell: usize, empty: WideSet, gone: &[bool]) -> Vec<usize> {
        let without = empty.union(WideSet::single(cell));
        let left = || (0..self.ways.len()).filter(|&word| !gone[word]);
        let needs_cell = |&word: &usize| self.ways[word].iter().all(|cells| cells.meets(without));
        let passes_cell = |&word: &usize| {
            self.ways[word].iter().any(|cells| !cells.meets(empty) && cells.meets(WideSet::single(cell)))
        };
        let needing: Vec<usize> = left().filter(needs_cell).collect();
        match needing[..] {
            [] => left().filter(passes_cell).collect(),
            [word] if passes_cell(&word) => vec![word],
            _ => Vec::new(),
        }
    }
}
