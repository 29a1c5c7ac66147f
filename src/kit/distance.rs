//! How far the end is, in a game with cycles and with chance or costs. Of moves with the same value, some may lead in a circle.
//!
//! The distance of a position is the number of positions that follow until the game is over. The player to move takes
//! the shortest way among the moves that keep the value, the other player the longest, and chance the shortest: a way
//! that chance may take is taken after some time. A player who follows the distances therefore reaches the value.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::file::Answers;
use super::key::{key_of, position_of};
use super::number::{Arithmetic, Bounds};
use super::rules::{Goal, Node, Rules};
use super::value::Worth;
use super::walk::{successors, worth};
use crate::table::TableError;

/// Maximum number of positions that are looked at for one answer.
const REACH: usize = 2_000;
/// The distance where no way to the end is known.
pub(super) const FAR: u32 = u32::MAX;

/// Whose turn it is, as seen from the player to move in the asked position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Turn {
    Own,
    Other,
}

impl Turn {
    fn passed(self) -> Turn {
        if self == Turn::Own { Turn::Other } else { Turn::Own }
    }
}

/// A position, and who is to move there.
type State = (Vec<u8>, Turn);

/// The ways of a node that keep its value.
enum Ways {
    Over,
    Again,
    Next(State),
    /// Chance.
    Possible(Vec<Ways>),
    /// A choice of the player to move in the asked position.
    Own(Vec<Ways>),
    /// A choice of the other player.
    Other(Vec<Ways>),
}

/// The distances of the positions around a position.
pub(super) struct Distances<'a, R: Rules> {
    rules: &'a R,
    answers: &'a Answers<'a, R>,
    /// What the player to move wants.
    goal: Goal,
    values: FxHashMap<Vec<u8>, Option<Bounds>>,
    distances: FxHashMap<State, u32>,
}

impl<'a, R: Rules> Distances<'a, R> {
    /// The distances of the positions after a node. `own` is the value of its position.
    pub(super) fn around(
        rules: &'a R,
        answers: &'a Answers<'a, R>,
        node: &Node<R>,
        own: Bounds,
    ) -> Result<Distances<'a, R>, TableError> {
        let goal = goal_of(node).unwrap_or(Goal::Max);
        let mut found =
            Distances { rules, answers, goal, values: FxHashMap::default(), distances: FxHashMap::default() };
        found.look_up(node)?;
        // Without a tie there is nothing to decide.
        if let Some(ways) = found.ways(node, Turn::Own, own).filter(Ways::has_tie) {
            found.explore(&ways)?;
        }
        Ok(found)
    }

    /// The distance of a node that follows the asked position.
    pub(super) fn of(&self, node: &Node<R>, own: Bounds) -> u32 {
        self.ways(node, Turn::Own, own).map_or(FAR, |ways| self.distance(&ways))
    }

    /// Finds the distances of the positions that these ways lead to.
    fn explore(&mut self, ways: &Ways) -> Result<(), TableError> {
        let mut queue: VecDeque<State> = VecDeque::new();
        let mut found: Vec<(State, Ways)> = Vec::new();
        ways.each_state(&mut |state| queue.push_back(state.clone()));
        while let Some(state) = queue.pop_front() {
            if found.len() == REACH {
                break;
            }
            if self.distances.contains_key(&state) {
                continue;
            }
            let Some(position) = position_of::<R>(&state.0) else { continue };
            let node = self.rules.node(&position);
            self.look_up(&node)?;
            let Some(own) = self.value(&position)? else { continue };
            let Some(ways) = self.ways(&node, state.1, own) else { continue };
            ways.each_state(&mut |state| queue.push_back(state.clone()));
            self.distances.insert(state.clone(), FAR);
            found.push((state, ways));
        }
        loop {
            let mut changed = false;
            for (state, ways) in found.iter().rev() {
                let distance = self.distance(ways);
                let known = self.distances.get_mut(state).expect("every found state has a distance");
                changed |= distance < *known;
                *known = distance.min(*known);
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The key of a position's canonical form.
    fn key(&self, position: &R::Position) -> Option<Vec<u8>> {
        let copy = position_of::<R>(&key_of::<R>(position).ok()?)?;
        key_of::<R>(&self.rules.canonical(copy)).ok()
    }

    fn value(&mut self, position: &R::Position) -> Result<Option<Bounds>, TableError> {
        let Some(key) = self.key(position) else { return Ok(None) };
        if let Some(known) = self.values.get(&key) {
            return Ok(*known);
        }
        let value = match self.answers.value(position)?.map(|value| value.worth) {
            Some(Worth::Bounds(bounds)) => Some(bounds),
            _ => None,
        };
        self.values.insert(key, value);
        Ok(value)
    }

    /// Reads the values of all successors of a node.
    fn look_up(&mut self, node: &Node<R>) -> Result<(), TableError> {
        successors(node).into_iter().try_for_each(|next| self.value(next).map(drop))
    }

    /// The bounds of a node, if the values of its successors are known.
    fn bounds(&self, node: &Node<R>, own: Bounds) -> Option<Bounds> {
        let known = |next: &R::Position| self.values.get(&self.key(next)?).copied().flatten();
        let values: Option<Vec<Bounds>> = successors(node).into_iter().map(known).collect();
        let mut values = values?.into_iter();
        Some(worth(self.rules, node, &mut |_| values.next().expect("a value for every successor"), Some(&own)))
    }

    fn ways(&self, node: &Node<R>, turn: Turn, own: Bounds) -> Option<Ways> {
        Some(match node {
            Node::Over(_) => Ways::Over,
            Node::Again => Ways::Again,
            Node::Go(next) => Ways::Next((self.key(next)?, turn)),
            Node::Turn(next) => Ways::Next((self.key(next)?, turn.passed())),
            Node::Cost(_, then) => self.ways(then, turn, own)?,
            Node::Choice { goal, proposed, moves } => {
                let bounds: Option<Vec<Bounds>> = moves.iter().map(|step| self.bounds(&step.then, own)).collect();
                let bounds = bounds?;
                let mut sorted = bounds.clone();
                sorted.sort_by(|one, other| if *goal == Goal::Max { other.order(one) } else { one.order(other) });
                // A proposed move happens at random.
                let worst = sorted[(*proposed).min(sorted.len()) - 1];
                let keeps = |bounds: &Bounds| bounds.overlaps(worst) || bounds.is_better(&worst, *goal);
                let kept = moves.iter().zip(&bounds).filter(|(_, bounds)| keeps(bounds));
                let kept: Option<Vec<Ways>> = kept.map(|(step, _)| self.ways(&step.then, turn, own)).collect();
                let is_own = (*goal == self.goal) == (turn == Turn::Own);
                match *proposed {
                    1 if is_own => Ways::Own(kept?),
                    1 => Ways::Other(kept?),
                    _ => Ways::Possible(kept?),
                }
            }
            Node::Chance(outcomes) => {
                let possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
                let ways: Option<Vec<Ways>> = possible.map(|outcome| self.ways(&outcome.then, turn, own)).collect();
                Ways::Possible(ways?)
            }
        })
    }

    fn distance(&self, ways: &Ways) -> u32 {
        match ways {
            Ways::Over => 0,
            Ways::Again => FAR,
            Ways::Next(state) => self.distances.get(state).copied().unwrap_or(FAR).saturating_add(1),
            Ways::Possible(ways) | Ways::Own(ways) => ways.iter().map(|ways| self.distance(ways)).min().unwrap_or(FAR),
            Ways::Other(ways) => ways.iter().map(|ways| self.distance(ways)).max().unwrap_or(FAR),
        }
    }
}

impl Ways {
    /// Whether a player has several moves of the same value.
    fn has_tie(&self) -> bool {
        match self {
            Ways::Over | Ways::Again | Ways::Next(_) => false,
            Ways::Possible(ways) => ways.iter().any(Ways::has_tie),
            Ways::Own(ways) | Ways::Other(ways) => ways.len() > 1 || ways.iter().any(Ways::has_tie),
        }
    }

    fn each_state(&self, visit: &mut impl FnMut(&State)) {
        match self {
            Ways::Over | Ways::Again => {}
            Ways::Next(state) => visit(state),
            Ways::Possible(ways) | Ways::Own(ways) | Ways::Other(ways) => {
                ways.iter().for_each(|ways| ways.each_state(visit));
            }
        }
    }
}

/// The goal of the first choice in a node.
fn goal_of<R: Rules>(node: &Node<R>) -> Option<Goal> {
    match node {
        Node::Over(_) | Node::Again | Node::Go(_) | Node::Turn(_) => None,
        Node::Cost(_, then) => goal_of(then),
        Node::Choice { goal, .. } => Some(*goal),
        Node::Chance(outcomes) => outcomes.iter().find_map(|outcome| goal_of(&outcome.then)),
    }
}
