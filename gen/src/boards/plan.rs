//! Which boards are bred, under which start words, and with how many proposals.

use tabletop::balda::{Dictionary, Language, Letter, Start, Word};
use tabletop::seeded::Seeded;

use super::checkpoint::{Digest, Identity};
use crate::generator::Failure;

/// The shipped boards. Points grow with the logarithm of the proposals. The short boards are older, but a query still
/// finds halves among them that suit its start word.
pub(super) const SHIPPED: Plan<'static> = Plan {
    efforts: &[
        Effort { side: 9, boards: 4, proposals: SHORT, round: 1 },
        Effort { side: 9, boards: 4, proposals: LONG, round: 5 },
        Effort { side: 11, boards: 6, proposals: SHORT, round: 1 },
        Effort { side: 11, boards: 4, proposals: LONG, round: 5 },
        Effort { side: 13, boards: 2, proposals: LONG, round: 7 },
        Effort { side: 15, boards: 2, proposals: LONG, round: 7 },
    ],
    turns: 60,
    proposals: None,
};

/// Proposals for a short board: one or two minutes on one core.
const SHORT: u64 = 100_000_000;

/// Proposals for a long board: ten to thirty minutes on one core, 300 times those of a query in the contest's time.
const LONG: u64 = 1_000_000_000;

/// Version of the engine, of the choice of start words, and of the checkpoints. Raise it when the same number of
/// proposals gives other boards than before, so that no old checkpoint is taken for a current one.
const ENGINE: u32 = 3;

/// Seed for drawing the start words.
const START_SEED: u64 = 9;

/// The boards to breed.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) efforts: &'a [Effort],
    /// Number of start words per board, one after the other.
    pub(super) turns: usize,
    /// Proposals for each board, in place of those of its effort.
    pub(super) proposals: Option<u64>,
}

/// Boards of one side with the same number of proposals.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) side: usize,
    pub(super) boards: usize,
    /// Proposals for each board.
    pub(super) proposals: u64,
    /// The round of the first board. Each further board is one round later.
    pub(super) round: usize,
}

/// A board to be bred.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) language: Language,
    pub(super) side: usize,
    /// The number of the board among those of its language, side and effort, from 1.
    pub(super) number: usize,
    /// The last start word, which stays on the board, as letter numbers.
    pub(super) start: Vec<u8>,
    pub(super) proposals: u64,
    /// Number of start words.
    pub(super) turns: usize,
    /// Boards are bred round by round, so that a run that is stopped early has boards of every side and language.
    pub(super) round: usize,
}

impl Task {
    /// The name of the board on the command line.
    pub(super) fn name(&self) -> String {
        let millions = self.proposals / 1_000_000;
        let effort =
            if millions * 1_000_000 == self.proposals { format!("{millions}m") } else { self.proposals.to_string() };
        format!("{}-{}-{effort}-{}", self.language, self.side, self.number)
    }

    /// The identity that the board's checkpoint must have.
    pub(super) fn identity(&self, dictionary: &Dictionary) -> Identity {
        let Task { language, side, start, proposals, .. } = self;
        let determined_by =
            format!("{} {start:?} {proposals} {} {} {ENGINE}", dictionary.hash(), self.turns, self.seed());
        Identity {
            digest: Digest::of_bytes(determined_by.as_bytes()),
            side: *side,
            alphabet: language.alphabet().len(),
            turns: self.turns,
        }
    }

    /// The start words under which the board is bred, in order. Its own start word is the last.
    pub(super) fn starts(&self, dictionary: &Dictionary) -> Vec<Start> {
        let words: Vec<&[Letter]> = dictionary.words().filter(|word| word.len() == self.side).collect();
        let mut seeded = Seeded(self.seed());
        let drawn = std::iter::repeat_with(|| words[seeded.below(words.len() as u64) as usize]);
        let unseen = drawn.filter(|word| !is_measured(self.language, word)).take(self.turns - 1);
        let own = words.iter().copied().find(|word| numbers(word) == self.start);
        unseen.chain(own).filter_map(|word| Start::new(word.into()).ok()).collect()
    }

    /// The seed of the random numbers. Boards with different numbers have different seeds.
    pub(super) fn seed(&self) -> u64 {
        self.number as u64
    }

    /// The name of the checkpoint file. It depends on the word list, the effort and the engine.
    pub(super) fn file_name(&self, dictionary: &Dictionary) -> String {
        format!("{}-{}.tbl", self.name(), self.identity(dictionary).digest)
    }
}

impl Plan<'_> {
    /// The boards of a language, by side and number.
    pub(super) fn tasks(&self, language: Language, dictionary: &Dictionary) -> Result<Vec<Task>, Failure> {
        let mut tasks = Vec::new();
        for &Effort { side, boards, proposals, round } in self.efforts {
            let starts = draw(dictionary, side, boards).ok_or_else(|| {
                Failure::new(format!("words/{language}.txt: fewer than {boards} words of {side} letters, add some"))
            })?;
            let proposals = self.proposals.unwrap_or(proposals);
            let turns = self.turns;
            let task = |(start, number)| {
                let round = round + number - 1;
                Task { language, side, number, start, proposals, turns, round }
            };
            for task in starts.into_iter().zip(1..).map(task) {
                // If `self.proposals` is set, the short and the long board of a number are the same board.
                if tasks.iter().all(|other: &Task| other.name() != task.name()) {
                    tasks.push(task);
                }
            }
        }
        Ok(tasks)
    }

    /// The sides of the boards, each once.
    pub(super) fn sides(&self) -> Vec<usize> {
        let mut sides: Vec<usize> = self.efforts.iter().map(|effort| effort.side).collect();
        sides.dedup();
        sides
    }
}

/// Whether the benchmarks measure points on this start word. No board may be bred under it.
fn is_measured(language: Language, word: &[Letter]) -> bool {
    const MEASURED: &str = include_str!("../../words/balda_starts.tsv");
    let line = format!("{language}\t{}", Word::from(word));
    MEASURED.lines().any(|measured| measured == line)
}

/// Draws `count` different words of `length` letters with a fixed seed. `None` if there are fewer.
fn draw(dictionary: &Dictionary, length: usize, count: usize) -> Option<Vec<Vec<u8>>> {
    let mut words: Vec<&[Letter]> = dictionary.words().filter(|word| word.len() == length).collect();
    let mut seeded = Seeded(START_SEED);
    let mut drawn = Vec::new();
    for _ in 0..count {
        if words.is_empty() {
            return None;
        }
        drawn.push(numbers(words.swap_remove(seeded.below(words.len() as u64) as usize)));
    }
    Some(drawn)
}

fn numbers(word: &[Letter]) -> Vec<u8> {
    word.iter().map(|letter| letter.number()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tabletop::balda::library::SIDES;

    use super::*;
    use crate::words::dictionary;

    fn plan(efforts: &[Effort]) -> Plan<'_> {
        Plan { efforts, turns: 3, proposals: None }
    }

    #[test]
    fn the_shipped_sides_are_those_that_a_query_asks_for() {
        assert_eq!(SHIPPED.sides(), SIDES);
    }

    #[test]
    fn names_differ_and_no_board_is_bred_under_a_measured_start_word() {
        for language in Language::ALL {
            let dictionary = dictionary(language).unwrap();
            let tasks = SHIPPED.tasks(language, &dictionary).unwrap();
            let names: HashSet<String> = tasks.iter().map(Task::name).collect();
            let boards = SHIPPED.efforts.iter().map(|effort| effort.boards).sum();
            assert_eq!((tasks.len(), names.len()), (boards, boards));
            for task in &tasks {
                let seen = task.starts(&dictionary);
                let last = seen.last().map(|start| numbers(start));
                assert_eq!((seen.len(), last), (SHIPPED.turns, Some(task.start.clone())));
                assert!(seen.iter().all(|start| !is_measured(language, start)), "{language} {}", task.number);
            }
        }
    }

    #[test]
    fn the_file_name_depends_on_what_determines_the_board() {
        let alphabet = Language::Turkish.alphabet();
        let words: Vec<Vec<Letter>> = alphabet.letters().take(9).map(|letter| vec![letter; 9]).collect();
        let dictionary = Dictionary::new(alphabet, words.iter().map(Vec::as_slice));
        let last = [alphabet.letter(25).unwrap(); 2];
        let larger = Dictionary::new(alphabet, words.iter().map(Vec::as_slice).chain([&last[..]]));
        let name = |proposals, boards, dictionary: &Dictionary| {
            let efforts = [Effort { side: 9, boards, proposals, round: 1 }];
            plan(&efforts).tasks(Language::Turkish, dictionary).unwrap()[0].file_name(dictionary)
        };
        let expected = name(100, 2, &dictionary);
        assert!(expected.starts_with("tr-9-100-1-") && expected.ends_with(".tbl"), "{expected}");
        assert_eq!(name(100, 3, &dictionary), expected);
        assert_ne!(name(200, 2, &dictionary), expected);
        assert_ne!(name(100, 2, &larger), expected);
        let efforts = [Effort { side: 9, boards: 10, proposals: 1, round: 1 }];
        assert!(plan(&efforts).tasks(Language::Turkish, &dictionary).is_err());
    }
}
