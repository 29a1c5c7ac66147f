//! The shipped word tables against their sources.

#[path = "../gen/src/words/referee.rs"]
mod referee;
mod support;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use referee::{different_states, near_miss};
use support::{Seeded, shipped_tables};
use tabletop::balda::index::Words;
use tabletop::balda::{Dawg, Dictionary, Language};
use tabletop::table::Places;

fn words(language: Language) -> Words {
    Words::open(&Places::only(shipped_tables()), language).unwrap()
}

fn source(language: Language) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("gen/words/{language}.txt"));
    let letters = |word: &str| language.alphabet().letters(word).unwrap();
    fs::read_to_string(path).unwrap().lines().map(letters).collect()
}

#[test]
fn the_words_come_back_in_the_order_of_the_source() {
    for language in Language::ALL {
        let (words, source) = (words(language), source(language));
        let listed = words.dawg.dictionary();
        assert!(listed.words().eq(source.iter().map(Vec::as_slice)), "{language}");
        assert_eq!(words.count, source.len());
        assert_eq!(words.hash, listed.hash());
        assert!(source.iter().all(|word| words.dawg.contains(word)));
    }
}

#[test]
fn near_misses_are_not_words() {
    let mut seeded = Seeded(6);
    for language in Language::ALL {
        let (words, source) = (words(language), source(language));
        let known: HashSet<&[u8]> = source.iter().map(Vec::as_slice).collect();
        let mut missed = 0;
        for word in &source {
            let changed = near_miss(word, language.alphabet().len(), &mut seeded);
            assert_eq!(words.dawg.contains(&changed), known.contains(changed.as_slice()), "{changed:?}");
            missed += usize::from(!known.contains(changed.as_slice()));
        }
        assert!(missed > source.len() / 2, "most of the samples must be misses");
    }
}

#[test]
fn no_two_states_have_the_same_future() {
    for language in Language::ALL {
        let words = words(language);
        let states = different_states(words.dawg.arcs());
        assert!(states.is_some_and(|states| states > 1000), "{language}: {states:?}");
    }
}

#[test]
fn a_graph_built_from_words_in_any_order_is_the_shipped_one() {
    for language in Language::ALL {
        let mut shuffled = source(language);
        let mut seeded = Seeded(9);
        for place in (1..shuffled.len()).rev() {
            shuffled.swap(place, seeded.below(place as u64 + 1) as usize);
        }
        let dictionary = Dictionary::new(shuffled.iter().map(Vec::as_slice));
        assert_eq!(Dawg::new(&dictionary), words(language).dawg);
    }
}
