//! Finds every position of a game that has stages but no ranks, from the highest stage to the lowest.
//!
//! The keys of the stage that is searched are in memory, and those that it has found of lower stages, which are moved to
//! files when memory is short. A stage is written when it is complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::super::error::{BadRules, Fault};
use super::super::explore::Watch;
use super::super::failure::Failure;
use super::super::key::{append_key, key_of};
use super::super::keys::decode;
use super::super::rules::Rules;
use super::keys::{KeyFiles, KeySet};
use super::ranks::RankedRules;
use super::reach::{Found, Summary};
use super::read::Reader;
use super::set::MOST_POSITIONS;
use super::work::{POSITIONS, Work};

/// A game with more stages is solved otherwise, because every stage has files.
const MOST_STAGES: usize = 1 << 10;
/// Every how many positions of a task the memory is looked at.
const SPILL_EVERY: usize = 1 << 8;

/// The positions of a game, in files.
pub(super) struct Gathered {
    pub(super) keys: KeyFiles,
    pub(super) summary: Summary,
}

/// How the names of files begin that hold the keys of a stage.
pub(super) const KEYS: &str = "keys-";

fn keys_file(stage: u32) -> String {
    format!("{KEYS}{stage}")
}

/// How the names of files begin that hold keys found so far.
const FOUND: &str = "found-";

/// The name of the file with keys of a stage that were found so far. It has parts: the number of bytes, the keys, each
/// after its length, and a hash of the keys.
fn found_file(stage: u32) -> String {
    format!("{FOUND}{stage}")
}

/// Finds every position that can be reached from the starts. The rules have no ranks, and the directory is locked.
/// `None` if there are more than [`MOST_STAGES`].
pub(super) fn gather<R: Rules>(rules: &R, watch: &Watch<'_>, work: &Work) -> Result<Option<Gathered>, Failure> {
    let unwritable = |error| Failure::output(work.directory.display().to_string())(error);
    // Values of finished stages stay: each file tells which positions it belongs to.
    [POSITIONS, FOUND].into_iter().try_for_each(|start| work.clear(start)).map_err(unwritable)?;
    let rules = RankedRules::new(rules);
    let gatherer = Gatherer {
        rules: &rules,
        work,
        open: Mutex::default(),
        spilled: Mutex::default(),
        memory: AtomicI64::new(0),
        // The keys of a stage are copied when they are written.
        allowed: i64::try_from(watch.memory / 2).unwrap_or(i64::MAX),
        is_full: AtomicBool::new(false),
        bar: (watch.progress)("positions", 0),
    };
    gatherer.add_starts()?;
    let mut all = Found::nothing();
    let (mut stages, mut complete) = (Vec::new(), 0);
    while let Some((stage, keys)) = gatherer.next_stage() {
        if stages.len() == MOST_STAGES {
            gatherer.bar.finish_and_clear();
            [KEYS, FOUND].into_iter().try_for_each(|start| work.clear(start)).map_err(unwritable)?;
            return Ok(None);
        }
        gatherer.restore(stage, &keys, watch)?;
        all.add(gatherer.search(stage, &keys, complete, watch)?);
        complete += keys.len();
        if complete > MOST_POSITIONS {
            return Err(BadRules::from(Fault::TooManyPositions).into());
        }
        work.write(&keys_file(stage), 0, |content| keys.append_to(content)).map_err(unwritable)?;
        gatherer.memory.fetch_sub(keys.memory() as i64, Relaxed);
        stages.push(stage);
    }
    gatherer.bar.finish_and_clear();
    stages.reverse();
    let changed = || unwritable(io::Error::new(io::ErrorKind::InvalidData, "another program has changed its files"));
    let keys = open_keys(work, &stages).map_err(unwritable)?.ok_or_else(changed)?;
    Ok(Some(Gathered { keys, summary: all.summary(true) }))
}

/// Maps the files of some stages. `None` if one is missing or damaged.
pub(super) fn open_keys(work: &Work, stages: &[u32]) -> io::Result<Option<KeyFiles>> {
    let mut keys = KeyFiles::default();
    for &stage in stages {
        let Some(file) = work.map(&keys_file(stage), 0)? else { return Ok(None) };
        if keys.push(stage, file).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(keys))
}

struct Gatherer<'a, R: Rules> {
    rules: &'a RankedRules<'a, R>,
    work: &'a Work,
    /// The keys of stages that are not complete.
    open: Mutex<BTreeMap<u32, Arc<KeySet>>>,
    /// The stages that have a file of found keys.
    spilled: Mutex<BTreeSet<u32>>,
    /// Memory of all keys, in bytes, and how much it may be. It is below 0 for a moment if keys are removed before they
    /// are counted.
    memory: AtomicI64,
    allowed: i64,
    /// Whether the keys of one stage alone take more.
    is_full: AtomicBool,
    bar: ProgressBar,
}

impl<R: Rules> Gatherer<'_, R> {
    fn add_starts(&self) -> Result<(), BadRules> {
        let rules = self.rules.rules;
        let starts = catch_unwind(AssertUnwindSafe(|| rules.starts())).map_err(|_| Fault::StartsPanicked)?;
        if starts.is_empty() {
            return Err(Fault::NoStart.into());
        }
        for start in starts {
            if rules.is_transient(&start) {
                return Err(Fault::TransientStart.at(start));
            }
            let start = rules.canonical(start);
            let stage = rules.stage(&start).ok_or_else(|| Fault::StageMissing.at(&start))?;
            self.add(&self.of_stage(stage), &key_of::<R>(&start)?);
        }
        Ok(())
    }

    fn of_stage(&self, stage: u32) -> Arc<KeySet> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(open.entry(stage).or_insert_with(|| Arc::new(KeySet::new())))
    }

    fn next_stage(&self) -> Option<(u32, Arc<KeySet>)> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.last_key_value().map(|(&stage, keys)| (stage, Arc::clone(keys)))
    }

    fn add(&self, keys: &KeySet, key: &[u8]) {
        self.memory.fetch_add(keys.insert(key) as i64, Relaxed);
    }

    /// Takes back the keys of a stage that were moved to a file. Some are there twice.
    fn restore(&self, stage: u32, keys: &KeySet, watch: &Watch<'_>) -> Result<(), Failure> {
        if !self.spilled.lock().unwrap_or_else(PoisonError::into_inner).remove(&stage) {
            return Ok(());
        }
        let path = self.work.directory.join(found_file(stage));
        let unwritable = |error| Failure::output(path.display())(error);
        let mut file = BufReader::new(File::open(&path).map_err(unwritable)?);
        while let Some(part) = read_part(&mut file).map_err(unwritable)? {
            for key in Lengthened(&part) {
                self.add(keys, key);
            }
            if keys.memory() as i64 > self.allowed {
                return Err(self.too_large(keys, watch));
            }
        }
        fs::remove_file(&path).map_err(unwritable)
    }

    /// The error for a stage whose keys do not fit into memory.
    fn too_large(&self, keys: &KeySet, watch: &Watch<'_>) -> Failure {
        let remedy = "let `stage` divide the game into smaller stages, or give positions ranks";
        let needed = 2 * keys.memory() as u64;
        BadRules::from(Fault::Memory { needed, allowed: watch.memory, remedy }).into()
    }

    /// Finds all positions of a stage, and some of those below it. `complete` positions are in higher stages.
    fn search(&self, stage: u32, keys: &KeySet, complete: u64, watch: &Watch<'_>) -> Result<Found, Failure> {
        let mut all = Found::nothing();
        while keys.has_new() {
            self.bar.set_message(format!("stage {stage}"));
            // Only the keys that are there now, so that the first error does not depend on the threads.
            let lengths = keys.lengths();
            let found: Vec<Result<Found, Failure>> = lengths
                .into_par_iter()
                .enumerate()
                .map(|(shard, until)| self.expand(stage, keys, shard, until))
                .collect();
            for found in found {
                all.add(found?);
            }
            let count = complete + keys.len();
            self.bar.set_position(count);
            if let Some(most) = watch.most.filter(|&most| count > most) {
                let example = keys.example().and_then(|key| decode::<R>(&key).ok());
                let example = example.map_or_else(String::new, |position| position.to_string());
                return Err(BadRules::from(Fault::MorePositions { most, example }).into());
            }
            if self.is_full.load(Relaxed) {
                return Err(self.too_large(keys, watch));
            }
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.remove(&stage);
        Ok(all)
    }

    /// Adds what follows the new keys of a shard.
    fn expand(&self, stage: u32, keys: &KeySet, shard: usize, until: usize) -> Result<Found, Failure> {
        let new = keys.shard(shard).take_new(until);
        let mut found = Found::nothing();
        if new.len() == 0 || self.is_full.load(Relaxed) {
            return Ok(found);
        }
        let mut sets: Vec<(u32, Arc<KeySet>)> = Vec::new();
        let mut scratch = Vec::new();
        Reader::guarded(self.rules, |reader| {
            for number in 0..new.len() {
                if number % SPILL_EVERY == 0 {
                    self.spill(stage, keys)?;
                }
                reader.gather(new.get(number as u32))?;
                found.note(reader, true)?;
                for next in &reader.nexts {
                    let next_stage = self.rules.stage(next).ok_or_else(|| Fault::StageMissing.at(next))?;
                    scratch.clear();
                    append_key::<R>(next, &mut scratch)?;
                    if next_stage == stage {
                        self.add(keys, &scratch);
                        continue;
                    }
                    let place = sets.iter().position(|(other, _)| *other == next_stage).unwrap_or_else(|| {
                        sets.push((next_stage, self.of_stage(next_stage)));
                        sets.len() - 1
                    });
                    self.add(&sets[place].1, &scratch);
                }
            }
            Ok::<(), Failure>(())
        })?;
        Ok(found)
    }

    /// Moves the keys of all stages below the searched one to files if there are too many in memory.
    fn spill(&self, stage: u32, searched: &KeySet) -> Result<(), Failure> {
        if self.memory.load(Relaxed) <= self.allowed {
            return Ok(());
        }
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, own) = (self.memory.load(Relaxed), searched.memory() as i64);
        self.is_full.fetch_or(own > self.allowed, Relaxed);
        // Few keys are not worth a file: the searched stage will be written soon.
        if all <= self.allowed || all - own < self.allowed / 8 {
            return Ok(());
        }
        for (&lower, keys) in open.range(..stage) {
            self.move_to_file(lower, keys).map_err(Failure::output(self.work.directory.display().to_string()))?;
        }
        Ok(())
    }

    fn move_to_file(&self, stage: u32, keys: &KeySet) -> io::Result<()> {
        self.spilled.lock().unwrap_or_else(PoisonError::into_inner).insert(stage);
        let path = self.work.directory.join(found_file(stage));
        let mut file = File::options().create(true).append(true).open(path)?;
        for shard in 0..keys.lengths().len() {
            let (bytes, free) = keys.drain(shard);
            file.write_all(&(bytes.len() as u64).to_le_bytes())?;
            file.write_all(&bytes)?;
            file.write_all(&xxh3_64(&bytes).to_le_bytes())?;
            self.memory.fetch_sub(free as i64, Relaxed);
        }
        Ok(())
    }
}

/// Reads the next part of a [`found_file`], or nothing at its end.
fn read_part(file: &mut BufReader<File>) -> io::Result<Option<Vec<u8>>> {
    if file.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut number = [0; size_of::<u64>()];
    file.read_exact(&mut number)?;
    let (length, mut part) = (u64::from_le_bytes(number), Vec::new());
    file.by_ref().take(length).read_to_end(&mut part)?;
    file.read_exact(&mut number)?;
    if xxh3_64(&part) == u64::from_le_bytes(number) { Ok(Some(part)) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// The keys of a part, each after its length.
struct Lengthened<'a>(&'a [u8]);

impl<'a> Iterator for Lengthened<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (key, rest) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        self.0 = rest;
        Some(key)
    }
}
