//! Win, loss and draw with the moves to the end, for games of two players without chance and costs.
//!
//! A position is settled when its value and its moves to the end are certain. The outcomes that are furthest from a draw
//! come first, then the draws, and each by the number of moves. So whatever is settled later is no better for anyone.
//! While many positions are open, all of them are read in each pass. When the moves between open positions fit into
//! memory, their predecessors are stored, and from then on only positions with a newly settled successor are read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::super::error::BadRules;
use super::super::formula::{Formula, Operation};
use super::super::retrograde::Classes;
use super::super::rules::{Goal, Rules};
use super::super::value::Value;
use super::cycle;
use super::reach::Positions;
use super::read::{Checks, Reader, each_rank};
use super::set::{Bits, Numbered};

/// Settled positions whose predecessors one task reads.
const CHUNK: usize = 1 << 10;
/// The passes over all open positions before predecessors are stored. The first passes settle most positions.
const FIRST_PASSES: usize = 2;
/// The code of an open position.
pub(super) const OPEN: u16 = 0;
/// Marks a stored predecessor for which the outcome has the opposite sense.
const OPPOSITE: u32 = 1 << 31;
/// The number of open moves of a position that must be read after every change.
const NESTED: u32 = u32::MAX;

/// What is known of the value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// As in [`Classes`]: 0 is a draw, `±c` a win or a loss of class `c`.
    pub(super) outcome: i32,
    pub(super) moves: u32,
}

/// How a value and the moves to the end are stored in 16 bits.
pub(super) struct Coding {
    pub(super) classes: Classes,
    /// The number of different outcomes.
    outcomes: u32,
    /// The number that stands for a game without end.
    endless: u32,
}

impl Coding {
    pub(super) fn new(classes: Classes) -> Option<Coding> {
        let outcomes = u32::try_from(classes.values().len()).ok()?;
        let endless = (u32::from(u16::MAX) / outcomes).checked_sub(1).filter(|&most| most > 0)?;
        Some(Coding { classes, outcomes, endless })
    }

    /// The code, or `None` if there are too many moves.
    fn code(&self, known: Known) -> Option<u16> {
        let moves = if known.moves == Value::ENDLESS { self.endless } else { known.moves };
        let fits = known.moves == Value::ENDLESS || known.moves < self.endless;
        fits.then(|| (1 + moves * self.outcomes + self.classes.place(known.outcome) as u32) as u16)
    }

    /// What a code stands for.
    pub(super) fn known(&self, code: u16) -> Option<Known> {
        let code = u32::from(code).checked_sub(1)?;
        let moves = code / self.outcomes;
        let moves = if moves == self.endless { Value::ENDLESS } else { moves };
        Some(Known { outcome: self.classes.outcome_at((code % self.outcomes) as usize), moves })
    }

    /// The place of a code's value in [`Classes::values`], and the moves.
    pub(super) fn place_and_moves(&self, code: u16) -> Option<(usize, u32)> {
        self.known(code).map(|known| (self.classes.place(known.outcome), known.moves))
    }
}

/// What a formula says while some successors are open.
pub(super) struct Partial<'a> {
    classes: &'a Classes,
    /// Outcomes of a later class are not counted yet, neither of finished games nor of earlier stages.
    phase: usize,
}

impl<'a> Partial<'a> {
    /// Counts all outcomes.
    pub(super) fn whole(classes: &'a Classes) -> Partial<'a> {
        Partial { classes, phase: usize::MAX }
    }

    /// The value of a formula if it is certain.
    pub(super) fn value(
        &self,
        formula: &Formula,
        known: impl Fn(u32) -> Option<Known>,
        stack: &mut Vec<Option<Known>>,
    ) -> Option<Known> {
        stack.clear();
        let mut kept: Vec<Option<Known>> = Vec::new();
        for operation in formula.parts().flat_map(|(operations, _)| operations) {
            match *operation {
                Operation::Over(number) => {
                    let outcome = self.classes.outcome(number);
                    stack.push(Some(Known { outcome, moves: 0 }).filter(|known| self.counts(known)));
                }
                Operation::Go(next) => stack.push(known(next).filter(|known| self.counts(known))),
                Operation::Turn(next) => {
                    let next = known(next).filter(|known| self.counts(known));
                    stack.push(next.map(|next| Known { outcome: -next.outcome, ..next }));
                }
                Operation::Choice { goal, moves, .. } => {
                    let from = stack.len() - moves as usize;
                    let chosen = self.choice(goal, &stack[from..]);
                    stack.truncate(from);
                    stack.push(chosen);
                }
                Operation::Again | Operation::Collapsed(_) => stack.push(None),
                Operation::Keep => kept.extend(stack.last().copied()),
                Operation::Put => kept.extend(stack.pop()),
                Operation::Recall(number) => stack.push(kept[number as usize]),
                Operation::Passed => {
                    if let Some(Some(top)) = stack.last_mut() {
                        top.outcome = -top.outcome;
                    }
                }
                // A cost of 0, and chance with a single outcome.
                Operation::Cost(_) | Operation::Chance { .. } => {}
            }
        }
        stack.pop().flatten()
    }

    fn counts(&self, known: &Known) -> bool {
        self.classes.turn_of(known.outcome) <= self.phase
    }

    fn choice(&self, goal: Goal, moves: &[Option<Known>]) -> Option<Known> {
        let seen = |outcome: i32| if goal == Goal::Max { outcome } else { -outcome };
        let (mut good, mut bad): (Option<Known>, Option<Known>) = (None, None);
        let mut all_known = true;
        for known in moves {
            let Some(known) = known else {
                all_known = false;
                continue;
            };
            let class = self.classes.turn_of(known.outcome);
            if seen(known.outcome) >= 0 {
                // The best class first, then the fewest moves.
                let order = |known: &Known| (self.classes.turn_of(known.outcome), known.moves);
                if good.is_none_or(|good| (class, known.moves) < order(&good)) {
                    good = Some(*known);
                }
            } else {
                // The least loss, then the most moves.
                let order = |known: &Known| (self.classes.turn_of(known.outcome), known.moves);
                if bad.is_none_or(|bad| (class, known.moves) > order(&bad)) {
                    bad = Some(*known);
                }
            }
        }
        let chosen = good.or(if all_known { bad } else { None });
        chosen.map(|known| Known { moves: known.moves.saturating_add(1), ..known })
    }
}

/// The result of a pass over open positions.
#[derive(Default)]
struct Pass {
    settled: u64,
    /// The fewest moves of a position that is known and not settled.
    pending: Option<u32>,
    /// The number of moves between open positions.
    edges: u64,
}

impl Pass {
    fn and(self, other: Pass) -> Pass {
        let pending = match (self.pending, other.pending) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Pass { settled: self.settled + other.settled, pending, edges: self.edges + other.edges }
    }
}

/// Solves stage after stage.
pub(super) struct Solver<'a, R: Rules> {
    pub(super) rules: &'a R,
    pub(super) explored: &'a Positions,
    pub(super) coding: &'a Coding,
    /// The codes of all positions, by number.
    pub(super) codes: &'a [AtomicU16],
    /// The number of bytes that stored predecessors may take.
    pub(super) room: u64,
    pub(super) bar: &'a ProgressBar,
}

/// Too many moves or outcomes for 16 bits.
pub(super) struct TooLong;

/// Why a stage was not solved.
pub(super) enum Unsolved {
    Bad(BadRules),
    TooLong,
}

impl From<BadRules> for Unsolved {
    fn from(bad: BadRules) -> Unsolved {
        Unsolved::Bad(bad)
    }
}

impl From<TooLong> for Unsolved {
    fn from(_: TooLong) -> Unsolved {
        Unsolved::TooLong
    }
}

impl<R: Rules> Solver<'_, R> {
    fn known(&self, number: u32) -> Option<Known> {
        self.coding.known(self.codes[number as usize].load(Relaxed))
    }

    fn settle(&self, number: u32, known: Known) -> Result<(), TooLong> {
        self.codes[number as usize].store(self.coding.code(known).ok_or(TooLong)?, Relaxed);
        Ok(())
    }

    /// Runs `work` for each rank of a set, as [`each_rank`] does.
    fn each_open<T: Send>(
        &self,
        open: &Bits,
        empty: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, u64, u32, &Reader<'_, R>, &[u32]) -> Result<(), Unsolved> + Sync,
    ) -> Result<Vec<T>, Unsolved> {
        each_rank(self.rules, self.explored, open, empty, work)
    }

    /// Solves a stage in which no move stays: every successor is settled.
    pub(super) fn solve_in_one_pass(&self, open: &Bits) -> Result<(), Unsolved> {
        let partial = Partial::whole(&self.coding.classes);
        self.each_open(open, Vec::new, |stack, _, own, reader, nexts| {
            let known = partial.value(&reader.formula, |place| self.known(nexts[place as usize]), stack);
            self.bar.inc(1);
            known.map_or(Ok(()), |known| Ok(self.settle(own, known)?))
        })
        .map(drop)
    }

    /// Solves a stage without cycles: every position after its successors.
    pub(super) fn solve_by_height(&self, open: &Bits) -> Result<(), Unsolved> {
        let partial = Partial::whole(&self.coding.classes);
        loop {
            let passes = self.each_open(
                open,
                || (0_u64, Vec::new()),
                |(settled, stack), rank, own, reader, nexts| {
                    let known = |place: u32| self.known(nexts[place as usize]);
                    if (0..nexts.len() as u32).all(|place| known(place).is_some())
                        && let Some(known) = partial.value(&reader.formula, known, stack)
                    {
                        self.settle(own, known)?;
                        open.remove(rank);
                        *settled += 1;
                    }
                    Ok(())
                },
            )?;
            let settled: u64 = passes.into_iter().map(|(settled, _)| settled).sum();
            self.bar.inc(settled);
            if settled == 0 {
                break;
            }
        }
        match open.of_words(0..open.words()).next() {
            None => Ok(()),
            Some(rank) => Err(cycle(self.rules, open, rank)?.into()),
        }
    }

    /// Solves a stage in which an endless game is a draw.
    pub(super) fn solve_backwards(&self, open: &Bits) -> Result<(), Unsolved> {
        let mut before: Option<Backwards> = None;
        // What was found to be certain when the predecessors were stored.
        let mut certain = None;
        for phase in 1..=self.coding.classes.phases() {
            let partial = Partial { classes: &self.coding.classes, phase };
            let (mut moves, mut passes) = (0, 0);
            while before.is_none() {
                let pass = self.pass(open, &partial, moves)?;
                passes += 1;
                self.bar.inc(pass.settled);
                if pass.settled == 0 && pass.pending.is_none() {
                    break;
                }
                let count = open.len();
                if passes >= FIRST_PASSES
                    && pass.edges < u64::from(u32::MAX)
                    && Backwards::bytes(self.rules.ranks().unwrap_or(0), count, pass.edges) <= self.room
                {
                    let (stored, known) = Backwards::of(self, open, &partial)?;
                    (before, certain) = (Some(stored), Some(known));
                    break;
                }
                // A step without a choice takes no move, so the same number of moves comes again.
                moves = match pass.pending {
                    Some(pending) if pass.settled == 0 => pending,
                    _ => moves + u32::from(!self.explored.has_forced),
                };
            }
            if let Some(before) = &mut before {
                before.run(self, open, &partial, std::mem::take(&mut certain))?;
            }
        }
        let endless = Known { outcome: 0, moves: Value::ENDLESS };
        for rank in open.of_words(0..open.words()) {
            let number = self.explored.reached.number(rank).expect("an open rank is reached");
            self.settle(number, endless)?;
            self.bar.inc(1);
        }
        Ok(())
    }

    /// Settles the open positions that end after at most `moves` moves.
    fn pass(&self, open: &Bits, partial: &Partial<'_>, moves: u32) -> Result<Pass, Unsolved> {
        let passes = self.each_open(
            open,
            || (Pass::default(), Vec::new()),
            |(pass, stack), rank, own, reader, nexts| {
                let known = partial.value(&reader.formula, |place| self.known(nexts[place as usize]), stack);
                match known {
                    Some(known) if known.moves <= moves => {
                        self.settle(own, known)?;
                        open.remove(rank);
                        pass.settled += 1;
                    }
                    _ => {
                        let pending = known.map(|known| known.moves).filter(|&moves| moves != Value::ENDLESS);
                        let edges =
                            nexts.iter().filter(|&&next| self.codes[next as usize].load(Relaxed) == OPEN).count();
                        *pass = std::mem::take(pass).and(Pass { settled: 0, pending, edges: edges as u64 });
                    }
                }
                Ok(())
            },
        )?;
        Ok(passes.into_iter().map(|(pass, _)| pass).fold(Pass::default(), Pass::and))
    }
}

/// The predecessors of open positions. Open positions are numbered anew.
struct Backwards {
    numbered: Numbered,
    /// The predecessors of position `p` are `before[starts[p]..starts[p + 1]]`, with [`OPPOSITE`].
    starts: Vec<u32>,
    before: Vec<u32>,
    /// The number of moves to open positions.
    left: Vec<AtomicU32>,
    touched: Bits,
}

/// A position that will be settled.
type Soon = (u32, Known);

impl Backwards {
    /// The memory of the predecessors, in bytes.
    fn bytes(ranks: u64, positions: u64, edges: u64) -> u64 {
        // Starts, open moves, and positions that are read and settled next.
        ranks / 7 + positions * (4 + 4 + 4 + 16) + edges * 4
    }

    /// Also returns the values of open positions that are certain already.
    fn of<R: Rules>(
        solver: &Solver<'_, R>,
        open: &Bits,
        partial: &Partial<'_>,
    ) -> Result<(Backwards, Vec<Soon>), Unsolved> {
        let ranks = solver.rules.ranks().unwrap_or(0);
        let numbered = Numbered::of(open, ranks).ok_or(TooLong)?;
        let counts: Vec<AtomicU32> = (0..=numbered.len()).map(|_| AtomicU32::new(0)).collect();
        let left: Vec<AtomicU32> = (0..numbered.len()).map(|_| AtomicU32::new(0)).collect();
        solver.each_open(
            open,
            || (),
            |(), rank, _, reader, _| {
                let own = numbered.number(rank).expect("an open rank is numbered");
                let mut edges = 0;
                for next in reader.next_ranks.iter().filter_map(|&next| numbered.number(next)) {
                    counts[next as usize + 1].fetch_add(1, Relaxed);
                    edges += 1;
                }
                let is_simple = sense(&reader.formula).is_some();
                left[own as usize].store(if is_simple { edges } else { NESTED }, Relaxed);
                Ok(())
            },
        )?;
        let mut starts: Vec<u32> = counts.into_iter().map(AtomicU32::into_inner).collect();
        for place in 1..starts.len() {
            starts[place] = starts[place].checked_add(starts[place - 1]).ok_or(TooLong)?;
        }
        let total = starts.last().copied().unwrap_or(0) as usize;
        let places: Vec<AtomicU32> = starts.iter().map(|&start| AtomicU32::new(start)).collect();
        let before: Vec<AtomicU32> = (0..total).map(|_| AtomicU32::new(0)).collect();
        let certain = solver.each_open(
            open,
            || (Vec::new(), Vec::new()),
            |(certain, stack), rank, _, reader, nexts| {
                let own = numbered.number(rank).expect("an open rank is numbered");
                let known = partial.value(&reader.formula, |place| solver.known(nexts[place as usize]), stack);
                certain.extend(known.filter(|known| known.moves != Value::ENDLESS).map(|known| (own, known)));
                let is_min = sense(&reader.formula) == Some(Goal::Min);
                let turns = reader.formula.operations().iter().filter_map(|operation| match operation {
                    Operation::Go(_) => Some(false),
                    Operation::Turn(_) => Some(true),
                    _ => None,
                });
                for (&next, is_turn) in reader.next_ranks.iter().zip(turns) {
                    let Some(next) = numbered.number(next) else { continue };
                    let place = places[next as usize].fetch_add(1, Relaxed);
                    let mark = if is_turn != is_min { OPPOSITE } else { 0 };
                    before[place as usize].store(own | mark, Relaxed);
                }
                Ok(())
            },
        )?;
        let before = before.into_iter().map(AtomicU32::into_inner).collect();
        let touched = Bits::none(numbered.len() as u64);
        let certain = certain.into_iter().flat_map(|(certain, _)| certain).collect();
        Ok((Backwards { numbered, starts, before, left, touched }, certain))
    }

    /// Settles all positions of a class. Nothing of this class is settled yet, or all that can be found in passes.
    /// `certain` is what is certain by the positions that are settled so far, if it is known.
    fn run<R: Rules>(
        &mut self,
        solver: &Solver<'_, R>,
        open: &Bits,
        partial: &Partial<'_>,
        certain: Option<Vec<Soon>>,
    ) -> Result<(), Unsolved> {
        let mut soon: BTreeMap<u32, Vec<Soon>> = BTreeMap::new();
        let known = match certain {
            Some(known) => known,
            None => {
                let all = open.of_words(0..open.words()).filter_map(|rank| self.numbered.number(rank));
                self.evaluate(solver, partial, all.collect())?
            }
        };
        add(&mut soon, known);
        while let Some((moves, mut settling)) = soon.pop_first() {
            // A step without a choice takes no move, so more positions may get the same number of moves.
            while !settling.is_empty() {
                let settled = self.settle(solver, open, &settling)?;
                solver.bar.inc(settled.len() as u64);
                let touched = self.touch(&settled);
                let known = self.evaluate(solver, partial, touched)?;
                let (now, later): (Vec<Soon>, Vec<Soon>) =
                    known.into_iter().partition(|(_, known)| known.moves <= moves);
                add(&mut soon, later);
                settling = now;
            }
        }
        Ok(())
    }

    /// Settles positions, and returns those that were open.
    fn settle<R: Rules>(&self, solver: &Solver<'_, R>, open: &Bits, settling: &[Soon]) -> Result<Vec<Soon>, Unsolved> {
        let settled: Vec<Result<Vec<Soon>, TooLong>> = settling
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut settled = Vec::new();
                for &(place, known) in chunk {
                    let rank = self.numbered.rank(place);
                    if open.remove(rank) {
                        let number = solver.explored.reached.number(rank).expect("an open rank is reached");
                        solver.settle(number, known)?;
                        settled.push((place, known));
                    }
                }
                Ok(settled)
            })
            .collect();
        let mut all = Vec::new();
        for chunk in settled {
            all.extend(chunk?);
        }
        Ok(all)
    }

    /// The positions whose value may now be certain, in ascending order.
    fn touch(&mut self, settled: &[Soon]) -> Vec<u32> {
        let mut touched: Vec<u32> = settled
            .par_chunks(CHUNK)
            .flat_map_iter(|chunk| {
                let mut touched = Vec::new();
                for &(place, known) in chunk {
                    let range = self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize;
                    for &before in &self.before[range] {
                        let (before, mark) = (before & !OPPOSITE, before & OPPOSITE);
                        let outcome = if mark == 0 { known.outcome } else { -known.outcome };
                        let left = &self.left[before as usize];
                        let is_nested = left.load(Relaxed) == NESTED;
                        let is_last = !is_nested && left.fetch_sub(1, Relaxed) == 1;
                        if (is_nested || is_last || outcome >= 0) && self.touched.insert(u64::from(before)) {
                            touched.push(before);
                        }
                    }
                }
                touched
            })
            .collect();
        touched.par_sort_unstable();
        touched.par_iter().for_each(|&place| {
            self.touched.remove(u64::from(place));
        });
        touched
    }

    /// The values of positions, where they are certain.
    fn evaluate<R: Rules>(
        &self,
        solver: &Solver<'_, R>,
        partial: &Partial<'_>,
        places: Vec<u32>,
    ) -> Result<Vec<Soon>, Unsolved> {
        let found: Vec<Result<Vec<Soon>, BadRules>> = places
            .par_chunks(CHUNK)
            .map(|chunk| {
                let (mut stack, mut numbers, mut found) = (Vec::new(), Vec::new(), Vec::new());
                Reader::guarded(solver.rules, |reader| {
                    for &place in chunk {
                        let rank = self.numbered.rank(place);
                        let number = solver.explored.reached.number(rank).expect("an open rank is reached");
                        if solver.codes[number as usize].load(Relaxed) != OPEN {
                            continue;
                        }
                        reader.read(rank, Checks::None)?;
                        reader.number(&solver.explored.reached, &mut numbers)?;
                        let known = |place: u32| solver.known(numbers[place as usize]);
                        let known = partial.value(&reader.formula, known, &mut stack);
                        if let Some(known) = known.filter(|known| known.moves != Value::ENDLESS) {
                            found.push((place, known));
                        }
                    }
                    Ok::<(), BadRules>(())
                })?;
                Ok(found)
            })
            .collect();
        let mut all = Vec::new();
        for chunk in found {
            all.extend(chunk?);
        }
        Ok(all)
    }
}

fn add(soon: &mut BTreeMap<u32, Vec<Soon>>, known: Vec<Soon>) {
    for (place, known) in known {
        soon.entry(known.moves).or_default().push((place, known));
    }
}

/// Who chooses in a position, if that is its only choice and every move leads to a position or to the end.
fn sense(formula: &Formula) -> Option<Goal> {
    let (last, others) = formula.operations().split_last()?;
    let is_leaf =
        |operation: &Operation| matches!(operation, Operation::Over(_) | Operation::Go(_) | Operation::Turn(_));
    match last {
        Operation::Choice { goal, moves, .. } if others.len() == *moves as usize && others.iter().all(is_leaf) => {
            Some(*goal)
        }
        _ => None,
    }
}
