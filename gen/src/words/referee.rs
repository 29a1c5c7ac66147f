//! Checks that a word graph has no word that its source lacks, and no state twice.

use std::collections::HashSet;

use tabletop::balda::{Alphabet, Letter, Word};
use tabletop::seeded::Seeded;

/// The bit that marks the last arc of a state.
const LAST_OF_STATE: u32 = 1 << 6;

/// A copy of a word with one letter changed, added or removed. It may be a word too.
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

/// The number of states of a graph, or `None` if two of them accept the same words.
///
/// It compares only the arcs of the states. That is enough: two states that accept the same words with different arcs
/// lead to another such pair, closer to the end. At the end there is such a pair with equal arcs.
pub fn different_states(arcs: &[u32]) -> Option<usize> {
    let mut seen = HashSet::new();
    let all_differ = arcs.split_inclusive(|arc| arc & LAST_OF_STATE != 0).all(|state| seen.insert(state));
    all_differ.then_some(seen.len())
}
