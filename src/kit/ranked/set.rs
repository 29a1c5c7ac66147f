//! Sets of ranks: a bit each, and the numbering of their members.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// Ranks per line of a [`Numbered`] set. A line fills 64 bytes, so a lookup reads one line of the processor's cache.
const LINE: u64 = 448;
/// Every how many members the line of a member is noted.
const NOTE: usize = 1 << 12;

/// Maximum number of positions: the highest bit of their numbers is a mark.
pub(super) const MOST_POSITIONS: u64 = u32::MAX as u64 >> 1;

/// A set of ranks that threads change together.
pub(super) struct Bits(Vec<AtomicU64>);

impl Bits {
    pub(super) fn none(ranks: u64) -> Bits {
        Bits((0..ranks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn all(ranks: u64) -> Bits {
        let word = |word: u64| AtomicU64::new(if word < ranks / 64 { u64::MAX } else { (1 << (ranks % 64)) - 1 });
        Bits((0..ranks.div_ceil(64)).map(word).collect())
    }

    /// The set of some ranks whose words were written by [`Bits::append_to`].
    pub(super) fn from_bytes(ranks: u64, bytes: &[u8]) -> Option<Bits> {
        let (words, []) = bytes.as_chunks::<8>() else { return None };
        let bits = words.iter().map(|word| AtomicU64::new(u64::from_le_bytes(*word))).collect();
        (words.len() as u64 == ranks.div_ceil(64)).then_some(Bits(bits))
    }

    /// Appends the words.
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|word| bytes.extend_from_slice(&word.load(Relaxed).to_le_bytes()));
    }

    pub(super) fn words(&self) -> usize {
        self.0.len()
    }

    /// The members `64 * word..64 * word + 64`, as bits.
    pub(super) fn word(&self, word: usize) -> u64 {
        self.0[word].load(Relaxed)
    }

    pub(super) fn has(&self, rank: u64) -> bool {
        self.word((rank / 64) as usize) >> (rank % 64) & 1 == 1
    }

    /// Adds a rank, and returns whether it is new.
    pub(super) fn insert(&self, rank: u64) -> bool {
        let bit = 1 << (rank % 64);
        let word = &self.0[(rank / 64) as usize];
        // Most ranks are found many times, and reading is faster than changing.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Removes a rank, and returns whether it was a member.
    pub(super) fn remove(&self, rank: u64) -> bool {
        let bit = 1 << (rank % 64);
        self.0[(rank / 64) as usize].fetch_and(!bit, Relaxed) & bit != 0
    }

    pub(super) fn clear(&mut self) {
        self.0.par_iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    pub(super) fn len(&self) -> u64 {
        self.0.par_iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }

    /// The members of some words, in ascending order.
    pub(super) fn of_words(&self, words: std::ops::Range<usize>) -> impl Iterator<Item = u64> {
        words.flat_map(|word| {
            let mut bits = self.word(word);
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(64 * word as u64 + u64::from(bit))
            })
        })
    }
}

/// A part of a numbered set.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Line {
    /// The number of members before this line.
    before: u64,
    bits: [u64; 7],
}

/// A set of ranks. Its members are numbered in ascending order.
pub(super) struct Numbered {
    lines: Vec<Line>,
    /// The line of every [`NOTE`]-th member.
    notes: Vec<u32>,
    len: u32,
}

impl Numbered {
    /// Numbers the members of a set. `None` if there are more than [`MOST_POSITIONS`].
    pub(super) fn of(set: &Bits, ranks: u64) -> Option<Numbered> {
        let mut lines = vec![Line::default(); ranks.div_ceil(LINE) as usize];
        lines.par_iter_mut().enumerate().for_each(|(number, line)| {
            for (word, bits) in line.bits.iter_mut().enumerate() {
                let word = number * 7 + word;
                *bits = if word < set.words() { set.word(word) } else { 0 };
            }
        });
        let (mut members, mut notes) = (0_u64, Vec::new());
        for (number, line) in lines.iter_mut().enumerate() {
            line.before = members;
            members += line.bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            while (notes.len() * NOTE) < members as usize {
                notes.push(number as u32);
            }
        }
        (members <= MOST_POSITIONS).then_some(Numbered { lines, notes, len: members as u32 })
    }

    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// The number of a rank, if it is a member.
    pub(super) fn number(&self, rank: u64) -> Option<u32> {
        let line = self.lines.get((rank / LINE) as usize)?;
        let (word, bit) = ((rank % LINE / 64) as usize, rank % 64);
        if line.bits[word] >> bit & 1 == 0 {
            return None;
        }
        let earlier: u32 = line.bits[..word].iter().map(|word| word.count_ones()).sum();
        let own = (line.bits[word] & ((1 << bit) - 1)).count_ones();
        Some(line.before as u32 + earlier + own)
    }

    /// The rank of a member.
    pub(super) fn rank(&self, number: u32) -> u64 {
        let note = number as usize / NOTE;
        let first = self.notes[note] as usize;
        let last = self.notes.get(note + 1).map_or(self.lines.len(), |&line| line as usize + 1);
        let within = self.lines[first..last].partition_point(|line| line.before <= u64::from(number)) - 1;
        let line = &self.lines[first + within];
        let mut left = number - line.before as u32;
        for (word, &bits) in line.bits.iter().enumerate() {
            if left < bits.count_ones() {
                let mut bits = bits;
                (0..left).for_each(|_| bits &= bits - 1);
                return (first + within) as u64 * LINE + 64 * word as u64 + u64::from(bits.trailing_zeros());
            }
            left -= bits.count_ones();
        }
        unreachable!("a line has its members")
    }

    /// The members whose numbers `keep` accepts.
    pub(super) fn subset(&self, ranks: u64, keep: impl Fn(u32) -> bool + Sync) -> Bits {
        let mut subset = Bits::none(ranks);
        subset.0.par_chunks_mut(7).zip(&self.lines).for_each(|(words, line)| {
            let mut number = line.before as u32;
            for (word, &bits) in words.iter_mut().zip(&line.bits) {
                let mut left = bits;
                while left != 0 {
                    let bit = left & left.wrapping_neg();
                    if keep(number) {
                        *word.get_mut() |= bit;
                    }
                    number += 1;
                    left ^= bit;
                }
            }
        });
        subset
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.lines.len() * size_of::<Line>() + self.notes.len() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    #[test]
    fn numbers_and_ranks_are_inverse() {
        let ranks = 1_000_003;
        for density in [1, 7, 4_000] {
            let set = Bits::none(ranks);
            let mut seeded = Seeded(density);
            for _ in 0..ranks / density {
                set.insert(seeded.below(ranks));
            }
            let numbered = Numbered::of(&set, ranks).unwrap();
            assert_eq!(numbered.len() as u64, set.len());
            let mut next = 0;
            for rank in 0..ranks {
                assert_eq!(numbered.number(rank), set.has(rank).then_some(next));
                if set.has(rank) {
                    assert_eq!(numbered.rank(next), rank);
                    next += 1;
                }
            }
        }
    }
}
