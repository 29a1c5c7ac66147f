//! The plain solver: a depth-first search over the rules, with a hash map.
//!
//! It checks the fast solver. It shares only the rules, their validation and the arithmetic with it: no numbering, no
//! evaluation of flattened nodes, no order, no symmetry.

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

use super::closed::{At, Closed, Piece, fixed_point};
use super::error::{BadRules, Fault};
use super::formula::Formula;
use super::key::key_of;
use super::rules::{Node, Rules};
use super::walk::{node_of, successors, waits, worth};

/// Solves positions by the rules alone, and remembers their values.
pub struct Plain<'a, R: Rules, T> {
    rules: &'a R,
    known: FxHashMap<Vec<u8>, T>,
}

impl<R: Rules, T> fmt::Debug for Plain<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plain").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

/// A position whose successors are not all solved yet.
struct Open<R: Rules> {
    key: Vec<u8>,
    node: Node<R>,
    /// The keys of the successors, in the order of the node.
    successors: Vec<Vec<u8>>,
    /// The number of leading successors that are solved.
    known: usize,
    may_wait_for_ever: bool,
    /// The position as text, if it may be needed for an error.
    text: String,
}

impl<'a, R: Rules, T: Closed> Plain<'a, R, T> {
    /// A solver that has solved no position yet.
    pub fn new(rules: &'a R) -> Plain<'a, R, T> {
        Plain { rules, known: FxHashMap::default() }
    }

    /// The value of a position.
    pub fn value(&mut self, position: &R::Position) -> Result<T, BadRules> {
        let value = self.value_within(position, usize::MAX)?;
        Ok(value.expect("the number of positions is not limited"))
    }

    /// The value of a position, or `None` if it depends on more than `most` unsolved positions.
    pub fn value_within(&mut self, position: &R::Position, most: usize) -> Result<Option<T>, BadRules> {
        let asked = key_of::<R>(position)?;
        if let Some(value) = self.known.get(&asked) {
            return Ok(Some(value.clone()));
        }
        let mut opened = FxHashSet::default();
        opened.insert(asked.clone());
        let mut stack = vec![self.open(asked.clone(), position)?];
        let mut budget = most;
        while let Some(top) = stack.last_mut() {
            while top.successors.get(top.known).is_some_and(|key| self.known.contains_key(key)) {
                top.known += 1;
            }
            if let Some(key) = top.successors.get(top.known) {
                let successor = successors(&top.node)[top.known];
                if !opened.insert(key.clone()) {
                    return Err(Fault::Cycle { positions: vec![successor.to_string()], shortest: false }.into());
                }
                let Some(less) = budget.checked_sub(1) else { return Ok(None) };
                budget = less;
                let open = self.open(key.clone(), successor)?;
                stack.push(open);
                continue;
            }
            let solved = stack.pop().expect("the stack has a top");
            let endless = || Fault::EndlessWait.at(solved.text.clone());
            let value = self.work_out(&solved).ok_or_else(endless)?;
            opened.remove(&solved.key);
            self.known.insert(solved.key, value);
        }
        Ok(self.known.get(&asked).cloned())
    }

    /// The number of solved positions.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    fn open(&self, key: Vec<u8>, position: &R::Position) -> Result<Open<R>, BadRules> {
        let mut formula = Formula::new();
        formula.build(self.rules, node_of(self.rules, position)?, position, |_| Ok(0))?;
        let node = node_of(self.rules, position)?;
        let may_wait_for_ever = formula.may_wait_for_ever();
        let text = if may_wait_for_ever { position.to_string() } else { String::new() };
        let successors = successors(&node).into_iter().map(key_of::<R>).collect::<Result<_, BadRules>>()?;
        Ok(Open { key, node, successors, known: 0, may_wait_for_ever, text })
    }

    /// The value of a position whose successors are solved. `None` if some best play waits for ever.
    fn work_out(&self, open: &Open<R>) -> Option<T> {
        if !waits(&open.node) {
            let mut keys = open.successors.iter();
            return Some(worth(self.rules, &open.node, &mut |_| self.known[next_of(&mut keys)].clone(), None));
        }
        fixed_point(open.may_wait_for_ever, |at: At<'_, T>| {
            let mut keys = open.successors.iter();
            let mut next = |_: &R::Position| Piece::constant(self.known[next_of(&mut keys)].clone());
            worth(self.rules, &open.node, &mut next, Some(&Piece::waiting(&at)))
        })
    }
}

fn next_of<'k>(keys: &mut impl Iterator<Item = &'k Vec<u8>>) -> &'k Vec<u8> {
    keys.next().expect("a key for every successor")
}
