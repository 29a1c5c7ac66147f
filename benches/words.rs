//! Balda's word tables against the `fst` crate: bytes and lookups per second, interleaved in one run.

use std::hint::black_box;
use std::time::Instant;

use fst::Set;
use tabletop::balda::index::{WordTable, spec};
use tabletop::balda::{Language, Letter};
use tabletop::table::Places;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");
const ROUNDS: usize = 20;

fn main() {
    println!("lang   words   dawg raw   table (zstd)   fst raw   fst zstd   dawg finds   fst finds");
    for language in Language::ALL {
        let words = WordTable::open(&Places::only(TABLES), language).expect("the shipped tables are there");
        let dictionary = words.dawg.dictionary();
        let set = Set::from_iter(dictionary.words().map(numbers)).expect("a dictionary is sorted");
        let words_as_numbers: Vec<Vec<u8>> = dictionary.words().map(numbers).collect();
        let table = std::fs::metadata(format!("{TABLES}/{}", spec(language).file_name())).expect("a file").len();
        let packed = zstd::bulk::compress(set.as_fst().as_bytes(), 19).expect("zstd compresses").len();
        let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            ours = ours.min(seconds(|| dictionary.words().all(|word| words.dawg.contains(black_box(word)))));
            theirs = theirs.min(seconds(|| words_as_numbers.iter().all(|word| set.contains(black_box(word)))));
        }
        println!(
            "{language}   {:>7}   {:>8}   {table:>12}   {:>7}   {packed:>8}   {:>5.1} M/s   {:>5.1} M/s",
            words.count,
            words.dawg.arcs().len() * 4,
            set.as_fst().as_bytes().len(),
            words.count as f64 / ours / 1e6,
            words.count as f64 / theirs / 1e6,
        );
    }
}

/// The numbers of a word's letters.
fn numbers(word: &[Letter]) -> Vec<u8> {
    word.iter().map(|letter| letter.number()).collect()
}

/// The time to find every word.
fn seconds(find_all: impl FnOnce() -> bool) -> f64 {
    let start = Instant::now();
    assert!(black_box(find_all()));
    start.elapsed().as_secs_f64()
}
