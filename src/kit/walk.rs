//! Walks through the node of a position: its depth, its successors, and its value by theirs.

use rustc_hash::FxHashSet;

use super::error::{BadRules, Fault};
use super::key::append_key;
use super::number::Arithmetic;
use super::rules::{Goal, Node, Rules};

/// Maximum number of nodes inside of each other. Walking through a node is recursive, and the stack is limited. In JSON
/// a node takes two levels, and many readers accept at most 128.
pub const MAX_DEPTH: usize = 50;

/// The node of a position, if it is not nested too deeply.
pub(super) fn node_of<R: Rules>(rules: &R, position: &R::Position) -> Result<Node<R>, BadRules> {
    let node = rules.node(position);
    if is_shallow(&node, MAX_DEPTH) {
        return Ok(node);
    }
    take_apart(node);
    Err(Fault::Deep { most: MAX_DEPTH }.at(position))
}

/// Drops a node that is nested too deeply. Dropping it as a whole is recursive.
pub(super) fn take_apart<R: Rules>(node: Node<R>) {
    let mut parts = vec![node];
    while let Some(part) = parts.pop() {
        match part {
            Node::Over(_) | Node::Go(_) | Node::Turn(_) | Node::Again => {}
            Node::Cost(_, then) => parts.push(*then),
            Node::Choice { moves, .. } => parts.extend(moves.into_iter().map(|step| step.then)),
            Node::Chance(outcomes) => parts.extend(outcomes.into_iter().map(|outcome| outcome.then)),
        }
    }
}

/// Whether a node is at most `depth` levels deep.
pub(super) fn is_shallow<R: Rules>(node: &Node<R>, depth: usize) -> bool {
    let Some(rest) = depth.checked_sub(1) else { return false };
    match node {
        Node::Over(_) | Node::Go(_) | Node::Turn(_) | Node::Again => true,
        Node::Cost(_, then) => is_shallow(then, rest),
        Node::Choice { moves, .. } => moves.iter().all(|step| is_shallow(&step.then, rest)),
        Node::Chance(outcomes) => outcomes.iter().all(|outcome| is_shallow(&outcome.then, rest)),
    }
}

/// The successors of a node, in order.
pub(super) fn successors<R: Rules>(node: &Node<R>) -> Vec<&R::Position> {
    match node {
        Node::Over(_) | Node::Again => Vec::new(),
        Node::Go(next) | Node::Turn(next) => vec![next],
        Node::Cost(_, then) => successors(then),
        Node::Choice { moves, .. } => moves.iter().flat_map(|step| successors(&step.then)).collect(),
        Node::Chance(outcomes) => {
            let possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
            possible.flat_map(|outcome| successors(&outcome.then)).collect()
        }
    }
}

/// The stored positions that follow a node, also those behind transient positions.
pub(super) fn successors_of<R: Rules>(rules: &R, node: Node<R>) -> Result<Vec<R::Position>, BadRules> {
    let mut walk = Walk { rules, successors: Vec::new(), seen: FxHashSet::default(), open: 0, key: Vec::new() };
    walk.node(node)?;
    Ok(walk.successors)
}

/// Finds the successors of a node.
struct Walk<'a, R: Rules> {
    rules: &'a R,
    successors: Vec<R::Position>,
    /// The keys of the transient positions, and of those that follow them.
    seen: FxHashSet<Vec<u8>>,
    /// The number of transient positions inside of each other.
    open: usize,
    key: Vec<u8>,
}

impl<R: Rules> Walk<'_, R> {
    fn node(&mut self, node: Node<R>) -> Result<(), BadRules> {
        match node {
            Node::Over(_) | Node::Again => Ok(()),
            Node::Go(next) | Node::Turn(next) => self.next(next),
            Node::Cost(_, then) => self.node(*then),
            Node::Choice { moves, .. } => moves.into_iter().try_for_each(|step| self.node(step.then)),
            Node::Chance(outcomes) => {
                let mut possible = outcomes.into_iter().filter(|outcome| outcome.weight > 0);
                possible.try_for_each(|outcome| self.node(outcome.then))
            }
        }
    }

    fn next(&mut self, next: R::Position) -> Result<(), BadRules> {
        let is_transient = self.rules.is_transient(&next);
        if is_transient || self.open > 0 {
            self.key.clear();
            append_key::<R>(&next, &mut self.key)?;
            if self.seen.contains(&self.key) {
                return Ok(());
            }
            self.seen.insert(self.key.clone());
        }
        if !is_transient {
            self.successors.push(next);
            return Ok(());
        }
        self.open += 1;
        let node = node_of(self.rules, &next)?;
        self.node(node)?;
        self.open -= 1;
        Ok(())
    }
}

/// Whether a node can lead to the same position again.
pub(super) fn waits<R: Rules>(node: &Node<R>) -> bool {
    match node {
        Node::Over(_) | Node::Go(_) | Node::Turn(_) => false,
        Node::Again => true,
        Node::Cost(_, then) => waits(then),
        Node::Choice { moves, .. } => moves.iter().any(|step| waits(&step.then)),
        Node::Chance(outcomes) => outcomes.iter().any(|outcome| outcome.weight > 0 && waits(&outcome.then)),
    }
}

/// The value of a node. `next` returns the values of the successors, and `again` is the value of the position itself.
///
/// # Panics
/// If the node waits and `again` is `None`, or if the node violates the rules of [`BadRules`].
pub(super) fn worth<R: Rules, T: Arithmetic>(
    rules: &R,
    node: &Node<R>,
    next: &mut impl FnMut(&R::Position) -> T,
    again: Option<&T>,
) -> T {
    match node {
        Node::Over(value) => T::of(*value),
        Node::Go(position) => next(position),
        Node::Turn(position) => next(position).seen_from_other(rules.sum()),
        Node::Again => again.expect("a value for waiting").clone(),
        Node::Cost(cost, then) => worth(rules, then, next, again).plus(&T::of(*cost)),
        Node::Choice { goal, proposed, moves } => {
            let mut values: Vec<T> = moves.iter().map(|step| worth(rules, &step.then, next, again)).collect();
            let proposed = (*proposed).min(values.len()) as u32;
            T::choose(&mut values, proposed, *goal)
        }
        Node::Chance(outcomes) => {
            let possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
            let total = outcomes.iter().map(|outcome| outcome.weight).sum();
            let weighted = possible.map(|outcome| worth(rules, &outcome.then, next, again).times(outcome.weight));
            weighted.reduce(|sum, value| sum.plus(&value)).expect("chance has outcomes").divided(total)
        }
    }
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

/// The value of a node without chance and the number of moves to the end. `own` is the value of the position.
pub(super) fn timed<R: Rules, T: Arithmetic>(
    rules: &R,
    node: &Node<R>,
    next: &mut impl Iterator<Item = Timed<T>>,
    own: &Timed<T>,
    middle: &T,
) -> Timed<T> {
    match node {
        Node::Over(value) => Timed { value: T::of(*value), moves: 0 },
        Node::Go(_) => next.next().expect("one value per successor"),
        Node::Turn(_) => {
            let next = next.next().expect("one value per successor");
            Timed { value: next.value.seen_from_other(rules.sum()), ..next }
        }
        Node::Cost(cost, then) => {
            let then = timed(rules, then, next, own, middle);
            Timed { value: then.value.plus(&T::of(*cost)), ..then }
        }
        Node::Choice { goal, moves, .. } => {
            let mut best: Option<Timed<T>> = None;
            for step in moves {
                let other = timed(rules, &step.then, next, own, middle);
                if best.as_ref().is_none_or(|best| other.is_better(best, *goal, middle)) {
                    best = Some(other);
                }
            }
            let best = best.expect("a choice has moves");
            Timed { moves: best.moves.saturating_add(1), ..best }
        }
        Node::Chance(outcomes) => {
            let mut possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
            timed(rules, &possible.next().expect("chance has outcomes").then, next, own, middle)
        }
        Node::Again => own.clone(),
    }
}
