//! The search from the ends of the game back to the positions that lead there.
//!
//! A position tells once how many of its moves lead to open positions. When one of these is settled, its predecessors learn
//! it: a move that is no loss settles them one move later, and a loss counts down. A position is read again only when its
//! last move is known, or if it is not a simple choice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::error::{BadRules, Fault};
use super::super::formula::{Formula, Operation};
use super::super::rule_checks::check_predecessors;
use super::super::rules::{Goal, Rules};
use super::super::value::Value;
use super::outcomes::{Known, OPEN, Partial, Solver, TooLong, Unsolved};
use super::read::{Checks, Reader, each_rank};
use super::set::{Bits, Numbered};
use crate::seeded::Seeded;

/// Settled positions whose predecessors one task looks up.
const CHUNK: usize = 1 << 10;
/// Marks a position with a value below a draw, and the head of a list of successors.
const MARK: u32 = 1 << 31;

/// How predecessors are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// The rules tell them.
    Told,
    /// They are stored.
    Stored,
}

/// What a position has told of its moves, in 16 bits.
///
/// ```text
/// 1 bit    the player to move wants the least value
/// 1 bit    a successor's value is the other player's
/// 14 bits  the number of different open positions that moves lead to and that are not settled
/// ```
struct Told(AtomicU16);

impl Told {
    const MINIMISES: u16 = 1 << 15;
    const TURNS: u16 = 1 << 14;
    const COUNT: u16 = Told::TURNS - 1;
    /// Of a position that is read after every change.
    const NESTED: u16 = u16::MAX;

    fn of(formula: &Formula, count: usize) -> u16 {
        let Some((goal, is_turn)) = sense(formula) else { return Told::NESTED };
        let minimises = if goal == Goal::Min { Told::MINIMISES } else { 0 };
        let turns = if is_turn { Told::TURNS } else { 0 };
        // The largest count would look like a nested position.
        if count < usize::from(Told::COUNT) { minimises | turns | count as u16 } else { Told::NESTED }
    }

    /// Learns the outcome of a successor.
    fn learn(&self, outcome: i32) -> Learned {
        let told = self.0.load(Relaxed);
        if told == Told::NESTED {
            return Learned::Something;
        }
        let own = if told & Told::TURNS == 0 { outcome } else { -outcome };
        let is_bad = if told & Told::MINIMISES == 0 { own < 0 } else { own > 0 };
        match is_bad {
            false => Learned::Outcome(own),
            true => {
                let less = |told: u16| (told & Told::COUNT > 0).then(|| told - 1);
                match self.0.fetch_update(Relaxed, Relaxed, less) {
                    Ok(before) if before & Told::COUNT > 1 => Learned::Nothing,
                    _ => Learned::Something,
                }
            }
        }
    }
}

/// What the outcome of a successor says of a position.
enum Learned {
    Nothing,
    /// It has this outcome, one move later.
    Outcome(i32),
    /// Its value may be certain now.
    Something,
}

/// Positions that will be settled in a phase, by their moves to the end. Those below a draw have a [`MARK`].
#[derive(Default)]
pub(super) struct Soon(BTreeMap<u32, Vec<u32>>);

impl Soon {
    fn push(&mut self, place: u32, known: Known) {
        self.0.entry(known.moves).or_default().push(marked(place, known.outcome));
    }

    fn append(&mut self, other: Soon) {
        for (moves, places) in other.0 {
            self.0.entry(moves).or_default().extend(places);
        }
    }

    /// Takes those that end after at most `moves` moves.
    fn take(&mut self, moves: u32) -> Vec<u32> {
        let later = moves.checked_add(1).map(|later| self.0.split_off(&later)).unwrap_or_default();
        std::mem::replace(&mut self.0, later).into_values().flatten().collect()
    }
}

fn marked(place: u32, outcome: i32) -> u32 {
    if outcome < 0 { place | MARK } else { place }
}

/// What settling some positions has shown of their predecessors.
#[derive(Default)]
struct Shown {
    settled: u64,
    /// They will be settled one move later.
    next: Vec<u32>,
    /// They have to be read.
    unclear: Vec<u32>,
}

/// The positions that are open when the search begins. They are numbered anew: a place is such a number.
pub(super) struct Backwards {
    numbered: Numbered,
    told: Vec<Told>,
    /// The places whose value is known, settled or soon to be.
    done: Bits,
    source: Source,
}

/// Where predecessors come from.
enum Source {
    /// From the rules. The number is the sum of a hash of every move between places as nodes say, less those that
    /// predecessors say. If the rules agree it is 0 when each place has told its predecessors.
    Rules(AtomicU64),
    Stored(Stored),
}

/// A hash of a move between places.
fn move_hash(from: u32, to: u32) -> u64 {
    Seeded(u64::from(from) << u32::BITS | u64::from(to)).below(u64::MAX)
}

/// The predecessors of place `p` are `before[starts[p]..starts[p + 1]]`.
struct Stored {
    starts: Vec<u32>,
    before: Vec<u32>,
}

impl Stored {
    /// Turns lists of successors around. A list is its head, a place with a [`MARK`], and the places that follow it.
    fn of(places: usize, lists: Vec<Vec<u32>>) -> Result<Stored, TooLong> {
        let counts: Vec<AtomicU32> = (0..=places).map(|_| AtomicU32::new(0)).collect();
        lists.par_iter().flatten().filter(|&word| word & MARK == 0).for_each(|&next| {
            counts[next as usize + 1].fetch_add(1, Relaxed);
        });
        let mut starts: Vec<u32> = counts.into_iter().map(AtomicU32::into_inner).collect();
        for place in 1..starts.len() {
            starts[place] = starts[place].checked_add(starts[place - 1]).ok_or(TooLong)?;
        }
        let free: Vec<AtomicU32> = starts.iter().map(|&start| AtomicU32::new(start)).collect();
        let before: Vec<AtomicU32> = (0..starts[places]).map(|_| AtomicU32::new(0)).collect();
        lists.into_par_iter().for_each(|list| {
            let mut own = 0;
            for word in list {
                if word & MARK != 0 {
                    own = word & !MARK;
                } else {
                    before[free[word as usize].fetch_add(1, Relaxed) as usize].store(own, Relaxed);
                }
            }
        });
        Ok(Stored { starts, before: before.into_iter().map(AtomicU32::into_inner).collect() })
    }

    fn of_place(&self, place: u32) -> &[u32] {
        &self.before[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }
}

impl Backwards {
    /// The memory of a search, in bytes. `edges` is the number of moves that are stored.
    pub(super) fn bytes(ranks: u64, positions: u64, before: Before, edges: u64) -> u64 {
        // The numbering, what positions have told, which are done, and those that are settled next.
        let always = ranks / 7 + positions * 2 + positions / 8 + positions * 4;
        match before {
            Before::Told => always,
            // Starts twice, heads, and every move in both directions.
            Before::Stored => always + positions * 12 + edges * 8,
        }
    }

    /// Reads all open positions. Also returns those whose value is certain already.
    pub(super) fn of<R: Rules>(
        solver: &Solver<'_, R>,
        open: &Bits,
        partial: &Partial<'_>,
        before: Before,
    ) -> Result<(Backwards, Soon), Unsolved> {
        let ranks = solver.rules.count();
        let numbered = Numbered::of(open, ranks).ok_or(TooLong)?;
        let told: Vec<Told> = (0..numbered.len()).map(|_| Told(AtomicU16::new(0))).collect();
        let read = solver.each_open(
            open,
            || (Soon::default(), Vec::new(), 0_u64, Vec::new(), Vec::new()),
            |(certain, list, hashes, stack, nexts), rank, _, reader, numbers| {
                let own = numbered.number(rank).expect("an open rank is numbered");
                let known = partial.value(&reader.formula, |place| solver.known(numbers[place as usize]), stack);
                if let Some(known) = known.filter(|known| known.moves != Value::ENDLESS) {
                    certain.push(own, known);
                }
                nexts.clear();
                nexts.extend(reader.next_ranks.iter().filter_map(|&next| numbered.number(next)));
                nexts.sort_unstable();
                nexts.dedup();
                told[own as usize].0.store(Told::of(&reader.formula, nexts.len()), Relaxed);
                match before {
                    Before::Told => {
                        nexts.iter().for_each(|&next| *hashes = hashes.wrapping_add(move_hash(own, next)));
                    }
                    Before::Stored if nexts.is_empty() => {}
                    Before::Stored => {
                        list.push(own | MARK);
                        list.extend_from_slice(nexts);
                    }
                }
                Ok(())
            },
        )?;
        let (mut certain, mut lists, mut sum) = (Soon::default(), Vec::new(), 0_u64);
        for (known, mut list, hashes, ..) in read {
            certain.append(known);
            list.shrink_to_fit();
            lists.push(list);
            sum = sum.wrapping_add(hashes);
        }
        let source = match before {
            Before::Told => Source::Rules(AtomicU64::new(sum)),
            Before::Stored => Source::Stored(Stored::of(numbered.len(), lists)?),
        };
        let done = Bits::none(numbered.len() as u64);
        Ok((Backwards { numbered, told, done, source }, certain))
    }

    /// Settles all positions of a class. Nothing of this class is settled yet, or all that can be found in passes.
    /// `certain` is what is certain by the positions that are settled so far, if it is known.
    pub(super) fn run<R: Rules>(
        &mut self,
        solver: &Solver<'_, R>,
        open: &Bits,
        partial: &Partial<'_>,
        certain: Option<Soon>,
    ) -> Result<(), Unsolved> {
        let mut soon = match certain {
            Some(certain) => certain,
            None => {
                let all = open.of_words(0..open.words()).filter_map(|rank| self.numbered.number(rank));
                self.read(solver, partial, &all.collect::<Vec<u32>>())?
            }
        };
        while let Some((moves, mut settling)) = soon.0.pop_first() {
            // A step without a choice takes no move, so more positions may get the same number of moves.
            while !settling.is_empty() {
                let shown = self.settle(solver, open, partial.win(moves), &settling)?;
                solver.bar.inc(shown.settled);
                if !shown.next.is_empty() {
                    soon.0.entry(moves.saturating_add(1)).or_default().extend(shown.next);
                }
                let mut known = self.read(solver, partial, &shown.unclear)?;
                settling = known.take(moves);
                soon.append(known);
            }
        }
        Ok(())
    }

    /// Settles positions and tells their predecessors. `won` is the value of those that are not lost.
    fn settle<R: Rules>(
        &self,
        solver: &Solver<'_, R>,
        open: &Bits,
        won: Known,
        settling: &[u32],
    ) -> Result<Shown, Unsolved> {
        let chunks: Vec<Result<Shown, Unsolved>> = settling
            .par_chunks(CHUNK)
            .map(|chunk| {
                Reader::guarded(solver.rules, |reader| {
                    let mut shown = Shown::default();
                    for &word in chunk {
                        let (place, is_lost) = (word & !MARK, word & MARK != 0);
                        let rank = self.numbered.rank(place);
                        if !open.remove(rank) {
                            continue;
                        }
                        let outcome = if is_lost { -won.outcome } else { won.outcome };
                        let number = solver.explored.reached.number(rank).expect("an open rank is reached");
                        solver.settle(number, Known { outcome, ..won })?;
                        self.done.insert(u64::from(place));
                        shown.settled += 1;
                        self.each_before(reader, place, |before| self.tell(before, outcome, &mut shown))?;
                    }
                    Ok(shown)
                })
            })
            .collect();
        let mut all = Shown::default();
        for chunk in chunks {
            let chunk = chunk?;
            all.settled += chunk.settled;
            all.next.extend(chunk.next);
            all.unclear.extend(chunk.unclear);
        }
        // A nested position may have several successors that were settled.
        all.unclear.par_sort_unstable();
        all.unclear.dedup();
        Ok(all)
    }

    /// Runs `work` for each predecessor of a place. Every place is asked for once.
    fn each_before<R: Rules>(
        &self,
        reader: &Reader<'_, R>,
        place: u32,
        mut work: impl FnMut(u32),
    ) -> Result<(), BadRules> {
        match &self.source {
            Source::Stored(stored) => stored.of_place(place).iter().for_each(|&before| work(before)),
            Source::Rules(unmatched) => {
                let rank = self.numbered.rank(place);
                let before = reader.predecessors(rank)?.ok_or_else(|| Fault::NoPredecessors.at(reader.unrank(rank)))?;
                let mut hashes = 0_u64;
                for before in before.iter().filter_map(|&before| self.numbered.number(before)) {
                    hashes = hashes.wrapping_add(move_hash(before, place));
                    work(before);
                }
                unmatched.fetch_sub(hashes, Relaxed);
            }
        }
        Ok(())
    }

    /// Checks after the last phase that predecessors and nodes have told the same moves.
    pub(super) fn check_source<R: Rules>(&self, solver: &Solver<'_, R>, open: &Bits) -> Result<(), BadRules> {
        let Source::Rules(unmatched) = &self.source else { return Ok(()) };
        let rules = solver.rules;
        each_rank(
            rules,
            solver.explored,
            open,
            || (),
            |(), rank, _, reader, _| {
                self.each_before(reader, self.numbered.number(rank).expect("an open rank is numbered"), |_| {})
            },
        )?;
        if unmatched.load(Relaxed) == 0 {
            return Ok(());
        }
        let all = self.numbered.subset(rules.count(), |_| true);
        each_rank(
            rules,
            solver.explored,
            &all,
            || (),
            |(), _, _, reader, _| {
                let position = reader.position.as_ref().expect("a position was read");
                check_predecessors(rules.rules, position)?;
                reader.check_ranks_before(position)
            },
        )?;
        // Only rules that say something else each time get here.
        let first = rules.unrank(self.numbered.rank(0));
        Err(Fault::Changing.at(first))
    }

    /// Tells the outcome of a position to a predecessor.
    fn tell(&self, before: u32, outcome: i32, shown: &mut Shown) {
        if self.done.has(u64::from(before)) {
            return;
        }
        match self.told[before as usize].learn(outcome) {
            Learned::Nothing => {}
            Learned::Something => shown.unclear.push(before),
            Learned::Outcome(outcome) => {
                if self.done.insert(u64::from(before)) {
                    shown.next.push(marked(before, outcome));
                }
            }
        }
    }

    /// The values of positions, where they are certain.
    fn read<R: Rules>(&self, solver: &Solver<'_, R>, partial: &Partial<'_>, places: &[u32]) -> Result<Soon, Unsolved> {
        let found: Vec<Result<Soon, BadRules>> = places
            .par_chunks(CHUNK)
            .map(|chunk| {
                let (mut stack, mut numbers, mut found) = (Vec::new(), Vec::new(), Soon::default());
                Reader::guarded(solver.rules, |reader| {
                    for &place in chunk {
                        let rank = self.numbered.rank(place);
                        let number = solver.explored.reached.number(rank).expect("an open rank is reached");
                        if solver.code(number) != OPEN {
                            continue;
                        }
                        reader.read(rank, Checks::None)?;
                        reader.number(&solver.explored.reached, &mut numbers)?;
                        let known = |place: u32| solver.known(numbers[place as usize]);
                        let known = partial.value(&reader.formula, known, &mut stack);
                        if let Some(known) = known.filter(|known| known.moves != Value::ENDLESS) {
                            found.push(place, known);
                        }
                    }
                    Ok::<(), BadRules>(())
                })?;
                Ok(found)
            })
            .collect();
        let mut all = Soon::default();
        for chunk in found {
            all.append(chunk?);
        }
        Ok(all)
    }
}

/// Who chooses in a position, and whether the turn passes with every move. `None` if it is not a single choice of moves
/// to positions and to ends.
fn sense(formula: &Formula) -> Option<(Goal, bool)> {
    let (last, others) = formula.operations().split_last()?;
    let Operation::Choice { goal, moves, .. } = last else { return None };
    let has = |kind: fn(&Operation) -> bool| others.iter().any(kind);
    let is_turn = has(|operation| matches!(operation, Operation::Turn(_)));
    let is_mixed = is_turn && has(|operation| matches!(operation, Operation::Go(_)));
    let is_leaf =
        |operation: &Operation| matches!(operation, Operation::Over(_) | Operation::Go(_) | Operation::Turn(_));
    let is_simple = others.len() == *moves as usize && others.iter().all(is_leaf) && !is_mixed;
    is_simple.then_some((*goal, is_turn))
}
