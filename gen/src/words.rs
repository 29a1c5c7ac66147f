//! Balda's word lists, made into minimal word graphs.

pub mod referee;

use std::collections::HashSet;

use indicatif::HumanCount;
use rayon::prelude::*;
use tabletop::balda::index::{self, WordTable};
use tabletop::balda::{Alphabet, Dictionary, Language, Word};
use tabletop::bars::Bars;
use tabletop::seeded::Seeded;

use self::referee::{different_states, near_miss};

use crate::generator::{EncodedTable, Failure, Generator, Proof};

/// The generator of the three word tables.
pub(crate) struct WordTables;

/// The word list of a language as it is shipped with the generator's source.
fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../words/en.txt"),
        Language::Russian => include_str!("../words/ru.txt"),
        Language::Turkish => include_str!("../words/tr.txt"),
    }
}

/// The words of a language in the order of its list.
fn listed(language: Language) -> Result<Vec<Word>, Failure> {
    let letters = |(line, word): (usize, &str)| {
        let not_a_word = || Failure::new(format!("words/{language}.txt: line {}: '{word}' is not a word", line + 1));
        language.alphabet().word(word).ok_or_else(not_a_word)
    };
    source(language).lines().enumerate().map(letters).collect()
}

/// The words of a language.
pub(crate) fn dictionary(language: Language) -> Result<Dictionary, Failure> {
    Ok(Dictionary::new(language.alphabet(), listed(language)?.iter().map(|word| &word[..])))
}

impl Generator for WordTables {
    fn game(&self) -> &'static str {
        "words"
    }

    fn generate(&self, bars: &Bars) -> Result<Vec<EncodedTable>, Failure> {
        let bar = bars.steps("languages", Language::ALL.len() as u64);
        let encode = |language: Language| {
            let table = EncodedTable::new(index::spec(language), &index::records(&dictionary(language)?));
            bar.inc(1);
            Ok(table)
        };
        let tables = Language::ALL.into_par_iter().map(encode).collect();
        bar.finish_and_clear();
        tables
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<Proof>, Failure> {
        let prove = |language: Language| {
            let table = of_language(tables, language)?;
            let (words, source) = (open(table, language)?, listed(language)?);
            let wrong = |what: &str| Failure::new(format!("{}: {what}", table.spec.name));
            if !words.dawg.dictionary().words().eq(source.iter().map(|word| &word[..])) {
                return Err(wrong("the graph does not list the source's words in their order"));
            }
            if !source.iter().all(|word| words.dawg.contains(word)) {
                return Err(wrong("a word of the source is not found"));
            }
            let states = different_states(words.dawg.arcs()).ok_or_else(|| wrong("two states have the same future"))?;
            let misses = seeded_misses(&source, language.alphabet());
            if misses.iter().any(|miss| words.dawg.contains(miss)) {
                return Err(wrong("a word is found that the source lacks"));
            }
            Ok(Proof::of([
                format!("all {} words found, and listed in the order of the source", HumanCount(words.count as u64)),
                format!("no two of {} states are alike", HumanCount(states as u64)),
                format!("{} seeded near misses not found", HumanCount(misses.len() as u64)),
            ]))
        };
        Language::ALL.into_iter().map(prove).collect()
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        let mut text = String::from("balda words\n");
        for language in Language::ALL {
            let table = of_language(tables, language)?;
            let words = open(table, language)?;
            let dictionary = words.dawg.dictionary();
            let longest = dictionary.words().max_by_key(|word| word.len()).unwrap_or_default();
            let letters: usize = dictionary.words().map(<[_]>::len).sum();
            text.push_str(&format!(
                "  {language}: {} words, {letters} letters, {} arcs, {} bytes; longest {}\n",
                words.count,
                words.dawg.arcs().len(),
                table.bytes.len(),
                Word::from(longest)
            ));
        }
        Ok(text)
    }
}

fn of_language(tables: &[EncodedTable], language: Language) -> Result<&EncodedTable, Failure> {
    let spec = index::spec(language);
    let missing = || Failure::new(format!("{}: missing among the generated tables", spec.name));
    tables.iter().find(|table| table.spec == spec).ok_or_else(missing)
}

/// For every word, a copy with one letter changed, added or removed, unless that is a word too.
fn seeded_misses(source: &[Word], alphabet: Alphabet) -> Vec<Word> {
    let known: HashSet<&Word> = source.iter().collect();
    let mut seeded = Seeded(1);
    let changed = source.iter().map(|word| near_miss(word, alphabet, &mut seeded));
    changed.filter(|word| !known.contains(word)).collect()
}

fn open(table: &EncodedTable, language: Language) -> Result<WordTable, Failure> {
    Ok(WordTable::read(&table.open()?, language)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The failure of the proof when the English table holds other words than its source.
    fn refusal(change: impl FnOnce(&mut Vec<Word>)) -> String {
        let mut words = listed(Language::English).unwrap();
        change(&mut words);
        let changed = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
        let spec = index::spec(Language::English);
        let tables = [EncodedTable::new(spec, &index::records(&changed))];
        WordTables.prove(&tables).err().unwrap().to_string()
    }

    #[test]
    fn a_missing_or_extra_word_is_found() {
        let lists = "balda-en: the graph does not list the source's words in their order";
        assert_eq!(refusal(|words| drop(words.remove(20_000))), lists);
        assert_eq!(refusal(|words| words.push("zzz".parse().unwrap())), lists);
    }

    #[test]
    fn a_missing_table_is_found() {
        let tables =
            [Language::English, Language::Turkish].map(|language| EncodedTable::shipped(index::spec(language)));
        let missing = "balda-ru: missing among the generated tables";
        assert_eq!(WordTables.prove(&tables).err().unwrap().to_string(), missing);
        assert_eq!(WordTables.stats(&tables).err().unwrap().to_string(), missing);
    }

    #[test]
    fn words_in_any_order_give_the_shipped_graph() {
        let mut words = listed(Language::Turkish).unwrap();
        words.reverse();
        words.rotate_left(7000);
        let dictionary = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
        let shipped = EncodedTable::shipped(index::spec(Language::Turkish));
        assert_eq!(index::records(&dictionary), shipped.open::<u32>().unwrap().records().unwrap());
    }

    #[test]
    fn a_duplicate_state_is_found() {
        let last_of_state = 1 << 6;
        assert_eq!(different_states(&[1, last_of_state, last_of_state | 1]), Some(2));
        assert_eq!(different_states(&[1, last_of_state, 1, last_of_state]), None);
    }
}
