//! The tables of words: a word graph per language.
//!
//! ```text
//!   record   0        1        2         3 …
//!            ┌────────┬────────┬─────────┬──────────────────────────────┐
//!            │ hash of the     │ number  │ the arcs of the word graph   │
//!            │ word list       │ of words│ (see `dawg`)                 │
//!            │ low    │ high   │         │                              │
//!            └────────┴────────┴─────────┴──────────────────────────────┘
//! ```

use super::alphabet::Language;
use super::dawg::Dawg;
use super::dictionary::{Dictionary, WordListHash};
use super::judge::MAX_WORDS;
use crate::table::{MappedFile, Places, RecordType, Spec, Table, TableError};

/// Records before the arcs.
const PREFIX: usize = 3;

const RULES: &str = "balda words 1: hash of the word list (low, high), number of words, then the arcs of a minimal word \
                     graph; an arc is letter in bits 0-4, word end in 5, last of state in 6, target in 7-31";

const fn words_spec(name: &'static str) -> Spec {
    Spec { name, game: "words", rules: RULES, records: RecordType::U32, block_records: 1 << 13 }
}

/// The English words.
pub static ENGLISH: Spec = words_spec("balda-en");
/// The Russian words.
pub static RUSSIAN: Spec = words_spec("balda-ru");
/// The Turkish words.
pub static TURKISH: Spec = words_spec("balda-tr");

/// The table of a language's words.
pub fn spec(language: Language) -> &'static Spec {
    match language {
        Language::English => &ENGLISH,
        Language::Russian => &RUSSIAN,
        Language::Turkish => &TURKISH,
    }
}

/// The records of the table that holds a dictionary.
pub fn records(dictionary: &Dictionary) -> Vec<u32> {
    let hash = dictionary.hash().0;
    let mut records = vec![hash as u32, (hash >> 32) as u32, dictionary.len() as u32];
    records.extend_from_slice(Dawg::new(dictionary).arcs());
    records
}

/// A shipped word list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The hash of the list.
    pub hash: WordListHash,
    /// How many words it has.
    pub count: usize,
    /// The words.
    pub dawg: Dawg,
}

impl Words {
    /// Opens the words of a language.
    pub fn open(places: &Places, language: Language) -> Result<Words, TableError> {
        let table: Table<MappedFile, u32> = places.open(spec(language))?;
        Words::read(&table, language)
    }

    /// Reads every record of a table of words and checks the graph.
    pub fn read<D: AsRef<[u8]>>(table: &Table<D, u32>, language: Language) -> Result<Words, TableError> {
        Words::from_records(table.records()?, language).ok_or_else(|| table.makes_no_sense(0))
    }

    fn from_records(mut records: Vec<u32>, language: Language) -> Option<Words> {
        if records.len() < PREFIX {
            return None;
        }
        let arcs = records.split_off(PREFIX);
        let hash = WordListHash(u64::from(records[0]) | u64::from(records[1]) << 32);
        let count = records[2] as usize;
        let dawg = Dawg::from_arcs(arcs, language.alphabet()).ok()?;
        // A forged graph of few arcs could promise more words than fit anywhere.
        let honest = count <= MAX_WORDS && dawg.word_count() == count as u64;
        honest.then_some(Words { hash, count, dawg })
    }
}
