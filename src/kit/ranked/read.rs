//! Reads the node of a rank, with the numbers of its successors.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::super::error::{BadRules, Fault};
use super::super::explore::{check_node, check_position};
use super::super::formula::Formula;
use super::super::key::key_of;
use super::super::rules::Rules;
use super::super::walk::{node_of, successors_of};
use super::set::{Bits, Numbered};

/// The text, the rank and the node of every how many ranks are checked.
const CHECK_EVERY: u64 = 64;

/// Words of a set that one task reads: 4096 ranks.
const TASK: usize = 64;

/// Which positions are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checks {
    None,
    Some,
    All,
}

/// Reads nodes. [`Reader::guarded`] catches panics of the rules.
pub(super) struct Reader<'a, R: Rules> {
    rules: &'a R,
    ranks: u64,
    pub(super) formula: Formula,
    /// The position that was read last, and its rank.
    pub(super) position: Option<R::Position>,
    rank: Cell<u64>,
    /// The function of the rules that runs.
    running: Cell<&'static str>,
    /// The successors, in canonical form and in the order of the formula, and their ranks.
    pub(super) nexts: Vec<R::Position>,
    pub(super) next_ranks: Vec<u64>,
}

impl<'a, R: Rules> Reader<'a, R> {
    pub(super) fn new(rules: &'a R) -> Reader<'a, R> {
        Reader {
            rules,
            ranks: rules.ranks().unwrap_or(0),
            formula: Formula::new(),
            position: None,
            rank: Cell::new(0),
            running: Cell::new("`unrank`"),
            nexts: Vec::new(),
            next_ranks: Vec::new(),
        }
    }

    /// Runs `work` with a reader. A panic of the rules is an error that names the position.
    pub(super) fn guarded<T, E: From<BadRules>>(
        rules: &'a R,
        work: impl FnOnce(&mut Reader<'a, R>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut reader = Reader::new(rules);
        // The reader is not used after a panic, except for the names of what ran.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut reader)));
        outcome.unwrap_or_else(|_| {
            let rank = reader.rank.get();
            let text = catch_unwind(AssertUnwindSafe(|| rules.unrank(rank).to_string()));
            let text = text.unwrap_or_else(|_| format!("of rank {rank}"));
            Err(Fault::Panicked { function: reader.running.get() }.at(text).into())
        })
    }

    /// The position of a rank.
    pub(super) fn unrank(&self, rank: u64) -> R::Position {
        self.rank.set(rank);
        self.running.set("`unrank`");
        self.rules.unrank(rank)
    }

    pub(super) fn stage(&self, position: &R::Position) -> Option<u32> {
        self.running.set("`stage`");
        self.rules.stage(position)
    }

    /// The rank of a position in canonical form.
    pub(super) fn rank_of(&self, position: &R::Position) -> Result<u64, BadRules> {
        self.running.set("`rank`");
        let rank = self.rules.rank(position);
        if rank < self.ranks {
            return Ok(rank);
        }
        let ranks = self.ranks;
        let fault = if rank == u64::MAX { Fault::RankMissing } else { Fault::RankTooLarge { rank, ranks } };
        Err(fault.at(position))
    }

    /// Reads the node of a rank, and the ranks of its successors.
    pub(super) fn read(&mut self, rank: u64, checks: Checks) -> Result<(), BadRules> {
        let position = self.unrank(rank);
        let is_checked = checks == Checks::All || checks == Checks::Some && rank.is_multiple_of(CHECK_EVERY);
        self.running.set("`node`");
        let node = node_of(self.rules, &position)?;
        let mut place = 0;
        self.formula.build(self.rules, &node, &position, |_| {
            place += 1;
            Ok(place - 1)
        })?;
        if is_checked {
            let key = key_of::<R>(&position)?;
            check_position(self.rules, &position, &key, &mut Vec::new(), &self.running)?;
            self.running.set("`node`");
            check_node(self.rules, &position, &node)?;
        }
        let successors = successors_of(self.rules, node)?;
        self.nexts.clear();
        self.next_ranks.clear();
        self.running.set("`canonical`");
        self.nexts.extend(successors.into_iter().map(|next| self.rules.canonical(next)));
        for place in 0..self.nexts.len() {
            let rank = self.rank_of(&self.nexts[place])?;
            self.next_ranks.push(rank);
        }
        if is_checked {
            self.check_next_ranks()?;
        }
        self.position = Some(position);
        Ok(())
    }

    /// Checks that the rank of each successor leads back to it.
    fn check_next_ranks(&self) -> Result<(), BadRules> {
        self.running.set("`unrank`");
        for (next, &rank) in self.nexts.iter().zip(&self.next_ranks) {
            let other = self.rules.unrank(rank);
            if key_of::<R>(&other)? != key_of::<R>(next)? {
                return Err(Fault::SameRank { other: other.to_string(), rank }.at(next));
            }
        }
        Ok(())
    }

    /// The text of the position that was read last.
    pub(super) fn text(&self) -> String {
        self.position.as_ref().map_or_else(String::new, ToString::to_string)
    }

    /// Numbers the successors.
    pub(super) fn number(&self, reached: &Numbered, numbers: &mut Vec<u32>) -> Result<(), BadRules> {
        numbers.clear();
        for &rank in &self.next_ranks {
            numbers.push(reached.number(rank).ok_or_else(|| Fault::Changing.at(self.text()))?);
        }
        Ok(())
    }
}

/// Reads every rank of a set in parallel. `work` gets the rank, its number, the reader, and the numbers of the successors.
/// Returns the results of the tasks, in ascending order of the ranks, or the first error in this order.
pub(super) fn each_rank<R: Rules, T: Send, E: From<BadRules> + Send>(
    rules: &R,
    reached: &Numbered,
    set: &Bits,
    empty: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, u64, u32, &Reader<'_, R>, &[u32]) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    let tasks: Vec<Option<Result<T, E>>> = (0..set.words().div_ceil(TASK))
        .into_par_iter()
        .map(|task| {
            let words = task * TASK..set.words().min((task + 1) * TASK);
            if words.clone().all(|word| set.word(word) == 0) {
                return None;
            }
            Some(Reader::guarded(rules, |reader| {
                let (mut result, mut numbers) = (empty(), Vec::new());
                for rank in set.of_words(words) {
                    reader.read(rank, Checks::None)?;
                    reader.number(reached, &mut numbers)?;
                    let own = reached.number(rank).ok_or_else(|| Fault::Changing.at(reader.text()))?;
                    work(&mut result, rank, own, reader, &numbers)?;
                }
                Ok(result)
            }))
        })
        .collect();
    tasks.into_iter().flatten().collect()
}
