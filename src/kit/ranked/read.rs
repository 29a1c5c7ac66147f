//! Reads the node of a rank, with the numbers of its successors.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::super::error::{BadRules, Fault};
use super::super::formula::{Formula, Successor};
use super::super::key::{key_of, position_of};
use super::super::keys::decode;
use super::super::rule_checks::{check_node, check_position, check_predecessors};
use super::super::rules::Rules;
use super::super::scheme::Schemes;
use super::super::walk::node_of;
use super::ranks::RankedRules;
use super::reach::Positions;
use super::set::{Bits, Numbered};
use crate::seeded::Seeded;

/// The text, the rank and the node of every how many ranks are checked.
const CHECK_EVERY: u64 = 64;

/// Every how many positions what follows by patterns is compared with what follows by every node: when a game is solved,
/// and in a check of its table.
const PATTERNS_EVERY: u64 = 1 << 10;
const PATTERNS_EVERY_IN_CHECK: u64 = 1 << 7;

/// Words of a set that one task reads: 4096 ranks.
const TASK: usize = 64;

/// Which positions are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Checks {
    None,
    Some,
    All,
}

/// Reads nodes. [`Reader::guarded`] catches panics of the rules.
pub(super) struct Reader<'a, R: Rules> {
    rules: &'a RankedRules<'a, R>,
    pub(super) formula: Formula,
    /// The position that was read last, and its rank.
    pub(super) position: Option<R::Position>,
    rank: Cell<u64>,
    /// The key that was read last, or nothing if it was a rank.
    key: Vec<u8>,
    /// The function of the rules that runs.
    running: Cell<&'static str>,
    /// The successors, in canonical form and in the order of the formula, and their ranks.
    pub(super) nexts: Vec<R::Position>,
    pub(super) next_ranks: Vec<u64>,
}

impl<'a, R: Rules> Reader<'a, R> {
    fn new(rules: &'a RankedRules<'a, R>) -> Reader<'a, R> {
        Reader {
            rules,
            formula: Formula::new(),
            position: None,
            rank: Cell::new(0),
            key: Vec::new(),
            running: Cell::new("`unrank`"),
            nexts: Vec::new(),
            next_ranks: Vec::new(),
        }
    }

    /// Runs `work` with a reader. A panic of the rules is an error that names the position.
    pub(super) fn guarded<T, E: From<BadRules>>(
        rules: &'a RankedRules<'a, R>,
        work: impl FnOnce(&mut Reader<'a, R>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut reader = Reader::new(rules);
        // The reader is not used after a panic, except for the names of what ran.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut reader)));
        outcome.unwrap_or_else(|_| {
            let rank = reader.rank.get();
            let text = catch_unwind(AssertUnwindSafe(|| match position_of::<R>(&reader.key) {
                Some(position) if !reader.key.is_empty() => position.to_string(),
                _ => rules.unrank(rank).to_string(),
            }));
            let text = text.unwrap_or_else(|_| format!("of rank {rank}"));
            Err(Fault::Panicked { function: reader.running.get() }.at(text).into())
        })
    }

    /// Reads the nodes inside of a turn once, if the rules have patterns. These are checked only where the rules have ranks.
    pub(super) fn use_schemes(&mut self, schemes: &Arc<Schemes>) {
        if self.rules.keys.is_none() {
            self.formula = Formula::with_schemes(schemes);
        }
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
        self.running.set(if self.rules.keys.is_some() { "`stage`" } else { "`rank`" });
        self.rules.rank(position)?.ok_or_else(|| Fault::Changing.at(position))
    }

    /// Reads the node of a rank, and the ranks of its successors.
    pub(super) fn read(&mut self, rank: u64, checks: Checks) -> Result<(), BadRules> {
        let position = self.unrank(rank);
        // By a hash: ranks with the same remainder have much in common.
        let is_drawn = |every: u64| Seeded(rank).below(every) == 0;
        let is_checked = checks == Checks::All || checks == Checks::Some && is_drawn(CHECK_EVERY);
        self.read_node(&position)?;
        if is_checked {
            let key = key_of::<R>(&position)?;
            check_position(self.rules.rules, &position, &key, &mut Vec::new(), &self.running)?;
        }
        for place in 0..self.nexts.len() {
            let rank = self.rank_of(&self.nexts[place])?;
            self.next_ranks.push(rank);
        }
        if self.formula.scheme().is_some() {
            let every = if checks == Checks::All { PATTERNS_EVERY_IN_CHECK } else { PATTERNS_EVERY };
            if checks != Checks::None && is_drawn(every) {
                self.check_patterns(&position)?;
                self.check_next_ranks()?;
            }
        } else if is_checked {
            self.running.set("`node`");
            check_node(self.rules.rules, &position)?;
            // A proof of the values needs no predecessors.
            if is_drawn(CHECK_EVERY) {
                self.running.set("`predecessors`");
                check_predecessors(self.rules.rules, &position)?;
                self.check_ranks_before(&position)?;
            }
            self.check_next_ranks()?;
        }
        self.position = Some(position);
        Ok(())
    }

    /// Reads the node of a key, and its successors but not their ranks.
    pub(super) fn gather(&mut self, key: &[u8]) -> Result<(), BadRules> {
        self.key.clear();
        self.key.extend_from_slice(key);
        self.running.set("`Deserialize`");
        let position = decode::<R>(key)?;
        self.read_node(&position)?;
        if Seeded(xxh3_64(key)).below(CHECK_EVERY) == 0 {
            let rules = self.rules.rules;
            check_position(rules, &position, key, &mut Vec::new(), &self.running)?;
            self.running.set("`node`");
            check_node(rules, &position)?;
            self.running.set("`predecessors`");
            check_predecessors(rules, &position)?;
        }
        self.position = Some(position);
        Ok(())
    }

    fn read_node(&mut self, position: &R::Position) -> Result<(), BadRules> {
        self.running.set("`node`");
        let (rules, running, nexts) = (self.rules.rules, &self.running, &mut self.nexts);
        let node = node_of(rules, position)?;
        nexts.clear();
        self.next_ranks.clear();
        self.formula.build(rules, node, position, |next| {
            running.set("`canonical`");
            nexts.push(rules.canonical(next));
            running.set("`node`");
            Ok(nexts.len() as u32 - 1)
        })
    }

    /// Checks that the same follows by patterns and by every node: the same ranks, and the same value whatever these
    /// are worth, tried with random values.
    fn check_patterns(&self, position: &R::Position) -> Result<(), BadRules> {
        self.running.set("`node`");
        let (mut formula, mut ranks) = (Formula::new(), Vec::new());
        formula.build(self.rules.rules, node_of(self.rules.rules, position)?, position, |next| {
            ranks.push(self.rank_of(&self.rules.canonical(next))?);
            Ok(ranks.len() as u32 - 1)
        })?;
        let different = |ranks: &[u64]| ranks.iter().copied().collect::<BTreeSet<u64>>();
        let mut is_same = different(&ranks) == different(&self.next_ranks);
        for scale in [1.0, 64.0, 4096.0] {
            let random = |rank: u64| scale * Seeded(rank).below(1 << 32) as f64 / f64::from(u32::MAX);
            let value = |formula: &Formula, ranks: &[u64]| {
                let next = |successor| match successor {
                    Successor::Position(place) => random(ranks[place as usize]),
                    _ => 0.0,
                };
                formula.evaluate::<f64>(self.rules.sum(), &next, &mut Vec::new())
            };
            is_same &= value(&formula, &ranks) == value(&self.formula, &self.next_ranks);
        }
        if is_same { Ok(()) } else { Err(Fault::Pattern.at(position)) }
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

    /// Checks that the rank of each predecessor leads back to it.
    pub(super) fn check_ranks_before(&self, position: &R::Position) -> Result<(), BadRules> {
        for before in self.rules.predecessors(position).unwrap_or_default() {
            let before = self.rules.canonical(before);
            if let Some(rank) = self.rules.rank_if_any(&before)? {
                let other = self.rules.unrank(rank);
                if key_of::<R>(&other)? != key_of::<R>(&before)? {
                    return Err(Fault::SameRank { other: other.to_string(), rank }.at(before));
                }
            }
        }
        Ok(())
    }

    /// The ranks of the predecessors of a rank, each once, or `None` if the rules do not tell them.
    pub(super) fn predecessors(&self, rank: u64) -> Result<Option<Vec<u64>>, BadRules> {
        let position = self.unrank(rank);
        self.running.set("`predecessors`");
        let Some(before) = self.rules.predecessors(&position) else { return Ok(None) };
        let rank_of = |before: R::Position| {
            self.running.set("`canonical`");
            let before = self.rules.canonical(before);
            self.running.set("`rank`");
            self.rules.rank_if_any(&before).transpose()
        };
        let mut ranks = before.into_iter().filter_map(rank_of).collect::<Result<Vec<u64>, BadRules>>()?;
        ranks.sort_unstable();
        ranks.dedup();
        Ok(Some(ranks))
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

/// Reads a set in parallel. `work` gets a reader and the words of a task that have members. Returns the results of the
/// tasks, in ascending order of the ranks, or the first error in this order.
pub(super) fn in_tasks<R: Rules, T: Send, E: From<BadRules> + Send>(
    rules: &RankedRules<'_, R>,
    schemes: &Arc<Schemes>,
    set: &Bits,
    work: impl Fn(&mut Reader<'_, R>, Range<usize>) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let tasks: Vec<Option<Result<T, E>>> = (0..set.words().div_ceil(TASK))
        .into_par_iter()
        .map(|task| {
            let words = task * TASK..set.words().min((task + 1) * TASK);
            if words.clone().all(|word| set.word(word) == 0) {
                return None;
            }
            Some(Reader::guarded(rules, |reader| {
                reader.use_schemes(schemes);
                work(reader, words)
            }))
        })
        .collect();
    tasks.into_iter().flatten().collect()
}

/// Reads every rank of a set in parallel, like [`in_tasks`]. `work` gets the rank, its number, the reader, and the
/// numbers of the successors.
pub(super) fn each_rank<R: Rules, T: Send, E: From<BadRules> + Send>(
    rules: &RankedRules<'_, R>,
    explored: &Positions,
    set: &Bits,
    empty: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, u64, u32, &Reader<'_, R>, &[u32]) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    in_tasks(rules, &explored.schemes, set, |reader, words| {
        let (mut result, mut numbers) = (empty(), Vec::new());
        for rank in set.of_words(words) {
            reader.read(rank, Checks::None)?;
            reader.number(&explored.reached, &mut numbers)?;
            let own = explored.reached.number(rank).ok_or_else(|| Fault::Changing.at(reader.text()))?;
            work(&mut result, rank, own, reader, &numbers)?;
        }
        Ok(result)
    })
}
