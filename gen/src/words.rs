//! Balda's word lists, made into minimal word graphs.

use rayon::prelude::*;
use tabletop::balda::index::{self, Words};
use tabletop::balda::{Dictionary, Language};

use crate::generator::{EncodedTable, Failure, Generator};
use crate::progress::Progress;

/// The generator of the three word tables.
pub(crate) struct WordLists;

/// The word list of a language as it is shipped with the generator's source.
fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../words/en.txt"),
        Language::Russian => include_str!("../words/ru.txt"),
        Language::Turkish => include_str!("../words/tr.txt"),
    }
}

fn dictionary(language: Language) -> Result<Dictionary, Failure> {
    let letters = |(line, word): (usize, &str)| {
        let not_a_word = || Failure::new(format!("words/{language}.txt: line {}: '{word}' is not a word", line + 1));
        language.alphabet().letters(word).ok_or_else(not_a_word)
    };
    let words: Vec<Vec<u8>> = source(language).lines().enumerate().map(letters).collect::<Result<_, _>>()?;
    Ok(Dictionary::new(words.iter().map(Vec::as_slice)))
}

impl Generator for WordLists {
    fn game(&self) -> &'static str {
        "words"
    }

    fn generate(&self, progress: &Progress) -> Result<Vec<EncodedTable>, Failure> {
        let bar = progress.steps("languages", Language::ALL.len() as u64);
        let encode = |language: Language| {
            let table = EncodedTable::new(index::spec(language), &index::records(&dictionary(language)?));
            bar.inc(1);
            Ok(table)
        };
        let tables = Language::ALL.into_par_iter().map(encode).collect();
        bar.finish_and_clear();
        tables
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<String>, Failure> {
        let prove = |(language, table): (Language, &EncodedTable)| {
            let words = open(table, language)?;
            if words.dawg.dictionary() != dictionary(language)? {
                return Err(Failure::new(format!("{}: the graph does not list the source's words", table.spec.name)));
            }
            Ok(format!("{language}: {} words listed back from {} arcs", words.count, words.dawg.arcs().len()))
        };
        Language::ALL.into_iter().zip(tables).map(prove).collect()
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        let mut text = String::from("balda words\n");
        for (language, table) in Language::ALL.into_iter().zip(tables) {
            let words = open(table, language)?;
            let dictionary = words.dawg.dictionary();
            let longest = dictionary.words().max_by_key(|word| word.len()).unwrap_or_default();
            let letters: usize = dictionary.words().map(<[u8]>::len).sum();
            text.push_str(&format!(
                "  {language}: {} words, {letters} letters, {} arcs, {} bytes; longest {}\n",
                words.count,
                words.dawg.arcs().len(),
                table.bytes.len(),
                language.alphabet().text(longest)
            ));
        }
        Ok(text)
    }
}

fn open(table: &EncodedTable, language: Language) -> Result<Words, Failure> {
    Ok(Words::read(&table.open()?, language)?)
}
