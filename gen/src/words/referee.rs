//! What a word graph must not do: know a word that its source lacks, or hold a state twice.

use std::collections::HashSet;

use super::Seeded;

/// The bit of an arc that ends its state.
const LAST_OF_STATE: u32 = 1 << 6;

/// A word with one letter changed, added or left out; it may happen to be a word.
pub fn near_miss(word: &[u8], letters: u8, seeded: &mut Seeded) -> Vec<u8> {
    let mut changed = word.to_vec();
    let place = seeded.below(word.len() as u64) as usize;
    match seeded.below(3) {
        0 => changed[place] = seeded.below(u64::from(letters)) as u8,
        1 => changed.insert(place, seeded.below(u64::from(letters)) as u8),
        _ => drop(changed.remove(place)),
    }
    changed
}

/// How many states a graph has, or `None` if two of them have the same future.
///
/// With targets already unique, two states have the same future exactly if their arcs are the same numbers; so equal
/// futures would show, at the latest, as two equal runs.
pub fn different_states(arcs: &[u32]) -> Option<usize> {
    let mut seen = HashSet::new();
    let all_differ = arcs.split_inclusive(|arc| arc & LAST_OF_STATE != 0).all(|state| seen.insert(state));
    all_differ.then_some(seen.len())
}
