//! Win, loss and draw with the moves to the end, for games of two players without chance and costs.
//!
//! A position is settled when its value and its moves to the end are certain. The outcomes that are furthest from a draw
//! come first, then the draws, and each by the number of moves. So whatever is settled later is no better for anyone.
//! Where the moves between open positions do not fit into memory and the rules do not tell predecessors, all open
//! positions are read in passes, until the moves fit. `backwards` does the rest.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use indicatif::ProgressBar;

use super::super::error::BadRules;
use super::super::formula::{Formula, Operation};
use super::super::retrograde::Classes;
use super::super::rules::{Goal, Rules};
use super::super::value::Value;
use super::backwards::{Backwards, Before};
use super::cycle;
use super::ranks::RankedRules;
use super::reach::Positions;
use super::read::{Reader, each_rank};
use super::set::Bits;

/// The code of an open position.
pub(super) const OPEN: u16 = 0;

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

    /// A win of the class that is searched, after a number of moves. The last class is that of draws.
    pub(super) fn win(&self, moves: u32) -> Known {
        let outcome = if self.phase == self.classes.phases() { 0 } else { self.phase as i32 };
        Known { outcome, moves }
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
            let order = |known: &Known| (self.classes.turn_of(known.outcome), known.moves);
            if seen(known.outcome) >= 0 {
                // The best class first, then the fewest moves.
                if good.is_none_or(|good| order(known) < order(&good)) {
                    good = Some(*known);
                }
            } else if bad.is_none_or(|bad| order(known) > order(&bad)) {
                // The least loss, then the most moves.
                bad = Some(*known);
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
    pub(super) rules: &'a RankedRules<'a, R>,
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
    pub(super) fn code(&self, number: u32) -> u16 {
        self.codes[number as usize].load(Relaxed)
    }

    pub(super) fn known(&self, number: u32) -> Option<Known> {
        self.coding.known(self.code(number))
    }

    pub(super) fn settle(&self, number: u32, known: Known) -> Result<(), TooLong> {
        self.codes[number as usize].store(self.coding.code(known).ok_or(TooLong)?, Relaxed);
        Ok(())
    }

    /// Runs `work` for each rank of a set, as [`each_rank`] does.
    pub(super) fn each_open<T: Send>(
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

    /// Solves a stage in which an endless game is a draw. At most `edges` moves stay in the stage.
    pub(super) fn solve_backwards(&self, open: &Bits, mut edges: u64) -> Result<(), Unsolved> {
        let mut search: Option<Backwards> = None;
        for phase in 1..=self.coding.classes.phases() {
            let partial = Partial { classes: &self.coding.classes, phase };
            let (mut moves, mut certain) = (0, None);
            while search.is_none() {
                if let Some(before) = self.before(open, edges)? {
                    let (begun, known) = Backwards::of(self, open, &partial, before)?;
                    (search, certain) = (Some(begun), Some(known));
                    break;
                }
                let pass = self.pass(open, &partial, moves)?;
                self.bar.inc(pass.settled);
                edges = pass.edges;
                // A step without a choice takes no move, so the same number of moves comes again.
                moves = match pass.pending {
                    None if pass.settled == 0 => break,
                    Some(pending) if pass.settled == 0 => pending,
                    _ => moves + u32::from(!self.explored.has_forced),
                };
            }
            if let Some(search) = &mut search {
                search.run(self, open, &partial, certain)?;
            }
        }
        if let Some(search) = &search {
            search.check_source(self, open)?;
        }
        let endless = Known { outcome: 0, moves: Value::ENDLESS };
        for rank in open.of_words(0..open.words()) {
            let number = self.explored.reached.number(rank).expect("an open rank is reached");
            self.settle(number, endless)?;
            self.bar.inc(1);
        }
        Ok(())
    }

    /// How the search finds predecessors of open positions. `None` if there is too little memory for that.
    fn before(&self, open: &Bits, edges: u64) -> Result<Option<Before>, BadRules> {
        let Some(first) = open.of_words(0..open.words()).next() else { return Ok(None) };
        let is_told =
            Reader::guarded(self.rules, |reader| Ok::<bool, BadRules>(reader.predecessors(first)?.is_some()))?;
        let before = if is_told { Before::Told } else { Before::Stored };
        // Moves have numbers of 32 bits.
        if before == Before::Stored && edges >= u64::from(u32::MAX) {
            return Ok(None);
        }
        let needed = Backwards::bytes(self.rules.count(), open.len(), before, edges);
        Ok((needed <= self.room).then_some(before))
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
                        let edges = nexts.iter().filter(|&&next| self.code(next) == OPEN).count();
                        *pass = std::mem::take(pass).and(Pass { settled: 0, pending, edges: edges as u64 });
                    }
                }
                Ok(())
            },
        )?;
        Ok(passes.into_iter().map(|(pass, _)| pass).fold(Pass::default(), Pass::and))
    }
}
