//! Finds every reachable position in parallel. The numbering does not depend on the number of threads.
//!
//! Positions are numbered in the order in which they are found, so the numbers also form the queue of the search. A
//! batch of positions is expanded in parallel while the index of keys is read-only. Then each part of the index inserts
//! its own keys. The hash of a key alone decides to which part it belongs.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use indicatif::{HumanCount, ProgressBar};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::error::{BadRules, Fault};
use super::explored::Renumbered;
use super::facts::Facts;
use super::formula::Formula;
use super::graph::{Edges, Graph};
use super::key::append_key;
use super::keys::{FREE, KeyIndex, Keys, decode};
use super::rule_checks::{check_node, check_position, check_predecessors};
use super::rules::Rules;
use super::walk::node_of;

/// Number of parts of the index. Larger than the number of threads, so that every thread has work.
pub(super) const PARTS: usize = 64;
/// Maximum number of tasks that run before the index is updated.
const TASKS: usize = 1 << 7;
/// Maximum number of positions that one task expands.
const TASK: usize = 1 << 7;
/// Number of successors that one task should find. Tasks have fewer positions if these have many successors.
const TASK_SUCCESSORS: usize = 1 << 13;
/// A task ends early with more successors than this, so that the memory of a batch is limited.
pub(super) const MAX_TASK_SUCCESSORS: usize = 4 * TASK_SUCCESSORS;
/// `node` is called twice for the positions with numbers below this.
const TWICE: u32 = 1 << 10;
/// `node` is called twice for the positions with numbers divisible by this.
const TWICE_EVERY: u32 = 1 << 6;

/// Creates a progress bar from a label and a number of steps. The number is 0 if it is not known.
pub(super) type Progress<'a> = &'a dyn Fn(&'static str, u64) -> ProgressBar;

/// What is reported while a game is solved.
pub(super) struct Watch<'a> {
    pub(super) progress: Progress<'a>,
    /// Stop at more positions than this.
    pub(super) most: Option<u64>,
    /// Stop if more bytes of memory than this are needed.
    pub(super) memory: u64,
    /// The number of positions that calls for a remark. It doubles after each remark.
    pub(super) many: u64,
    pub(super) remark: &'a dyn Fn(String),
}

impl Watch<'_> {
    /// Reports nothing.
    pub(super) const SILENT: Watch<'static> = Watch {
        progress: &|_, _| ProgressBar::hidden(),
        most: None,
        memory: u64::MAX,
        many: u64::MAX,
        remark: &|_| (),
    };
}

impl Fault {
    /// The fault of a game that is solved as a whole and needs this number of bytes.
    pub(super) fn memory_of<R: Rules>(rules: &R, needed: u64, allowed: u64) -> Fault {
        let remedy = match rules.ranks() {
            Some(_) => "let `ranks` be a smaller number",
            None => "give positions ranks with `ranks`, `rank` and `unrank`, which takes a tenth of it",
        };
        Fault::Memory { needed, allowed, remedy }
    }
}

/// Finds every position that can be reached from the starts.
pub(super) fn explore<R: Rules>(rules: &R, watch: &Watch<'_>) -> Result<Graph, BadRules> {
    let bar = (watch.progress)("positions", 0);
    let mut many = watch.many;
    let mut explorer = Explorer {
        index: (0..PARTS).map(|_| KeyIndex::default()).collect(),
        graph: Graph { depths: vec![0], ..Graph::default() },
        renumbered: rules.explored().map(Renumbered::new),
    };
    match &mut explorer.renumbered {
        Some(renumbered) => renumbered.add_starts(&mut explorer.graph)?,
        None => explorer.add_starts(rules)?,
    }
    let mut next = 0;
    // Positions per task and per batch. They are the same for any number of threads.
    let (mut task_length, mut batch_length) = (TASK, 1);
    while next < explorer.graph.len() {
        let depth_end = explorer.graph.len();
        while next < depth_end {
            // A batch never crosses from one depth to the next, so the numbers of a depth are consecutive.
            let batch = next..depth_end.min(next + batch_length.min(TASKS * task_length));
            let (length, successors) = (batch.len(), explorer.graph.edges.len());
            let expanded = match &mut explorer.renumbered {
                Some(renumbered) => renumbered.expand(&mut explorer.graph, batch, task_length),
                None => explorer.expand(rules, batch, task_length)?,
            };
            next += expanded;
            let successors = explorer.graph.edges.len() - successors;
            task_length = (TASK_SUCCESSORS * expanded / successors.max(1)).clamp(1, TASK);
            // It grows slowly: the next positions may have many more successors than the last ones.
            batch_length = if expanded < length { expanded } else { (2 * batch_length).min(TASKS * TASK) };
            let found = explorer.graph.len() as u64;
            bar.set_position(found);
            let latest = || explorer.graph.text::<R>(found as u32 - 1);
            if let Some(most) = watch.most.filter(|&most| found > most) {
                return Err(Fault::MorePositions { most, example: latest() }.into());
            }
            let needed = explorer.memory() as u64;
            if needed > watch.memory {
                return Err(Fault::memory_of(rules, needed, watch.memory).into());
            }
            if found >= many {
                let remark = format!("{} positions so far, such as '{}'", HumanCount(found), latest());
                bar.suspend(|| (watch.remark)(format!("{remark}, stop here if the game should have fewer")));
                many = found.saturating_mul(2);
            }
        }
        if explorer.graph.len() > depth_end {
            explorer.graph.depths.push(depth_end as u32);
        }
    }
    bar.finish_and_clear();
    let memory = explorer.memory();
    Ok(Graph { memory, ..explorer.graph })
}

struct Explorer<'a> {
    index: Vec<KeyIndex>,
    graph: Graph,
    renumbered: Option<Renumbered<'a>>,
}

/// Keys for one part of the index.
#[derive(Default)]
struct Found {
    keys: Keys,
    hashes: Vec<u64>,
}

/// The result of a task: the successors of its positions.
struct Expanded {
    found: Vec<Found>,
    /// The part of the index of each found key, in the order of the search.
    parts: Vec<u8>,
    /// The number of successors of each position.
    counts: Vec<u32>,
    stages: Vec<u32>,
    facts: Facts,
}

impl Expanded {
    fn new() -> Expanded {
        Expanded {
            found: (0..PARTS).map(|_| Found::default()).collect(),
            parts: Vec::new(),
            counts: Vec::new(),
            stages: Vec::new(),
            facts: Facts::NONE,
        }
    }

    /// Adds the canonical form of a position.
    fn add<R: Rules>(&mut self, rules: &R, position: R::Position, scratch: &mut Vec<u8>) -> Result<(), BadRules> {
        scratch.clear();
        append_key::<R>(&rules.canonical(position), scratch)?;
        let hash = xxh3_64(scratch);
        let part = part_of(hash);
        let found = &mut self.found[part];
        found.keys.push(scratch);
        found.hashes.push(hash);
        self.parts.push(part as u8);
        Ok(())
    }
}

pub(super) fn part_of(hash: u64) -> usize {
    (hash >> 32) as usize % PARTS
}

/// The keys that a part of the index has inserted.
struct Inserted {
    /// The numbers of the keys of each task. The numbers of new keys are provisional: each part counts them from the
    /// number of positions before the batch.
    numbers: Vec<Vec<u32>>,
    new_keys: Keys,
    /// The places of the new keys in the index.
    new_places: Vec<usize>,
}

impl Inserted {
    /// Inserts the keys that tasks have found for a part of the index.
    fn of_part<'a>(part: &mut KeyIndex, keys: &Keys, tasks: impl Iterator<Item = &'a Found> + Clone) -> Inserted {
        let before = keys.len();
        part.reserve(tasks.clone().map(|found| found.hashes.len()).sum(), keys);
        let mut inserted = Inserted { numbers: Vec::new(), new_keys: Keys::default(), new_places: Vec::new() };
        for found in tasks {
            let mut numbers = Vec::with_capacity(found.hashes.len());
            for (&hash, number) in found.hashes.iter().zip(0..) {
                let key = found.keys.get(number);
                let is_key = |number: u32| match (number as usize).checked_sub(before) {
                    None => keys.get(number) == key,
                    Some(new) => inserted.new_keys.get(new as u32) == key,
                };
                let new = (before + inserted.new_places.len()) as u32;
                let (place, number) = part.insert(hash, new, is_key);
                if number == new {
                    inserted.new_places.push(place);
                    inserted.new_keys.push(key);
                }
                numbers.push(number);
            }
            inserted.numbers.push(numbers);
        }
        inserted
    }
}

impl Explorer<'_> {
    /// Memory in bytes.
    fn memory(&self) -> usize {
        let index: usize = self.index.iter().map(KeyIndex::memory).sum();
        let graph = &self.graph;
        let renumbered = self.renumbered.as_ref().map_or(0, Renumbered::memory);
        let numbers = (graph.own.capacity() + graph.stages.capacity()) * size_of::<u32>();
        index + renumbered + graph.keys.memory() + graph.edges.memory() + numbers
    }

    fn add_starts<R: Rules>(&mut self, rules: &R) -> Result<(), BadRules> {
        let mut starts = Expanded::new();
        let mut scratch = Vec::new();
        let all = catch_unwind(AssertUnwindSafe(|| rules.starts())).map_err(|_| Fault::StartsPanicked)?;
        for (number, start) in all.into_iter().enumerate() {
            let position = catch_unwind(AssertUnwindSafe(|| start.to_string()))
                .map_err(|_| Fault::Panicked { function: "`Display`" }.at(format!("number {number} of `starts`")))?;
            if rules.is_transient(&start) {
                return Err(Fault::TransientStart.at(position));
            }
            // The starts are not used after a panic.
            let outcome = catch_unwind(AssertUnwindSafe(|| starts.add(rules, start, &mut scratch)));
            outcome.unwrap_or(Err(Fault::Panicked { function: "`canonical`" }.at(position)))?;
        }
        if starts.parts.is_empty() {
            return Err(Fault::NoStart.into());
        }
        self.insert(vec![starts])?;
        // The starts are not successors of any position.
        self.graph.edges = Edges::default();
        Ok(())
    }

    /// Expands the first positions of a batch in tasks of `task_length` positions, and returns their number. The
    /// positions after a task that ended early are left for the next batch.
    fn expand<R: Rules>(&mut self, rules: &R, batch: Range<usize>, task_length: usize) -> Result<usize, BadRules> {
        let numbers: Vec<u32> = batch.map(|number| number as u32).collect();
        let keys = &self.graph.keys;
        let expand_task = |task: &[u32]| expand_task(rules, keys, task);
        let tasks: Vec<Result<Expanded, BadRules>> = match numbers.len() <= task_length {
            true => vec![expand_task(&numbers)],
            false => numbers.par_chunks(task_length).map(expand_task).collect(),
        };
        let mut expanded: Vec<Expanded> = Vec::with_capacity(tasks.len());
        let mut positions = 0;
        for (task, outcome) in numbers.chunks(task_length).zip(tasks) {
            // The first error in the order of the positions, not in the order of the threads.
            let outcome = outcome?;
            let count = outcome.counts.len();
            positions += count;
            expanded.push(outcome);
            if count < task.len() {
                break;
            }
        }
        self.insert(expanded)?;
        Ok(positions)
    }

    /// Numbers the found keys and appends the edges.
    fn insert(&mut self, expanded: Vec<Expanded>) -> Result<(), BadRules> {
        let before = self.graph.keys.len();
        let keys = &self.graph.keys;
        let mut inserted: Vec<Inserted> = for_parts(&mut self.index, expanded.len(), |number, part| {
            Inserted::of_part(part, keys, expanded.iter().map(|task| &task.found[number]))
        });
        let mut next = before;
        let mut firsts = Vec::with_capacity(PARTS);
        for part in &inserted {
            firsts.push(next as u32);
            next += part.new_places.len();
            if next >= FREE as usize {
                return Err(Fault::TooManyPositions.into());
            }
        }
        for_parts(&mut self.index, expanded.len(), |part_number, part| {
            for (number, &place) in (firsts[part_number]..).zip(&inserted[part_number].new_places) {
                part.renumber(place, number);
            }
        });
        for part in &inserted {
            (0..part.new_keys.len() as u32).for_each(|number| self.graph.keys.push(part.new_keys.get(number)));
        }
        for (number, task) in expanded.iter().enumerate() {
            let mut lists: Vec<_> = inserted.iter_mut().map(|part| std::mem::take(&mut part.numbers[number])).collect();
            let mut nexts = [0; PARTS];
            let targets = task.parts.iter().map(|&part| {
                let part = usize::from(part);
                nexts[part] += 1;
                let number = std::mem::take(&mut lists[part][nexts[part] - 1]);
                if (number as usize) < before { number } else { number - before as u32 + firsts[part] }
            });
            self.graph.edges.extend(targets, &task.counts);
            self.graph.stages.extend_from_slice(&task.stages);
            self.graph.facts = self.graph.facts.and(task.facts);
        }
        Ok(())
    }
}

/// The results of `work` for every part of the index, in order. For a single task the other threads are not woken: a
/// deep game may have as many batches as positions, and waking takes longer than a few insertions.
fn for_parts<U: Send>(index: &mut [KeyIndex], tasks: usize, work: impl Fn(usize, &mut KeyIndex) -> U + Sync) -> Vec<U> {
    match tasks {
        1 => index.iter_mut().enumerate().map(|(number, part)| work(number, part)).collect(),
        _ => index.par_iter_mut().enumerate().map(|(number, part)| work(number, part)).collect(),
    }
}

fn expand_task<R: Rules>(rules: &R, keys: &Keys, numbers: &[u32]) -> Result<Expanded, BadRules> {
    let mut expander = Expander { rules, expanded: Expanded::new(), formula: Formula::new(), scratch: Vec::new() };
    for &number in numbers {
        // The function of the rules that runs.
        let running = Cell::new("`Deserialize`");
        // The expander is not used after a panic.
        let outcome = catch_unwind(AssertUnwindSafe(|| expander.expand(number, keys.get(number), &running)));
        outcome.unwrap_or_else(|_| {
            let position = catch_unwind(|| decode::<R>(keys.get(number)).map(|position| position.to_string()));
            let position = position.ok().and_then(Result::ok).unwrap_or_else(|| format!("number {number}"));
            Err(Fault::Panicked { function: running.get() }.at(position))
        })?;
        if expander.expanded.parts.len() > MAX_TASK_SUCCESSORS {
            break;
        }
    }
    let expanded = expander.expanded;
    if !expanded.stages.is_empty() && expanded.stages.len() != expanded.counts.len() {
        let missing = decode::<R>(keys.get(numbers[expanded.stages.len()]))?;
        return Err(Fault::StageMissing.at(missing));
    }
    Ok(expanded)
}

/// Expands the positions of a task.
struct Expander<'a, R> {
    rules: &'a R,
    expanded: Expanded,
    formula: Formula,
    scratch: Vec<u8>,
}

impl<R: Rules> Expander<'_, R> {
    /// Adds the successors of a position. Writes the function of the rules that it calls to `running`.
    fn expand(&mut self, number: u32, key: &[u8], running: &Cell<&'static str>) -> Result<(), BadRules> {
        let (rules, expanded) = (self.rules, &mut self.expanded);
        let position = decode::<R>(key)?;
        check_position(rules, &position, key, &mut self.scratch, running)?;
        let before = expanded.parts.len();
        running.set("`node`");
        let node = node_of(rules, &position)?;
        // Building the formula checks the node. The position numbers are not used here.
        self.formula.build(rules, node, &position, |next| {
            running.set("`canonical`");
            expanded.add(rules, next, &mut self.scratch)?;
            running.set("`node`");
            Ok(0)
        })?;
        if number < TWICE || number.is_multiple_of(TWICE_EVERY) {
            check_node(rules, &position)?;
            running.set("`predecessors`");
            check_predecessors(rules, &position)?;
        }
        expanded.counts.push((expanded.parts.len() - before) as u32);
        expanded.facts = expanded.facts.and(self.formula.facts());
        running.set("`stage`");
        if let Some(stage) = rules.stage(&position) {
            expanded.stages.push(stage);
            if expanded.stages.len() != expanded.counts.len() {
                return Err(Fault::StageMissing.at(position));
            }
        }
        Ok(())
    }
}
