//! A node as a list of stack operations, with positions replaced by their numbers.
//!
//! The rules are called once per pass. The formula can then be evaluated many times, in any arithmetic, without
//! recursion.

use std::fmt::Display;
use std::iter;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::closed::{At, Closed, Piece, fixed_point};
use super::error::{BadRules, Fault};
use super::key::append_key;
use super::number::{Arithmetic, Bounds, Number};
use super::rules::{Cycles, Goal, Node, Outcome, Rules, Step};
use super::scheme::{Entry, Scheme, Schemes};
use super::walk::{MAX_DEPTH, Timed, node_of};

/// The largest size of a value or a cost. Multiplied by any weight, it is still a double.
const MAX_SIZE: f64 = 1e290;
/// The largest sum of weights. Doubles represent every whole number up to this one.
const MAX_WEIGHT_SUM: u64 = 1 << 53;

/// Pushes a value, or replaces the topmost values of the stack by one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operation {
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
    /// The value of a collapsed end component.
    Collapsed(u32),
    /// Keeps the topmost value for later. The values are numbered in this order.
    Keep,
    /// Keeps the topmost value for later and removes it.
    Put,
    /// A value that was kept.
    Recall(u32),
    /// The topmost value as the other player sees it.
    Passed,
}

/// What [`Formula::build`] knows of the positions that follow transient positions.
pub(super) struct Inner<'a, R> {
    rules: &'a R,
    /// The kept value of each position by its key. `None` while the node of a transient position is being appended.
    kept: FxHashMap<Vec<u8>, Option<u32>>,
    /// The number of transient positions inside of each other.
    open: usize,
    count: u32,
    key: Vec<u8>,
    /// Where the values of transient positions are kept, if they have patterns.
    scheme: Option<&'a Scheme>,
    /// The number of entries of the scheme that are computed before.
    before: u32,
}

impl<'a, R: Rules> Inner<'a, R> {
    pub(super) fn of(rules: &'a R, scheme: Option<&'a Scheme>) -> Inner<'a, R> {
        Inner { rules, kept: FxHashMap::default(), open: 0, count: 0, key: Vec::new(), scheme, before: u32::MAX }
    }

    /// Whether the value of a position may be needed again in the same formula.
    fn shares(&self, next: &R::Position) -> bool {
        self.open > 0 && self.scheme.is_none() || self.rules.is_transient(next)
    }
}

/// Properties of a game, collected from its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
    /// The bounds of all values of a finished game. Unlike the least and the greatest value, they are not rounded to
    /// the nearest double.
    pub(super) ends: Bounds,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts::NONE
    }
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
        ends: Bounds { lower: f64::INFINITY, upper: f64::NEG_INFINITY },
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
            ends: self.ends.around(other.ends),
        }
    }

    /// Whether all choices are those of one player.
    pub(super) fn has_one_player(&self) -> bool {
        !(self.has_turns || self.has_max && self.has_min)
    }

    /// Whether this is a game of two players without chance. Only then is the number of moves to the end defined.
    pub(super) fn has_length(&self) -> bool {
        let two_players = self.has_turns || self.has_max && self.has_min;
        two_players && !self.has_chance && !self.has_waiting
    }

    /// The value of a draw: half of the sum, or the middle between the least and the greatest value. A single player who
    /// may repeat positions has no draw: an endless game is worse than every end.
    pub(super) fn middle<R: Rules>(&self, rules: &R) -> f64 {
        if matches!(rules.cycles(), Cycles::Iterate { .. }) && self.has_one_player() {
            let step = 1.0 + self.least.abs().max(self.greatest.abs());
            return if self.has_min { self.greatest + step } else { self.least - step };
        }
        let is_half = self.has_turns || rules.cycles() == Cycles::Draw;
        if is_half { rules.sum() as f64 / 2.0 } else { self.least.midpoint(self.greatest) }
    }
}

impl Bounds {
    /// The bounds of what has one of two bounds.
    pub(super) fn around(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// These bounds for both players. They are rounded only where they have to be.
    pub(super) fn of_both(self, sum: i64) -> Bounds {
        let is_small = |value: f64| value.fract() == 0.0 && value.abs() < (1_u64 << 52) as f64;
        let exact = Bounds { lower: sum as f64 - self.upper, upper: sum as f64 - self.lower };
        let is_exact = [sum as f64, self.lower, self.upper].into_iter().all(is_small);
        self.around(if is_exact { exact } else { self.seen_from_other(sum) })
    }
}

/// A flattened node. [`Formula::build`] reuses its memory.
#[derive(Debug, Clone)]
pub(super) struct Formula {
    operations: Vec<Operation>,
    weights: Vec<u64>,
    /// What the position has in common with others, if it leads to transient positions with patterns.
    scheme: Option<Arc<Scheme>>,
    /// With a scheme: the end of the operations of each of its own entries.
    ends: Vec<usize>,
    /// Where schemes are looked up.
    schemes: Option<Arc<Schemes>>,
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

impl Default for Formula {
    fn default() -> Formula {
        Formula {
            operations: Vec::new(),
            weights: Vec::new(),
            scheme: None,
            ends: Vec::new(),
            schemes: None,
            waits: false,
            waiting: Waiting::NEVER,
            facts: Facts::NONE,
        }
    }
}

impl Formula {
    pub(super) fn new() -> Formula {
        Formula::default()
    }

    /// Keeps no room for other nodes.
    pub(super) fn shrink(&mut self) {
        self.operations.shrink_to_fit();
        self.weights.shrink_to_fit();
    }

    /// A formula that reads the nodes inside of a turn once, if the rules have patterns.
    pub(super) fn with_schemes(schemes: &Arc<Schemes>) -> Formula {
        Formula { schemes: Some(Arc::clone(schemes)), ..Formula::new() }
    }

    /// Flattens the node of a position. `number` is called with each successor, in order.
    pub(super) fn build<R: Rules>(
        &mut self,
        rules: &R,
        node: Node<R>,
        position: &R::Position,
        mut number: impl FnMut(R::Position) -> Result<u32, BadRules>,
    ) -> Result<(), BadRules> {
        self.operations.clear();
        self.weights.clear();
        self.ends.clear();
        self.waits = false;
        self.facts = Facts::NONE;
        self.scheme = match &self.schemes {
            Some(schemes) => schemes.of(rules, position, &node)?,
            None => None,
        };
        let scheme = self.scheme.clone();
        let mut inner = Inner::of(rules, scheme.as_deref());
        if let Some(scheme) = &scheme {
            self.facts = scheme.shared.facts;
            for &(pattern, place) in &scheme.own {
                inner.before = place;
                let next = rules.at_pattern(position, pattern);
                self.push_kept(node_of(rules, &next)?, &next, &mut inner, &mut number)?;
                self.ends.push(self.operations.len());
            }
            inner.before = u32::MAX;
        }
        self.waiting = self.push(node, position, &mut inner, &mut number)?;
        if self.waiting.always { Err(Fault::EndlessWait.at(position)) } else { Ok(()) }
    }

    /// Appends the node of a transient position with a pattern, and keeps its value.
    pub(super) fn push_kept<R: Rules>(
        &mut self,
        node: Node<R>,
        position: &R::Position,
        inner: &mut Inner<'_, R>,
        number: &mut impl FnMut(R::Position) -> Result<u32, BadRules>,
    ) -> Result<(), BadRules> {
        inner.open += 1;
        self.push(node, position, inner, number)?;
        inner.open -= 1;
        self.operations.push(Operation::Put);
        Ok(())
    }

    /// Lists of operations with the formula that has their weights, in the order in which they are evaluated.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&[Operation], &Formula)> {
        let entries = self.scheme.iter().flat_map(|scheme| scheme.entries.iter().map(move |entry| (scheme, entry)));
        let mut own = 0;
        let own_part = move |part: usize| {
            let start = if part == 0 { 0 } else { self.ends[part - 1] };
            self.ends.get(part).map_or(&self.operations[start..], |&end| &self.operations[start..end])
        };
        let inside = entries.map(move |(scheme, entry)| match entry {
            Entry::Shared(range) => (&scheme.shared.operations[range.clone()], &scheme.shared),
            Entry::Own => {
                own += 1;
                (own_part(own - 1), self)
            }
        });
        inside.chain(iter::once_with(move || (own_part(self.ends.len()), self)))
    }

    /// The operations of this position, without those that it has in common with others.
    pub(super) fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// What the position has in common with others.
    pub(super) fn scheme(&self) -> Option<&Arc<Scheme>> {
        self.scheme.as_ref()
    }

    /// Whether another formula without a scheme is the same.
    pub(super) fn is_same(&self, other: &Formula) -> bool {
        self.operations == other.operations && self.weights == other.weights
    }

    /// The weights of an operation of chance.
    pub(super) fn weights_of(&self, operation: &Operation) -> &[u64] {
        match *operation {
            Operation::Chance { first, outcomes, .. } => &self.weights[first as usize..][..outcomes as usize],
            _ => &[],
        }
    }

    /// The same formula with all moves at random.
    pub(super) fn averaged(&self) -> Formula {
        let mut averaged = self.clone();
        for operation in &mut averaged.operations {
            if let Operation::Choice { proposed, moves, .. } = operation {
                *proposed = *moves;
            }
        }
        averaged
    }

    /// Appends an operation. `from` is the formula that an operation of chance is copied from.
    pub(super) fn append(&mut self, operation: Operation, from: &Formula) {
        self.operations.push(match operation {
            Operation::Chance { first, outcomes, total } => {
                let copied = self.weights.len() as u32;
                self.weights.extend_from_slice(&from.weights[first as usize..][..outcomes as usize]);
                Operation::Chance { first: copied, outcomes, total }
            }
            operation => operation,
        });
    }

    /// Whether chance decides anything.
    pub(super) fn has_chance(&self) -> bool {
        self.operations.iter().any(|operation| match *operation {
            Operation::Choice { proposed, .. } => proposed > 1,
            Operation::Chance { outcomes, .. } => outcomes > 1,
            _ => false,
        })
    }

    /// Becomes a formula of a list, with other numbers of its successors in their order. Its properties are not known.
    pub(super) fn restore(&mut self, all: &Formulas, place: usize, targets: &[u32]) {
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

    /// The properties of this formula.
    pub(super) fn facts(&self) -> Facts {
        self.facts
    }

    /// Appends a node.
    fn push<R: Rules>(
        &mut self,
        node: Node<R>,
        position: &R::Position,
        inner: &mut Inner<'_, R>,
        number: &mut impl FnMut(R::Position) -> Result<u32, BadRules>,
    ) -> Result<Waiting, BadRules> {
        match node {
            Node::Over(value) => {
                self.record_value(value, position)?;
                self.operations.push(Operation::Over(value));
                Ok(Waiting::NEVER)
            }
            Node::Go(next) if inner.shares(&next) => {
                self.push_shared(next, inner, number)?;
                Ok(Waiting::NEVER)
            }
            Node::Turn(next) if inner.shares(&next) => {
                self.facts.has_turns = true;
                self.push_shared(next, inner, number)?;
                self.operations.push(Operation::Passed);
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
            Node::Again if inner.open > 0 => Err(Fault::TransientCycle.at(position)),
            Node::Again => {
                self.waits = true;
                self.facts.has_waiting = true;
                self.operations.push(Operation::Again);
                Ok(Waiting::ALWAYS)
            }
            Node::Cost(cost, then) => {
                check_finite(cost, position)?;
                self.facts.has_costs |= cost.to_f64() != 0.0;
                self.facts.least_cost = self.facts.least_cost.min(cost.to_f64());
                let waiting = self.push(*then, position, inner, number)?;
                self.operations.push(Operation::Cost(cost));
                Ok(Waiting { free: waiting.free && cost.to_f64() == 0.0, ..waiting })
            }
            Node::Choice { moves, .. } if moves.is_empty() => Err(Fault::NoMoves.at(position)),
            Node::Choice { proposed: 0, .. } => Err(Fault::NothingProposed.at(position)),
            Node::Choice { goal, proposed, moves } => self.push_choice(goal, proposed, moves, position, inner, number),
            Node::Chance(outcomes) if outcomes.is_empty() => Err(Fault::NoMoves.at(position)),
            Node::Chance(outcomes) => self.push_chance(outcomes, position, inner, number),
        }
    }

    fn push_choice<R: Rules>(
        &mut self,
        goal: Goal,
        proposed: usize,
        moves: Vec<Step<R>>,
        position: &R::Position,
        inner: &mut Inner<'_, R>,
        number: &mut impl FnMut(R::Position) -> Result<u32, BadRules>,
    ) -> Result<Waiting, BadRules> {
        let (count, mut always) = (small(moves.len())?, true);
        let (mut possible, mut free) = (0, 0);
        for step in moves {
            let waiting = self.push(step.then, position, inner, number)?;
            always &= waiting.always;
            possible += u32::from(waiting.possible);
            free += u32::from(waiting.free);
        }
        match goal {
            Goal::Max => self.facts.has_max = true,
            Goal::Min => self.facts.has_min = true,
        }
        let proposed = u32::try_from(proposed).unwrap_or(u32::MAX).min(count);
        self.facts.has_chance |= proposed > 1;
        self.operations.push(Operation::Choice { goal, proposed, moves: count });
        Ok(Waiting { always, possible: possible >= proposed, free: free >= proposed })
    }

    fn push_chance<R: Rules>(
        &mut self,
        outcomes: Vec<Outcome<R>>,
        position: &R::Position,
        inner: &mut Inner<'_, R>,
        number: &mut impl FnMut(R::Position) -> Result<u32, BadRules>,
    ) -> Result<Waiting, BadRules> {
        let sum = outcomes.iter().try_fold(0_u64, |sum, outcome| sum.checked_add(outcome.weight));
        let total =
            sum.filter(|sum| (1..=MAX_WEIGHT_SUM).contains(sum)).ok_or_else(|| Fault::Weights { sum }.at(position))?;
        let mut waiting = Waiting::ALWAYS;
        // Outcomes of weight 0 are not part of the game.
        let first = small(self.weights.len())?;
        self.weights.extend(outcomes.iter().map(|outcome| outcome.weight).filter(|&weight| weight > 0));
        let count = small(self.weights.len())? - first;
        for outcome in outcomes.into_iter().filter(|outcome| outcome.weight > 0) {
            let then = self.push(outcome.then, position, inner, number)?;
            waiting.always &= then.always;
            waiting.possible &= then.possible;
            waiting.free &= then.free;
        }
        self.facts.has_chance |= count > 1;
        self.operations.push(Operation::Chance { first, outcomes: count, total });
        Ok(waiting)
    }

    /// Appends the value of a transient position, or of a position that follows one. A value that is needed again is
    /// kept.
    fn push_shared<R: Rules>(
        &mut self,
        next: R::Position,
        inner: &mut Inner<'_, R>,
        number: &mut impl FnMut(R::Position) -> Result<u32, BadRules>,
    ) -> Result<(), BadRules> {
        if let Some(scheme) = inner.scheme {
            let place = scheme.place(inner.rules, &next)?;
            if place >= inner.before {
                return Err(Fault::Pattern.at(next));
            }
            self.operations.push(Operation::Recall(place));
            return Ok(());
        }
        inner.key.clear();
        append_key::<R>(&next, &mut inner.key)?;
        match inner.kept.get(&inner.key) {
            Some(Some(kept)) => {
                self.operations.push(Operation::Recall(*kept));
                return Ok(());
            }
            Some(None) => return Err(Fault::TransientCycle.at(next)),
            None => {}
        }
        let key = inner.key.clone();
        if inner.rules.is_transient(&next) {
            if inner.rules.cycles() != Cycles::Refuse {
                return Err(Fault::TransientInCycles.at(next));
            }
            if inner.open == MAX_DEPTH {
                return Err(Fault::Deep { most: MAX_DEPTH }.at(next));
            }
            inner.kept.insert(key.clone(), None);
            inner.open += 1;
            self.push(node_of(inner.rules, &next)?, &next, inner, number)?;
            inner.open -= 1;
        } else {
            let number = number(next)?;
            self.operations.push(Operation::Go(number));
        }
        self.operations.push(Operation::Keep);
        inner.kept.insert(key, Some(inner.count));
        inner.count += 1;
        Ok(())
    }

    fn record_value(&mut self, value: Number, position: &impl Display) -> Result<(), BadRules> {
        check_finite(value, position)?;
        self.facts.ends = self.facts.ends.around(Bounds::of(value));
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
                    Successor::Collapsed(_) => unreachable!("only formulas of cycles are collapsed"),
                };
                self.evaluate(sum, &value, &mut stacks.pieces)
            });
        }
        let value = |successor| match successor {
            Successor::Position(next) => value(next),
            Successor::Again | Successor::Collapsed(_) => unreachable!("this formula does not wait"),
        };
        Some(self.evaluate(sum, &value, &mut stacks.values))
    }

    /// The value of the position. `value` also returns the value of the position itself, for waiting.
    pub(super) fn evaluate<T: Arithmetic>(&self, sum: i64, value: &impl Fn(Successor) -> T, stack: &mut Vec<T>) -> T {
        stack.clear();
        let mut kept: Vec<T> = Vec::new();
        for (operations, formula) in self.parts() {
            for operation in operations {
                match *operation {
                    Operation::Keep => kept.extend(stack.last().cloned()),
                    Operation::Put => kept.extend(stack.pop()),
                    Operation::Recall(number) => stack.push(kept[number as usize].clone()),
                    Operation::Passed => {
                        let top = stack.last_mut().expect("passing the turn follows its node");
                        *top = top.seen_from_other(sum);
                    }
                    Operation::Over(number) => stack.push(T::of(number)),
                    Operation::Go(next) => stack.push(value(Successor::Position(next))),
                    Operation::Turn(next) => stack.push(value(Successor::Position(next)).seen_from_other(sum)),
                    Operation::Again => stack.push(value(Successor::Again)),
                    Operation::Collapsed(number) => stack.push(value(Successor::Collapsed(number))),
                    Operation::Cost(cost) => {
                        let top = stack.last_mut().expect("a cost follows its node");
                        *top = top.raised(cost);
                    }
                    Operation::Choice { goal, proposed, moves } => {
                        let from = stack.len() - moves as usize;
                        let chosen = T::choose(&mut stack[from..], proposed, goal);
                        stack.truncate(from);
                        stack.push(chosen);
                    }
                    Operation::Chance { first, outcomes, total } => {
                        let from = stack.len() - outcomes as usize;
                        let weights = &formula.weights[first as usize..][..outcomes as usize];
                        let mut weighted =
                            stack[from..].iter().zip(weights).map(|(value, &weight)| value.times(weight));
                        let start = weighted.next().expect("chance has an outcome");
                        let mean = weighted.fold(start, |sum, value| sum.plus(&value)).divided(total);
                        stack.truncate(from);
                        stack.push(mean);
                    }
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
    /// game; in a win or a draw the shortest game is preferred. The game is without chance.
    pub(super) fn length<T: Arithmetic>(
        &self,
        sum: i64,
        middle: &T,
        value: &impl Fn(Successor) -> Timed<T>,
        stack: &mut Vec<Timed<T>>,
    ) -> Timed<T> {
        stack.clear();
        let mut kept: Vec<Timed<T>> = Vec::new();
        for (operations, _) in self.parts() {
            for operation in operations {
                match *operation {
                    Operation::Keep => kept.extend(stack.last().cloned()),
                    Operation::Put => kept.extend(stack.pop()),
                    Operation::Recall(number) => stack.push(kept[number as usize].clone()),
                    Operation::Passed => {
                        let top = stack.last_mut().expect("passing the turn follows its node");
                        top.value = top.value.seen_from_other(sum);
                    }
                    Operation::Over(number) => stack.push(Timed { value: T::of(number), moves: 0 }),
                    Operation::Go(next) => stack.push(value(Successor::Position(next))),
                    Operation::Again => stack.push(value(Successor::Again)),
                    Operation::Turn(next) => {
                        let next = value(Successor::Position(next));
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
                    // Chance has a single outcome here, and the other does not occur.
                    Operation::Chance { .. } | Operation::Collapsed(_) => {}
                }
            }
        }
        stack.pop().expect("a node has a value")
    }
}

/// Many formulas, without their properties. An operation is a tag and its numbers, because most operations are a move to
/// a position.
#[derive(Default)]
pub(super) struct Formulas {
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
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, formula: &Formula) -> Result<(), BadRules> {
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

    pub(super) fn operations_of(&self, place: usize) -> impl Iterator<Item = Operation> {
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
    pub(super) fn weights_of(&self, place: usize) -> &[u64] {
        let start = if place == 0 { 0 } else { self.ends[place - 1].weights };
        &self.weights[start..self.ends[place].weights]
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + self.numbers.capacity() * size_of::<Number>()
            + self.weights.capacity() * size_of::<u64>()
            + self.ends.capacity() * size_of::<End>()
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
    /// A collapsed end component.
    Collapsed(u32),
}

/// A count within one node, as 32 bits.
fn small(count: usize) -> Result<u32, BadRules> {
    u32::try_from(count).map_err(|_| Fault::TooManyPositions.into())
}

fn check_finite(number: Number, position: &impl Display) -> Result<(), BadRules> {
    match number {
        Number::Double(double) if double.is_infinite() => Err(Fault::Infinite.at(position)),
        Number::Double(double) if double.is_nan() => Err(Fault::NotANumber.at(position)),
        Number::Fraction { denominator: 0, .. } => Err(Fault::NotANumber.at(position)),
        number if number.to_f64().abs() > MAX_SIZE => Err(Fault::TooLarge.at(position)),
        _ => Ok(()),
    }
}
