//! What follows between two stored positions, by the patterns of transient positions.
//!
//! A turn of several throws is the same from every stored position, except for its ends. Rules that give
//! [`Rules::pattern`] say so. The nodes inside of a turn are then read once, and for every other stored position only
//! those that lead to stored positions, end the game or have costs.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::error::{BadRules, Fault};
use super::formula::{Formula, Inner};
use super::rules::{Cycles, Node, Rules};
use super::walk::{MAX_DEPTH, node_of, successors};

/// All schemes that were met, by the patterns that stored positions lead to.
#[derive(Debug, Default)]
pub(super) struct Schemes(Mutex<FxHashMap<Vec<u32>, Arc<Scheme>>>);

/// The transient positions of a turn, by their patterns, each after those that it leads to.
#[derive(Debug)]
pub(super) struct Scheme {
    pub(super) entries: Vec<Entry>,
    /// The patterns that are read for each stored position, and their entries.
    pub(super) own: Vec<(u32, u32)>,
    /// The operations that are the same for all.
    pub(super) shared: Formula,
    /// The entry of each pattern.
    places: FxHashMap<u32, u32>,
}

/// How the value of a pattern is computed.
#[derive(Debug)]
pub(super) enum Entry {
    /// By these operations of the scheme.
    Shared(Range<usize>),
    /// By operations of the stored position.
    Own,
}

impl Scheme {
    /// The number of the value of a transient position among those that are kept.
    pub(super) fn place<R: Rules>(&self, rules: &R, position: &R::Position) -> Result<u32, BadRules> {
        let place = rules.pattern(position).and_then(|pattern| self.places.get(&pattern).copied());
        place.ok_or_else(|| Fault::Pattern.at(position))
    }
}

impl Schemes {
    /// The scheme of a stored position with this node. `None` if the rules have no patterns for what follows.
    pub(super) fn of<R: Rules>(
        &self,
        rules: &R,
        position: &R::Position,
        node: &Node<R>,
    ) -> Result<Option<Arc<Scheme>>, BadRules> {
        let (mut patterns, mut without) = (Vec::new(), None);
        each_transient(rules, node, &mut |next| match rules.pattern(next) {
            Some(pattern) => patterns.push(pattern),
            None => without = Some(next.to_string()),
        });
        if patterns.is_empty() {
            return Ok(None);
        }
        if let Some(next) = without {
            return Err(Fault::Pattern.at(next));
        }
        patterns.sort_unstable();
        patterns.dedup();
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scheme) = known().get(&patterns) {
            return Ok(Some(Arc::clone(scheme)));
        }
        let scheme = Arc::new(Builder::new(rules, position).build(&patterns)?);
        // Another thread may have built the same one.
        Ok(Some(Arc::clone(known().entry(patterns).or_insert(scheme))))
    }
}

struct Builder<'a, R: Rules> {
    rules: &'a R,
    stored: &'a R::Position,
    scheme: Scheme,
    /// The patterns whose successors are being added.
    open: Vec<u32>,
}

impl<'a, R: Rules> Builder<'a, R> {
    fn new(rules: &'a R, stored: &'a R::Position) -> Builder<'a, R> {
        let scheme =
            Scheme { entries: Vec::new(), own: Vec::new(), shared: Formula::new(), places: FxHashMap::default() };
        Builder { rules, stored, scheme, open: Vec::new() }
    }

    fn build(mut self, patterns: &[u32]) -> Result<Scheme, BadRules> {
        patterns.iter().try_for_each(|&pattern| self.add(pattern))?;
        Ok(self.scheme)
    }

    fn add(&mut self, pattern: u32) -> Result<(), BadRules> {
        if self.scheme.places.contains_key(&pattern) {
            return Ok(());
        }
        let position = self.rules.at_pattern(self.stored, pattern);
        if !self.rules.is_transient(&position) || self.rules.pattern(&position) != Some(pattern) {
            return Err(Fault::Pattern.at(position));
        }
        if self.rules.cycles() != Cycles::Refuse {
            return Err(Fault::TransientInCycles.at(position));
        }
        if self.open.contains(&pattern) {
            return Err(Fault::TransientCycle.at(position));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Fault::Deep { most: MAX_DEPTH }.at(position));
        }
        self.open.push(pattern);
        let node = node_of(self.rules, &position)?;
        for next in successors(&node).into_iter().filter(|next| self.rules.is_transient(next)) {
            let next = self.rules.pattern(next).ok_or_else(|| Fault::Pattern.at(next))?;
            self.add(next)?;
        }
        self.open.pop();
        let entry = if is_shared(self.rules, &node) {
            let mut shared = std::mem::replace(&mut self.scheme.shared, Formula::new());
            let start = shared.operations().len();
            let changing = |_| Err(Fault::Changing.at(&position));
            shared.push_kept(node, &position, &mut Inner::of(self.rules, Some(&self.scheme)), &mut { changing })?;
            let end = shared.operations().len();
            self.scheme.shared = shared;
            Entry::Shared(start..end)
        } else {
            self.scheme.own.push((pattern, self.scheme.entries.len() as u32));
            Entry::Own
        };
        self.scheme.places.insert(pattern, self.scheme.entries.len() as u32);
        self.scheme.entries.push(entry);
        Ok(())
    }
}

/// Calls `visit` with the transient positions that a node leads to.
fn each_transient<R: Rules>(rules: &R, node: &Node<R>, visit: &mut impl FnMut(&R::Position)) {
    match node {
        Node::Over(_) | Node::Again => {}
        Node::Go(next) | Node::Turn(next) if rules.is_transient(next) => visit(next),
        Node::Go(_) | Node::Turn(_) => {}
        Node::Cost(_, then) => each_transient(rules, then, visit),
        Node::Choice { moves, .. } => moves.iter().for_each(|step| each_transient(rules, &step.then, visit)),
        Node::Chance(outcomes) => outcomes.iter().for_each(|outcome| each_transient(rules, &outcome.then, visit)),
    }
}

/// Whether a node leads to transient positions alone, and does nothing else.
fn is_shared<R: Rules>(rules: &R, node: &Node<R>) -> bool {
    match node {
        Node::Over(_) | Node::Again | Node::Cost(..) => false,
        Node::Go(next) | Node::Turn(next) => rules.is_transient(next),
        Node::Choice { moves, .. } => moves.iter().all(|step| is_shared(rules, &step.then)),
        Node::Chance(outcomes) => outcomes.iter().all(|outcome| is_shared(rules, &outcome.then)),
    }
}
