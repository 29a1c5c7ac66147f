//! A dictionary: distinct words of one alphabet in alphabetical order.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

/// The hash of a whole word list: equal lists have equal hashes, whatever the order in which they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WordListHash(pub u64);

impl fmt::Display for WordListHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Distinct words of letters, in alphabetical order, in one allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary {
    letters: Vec<u8>,
    /// Where each word ends in `letters`.
    ends: Vec<u32>,
}

impl Dictionary {
    /// The dictionary of these words, in any order, with any repetitions.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a [u8]>) -> Dictionary {
        let mut words: Vec<&[u8]> = words.into_iter().collect();
        // The contest's lists are sorted, and a check is cheaper than a sort.
        if !words.is_sorted() {
            words.sort_unstable();
        }
        words.dedup();
        let mut dictionary = Dictionary::default();
        for word in words {
            dictionary.letters.extend_from_slice(word);
            dictionary.ends.push(dictionary.letters.len() as u32);
        }
        dictionary
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word of a number, in alphabetical order.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn word(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.letters[start..self.ends[number] as usize]
    }

    /// Every word in alphabetical order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.word(number))
    }

    /// Whether the word is in the dictionary.
    pub fn contains(&self, word: &[u8]) -> bool {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.word(middle) < word {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low < self.len() && self.word(low) == word
    }

    /// The hash of the whole list.
    pub fn hash(&self) -> WordListHash {
        const END_OF_WORD: u8 = 0xFF;
        // In one piece: the code that hashes in many would be as large as all else that reads a library of boards.
        let mut list = Vec::with_capacity(self.letters.len() + self.ends.len());
        for word in self.words() {
            list.extend_from_slice(word);
            list.push(END_OF_WORD);
        }
        WordListHash(xxh3_64(&list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repetitions_do_not_matter() {
        let sorted: [&[u8]; 3] = [&[0, 1], &[0, 1, 2], &[3]];
        let shuffled: [&[u8]; 5] = [&[3], &[0, 1, 2], &[0, 1], &[3], &[0, 1]];
        let dictionary = Dictionary::new(sorted);
        assert_eq!(Dictionary::new(shuffled), dictionary);
        assert_eq!(Dictionary::new(shuffled).hash(), dictionary.hash());
        assert!(dictionary.words().eq(sorted));
        assert!(sorted.iter().all(|word| dictionary.contains(word)));
        for absent in [&[][..], &[0], &[0, 1, 3], &[4]] {
            assert!(!dictionary.contains(absent));
        }
        assert_ne!(Dictionary::new([&[0, 1, 2][..], &[3]]).hash(), Dictionary::new([&[0, 1][..], &[2, 3]]).hash());
    }
}
