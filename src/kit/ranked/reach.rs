//! Finds every reachable rank, in parallel. Only a bit per rank is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::super::error::{BadRules, Fault};
use super::super::explore::Watch;
use super::super::facts::Facts;
use super::super::formula::Operation;
use super::super::number::Number;
use super::super::retrograde::number_key;
use super::super::rules::Rules;
use super::super::scheme::Schemes;
use super::gather::Gathered;
use super::ranks::RankedRules;
use super::read::{Checks, Reader, in_tasks};
use super::set::{Bits, MOST_POSITIONS, Numbered};

/// Every reachable position, and what is known of the game.
pub(super) struct Positions {
    pub(super) reached: Numbered,
    pub(super) facts: Facts,
    /// The different values of finished games.
    pub(super) ends: Vec<Number>,
    /// The stages, in ascending order; a single one if the rules have none.
    pub(super) stages: Vec<Stage>,
    /// The stage of each position.
    pub(super) stage_of: StagePlaces,
    /// The pairs of a stage and another one that a move leads to, as places in `stages`.
    pub(super) exits: Vec<(u16, u16)>,
    /// Whether some position leads to another without a choice.
    pub(super) has_forced: bool,
    pub(super) schemes: Arc<Schemes>,
}

/// Every reachable rank, before positions are numbered.
pub(super) struct Reached {
    pub(super) bits: Bits,
    pub(super) summary: Summary,
    pub(super) schemes: Arc<Schemes>,
}

/// What is known of a game when its positions are found.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Summary {
    facts: Facts,
    ends: Vec<Number>,
    /// The numbers of the stages.
    stages: Vec<u32>,
    /// The pairs of a stage and one that a move leads to.
    moves: Vec<(u32, u32)>,
    /// The number of moves that stay in each stage; a single number if the rules have none.
    edges: Vec<u64>,
    has_forced: bool,
}

impl Summary {
    pub(super) fn stages(&self) -> &[u32] {
        &self.stages
    }
}

/// Positions that are solved together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Stage {
    pub(super) number: u32,
    /// Whether some move stays in the stage.
    pub(super) is_cyclic: bool,
    pub(super) positions: u64,
    /// The number of moves that stay in the stage.
    pub(super) edges: u64,
}

/// What a task has found.
#[derive(Clone)]
pub(super) struct Found {
    facts: Facts,
    ends: FxHashMap<(u8, i64, i64), Number>,
    /// The stages, with the number of moves that stay in each. Without stages all moves are those of stage 0.
    stages: BTreeMap<u32, u64>,
    /// The pairs of a stage and one that a move leads to.
    moves: BTreeSet<(u32, u32)>,
    has_forced: bool,
    new: u64,
}

impl Found {
    pub(super) fn nothing() -> Found {
        Found {
            facts: Facts::NONE,
            ends: FxHashMap::default(),
            stages: BTreeMap::new(),
            moves: BTreeSet::new(),
            has_forced: false,
            new: 0,
        }
    }

    pub(super) fn add(&mut self, other: Found) {
        self.facts = self.facts.and(other.facts);
        self.ends.extend(other.ends);
        other.stages.into_iter().for_each(|(stage, edges)| *self.stages.entry(stage).or_default() += edges);
        self.moves.extend(other.moves);
        self.has_forced |= other.has_forced;
        self.new += other.new;
    }

    pub(super) fn summary(self, has_stages: bool) -> Summary {
        let mut ends: Vec<_> = self.ends.into_iter().collect();
        ends.sort_by_key(|(key, _)| *key);
        Summary {
            facts: self.facts,
            ends: ends.into_iter().map(|(_, value)| value).collect(),
            stages: if has_stages { self.stages.keys().copied().collect() } else { Vec::new() },
            edges: self.stages.into_values().collect(),
            moves: self.moves.into_iter().collect(),
            has_forced: self.has_forced,
        }
    }

    /// Notes what a position is, after it was read.
    pub(super) fn note<R: Rules>(&mut self, reader: &Reader<'_, R>, has_stages: bool) -> Result<(), BadRules> {
        self.facts = self.facts.and(reader.formula.facts());
        for operation in reader.formula.operations() {
            if let Operation::Over(value) = operation {
                self.ends.insert(number_key(*value), *value);
            }
        }
        let facts = reader.formula.facts();
        self.has_forced |= !reader.nexts.is_empty() && !facts.has_max && !facts.has_min;
        let position = reader.position.as_ref().expect("a position was read");
        match (reader.stage(position), has_stages) {
            (None, false) => {
                *self.stages.entry(0).or_default() += reader.nexts.len() as u64;
                Ok(())
            }
            (None, true) => Err(Fault::StageMissing.at(position)),
            (Some(_), false) => Err(Fault::StageMissing.at("the first start")),
            (Some(stage), true) => {
                if reader.formula.waits() {
                    self.moves.insert((stage, stage));
                }
                let (mut noted, mut edges) = (None, 0);
                for next in &reader.nexts {
                    match reader.stage(next) {
                        None => return Err(Fault::StageMissing.at(next)),
                        Some(other) if other > stage => {
                            return Err(Fault::StageRises { next: next.to_string() }.at(position));
                        }
                        Some(other) => {
                            edges += u64::from(other == stage);
                            // Most moves lead to the same few stages.
                            if noted != Some(other) {
                                self.moves.insert((stage, other));
                                noted = Some(other);
                            }
                        }
                    }
                }
                *self.stages.entry(stage).or_default() += edges;
                Ok(())
            }
        }
    }
}

/// Finds every rank that can be reached from the starts.
pub(super) fn explore_ranks<R: Rules>(
    rules: &RankedRules<'_, R>,
    watch: &Watch<'_>,
    checks: Checks,
) -> Result<Reached, BadRules> {
    let ranks = rules.count();
    let reached = Bits::none(ranks);
    let (mut frontier, mut next) = (Bits::none(ranks), Bits::none(ranks));
    let starts = start_ranks(rules)?;
    let start = *starts.first().ok_or(Fault::NoStart)?;
    for rank in starts {
        reached.insert(rank);
        frontier.insert(rank);
    }
    let has_stages = Reader::guarded(rules, |reader| Ok::<_, BadRules>(reader.stage(&reader.unrank(start)).is_some()))?;
    let bar = (watch.progress)("positions", 0);
    let schemes = Arc::new(Schemes::default());
    let mut all = Found::nothing();
    let mut count = frontier.len();
    loop {
        let tasks = in_tasks(rules, &schemes, &frontier, |reader, words| {
            let mut found = Found::nothing();
            for rank in frontier.of_words(words) {
                reader.read(rank, checks)?;
                found.note(reader, has_stages)?;
                for &rank in &reader.next_ranks {
                    found.new += u64::from(reached.insert(rank) && next.insert(rank));
                }
            }
            bar.inc(found.new);
            Ok::<Found, BadRules>(found)
        })?;
        let mut level = Found::nothing();
        tasks.into_iter().for_each(|found| level.add(found));
        count += level.new;
        let is_done = level.new == 0;
        all.add(level);
        if let Some(most) = watch.most.filter(|&most| count > most) {
            let example = next.of_words(0..next.words()).next().unwrap_or(start);
            return Err(Fault::MorePositions { most, example: rules.unrank(example).to_string() }.into());
        }
        if is_done {
            break;
        }
        check_count(rules, count, watch.memory)?;
        std::mem::swap(&mut frontier, &mut next);
        next.clear();
    }
    bar.finish_and_clear();
    Ok(Reached { bits: reached, summary: all.summary(has_stages), schemes })
}

fn start_ranks<R: Rules>(rules: &RankedRules<'_, R>) -> Result<Vec<u64>, BadRules> {
    let starts = catch_unwind(AssertUnwindSafe(|| rules.starts())).map_err(|_| Fault::StartsPanicked)?;
    let rank = |start: R::Position| {
        if rules.is_transient(&start) {
            return Err(Fault::TransientStart.at(start));
        }
        Reader::guarded(rules, |reader| reader.rank_of(&rules.canonical(start)))
    };
    starts.into_iter().map(rank).collect()
}

/// Refuses a game that has too many positions by now, or too many for the memory: their numbers and least values.
fn check_count<R: Rules>(rules: &RankedRules<'_, R>, count: u64, memory: u64) -> Result<(), BadRules> {
    if count > MOST_POSITIONS {
        return Err(Fault::TooManyPositions.into());
    }
    let needed = rules.count() / 7 + rules.count() / 8 + count * size_of::<u16>() as u64;
    if needed > memory { Err(Fault::memory_of(rules.rules, needed, memory).into()) } else { Ok(()) }
}

impl Positions {
    /// The numbers of the positions of a stage.
    pub(super) fn numbers_of(&self, place: usize) -> impl Iterator<Item = u32> {
        let range = match &self.stage_of {
            StagePlaces::Sorted(ends) => place.checked_sub(1).map_or(0, |before| ends[before])..ends[place],
            _ => 0..self.reached.len() as u32,
        };
        range.filter(move |&number| self.stage_of.of(number) == place)
    }
}

impl Reached {
    /// The positions whose keys are in files. All of their ranks are reached.
    pub(super) fn of_keys<R>(rules: &mut RankedRules<'_, R>, gathered: Gathered) -> Reached {
        let bits = Bits::all(gathered.keys.len());
        rules.keys = Some(gathered.keys);
        Reached { bits, summary: gathered.summary, schemes: Arc::default() }
    }

    /// Numbers the positions.
    pub(super) fn numbered<R: Rules>(self, rules: &RankedRules<'_, R>) -> Result<Positions, BadRules> {
        let Summary { facts, ends, stages: numbers, moves, edges, has_forced } = self.summary;
        let reached = Numbered::of(&self.bits, rules.count()).ok_or(Fault::TooManyPositions)?;
        let positions = reached.len() as u64;
        if numbers.len() > usize::from(u16::MAX) {
            return Err(Fault::TooManyStages.into());
        }
        if numbers.is_empty() {
            let stages = vec![Stage { number: 0, is_cyclic: true, positions, edges: edges.iter().sum() }];
            let (stage_of, exits) = (StagePlaces::One, Vec::new());
            return Ok(Positions { reached, facts, ends, stages, stage_of, exits, has_forced, schemes: self.schemes });
        }
        let stage_of = match (numbers.len(), &rules.keys) {
            (1, _) => StagePlaces::One,
            (_, Some(keys)) => StagePlaces::Sorted(keys.ranges().map(|ranks| ranks.end as u32).collect()),
            (2..=256, _) => StagePlaces::Bytes(stages_of(rules, &reached, &numbers)?),
            _ => StagePlaces::Words(stages_of(rules, &reached, &numbers)?),
        };
        let mut counts = vec![0_u64; numbers.len()];
        (0..positions as u32).for_each(|number| counts[stage_of.of(number)] += 1);
        let is_cyclic = |number: u32| moves.binary_search(&(number, number)).is_ok();
        let stage = |((&number, &positions), edges)| Stage { number, is_cyclic: is_cyclic(number), positions, edges };
        let stages = numbers.iter().zip(&counts).zip(edges).map(stage).collect();
        let place = |number: u32| numbers.binary_search(&number).unwrap_or_default() as u16;
        let exits = moves.iter().filter(|(from, to)| from != to).map(|&(from, to)| (place(from), place(to))).collect();
        Ok(Positions { reached, facts, ends, stages, stage_of, exits, has_forced, schemes: self.schemes })
    }
}

/// The stage of each position, as its place among all stages.
pub(super) enum StagePlaces {
    /// All are in the only stage.
    One,
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    /// Positions are sorted by stages. The ends of all stages.
    Sorted(Vec<u32>),
}

impl StagePlaces {
    /// The place of a position's stage.
    pub(super) fn of(&self, number: u32) -> usize {
        match self {
            StagePlaces::One => 0,
            StagePlaces::Bytes(places) => usize::from(places[number as usize]),
            StagePlaces::Words(places) => usize::from(places[number as usize]),
            StagePlaces::Sorted(ends) => ends.partition_point(|&end| end <= number),
        }
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        match self {
            StagePlaces::One => 0,
            StagePlaces::Bytes(places) => places.len(),
            StagePlaces::Words(places) => places.len() * size_of::<u16>(),
            StagePlaces::Sorted(ends) => ends.len() * size_of::<u32>(),
        }
    }
}

/// The place of each position's stage among all stages.
fn stages_of<R: Rules, T: TryFrom<usize> + Clone + Default + Send>(
    rules: &RankedRules<'_, R>,
    reached: &Numbered,
    stages: &[u32],
) -> Result<Vec<T>, BadRules> {
    const CHUNK: usize = 1 << 12;
    let mut places = vec![T::default(); reached.len()];
    let outcomes: Vec<Result<(), BadRules>> = places
        .par_chunks_mut(CHUNK)
        .enumerate()
        .map(|(chunk, places)| {
            Reader::guarded(rules, |reader| {
                for (number, place) in (chunk * CHUNK..).zip(places) {
                    let position = reader.unrank(reached.rank(number as u32));
                    let stage = reader.stage(&position).ok_or_else(|| Fault::StageMissing.at(&position))?;
                    let found = stages.binary_search(&stage).map_err(|_| Fault::Changing.at(&position))?;
                    *place = T::try_from(found).map_err(|_| Fault::TooManyPositions)?;
                }
                Ok(())
            })
        })
        .collect();
    outcomes.into_iter().collect::<Result<(), BadRules>>()?;
    Ok(places)
}
