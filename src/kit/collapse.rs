//! End components: parts of a component in which the players can stay for ever.
//!
//! The *states* of a component are the operations of its formulas: the places where a player chooses or chance decides.
//! An *end component* is a set of states that lead to each other and that some choice of moves never leaves. A player
//! who is alone in an end component can reach each of its exits for certain and at no cost, so all its states have the
//! value of the best exit. Without this, every value up to that one would solve the equations of the game. The largest
//! end components are collapsed before the values are computed (Haddad and Monmege 2018).

use rustc_hash::FxHashMap;

use super::formula::{Formula, Operation};
use super::graph::Edges;
use super::order::{Component, components};
use super::rules::Goal;

/// Marks a state that is in no end component.
const NONE: u32 = u32::MAX;

/// The states of a component.
pub(super) struct States<'a> {
    formulas: &'a [Formula],
    /// The first state of each formula. Its last state is the position itself.
    firsts: Vec<u32>,
    /// The states that follow each state.
    edges: Edges,
    /// The number of edges of each state that have to stay in an end component with it.
    needs: Vec<u32>,
}

/// The states of end components.
pub(super) struct EndComponents {
    /// The end component of each state, or `NONE`.
    of_state: Vec<u32>,
    count: usize,
}

impl EndComponents {
    pub(super) const NONE: EndComponents = EndComponents { of_state: Vec::new(), count: 0 };

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'a> States<'a> {
    /// The states of the positions with these numbers and formulas. Every other position is an exit.
    pub(super) fn new(numbers: &[u32], formulas: &'a [Formula]) -> States<'a> {
        let mut firsts = Vec::with_capacity(formulas.len());
        let mut next = 0;
        for formula in formulas {
            firsts.push(next);
            next += formula.operations().len() as u32;
        }
        let places: FxHashMap<u32, usize> =
            numbers.iter().enumerate().map(|(place, &number)| (number, place)).collect();
        let mut states = States { formulas, firsts, edges: Edges::default(), needs: Vec::new() };
        for place in 0..formulas.len() {
            states.add(place, &places);
        }
        states
    }

    /// The state of a position itself.
    fn root(&self, place: usize) -> u32 {
        self.firsts[place] + self.formulas[place].operations().len() as u32 - 1
    }

    fn add(&mut self, place: usize, places: &FxHashMap<u32, usize>) {
        // The states whose values are on the stack of the formula.
        let mut stack: Vec<u32> = Vec::new();
        for (state, operation) in (self.firsts[place]..).zip(self.formulas[place].operations()) {
            let (operands, needs) = match *operation {
                Operation::Over(_) | Operation::Go(_) | Operation::Turn(_) | Operation::Again => (0, 1),
                Operation::Collapsed(_) => unreachable!("states are made of the formulas of positions"),
                Operation::Keep | Operation::Put | Operation::Recall(_) | Operation::Passed => {
                    unreachable!("a game with cycles has no transient positions")
                }
                Operation::Cost(_) => (1, 1),
                Operation::Choice { proposed, moves, .. } => (moves, proposed),
                Operation::Chance { outcomes, .. } => (outcomes, outcomes),
            };
            let operands = stack.split_off(stack.len() - operands as usize);
            let next = match *operation {
                Operation::Go(next) | Operation::Turn(next) => places.get(&next).map(|&place| self.root(place)),
                Operation::Again => Some(self.root(place)),
                _ => None,
            };
            self.edges.push(operands.into_iter().chain(next));
            self.needs.push(needs);
            stack.push(state);
        }
    }

    /// Whether some play leaves the component or ends in it.
    pub(super) fn has_exit(&self) -> bool {
        (0..self.needs.len() as u32).any(|state| self.edges.of(state).is_empty())
    }

    /// The largest end components. The free ones have no costs.
    pub(super) fn end_components(&self, only_free: bool) -> EndComponents {
        let len = self.needs.len();
        let mut is_inside: Vec<bool> = (0..len as u32).map(|state| !(only_free && self.has_cost(state))).collect();
        let reversed = self.edges.reversed();
        // At first all states count as one component.
        let mut found = EndComponents { of_state: vec![0; len], count: 1 };
        loop {
            let of_state = &found.of_state;
            let stays = |state: u32, next: u32, is_inside: &[bool]| {
                is_inside[next as usize] && of_state[next as usize] == of_state[state as usize]
            };
            let staying =
                |state: u32| self.edges.of(state).iter().filter(|&&next| stays(state, next, &is_inside)).count() as u32;
            let mut counts: Vec<u32> = (0..len as u32).map(staying).collect();
            let leaves = |state: u32, counts: &[u32]| counts[state as usize] < self.needs[state as usize];
            let mut queue: Vec<u32> =
                (0..len as u32).filter(|&state| is_inside[state as usize] && leaves(state, &counts)).collect();
            if queue.is_empty()
                && found.of_state.iter().zip(&is_inside).all(|(&of, &is_inside)| is_inside || of == NONE)
            {
                return found;
            }
            while let Some(state) = queue.pop() {
                if !std::mem::replace(&mut is_inside[state as usize], false) {
                    continue;
                }
                for &before in reversed.of(state) {
                    if stays(state, before, &is_inside) {
                        counts[before as usize] -= 1;
                        if leaves(before, &counts) {
                            queue.push(before);
                        }
                    }
                }
            }
            found = self.strongly_connected(&is_inside);
            let of_state = &found.of_state;
            is_inside.iter_mut().zip(of_state).for_each(|(is_inside, &of)| *is_inside &= of != NONE);
        }
    }

    /// The strongly connected components of some of the states.
    fn strongly_connected(&self, is_inside: &[bool]) -> EndComponents {
        let mut edges = Edges::default();
        for state in 0..is_inside.len() as u32 {
            let next = self.edges.of(state).iter().copied();
            edges.push(next.filter(|&next| is_inside[state as usize] && is_inside[next as usize]));
        }
        let mut of_state = vec![NONE; is_inside.len()];
        let found = components(&edges);
        for (number, Component { numbers, .. }) in found.iter().enumerate() {
            numbers.iter().for_each(|&state| of_state[state as usize] = number as u32);
        }
        EndComponents { of_state, count: found.len() }
    }

    fn operation(&self, state: u32) -> (&Formula, Operation) {
        let place = self.firsts.partition_point(|&first| first <= state) - 1;
        let formula = &self.formulas[place];
        (formula, formula.operations()[(state - self.firsts[place]) as usize])
    }

    fn has_cost(&self, state: u32) -> bool {
        matches!(self.operation(state).1, Operation::Cost(cost) if cost.to_f64() != 0.0)
    }

    /// Whether some end component has a cost.
    pub(super) fn has_cost_in(&self, found: &EndComponents) -> bool {
        (0..self.needs.len() as u32).any(|state| found.of_state[state as usize] != NONE && self.has_cost(state))
    }

    /// The formulas with the end components collapsed: those of the positions, then one for each end component.
    pub(super) fn collapsed(&self, found: &EndComponents, goal: Goal) -> Vec<Formula> {
        let mut formulas: Vec<Formula> = vec![Formula::new(); self.formulas.len() + found.count];
        for (place, formula) in formulas.iter_mut().take(self.formulas.len()).enumerate() {
            self.copy(self.root(place), found, formula);
        }
        let mut exits = vec![0; found.count];
        for (state, &of) in (0..).zip(&found.of_state).filter(|(_, of)| **of != NONE) {
            // Only a choice has edges that leave.
            for &next in self.edges.of(state).iter().filter(|&&next| found.of_state[next as usize] != of) {
                self.copy(next, found, &mut formulas[self.formulas.len() + of as usize]);
                exits[of as usize] += 1;
            }
        }
        for (formula, moves) in formulas[self.formulas.len()..].iter_mut().zip(exits) {
            formula.append(Operation::Choice { goal, proposed: 1, moves }, &Formula::new());
        }
        formulas
    }

    /// Appends the operations of a state and of those that it is computed from.
    fn copy(&self, state: u32, found: &EndComponents, copied: &mut Formula) {
        let (from, operation) = self.operation(state);
        if found.of_state[state as usize] != NONE {
            copied.append(Operation::Collapsed(found.of_state[state as usize]), from);
            return;
        }
        if matches!(operation, Operation::Cost(_) | Operation::Choice { .. } | Operation::Chance { .. }) {
            self.edges.of(state).iter().for_each(|&operand| self.copy(operand, found, copied));
        }
        copied.append(operation, from);
    }

    /// The places of the positions of a cycle in an end component, or in the whole component if there is none.
    pub(super) fn cycle(&self, found: &EndComponents) -> Vec<usize> {
        let roots: FxHashMap<u32, usize> = (0..self.formulas.len()).map(|place| (self.root(place), place)).collect();
        let is_inside = |state: u32| found.is_empty() || found.of_state[state as usize] == 0;
        let mut state = *roots.keys().filter(|&&state| is_inside(state)).min().expect("a cycle has positions");
        let mut path: Vec<usize> = Vec::new();
        loop {
            if let Some(&place) = roots.get(&state) {
                if let Some(first) = path.iter().position(|&other| other == place) {
                    return path.split_off(first);
                }
                path.push(place);
            }
            let next = self.edges.of(state).iter().copied().find(|&next| is_inside(next));
            state = next.expect("the states of a cycle follow each other");
        }
    }
}
