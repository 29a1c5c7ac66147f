//! All occurrences of words on a board, in a bucket for each cell.

use std::ops::Index;

use crate::balda::cells::CellSet;
use crate::balda::search::Occurrence;

/// The most occurrences kept for one cell. Boards of real words need a hundred. If an artificial dictionary gives more,
/// the shortest are dropped, so that a proposal stays cheap.
pub(super) const BUCKET: usize = 1 << 9;

/// An occurrence in the bucket of its last cell; length 0 stands for "no word".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry<S> {
    pub cells: S,
    pub word: u32,
    pub length: u8,
}

impl<S: CellSet> Entry<S> {
    pub const NOTHING: Entry<S> = Entry { cells: S::EMPTY, word: 0, length: 0 };

    /// The entry with the turn of its last cell.
    pub(super) fn at_turn(&self, turn: usize) -> Occurrence<S> {
        Occurrence { cells: self.cells, word: self.word, length: self.length, turn: turn as u8 }
    }
}

impl<S: CellSet> Occurrence<S> {
    pub(super) fn entry(&self) -> Entry<S> {
        Entry { cells: self.cells, word: self.word, length: self.length }
    }
}

/// The occurrences by their last cell, the longest first.
pub(super) struct Buckets<S>(Vec<Vec<Entry<S>>>);

impl<S: CellSet> Buckets<S> {
    pub fn new(cells: usize) -> Buckets<S> {
        Buckets(vec![Vec::new(); cells])
    }

    pub fn insert(&mut self, cell: usize, entry: Entry<S>) {
        let bucket = &mut self.0[cell];
        let place = bucket.iter().position(|other| other.length < entry.length).unwrap_or(bucket.len());
        if place < BUCKET {
            bucket.truncate(BUCKET - 1);
            bucket.insert(place, entry);
        }
    }

    /// Removes every occurrence that uses one of the cells.
    pub fn remove_through(&mut self, cells: S) {
        for bucket in &mut self.0 {
            bucket.retain(|entry| !entry.cells.meets(cells));
        }
    }

    /// Moves the occurrences in the bucket of `cell` that use one of `cells` to the bucket of `new_cell(entry)`.
    pub fn move_through(&mut self, cell: usize, cells: S, new_cell: impl Fn(&Entry<S>) -> usize) {
        let mut bucket = std::mem::take(&mut self.0[cell]);
        bucket.retain(|entry| {
            let leaves = entry.cells.meets(cells);
            if leaves {
                self.insert(new_cell(entry), *entry);
            }
            !leaves
        });
        self.0[cell] = bucket;
    }

    #[cfg(test)]
    pub fn iter(&self) -> impl Iterator<Item = &Vec<Entry<S>>> {
        self.0.iter()
    }
}

impl<S> Index<usize> for Buckets<S> {
    type Output = [Entry<S>];

    #[inline(always)]
    fn index(&self, cell: usize) -> &[Entry<S>] {
        &self.0[cell]
    }
}
