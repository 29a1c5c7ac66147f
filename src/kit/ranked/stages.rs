//! Solves a game stage by stage. A finished stage is a file, if there is more than one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use super::super::error::{BadRules, Fault};
use super::super::explore::Watch;
use super::super::failure::Failure;
use super::super::formula::Formula;
use super::super::number::{Arithmetic, Bounds, Number};
use super::super::retrograde::Classes;
use super::super::rules::{Cycles, Rules};
use super::super::scheme::Scheme;
use super::bounds;
use super::gather::{Gathered, KEYS, gather, open_keys};
use super::numbers::{self, Doubles};
use super::outcomes::{self, Coding, Solver, Unsolved};
use super::ranks::RankedRules;
use super::reach::{Positions, Reached, Summary, explore_ranks};
use super::read::{Checks, Reader};
use super::set::Bits;
use super::work::{MappedFile, POSITIONS, Work};
use super::{Ranked, RankedValues, cycle};
use crate::publish::DirectoryLock;

/// Positions whose nodes are compared with those of the program that wrote a file.
const PROBES: usize = 1 << 10;

/// The values of all positions while stages are solved, by number.
pub(super) enum Cells {
    Codes {
        coding: Coding,
        codes: Vec<AtomicU16>,
    },
    Doubles(Doubles),
    /// The middles between bounds.
    Bounds {
        middles: Doubles,
        /// The largest error of each stage.
        errors: Vec<f64>,
    },
}

/// How a game is solved by its ranks.
pub(super) enum Way {
    Codes(Coding),
    Doubles,
    Bounds,
}

impl Way {
    /// `None` if another solver is needed.
    pub(super) fn of<R: Rules>(rules: &R, explored: &Positions) -> Option<Way> {
        let (facts, cycles) = (&explored.facts, rules.cycles());
        if matches!(cycles, Cycles::Iterate { .. }) && explored.stages.iter().any(|stage| stage.is_cyclic) {
            let has_bounds = facts.has_chance && !facts.has_costs && !facts.has_one_player();
            return has_bounds.then_some(Way::Bounds);
        }
        let may_repeat = cycles == Cycles::Draw;
        if facts.has_costs && (may_repeat || facts.has_length()) || may_repeat && facts.has_chance {
            return None;
        }
        if !may_repeat && !facts.has_length() {
            return Some(Way::Doubles);
        }
        let classes = Classes::of(explored.ends.iter().copied(), facts.middle(rules));
        let is_exact = !may_repeat || classes.fits_doubles();
        Coding::new(classes).filter(|_| is_exact).map(Way::Codes)
    }

    /// Memory in bytes for each position.
    fn position_bytes(&self) -> usize {
        match self {
            Way::Codes(_) => size_of::<u16>(),
            Way::Doubles | Way::Bounds => size_of::<f64>(),
        }
    }
}

impl Cells {
    /// No value is known yet.
    fn open(way: Way, explored: &Positions) -> Cells {
        let len = explored.reached.len();
        match way {
            Way::Codes(coding) => {
                Cells::Codes { coding, codes: (0..len).map(|_| AtomicU16::new(outcomes::OPEN)).collect() }
            }
            Way::Doubles => Cells::Doubles(Doubles::open(len)),
            Way::Bounds => Cells::Bounds { middles: Doubles::open(len), errors: vec![0.0; explored.stages.len()] },
        }
    }

    /// Appends the values of some positions, and the error of their stage.
    fn append_to(&self, place: usize, numbers: impl Iterator<Item = u32>, content: &mut Vec<u8>) {
        match self {
            Cells::Codes { codes, .. } => {
                content.extend(numbers.flat_map(|number| codes[number as usize].load(Relaxed).to_le_bytes()));
            }
            Cells::Doubles(values) => content.extend(numbers.flat_map(|number| values.get(number).to_le_bytes())),
            Cells::Bounds { middles, errors } => {
                content.extend(errors[place].to_le_bytes());
                content.extend(numbers.flat_map(|number| middles.get(number).to_le_bytes()));
            }
        }
    }

    /// Takes over what [`Cells::append_to`] wrote of a stage. `None` if it is of another length.
    fn fill(&mut self, place: usize, explored: &Positions, bytes: &[u8]) -> Option<()> {
        let numbers = explored.numbers_of(place);
        let count = explored.stages[place].positions as usize;
        match self {
            Cells::Codes { codes, .. } => {
                let found = exactly::<2>(bytes, count)?;
                let pairs = numbers.zip(found);
                pairs.for_each(|(number, code)| codes[number as usize].store(u16::from_le_bytes(*code), Relaxed));
            }
            Cells::Doubles(values) => {
                let pairs = numbers.zip(exactly::<8>(bytes, count)?);
                pairs.for_each(|(number, value)| values.set(number, f64::from_le_bytes(*value)));
            }
            Cells::Bounds { middles, errors } => {
                let (error, rest) = bytes.split_first_chunk::<8>()?;
                let pairs = numbers.zip(exactly::<8>(rest, count)?);
                errors[place] = f64::from_le_bytes(*error);
                pairs.for_each(|(number, value)| middles.set(number, f64::from_le_bytes(*value)));
            }
        }
        Some(())
    }

    fn finish(self) -> RankedValues {
        match self {
            Cells::Codes { coding, codes } => {
                RankedValues::coded(&coding, codes.into_iter().map(AtomicU16::into_inner).collect())
            }
            Cells::Doubles(values) => RankedValues::Doubles(values.into_values()),
            Cells::Bounds { middles, errors } => {
                RankedValues::Bounds { middles: middles.into_values(), error: errors.into_iter().fold(0.0, f64::max) }
            }
        }
    }
}

/// The bytes as `count` numbers of N bytes each.
fn exactly<const N: usize>(bytes: &[u8], count: usize) -> Option<&[[u8; N]]> {
    let (numbers, rest) = bytes.as_chunks::<N>();
    (rest.is_empty() && numbers.len() == count).then_some(numbers)
}

/// A stage as `solve --list` prints it.
#[derive(Debug, Serialize)]
pub(in super::super) struct Listed {
    stage: u32,
    /// The stages that must be solved before.
    depends_on: Vec<u32>,
    positions: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// Its file is there.
    Solved,
    /// It can be solved now.
    Ready,
    /// It depends on a stage that is not solved.
    Waiting,
}

/// The files of a game, and a hash of what the rules say of some positions.
type Files<'a> = (&'a Work, u64);

/// A game that is being solved.
pub(in super::super) struct Staged<'a, R: Rules> {
    rules: RankedRules<'a, R>,
    watch: &'a Watch<'a>,
    work: Option<Files<'a>>,
    explored: Positions,
    cells: Cells,
    /// Memory in bytes that is left for solving a stage.
    room: u64,
}

impl<'a, R: Rules> Staged<'a, R> {
    /// Finds the positions, or reads them from their file. `None` if the game is not solved by its ranks: it has costs, or
    /// cycles of a single player, or too many different values.
    pub(in super::super) fn begin(
        rules: &'a R,
        watch: &'a Watch<'a>,
        work: Option<&'a Work>,
    ) -> Result<Option<Staged<'a, R>>, Failure> {
        let mut rules = RankedRules::new(rules);
        super::check_memory(&rules, watch.memory)?;
        let Some((reached, work)) = positions_of(&mut rules, watch, work)? else { return Ok(None) };
        let explored = reached.numbered(&rules)?;
        if rules.cycles() == Cycles::Draw && explored.facts.has_chance {
            return Err(first_chance(&rules, &explored)?.into());
        }
        let Some(way) = Way::of(rules.rules, &explored) else { return Ok(None) };
        let used = explored.reached.memory() as u64
            // The table needs the order of the keys.
            + rules.keys.as_ref().map_or(0, |keys| keys.memory() as u64 + keys.len() * size_of::<u32>() as u64)
            + rules.count() / 8
            + (explored.reached.len() * way.position_bytes() + explored.stage_of.memory()) as u64;
        let room = watch.memory.checked_sub(used).ok_or_else(|| {
            let remedy = if rules.keys.is_some() { "give positions ranks" } else { "let `ranks` be a smaller number" };
            BadRules::from(Fault::Memory { needed: used, allowed: watch.memory, remedy })
        })?;
        let cells = Cells::open(way, &explored);
        Ok(Some(Staged { rules, watch, work, explored, cells, room }))
    }

    /// Refuses a stage for which there is too little memory, before time is lost.
    fn require_room(&self, place: usize) -> Result<(), Failure> {
        let Cells::Bounds { .. } = self.cells else { return Ok(()) };
        let needed = bounds::least_bytes(self.rules.count(), &self.explored.stages[place]);
        if needed > self.room { Err(bounds::too_large(needed, self.room, self.watch.memory).into()) } else { Ok(()) }
    }

    /// Solves all stages that have no file, or with files alone returns the first stage that has none.
    pub(in super::super) fn finish(mut self, may_solve: MaySolve) -> Result<Solved, Failure> {
        let bar = (self.watch.progress)("values", self.explored.reached.len() as u64);
        let mut missing = Vec::new();
        for place in 0..self.explored.stages.len() {
            if self.read(place)? {
                bar.inc(self.explored.stages[place].positions);
            } else if may_solve == MaySolve::Nothing {
                return Ok(Solved::Missing(self.explored.stages[place].number));
            } else {
                self.require_room(place)?;
                missing.push(place);
            }
        }
        for place in missing {
            // Another program may have solved it by now.
            if self.read(place)? {
                bar.inc(self.explored.stages[place].positions);
                continue;
            }
            match self.solve(place, &bar) {
                Err(Unsolved::TooLong) => return Ok(Solved::Otherwise),
                Err(Unsolved::Bad(bad)) => return Err(bad.into()),
                Ok(()) => self.write(place)?,
            }
        }
        bar.finish_and_clear();
        Ok(Solved::Whole(Box::new(Ranked {
            explored: self.explored,
            values: self.cells.finish(),
            keys: self.rules.keys,
        })))
    }

    /// Solves one stage and writes its file. The stages that it depends on must have files.
    pub(in super::super) fn solve_only(mut self, number: u32) -> Result<(), Failure> {
        let stages = &self.explored.stages;
        let Some(place) = stages.iter().position(|stage| stage.number == number) else {
            return Err(Failure::usage(format!("--only {number}: no such stage, `solve --list` names all of them")));
        };
        self.require_room(place)?;
        for before in self.depends_on(place) {
            if !self.read(before)? {
                let missing = self.explored.stages[before].number;
                let what =
                    format!("--only {number}: stage {missing} must be solved before, run `solve --only {missing}`");
                return Err(Failure::usage(what));
            }
        }
        let bar = (self.watch.progress)("values", self.explored.stages[place].positions);
        match self.solve(place, &bar) {
            Err(Unsolved::TooLong) => return Err(not_by_stages()),
            Err(Unsolved::Bad(bad)) => return Err(bad.into()),
            Ok(()) => {}
        }
        bar.finish_and_clear();
        self.write(place)
    }

    /// All stages, with what must be solved before each.
    pub(in super::super) fn list(self) -> Result<Vec<Listed>, Failure> {
        let mut is_solved = Vec::new();
        for place in 0..self.explored.stages.len() {
            is_solved.push(self.file(place)?.is_some());
        }
        let stages = self.explored.stages.iter().enumerate().map(|(place, stage)| {
            let before = self.depends_on(place);
            let state = match (is_solved[place], before.iter().all(|&before| is_solved[before])) {
                (true, _) => State::Solved,
                (false, true) => State::Ready,
                (false, false) => State::Waiting,
            };
            let depends_on = before.iter().map(|&before| self.explored.stages[before].number).collect();
            Listed { stage: stage.number, depends_on, positions: stage.positions, state }
        });
        Ok(stages.collect())
    }

    /// The places of the stages that moves of a stage lead to.
    fn depends_on(&self, place: usize) -> Vec<usize> {
        let exits = self.explored.exits.iter().filter(|(from, _)| usize::from(*from) == place);
        exits.map(|&(_, to)| usize::from(to)).collect()
    }

    fn file_of(&self, place: usize) -> String {
        format!("stage-{}", self.explored.stages[place].number)
    }

    /// The file of a stage, if there is one.
    fn file(&self, place: usize) -> Result<Option<MappedFile>, Failure> {
        let Some((work, probe)) = self.work else { return Ok(None) };
        work.map(&self.file_of(place), probe).map_err(unwritable(&work.directory))
    }

    /// Takes over a stage from its file. Returns whether there is one.
    fn read(&mut self, place: usize) -> Result<bool, Failure> {
        let Some(file) = self.file(place)? else { return Ok(false) };
        Ok(self.cells.fill(place, &self.explored, file.content()).is_some())
    }

    fn write(&self, place: usize) -> Result<(), Failure> {
        let Some((work, probe)) = self.work else { return Ok(()) };
        work.write(&self.file_of(place), probe, |content| {
            self.cells.append_to(place, self.explored.numbers_of(place), content)
        })
        .map_err(unwritable(&work.directory))
    }

    /// Solves a stage after those that it depends on.
    fn solve(&mut self, place: usize, bar: &indicatif::ProgressBar) -> Result<(), Unsolved> {
        let (rules, explored) = (&self.rules, &self.explored);
        let open: Bits = super::members(rules, explored, place);
        let title = super::title_of_stage(explored, place);
        bar.set_message(title.clone());
        let stage = explored.stages[place];
        match &mut self.cells {
            Cells::Codes { coding, codes } => {
                let solver = Solver { rules, explored, coding, codes, room: self.room, bar };
                match (stage.is_cyclic, rules.cycles()) {
                    (false, _) => solver.solve_in_one_pass(&open),
                    (true, Cycles::Draw) => solver.solve_backwards(&open, stage.edges),
                    (true, _) => solver.solve_by_height(&open),
                }
            }
            Cells::Doubles(values) => match numbers::solve_by_height(rules, explored, values, &open, bar)? {
                Some(rank) => Err(cycle(rules, &open, rank)?.into()),
                None => Ok(()),
            },
            Cells::Bounds { middles, errors } => {
                let before = explored.exits.iter().filter(|(from, _)| usize::from(*from) == place);
                let before = before.map(|&(_, to)| errors[usize::from(to)]).fold(rounding(explored), f64::max);
                let share = share(rules.rules, explored);
                let (room, memory) = (self.room, self.watch.memory);
                let stage = bounds::Stage {
                    rules,
                    explored,
                    open: &open,
                    middles,
                    error: before,
                    share,
                    room,
                    memory,
                    title,
                    bar,
                };
                errors[place] = stage.solve()?;
                Ok(())
            }
        }
    }
}

/// Whether stages without a file may be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum MaySolve {
    Everything,
    Nothing,
}

/// How solving stages ended.
pub(in super::super) enum Solved {
    Whole(Box<Ranked>),
    /// There are too many moves for this solver.
    Otherwise,
    /// This stage has no file.
    Missing(u32),
}

/// The error for a game that has no stages to be solved one by one.
pub(in super::super) fn not_by_stages() -> Failure {
    Failure::usage(
        "this game is not solved by stages, use `solve` alone, or give it 2 to 1,024 stages, without costs in cycles and \
         without cycles of a single player",
    )
}

/// The error of the values of finished games, which may be no doubles.
fn rounding(explored: &Positions) -> f64 {
    let width = |&end: &Number| Bounds::of(end).width();
    explored.ends.iter().map(width).fold(0.0, f64::max)
}

/// What a stage may add to the width of bounds.
fn share<R: Rules>(rules: &R, explored: &Positions) -> f64 {
    let Cycles::Iterate { tolerance } = rules.cycles() else { return 0.0 };
    // The most stages that follow each other. A stage comes after those that it depends on.
    let mut longest = vec![1_u32; explored.stages.len()];
    for &(from, to) in &explored.exits {
        longest[usize::from(from)] = longest[usize::from(from)].max(longest[usize::from(to)] + 1);
    }
    tolerance / f64::from(longest.into_iter().max().unwrap_or(1) + 1)
}

fn unwritable(directory: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    Failure::output(directory.display().to_string())
}

/// The error for a game with chance in which an endless game is a draw. It names the first position with chance.
fn first_chance<R: Rules>(rules: &RankedRules<'_, R>, explored: &Positions) -> Result<BadRules, BadRules> {
    Reader::guarded(rules, |reader| {
        for number in 0..explored.reached.len() as u32 {
            reader.read(explored.reached.rank(number), Checks::None)?;
            if reader.formula.facts().has_chance {
                return Ok(Fault::ChanceAndDraw.at(reader.text()));
            }
        }
        unreachable!("a game with chance has a position with chance")
    })
}

/// A hash of what the rules say of some positions.
fn probe<R: Rules>(rules: &RankedRules<'_, R>, reached: &Reached) -> Result<u64, BadRules> {
    let step = (reached.bits.len() as usize).div_ceil(PROBES).max(1);
    let mut hash = Xxh3::new();
    let add = |hash: &mut Xxh3, formula: &Formula| {
        for operation in formula.operations() {
            hash.update(format!("{operation:?} {:?}\n", formula.weights_of(operation)).as_bytes());
        }
    };
    let mut last: Option<Arc<Scheme>> = None;
    Reader::guarded(rules, |reader| {
        reader.use_schemes(&reached.schemes);
        for rank in reached.bits.of_words(0..reached.bits.words()).step_by(step) {
            reader.read(rank, Checks::None)?;
            hash.update(format!("{}\n", reader.text()).as_bytes());
            add(&mut hash, &reader.formula);
            if let Some(scheme) = reader.formula.scheme()
                && last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, scheme))
            {
                add(&mut hash, &scheme.shared);
                last = Some(Arc::clone(scheme));
            }
            reader.next_ranks.iter().for_each(|next| hash.update(&next.to_le_bytes()));
        }
        Ok::<u64, BadRules>(hash.digest())
    })
}

/// The positions, and the files with their [`probe`]: from their file, or found now. `None` if there are too many stages.
fn positions_of<'a, R: Rules>(
    rules: &mut RankedRules<'_, R>,
    watch: &Watch<'_>,
    work: Option<&'a Work>,
) -> Result<Option<(Reached, Option<Files<'a>>)>, Failure> {
    let Some(work) = work else { return Ok(Some((explore_ranks(rules, watch, Checks::Some)?, None))) };
    if let Some((reached, probe)) = read_positions(rules, work)? {
        return Ok(Some((reached, Some((work, probe)))));
    }
    // Another program may find the same positions at this moment.
    let lock = DirectoryLock::wait(&work.directory, watch.remark).map_err(unwritable(&work.directory))?;
    lock.remove_leftovers(|name| name == POSITIONS || name.starts_with(KEYS)).map_err(unwritable(&work.directory))?;
    if let Some((reached, probe)) = read_positions(rules, work)? {
        return Ok(Some((reached, Some((work, probe)))));
    }
    let reached = if rules.ranks().is_none() {
        let Some(gathered) = gather(rules.rules, watch, work)? else { return Ok(None) };
        Reached::of_keys(rules, gathered)
    } else {
        explore_ranks(rules, watch, Checks::Some)?
    };
    let probe = write_positions(rules, work, &reached)?;
    Ok(Some((reached, Some((work, probe)))))
}

/// The positions and their [`probe`], if the file is there and the rules are the same.
fn read_positions<R: Rules>(rules: &mut RankedRules<'_, R>, work: &Work) -> Result<Option<(Reached, u64)>, Failure> {
    let Some(file) = work.map(POSITIONS, 0).map_err(unwritable(&work.directory))? else { return Ok(None) };
    let Some((stored, rest)) = file.content().split_first_chunk::<8>() else { return Ok(None) };
    let Ok((summary, words)) = postcard::take_from_bytes::<Summary>(rest) else { return Ok(None) };
    let reached = if rules.ranks().is_none() {
        let keys = open_keys(work, summary.stages()).map_err(unwritable(&work.directory))?;
        let Some(keys) = keys else { return Ok(None) };
        Reached::of_keys(rules, Gathered { keys, summary })
    } else {
        let Some(bits) = Bits::from_bytes(rules.count(), words) else { return Ok(None) };
        Reached { bits, summary, schemes: Arc::default() }
    };
    match probe(rules, &reached) {
        Ok(found) if found.to_le_bytes() == *stored => Ok(Some((reached, found))),
        // Keys of other rules lead to positions that have no key.
        Err(bad) if rules.keys.is_none() => Err(bad.into()),
        _ => {
            rules.keys = None;
            Ok(None)
        }
    }
}

/// Writes the file of the positions, and returns their [`probe`].
fn write_positions<R: Rules>(rules: &RankedRules<'_, R>, work: &Work, reached: &Reached) -> Result<u64, Failure> {
    let probe = probe(rules, reached)?;
    let append = |content: &mut Vec<u8>| {
        content.extend(probe.to_le_bytes());
        content.extend(postcard::to_allocvec(&reached.summary).expect("numbers and lists can be encoded"));
        // All keys have ranks.
        if rules.keys.is_none() {
            reached.bits.append_to(content);
        }
    };
    work.write(POSITIONS, 0, append).map_err(unwritable(&work.directory))?;
    Ok(probe)
}
