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

use super::error::BadRules;
use super::formula::{Facts, Formula};
use super::key::{Keys, append_key, decode, key_of};
use super::rules::{Node, Rules};

/// Number of parts of the index. Larger than the number of threads, so that every thread has work.
const PARTS: usize = 64;
/// Number of positions that are expanded before the index is updated.
const BATCH: usize = 1 << 14;
/// Number of positions that one task expands.
const TASK: usize = 1 << 7;
/// Marks a free place of the index.
const FREE: u32 = u32::MAX;
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
    /// The number of positions that calls for a remark. It doubles after each remark.
    pub(super) many: u64,
    pub(super) remark: &'a dyn Fn(String),
}

impl Watch<'_> {
    /// Reports nothing.
    pub(super) const SILENT: Watch<'static> =
        Watch { progress: &|_, _| ProgressBar::hidden(), most: None, many: u64::MAX, remark: &|_| () };
}

/// Every reachable position and its successors.
pub(super) struct Graph {
    pub(super) keys: Keys,
    /// The successors of each position, in the order of its node and with repetitions.
    pub(super) edges: Edges,
    /// The layer of each position, or empty if the rules have no layers.
    pub(super) layers: Vec<u32>,
    /// `depths[d]` is the first position at distance `d` from the starts.
    pub(super) depths: Vec<u32>,
    pub(super) facts: Facts,
    /// Peak memory of the search in bytes.
    pub(super) memory: usize,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The position of a number.
    pub(super) fn position<R: Rules>(&self, number: u32) -> Result<R::Position, BadRules> {
        decode::<R>(self.keys.get(number))
    }

    /// The position of a number as text.
    pub(super) fn text<R: Rules>(&self, number: u32) -> String {
        self.position::<R>(number).map_or_else(|error| error.to_string(), |position| position.to_string())
    }
}

/// One list of successors per position.
#[derive(Default)]
pub(super) struct Edges {
    ends: Vec<u64>,
    targets: Vec<u32>,
}

impl Edges {
    pub(super) fn of(&self, number: u32) -> &[u32] {
        &self.targets[self.range(number)]
    }

    pub(super) fn range(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start as usize..self.ends[number] as usize
    }

    /// The successor at a place of [`Edges::range`].
    pub(super) fn target(&self, place: usize) -> u32 {
        self.targets[place]
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    fn memory(&self) -> usize {
        self.ends.capacity() * size_of::<u64>() + self.targets.capacity() * size_of::<u32>()
    }
}

/// Finds every position that can be reached from the starts.
pub(super) fn explore<R: Rules>(rules: &R, watch: &Watch<'_>) -> Result<Graph, BadRules> {
    let bar = (watch.progress)("positions", 0);
    let mut many = watch.many;
    let mut explorer = Explorer {
        index: (0..PARTS).map(|_| Part::default()).collect(),
        graph: Graph {
            keys: Keys::default(),
            edges: Edges::default(),
            layers: Vec::new(),
            depths: vec![0],
            facts: Facts::NONE,
            memory: 0,
        },
    };
    explorer.add_starts(rules)?;
    let mut next = 0;
    while next < explorer.graph.len() {
        let depth_end = explorer.graph.len();
        while next < depth_end {
            // A batch never crosses from one depth to the next, so the numbers of a depth are consecutive.
            let batch = next..depth_end.min(next + BATCH);
            next = batch.end;
            explorer.expand(rules, batch)?;
            let found = explorer.graph.len() as u64;
            bar.set_position(found);
            let latest = || explorer.graph.text::<R>(found as u32 - 1);
            if let Some(most) = watch.most.filter(|&most| found > most) {
                return Err(BadRules::MorePositions { most, position: latest() });
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
    let mut graph = explorer.graph;
    graph.memory += explorer.index.iter().map(|part| part.places.capacity() * size_of::<u32>()).sum::<usize>();
    graph.memory += graph.keys.memory() + graph.edges.memory() + graph.layers.capacity() * size_of::<u32>();
    Ok(graph)
}

struct Explorer {
    index: Vec<Part>,
    graph: Graph,
}

/// A part of the index: a hash table of position numbers with linear probing.
#[derive(Default)]
struct Part {
    places: Vec<u32>,
    used: usize,
}

/// Keys for one part of the index.
#[derive(Default)]
struct Found {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    hashes: Vec<u64>,
}

impl Found {
    fn keys(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let keys = starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end]);
        keys.zip(self.hashes.iter().copied())
    }
}

/// The result of a task: the successors of its positions.
struct Expanded {
    found: Vec<Found>,
    /// The part of the index of each found key, in the order of the search.
    parts: Vec<u8>,
    /// The number of successors of each position.
    counts: Vec<u32>,
    layers: Vec<u32>,
    facts: Facts,
}

impl Expanded {
    fn new() -> Expanded {
        Expanded {
            found: (0..PARTS).map(|_| Found::default()).collect(),
            parts: Vec::new(),
            counts: Vec::new(),
            layers: Vec::new(),
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
        found.bytes.extend_from_slice(scratch);
        found.ends.push(found.bytes.len());
        found.hashes.push(hash);
        self.parts.push(part as u8);
        Ok(())
    }
}

fn part_of(hash: u64) -> usize {
    (hash >> 32) as usize % PARTS
}

/// The keys that a part of the index has inserted.
struct Inserted {
    /// The numbers of the keys of each task. The numbers of new keys are provisional: each part counts them from the
    /// number of positions before the batch.
    numbers: Vec<Vec<u32>>,
    new_keys: Found,
    /// The places of the new keys in the index.
    new_places: Vec<usize>,
}

impl Explorer {
    fn add_starts<R: Rules>(&mut self, rules: &R) -> Result<(), BadRules> {
        let mut starts = Expanded::new();
        let mut scratch = Vec::new();
        for start in rules.starts() {
            let position = start.to_string();
            // The starts are not used after a panic.
            let outcome = catch_unwind(AssertUnwindSafe(|| starts.add(rules, start, &mut scratch)));
            outcome.unwrap_or(Err(BadRules::Panicked { position, function: "`canonical`" }))?;
        }
        if starts.parts.is_empty() {
            return Err(BadRules::NoStart);
        }
        self.insert(vec![starts])?;
        // The starts are not successors of any position.
        self.graph.edges = Edges::default();
        Ok(())
    }

    fn expand<R: Rules>(&mut self, rules: &R, batch: Range<usize>) -> Result<(), BadRules> {
        let numbers: Vec<u32> = batch.map(|number| number as u32).collect();
        let keys = &self.graph.keys;
        let expanded: Vec<Result<Expanded, BadRules>> =
            numbers.par_chunks(TASK).map(|task| expand_task(rules, keys, task)).collect();
        // Reports the first error in the order of the positions, not in the order of the threads.
        let expanded = expanded.into_iter().collect::<Result<Vec<Expanded>, BadRules>>()?;
        self.insert(expanded)
    }

    /// Numbers the found keys and appends the edges.
    fn insert(&mut self, expanded: Vec<Expanded>) -> Result<(), BadRules> {
        let before = self.graph.keys.len();
        let keys = &self.graph.keys;
        let mut inserted: Vec<Inserted> = self
            .index
            .par_iter_mut()
            .enumerate()
            .map(|(number, part)| part.insert(keys, expanded.iter().map(|task| &task.found[number])))
            .collect();
        let mut next = before;
        let mut firsts = Vec::with_capacity(PARTS);
        for part in &inserted {
            firsts.push(next as u32);
            next += part.new_places.len();
            if next >= FREE as usize {
                return Err(BadRules::TooManyPositions);
            }
        }
        self.index.par_iter_mut().zip(&inserted).zip(&firsts).for_each(|((part, inserted), &first)| {
            for (number, &place) in (first..).zip(&inserted.new_places) {
                part.places[place] = number;
            }
        });
        for part in &inserted {
            for (key, _) in part.new_keys.keys() {
                self.graph.keys.push(key);
            }
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
            self.graph.edges.targets.extend(targets);
            let ends = &mut self.graph.edges.ends;
            for &count in &task.counts {
                ends.push(ends.last().copied().unwrap_or(0) + u64::from(count));
            }
            self.graph.layers.extend_from_slice(&task.layers);
            self.graph.facts = self.graph.facts.and(task.facts);
        }
        Ok(())
    }
}

impl Part {
    fn insert<'a>(&mut self, keys: &Keys, tasks: impl Iterator<Item = &'a Found> + Clone) -> Inserted {
        let before = keys.len();
        let most_new: usize = tasks.clone().map(|found| found.ends.len()).sum();
        self.reserve(most_new, keys);
        let mut inserted = Inserted { numbers: Vec::new(), new_keys: Found::default(), new_places: Vec::new() };
        for found in tasks {
            let mut numbers = Vec::with_capacity(found.ends.len());
            for (key, hash) in found.keys() {
                numbers.push(self.number(key, hash, keys, before, &mut inserted));
            }
            inserted.numbers.push(numbers);
        }
        self.used += inserted.new_places.len();
        inserted
    }

    /// The number of a key. A new key is inserted.
    fn number(&mut self, key: &[u8], hash: u64, keys: &Keys, before: usize, inserted: &mut Inserted) -> u32 {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.places[place] {
                FREE => break,
                number => {
                    let same = match (number as usize).checked_sub(before) {
                        None => keys.get(number) == key,
                        Some(new) => {
                            let start = if new == 0 { 0 } else { inserted.new_keys.ends[new - 1] };
                            inserted.new_keys.bytes[start..inserted.new_keys.ends[new]] == *key
                        }
                    };
                    if same {
                        return number;
                    }
                }
            }
            place = (place + 1) & mask;
        }
        let number = (before + inserted.new_places.len()) as u32;
        self.places[place] = number;
        inserted.new_places.push(place);
        inserted.new_keys.bytes.extend_from_slice(key);
        inserted.new_keys.ends.push(inserted.new_keys.bytes.len());
        inserted.new_keys.hashes.push(hash);
        number
    }

    /// Makes room for `new` keys. At most two thirds of the places are used.
    fn reserve(&mut self, new: usize, keys: &Keys) {
        let needed = ((self.used + new) * 3 / 2 + 1).next_power_of_two();
        if needed <= self.places.len() {
            return;
        }
        let old = std::mem::replace(&mut self.places, vec![FREE; needed]);
        let mask = needed - 1;
        for number in old.into_iter().filter(|&number| number != FREE) {
            let mut place = xxh3_64(keys.get(number)) as usize & mask;
            while self.places[place] != FREE {
                place = (place + 1) & mask;
            }
            self.places[place] = number;
        }
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
            Err(BadRules::Panicked { position, function: running.get() })
        })?;
    }
    let expanded = expander.expanded;
    if !expanded.layers.is_empty() && expanded.layers.len() != numbers.len() {
        let missing = decode::<R>(keys.get(numbers[expanded.layers.len()]))?;
        return Err(BadRules::LayerMissing { position: missing.to_string() });
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
        let node = rules.node(&position);
        // Building the formula checks the node. The position numbers are not used here.
        self.formula.build(&node, &position, |_| Ok(0))?;
        if number < TWICE || number.is_multiple_of(TWICE_EVERY) {
            check_node(rules, &position, &node)?;
        }
        let mut successors = Vec::new();
        into_successors(node, &mut successors);
        running.set("`canonical`");
        for next in successors {
            expanded.add(rules, next, &mut self.scratch)?;
        }
        expanded.counts.push((expanded.parts.len() - before) as u32);
        expanded.facts = expanded.facts.and(self.formula.facts());
        running.set("`layer`");
        if let Some(layer) = rules.layer(&position) {
            expanded.layers.push(layer);
            if expanded.layers.len() != expanded.counts.len() {
                return Err(BadRules::LayerMissing { position: position.to_string() });
            }
        }
        Ok(())
    }
}

/// Checks that a second call of `node` returns the same.
fn check_node<R: Rules>(rules: &R, position: &R::Position, node: &Node<R>) -> Result<(), BadRules> {
    let formula = |node: &Node<R>| {
        let mut formula = Formula::new();
        formula.build(node, position, |next| Ok(xxh3_64(&key_of::<R>(next)?) as u32)).map(|()| formula)
    };
    let is_same = formula(node)? == formula(&rules.node(position))?;
    if is_same { Ok(()) } else { Err(BadRules::Changing { position: position.to_string() }) }
}

/// The successors, in the order in which [`Formula::build`] numbers them.
fn into_successors<R: Rules>(node: Node<R>, successors: &mut Vec<R::Position>) {
    match node {
        Node::Over(_) | Node::Again => {}
        Node::Go(next) | Node::Turn(next) => successors.push(next),
        Node::Cost(_, then) => into_successors(*then, successors),
        Node::Choice { moves, .. } => moves.into_iter().for_each(|step| into_successors(step.then, successors)),
        Node::Chance(outcomes) => {
            let possible = outcomes.into_iter().filter(|outcome| outcome.weight > 0);
            possible.for_each(|outcome| into_successors(outcome.then, successors));
        }
    }
}

/// Checks what every position must satisfy: its bytes, text, canonical form and rank.
fn check_position<R: Rules>(
    rules: &R,
    position: &R::Position,
    key: &[u8],
    scratch: &mut Vec<u8>,
    running: &Cell<&'static str>,
) -> Result<(), BadRules> {
    running.set("`Serialize`");
    let has_key = |other: &R::Position, scratch: &mut Vec<u8>| {
        scratch.clear();
        append_key::<R>(other, scratch).map(|()| scratch == key)
    };
    if !has_key(position, scratch)? {
        return Err(BadRules::Encoding { position: position.to_string() });
    }
    running.set("`canonical`");
    let canonical = rules.canonical(decode::<R>(key)?);
    if !has_key(&canonical, scratch)? {
        return Err(BadRules::Canonical { position: position.to_string(), instead: canonical.to_string() });
    }
    running.set("`Display`");
    let text = position.to_string();
    if text.is_empty() || text.trim() != text || text.contains(char::is_control) {
        return Err(BadRules::Text { position: text });
    }
    running.set("`FromStr`");
    match text.parse::<R::Position>() {
        Err(error) => return Err(BadRules::Unreadable { position: text, error: error.to_string() }),
        Ok(other) if !has_key(&other, scratch)? => {
            return Err(BadRules::ReadsOtherwise { position: text, other: other.to_string() });
        }
        Ok(_) => {}
    }
    let Some(ranks) = rules.ranks() else { return Ok(()) };
    running.set("`rank`");
    let rank = rules.rank(position);
    if rank == u64::MAX {
        return Err(BadRules::RankMissing { position: text });
    }
    if rank >= ranks {
        return Err(BadRules::RankTooLarge { position: text, rank, ranks });
    }
    running.set("`unrank`");
    let other = rules.unrank(rank);
    if !has_key(&other, scratch)? {
        return Err(BadRules::SameRank { position: text, other: other.to_string(), rank });
    }
    Ok(())
}
