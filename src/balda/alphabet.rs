//! Languages and their alphabets.

use std::fmt;
use std::str::FromStr;

use super::letter::{Letter, Word};

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

    /// The contest's two-letter code of the language.
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a language, write en, ru or tr", .found.escape_debug())]
pub struct NotALanguage {
    /// The text.
    pub found: String,
}

impl FromStr for Language {
    type Err = NotALanguage;

    fn from_str(text: &str) -> Result<Language, NotALanguage> {
        let language = Language::ALL.into_iter().find(|language| language.code() == text);
        language.ok_or_else(|| NotALanguage { found: text.to_owned() })
    }
}

/// Letters of Turkish and Russian that the contest's words do not have, and the letters that they have instead.
const REPLACED: [(char, char); 10] = [
    ('ç', 'c'),
    ('ğ', 'g'),
    ('ı', 'i'),
    ('ö', 'o'),
    ('ş', 's'),
    ('ü', 'u'),
    ('â', 'a'),
    ('î', 'i'),
    ('û', 'u'),
    ('ё', 'е'),
];

/// A set of letters in alphabetical order.
///
/// The contest's files use ASCII for Latin letters and CP866 for Russian ones, where they form two ranges; all other
/// text is UTF-8. The contest's Turkish has only letters from a to z, and its Russian has no ё.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// From a to z.
    Latin,
    /// From а to я.
    Russian,
}

impl Alphabet {
    /// Every alphabet.
    pub const ALL: [Alphabet; 2] = [Alphabet::Latin, Alphabet::Russian];

    /// The number of letters.
    #[expect(clippy::len_without_is_empty, reason = "an alphabet is never empty")]
    pub const fn len(self) -> u8 {
        match self {
            Alphabet::Latin => 26,
            Alphabet::Russian => 32,
        }
    }

    /// The letters in alphabetical order.
    pub fn letters(self) -> impl ExactSizeIterator<Item = Letter> {
        (0..self.len()).map(move |number| Letter::of(self, number))
    }

    /// The letter with this number in the alphabet, from 0.
    pub fn letter(self, number: u8) -> Option<Letter> {
        (number < self.len()).then(|| Letter::of(self, number))
    }

    /// The letter of a byte in the contest's encoding.
    pub const fn from_contest(self, byte: u8) -> Option<Letter> {
        let number = match (self, byte) {
            (Alphabet::Latin, b'a'..=b'z') => byte - b'a',
            (Alphabet::Russian, 0xA0..=0xAF) => byte - 0xA0,
            (Alphabet::Russian, 0xE0..=0xEF) => byte - 0xE0 + 16,
            _ => return None,
        };
        Some(Letter::of(self, number))
    }

    /// The letter of a character.
    pub fn from_char(self, character: char) -> Option<Letter> {
        let number = u32::from(character).checked_sub(u32::from(self.first()))?;
        self.letter(u8::try_from(number).ok()?)
    }

    /// A word in this alphabet, or `None` if a character is not one of its letters.
    pub fn word(self, text: &str) -> Option<Word> {
        text.chars().map(|character| self.from_char(character)).collect()
    }

    /// A description of the letters, for messages.
    pub const fn described(self) -> &'static str {
        match self {
            Alphabet::Latin => "letters from a to z",
            Alphabet::Russian => "letters from а to я",
        }
    }

    /// What to write in a text with a letter such as `ğ`, which the contest's words do not have; `None` for other texts.
    pub fn replacement(self, text: &str) -> Option<String> {
        let (from, to) = text.chars().find_map(|letter| REPLACED.into_iter().find(|&(from, _)| from == letter))?;
        let to = self.from_char(to)?;
        Some(format!("write {to} for {from}, words have only {}", self.described()))
    }

    /// What to write instead of a text that is not a word in this alphabet.
    pub fn remedy(self, text: &str) -> String {
        self.replacement(text).unwrap_or_else(|| format!("write it in small {}", self.described()))
    }

    pub(super) const fn first(self) -> char {
        match self {
            Alphabet::Latin => 'a',
            Alphabet::Russian => 'а',
        }
    }
}
