//! Solves large games whose positions have ranks.
//!
//! No keys, no hash table and no moves are kept in memory: a bit for each rank, and a value for each reachable position. A
//! position is read again, with `unrank` and `node`, whenever its successors are needed. The values are those of the
//! solver that keeps the whole game in memory, and so is the table.

mod numbers;
mod outcomes;
mod reach;
mod read;
mod set;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicU16;

use indicatif::ProgressBar;

use super::error::{BadRules, Fault};
use super::explore::Watch;
use super::failure::Failure;
use super::file::Answers;
use super::formula::Stacks;
use super::number::{Closed, nearest_double};
use super::retrograde::Classes;
use super::rules::{Cycles, Rules};
use super::value::{Value, Worth};
use numbers::Doubles;
use outcomes::{Coding, Known, Partial, Solver, Unsolved};
use reach::{Explored, explore_ranks};
use read::{Checks, Reader, each_rank};
use set::Bits;

/// Games with fewer ranks are solved as a whole, with all moves in memory, which is faster.
const LEAST_RANKS: u64 = 1 << 20;

/// Whether a game is solved by its ranks.
pub(super) fn has_many_ranks<R: Rules>(rules: &R) -> bool {
    rules.ranks().is_some_and(|ranks| ranks >= LEAST_RANKS)
}

/// A solved game.
pub(super) struct Ranked {
    explored: Explored,
    pub(super) values: RankedValues,
}

/// The values of all positions, by number.
pub(super) enum RankedValues {
    /// Codes of the pairs of a value and the moves to the end. The first code is 1.
    Codes {
        pairs: Vec<(f64, u32)>,
        codes: Vec<u16>,
    },
    Doubles(Vec<f64>),
}

/// How a game is solved.
enum Way {
    Outcomes(Coding),
    Doubles,
    /// Another solver is needed.
    Other,
}

impl Ranked {
    pub(super) fn positions(&self) -> usize {
        self.explored.reached.len()
    }

    pub(super) fn facts(&self) -> &super::formula::Facts {
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
            RankedValues::Codes { pairs, codes } => {
                let (value, moves) = pairs[usize::from(codes[number as usize]) - 1];
                Value { worth: Worth::Double(value), moves: Some(moves) }
            }
        }
    }

    /// The positions of a game, all of them checked, with the values of its table. `None` if the table is not one that
    /// [`solve_ranked`] makes, or if steps without a choice might go round.
    pub(super) fn of_table<R: Rules>(
        rules: &R,
        answers: &Answers<'_, R>,
        watch: &Watch<'_>,
    ) -> Result<Option<Ranked>, Failure> {
        let explored = explore_ranks(rules, watch, Checks::All)?;
        let may_go_round = explored.has_forced && rules.cycles() == Cycles::Draw;
        if may_go_round || matches!(way(rules, &explored), Way::Other) {
            return Ok(None);
        }
        let values = answers.values_by_rank(explored.reached.len(), |rank| explored.reached.number(rank))?;
        Ok(values.map(|values| Ranked { explored, values }))
    }

    /// Checks that every value follows from the values of the successors.
    pub(super) fn check_all<R: Rules>(
        &self,
        rules: &R,
        answers: &Answers<'_, R>,
        watch: &Watch<'_>,
    ) -> Result<(), Failure> {
        let bar = (watch.progress)("values", self.positions() as u64);
        let all = members(rules, &self.explored, usize::MAX);
        match &self.values {
            RankedValues::Doubles(values) => {
                each_rank(rules, &self.explored.reached, &all, Stacks::new, |stacks, _, own, reader, nexts| {
                    bar.inc(1);
                    let next = |place: u32| values[nexts[place as usize] as usize];
                    let followed = reader.formula.value(rules.sum(), &next, stacks);
                    let is_right = followed.is_some_and(|followed| followed.is_close(&values[own as usize]));
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
                each_rank(rules, &self.explored.reached, &all, Vec::new, |stack, _, own, reader, nexts| {
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
    check_memory(rules, watch.memory)?;
    Ok(explore_ranks(rules, watch, Checks::Some)?.reached.len() as u64)
}

/// Solves a game by its ranks. `None` if this way does not solve it: the game has costs, or
/// bounds, or too many different values.
pub(super) fn solve_ranked<R: Rules>(rules: &R, watch: &Watch<'_>) -> Result<Option<Ranked>, BadRules> {
    check_memory(rules, watch.memory)?;
    let explored = explore_ranks(rules, watch, Checks::Some)?;
    if rules.cycles() == Cycles::Draw && explored.facts.has_chance {
        return Ok(None);
    }
    let (way, bytes) = match way(rules, &explored) {
        Way::Other => return Ok(None),
        Way::Outcomes(coding) => (Way::Outcomes(coding), size_of::<u16>()),
        Way::Doubles => (Way::Doubles, size_of::<f64>()),
    };
    let ranks = rules.ranks().unwrap_or(0);
    let used = explored.reached.memory() as u64
        + ranks / 8
        + (explored.reached.len() * bytes + explored.stage_of.len() * size_of::<u16>()) as u64;
    if used > watch.memory {
        return Err(Fault::Memory { needed: used, allowed: watch.memory, has_ranks: true }.into());
    }
    let values = match way {
        Way::Outcomes(coding) => match outcomes(rules, &explored, &coding, watch.memory - used, watch) {
            Err(Unsolved::TooLong) => return Ok(None),
            Err(Unsolved::Bad(bad)) => return Err(bad),
            Ok(values) => values,
        },
        _ => doubles(rules, &explored, watch)?,
    };
    Ok(Some(Ranked { explored, values }))
}

/// Refuses a game for which even finding its positions takes too much memory.
fn check_memory<R: Rules>(rules: &R, memory: u64) -> Result<(), BadRules> {
    // Three sets of ranks while positions are found, then their numbers.
    let needed = (rules.ranks().unwrap_or(0) / 8).saturating_mul(3);
    if needed > memory { Err(Fault::Memory { needed, allowed: memory, has_ranks: true }.into()) } else { Ok(()) }
}

fn way<R: Rules>(rules: &R, explored: &Explored) -> Way {
    let (facts, cycles) = (&explored.facts, rules.cycles());
    if matches!(cycles, Cycles::Iterate { .. }) && explored.stages.iter().any(|stage| stage.is_cyclic) {
        return Way::Other;
    }
    let may_repeat = cycles == Cycles::Draw;
    if facts.has_costs && (may_repeat || facts.has_length()) {
        return Way::Other;
    }
    if !may_repeat && !facts.has_length() {
        return Way::Doubles;
    }
    let classes = Classes::of(explored.ends.iter().copied(), facts.middle(rules));
    let is_exact = !may_repeat || classes.fits_doubles();
    Coding::new(classes).filter(|_| is_exact).map_or(Way::Other, Way::Outcomes)
}

/// The positions of a stage, or all positions for the largest number.
fn members<R: Rules>(rules: &R, explored: &Explored, place: usize) -> Bits {
    let stage_of = &explored.stage_of;
    let is_all = stage_of.is_empty() || place == usize::MAX;
    let is_member = |number: u32| is_all || usize::from(stage_of[number as usize]) == place;
    explored.reached.subset(rules.ranks().unwrap_or(0), is_member)
}

/// Shows the stage that is solved.
fn name_stage(bar: &ProgressBar, explored: &Explored, place: usize) {
    if explored.stages.len() > 1 {
        let (number, count) = (explored.stages[place].number, explored.stages.len());
        bar.set_message(format!("stage {number} ({} of {count})", place + 1));
    }
}

fn outcomes<R: Rules>(
    rules: &R,
    explored: &Explored,
    coding: &Coding,
    room: u64,
    watch: &Watch<'_>,
) -> Result<RankedValues, Unsolved> {
    let codes: Vec<AtomicU16> = (0..explored.reached.len()).map(|_| AtomicU16::new(outcomes::OPEN)).collect();
    let bar = (watch.progress)("values", explored.reached.len() as u64);
    let solver = Solver { rules, explored, coding, codes: &codes, room, bar: &bar };
    for (place, stage) in explored.stages.iter().enumerate() {
        let open = members(rules, explored, place);
        name_stage(&bar, explored, place);
        match (stage.is_cyclic, rules.cycles()) {
            (false, _) => solver.solve_in_one_pass(&open)?,
            (true, Cycles::Draw) => solver.solve_backwards(&open)?,
            (true, _) => solver.solve_by_height(&open)?,
        }
    }
    bar.finish_and_clear();
    let codes = codes.into_iter().map(AtomicU16::into_inner).collect();
    Ok(RankedValues::coded(coding, codes))
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

fn doubles<R: Rules>(rules: &R, explored: &Explored, watch: &Watch<'_>) -> Result<RankedValues, BadRules> {
    let values = Doubles::open(explored.reached.len());
    let bar = (watch.progress)("values", explored.reached.len() as u64);
    for place in 0..explored.stages.len() {
        let open = members(rules, explored, place);
        name_stage(&bar, explored, place);
        if let Some(rank) = numbers::solve_by_height(rules, explored, &values, &open, &bar)? {
            return Err(cycle(rules, &open, rank)?);
        }
    }
    bar.finish_and_clear();
    Ok(RankedValues::Doubles((0..explored.reached.len() as u32).map(|number| values.get(number)).collect()))
}

/// The error for a cycle among open positions, found from one of them.
fn cycle<R: Rules>(rules: &R, open: &Bits, mut rank: u64) -> Result<BadRules, BadRules> {
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
