//! What a word graph must not do: contain a word that its source lacks, or hold a state twice.

use std::collections::HashSet;

use tabletop::balda::{Alphabet, Letter, Word};
use tabletop::seeded::Seeded;

/// The bit of an arc that ends its state.
const LAST_OF_STATE: u32 = 1 << 6;

/// A word with one letter changed, added or left out; it may happen to be a word.
pub fn near_miss(word: &[Letter], alphabet: Alphabet, seeded: &mut Seeded) -> Word {
    let mut changed = word.to_vec();
    let place = seeded.below(word.len() as u64) as usize;
    let letters: Vec<Letter> = alphabet.letters().collect();
    match seeded.below(3) {
        0 => changed[place] = letters[seeded.below(letters.len() as u64) as usize],
        1 => changed.insert(place, letters[seeded.below(letters.len() as u64) as usize]),
        _ => drop(changed.remove(place)),
    }
    changed.into()
}

/// How many states a graph has, or `None` if two of them accept the same words.
///
/// It compares the arcs of the states. That is enough: if two states accept the same words with different arcs, these
/// arcs lead to two other such states, closer to the end, and at the end there are two with equal arcs.
pub fn different_states(arcs: &[u32]) -> Option<usize> {
    let mut seen = HashSet::new();
    let all_differ = arcs.split_inclusive(|arc| arc & LAST_OF_STATE != 0).all(|state| seen.insert(state));
    all_differ.then_some(seen.len())
}
