//! Which boards are bred, under which start words, and with how many proposals.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tabletop::balda::Language::{English, Russian, Turkish};
use tabletop::balda::{Dictionary, Language, Letter, Start, Word};
use tabletop::seeded::Seeded;

use super::breeding::Heat;
use super::checkpoint::{Digest, Identity};
use crate::generator::Failure;

/// The shipped boards. The languages differ in what pays:
/// - Boards for an ending pay in Russian, where a few endings are very frequent. They gain more than boards for all start
///   words, but only for start words with this ending. 6 endings of three letters suit 55 % of the words of 11 letters,
///   and 8 suit 40 % of those of 9. An ending of two letters gains half as much for twice as many words.
/// - Hot boards pay in English: the best of eight with 40 million proposals is as strong as one with 1,000 million.
/// - Turkish gains little from any board.
///
/// Boards of one effort differ much in strength, and the best halves are often on two boards. So the best halves of all
/// boards are bred again, which takes a minute: on average such a board is as strong as the best of its parents. The first
/// four pay in English of side 11, by 1.5 %. A query tries several boards, so eight more pay too: 0.5 % in English, 0.2 %
/// in Russian.
pub(super) const SHIPPED: Plan<'static> = Plan {
    efforts: &[
        Effort { side: 9, languages: &[English, Turkish], boards: 4, ..ALL },
        Effort { side: 9, boards: 2, proposals: LONG, round: 5, ..ALL },
        Effort { side: 9, languages: &[English], boards: 12, ..HOT },
        Effort { side: 9, languages: &[English, Turkish], boards: 2, ..ENDING },
        Effort { side: 9, languages: &[Russian], boards: 8, ..ENDING },
        Effort { side: 9, languages: &[Russian], boards: 4, ..SHORT_ENDING },
        Effort { side: 9, languages: &[English], heat: Heat::FromParentsHot, boards: 12, ..SECOND },
        Effort { side: 9, languages: &[Russian], boards: 12, ..SECOND },
        Effort { side: 11, boards: 6, ..ALL },
        Effort { side: 11, boards: 2, proposals: LONG, round: 5, ..ALL },
        Effort { side: 11, languages: &[English], boards: 10, ..HOT },
        Effort { side: 11, boards: 6, ..ENDING },
        Effort { side: 11, languages: &[English], heat: Heat::FromParentsHot, boards: 12, ..SECOND },
        Effort { side: 11, languages: &[Russian], boards: 12, ..SECOND },
        Effort { side: 13, languages: &[Turkish], proposals: MEDIUM, ..ALL },
        Effort { side: 13, proposals: LONG, round: 5, ..ALL },
        Effort { side: 13, languages: &[English], boards: 2, ..HOT },
        Effort { side: 15, languages: &[English, Turkish], proposals: MEDIUM, ..ALL },
        Effort { side: 15, proposals: LONG, round: 5, ..ALL },
        Effort { side: 15, languages: &[English], boards: 2, ..HOT },
    ],
    turns: 60,
    proposals: None,
};

/// A board for all start words.
pub(super) const ALL: Effort<'static> = Effort {
    side: 9,
    languages: &Language::ALL,
    starts: Starts::All,
    heat: Heat::Cool,
    generation: 1,
    boards: 1,
    proposals: SHORT,
    round: 1,
};

/// A board for an ending of three letters.
const ENDING: Effort<'static> = Effort { starts: Starts::Ending { letters: 3 }, proposals: MEDIUM, ..ALL };

/// A board for an ending of two letters.
const SHORT_ENDING: Effort<'static> = Effort { starts: Starts::Ending { letters: 2 }, ..ENDING };

/// A hot board for all start words.
const HOT: Effort<'static> = Effort { heat: Heat::Hot, proposals: HOT_PROPOSALS, ..ALL };

/// A board of the second generation: its parents are the boards of the first.
pub(super) const SECOND: Effort<'static> = Effort { heat: Heat::FromParents, generation: 2, ..ALL };

/// Proposals for a hot board: half a minute on one core for sides 9 and 11, one or two minutes for larger ones.
const HOT_PROPOSALS: u64 = 40_000_000;

/// Proposals for a short board: one or two minutes on one core.
const SHORT: u64 = 100_000_000;

/// Proposals for a board for an ending, or for a large board: two to five minutes on one core.
const MEDIUM: u64 = 300_000_000;

/// Proposals for a long board: ten to thirty minutes on one core, 300 times those of a query in the contest's time.
const LONG: u64 = 1_000_000_000;

/// Version of the engine, of the choice of start words, and of the checkpoints. Raise it when the same number of
/// proposals gives other boards than before, so that no old checkpoint is taken for a current one. The choice of the best
/// halves, in a query, is part of the engine: boards of a later generation begin with it.
const ENGINE: u32 = 3;

/// Seed for drawing the start words.
const START_SEED: u64 = 9;

/// The boards to breed.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    /// For each side, an earlier generation comes before a later one.
    pub(super) efforts: &'a [Effort<'a>],
    /// Number of start words per board, one after the other.
    pub(super) turns: usize,
    /// Proposals for each board, in place of those of its effort.
    pub(super) proposals: Option<u64>,
}

/// The start words under which boards are bred.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Starts {
    /// Words of the board's side.
    All,
    /// Words of the board's side with a common ending. The first board has the most frequent ending of the list, the
    /// second board the next one, and so on. The words of such a board may use the ending in the middle row.
    Ending {
        /// Letters of the ending. Longer endings are too rare. With one letter, too little of the middle row is the same.
        letters: usize,
    },
}

/// Boards of one side with the same kind of start words, the same heat and the same number of proposals.
#[derive(Clone, Copy)]
pub(super) struct Effort<'a> {
    pub(super) side: usize,
    pub(super) languages: &'a [Language],
    pub(super) starts: Starts,
    pub(super) heat: Heat,
    /// The first generation begins with random letters. A later one begins with the best halves of all boards of this
    /// side that are of an earlier generation.
    pub(super) generation: usize,
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
    /// The common ending of all start words, as letter numbers; empty if they have none in common.
    pub(super) ending: Vec<u8>,
    /// The last start word, which stays on the board, as letter numbers.
    pub(super) start: Vec<u8>,
    pub(super) heat: Heat,
    pub(super) generation: usize,
    /// The boards of the earlier generations; none for the first.
    pub(super) parents: Vec<Task>,
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
        let heat = if self.heat == Heat::Hot { "hot-" } else { "" };
        let generation = if self.generation == 1 { String::new() } else { format!("generation{}-", self.generation) };
        let kind = match self.ending.len() {
            0 => "",
            2 => "short-ending-",
            _ => "ending-",
        };
        format!("{}-{}-{generation}{heat}{kind}{effort}-{}", self.language, self.side, self.number)
    }

    /// The identity that the board's checkpoint must have.
    pub(super) fn identity(&self, dictionary: &Dictionary) -> Identity {
        let Task { language, side, start, proposals, ending, .. } = self;
        let mut determined_by =
            format!("{} {start:?} {proposals} {} {} {ENGINE}", dictionary.hash(), self.turns, self.seed());
        if !ending.is_empty() {
            determined_by.push_str(&format!(" {ending:?}"));
        }
        determined_by.push_str(self.temperatures());
        // The parents of the parents are among the parents.
        for parent in &self.parents {
            determined_by.push_str(&format!(" {}{} {:?}", parent.name(), parent.temperatures(), parent.start));
        }
        Identity {
            digest: Digest::of_bytes(determined_by.as_bytes()),
            side: *side,
            alphabet: language.alphabet().len(),
            turns: self.turns,
        }
    }

    /// The heat, as it is hashed.
    fn temperatures(&self) -> &'static str {
        match self.heat {
            Heat::Cool => "",
            Heat::Hot => " hot",
            Heat::FromParents => " from parents",
            Heat::FromParentsHot => " from parents hot",
        }
    }

    /// The start words under which the board is bred, in order. Its own start word is the last.
    pub(super) fn starts(&self, dictionary: &Dictionary) -> Vec<Start> {
        let words = words_with_ending(dictionary, self.side, &self.ending);
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
        for &Effort { side, starts, heat, generation, boards, proposals, round, .. } in self.efforts_of(language) {
            let last_starts = match starts {
                Starts::All => draw(dictionary, side, boards),
                Starts::Ending { letters } => draw_by_ending(language, dictionary, side, letters, boards),
            };
            let last_starts = last_starts.ok_or_else(|| {
                let needed = match starts {
                    Starts::All => format!("{boards} words"),
                    Starts::Ending { .. } => format!("{boards} different endings of words"),
                };
                Failure::new(format!("words/{language}.txt: fewer than {needed} of {side} letters, add some"))
            })?;
            let proposals = self.proposals.unwrap_or(proposals);
            let turns = self.turns;
            let is_parent = |task: &&Task| task.side == side && task.generation < generation;
            let parents: Vec<Task> = tasks.iter().filter(is_parent).cloned().collect();
            let task = |(start, number): (Vec<u8>, usize)| {
                let (round, parents) = (round + number - 1, parents.clone());
                let ending = match starts {
                    Starts::All => Vec::new(),
                    Starts::Ending { letters } => start[side - letters..].to_vec(),
                };
                Task { language, side, number, ending, start, heat, generation, parents, proposals, turns, round }
            };
            for task in last_starts.into_iter().zip(1..).map(task) {
                // If `self.proposals` is set, the short and the long board of a number are the same board.
                if tasks.iter().all(|other: &Task| other.name() != task.name()) {
                    tasks.push(task);
                }
            }
        }
        Ok(tasks)
    }

    fn efforts_of(&self, language: Language) -> impl Iterator<Item = &Effort<'_>> {
        self.efforts.iter().filter(move |effort| effort.languages.contains(&language))
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
    let mut words = words_with_ending(dictionary, length, &[]);
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

/// Draws one word of `length` letters for each of the `count` most frequent endings of `letters` letters. `None` if there
/// are fewer endings. A word that the benchmarks measure is neither counted nor drawn.
fn draw_by_ending(
    language: Language,
    dictionary: &Dictionary,
    length: usize,
    letters: usize,
    count: usize,
) -> Option<Vec<Vec<u8>>> {
    let mut by_ending: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
    let words = words_with_ending(dictionary, length, &[]);
    for word in words.into_iter().filter(|word| !is_measured(language, word)).map(numbers) {
        by_ending.entry(word[length - letters..].to_vec()).or_default().push(word);
    }
    // The sort is stable: of equally frequent endings the first one of the alphabet comes first.
    let mut classes: Vec<Vec<Vec<u8>>> = by_ending.into_values().collect();
    classes.sort_by_key(|words| Reverse(words.len()));
    classes.truncate(count);
    let mut seeded = Seeded(START_SEED);
    let drawn: Vec<_> =
        classes.into_iter().map(|mut words| words.swap_remove(seeded.below(words.len() as u64) as usize)).collect();
    (drawn.len() == count).then_some(drawn)
}

/// The words of `length` letters with this ending, in alphabetical order.
fn words_with_ending<'d>(dictionary: &'d Dictionary, length: usize, ending: &[u8]) -> Vec<&'d [Letter]> {
    let has_ending = |word: &&[Letter]| word.len() == length && numbers(word).ends_with(ending);
    dictionary.words().filter(has_ending).collect()
}

fn numbers(word: &[Letter]) -> Vec<u8> {
    word.iter().map(|letter| letter.number()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tabletop::internal::balda::library::SIDES;

    use super::*;
    use crate::words::dictionary;

    const THIRD: Effort<'static> = Effort { generation: 3, ..SECOND };

    fn plan<'a>(efforts: &'a [Effort<'a>]) -> Plan<'a> {
        Plan { efforts, turns: 3, proposals: None }
    }

    #[test]
    fn the_shipped_sides_are_those_that_a_query_asks_for() {
        assert_eq!(SHIPPED.sides(), SIDES);
        for side in SIDES {
            let generations =
                SHIPPED.efforts.iter().filter(|effort| effort.side == side).map(|effort| effort.generation);
            assert!(generations.is_sorted(), "{side}");
        }
    }

    #[test]
    fn names_differ_and_no_board_is_bred_under_a_measured_start_word() {
        for language in Language::ALL {
            let dictionary = dictionary(language).unwrap();
            let tasks = SHIPPED.tasks(language, &dictionary).unwrap();
            let names: HashSet<String> = tasks.iter().map(Task::name).collect();
            let boards = SHIPPED.efforts_of(language).map(|effort| effort.boards).sum();
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
    fn boards_for_endings_are_bred_under_words_with_the_most_frequent_endings() {
        let dictionary = dictionary(Language::Russian).unwrap();
        let efforts = [Effort { boards: 3, proposals: 100, ..ENDING }];
        let tasks = plan(&efforts).tasks(Language::Russian, &dictionary).unwrap();
        let names: Vec<String> = tasks.iter().map(Task::name).collect();
        assert_eq!(names, ["ru-9-ending-100-1", "ru-9-ending-100-2", "ru-9-ending-100-3"]);
        for (task, ending) in tasks.iter().zip(["ние", "ник", "сть"]) {
            let starts = task.starts(&dictionary);
            assert_eq!(starts.len(), 3);
            assert!(starts.iter().all(|start| Word::from(&start[..]).to_string().ends_with(ending)), "{ending}");
        }
        let efforts = [Effort { boards: 2, proposals: 100, ..SHORT_ENDING }];
        let short = plan(&efforts).tasks(Language::Russian, &dictionary).unwrap();
        assert_eq!(short[1].name(), "ru-9-short-ending-100-2");
        let starts = short[1].starts(&dictionary);
        assert!(starts.iter().all(|start| Word::from(&start[..]).to_string().ends_with("ка")));
        let efforts = [Effort { starts: Starts::All, ..efforts[0] }];
        let task = &plan(&efforts).tasks(Language::Russian, &dictionary).unwrap()[0];
        assert_ne!(task.identity(&dictionary).digest, tasks[0].identity(&dictionary).digest);
        let efforts = [Effort { boards: 9999, proposals: 1, ..ENDING }];
        let failure = plan(&efforts).tasks(Language::Russian, &dictionary).err().unwrap().to_string();
        assert!(failure.contains("fewer than 9999 different endings of words of 9 letters"), "{failure}");
    }

    #[test]
    fn the_parents_of_a_board_are_the_boards_of_its_side_and_of_earlier_generations() {
        let side_11 = Effort { side: 11, ..ALL };
        let efforts = [Effort { boards: 2, ..ALL }, Effort { boards: 2, ..SECOND }, side_11, THIRD];
        let dictionary = dictionary(Language::Turkish).unwrap();
        let tasks = plan(&efforts).tasks(Language::Turkish, &dictionary).unwrap();
        let parents = |name: &str| {
            let task = tasks.iter().find(|task| task.name() == name).unwrap();
            task.parents.iter().map(Task::name).collect::<Vec<_>>()
        };
        let first = ["tr-9-100m-1", "tr-9-100m-2"];
        let second = ["tr-9-generation2-100m-1", "tr-9-generation2-100m-2"];
        assert_eq!([parents(first[0]), parents("tr-11-100m-1")], [vec![""; 0], vec![]]);
        assert_eq!([parents(second[0]), parents(second[1])], [first, first]);
        assert_eq!(parents("tr-9-generation3-100m-1"), [first, second].concat());

        let file = |efforts: &[Effort], name: &str| {
            let tasks = plan(efforts).tasks(Language::Turkish, &dictionary).unwrap();
            tasks.iter().find(|task| task.name() == name).unwrap().file_name(&dictionary)
        };
        assert_eq!(file(&efforts, second[0]), tasks[2].file_name(&dictionary));
        assert_ne!(file(&[ALL, SECOND], second[0]), tasks[2].file_name(&dictionary), "other parents, another board");
        let hotter = Effort { heat: Heat::FromParentsHot, ..SECOND };
        let third = "tr-9-generation3-100m-1";
        assert_ne!(file(&[ALL, SECOND, THIRD], third), file(&[ALL, hotter, THIRD], third), "the parents are hotter");
    }

    #[test]
    fn an_effort_may_be_for_some_languages_only() {
        let efforts = [Effort { boards: 2, ..ALL }, Effort { languages: &[English], proposals: 100, ..HOT }];
        let names = |language| {
            let tasks = plan(&efforts).tasks(language, &dictionary(language).unwrap()).unwrap();
            tasks.iter().map(Task::name).collect::<Vec<_>>()
        };
        assert_eq!(names(Language::English), ["en-9-100m-1", "en-9-100m-2", "en-9-hot-100-1"]);
        assert_eq!(names(Language::Turkish), ["tr-9-100m-1", "tr-9-100m-2"]);
    }

    #[test]
    fn the_file_name_depends_on_what_determines_the_board() {
        let alphabet = Language::Turkish.alphabet();
        let words: Vec<Vec<Letter>> = alphabet.letters().take(9).map(|letter| vec![letter; 9]).collect();
        let dictionary = Dictionary::new(alphabet, words.iter().map(Vec::as_slice));
        let last = [alphabet.letter(25).unwrap(); 2];
        let larger = Dictionary::new(alphabet, words.iter().map(Vec::as_slice).chain([&last[..]]));
        let name = |proposals, boards, dictionary: &Dictionary| {
            let efforts = [Effort { boards, proposals, ..ALL }];
            plan(&efforts).tasks(Language::Turkish, dictionary).unwrap()[0].file_name(dictionary)
        };
        let expected = name(100, 2, &dictionary);
        assert!(expected.starts_with("tr-9-100-1-") && expected.ends_with(".tbl"), "{expected}");
        assert_eq!(name(100, 3, &dictionary), expected);
        assert_ne!(name(200, 2, &dictionary), expected);
        assert_ne!(name(100, 2, &larger), expected);
        let digest = |heat| {
            let tasks = plan(&[Effort { heat, ..ALL }]).tasks(Language::Turkish, &dictionary).unwrap();
            tasks[0].identity(&dictionary).digest
        };
        assert_ne!(digest(Heat::Hot), digest(Heat::Cool));
        let efforts = [Effort { boards: 10, proposals: 1, ..ALL }];
        assert!(plan(&efforts).tasks(Language::Turkish, &dictionary).is_err());
    }
}
