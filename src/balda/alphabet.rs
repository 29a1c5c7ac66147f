//! Languages, and letters as small numbers.

use std::fmt;
use std::str::FromStr;

/// A language of the contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, in Latin letters.
    English,
    /// Russian.
    Russian,
    /// Turkish, written with the letters from a to z.
    Turkish,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 3] = [Language::English, Language::Russian, Language::Turkish];

    /// The two letters by which the contest calls the language.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Russian => "ru",
            Language::Turkish => "tr",
        }
    }

    /// The letters of the language.
    pub const fn alphabet(self) -> Alphabet {
        match self {
            Language::English | Language::Turkish => Alphabet::Latin,
            Language::Russian => Alphabet::Russian,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A text that names no language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotALanguage {
    /// The text.
    pub found: String,
}

impl fmt::Display for NotALanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a language, write en, ru or tr", self.found)
    }
}

impl std::error::Error for NotALanguage {}

impl FromStr for Language {
    type Err = NotALanguage;

    fn from_str(text: &str) -> Result<Language, NotALanguage> {
        let language = Language::ALL.into_iter().find(|language| language.code() == text);
        language.ok_or_else(|| NotALanguage { found: text.to_owned() })
    }
}

/// A set of letters, numbered from 0 in alphabetical order.
///
/// The contest writes Latin letters in ASCII and Russian ones in CP866, where they lie in two ranges; people write both
/// in UTF-8. There is no ё in the contest's Russian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// From a to z.
    Latin,
    /// From а to я.
    Russian,
}

impl Alphabet {
    /// How many letters there are.
    pub const fn len(self) -> u8 {
        match self {
            Alphabet::Latin => 26,
            Alphabet::Russian => 32,
        }
    }

    /// Whether there is no letter, which is never so.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The letter of a byte in the contest's encoding.
    pub const fn from_contest(self, byte: u8) -> Option<u8> {
        match (self, byte) {
            (Alphabet::Latin, b'a'..=b'z') => Some(byte - b'a'),
            (Alphabet::Russian, 0xA0..=0xAF) => Some(byte - 0xA0),
            (Alphabet::Russian, 0xE0..=0xEF) => Some(byte - 0xE0 + 16),
            _ => None,
        }
    }

    /// The byte of a letter in the contest's encoding.
    pub const fn to_contest(self, letter: u8) -> u8 {
        match (self, letter) {
            (Alphabet::Latin, _) => b'a' + letter,
            (Alphabet::Russian, 0..=15) => 0xA0 + letter,
            (Alphabet::Russian, _) => 0xE0 + letter - 16,
        }
    }

    /// The letter of a character.
    pub fn from_char(self, character: char) -> Option<u8> {
        let first = self.first();
        let offset = u32::from(character).checked_sub(u32::from(first))?;
        u8::try_from(offset).ok().filter(|&letter| letter < self.len())
    }

    /// The character of a letter.
    pub fn to_char(self, letter: u8) -> char {
        char::from_u32(u32::from(self.first()) + u32::from(letter)).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The letters of a word, or `None` if a character is no letter.
    pub fn letters(self, word: &str) -> Option<Vec<u8>> {
        word.chars().map(|character| self.from_char(character)).collect()
    }

    /// The letters by name, for messages.
    pub const fn described(self) -> &'static str {
        match self {
            Alphabet::Latin => "letters from a to z",
            Alphabet::Russian => "letters from а to я",
        }
    }

    /// A word of letters as text.
    pub fn text(self, word: &[u8]) -> String {
        word.iter().map(|&letter| self.to_char(letter)).collect()
    }

    const fn first(self) -> char {
        match self {
            Alphabet::Latin => 'a',
            Alphabet::Russian => 'а',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip_through_both_encodings() {
        for alphabet in [Alphabet::Latin, Alphabet::Russian] {
            for letter in 0..alphabet.len() {
                assert_eq!(alphabet.from_contest(alphabet.to_contest(letter)), Some(letter));
                assert_eq!(alphabet.from_char(alphabet.to_char(letter)), Some(letter));
            }
            let bytes = (0..=255).filter(|&byte| alphabet.from_contest(byte).is_some()).count();
            assert_eq!(bytes, usize::from(alphabet.len()));
        }
        assert_eq!(Alphabet::Russian.text(&[0, 31]), "ая");
        assert_eq!(Alphabet::Russian.letters("ёж"), None);
        assert_eq!(Alphabet::Latin.letters("aZ"), None);
    }
}
