//! A node as a list of stack operations, with positions replaced by their numbers.
//!
//! The rules are called once per pass. The formula can then be evaluated many times, in any arithmetic, without
//! recursion.

mod evaluate;
mod list;

use std::fmt::Display;
use std::iter;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::{BadRules, Fault};
use super::facts::Facts;
use super::key::append_key;
use super::number::{Arithmetic, Bounds, Number};
use super::rules::{Cycles, Goal, Node, Outcome, Rules, Step};
use super::scheme::{Entry, Scheme, Schemes};
use super::walk::{MAX_DEPTH, node_of};
pub(super) use evaluate::{Stacks, Successor};
pub(super) use list::Formulas;

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
