//! A dictionary: distinct words of one alphabet in alphabetical order.

use std::collections::TryReserveError;
use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use super::alphabet::Alphabet;
use super::letter::Letter;

/// The hash of a whole word list. It does not depend on the order in which the words were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WordListHash(pub u64);

impl fmt::Display for WordListHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The most letters of all words together, far more than any natural list has. A word graph has at most one arc per
/// letter, so an arc has room for every target.
pub(super) const MAX_LETTERS: usize = (1 << 25) - 1;

/// Distinct words of one alphabet, in alphabetical order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    alphabet: Alphabet,
    /// The letters of all words, one word after the other.
    letters: Vec<Letter>,
    /// Where each word ends in `letters`.
    ends: Vec<u32>,
}

impl Dictionary {
    /// The dictionary of these words, which may be in any order and repeat. Words that are empty or have a letter of
    /// another alphabet are left out.
    ///
    /// # Panics
    ///
    /// If the words have more than 2^25 - 1 letters, or if memory runs out.
    pub fn new<'a>(alphabet: Alphabet, words: impl IntoIterator<Item = &'a [Letter]>) -> Dictionary {
        let mut builder = DictionaryBuilder::new(alphabet);
        for word in words {
            if !word.is_empty() && word.iter().all(|letter| letter.alphabet() == alphabet) {
                builder.add(word).expect("the words fit in a dictionary");
            }
        }
        builder.finish().expect("the words fit in memory")
    }

    /// The alphabet of the words.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word with this number, from 0 in alphabetical order.
    pub fn word(&self, number: usize) -> Option<&[Letter]> {
        let end = *self.ends.get(number)?;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        Some(&self.letters[start as usize..end as usize])
    }

    /// Every word in alphabetical order.
    pub fn words(&self) -> impl Iterator<Item = &[Letter]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.letters[start as usize..end as usize])
    }

    /// Whether the word is in the dictionary.
    pub fn contains(&self, word: &[Letter]) -> bool {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.word(middle) < Some(word) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.word(low) == Some(word)
    }

    /// The hash of the whole list.
    pub fn hash(&self) -> WordListHash {
        const END_OF_WORD: u8 = 0xFF;
        // Hashed in one piece: the code for streamed hashing would double the code that reads a library of boards.
        let mut list = Vec::with_capacity(self.letters.len() + self.ends.len());
        for word in self.words() {
            list.extend(word.iter().map(|letter| letter.number()));
            list.push(END_OF_WORD);
        }
        WordListHash(xxh3_64(&list))
    }
}

/// The words have more than [`MAX_LETTERS`] letters, or do not fit in memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl From<TryReserveError> for TooLarge {
    fn from(_: TryReserveError) -> TooLarge {
        TooLarge
    }
}

/// Collects words one by one, and returns an error instead of aborting if memory runs out.
pub(super) struct DictionaryBuilder {
    list: Dictionary,
    is_sorted: bool,
}

impl DictionaryBuilder {
    pub fn new(alphabet: Alphabet) -> DictionaryBuilder {
        DictionaryBuilder { list: Dictionary { alphabet, letters: Vec::new(), ends: Vec::new() }, is_sorted: true }
    }

    /// The number of words added.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds a word, which must not be empty and must be in the alphabet.
    pub fn add(&mut self, word: &[Letter]) -> Result<(), TooLarge> {
        let end = end_of_word(self.list.letters.len(), word.len())?;
        self.list.letters.try_reserve(word.len())?;
        self.list.ends.try_reserve(1)?;
        self.is_sorted &= self.len().checked_sub(1).is_none_or(|last| self.list.word(last) < Some(word));
        self.list.letters.extend_from_slice(word);
        self.list.ends.push(end);
        Ok(())
    }

    /// The dictionary of the words added. If they were in alphabetical order, as in the contest, nothing is copied.
    pub fn finish(self) -> Result<Dictionary, TooLarge> {
        if self.is_sorted {
            return Ok(self.list);
        }
        let mut words: Vec<&[Letter]> = Vec::new();
        words.try_reserve_exact(self.len())?;
        words.extend(self.list.words());
        words.sort_unstable();
        words.dedup();
        let mut sorted = DictionaryBuilder::new(self.list.alphabet);
        sorted.list.letters.try_reserve_exact(self.list.letters.len())?;
        sorted.list.ends.try_reserve_exact(words.len())?;
        for word in words {
            sorted.add(word)?;
        }
        Ok(sorted.list)
    }
}

/// Where a word of `length` letters ends that comes after `letters` letters.
fn end_of_word(letters: usize, length: usize) -> Result<u32, TooLarge> {
    let end = letters.saturating_add(length);
    if end > MAX_LETTERS { Err(TooLarge) } else { Ok(end as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balda::letter::Word;

    fn words(text: &str) -> Vec<Word> {
        text.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    fn dictionary(text: &str) -> Dictionary {
        let words = words(text);
        let dictionary = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
        let mut builder = DictionaryBuilder::new(Alphabet::Latin);
        words.iter().for_each(|word| builder.add(word).unwrap());
        assert_eq!(builder.finish().as_ref(), Ok(&dictionary));
        dictionary
    }

    #[test]
    fn order_and_repetitions_do_not_matter() {
        let sorted = dictionary("ab abc d");
        let shuffled = dictionary("d abc ab d ab");
        assert_eq!(shuffled, sorted);
        assert_eq!(shuffled.hash(), sorted.hash());
        let listed = words("ab abc d");
        assert!(sorted.words().eq(listed.iter().map(|word| &word[..])));
        assert!(listed.iter().all(|word| sorted.contains(word)));
        for absent in words("a abd e") {
            assert!(!sorted.contains(&absent));
        }
        assert!(!sorted.contains(&[]) && sorted.word(3).is_none());
        assert_ne!(dictionary("abc d").hash(), dictionary("ab cd").hash());
    }

    #[test]
    fn the_number_of_letters_is_limited() {
        assert_eq!(end_of_word(0, 5), Ok(5));
        assert_eq!(end_of_word(MAX_LETTERS - 5, 5), Ok(MAX_LETTERS as u32));
        assert_eq!(end_of_word(MAX_LETTERS - 4, 5), Err(TooLarge));
        assert_eq!(end_of_word(MAX_LETTERS, usize::MAX), Err(TooLarge));
    }

    #[test]
    fn words_of_another_alphabet_are_left_out() {
        let words = words("ab кот");
        let latin = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
        assert_eq!((latin.len(), latin.contains(&words[1])), (1, false));
    }
}
