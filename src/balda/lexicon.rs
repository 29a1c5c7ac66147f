//! The engine's word index: from any letter of a word, first back to its beginning, then on to its end.
//!
//! ```text
//!   word "tango", entered at its "n":
//!
//!   backward trie (reversed prefixes)    root -n-> . -a-> . -t-> *      "nat" is "tan" reversed: a whole prefix
//!                                                               | link
//!   forward trie (prefixes)              root -t-> . -a-> . -n-> * -g-> . -o-> word
//! ```
//!
//! Both tries share one node type. The children of a node lie side by side in the order of their letters, so
//! that a letter set of 32 bits and the index of the first child name them all; blocks of children are laid out
//! depth first, so that a chain of only children is read from one cache line.

use std::ops::Range;

use crate::balda::rules::{MAX_ALPHABET, MAX_SIDE};

/// Stands for "no node" and "no word".
pub const NONE: u32 = u32::MAX;

/// One node of either trie, 12 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Letters that lead to a child.
    pub letters: u32,
    /// Index of the child with the smallest letter.
    first_child: u32,
    /// Forward trie: the word that ends here. Backward trie: the forward node of the prefix that begins here.
    pub target: u32,
}

impl Node {
    const LEAF: Node = Node { letters: 0, first_child: 0, target: NONE };

    /// Index of the child by a letter of `letters`, given as its bit; of no meaning for another letter or 0.
    #[inline(always)]
    pub fn child(&self, letter_bit: u32) -> u32 {
        self.first_child + (self.letters & letter_bit.wrapping_sub(1)).count_ones()
    }

    fn set_first_child(&mut self, index: usize) {
        self.first_child = u32::try_from(index).expect("the dictionary is too large for the index");
    }
}

/// A dictionary, indexed for the search through a given cell.
#[derive(Clone, Debug)]
pub struct Lexicon {
    pub(crate) forward: Vec<Node>,
    pub(crate) backward: Vec<Node>,
    alphabet: u8,
    word_count: usize,
    /// By letter code.
    company: Vec<Company>,
}

impl Lexicon {
    /// Indexes words given as letter codes below `alphabet`, in any order; repeated words count once, and those that no
    /// board can hold not at all.
    pub fn new(words: &[&[u8]], alphabet: u8) -> Lexicon {
        assert!((1..=MAX_ALPHABET).contains(&alphabet), "alphabet of {alphabet} letters, expected 1 to {MAX_ALPHABET}");
        let mut sorted = words.to_vec();
        // A single letter would be a word without a neighbour, which the rules know nothing of; longer ones fit no board.
        sorted.retain(|word| (2..=MAX_SIDE * MAX_SIDE).contains(&word.len()));
        sorted.sort_unstable();
        sorted.dedup();
        let (forward, origins) = build_forward(&sorted);
        let backward = build_backward(&origins);
        let company = keep_company(&sorted);
        Lexicon { forward, backward, alphabet, word_count: sorted.len(), company }
    }

    /// Number of letters in the alphabet.
    pub fn alphabet(&self) -> u8 {
        self.alphabet
    }

    /// Number of distinct words.
    pub fn word_count(&self) -> usize {
        self.word_count
    }

    /// The number of a word, below `word_count`.
    pub fn find(&self, word: &[u8]) -> Option<u32> {
        let mut node = self.forward[0];
        for &letter in word {
            let letter_bit = 1u32.checked_shl(u32::from(letter))?;
            if node.letters & letter_bit == 0 {
                return None;
            }
            node = self.forward[node.child(letter_bit) as usize];
        }
        (node.target != NONE).then_some(node.target)
    }

    /// The letters that stand beside `letter` in the words.
    pub(crate) fn company(&self, letter: u8) -> &Company {
        &self.company[usize::from(letter)]
    }
}

/// The letters that stand beside a letter in the words, to be drawn from in proportion.
#[derive(Clone, Debug)]
pub(crate) struct Company {
    /// How often a letter stands there, the words weighed.
    pub weight: u32,
    /// Letter codes, each as often as its share demands, and at least once.
    pub slots: [u8; Company::SLOTS],
}

impl Company {
    pub const SLOTS: usize = 256;

    fn new(counts: &[u32]) -> Company {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let free = Company::SLOTS - counts.iter().filter(|&&count| count > 0).count();
        let mut slots = [0; Company::SLOTS];
        let (mut begin, mut passed, mut letters) = (0, 0, 0);
        for (code, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            passed += u64::from(count);
            letters += 1;
            let end = letters + (free as u64 * passed / total) as usize;
            slots[begin..end].fill(code as u8);
            begin = end;
        }
        Company { weight: u32::try_from(total).unwrap_or(u32::MAX), slots }
    }
}

/// How a forward node was reached: its parent and the letter between.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    letter: u8,
}

/// The trie of sorted, distinct words, and the origin of each of its nodes.
fn build_forward(words: &[&[u8]]) -> (Vec<Node>, Vec<Origin>) {
    let mut nodes = vec![Node::LEAF];
    let mut origins = vec![Origin { parent: NONE, letter: 0 }];
    // Each task is a node with the words that pass through it; they agree in the first `depth` letters.
    let mut tasks = vec![(0usize, 0..words.len(), 0usize)];
    let mut groups = Vec::new();
    while let Some((node, mut range, depth)) = tasks.pop() {
        if range.start < range.end && words[range.start].len() == depth {
            nodes[node].target = range.start as u32;
            range.start += 1;
        }
        let first_child = nodes.len();
        nodes[node].set_first_child(first_child);
        while range.start < range.end {
            let letter = words[range.start][depth];
            let count = words[range.clone()].iter().take_while(|word| word[depth] == letter).count();
            nodes[node].letters |= 1 << letter;
            groups.push((nodes.len(), range.start..range.start + count, depth + 1));
            nodes.push(Node::LEAF);
            origins.push(Origin { parent: node as u32, letter });
            range.start += count;
        }
        tasks.extend(groups.drain(..).rev());
    }
    (nodes, origins)
}

/// A forward node, and how far up towards the root its string has been read.
#[derive(Clone, Copy)]
struct Climber {
    node: u32,
    ancestor: u32,
}

/// The trie of the reversed strings of all forward nodes, each linked to its node.
fn build_backward(origins: &[Origin]) -> Vec<Node> {
    let climbers: Vec<Climber> = (0..origins.len() as u32).map(|node| Climber { node, ancestor: node }).collect();
    let tasks = vec![(0, 0..climbers.len())];
    let sorted = climbers.clone();
    let mut builder = BackwardBuilder { origins, nodes: vec![Node::LEAF], climbers, sorted, tasks };
    while let Some((node, range)) = builder.tasks.pop() {
        match builder.climbers[range.clone()] {
            [climber] => builder.add_chain(node, climber),
            _ => builder.add_branch(node, range),
        }
    }
    builder.nodes
}

struct BackwardBuilder<'a> {
    origins: &'a [Origin],
    nodes: Vec<Node>,
    /// Those that pass through one node lie side by side.
    climbers: Vec<Climber>,
    /// Room to sort them in.
    sorted: Vec<Climber>,
    /// Nodes without children yet, with the climbers that pass through them.
    tasks: Vec<(usize, Range<usize>)>,
}

impl BackwardBuilder<'_> {
    /// Adds all nodes below one that a single string passes through: most are such, and need not be sorted.
    fn add_chain(&mut self, mut node: usize, climber: Climber) {
        let mut ancestor = climber.ancestor;
        loop {
            let child = self.nodes.len();
            self.nodes[node].set_first_child(child);
            if ancestor == 0 {
                self.nodes[node].target = climber.node;
                return;
            }
            let origin = self.origins[ancestor as usize];
            self.nodes[node].letters = 1 << origin.letter;
            self.nodes.push(Node::LEAF);
            (node, ancestor) = (child, origin.parent);
        }
    }

    /// Adds the children of a node, and leaves what is below them for later.
    fn add_branch(&mut self, node: usize, range: Range<usize>) {
        let counts = self.count_letters(node, range.clone());
        let places = self.add_children(node, range.start, &counts);
        self.sort_by_letter(range, places);
    }

    /// How many climbers go on by each letter. The one that has read its whole string becomes the node's target.
    fn count_letters(&mut self, node: usize, range: Range<usize>) -> [usize; 32] {
        let mut counts = [0; 32];
        for climber in &self.climbers[range] {
            if climber.ancestor == 0 {
                self.nodes[node].target = climber.node;
            } else {
                counts[usize::from(self.origins[climber.ancestor as usize].letter)] += 1;
            }
        }
        counts
    }

    /// Adds a child for each letter that is counted; returns where the climbers of each letter begin.
    fn add_children(&mut self, node: usize, mut place: usize, counts: &[usize; 32]) -> [usize; 32] {
        let first_child = self.nodes.len();
        self.nodes[node].set_first_child(first_child);
        let older_tasks = self.tasks.len();
        let mut places = [0; 32];
        for (letter, &count) in counts.iter().enumerate() {
            places[letter] = place;
            if count > 0 {
                self.nodes[node].letters |= 1 << letter;
                self.tasks.push((self.nodes.len(), place..place + count));
                self.nodes.push(Node::LEAF);
                place += count;
            }
        }
        self.tasks[older_tasks..].reverse();
        places
    }

    /// Lets the climbers read one more letter and lie in its order.
    fn sort_by_letter(&mut self, range: Range<usize>, mut places: [usize; 32]) {
        let mut end = range.start;
        for climber in &self.climbers[range.clone()] {
            if climber.ancestor != 0 {
                let origin = self.origins[climber.ancestor as usize];
                let place = &mut places[usize::from(origin.letter)];
                self.sorted[*place] = Climber { node: climber.node, ancestor: origin.parent };
                *place += 1;
                end += 1;
            }
        }
        self.climbers[range.start..end].copy_from_slice(&self.sorted[range.start..end]);
    }
}

/// A word counts by its letters beyond these, and at least once: long words make good boards.
const LETTERS_NOT_COUNTED: usize = 3;

/// The company of each letter.
fn keep_company(words: &[&[u8]]) -> Vec<Company> {
    let mut counts = [[0; 32]; 32];
    for word in words {
        let weight = word.len().saturating_sub(LETTERS_NOT_COUNTED).max(1) as u32;
        for pair in word.windows(2) {
            let (one, other) = (usize::from(pair[0]), usize::from(pair[1]));
            for (letter, near) in [(one, other), (other, one)] {
                let count: &mut u32 = &mut counts[letter][near];
                *count = count.saturating_add(weight);
            }
        }
    }
    counts.iter().map(|counts| Company::new(counts)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<Vec<u8>> {
        text.split(' ').map(|word| word.bytes().map(|letter| letter - b'a').collect()).collect()
    }

    fn lexicon(text: &str) -> Lexicon {
        let words = codes(text);
        let slices: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        Lexicon::new(&slices, 26)
    }

    #[test]
    fn finds_exactly_its_words() {
        let lexicon = lexicon("tango tang gnat enate fang tan tango");
        assert_eq!(lexicon.word_count(), 6);
        for (text, found) in [("tango", true), ("tan", true), ("ta", false), ("tangos", false), ("gnat", true)] {
            assert_eq!(lexicon.find(&codes(text)[0]).is_some(), found, "{text}");
        }
        assert_eq!(lexicon.find(&[40]), None);
    }

    #[test]
    fn every_split_of_every_word_leads_to_it() {
        let text = "tango tang gnat enate fang tan aa session nonsense";
        let lexicon = lexicon(text);
        for word in codes(text) {
            for entry in 0..word.len() {
                let mut node = lexicon.backward[0];
                for &letter in word[..=entry].iter().rev() {
                    assert_ne!(node.letters & 1 << letter, 0);
                    node = lexicon.backward[node.child(1 << letter) as usize];
                }
                let mut node = lexicon.forward[node.target as usize];
                for &letter in &word[entry + 1..] {
                    assert_ne!(node.letters & 1 << letter, 0);
                    node = lexicon.forward[node.child(1 << letter) as usize];
                }
                assert_eq!(Some(node.target), lexicon.find(&word));
            }
        }
    }

    #[test]
    fn words_that_no_board_can_hold_are_left_out() {
        let words = [vec![0], vec![0, 1], vec![1; 225], vec![1; 226]];
        let slices: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        let lexicon = Lexicon::new(&slices, 26);
        assert_eq!(words.map(|word| lexicon.find(&word).is_some()), [false, true, true, false]);
    }

    #[test]
    fn an_empty_dictionary_has_no_words() {
        let lexicon = Lexicon::new(&[], 26);
        assert_eq!((lexicon.word_count(), lexicon.find(&[0])), (0, None));
    }
}
