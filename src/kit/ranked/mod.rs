//! Solves large games whose positions have ranks, and games with stages, whose keys are in files and give the ranks.
//!
//! No keys, no hash table and no moves are kept in memory: a bit for each rank, and a value for each reachable position. A
//! position is read again, with `unrank` and `node`, whenever its successors are needed. The values are those of the
//! solver that keeps the whole game in memory, and so is the table.

mod backwards;
mod bounds;
mod gather;
mod keys;
mod numbers;
mod outcomes;
mod ranks;
mod reach;
mod read;
mod set;
mod stages;
#[cfg(test)]
pub(super) mod tests;
mod work;

use super::closed::Closed;
use super::error::{BadRules, Fault};
use super::explain::Stored;
use super::explore::Watch;
use super::failure::Failure;
use super::file::Answers;
use super::formula::{Stacks, Successor};
use super::fraction::nearest_double;
use super::number::Bounds;
use super::retrograde::Classes;
use super::rules::{Cycles, Rules};
use super::stats::counted;
use super::value::{Value, Worth};
pub(super) use keys::KeyFiles;
use outcomes::{Coding, Known, Partial};
pub(super) use ranks::RankedRules;
use reach::{Positions, StagePlaces, explore_ranks};
pub(super) use read::Checks;
use read::{Reader, each_rank};
use set::Bits;
use stages::Way;
pub(super) use stages::{MaySolve, Solved, Staged, not_by_stages};
pub(super) use work::Work;

/// Games with fewer ranks are solved as a whole, with all moves in memory, which is faster.
const LEAST_RANKS: u64 = 1 << 18;

/// Whether a game is solved by its ranks.
pub(super) fn has_many_ranks<R: Rules>(rules: &R) -> bool {
    rules.ranks().is_some_and(|ranks| ranks >= LEAST_RANKS)
}

/// A solved game.
pub(super) struct Ranked {
    explored: Positions,
    pub(super) values: RankedValues,
    /// The keys of all positions, if the rules have no ranks.
    pub(super) keys: Option<KeyFiles>,
}

/// The values of all positions, by number.
pub(super) enum RankedValues {
    /// Codes of the pairs of a value and the moves to the end. The first code is 1.
    Codes {
        pairs: Vec<(f64, u32)>,
        codes: Vec<u16>,
    },
    Doubles(Vec<f64>),
    /// The middles between bounds, and the largest error of all.
    Bounds {
        middles: Vec<f64>,
        error: f64,
    },
}

impl Ranked {
    pub(super) fn positions(&self) -> usize {
        self.explored.reached.len()
    }

    pub(super) fn facts(&self) -> &super::facts::Facts {
        &self.explored.facts
    }

    /// The number of a rank, if it is reachable.
    pub(super) fn number(&self, rank: u64) -> Option<u32> {
        self.explored.reached.number(rank)
    }

    /// The rank of a position, by number.
    pub(super) fn rank(&self, number: u32) -> u64 {
        self.explored.reached.rank(number)
    }
}

impl Ranked {
    /// The value of a position, by number.
    pub(super) fn value(&self, number: u32) -> Value {
        match &self.values {
            RankedValues::Doubles(values) => Value { worth: Worth::Double(values[number as usize]), moves: None },
            RankedValues::Bounds { middles, error } => {
                Value { worth: Worth::Bounds(Bounds::around_middle(middles[number as usize], *error)), moves: None }
            }
            RankedValues::Codes { pairs, codes } => {
                let (value, moves) = pairs[usize::from(codes[number as usize]) - 1];
                Value { worth: Worth::Double(value), moves: Some(moves) }
            }
        }
    }

    /// The numbers of the stages, and of the positions in each.
    pub(super) fn stages(&self) -> Vec<(f64, usize)> {
        self.explored.stages.iter().map(|stage| (f64::from(stage.number), stage.positions as usize)).collect()
    }

    /// The different values in ascending order, and how often each occurs.
    pub(super) fn counted_values(&self) -> Vec<(f64, usize)> {
        match &self.values {
            RankedValues::Doubles(values) | RankedValues::Bounds { middles: values, .. } => counted(values.clone()),
            RankedValues::Codes { pairs, codes } => {
                let mut counts = vec![0; pairs.len()];
                codes.iter().for_each(|&code| counts[usize::from(code) - 1] += 1);
                let mut values: Vec<(f64, usize)> = Vec::new();
                // Pairs are sorted by value.
                for (&(value, _), count) in pairs.iter().zip(counts) {
                    match values.last_mut().filter(|(last, _)| *last == value) {
                        Some((_, sum)) => *sum += count,
                        None => values.push((value, count)),
                    }
                }
                values
            }
        }
    }

    /// Ranks worth a look: the least and the greatest value, and the longest game.
    pub(super) fn examples(&self) -> Vec<(&'static str, u64)> {
        let numbers = 0..self.positions() as u32;
        let value = |number: u32| self.value(number);
        let worth = |number: &u32| value(*number).worth.to_f64();
        let moves = |number: &u32| value(*number).moves.filter(|&moves| moves != Value::ENDLESS);
        let least = numbers.clone().min_by(|one, other| worth(one).total_cmp(&worth(other)));
        let greatest = numbers.clone().min_by(|one, other| worth(other).total_cmp(&worth(one)));
        let longest = numbers.max_by_key(|number| (moves(number), std::cmp::Reverse(*number)));
        let longest = longest.filter(|number| moves(number).is_some());
        let found = [("least", least), ("greatest", greatest), ("longest", longest)];
        found.into_iter().filter_map(|(name, number)| Some((name, self.rank(number?)))).collect()
    }

    /// The positions of a game with the values of its table. `None` if the table is not one that
    /// [`Staged`] solves, or if steps without a choice might go round.
    pub(super) fn of_table<R: Rules>(
        rules: &R,
        answers: &Answers<'_, R>,
        watch: &Watch<'_>,
        checks: Checks,
    ) -> Result<Option<Ranked>, Failure> {
        let ranked = RankedRules::new(rules);
        let explored = explore_ranks(&ranked, watch, checks)?.numbered(&ranked)?;
        let may_go_round = explored.has_forced && rules.cycles() == Cycles::Draw;
        if may_go_round || Way::of(rules, &explored).is_none() {
            return Ok(None);
        }
        let values = answers.values_by_rank(explored.reached.len(), |rank| explored.reached.number(rank))?;
        Ok(values.map(|values| Ranked { explored, values, keys: None }))
    }

    /// Checks that every value follows from the values of the successors.
    pub(super) fn check_all<R: Rules>(
        &self,
        rules: &R,
        answers: &Answers<'_, R>,
        watch: &Watch<'_>,
    ) -> Result<(), Failure> {
        let bar = (watch.progress)("values", self.positions() as u64);
        let rules = &RankedRules::new(rules);
        let all = members(rules, &self.explored, usize::MAX);
        match &self.values {
            RankedValues::Doubles(values) => {
                each_rank(rules, &self.explored, &all, Stacks::new, |stacks, _, own, reader, nexts| {
                    bar.inc(1);
                    let next = |place: u32| values[nexts[place as usize] as usize];
                    let followed = reader.formula.value(rules.sum(), &next, stacks);
                    let is_right = followed.is_some_and(|followed| followed.is_close(&values[own as usize]));
                    if is_right { Ok(()) } else { Err(self.does_not_follow(answers, &reader.text(), own)) }
                })?;
            }
            RankedValues::Bounds { middles, error } => {
                let of = |number: u32| Bounds::around_middle(middles[number as usize], *error);
                each_rank(rules, &self.explored, &all, Vec::new, |stack, _, own, reader, nexts| {
                    bar.inc(1);
                    let next = |successor| match successor {
                        Successor::Position(place) => of(nexts[place as usize]),
                        _ => of(own),
                    };
                    let followed = reader.formula.evaluate(rules.sum(), &next, stack);
                    let is_right = followed.confirms(&of(own), 2.0 * error);
                    if is_right { Ok(()) } else { Err(self.does_not_follow(answers, &reader.text(), own)) }
                })?;
            }
            RankedValues::Codes { pairs, codes } => {
                let classes = Classes::of(self.explored.ends.iter().copied(), answers.middle());
                let values: Vec<f64> = classes.values().iter().map(nearest_double).collect();
                let known = |&(value, moves): &(f64, u32)| {
                    let place = values.iter().position(|&other| other == value)?;
                    Some(Known { outcome: classes.outcome_at(place), moves })
                };
                let known: Option<Vec<Known>> = pairs.iter().map(known).collect();
                let known = known.ok_or_else(|| answers.wrong(String::from("a value that no game ends with")))?;
                let of = |number: u32| known[usize::from(codes[number as usize]) - 1];
                let partial = Partial::whole(&classes);
                each_rank(rules, &self.explored, &all, Vec::new, |stack, _, own, reader, nexts| {
                    bar.inc(1);
                    let next = |place: u32| Some(of(nexts[place as usize]));
                    let followed = partial.value(&reader.formula, next, stack);
                    // Who can only wait or go round has a draw without end.
                    let endless = Known { outcome: 0, moves: Value::ENDLESS };
                    let is_right = followed.unwrap_or(endless) == of(own);
                    if is_right { Ok(()) } else { Err(self.does_not_follow(answers, &reader.text(), own)) }
                })?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn does_not_follow<R: Rules>(&self, answers: &Answers<'_, R>, text: &str, number: u32) -> Failure {
        answers.wrong(format!("'{text}' is worth {} there, and something else by what follows it", self.value(number)))
    }
}

/// Counts the positions of a game with ranks.
pub(super) fn count_ranked<R: Rules>(rules: &R, watch: &Watch<'_>) -> Result<u64, BadRules> {
    let rules = RankedRules::new(rules);
    check_memory(&rules, watch.memory)?;
    Ok(explore_ranks(&rules, watch, Checks::Some)?.bits.len())
}

/// Refuses a game for which even finding its positions takes too much memory.
fn check_memory<R: Rules>(rules: &RankedRules<'_, R>, memory: u64) -> Result<(), BadRules> {
    // Three sets of ranks while positions are found, then their numbers.
    let needed = (rules.count() / 8).saturating_mul(3);
    if needed > memory { Err(Fault::memory_of(rules.rules, needed, memory).into()) } else { Ok(()) }
}

/// The positions of a stage, or all positions for the largest number.
fn members<R: Rules>(rules: &RankedRules<'_, R>, explored: &Positions, place: usize) -> Bits {
    if let (StagePlaces::Sorted(_), true) = (&explored.stage_of, place != usize::MAX) {
        // The rank of a key is its number.
        let members = Bits::none(rules.count());
        for number in explored.numbers_of(place) {
            members.insert(number.into());
        }
        return members;
    }
    let is_member = |number: u32| place == usize::MAX || explored.stage_of.of(number) == place;
    explored.reached.subset(rules.count(), is_member)
}

/// The name of a stage in the progress, if there is more than one.
fn title_of_stage(explored: &Positions, place: usize) -> String {
    match (explored.stages[place].number, explored.stages.len()) {
        (_, 1) => String::new(),
        (number, count) => format!("stage {number} ({} of {count}) ", place + 1),
    }
}

impl RankedValues {
    /// Numbers the codes that occur: by value, then by moves.
    fn coded(coding: &Coding, mut codes: Vec<u16>) -> RankedValues {
        use rayon::prelude::*;
        let mut occurs = vec![false; 1 << 16];
        let found = codes.par_chunks(1 << 20).map(|chunk| {
            let mut occurs = vec![false; 1 << 16];
            chunk.iter().for_each(|&code| occurs[usize::from(code)] = true);
            occurs
        });
        for chunk in found.collect::<Vec<_>>() {
            occurs.iter_mut().zip(chunk).for_each(|(all, here)| *all |= here);
        }
        let values: Vec<f64> = coding.classes.values().iter().map(nearest_double).collect();
        let mut used: Vec<(f64, u32, u16)> = (0..=u16::MAX)
            .filter(|&code| occurs[usize::from(code)])
            .filter_map(|code| coding.place_and_moves(code).map(|(place, moves)| (values[place], moves, code)))
            .collect();
        used.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut renumbered = vec![0_u16; 1 << 16];
        for (new, (_, _, old)) in (1..).zip(&used) {
            renumbered[usize::from(*old)] = new;
        }
        codes.par_iter_mut().for_each(|code| *code = renumbered[usize::from(*code)]);
        RankedValues::Codes { pairs: used.into_iter().map(|(value, moves, _)| (value, moves)).collect(), codes }
    }
}

/// The error for a cycle among open positions, found from one of them.
fn cycle<R: Rules>(rules: &RankedRules<'_, R>, open: &Bits, mut rank: u64) -> Result<BadRules, BadRules> {
    let mut path: Vec<u64> = Vec::new();
    Reader::guarded(rules, |reader| {
        loop {
            if let Some(first) = path.iter().position(|&other| other == rank) {
                let positions = path[first..].iter().map(|&rank| reader.unrank(rank).to_string()).collect();
                return Ok(Fault::Cycle { positions, shortest: false }.into());
            }
            path.push(rank);
            reader.read(rank, Checks::None)?;
            let next = reader.next_ranks.iter().find(|&&next| open.has(next));
            rank = *next.ok_or_else(|| Fault::Changing.at(reader.text()))?;
        }
    })
}
