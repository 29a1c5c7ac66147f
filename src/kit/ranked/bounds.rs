//! Lower and upper bounds in games of two players with chance and cycles, stage by stage.
//!
//! The positions of a stage are compiled once, into words of 32 bits. Their bounds start as wide as possible and are
//! computed again from the bounds of the successors until they are close (interval iteration). Every bound is rounded
//! outwards, so both bounds hold at any time. A solved stage keeps one double for each position, and one error for all.
//!
//! The stage is divided into chunks. All positions of a chunk are computed from the same bounds and then replaced
//! together, so the bounds do not depend on the number of threads.
//!
//! ```text
//!  00 t n…n   the bounds of position n of the stage, seen from the other player if t is 1
//!  01 …       a value that is known, as a double in the next two words
//!  10 g m…m   the best of the m topmost values for the player with goal g (0: max, 1: min)
//!  11 0 w…w   the mean of the topmost values with the weights of list w
//!  11 1 m…m   the mean of the best of the m topmost values, as many as the next word says; then a word with the goal
//! ```

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::super::error::{BadRules, Fault};
use super::super::formula::{Formula, Operation};
use super::super::number::{Arithmetic, Bounds};
use super::super::rules::{Goal, Rules};
use super::numbers::Doubles;
use super::ranks::RankedRules;
use super::reach::{self, Positions};
use super::read::{Checks, Reader};
use super::set::{Bits, Numbered};

/// Positions that are computed from the same bounds.
const CHUNK: usize = 1 << 14;
/// Positions that one task computes.
const TASK: usize = 1 << 10;
/// Maximum number of sweeps over a stage.
const MAX_SWEEPS: usize = 1_000_000;
/// Give up if this number of sweeps has made less than 0.1 % of progress.
const STALL_SWEEPS: usize = 1_000;

const KIND: u32 = 0b11 << 30;
const SUCCESSOR: u32 = 0b00 << 30;
const CONSTANT: u32 = 0b01 << 30;
const CHOICE: u32 = 0b10 << 30;
const MEAN: u32 = 0b11 << 30;
/// The flag below the kind.
const FLAG: u32 = 1 << 29;
const REST: u32 = FLAG - 1;

/// A stage to be solved.
pub(super) struct Stage<'a, R: Rules> {
    pub(super) rules: &'a RankedRules<'a, R>,
    pub(super) explored: &'a Positions,
    /// The positions of the stage.
    pub(super) open: &'a Bits,
    /// The values of all positions of earlier stages.
    pub(super) middles: &'a Doubles,
    /// The largest error of these values.
    pub(super) error: f64,
    /// What the width of the bounds may add to twice this error.
    pub(super) share: f64,
    /// Memory in bytes that is left for the stage, and all that is allowed.
    pub(super) room: u64,
    pub(super) memory: u64,
    /// Its name in the progress.
    pub(super) title: String,
    pub(super) bar: &'a ProgressBar,
}

/// The compiled positions of a chunk.
struct Chunk {
    words: Vec<u32>,
    /// The first word of each position, and the end of the last.
    starts: Vec<u32>,
    weights: Vec<Weights>,
    /// What rounding may add to a computed value.
    slack: f64,
    /// The successors in the stage that have a higher number, less those that have a lower one.
    rising: i64,
}

#[derive(PartialEq)]
struct Weights {
    weights: Vec<f64>,
    total: f64,
}

/// A part of a formula while it is compiled.
enum Operand {
    Constant(f64),
    Code(Vec<u32>),
}

impl Operand {
    fn append_to(self, words: &mut Vec<u32>) {
        match self {
            Operand::Constant(value) => append_constant(value, words),
            Operand::Code(code) => words.extend(code),
        }
    }
}

fn append_constant(value: f64, words: &mut Vec<u32>) {
    let bits = value.to_bits();
    words.extend([CONSTANT, (bits >> 32) as u32, bits as u32]);
}

/// Memory in bytes that a stage takes at least: the numbering, the bounds, and a word for each move that stays in it.
pub(super) fn least_bytes(ranks: u64, stage: &reach::Stage) -> u64 {
    let fixed = ranks / 7 + stage.positions * size_of::<Bounds>() as u64;
    if stage.is_cyclic { fixed + (stage.positions + stage.edges) * size_of::<u32>() as u64 } else { 0 }
}

/// The error for a stage that needs more memory than is left of what is allowed.
pub(super) fn too_large(needed: u64, room: u64, allowed: u64) -> BadRules {
    let remedy = "let `stage` divide the game into smaller parts";
    Fault::Memory { needed: allowed - room + needed, allowed, remedy }.into()
}

/// A number below 2^29, or an error.
fn small(number: usize) -> Result<u32, BadRules> {
    u32::try_from(number).ok().filter(|&number| number <= REST).ok_or_else(|| Fault::TooManyPositions.into())
}

impl<R: Rules> Stage<'_, R> {
    /// Solves the stage, and returns the largest error of its values.
    pub(super) fn solve(&self) -> Result<f64, BadRules> {
        let ranks = self.rules.count();
        let numbered = Numbered::of(self.open, ranks).ok_or(Fault::TooManyPositions)?;
        let fixed = numbered.memory() as u64 + numbered.len() as u64 * size_of::<Bounds>() as u64;
        let chunks = self.compile(&numbered, fixed)?;
        let facts = &self.explored.facts;
        let start = if facts.has_turns { facts.ends.of_both(self.rules.sum()) } else { facts.ends };
        let mut bounds = vec![start; numbered.len()];
        let tolerance = self.share + 2.0 * self.error;
        // Positions are not computed again when they are close, which leaves half of the share to the others.
        let close = self.share / 2.0 + 2.0 * self.error;
        let rising: i64 = chunks.iter().map(|chunk| chunk.rising).sum();
        let mut gap = f64::INFINITY;
        for sweep in 1..=MAX_SWEEPS {
            let mut sum = 0.0;
            let mut is_open = false;
            for place in 0..chunks.len() {
                // Positions after their successors, as far as numbers tell.
                let place = if rising > 0 { chunks.len() - 1 - place } else { place };
                let (first, chunk) = (place * CHUNK, &chunks[place]);
                let last = bounds.len().min(first + CHUNK);
                if bounds[first..last].iter().all(|bounds| bounds.width() <= close) {
                    continue;
                }
                let new = self.updated(chunk, &bounds, first..last, close);
                for (old, new) in bounds[first..last].iter_mut().zip(new) {
                    *old = Bounds { lower: new.lower.max(old.lower), upper: new.upper.min(old.upper) };
                    is_open |= old.width() > tolerance;
                    sum += old.width();
                }
            }
            self.bar.set_message(format!("{}sweep {sweep}", self.title));
            if !is_open {
                break;
            }
            if sweep % STALL_SWEEPS == 0 {
                if sum > gap * 0.999 || sweep == MAX_SWEEPS {
                    return Err(self.apart(&numbered, &bounds));
                }
                gap = sum;
            }
        }
        let mut error: f64 = 0.0;
        for (number, bounds) in (0..).zip(&bounds) {
            let reached = self.explored.reached.number(numbered.rank(number)).expect("an open rank is reached");
            let middle = bounds.middle();
            error = error.max(middle - bounds.lower).max(bounds.upper - middle);
            self.middles.set(reached, middle);
        }
        self.bar.inc(bounds.len() as u64);
        Ok(error.next_up())
    }

    /// The new bounds of the positions of a chunk.
    fn updated(&self, chunk: &Chunk, bounds: &[Bounds], places: std::ops::Range<usize>, close: f64) -> Vec<Bounds> {
        let first = places.start;
        let tasks: Vec<Vec<Bounds>> = places
            .clone()
            .step_by(TASK)
            .collect::<Vec<usize>>()
            .into_par_iter()
            .map(|from| {
                let mut stack = Vec::new();
                (from..places.end.min(from + TASK))
                    .map(|place| match bounds[place] {
                        old if old.width() <= close => old,
                        _ => self.evaluate(chunk, place - first, bounds, &mut stack),
                    })
                    .collect()
            })
            .collect();
        tasks.concat()
    }

    fn evaluate(&self, chunk: &Chunk, place: usize, bounds: &[Bounds], stack: &mut Vec<Bounds>) -> Bounds {
        stack.clear();
        let sum = self.rules.sum() as f64;
        let mut words = chunk.words[chunk.starts[place] as usize..chunk.starts[place + 1] as usize].iter().copied();
        while let Some(word) = words.next() {
            let mut next = || words.next().expect("a word has its arguments");
            let (flag, rest) = (word & FLAG != 0, (word & REST) as usize);
            match word & KIND {
                SUCCESSOR => {
                    let Bounds { lower, upper } = bounds[rest];
                    stack.push(if flag { Bounds { lower: sum - upper, upper: sum - lower } } else { bounds[rest] });
                }
                CONSTANT => {
                    let value = f64::from_bits(u64::from(next()) << 32 | u64::from(next()));
                    stack.push(Bounds { lower: value - self.error, upper: value + self.error });
                }
                CHOICE => {
                    let from = stack.len() - rest;
                    let best = stack.drain(from..).reduce(|one, other| match flag {
                        false => Bounds { lower: one.lower.max(other.lower), upper: one.upper.max(other.upper) },
                        true => Bounds { lower: one.lower.min(other.lower), upper: one.upper.min(other.upper) },
                    });
                    stack.push(best.expect("a choice has moves"));
                }
                _ if flag => {
                    let (proposed, goal) = (next(), if next() == 0 { Goal::Max } else { Goal::Min });
                    let from = stack.len() - rest;
                    let chosen = Bounds::choose(&mut stack[from..], proposed, goal);
                    stack.truncate(from);
                    stack.push(chosen);
                }
                _ => {
                    let Weights { weights, total } = &chunk.weights[rest];
                    let from = stack.len() - weights.len();
                    let mut mean = Bounds { lower: 0.0, upper: 0.0 };
                    for (bounds, weight) in stack.drain(from..).zip(weights) {
                        mean.lower += bounds.lower * weight;
                        mean.upper += bounds.upper * weight;
                    }
                    stack.push(Bounds { lower: mean.lower / total, upper: mean.upper / total });
                }
            }
        }
        let Bounds { lower, upper } = stack.pop().expect("a node has a value");
        Bounds { lower: lower - chunk.slack, upper: upper + chunk.slack }
    }

    /// Compiles all positions of the stage, if they fit into memory.
    fn compile(&self, numbered: &Numbered, fixed: u64) -> Result<Vec<Chunk>, BadRules> {
        let count = numbered.len().div_ceil(CHUNK);
        let mut chunks = Vec::with_capacity(count);
        let mut used = fixed;
        // A few chunks at a time, so that too little memory is found out early.
        for first in (0..count).step_by(64) {
            let compiled: Vec<Result<Chunk, BadRules>> = (first..count.min(first + 64))
                .into_par_iter()
                .map(|place| self.compile_chunk(numbered, place * CHUNK..numbered.len().min((place + 1) * CHUNK)))
                .collect();
            for chunk in compiled {
                let chunk = chunk?;
                used += ((chunk.words.len() + chunk.starts.len()) * size_of::<u32>()) as u64;
                chunks.push(chunk);
            }
            if used > self.room {
                let needed = fixed + (used - fixed) / chunks.len() as u64 * count as u64;
                return Err(too_large(needed, self.room, self.memory));
            }
        }
        Ok(chunks)
    }

    fn compile_chunk(&self, numbered: &Numbered, places: std::ops::Range<usize>) -> Result<Chunk, BadRules> {
        let facts = &self.explored.facts;
        // No value is larger, seen from either player.
        let size = facts.least.abs().max(facts.greatest.abs()) + (self.rules.sum() as f64).abs();
        let mut chunk = Chunk { words: Vec::new(), starts: vec![0], weights: Vec::new(), slack: 0.0, rising: 0 };
        let mut numbers = Vec::new();
        Reader::guarded(self.rules, |reader| {
            for place in places {
                reader.read(numbered.rank(place as u32), Checks::None)?;
                reader.number(&self.explored.reached, &mut numbers)?;
                let mut operations = 4.0;
                let code = {
                    let inside = |next: u32| numbered.number(reader.next_ranks[next as usize]);
                    let known = |next: u32| self.middles.get(numbers[next as usize]);
                    self.compile_formula(&reader.formula, place as u32, inside, known, &mut chunk, &mut operations)?
                };
                code.append_to(&mut chunk.words);
                chunk.starts.push(u32::try_from(chunk.words.len()).map_err(|_| Fault::TooManyPositions)?);
                chunk.slack = chunk.slack.max(operations * f64::EPSILON * size);
            }
            chunk.words.shrink_to_fit();
            Ok(chunk)
        })
    }

    /// Compiles a formula. `inside` gives the number of a successor in the stage, `known` the value of another one.
    fn compile_formula(
        &self,
        formula: &Formula,
        own: u32,
        inside: impl Fn(u32) -> Option<u32>,
        known: impl Fn(u32) -> f64,
        chunk: &mut Chunk,
        operations: &mut f64,
    ) -> Result<Operand, BadRules> {
        let sum = self.rules.sum() as f64;
        let mut stack: Vec<Operand> = Vec::new();
        let mut successor = |number: u32, flag: u32| {
            chunk.rising += i64::from(number > own) - i64::from(number < own);
            small(number as usize).map(|number| Operand::Code(vec![SUCCESSOR | flag | number]))
        };
        for operation in formula.operations() {
            let operand = match *operation {
                Operation::Over(value) => Operand::Constant(value.to_f64()),
                Operation::Again => successor(own, 0)?,
                Operation::Go(next) => match inside(next) {
                    Some(number) => successor(number, 0)?,
                    None => Operand::Constant(known(next)),
                },
                Operation::Turn(next) => match inside(next) {
                    Some(number) => successor(number, FLAG)?,
                    None => Operand::Constant(sum - known(next)),
                },
                Operation::Choice { goal, proposed: 1, moves } => {
                    best_of(goal, stack.split_off(stack.len() - moves as usize))?
                }
                Operation::Choice { goal, proposed, moves } => {
                    *operations += f64::from(proposed) + 4.0;
                    let word = MEAN | FLAG | small(moves as usize)?;
                    let goal = u32::from(goal == Goal::Min);
                    code_of(stack.split_off(stack.len() - moves as usize), &[word, proposed, goal])
                }
                Operation::Chance { outcomes: 1, .. } => continue,
                Operation::Chance { outcomes, total, .. } => {
                    *operations += f64::from(outcomes) + 4.0;
                    let weights = formula.weights_of(operation).iter().map(|&weight| weight as f64).collect();
                    let weights = Weights { weights, total: total as f64 };
                    let known = chunk.weights.iter().position(|other| *other == weights);
                    let place = known.unwrap_or(chunk.weights.len());
                    if known.is_none() {
                        chunk.weights.push(weights);
                    }
                    code_of(stack.split_off(stack.len() - outcomes as usize), &[MEAN | small(place)?])
                }
                // A cost is zero here, and the others occur only without cycles.
                _ => continue,
            };
            stack.push(operand);
        }
        Ok(stack.pop().expect("a node has a value"))
    }

    /// The error for bounds that do not converge.
    fn apart(&self, numbered: &Numbered, bounds: &[Bounds]) -> BadRules {
        let widest = (0..bounds.len())
            .reduce(|widest, other| if bounds[other].width() > bounds[widest].width() { other } else { widest })
            .expect("a stage has positions");
        let Bounds { lower, upper } = bounds[widest];
        Fault::Apart { lower, upper }.at(self.rules.unrank(numbered.rank(widest as u32)))
    }
}

/// The operands, then some words.
fn code_of(operands: Vec<Operand>, words: &[u32]) -> Operand {
    let mut code = Vec::new();
    operands.into_iter().for_each(|operand| operand.append_to(&mut code));
    code.extend_from_slice(words);
    Operand::Code(code)
}

/// The best of several operands. Of the known values only the best one is needed.
fn best_of(goal: Goal, operands: Vec<Operand>) -> Result<Operand, BadRules> {
    let mut best: Option<f64> = None;
    let mut others: Vec<Operand> = Vec::with_capacity(operands.len());
    for operand in operands {
        match operand {
            Operand::Constant(value) if best.is_none_or(|best| value.is_better(&best, goal)) => best = Some(value),
            Operand::Constant(_) => {}
            code => others.push(code),
        }
    }
    others.extend(best.map(Operand::Constant));
    if others.len() == 1 {
        return Ok(others.remove(0));
    }
    let flag = if goal == Goal::Min { FLAG } else { 0 };
    let word = CHOICE | flag | small(others.len())?;
    Ok(code_of(others, &[word]))
}
