//! The words in use: no word may be made twice.

/// A set of words by their numbers, one bit each.
pub(super) struct UsedWords(Vec<u64>);

impl UsedWords {
    /// The empty set for a dictionary of `words` words.
    pub fn empty(words: usize) -> UsedWords {
        UsedWords(vec![0; words.div_ceil(64)])
    }

    #[inline(always)]
    pub fn contains(&self, word: u32) -> bool {
        self.0[word as usize / 64] >> (word % 64) & 1 != 0
    }

    #[inline(always)]
    pub fn insert(&mut self, word: u32) {
        self.0[word as usize / 64] |= 1 << (word % 64);
    }

    #[inline(always)]
    pub fn remove(&mut self, word: u32) {
        self.0[word as usize / 64] &= !(1 << (word % 64));
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }
}
