//! Many formulas in little memory.

use std::iter;

use super::super::error::BadRules;
use super::super::facts::Facts;
use super::super::number::Number;
use super::super::rules::Goal;
use super::{Formula, Operation, Waiting, small};

/// Many formulas, without their properties. An operation is a tag and its numbers, because most operations are a move
/// to a position.
#[derive(Default)]
pub(in super::super) struct Formulas {
    words: Vec<u32>,
    /// The numbers of the rules.
    numbers: Vec<Number>,
    weights: Vec<u64>,
    ends: Vec<End>,
}

/// The tags of operations.
const GO: u32 = 0;
const TURN: u32 = 1;
const OVER: u32 = 2;
const COST: u32 = 3;
const MAX: u32 = 4;
const MIN: u32 = 5;
const CHANCE: u32 = 6;
const AGAIN: u32 = 7;

/// Where a formula ends, and how it waits.
#[derive(Clone, Copy)]
struct End {
    words: usize,
    weights: usize,
    waits: bool,
    waiting: Waiting,
}

impl Formulas {
    pub(in super::super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(in super::super) fn push(&mut self, formula: &Formula) -> Result<(), BadRules> {
        for operation in &formula.operations {
            match *operation {
                Operation::Go(next) => self.words.extend([GO, next]),
                Operation::Turn(next) => self.words.extend([TURN, next]),
                Operation::Again => self.words.push(AGAIN),
                Operation::Over(value) => self.push_number(OVER, value)?,
                Operation::Cost(cost) => self.push_number(COST, cost)?,
                Operation::Choice { goal, proposed, moves } => {
                    self.words.extend([if goal == Goal::Max { MAX } else { MIN }, proposed, moves]);
                }
                Operation::Chance { first, outcomes, total } => {
                    self.words.extend([CHANCE, first, outcomes, total as u32, (total >> 32) as u32]);
                }
                Operation::Collapsed(_)
                | Operation::Keep
                | Operation::Put
                | Operation::Recall(_)
                | Operation::Passed => {
                    unreachable!("a formula of a node without transient positions")
                }
            }
        }
        self.weights.extend_from_slice(&formula.weights);
        let (words, weights) = (self.words.len(), self.weights.len());
        self.ends.push(End { words, weights, waits: formula.waits, waiting: formula.waiting });
        Ok(())
    }

    fn push_number(&mut self, tag: u32, number: Number) -> Result<(), BadRules> {
        self.words.extend([tag, small(self.numbers.len())?]);
        self.numbers.push(number);
        Ok(())
    }

    pub(in super::super) fn operations_of(&self, place: usize) -> impl Iterator<Item = Operation> {
        let start = if place == 0 { 0 } else { self.ends[place - 1].words };
        let mut words = self.words[start..self.ends[place].words].iter().copied();
        iter::from_fn(move || {
            let tag = words.next()?;
            let mut word = || words.next().expect("an operation is complete");
            Some(match tag {
                GO => Operation::Go(word()),
                TURN => Operation::Turn(word()),
                OVER => Operation::Over(self.numbers[word() as usize]),
                COST => Operation::Cost(self.numbers[word() as usize]),
                MAX => Operation::Choice { goal: Goal::Max, proposed: word(), moves: word() },
                MIN => Operation::Choice { goal: Goal::Min, proposed: word(), moves: word() },
                CHANCE => Operation::Chance {
                    first: word(),
                    outcomes: word(),
                    total: u64::from(word()) | u64::from(word()) << 32,
                },
                _ => Operation::Again,
            })
        })
    }

    /// The weights of all operations of chance of a formula.
    pub(in super::super) fn weights_of(&self, place: usize) -> &[u64] {
        let start = if place == 0 { 0 } else { self.ends[place - 1].weights };
        &self.weights[start..self.ends[place].weights]
    }

    /// Memory in bytes.
    pub(in super::super) fn memory(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + self.numbers.capacity() * size_of::<Number>()
            + self.weights.capacity() * size_of::<u64>()
            + self.ends.capacity() * size_of::<End>()
    }
}

impl Formula {
    /// Becomes a formula of a list, with other numbers of its successors in their order. Its properties are not known.
    pub(in super::super) fn restore(&mut self, all: &Formulas, place: usize, targets: &[u32]) {
        let end = all.ends[place];
        self.operations.clear();
        let mut targets = targets.iter();
        let mut target = || *targets.next().expect("one target per successor");
        self.operations.extend(all.operations_of(place).map(|operation| match operation {
            Operation::Go(_) => Operation::Go(target()),
            Operation::Turn(_) => Operation::Turn(target()),
            other => other,
        }));
        self.weights.clear();
        self.weights.extend_from_slice(all.weights_of(place));
        self.scheme = None;
        self.ends.clear();
        (self.waits, self.waiting, self.facts) = (end.waits, end.waiting, Facts::NONE);
    }
}
