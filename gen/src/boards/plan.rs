//! Which boards are played, from which start words, and with how much effort.

use tabletop::balda::{Dictionary, Language};
use tabletop::table::sha256;

use crate::generator::Failure;
use crate::seeded::Seeded;

/// What is shipped. A query evaluates every board of its side, as it is and mirrored, and goes on from the one that
/// suits its start word best. A larger board wants more proposals, and depends less on its start word, so that fewer
/// will do. One board is 20 to 40 times what a query makes within the contest's time, one or two minutes of a core.
pub(super) const SHIPPED: Plan<'static> = Plan { efforts: &[Effort { side: 11, boards: 6, proposals: 100_000_000 }] };

/// Start words under which a board is bred, one after the other: each has a second or two, as in a game.
const STARTS_PER_BOARD: usize = 60;

/// Of the engine, of the start words under which boards are bred, and of what is kept of the boards. Raise it when equal
/// proposals give other boards than before, so that no board of an earlier engine is taken for one of this.
const ENGINE: u32 = 2;

/// Where chance begins, for the start words.
const START_SEED: u64 = 9;

/// How many boards of which sides are played.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) efforts: &'a [Effort],
}

/// The boards of one side.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) side: usize,
    pub(super) boards: usize,
    /// Proposals for each board.
    pub(super) proposals: u64,
}

/// A board to be bred.
pub(super) struct Task {
    pub(super) language: Language,
    pub(super) side: usize,
    /// The number of the board among those of its language and side, from 1.
    pub(super) number: usize,
    /// The last of its start words, which it keeps.
    pub(super) start: Vec<u8>,
    pub(super) proposals: u64,
}

impl Task {
    /// The start words under which the board is bred, its own the last.
    pub(super) fn starts(&self, dictionary: &Dictionary) -> Vec<Vec<u8>> {
        let words: Vec<&[u8]> = dictionary.words().filter(|word| word.len() == self.side).collect();
        let mut seeded = Seeded(self.seed());
        let drawn = std::iter::repeat_with(|| words[seeded.below(words.len() as u64) as usize]);
        let unseen = drawn.filter(|word| !is_measured(self.language, word)).take(STARTS_PER_BOARD - 1);
        unseen.map(<[u8]>::to_vec).chain([self.start.clone()]).collect()
    }

    /// Where chance begins: boards of different numbers differ in it too.
    pub(super) fn seed(&self) -> u64 {
        self.number as u64
    }

    /// The name of the file that keeps the board: other words, another effort or another engine make another name.
    pub(super) fn file_name(&self, dictionary: &Dictionary) -> String {
        let Task { language, side, number, start, proposals } = self;
        let determined_by = format!("{} {start:?} {proposals} {} {ENGINE}", dictionary.hash(), self.seed());
        let digest = sha256(determined_by.as_bytes());
        format!("{language}-{side}-{number:02}-{}.tbl", &digest[..16])
    }
}

impl Plan<'_> {
    /// The boards of a language, by side and number.
    pub(super) fn tasks(&self, language: Language, dictionary: &Dictionary) -> Result<Vec<Task>, Failure> {
        let mut tasks = Vec::new();
        for &Effort { side, boards, proposals } in self.efforts {
            let starts = draw(dictionary, side, boards).ok_or_else(|| {
                Failure::new(format!("words/{language}.txt: fewer than {boards} words of {side} letters, add some"))
            })?;
            let task = |(start, number)| Task { language, side, number, start, proposals };
            tasks.extend(starts.into_iter().zip(1..).map(task));
        }
        Ok(tasks)
    }

    /// The side that is checked by playing it anew, because it is the quickest.
    pub(super) fn smallest_side(&self) -> usize {
        self.efforts.iter().map(|effort| effort.side).min().unwrap_or(0)
    }
}

/// Whether points are measured on a start word, so that no board may have been bred under it.
fn is_measured(language: Language, word: &[u8]) -> bool {
    const MEASURED: &str = include_str!("../../../benches/balda_starts.tsv");
    let line = format!("{language}\t{}", language.alphabet().text(word));
    MEASURED.lines().any(|measured| measured == line)
}

/// Different words of a length, drawn with a fixed seed; `None` if there are not so many.
fn draw(dictionary: &Dictionary, length: usize, count: usize) -> Option<Vec<Vec<u8>>> {
    let mut words: Vec<&[u8]> = dictionary.words().filter(|word| word.len() == length).collect();
    let mut seeded = Seeded(START_SEED);
    let mut drawn = Vec::new();
    for _ in 0..count {
        if words.is_empty() {
            return None;
        }
        drawn.push(words.swap_remove(seeded.below(words.len() as u64) as usize).to_vec());
    }
    Some(drawn)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tabletop::balda::library::SIDES;

    use super::*;
    use crate::words::dictionary;

    #[test]
    fn the_shipped_sides_are_those_that_a_query_asks_for() {
        assert!(SHIPPED.efforts.iter().map(|effort| effort.side).eq(SIDES));
    }

    #[test]
    fn starts_differ_and_none_is_one_that_the_points_are_measured_on() {
        for language in Language::ALL {
            let dictionary = dictionary(language).unwrap();
            let tasks = SHIPPED.tasks(language, &dictionary).unwrap();
            let starts: HashSet<&[u8]> = tasks.iter().map(|task| &task.start[..]).collect();
            let boards = SHIPPED.efforts.iter().map(|effort| effort.boards).sum();
            assert_eq!((tasks.len(), starts.len()), (boards, boards));
            for task in &tasks {
                let seen = task.starts(&dictionary);
                assert_eq!((seen.len(), seen.last()), (STARTS_PER_BOARD, Some(&task.start)));
                assert!(seen.iter().all(|start| !is_measured(language, start)), "{language} {}", task.number);
            }
        }
    }

    #[test]
    fn a_name_tells_what_determines_the_board() {
        let words: Vec<Vec<u8>> = (0..9).map(|letter| vec![letter; 9]).collect();
        let dictionary = Dictionary::new(words.iter().map(Vec::as_slice));
        let larger = Dictionary::new(words.iter().map(Vec::as_slice).chain([&[25, 25][..]]));
        let name = |proposals, boards, dictionary: &Dictionary| {
            let efforts = [Effort { side: 9, boards, proposals }];
            let tasks = Plan { efforts: &efforts }.tasks(Language::Turkish, dictionary).unwrap();
            tasks[0].file_name(dictionary)
        };
        let expected = name(100, 2, &dictionary);
        assert!(expected.starts_with("tr-9-01-") && expected.ends_with(".tbl"), "{expected}");
        assert_eq!(name(100, 3, &dictionary), expected);
        assert_ne!(name(200, 2, &dictionary), expected);
        assert_ne!(name(100, 2, &larger), expected);
        let efforts = [Effort { side: 9, boards: 10, proposals: 1 }];
        assert!(Plan { efforts: &efforts }.tasks(Language::Turkish, &dictionary).is_err());
    }
}
