//! The engine's word index: finds words from any of their letters, first back to the beginning, then on to the end.
//!
//! This is a GADDAG (Gordon, "A Faster Scrabble Move Generation Algorithm", 1994), kept as two linked tries:
//!
//! ```text
//!   word "tango", entered at its "n":
//!
//!   backward trie (reversed prefixes)    root -n-> . -a-> . -t-> *      "nat" is "tan" reversed: a whole prefix
//!                                                               | link
//!   forward trie (prefixes)              root -t-> . -a-> . -n-> * -g-> . -o-> word
//! ```
//!
//! Both tries use one node type. The children of a node are adjacent and in the order of their letters, so a node needs
//! only a letter set of 32 bits and the index of the first child. Blocks of children are stored depth first, so a chain
//! of only children is read from one cache line.
//!
//! Memory and time are bounded. If the dictionary is too large, only every second, third … word is indexed. If the time
//! runs out, the tries stay incomplete. Words are then missed, never invented.

use std::collections::TryReserveError;
use std::ops::Range;

use super::alphabet::Alphabet;
use super::clock::Clock;
use super::dictionary::Dictionary;
use super::letter::Letter;
use super::rules::MAX_SIDE;

/// Means "no node" or "no word".
pub(super) const NONE: u32 = u32::MAX;

/// One node of a trie, 12 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Letters that lead to a child.
    pub letters: u32,
    /// Index of the child with the smallest letter.
    first_child: u32,
    /// Forward trie: the word that ends here. Backward trie: the forward node of the prefix that begins here.
    pub target: u32,
}

impl Node {
    const LEAF: Node = Node { letters: 0, first_child: 0, target: NONE };

    /// Index of the child by a letter, given as its bit; the letter must be in `letters`.
    #[inline(always)]
    pub fn child(&self, letter_bit: u32) -> u32 {
        self.first_child + (self.letters & letter_bit.wrapping_sub(1)).count_ones()
    }
}

/// The most nodes of the backward trie. Natural dictionaries of half a million words have fewer. With this limit the
/// index takes less than 400 MB while it is built; the contest allows 512 MB.
const MOST_BACKWARD_NODES: usize = 24_000_000;
const _: () = assert!(MOST_BACKWARD_NODES < NONE as usize);

/// Memory that must still be free once the index is built, in bytes: far more than a game takes.
const MEMORY_FOR_GAMES: usize = 1 << 24;

/// Nodes or chains of nodes between two checks of the clock.
const NODES_PER_CHECK: usize = 256;

/// There is not enough memory for the index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory to index {words} words, allow the program more or shorten the dictionary")]
pub struct NotEnoughMemory {
    /// Words to be indexed.
    pub words: usize,
}

/// A dictionary, indexed for the search of words through a given cell.
#[derive(Clone, Debug)]
pub struct Gaddag {
    pub(super) forward: Vec<Node>,
    pub(super) backward: Vec<Node>,
    alphabet: Alphabet,
    word_count: usize,
    /// Letters of all words together.
    letter_count: usize,
    /// By the number of the letter.
    neighbours: Vec<NeighbourLetters>,
}

impl Gaddag {
    /// Indexes a dictionary. Words that no board can hold are left out.
    pub fn new(dictionary: &Dictionary) -> Result<Gaddag, NotEnoughMemory> {
        Gaddag::within(dictionary, Clock::default())
    }

    /// Indexes as much of a dictionary as there is time for.
    pub fn within(dictionary: &Dictionary, clock: Clock<'_>) -> Result<Gaddag, NotEnoughMemory> {
        Gaddag::build(dictionary, MOST_BACKWARD_NODES, clock).map_err(|_| NotEnoughMemory { words: dictionary.len() })
    }

    fn build(dictionary: &Dictionary, most_nodes: usize, clock: Clock<'_>) -> Result<Gaddag, TryReserveError> {
        let mut words: Vec<&[Letter]> = Vec::new();
        words.try_reserve_exact(dictionary.len())?;
        // A word of one letter would not join its cell to a filled one, and a longer word fits on no board.
        words.extend(dictionary.words().filter(|word| (2..=MAX_SIDE * MAX_SIDE).contains(&word.len())));
        let size = thin_out(&mut words, most_nodes);
        let (forward, origins) = build_forward(&words, size, clock)?;
        let backward = build_backward(&origins, size, clock)?;
        let neighbours = neighbour_letters(&words);
        Vec::<u8>::new().try_reserve_exact(MEMORY_FOR_GAMES)?;
        let letter_count = words.iter().map(|word| word.len()).sum();
        let (alphabet, word_count) = (dictionary.alphabet(), words.len());
        Ok(Gaddag { forward, backward, alphabet, word_count, letter_count, neighbours })
    }

    /// The alphabet of the words.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// The number of indexed words; word numbers are below it.
    pub fn word_count(&self) -> usize {
        self.word_count
    }

    /// Mean length of the indexed words, in letters; 0 if there are none.
    pub(crate) fn mean_length(&self) -> f64 {
        self.letter_count as f64 / self.word_count.max(1) as f64
    }

    /// Whether a word is indexed.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.find(word).is_some()
    }

    /// The number of a word.
    pub(super) fn find(&self, word: &[Letter]) -> Option<u32> {
        let mut node = self.forward[0];
        for letter in word {
            if letter.alphabet() != self.alphabet || node.letters & letter.bit() == 0 {
                return None;
            }
            node = self.forward[node.child(letter.bit()) as usize];
        }
        (node.target != NONE).then_some(node.target)
    }

    /// The letters that the words have next to a letter, given by its number.
    pub(super) fn neighbours(&self, number: u8) -> &NeighbourLetters {
        &self.neighbours[usize::from(number)]
    }
}

/// The letters that the words have next to one letter, for drawing at random in proportion to their frequency.
#[derive(Clone, Debug)]
pub(super) struct NeighbourLetters {
    /// The number of neighbours, weighted by the words.
    pub weight: u32,
    /// Numbers of letters. Each neighbour letter has slots in proportion to its share, and at least one.
    pub slots: [u8; NeighbourLetters::SLOTS],
}

impl NeighbourLetters {
    pub const SLOTS: usize = 256;

    fn new(counts: &[u32]) -> NeighbourLetters {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let free = NeighbourLetters::SLOTS - counts.iter().filter(|&&count| count > 0).count();
        let mut slots = [0; NeighbourLetters::SLOTS];
        let (mut begin, mut passed, mut letters) = (0, 0, 0);
        for (number, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            passed += u64::from(count);
            letters += 1;
            let end = letters + (free as u64 * passed / total) as usize;
            slots[begin..end].fill(number as u8);
            begin = end;
        }
        NeighbourLetters { weight: u32::try_from(total).unwrap_or(u32::MAX), slots }
    }
}

/// The number of nodes of the two tries, including the roots.
#[derive(Clone, Copy)]
struct Size {
    /// The exact number.
    forward: usize,
    /// An upper bound: reversed prefixes may share nodes.
    backward: usize,
}

impl Size {
    /// The size of the tries of sorted and distinct words.
    fn of<'a>(words: impl Iterator<Item = &'a [Letter]>) -> Size {
        let mut size = Size { forward: 1, backward: 1 };
        let mut last: &[Letter] = &[];
        for word in words {
            let shared = word.iter().zip(last).take_while(|(one, other)| one == other).count();
            size.forward += word.len() - shared;
            // A new prefix of n letters takes up to n nodes.
            size.backward += word.len() * (word.len() + 1) / 2 - shared * (shared + 1) / 2;
            last = word;
        }
        size
    }
}

/// Keeps only every n-th word, with the smallest n that limits the backward trie to `most_nodes`; returns the size.
fn thin_out(words: &mut Vec<&[Letter]>, most_nodes: usize) -> Size {
    for stride in 1..=words.len() {
        let size = Size::of(words.iter().step_by(stride).copied());
        if size.backward <= most_nodes {
            let mut places = 0..;
            words.retain(|_| places.next().is_some_and(|place: usize| place.is_multiple_of(stride)));
            return size;
        }
    }
    words.clear();
    Size::of([].into_iter())
}

/// The arc that leads to a forward node: its parent and the letter.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    /// The number of the letter in the alphabet.
    letter: u8,
}

/// The trie of sorted and distinct words, and the origin of each of its nodes.
fn build_forward(
    words: &[&[Letter]],
    size: Size,
    clock: Clock<'_>,
) -> Result<(Vec<Node>, Vec<Origin>), TryReserveError> {
    let (mut nodes, mut origins) = (Vec::new(), Vec::new());
    nodes.try_reserve_exact(size.forward)?;
    origins.try_reserve_exact(size.forward)?;
    nodes.push(Node::LEAF);
    origins.push(Origin { parent: NONE, letter: 0 });
    // Each task is a node, the words through it, and its depth: the words share their first `depth` letters.
    let mut tasks = vec![(0usize, 0..words.len(), 0usize)];
    let mut groups = Vec::new();
    let mut clock = PeriodicClock::new(clock);
    while let Some((node, mut range, depth)) = tasks.pop()
        && !clock.is_over()
    {
        if range.start < range.end && words[range.start].len() == depth {
            nodes[node].target = range.start as u32;
            range.start += 1;
        }
        let first_child = nodes.len();
        nodes[node].first_child = first_child as u32;
        while range.start < range.end {
            let letter = words[range.start][depth];
            let count = words[range.clone()].iter().take_while(|word| word[depth] == letter).count();
            nodes[node].letters |= letter.bit();
            groups.push((nodes.len(), range.start..range.start + count, depth + 1));
            nodes.push(Node::LEAF);
            origins.push(Origin { parent: node as u32, letter: letter.number() });
            range.start += count;
        }
        tasks.extend(groups.drain(..).rev());
    }
    Ok((nodes, origins))
}

/// A clock that is checked only once in [`NODES_PER_CHECK`] calls.
struct PeriodicClock<'a> {
    clock: Clock<'a>,
    calls: usize,
}

impl<'a> PeriodicClock<'a> {
    fn new(clock: Clock<'a>) -> PeriodicClock<'a> {
        PeriodicClock { clock, calls: 0 }
    }

    fn is_over(&mut self) -> bool {
        self.calls += 1;
        self.calls.is_multiple_of(NODES_PER_CHECK) && self.clock.is_over()
    }
}

/// A forward node, and the ancestor up to which its prefix has been read backwards.
#[derive(Clone, Copy)]
struct Cursor {
    node: u32,
    ancestor: u32,
}

/// The trie of the reversed prefixes of all forward nodes, each linked to its node.
fn build_backward(origins: &[Origin], size: Size, clock: Clock<'_>) -> Result<Vec<Node>, TryReserveError> {
    let (mut nodes, mut cursors, mut sorted) = (Vec::new(), Vec::new(), Vec::new());
    nodes.try_reserve_exact(size.backward)?;
    cursors.try_reserve_exact(origins.len())?;
    sorted.try_reserve_exact(origins.len())?;
    nodes.push(Node::LEAF);
    cursors.extend((0..origins.len() as u32).map(|node| Cursor { node, ancestor: node }));
    sorted.extend_from_slice(&cursors);
    let tasks = vec![(0, 0..cursors.len())];
    let mut builder = BackwardBuilder { origins, nodes, cursors, sorted, tasks };
    let mut clock = PeriodicClock::new(clock);
    while let Some((node, range)) = builder.tasks.pop()
        && !clock.is_over()
    {
        match builder.cursors[range.clone()] {
            [cursor] => builder.add_chain(node, cursor),
            _ => builder.add_branch(node, range),
        }
    }
    Ok(builder.nodes)
}

struct BackwardBuilder<'a> {
    origins: &'a [Origin],
    nodes: Vec<Node>,
    /// The cursors that pass through one node are adjacent.
    cursors: Vec<Cursor>,
    /// Space for sorting the cursors.
    sorted: Vec<Cursor>,
    /// Nodes whose children are not added yet, with the cursors that pass through them.
    tasks: Vec<(usize, Range<usize>)>,
}

impl BackwardBuilder<'_> {
    /// Adds all nodes below a node that only one prefix passes through: most nodes. They need no sorting.
    fn add_chain(&mut self, mut node: usize, cursor: Cursor) {
        let mut ancestor = cursor.ancestor;
        loop {
            let child = self.nodes.len();
            self.nodes[node].first_child = child as u32;
            if ancestor == 0 {
                self.nodes[node].target = cursor.node;
                return;
            }
            let origin = self.origins[ancestor as usize];
            self.nodes[node].letters = 1 << origin.letter;
            self.nodes.push(Node::LEAF);
            (node, ancestor) = (child, origin.parent);
        }
    }

    /// Adds the children of a node, and a task for each of them.
    fn add_branch(&mut self, node: usize, range: Range<usize>) {
        let counts = self.count_letters(node, range.clone());
        let places = self.add_children(node, range.start, &counts);
        self.sort_by_letter(range, places);
    }

    /// Counts the cursors that continue with each letter. The cursor at the end of its prefix sets the node's target.
    fn count_letters(&mut self, node: usize, range: Range<usize>) -> [usize; Letter::NUMBERS] {
        let mut counts = [0; Letter::NUMBERS];
        for cursor in &self.cursors[range] {
            if cursor.ancestor == 0 {
                self.nodes[node].target = cursor.node;
            } else {
                counts[usize::from(self.origins[cursor.ancestor as usize].letter)] += 1;
            }
        }
        counts
    }

    /// Adds a child for each letter with a count; returns where the cursors of each letter begin.
    fn add_children(
        &mut self,
        node: usize,
        mut place: usize,
        counts: &[usize; Letter::NUMBERS],
    ) -> [usize; Letter::NUMBERS] {
        let first_child = self.nodes.len();
        self.nodes[node].first_child = first_child as u32;
        let older_tasks = self.tasks.len();
        let mut places = [0; Letter::NUMBERS];
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

    /// Advances each cursor by one letter and sorts the cursors by it.
    fn sort_by_letter(&mut self, range: Range<usize>, mut places: [usize; Letter::NUMBERS]) {
        let mut end = range.start;
        for cursor in &self.cursors[range.clone()] {
            if cursor.ancestor != 0 {
                let origin = self.origins[cursor.ancestor as usize];
                let place = &mut places[usize::from(origin.letter)];
                self.sorted[*place] = Cursor { node: cursor.node, ancestor: origin.parent };
                *place += 1;
                end += 1;
            }
        }
        self.cursors[range.start..end].copy_from_slice(&self.sorted[range.start..end]);
    }
}

/// A word of n letters has weight n minus this, and at least 1: long words make good boards.
const LETTERS_NOT_COUNTED: usize = 3;

/// The neighbour letters of each letter, by its number.
fn neighbour_letters(words: &[&[Letter]]) -> Vec<NeighbourLetters> {
    let mut counts = [[0; Letter::NUMBERS]; Letter::NUMBERS];
    for word in words {
        let weight = word.len().saturating_sub(LETTERS_NOT_COUNTED).max(1) as u32;
        for pair in word.windows(2) {
            let (one, other) = (usize::from(pair[0].number()), usize::from(pair[1].number()));
            for (letter, near) in [(one, other), (other, one)] {
                let count: &mut u32 = &mut counts[letter][near];
                *count = count.saturating_add(weight);
            }
        }
    }
    counts.iter().map(|counts| NeighbourLetters::new(counts)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balda::letter::Word;

    fn words(text: &str) -> Vec<Word> {
        text.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    fn dictionary(words: &[Word]) -> Dictionary {
        Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]))
    }

    fn gaddag(text: &str) -> Gaddag {
        Gaddag::new(&dictionary(&words(text))).unwrap()
    }

    /// Whether the word is found from each of its letters.
    fn is_found_from_everywhere(gaddag: &Gaddag, word: &[Letter]) -> bool {
        let follow = |nodes: &[Node], node: Node, letter: &Letter| {
            (node.letters & letter.bit() != 0).then(|| nodes[node.child(letter.bit()) as usize])
        };
        (0..word.len()).all(|entry| {
            let mut back = word[..=entry].iter().rev();
            let Some(turn) = back.try_fold(gaddag.backward[0], |node, letter| follow(&gaddag.backward, node, letter))
            else {
                return false;
            };
            if turn.target == NONE {
                return false;
            }
            let begin = gaddag.forward[turn.target as usize];
            let end = word[entry + 1..].iter().try_fold(begin, |node, letter| follow(&gaddag.forward, node, letter));
            end.is_some_and(|end| end.target != NONE && Some(end.target) == gaddag.find(word))
        })
    }

    #[test]
    fn finds_exactly_its_words() {
        let gaddag = gaddag("tango tang gnat enate fang tan tango");
        assert_eq!((gaddag.word_count(), gaddag.mean_length()), (6, 25.0 / 6.0));
        for (text, found) in [("tango", true), ("tan", true), ("ta", false), ("tangos", false), ("gnat", true)] {
            assert_eq!(gaddag.contains(&words(text)[0]), found, "{text}");
        }
        assert!(!gaddag.contains(&words("тан")[0]));
    }

    #[test]
    fn every_word_is_found_from_each_of_its_letters() {
        let text = "tango tang gnat enate fang tan aa session nonsense";
        let gaddag = gaddag(text);
        assert!(words(text).iter().all(|word| is_found_from_everywhere(&gaddag, word)));
    }

    #[test]
    fn words_that_fit_on_no_board_are_left_out() {
        let words = ["a", "ab", &"b".repeat(225), &"b".repeat(226)].map(|text| text.parse::<Word>().unwrap());
        let gaddag = Gaddag::new(&dictionary(&words)).unwrap();
        assert_eq!(words.map(|word| gaddag.contains(&word)), [false, true, true, false]);
    }

    #[test]
    fn an_empty_dictionary_has_no_words() {
        let gaddag = Gaddag::new(&dictionary(&[])).unwrap();
        assert_eq!((gaddag.word_count(), gaddag.contains(&words("a")[0])), (0, false));
        assert_eq!(gaddag.mean_length(), 0.0);
    }

    #[test]
    fn a_dictionary_that_is_too_large_is_thinned_out_evenly() {
        let words = words("abc abd bcd bce cde cdf dea deb eab eac");
        let all = dictionary(&words);
        let size = Size::of(all.words());
        let built = Gaddag::build(&all, size.backward, Clock::default()).unwrap();
        assert_eq!((built.word_count(), built.forward.len()), (10, size.forward));
        assert!(built.backward.len() <= size.backward);
        let half = Gaddag::build(&all, size.backward - 1, Clock::default()).unwrap();
        let found: Vec<bool> = words.iter().map(|word| is_found_from_everywhere(&half, word)).collect();
        assert_eq!(found, [true, false].repeat(5));
        assert_eq!(Gaddag::build(&all, 1, Clock::default()).unwrap().word_count(), 0);
    }

    #[test]
    fn at_the_deadline_words_are_missed_and_none_is_invented() {
        let texts: Vec<String> = (0..2704).map(|number| format!("{}{}", base26(number), base26(number * 7))).collect();
        let words: Vec<Word> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let all = dictionary(&words);
        let stop = std::sync::atomic::AtomicBool::new(true);
        let cut = Gaddag::within(&all, Clock { deadline: None, stop: Some(&stop) }).unwrap();
        let whole = Gaddag::new(&all).unwrap();
        assert!(cut.forward.len() < whole.forward.len() && cut.backward.len() < whole.backward.len());
        assert!(words.iter().all(|word| is_found_from_everywhere(&whole, word)));
        assert!(words.iter().any(|word| !is_found_from_everywhere(&cut, word)));
        assert!(all.words().filter(|word| cut.contains(word)).all(|word| whole.contains(word)));
    }

    fn base26(mut number: usize) -> String {
        let mut text = String::new();
        for _ in 0..3 {
            text.push(char::from(b'a' + (number % 26) as u8));
            number /= 26;
        }
        text
    }

    #[test]
    fn neighbour_letters_are_drawn_by_their_frequency() {
        let text = "tango tang gnat enate fang tan ant ante ten net neat eat tea ate kenaf gene agent gate get tag \
                    nag fan fen keen knee teen age cage tenant tangent";
        let gaddag = gaddag(text);
        let share = |letter: u8| gaddag.neighbours(0).slots.iter().filter(|&&slot| slot == letter - b'a').count();
        assert!(share(b'n') > share(b'k') && share(b'g') > 0, "in these words n stands beside a most often");
        assert_eq!(share(b'z'), 0);
    }
}
