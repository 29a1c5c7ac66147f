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
use super::dictionary::{Dictionary, MAX_LETTERS, WordListHash};
use super::judge::MAX_WORDS;
use crate::table::{Places, RecordType, Remedy, Source, Spec, Table, TableBytes, TableError, Values};

/// Records before the arcs.
const PREFIX: usize = 3;
/// More letters than any natural word has.
const MAX_WORD_LETTERS: u64 = 64;

const RULES: &str = "balda words 1: hash of the word list (low, high), number of words, then the arcs of a minimal word \
                     graph; an arc is letter in bits 0-4, word end in 5, last of state in 6, target in 7-31";

const fn words_spec(name: &'static str) -> Spec {
    Spec {
        name,
        game: "balda",
        rules: RULES,
        records: RecordType::U32,
        block_records: 1 << 13,
        positions: None,
        values: Values::Any,
        remedy: Remedy::Generate("words"),
    }
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

/// A shipped word list, as its table holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordTable {
    /// The hash of the list.
    pub hash: WordListHash,
    /// The number of words.
    pub count: usize,
    /// The words.
    pub dawg: Dawg,
}

impl WordTable {
    /// Opens the words of a language.
    pub fn open(places: &Places, language: Language) -> Result<WordTable, TableError> {
        let table: Table<TableBytes, u32> = places.open(spec(language))?;
        WordTable::read(&table, language)
    }

    /// Reads every record of a table of words and checks the graph.
    pub fn read<D: Source>(table: &Table<D, u32>, language: Language) -> Result<WordTable, TableError> {
        WordTable::from_records(table.records()?, language).ok_or_else(|| table.invalid_record(0))
    }

    fn from_records(mut records: Vec<u32>, language: Language) -> Option<WordTable> {
        if records.len() < PREFIX {
            return None;
        }
        let arcs = records.split_off(PREFIX);
        let hash = WordListHash(u64::from(records[0]) | u64::from(records[1]) << 32);
        let count = records[2] as usize;
        let dawg = Dawg::from_arcs(arcs, language.alphabet()).ok()?;
        // A forged graph of few arcs could have more and longer words than fit in memory.
        let extent = dawg.extent();
        let bounded = count <= MAX_WORDS && extent.letters <= MAX_LETTERS as u64 && extent.longest <= MAX_WORD_LETTERS;
        (bounded && extent.words == count as u64).then_some(WordTable { hash, count, dawg })
    }
}
