//! A node as a list of operations on a stack, in which positions are numbers.
//!
//! The rules are asked once per pass; a formula can then be worked out many times, in any arithmetic, without recursion.

use super::error::BadRules;
use super::number::{Arithmetic, Closed, Number, Piece, settle};
use super::rules::{Goal, Node, Rules};

/// The largest sum of weights: up to here doubles are whole numbers.
pub(super) const MOST_WEIGHT: u64 = 1 << 53;

/// An operation: what it pushes, or what it makes of the topmost values.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operation {
    Over(Number),
    Go(u32),
    Turn(u32),
    Again,
    Cost(Number),
    /// The mean of the best `proposed` among `moves` values.
    Choice {
        goal: Goal,
        proposed: u32,
        moves: u32,
    },
    /// The weighted mean of as many values as there are weights from `first` on.
    Chance {
        first: u32,
        outcomes: u32,
        total: u64,
    },
}

/// What a game has, as far as its nodes have been seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Facts {
    pub(super) has_chance: bool,
    pub(super) has_waiting: bool,
    pub(super) has_costs: bool,
    pub(super) has_max: bool,
    pub(super) has_min: bool,
    pub(super) has_turns: bool,
    /// The least value of a game that is over, seen from whoever, and the greatest.
    pub(super) least: f64,
    pub(super) greatest: f64,
    pub(super) least_cost: f64,
}

impl Facts {
    pub(super) const NONE: Facts = Facts {
        has_chance: false,
        has_waiting: false,
        has_costs: false,
        has_max: false,
        has_min: false,
        has_turns: false,
        least: f64::INFINITY,
        greatest: f64::NEG_INFINITY,
        least_cost: 0.0,
    };

    pub(super) fn and(self, other: Facts) -> Facts {
        Facts {
            has_chance: self.has_chance || other.has_chance,
            has_waiting: self.has_waiting || other.has_waiting,
            has_costs: self.has_costs || other.has_costs,
            has_max: self.has_max || other.has_max,
            has_min: self.has_min || other.has_min,
            has_turns: self.has_turns || other.has_turns,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            least_cost: self.least_cost.min(other.least_cost),
        }
    }

    /// Whether two players choose and nothing is left to chance, so that a game has a length under best play.
    pub(super) fn has_length(&self) -> bool {
        let two_players = self.has_turns || self.has_max && self.has_min;
        two_players && !self.has_chance && !self.has_waiting
    }

    /// The value that wins for nobody.
    pub(super) fn middle<R: Rules>(&self) -> f64 {
        if self.has_turns { R::SUM as f64 / 2.0 } else { self.least.midpoint(self.greatest) }
    }
}

/// A node, flattened. It can be built anew in the same memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Formula {
    operations: Vec<Operation>,
    weights: Vec<u64>,
    waits: bool,
    facts: Facts,
}

impl Formula {
    pub(super) fn new() -> Formula {
        Formula { operations: Vec::new(), weights: Vec::new(), waits: false, facts: Facts::NONE }
    }

    /// Flattens the node of a position. `number` is called with the positions that follow, in order.
    pub(super) fn build<R: Rules>(
        &mut self,
        node: &Node<R>,
        position: &R::Position,
        mut number: impl FnMut(&R::Position) -> Result<u32, BadRules>,
    ) -> Result<(), BadRules> {
        self.operations.clear();
        self.weights.clear();
        self.waits = false;
        self.facts = Facts::NONE;
        let only_waits = self.push(node, position, &mut number)?;
        if only_waits { Err(BadRules::EndlessWait { position: position.to_string() }) } else { Ok(()) }
    }

    /// What the formula has.
    pub(super) fn facts(&self) -> Facts {
        self.facts
    }

    /// Appends a node and returns whether nothing can happen there but waiting.
    fn push<R: Rules>(
        &mut self,
        node: &Node<R>,
        position: &R::Position,
        number: &mut impl FnMut(&R::Position) -> Result<u32, BadRules>,
    ) -> Result<bool, BadRules> {
        let text = || position.to_string();
        match node {
            Node::Over(value) => {
                self.see_value(*value, &text)?;
                self.operations.push(Operation::Over(*value));
                Ok(false)
            }
            Node::Go(next) => {
                let next = number(next)?;
                self.operations.push(Operation::Go(next));
                Ok(false)
            }
            Node::Turn(next) => {
                self.facts.has_turns = true;
                let next = number(next)?;
                self.operations.push(Operation::Turn(next));
                Ok(false)
            }
            Node::Again => {
                self.waits = true;
                self.facts.has_waiting = true;
                self.operations.push(Operation::Again);
                Ok(true)
            }
            Node::Cost(cost, then) => {
                if !cost.is_finite() {
                    return Err(BadRules::NotANumber { position: text() });
                }
                self.facts.has_costs |= cost.to_f64() != 0.0;
                self.facts.least_cost = self.facts.least_cost.min(cost.to_f64());
                let only_waits = self.push(then, position, number)?;
                self.operations.push(Operation::Cost(*cost));
                Ok(only_waits)
            }
            Node::Choice { goal, proposed, moves } => {
                if moves.is_empty() {
                    return Err(BadRules::NoMoves { position: text() });
                }
                if *proposed == 0 {
                    return Err(BadRules::NothingProposed { position: text() });
                }
                for step in moves {
                    if self.push(&step.then, position, number)? {
                        return Err(BadRules::EndlessWait { position: text() });
                    }
                }
                match goal {
                    Goal::Max => self.facts.has_max = true,
                    Goal::Min => self.facts.has_min = true,
                }
                let moves = small(moves.len())?;
                let proposed = u32::try_from(*proposed).unwrap_or(u32::MAX).min(moves);
                self.facts.has_chance |= proposed > 1;
                self.operations.push(Operation::Choice { goal: *goal, proposed, moves });
                Ok(false)
            }
            Node::Chance(outcomes) => {
                if outcomes.is_empty() {
                    return Err(BadRules::NoMoves { position: text() });
                }
                let sum = outcomes.iter().try_fold(0_u64, |sum, outcome| sum.checked_add(outcome.weight));
                let total = sum
                    .filter(|sum| (1..=MOST_WEIGHT).contains(sum))
                    .ok_or_else(|| BadRules::Weights { position: text(), sum })?;
                let mut only_waits = true;
                // What cannot happen is no part of the game.
                let possible = || outcomes.iter().filter(|outcome| outcome.weight > 0);
                for outcome in possible() {
                    only_waits &= self.push(&outcome.then, position, number)?;
                }
                let first = small(self.weights.len())?;
                self.weights.extend(possible().map(|outcome| outcome.weight));
                let outcomes = small(self.weights.len())? - first;
                self.facts.has_chance |= outcomes > 1;
                self.operations.push(Operation::Chance { first, outcomes, total });
                Ok(only_waits)
            }
        }
    }

    fn see_value(&mut self, value: Number, text: &impl Fn() -> String) -> Result<(), BadRules> {
        if !value.is_finite() {
            return Err(BadRules::NotANumber { position: text() });
        }
        let value = value.to_f64();
        self.facts.least = self.facts.least.min(value);
        self.facts.greatest = self.facts.greatest.max(value);
        Ok(())
    }

    /// The value of the position; `value` is the one of a numbered position. What is waited for is worked out.
    pub(super) fn value<T: Closed>(&self, sum: i64, value: &impl Fn(u32) -> T, stacks: &mut Stacks<T>) -> T {
        if self.waits {
            return settle(|at| {
                let value = |successor| match successor {
                    Successor::Position(next) => Piece::constant(value(next)),
                    Successor::Again => Piece::waiting(at),
                };
                self.evaluate(sum, &value, &mut stacks.pieces)
            });
        }
        let value = |successor| match successor {
            Successor::Position(next) => value(next),
            Successor::Again => unreachable!("a formula that does not wait"),
        };
        self.evaluate(sum, &value, &mut stacks.values)
    }

    /// The value of the position, where what is waited for is just another value.
    pub(super) fn evaluate<T: Arithmetic>(&self, sum: i64, value: &impl Fn(Successor) -> T, stack: &mut Vec<T>) -> T {
        stack.clear();
        for operation in &self.operations {
            match *operation {
                Operation::Over(number) => stack.push(T::of(number)),
                Operation::Go(next) => stack.push(value(Successor::Position(next))),
                Operation::Turn(next) => stack.push(value(Successor::Position(next)).seen_from_other(sum)),
                Operation::Again => stack.push(value(Successor::Again)),
                Operation::Cost(cost) => {
                    let top = stack.last_mut().expect("a cost is of something");
                    *top = top.plus(&T::of(cost));
                }
                Operation::Choice { goal, proposed, moves } => {
                    let from = stack.len() - moves as usize;
                    let chosen = T::choose(&mut stack[from..], proposed, goal);
                    stack.truncate(from);
                    stack.push(chosen);
                }
                Operation::Chance { first, outcomes, total } => {
                    let from = stack.len() - outcomes as usize;
                    let weights = &self.weights[first as usize..][..outcomes as usize];
                    let mut weighted = stack[from..].iter().zip(weights).map(|(value, &weight)| value.times(weight));
                    let start = weighted.next().expect("chance has an outcome");
                    let mean = weighted.fold(start, |sum, value| sum.plus(&value)).divided(total);
                    stack.truncate(from);
                    stack.push(mean);
                }
            }
        }
        stack.pop().expect("a node has a value")
    }

    /// Whether the position may wait.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// The value of the position and the moves to the end under best play: who wins wins soon, who loses loses late, and
    /// a draw comes soon. Of a game that has a length only.
    pub(super) fn length<T: Closed>(
        &self,
        sum: i64,
        middle: &T,
        value: &impl Fn(u32) -> Timed<T>,
        stack: &mut Vec<Timed<T>>,
    ) -> Timed<T> {
        stack.clear();
        for operation in &self.operations {
            match *operation {
                Operation::Over(number) => stack.push(Timed { value: T::of(number), moves: 0 }),
                Operation::Go(next) => stack.push(value(next)),
                Operation::Turn(next) => {
                    let next = value(next);
                    stack.push(Timed { value: next.value.seen_from_other(sum), ..next });
                }
                Operation::Cost(cost) => {
                    let top = stack.last_mut().expect("a cost is of something");
                    top.value = top.value.plus(&T::of(cost));
                }
                Operation::Choice { goal, moves, .. } => {
                    let from = stack.len() - moves as usize;
                    let best = |best, other| if Timed::is_better(other, best, goal, middle) { other } else { best };
                    let mut chosen = stack[from..].iter().reduce(best).expect("a choice has moves").clone();
                    chosen.moves = chosen.moves.saturating_add(1);
                    stack.truncate(from);
                    stack.push(chosen);
                }
                // One outcome, and no waiting.
                Operation::Chance { .. } | Operation::Again => {}
            }
        }
        stack.pop().expect("a node has a value")
    }
}

/// Memory to work formulas out in.
pub(super) struct Stacks<T> {
    values: Vec<T>,
    pieces: Vec<Piece<T>>,
}

impl<T> Stacks<T> {
    pub(super) fn new() -> Stacks<T> {
        Stacks { values: Vec::new(), pieces: Vec::new() }
    }
}

/// What a formula asks the value of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Successor {
    /// The value of a position.
    Position(u32),
    /// The value of the position itself.
    Again,
}

/// A value and the moves to the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timed<T> {
    pub(super) value: T,
    pub(super) moves: u32,
}

impl<T: Arithmetic> Timed<T> {
    pub(super) fn is_better(&self, other: &Timed<T>, goal: Goal, middle: &T) -> bool {
        if self.value.order(&other.value).is_ne() {
            return self.value.is_better(&other.value, goal);
        }
        let loses = middle.is_better(&self.value, goal);
        if loses { self.moves > other.moves } else { self.moves < other.moves }
    }
}

/// A count within one node; more would not fit the memory.
fn small(count: usize) -> Result<u32, BadRules> {
    u32::try_from(count).map_err(|_| BadRules::TooManyPositions)
}
