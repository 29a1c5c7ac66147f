//! A node as a list of stack operations, with positions replaced by their numbers.
//!
//! The rules are called once per pass. The formula can then be evaluated many times, in any arithmetic, without
//! recursion.

use super::error::BadRules;
use super::number::{Arithmetic, At, Closed, Number, Piece, fixed_point};
use super::rules::{Goal, Node, Rules};

/// The largest sum of weights. Doubles represent every whole number up to this one.
const MAX_WEIGHT_SUM: u64 = 1 << 53;

/// Pushes a value, or replaces the topmost values of the stack by one.
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
    /// The weighted mean of `outcomes` values. Their weights start at `first`, and `total` is the sum of the weights.
    Chance {
        first: u32,
        outcomes: u32,
        total: u64,
    },
}

/// Properties of a game, collected from its nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Facts {
    pub(super) has_chance: bool,
    pub(super) has_waiting: bool,
    pub(super) has_costs: bool,
    pub(super) has_max: bool,
    pub(super) has_min: bool,
    pub(super) has_turns: bool,
    /// The least value of a finished game, as the rules write it.
    pub(super) least: f64,
    /// The greatest value of a finished game, as the rules write it.
    pub(super) greatest: f64,
    /// The least cost, or 0 if no cost is negative.
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

    /// Whether this is a game of two players without chance. Only then is the number of moves to the end defined.
    pub(super) fn has_length(&self) -> bool {
        let two_players = self.has_turns || self.has_max && self.has_min;
        two_players && !self.has_chance && !self.has_waiting
    }

    /// The value of a draw: half of `SUM`, or the middle between the least and the greatest value.
    pub(super) fn middle<R: Rules>(&self) -> f64 {
        if self.has_turns { R::SUM as f64 / 2.0 } else { self.least.midpoint(self.greatest) }
    }
}

/// A flattened node. [`Formula::build`] reuses its memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Formula {
    operations: Vec<Operation>,
    weights: Vec<u64>,
    waits: bool,
    waiting: Waiting,
    facts: Facts,
}

/// Whether the outcome of a node can be sure to be the same position again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Waiting {
    /// With every choice of moves.
    always: bool,
    /// With some choice of moves.
    possible: bool,
    /// With some choice of moves, and at no cost.
    free: bool,
}

impl Waiting {
    const NEVER: Waiting = Waiting { always: false, possible: false, free: false };
    const ALWAYS: Waiting = Waiting { always: true, possible: true, free: true };
}

impl Formula {
    pub(super) fn new() -> Formula {
        Formula {
            operations: Vec::new(),
            weights: Vec::new(),
            waits: false,
            waiting: Waiting::NEVER,
            facts: Facts::NONE,
        }
    }

    /// Flattens the node of a position. `number` is called with each successor, in order.
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
        self.waiting = self.push(node, position, &mut number)?;
        if self.waiting.always { Err(BadRules::EndlessWait { position: position.to_string() }) } else { Ok(()) }
    }

    /// The properties of this formula.
    pub(super) fn facts(&self) -> Facts {
        self.facts
    }

    /// Appends a node.
    fn push<R: Rules>(
        &mut self,
        node: &Node<R>,
        position: &R::Position,
        number: &mut impl FnMut(&R::Position) -> Result<u32, BadRules>,
    ) -> Result<Waiting, BadRules> {
        let text = || position.to_string();
        match node {
            Node::Over(value) => {
                self.record_value(*value, &text)?;
                self.operations.push(Operation::Over(*value));
                Ok(Waiting::NEVER)
            }
            Node::Go(next) => {
                let next = number(next)?;
                self.operations.push(Operation::Go(next));
                Ok(Waiting::NEVER)
            }
            Node::Turn(next) => {
                self.facts.has_turns = true;
                let next = number(next)?;
                self.operations.push(Operation::Turn(next));
                Ok(Waiting::NEVER)
            }
            Node::Again => {
                self.waits = true;
                self.facts.has_waiting = true;
                self.operations.push(Operation::Again);
                Ok(Waiting::ALWAYS)
            }
            Node::Cost(cost, then) => {
                check_finite(*cost, &text)?;
                self.facts.has_costs |= cost.to_f64() != 0.0;
                self.facts.least_cost = self.facts.least_cost.min(cost.to_f64());
                let waiting = self.push(then, position, number)?;
                self.operations.push(Operation::Cost(*cost));
                Ok(Waiting { free: waiting.free && cost.to_f64() == 0.0, ..waiting })
            }
            Node::Choice { goal, proposed, moves } => {
                if moves.is_empty() {
                    return Err(BadRules::NoMoves { position: text() });
                }
                if *proposed == 0 {
                    return Err(BadRules::NothingProposed { position: text() });
                }
                let mut waiting = Vec::with_capacity(moves.len());
                for step in moves {
                    waiting.push(self.push(&step.then, position, number)?);
                }
                match goal {
                    Goal::Max => self.facts.has_max = true,
                    Goal::Min => self.facts.has_min = true,
                }
                let moves = small(moves.len())?;
                let proposed = u32::try_from(*proposed).unwrap_or(u32::MAX).min(moves);
                self.facts.has_chance |= proposed > 1;
                self.operations.push(Operation::Choice { goal: *goal, proposed, moves });
                let enough =
                    |has: fn(&Waiting) -> bool| waiting.iter().filter(|then| has(then)).count() >= proposed as usize;
                Ok(Waiting {
                    always: waiting.iter().all(|then| then.always),
                    possible: enough(|then| then.possible),
                    free: enough(|then| then.free),
                })
            }
            Node::Chance(outcomes) => {
                if outcomes.is_empty() {
                    return Err(BadRules::NoMoves { position: text() });
                }
                let sum = outcomes.iter().try_fold(0_u64, |sum, outcome| sum.checked_add(outcome.weight));
                let total = sum
                    .filter(|sum| (1..=MAX_WEIGHT_SUM).contains(sum))
                    .ok_or_else(|| BadRules::Weights { position: text(), sum })?;
                let mut waiting = Waiting::ALWAYS;
                // Outcomes of weight 0 are not part of the game.
                let possible = || outcomes.iter().filter(|outcome| outcome.weight > 0);
                for outcome in possible() {
                    let then = self.push(&outcome.then, position, number)?;
                    waiting.always &= then.always;
                    waiting.possible &= then.possible;
                    waiting.free &= then.free;
                }
                let first = small(self.weights.len())?;
                self.weights.extend(possible().map(|outcome| outcome.weight));
                let outcomes = small(self.weights.len())? - first;
                self.facts.has_chance |= outcomes > 1;
                self.operations.push(Operation::Chance { first, outcomes, total });
                Ok(waiting)
            }
        }
    }

    fn record_value(&mut self, value: Number, text: &impl Fn() -> String) -> Result<(), BadRules> {
        check_finite(value, text)?;
        let value = value.to_f64();
        self.facts.least = self.facts.least.min(value);
        self.facts.greatest = self.facts.greatest.max(value);
        Ok(())
    }

    /// The value of the position. `value` returns the value of a successor. Waiting is solved in closed form. `None` if
    /// some best play waits for ever.
    pub(super) fn value<T: Closed>(&self, sum: i64, value: &impl Fn(u32) -> T, stacks: &mut Stacks<T>) -> Option<T> {
        if self.waits {
            return fixed_point(self.may_wait_for_ever(), |at: At<'_, T>| {
                let value = |successor| match successor {
                    Successor::Position(next) => Piece::constant(value(next)),
                    Successor::Again => Piece::waiting(&at),
                };
                self.evaluate(sum, &value, &mut stacks.pieces)
            });
        }
        let value = |successor| match successor {
            Successor::Position(next) => value(next),
            Successor::Again => unreachable!("this formula does not wait"),
        };
        Some(self.evaluate(sum, &value, &mut stacks.values))
    }

    /// The value of the position. `value` also returns the value of the position itself, for waiting.
    pub(super) fn evaluate<T: Arithmetic>(&self, sum: i64, value: &impl Fn(Successor) -> T, stack: &mut Vec<T>) -> T {
        stack.clear();
        for operation in &self.operations {
            match *operation {
                Operation::Over(number) => stack.push(T::of(number)),
                Operation::Go(next) => stack.push(value(Successor::Position(next))),
                Operation::Turn(next) => stack.push(value(Successor::Position(next)).seen_from_other(sum)),
                Operation::Again => stack.push(value(Successor::Again)),
                Operation::Cost(cost) => {
                    let top = stack.last_mut().expect("a cost follows its node");
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

    /// Whether the position can lead to itself by waiting.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// Whether the players can choose to wait for ever.
    pub(super) fn may_wait_for_ever(&self) -> bool {
        self.waiting.possible
    }

    /// Whether the players can choose to wait for ever at no cost.
    pub(super) fn may_wait_for_free(&self) -> bool {
        self.waiting.free
    }

    /// The value of the position and the number of moves to the end under best play. The loser plays for the longest
    /// game; in a win or a draw the shortest game is preferred. The game must satisfy [`Facts::has_length`].
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
                    let top = stack.last_mut().expect("a cost follows its node");
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
                // Chance has a single outcome here, and `Again` does not occur.
                Operation::Chance { .. } | Operation::Again => {}
            }
        }
        stack.pop().expect("a node has a value")
    }
}

/// Stacks for evaluating formulas, reused between calls.
pub(super) struct Stacks<T> {
    values: Vec<T>,
    pieces: Vec<Piece<T>>,
}

impl<T> Stacks<T> {
    pub(super) fn new() -> Stacks<T> {
        Stacks { values: Vec::new(), pieces: Vec::new() }
    }
}

/// The position whose value a formula needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Successor {
    /// A numbered position.
    Position(u32),
    /// The position of the formula itself.
    Again,
}

/// A value and the number of moves to the end.
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

/// A count within one node, as 32 bits.
fn small(count: usize) -> Result<u32, BadRules> {
    u32::try_from(count).map_err(|_| BadRules::TooManyPositions)
}

fn check_finite(number: Number, text: &impl Fn() -> String) -> Result<(), BadRules> {
    match number {
        Number::Double(double) if double.is_infinite() => Err(BadRules::Infinite { position: text() }),
        number if !number.is_finite() => Err(BadRules::NotANumber { position: text() }),
        _ => Ok(()),
    }
}
