//! A minimal directed acyclic word graph: all words of a dictionary, which share their prefixes and suffixes.
//!
//! A state is a run of arcs, one per letter in ascending order; the root is the run at 0. An arc is one number:
//!
//! ```text
//!   bit  31                     7  6     5    4       0
//!        ┌───────────────────────┬─────┬─────┬─────────┐
//!        │ where the next state  │last │word │ letter  │
//!        │ begins; 0: nowhere    │of   │ends │ 0 … 31  │
//!        │                       │state│here │         │
//!        └───────────────────────┴─────┴─────┴─────────┘
//! ```
//!
//! Arcs lead only forward, to a higher number. So the graph is acyclic, and a reader can check that in one pass.

use std::collections::HashMap;

use super::alphabet::Alphabet;
use super::dictionary::{Dictionary, MAX_LETTERS};
use super::letter::{Letter, Word};

const LETTER: u32 = 0x1F;
const WORD_ENDS: u32 = 1 << 5;
const LAST_OF_STATE: u32 = 1 << 6;
const TARGET_SHIFT: u32 = 7;
// No graph of a dictionary has a target that an arc has no room for.
const _: () = assert!(MAX_LETTERS <= (u32::MAX >> TARGET_SHIFT) as usize);

/// A word graph with checked arcs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dawg {
    alphabet: Alphabet,
    arcs: Vec<u32>,
}

/// The size of the words of a graph, computed without listing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The number of words.
    pub words: u64,
    /// The number of letters of all words together.
    pub letters: u64,
    /// The number of letters of the longest word.
    pub longest: u64,
}

/// One arc of a state, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The letter of the arc.
    pub letter: Letter,
    /// Whether a word ends with this letter.
    pub word_ends: bool,
    /// The state that the arc leads to, if longer words continue there.
    pub next: Option<usize>,
}

/// Why numbers are not the arcs of a word graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadArc {
    /// An arc leads out of the graph, backwards, or into the middle of a state.
    #[error("arc {arc} leads to {found}, where no later state begins")]
    Target {
        /// The number of the arc.
        arc: usize,
        /// Where it leads.
        found: usize,
    },
    /// A letter is not of the alphabet, or the letters of a state do not ascend.
    #[error("arc {arc} has the letter {found} out of order or range")]
    Letter {
        /// The number of the arc.
        arc: usize,
        /// The number of the letter.
        found: u8,
    },
    /// An arc neither ends a word nor leads on.
    #[error("arc {arc} leads nowhere and ends no word")]
    DeadEnd {
        /// The number of the arc.
        arc: usize,
    },
    /// The last state has no last arc.
    #[error("the last state does not end")]
    Unfinished,
}

impl Dawg {
    /// The minimal graph of a dictionary.
    pub fn new(dictionary: &Dictionary) -> Dawg {
        let mut builder = Builder::new(dictionary.alphabet());
        for word in dictionary.words() {
            builder.add(word);
        }
        builder.finish()
    }

    /// A graph of untrusted arcs; each of them is checked.
    pub fn from_arcs(arcs: Vec<u32>, alphabet: Alphabet) -> Result<Dawg, BadArc> {
        let mut previous_letter = None;
        for (arc, &bits) in arcs.iter().enumerate() {
            let (letter, target) = ((bits & LETTER) as u8, (bits >> TARGET_SHIFT) as usize);
            if letter >= alphabet.len() || previous_letter.is_some_and(|previous| letter <= previous) {
                return Err(BadArc::Letter { arc, found: letter });
            }
            if target == 0 && bits & WORD_ENDS == 0 {
                return Err(BadArc::DeadEnd { arc });
            }
            let begins_a_state = || arcs.get(target - 1).is_some_and(|before| before & LAST_OF_STATE != 0);
            if target != 0 && (target <= arc || target >= arcs.len() || !begins_a_state()) {
                return Err(BadArc::Target { arc, found: target });
            }
            previous_letter = if bits & LAST_OF_STATE == 0 { Some(letter) } else { None };
        }
        match previous_letter {
            Some(_) => Err(BadArc::Unfinished),
            None => Ok(Dawg { alphabet, arcs }),
        }
    }

    /// The arcs as numbers.
    pub fn arcs(&self) -> &[u32] {
        &self.arcs
    }

    /// The alphabet of the words.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// Whether the word is in the dictionary.
    pub fn contains(&self, word: &[Letter]) -> bool {
        let Some((&last, beginning)) = word.split_last() else { return false };
        let mut state = Some(0);
        for &letter in beginning {
            let arc = state.and_then(|state| self.arc(state, letter));
            state = arc.map(|arc| (arc >> TARGET_SHIFT) as usize).filter(|&target| target != 0);
        }
        state.and_then(|state| self.arc(state, last)).is_some_and(|arc| arc & WORD_ENDS != 0)
    }

    /// The size of the words. Check it before listing them: a graph of few arcs can have more words than fit in memory.
    pub fn extent(&self) -> Extent {
        // For each arc: the words that begin with it or with a later arc of its state. Arcs lead only to later arcs.
        let mut from = vec![Extent { words: 0, letters: 0, longest: 0 }; self.arcs.len()];
        for (arc, &bits) in self.arcs.iter().enumerate().rev() {
            let ends = u64::from(bits & WORD_ENDS != 0);
            let target = (bits >> TARGET_SHIFT) as usize;
            let nothing = Extent { words: 0, letters: 0, longest: 0 };
            let onward = if target == 0 { nothing } else { from[target] };
            let beside = if bits & LAST_OF_STATE == 0 { from[arc + 1] } else { nothing };
            let words = ends.saturating_add(onward.words);
            from[arc] = Extent {
                words: words.saturating_add(beside.words),
                letters: words.saturating_add(onward.letters).saturating_add(beside.letters),
                longest: (1 + onward.longest).max(beside.longest),
            };
        }
        from.first().copied().unwrap_or(Extent { words: 0, letters: 0, longest: 0 })
    }

    /// Every word, in alphabetical order.
    pub fn dictionary(&self) -> Dictionary {
        let mut words: Vec<Word> = Vec::new();
        // A stack of arcs still to be followed, each with the number of letters before it.
        let mut pending: Vec<(usize, usize)> = if self.arcs.is_empty() { Vec::new() } else { vec![(0, 0)] };
        let mut word = Vec::new();
        while let Some((arc, depth)) = pending.pop() {
            let bits = self.arcs[arc];
            if bits & LAST_OF_STATE == 0 {
                pending.push((arc + 1, depth));
            }
            word.truncate(depth);
            word.push(self.letter(bits));
            if bits & WORD_ENDS != 0 {
                words.push(Word::from(&word[..]));
            }
            if bits >> TARGET_SHIFT != 0 {
                pending.push(((bits >> TARGET_SHIFT) as usize, depth + 1));
            }
        }
        Dictionary::new(self.alphabet, words.iter().map(|word| &word[..]))
    }

    /// The arcs of a state; the root is state 0.
    pub fn steps(&self, state: usize) -> impl Iterator<Item = Step> + '_ {
        let arcs = self.arcs.get(state..).unwrap_or_default();
        let last = arcs.iter().position(|arc| arc & LAST_OF_STATE != 0).map_or(0, |last| last + 1);
        arcs[..last].iter().map(move |&arc| Step {
            letter: self.letter(arc),
            word_ends: arc & WORD_ENDS != 0,
            next: Some((arc >> TARGET_SHIFT) as usize).filter(|&target| target != 0),
        })
    }

    /// The arc of a letter from the state that begins at `state`.
    fn arc(&self, state: usize, letter: Letter) -> Option<u32> {
        if letter.alphabet() != self.alphabet {
            return None;
        }
        for &arc in self.arcs.get(state..)? {
            if (arc & LETTER) as u8 == letter.number() {
                return Some(arc);
            }
            if arc & LAST_OF_STATE != 0 {
                return None;
            }
        }
        None
    }

    /// The letter of an arc.
    fn letter(&self, arc: u32) -> Letter {
        Letter::of(self.alphabet, (arc & LETTER) as u8)
    }
}

/// An arc of an open or registered state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Arc {
    letter: Letter,
    word_ends: bool,
    /// The registered state that the arc leads to.
    target: Option<u32>,
}

/// Builds the minimal graph from sorted words. The states of the last word beyond its common prefix with the next word
/// are final: each is registered, or replaced by an equal registered state.
struct Builder {
    alphabet: Alphabet,
    /// The states along the last word, not registered yet; the last arc of each leads to the next.
    open: Vec<Vec<Arc>>,
    last_word: Word,
    registered: Vec<Vec<Arc>>,
    register: HashMap<Vec<Arc>, u32>,
}

impl Builder {
    fn new(alphabet: Alphabet) -> Builder {
        let (open, last_word) = (Vec::new(), Word::default());
        Builder { alphabet, open, last_word, registered: Vec::new(), register: HashMap::new() }
    }

    fn add(&mut self, word: &[Letter]) {
        let shared = word.iter().zip(self.last_word.iter()).take_while(|(new, last)| new == last).count();
        self.close_beyond(shared);
        self.open.resize(word.len().max(1), Vec::new());
        for (place, &letter) in word.iter().enumerate().skip(shared) {
            self.open[place].push(Arc { letter, word_ends: false, target: None });
        }
        if let Some(arc) = word.len().checked_sub(1).and_then(|place| self.open[place].last_mut()) {
            arc.word_ends = true;
        }
        self.last_word = Word::from(word);
    }

    /// Registers the states after the first `shared` letters of the last word.
    fn close_beyond(&mut self, shared: usize) {
        while self.open.len() > shared + 1 {
            let arcs = self.open.pop().unwrap_or_default();
            let state = self.registered_state(arcs);
            if let Some(arc) = self.open.last_mut().and_then(|state| state.last_mut()) {
                arc.target = state;
            }
        }
    }

    fn registered_state(&mut self, arcs: Vec<Arc>) -> Option<u32> {
        if arcs.is_empty() {
            return None;
        }
        let next = self.registered.len() as u32;
        let state = *self.register.entry(arcs.clone()).or_insert(next);
        if state == next {
            self.registered.push(arcs);
        }
        Some(state)
    }

    /// Writes the root first, then the states from the last registered to the first. A state is registered after all
    /// states that it leads to, so all arcs lead forward.
    fn finish(mut self) -> Dawg {
        self.close_beyond(0);
        let root = self.open.pop().unwrap_or_default();
        let mut begins = vec![0; self.registered.len()];
        let mut next = root.len() as u32;
        for (state, arcs) in self.registered.iter().enumerate().rev() {
            begins[state] = next;
            next += arcs.len() as u32;
        }
        let mut arcs = Vec::with_capacity(next as usize);
        for state in std::iter::once(&root).chain(self.registered.iter().rev()) {
            for (place, arc) in state.iter().enumerate() {
                let target = arc.target.map_or(0, |target| begins[target as usize]);
                let ends = if arc.word_ends { WORD_ENDS } else { 0 };
                let last = if place + 1 == state.len() { LAST_OF_STATE } else { 0 };
                arcs.push(target << TARGET_SHIFT | last | ends | u32::from(arc.letter.number()));
            }
        }
        Dawg { alphabet: self.alphabet, arcs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(words: &[&str]) -> (Dictionary, Dawg) {
        let words: Vec<Word> = words.iter().map(|word| word.parse().unwrap()).collect();
        let dictionary = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
        let dawg = Dawg::new(&dictionary);
        (dictionary, dawg)
    }

    #[test]
    fn suffixes_are_shared() {
        let (dictionary, dawg) = graph(&["tap", "taps", "top", "tops"]);
        // t, then a|o, then p, then s.
        assert_eq!(dawg.arcs().len(), 5);
        assert_eq!(dawg.extent(), Extent { words: 4, letters: 14, longest: 4 });
        assert_eq!(dawg.dictionary(), dictionary);
        assert_eq!(Dawg::from_arcs(dawg.arcs().to_vec(), Alphabet::Latin), Ok(dawg));
    }

    #[test]
    fn an_empty_dictionary_has_no_arcs() {
        let (dictionary, dawg) = graph(&[]);
        assert!(dawg.arcs().is_empty() && dictionary.is_empty());
        assert_eq!(dawg.dictionary(), dictionary);
        assert!(!dawg.contains(&[]) && !dawg.contains(&"a".parse::<Word>().unwrap()));
        assert_eq!(dawg.extent(), Extent { words: 0, letters: 0, longest: 0 });
    }

    #[test]
    fn words_of_another_alphabet_are_not_found() {
        let (_, dawg) = graph(&["aa"]);
        assert!(dawg.contains(&"aa".parse::<Word>().unwrap()));
        assert!(!dawg.contains(&"аа".parse::<Word>().unwrap()));
    }

    #[test]
    fn wrong_arcs_are_refused() {
        let (_, dawg) = graph(&["tap", "taps", "top", "tops"]);
        let with = |arc: usize, bits: u32| {
            let mut arcs = dawg.arcs().to_vec();
            arcs[arc] = bits;
            Dawg::from_arcs(arcs, Alphabet::Latin)
        };
        let bits = dawg.arcs();
        assert_eq!(with(0, bits[0] | LETTER), Err(BadArc::Letter { arc: 0, found: 31 }));
        assert_eq!(with(2, bits[2] & !LETTER), Err(BadArc::Letter { arc: 2, found: 0 }));
        assert_eq!(with(4, bits[4] & !WORD_ENDS), Err(BadArc::DeadEnd { arc: 4 }));
        assert_eq!(with(4, bits[4] & !LAST_OF_STATE), Err(BadArc::Unfinished));
        assert_eq!(with(3, bits[3] | 3 << TARGET_SHIFT), Err(BadArc::Target { arc: 3, found: 7 }));
        assert_eq!(with(0, LAST_OF_STATE | 2 << TARGET_SHIFT), Err(BadArc::Target { arc: 0, found: 2 }));
        assert_eq!(with(3, LAST_OF_STATE | 1 << TARGET_SHIFT), Err(BadArc::Target { arc: 3, found: 1 }));
    }
}
