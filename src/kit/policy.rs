//! The plain solver for games with cycles. It shares only the rules with the fast solver: no formulas, no end
//! components, no bounds.
//!
//! A game of one player is solved by policy iteration. The first policy takes a shortest way to the end. A move is
//! exchanged only for a better one, so every policy ends for certain, and the last one is the best that ends. A game
//! of two players is solved by sweeps, because the fast solver accepts it only if the equations have a single solution.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::error::BadRules;
use super::key::key_of;
use super::rules::{Goal, Node, Rules};
use super::walk::node_of;

/// Maximum number of sweeps.
const SWEEPS: usize = 100_000;
/// Maximum number of policies.
const POLICIES: usize = 1_000;
/// Maximum number of operations for the values of one policy.
const EFFORT: usize = 20_000_000;
/// The relative error of a value that rounding can cause.
const ROUNDING: f64 = 1e-13;

/// A node of a position, with the places of the nodes that follow it.
enum State {
    Over(f64),
    Go(usize),
    Turn(usize),
    Cost(f64, usize),
    Choice { goal: Goal, proposed: usize, moves: Vec<usize> },
    Chance(Vec<(f64, usize)>),
}

/// Everything that can be reached from a position, which has the number 0.
struct Reached {
    states: Vec<State>,
    /// The state of each position.
    roots: Vec<usize>,
    sum: f64,
}

/// The value of a position as a linear function of positions.
#[derive(Default)]
struct Line {
    constant: f64,
    /// The expected number of positions before the game is over.
    steps: f64,
    /// The probability that the game is over.
    over: f64,
    shares: BTreeMap<usize, f64>,
}

/// The value of a position, by everything reachable from it. `None` if that takes more than `most` positions, or too
/// long.
pub(super) fn value_in_cycles<R: Rules>(
    rules: &R,
    position: R::Position,
    most: usize,
) -> Result<Option<f64>, BadRules> {
    let Some(reached) = Reached::from(rules, position, most)? else { return Ok(None) };
    let goals: Vec<Goal> = reached.choices().map(|(_, goal)| goal).collect();
    let has_turns = reached.states.iter().any(|state| matches!(state, State::Turn(_)));
    let has_one_player = !has_turns && goals.windows(2).all(|pair| pair[0] == pair[1]);
    Ok(if has_one_player { reached.iterate_policies() } else { reached.sweep(has_turns) })
}

impl Reached {
    fn from<R: Rules>(rules: &R, position: R::Position, most: usize) -> Result<Option<Reached>, BadRules> {
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from([(key_of::<R>(&position)?, 0)]);
        let mut queue = VecDeque::from([node_of(rules, &position)?]);
        let mut reached = Reached { states: Vec::new(), roots: Vec::new(), sum: rules.sum() as f64 };
        while let Some(node) = queue.pop_front() {
            let own = reached.roots.len();
            let root = reached.add(&node, own, &mut |next| {
                let fresh = numbers.len();
                let number = *numbers.entry(key_of::<R>(next)?).or_insert(fresh);
                if number == fresh {
                    queue.push_back(node_of(rules, next)?);
                }
                Ok(number)
            })?;
            reached.roots.push(root);
            if numbers.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(reached))
    }

    /// Adds a node of a position and returns its place.
    fn add<R: Rules>(
        &mut self,
        node: &Node<R>,
        own: usize,
        number: &mut impl FnMut(&R::Position) -> Result<usize, BadRules>,
    ) -> Result<usize, BadRules> {
        let state = match node {
            Node::Over(value) => State::Over(value.to_f64()),
            Node::Go(next) => State::Go(number(next)?),
            Node::Turn(next) => State::Turn(number(next)?),
            Node::Again => State::Go(own),
            Node::Cost(cost, then) => State::Cost(cost.to_f64(), self.add(then, own, number)?),
            Node::Choice { goal, proposed, moves } => {
                let moves =
                    moves.iter().map(|step| self.add(&step.then, own, number)).collect::<Result<Vec<_>, _>>()?;
                State::Choice { goal: *goal, proposed: (*proposed).min(moves.len()), moves }
            }
            Node::Chance(outcomes) => {
                let total: u64 = outcomes.iter().map(|outcome| outcome.weight).sum();
                let possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
                let share = |weight: u64| weight as f64 / total as f64;
                let added = possible.map(|outcome| Ok((share(outcome.weight), self.add(&outcome.then, own, number)?)));
                State::Chance(added.collect::<Result<_, BadRules>>()?)
            }
        };
        self.states.push(state);
        Ok(self.states.len() - 1)
    }

    /// The places and goals of the choices in which a player decides something.
    fn choices(&self) -> impl Iterator<Item = (usize, Goal)> {
        self.states.iter().enumerate().filter_map(|(place, state)| match state {
            State::Choice { goal, .. } => Some((place, *goal)),
            _ => None,
        })
    }

    /// The value of a state under best play, from the values of the positions.
    fn value(&self, state: usize, values: &[f64]) -> f64 {
        match &self.states[state] {
            State::Over(value) => *value,
            State::Go(next) => values[*next],
            State::Turn(next) => self.sum - values[*next],
            State::Cost(cost, then) => cost + self.value(*then, values),
            State::Choice { .. } => self.mean(&self.best(state, |then| self.value(then, values)), values),
            State::Chance(outcomes) => outcomes.iter().map(|(share, then)| share * self.value(*then, values)).sum(),
        }
    }

    fn mean(&self, moves: &[usize], values: &[f64]) -> f64 {
        moves.iter().map(|&then| self.value(then, values)).sum::<f64>() / moves.len() as f64
    }

    /// The proposed moves of a choice if moves are compared by `worth`.
    fn best(&self, choice: usize, worth: impl Fn(usize) -> f64) -> Vec<usize> {
        let State::Choice { goal, proposed, moves } = &self.states[choice] else { return Vec::new() };
        let mut sorted: Vec<(f64, usize)> = moves.iter().map(|&then| (worth(then), then)).collect();
        sorted.sort_by(
            |one, other| if *goal == Goal::Max { other.0.total_cmp(&one.0) } else { one.0.total_cmp(&other.0) },
        );
        sorted[..*proposed].iter().map(|(_, then)| *then).collect()
    }

    /// Sweeps over all positions until the values no longer change. They start in the middle of the possible values.
    fn sweep(&self, has_turns: bool) -> Option<f64> {
        let ends =
            || self.states.iter().filter_map(|state| if let State::Over(value) = state { Some(*value) } else { None });
        let has_costs = self.states.iter().any(|state| matches!(state, State::Cost(cost, _) if *cost != 0.0));
        let middle = match (has_costs, has_turns) {
            (true, _) => 0.0,
            (_, true) => self.sum / 2.0,
            _ => ends().fold(f64::INFINITY, f64::min).midpoint(ends().fold(f64::NEG_INFINITY, f64::max)),
        };
        let mut values = vec![middle; self.roots.len()];
        for _ in 0..SWEEPS {
            let mut most: f64 = 0.0;
            for number in (0..values.len()).rev() {
                let value = self.value(self.roots[number], &values);
                most = most.max((value - values[number]).abs() / value.abs().max(1.0));
                values[number] = value;
            }
            if most < 1e-15 {
                return Some(values[0]);
            }
        }
        None
    }

    /// Improves the moves until none is better.
    fn iterate_policies(&self) -> Option<f64> {
        let mut policy = self.shortest_ways();
        for _ in 0..POLICIES {
            let (values, steps) = self.values(&policy)?;
            let size = values.iter().fold(1.0, |size: f64, value| size.max(value.abs()));
            let mut is_best = true;
            for (choice, goal) in self.choices() {
                let best = self.best(choice, |then| self.value(then, &values));
                let better = self.mean(&best, &values) - self.mean(&policy[choice], &values);
                if (if goal == Goal::Max { better } else { -better }) > ROUNDING * size {
                    policy[choice] = best;
                    is_best = false;
                }
            }
            if is_best {
                // In a long game, differences that are lost in rounding errors add up.
                let is_exact = self.choices().next().is_none() || steps * ROUNDING < 1e-10;
                return is_exact.then_some(values[0]);
            }
        }
        None
    }

    /// For each choice, moves of which one is on a shortest way to the end.
    fn shortest_ways(&self) -> Vec<Vec<usize>> {
        let mut distances = vec![f64::INFINITY; self.states.len()];
        loop {
            let mut changed = false;
            for place in 0..self.states.len() {
                let nearest = match &self.states[place] {
                    State::Over(_) => 0.0,
                    State::Go(next) | State::Turn(next) => 1.0 + distances[self.roots[*next]],
                    State::Cost(_, then) => distances[*then],
                    State::Choice { moves, .. } => {
                        moves.iter().map(|&then| distances[then]).fold(f64::INFINITY, f64::min)
                    }
                    State::Chance(outcomes) => {
                        outcomes.iter().map(|(_, then)| distances[*then]).fold(f64::INFINITY, f64::min)
                    }
                };
                changed |= nearest < distances[place];
                distances[place] = nearest;
            }
            if !changed {
                break;
            }
        }
        let nearest = |choice: usize| {
            let State::Choice { proposed, moves, .. } = &self.states[choice] else { return Vec::new() };
            let mut moves = moves.clone();
            moves.sort_by(|&one, &other| distances[one].total_cmp(&distances[other]));
            moves.truncate(*proposed);
            moves
        };
        (0..self.states.len()).map(nearest).collect()
    }

    /// The values of all positions under a policy, and the expected number of positions until the first one's game is
    /// over. `None` if that takes too long, or if the game may never end.
    fn values(&self, policy: &[Vec<usize>]) -> Option<(Vec<f64>, f64)> {
        let mut solved: Vec<Line> = Vec::new();
        let mut effort = 0;
        let count = self.roots.len();
        // From the last position to the first, so each line depends only on positions with smaller numbers.
        for number in (0..count).rev() {
            let mut line = Line { steps: 1.0, ..Line::default() };
            self.extend(self.roots[number], 1.0, policy, &mut line);
            while let Some(entry) = line.shares.last_entry().filter(|entry| *entry.key() > number) {
                let (other, share) = entry.remove_entry();
                let known = &solved[count - 1 - other];
                line.constant += share * known.constant;
                line.steps += share * known.steps;
                line.over += share * known.over;
                known.shares.iter().for_each(|(next, part)| *line.shares.entry(*next).or_default() += share * part);
                effort += 1 + known.shares.len();
            }
            if let Some(_own) = line.shares.remove(&number) {
                // One minus the own share, without a subtraction that would lose digits.
                let rest = line.over + line.shares.values().sum::<f64>();
                line.constant /= rest;
                line.steps /= rest;
                line.over /= rest;
                line.shares.values_mut().for_each(|share| *share /= rest);
            }
            if effort > EFFORT || !line.constant.is_finite() || !line.over.is_finite() {
                return None;
            }
            solved.push(line);
        }
        let mut values: Vec<f64> = Vec::new();
        let mut steps: Vec<f64> = Vec::new();
        for line in solved.iter().rev() {
            let sum = |known: &[f64]| line.shares.iter().map(|(other, share)| share * known[*other]).sum::<f64>();
            let (value, step) = (line.constant + sum(&values), line.steps + sum(&steps));
            values.push(value);
            steps.push(step);
        }
        Some((values, steps[0]))
    }

    /// Adds a state with a probability to a line.
    fn extend(&self, state: usize, probability: f64, policy: &[Vec<usize>], line: &mut Line) {
        match &self.states[state] {
            State::Over(value) => {
                line.constant += probability * value;
                line.over += probability;
            }
            State::Go(next) | State::Turn(next) => *line.shares.entry(*next).or_default() += probability,
            State::Cost(cost, then) => {
                line.constant += probability * cost;
                self.extend(*then, probability, policy, line);
            }
            State::Choice { .. } => {
                let chosen = &policy[state];
                let share = probability / chosen.len() as f64;
                chosen.iter().for_each(|&then| self.extend(then, share, policy, line));
            }
            State::Chance(outcomes) => {
                outcomes.iter().for_each(|(share, then)| self.extend(*then, probability * share, policy, line));
            }
        }
    }
}
