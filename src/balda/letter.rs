//! Letters and words.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use super::alphabet::Alphabet;

/// A letter of one of the alphabets.
///
/// ```text
///   value    0 … 25   26 … 31   32 … 63
///            a … z    unused    а … я
/// ```
///
/// So the low five bits are the number of the letter in its alphabet, and letters sort alphabetically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(u8);

impl Letter {
    /// The most letters that an alphabet can have: a set of letters is 32 bits.
    pub(crate) const NUMBERS: usize = 32;
    const RUSSIAN: u8 = 32;

    /// The letter with this number, which must be below the length of the alphabet.
    pub(super) const fn of(alphabet: Alphabet, number: u8) -> Letter {
        debug_assert!(number < alphabet.len());
        match alphabet {
            Alphabet::Latin => Letter(number),
            Alphabet::Russian => Letter(Letter::RUSSIAN + number),
        }
    }

    /// The alphabet of the letter.
    pub const fn alphabet(self) -> Alphabet {
        if self.0 < Letter::RUSSIAN { Alphabet::Latin } else { Alphabet::Russian }
    }

    /// The number of the letter in its alphabet, from 0.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0 % Letter::RUSSIAN
    }

    /// The bit of the letter in a set of letters of its alphabet.
    #[inline(always)]
    pub(crate) const fn bit(self) -> u32 {
        1 << self.number()
    }

    /// The character of the letter.
    pub fn to_char(self) -> char {
        let first = u32::from(self.alphabet().first());
        char::from_u32(first + u32::from(self.number())).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The byte of the letter in the contest's encoding.
    pub const fn to_contest(self) -> u8 {
        match (self.alphabet(), self.number()) {
            (Alphabet::Latin, number) => b'a' + number,
            (Alphabet::Russian, number @ 0..=15) => 0xA0 + number,
            (Alphabet::Russian, number) => 0xE0 + number - 16,
        }
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A sequence of letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(Vec<Letter>);

impl Deref for Word {
    type Target = [Letter];

    fn deref(&self) -> &[Letter] {
        &self.0
    }
}

impl std::borrow::Borrow<[Letter]> for Word {
    fn borrow(&self) -> &[Letter] {
        &self.0
    }
}

impl From<Vec<Letter>> for Word {
    fn from(letters: Vec<Letter>) -> Word {
        Word(letters)
    }
}

impl From<&[Letter]> for Word {
    fn from(letters: &[Letter]) -> Word {
        Word(letters.to_vec())
    }
}

impl FromIterator<Letter> for Word {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> Word {
        Word(letters.into_iter().collect())
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.iter().map(|letter| letter.to_char()).collect::<String>())
    }
}

/// A text that is not a word of one alphabet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a word, write small letters from a to z or from а to я", .found.escape_debug())]
pub struct NotAWord {
    /// The text.
    pub found: String,
}

impl FromStr for Word {
    type Err = NotAWord;

    /// Reads a word in letters of one alphabet.
    fn from_str(text: &str) -> Result<Word, NotAWord> {
        let word = Alphabet::ALL.into_iter().find_map(|alphabet| alphabet.word(text));
        word.filter(|word| !word.is_empty()).ok_or_else(|| NotAWord { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip_through_both_encodings() {
        for alphabet in Alphabet::ALL {
            for letter in alphabet.letters() {
                assert_eq!(letter.alphabet(), alphabet);
                assert_eq!(alphabet.from_contest(letter.to_contest()), Some(letter));
                assert_eq!(alphabet.from_char(letter.to_char()), Some(letter));
            }
            assert!(alphabet.letters().is_sorted());
            let bytes = (0..=255).filter(|&byte| alphabet.from_contest(byte).is_some()).count();
            assert_eq!(bytes, usize::from(alphabet.len()));
        }
    }

    #[test]
    fn words_round_trip_and_other_texts_are_refused() {
        for text in ["kenaf", "искра", "ая", "z"] {
            assert_eq!(text.parse::<Word>().unwrap().to_string(), text);
        }
        for text in ["", "ёж", "aZ", "aя", "a b", "a\u{9b}"] {
            let refusal = text.parse::<Word>().unwrap_err().to_string();
            assert!(!refusal.contains(char::is_control), "{refusal:?}");
        }
        assert_eq!(Alphabet::Latin.word("кот"), None);
    }
}
