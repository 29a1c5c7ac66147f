//! The positions of a game and the moves between them.

use std::ops::Range;

use super::error::BadRules;
use super::facts::Facts;
use super::keys::{Keys, decode};
use super::rules::Rules;

/// Every reachable position and its successors.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) keys: Keys,
    /// The number that [`Rules::explored`] gives to each position; empty for other rules.
    pub(super) own: Vec<u32>,
    /// The successors of each position, in the order of its node and with repetitions.
    pub(super) edges: Edges,
    /// The stage of each position, or empty if the rules have no stages.
    pub(super) stages: Vec<u32>,
    /// `depths[d]` is the first position at distance `d` from the starts.
    pub(super) depths: Vec<u32>,
    pub(super) facts: Facts,
    /// Peak memory of the search in bytes.
    pub(super) memory: usize,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The position of a number.
    pub(super) fn position<R: Rules>(&self, number: u32) -> Result<R::Position, BadRules> {
        decode::<R>(self.keys.get(number))
    }

    /// The position of a number as text.
    pub(super) fn text<R: Rules>(&self, number: u32) -> String {
        self.position::<R>(number).map_or_else(|error| error.to_string(), |position| position.to_string())
    }
}

/// One list of successors per position.
#[derive(Default)]
pub(super) struct Edges {
    ends: Vec<u64>,
    targets: Vec<u32>,
}

impl Edges {
    pub(super) fn of(&self, number: u32) -> &[u32] {
        &self.targets[self.range(number)]
    }

    pub(super) fn range(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start as usize..self.ends[number] as usize
    }

    /// The successor at a place of [`Edges::range`].
    pub(super) fn target(&self, place: usize) -> u32 {
        self.targets[place]
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// The number of lists.
    pub(super) fn lists(&self) -> usize {
        self.ends.len()
    }

    /// Appends a list of successors.
    pub(super) fn push(&mut self, targets: impl IntoIterator<Item = u32>) {
        self.targets.extend(targets);
        self.ends.push(self.targets.len() as u64);
    }

    /// Appends lists of successors of these lengths.
    pub(super) fn extend(&mut self, targets: impl Iterator<Item = u32>, lengths: &[u32]) {
        self.targets.extend(targets);
        for &length in lengths {
            self.ends.push(self.ends.last().copied().unwrap_or(0) + u64::from(length));
        }
    }

    /// The predecessors of each position.
    pub(super) fn reversed(&self) -> Edges {
        let mut ends = vec![0; self.ends.len() + 1];
        self.targets.iter().for_each(|&target| ends[target as usize + 1] += 1);
        for number in 1..ends.len() {
            ends[number] += ends[number - 1];
        }
        // Each start moves to the end of its list.
        let mut targets = vec![0; self.targets.len()];
        for number in 0..self.ends.len() as u32 {
            for &target in self.of(number) {
                targets[ends[target as usize] as usize] = number;
                ends[target as usize] += 1;
            }
        }
        ends.pop();
        Edges { ends, targets }
    }

    pub(super) fn memory(&self) -> usize {
        self.ends.capacity() * size_of::<u64>() + self.targets.capacity() * size_of::<u32>()
    }
}
