//! Checks a table: it holds exactly the positions of the game, every value follows from the values of its successors,
//! and the plain solver agrees on a seeded sample.

use num_rational::BigRational;
use rayon::prelude::*;

use super::error::BadRules;
use super::explain::Stored;
use super::explore::{Graph, Watch, explore};
use super::failure::Failure;
use super::file::Answers;
use super::formula::Timed;
use super::number::{Arithmetic, Bounds, Closed, Number, nearest_double};
use super::plain::{Plain, successors, worth};
use super::rules::{Node, Rules};
use super::value::{Value, Worth};
use crate::seeded::Seeded;

/// Number of positions that the plain solver checks.
const SAMPLE: usize = 100;
/// Maximum number of random draws to find `SAMPLE` positions that are small enough for the plain solver.
const DRAWS: usize = 2_000;
/// Maximum number of new positions that the plain solver solves for one drawn position.
const REACH: usize = 5_000;
/// Maximum number of sweeps of the plain solver over a cycle.
const SWEEPS: usize = 100_000;
/// Positions that one task checks.
const TASK: usize = 256;

/// The size of a successful check.
pub(super) struct Proof {
    pub(super) positions: usize,
    /// Number of sampled positions. The plain solver agrees on all of them.
    pub(super) sampled: usize,
}

/// Checks a table. The error names the first wrong position.
pub(super) fn check<R: Rules>(rules: &R, answers: &Answers<'_, R>, watch: &Watch<'_>) -> Result<Proof, Failure> {
    let graph = explore(rules, watch)?;
    let values = answers.values_of(&graph)?;
    let bar = (watch.progress)("values", graph.len() as u64);
    let numbers: Vec<u32> = (0..graph.len() as u32).collect();
    let checked: Vec<Result<(), Failure>> = numbers
        .par_chunks(TASK)
        .map(|task| {
            task.iter().try_for_each(|&number| follows(rules, answers, &graph, &values, number))?;
            bar.inc(task.len() as u64);
            Ok(())
        })
        .collect();
    checked.into_iter().collect::<Result<(), Failure>>()?;
    bar.finish_and_clear();
    let sampled = ask_plain_solver(rules, answers, &graph, &values)?;
    Ok(Proof { positions: graph.len(), sampled })
}

/// Checks that the value of a position follows from the values of its successors.
fn follows<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    graph: &Graph,
    values: &[Value],
    number: u32,
) -> Result<(), Failure> {
    let stored = &values[number as usize];
    match &stored.worth {
        Worth::Double(_) => follows_in::<R, f64>(rules, answers, graph, values, number),
        Worth::Fraction(_) => follows_in::<R, BigRational>(rules, answers, graph, values, number),
        Worth::Bounds(_) => follows_in::<R, Bounds>(rules, answers, graph, values, number),
    }
}

fn follows_in<R: Rules, T: Stored>(
    rules: &R,
    answers: &Answers<'_, R>,
    graph: &Graph,
    values: &[Value],
    number: u32,
) -> Result<(), Failure> {
    let position = graph.position::<R>(number)?;
    let node = rules.node(&position);
    let edges = graph.edges.of(number);
    if successors(&node).len() != edges.len() {
        return Err(BadRules::Changing { position: position.to_string() }.into());
    }
    let stored = &values[number as usize];
    let value_of = |number: u32| {
        let value = T::stored(&values[number as usize].worth);
        value.ok_or_else(|| answers.wrong(format!("'{}' has a value of another kind", graph.text::<R>(number))))
    };
    let mut known = Vec::with_capacity(edges.len());
    for &next in edges {
        known.push(Timed { value: value_of(next)?, moves: values[next as usize].moves.unwrap_or(0) });
    }
    let own = value_of(number)?;
    let mut places = known.iter();
    let followed = worth(&node, &mut |_| places.next().expect("one value per successor").value.clone(), Some(&own));
    if !own.is_exact_enough(R::CYCLES) {
        let what = format!("'{position}' is worth {} there, which is not exact enough", stored.worth);
        return Err(answers.wrong(what));
    }
    if !followed.confirms(&own) {
        let (stored, followed) = (&stored.worth, followed.shown());
        return Err(answers.wrong(format!("'{position}' is worth {stored} there, and {followed} by what follows it")));
    }
    if let Some(moves) = stored.moves {
        let middle = T::of(Number::Double(answers.middle()));
        let followed = timed(&node, &mut known.into_iter(), &middle).moves;
        if followed != moves {
            return Err(answers
                .wrong(format!("'{position}' ends in {moves} moves there, and in {followed} by what follows it")));
        }
    }
    Ok(())
}

/// The value of a node and the number of moves to the end. The game must satisfy `Facts::has_length`.
fn timed<R: Rules, T: Arithmetic>(node: &Node<R>, next: &mut impl Iterator<Item = Timed<T>>, middle: &T) -> Timed<T> {
    match node {
        Node::Over(value) => Timed { value: T::of(*value), moves: 0 },
        Node::Go(_) => next.next().expect("one value per successor"),
        Node::Turn(_) => {
            let next = next.next().expect("one value per successor");
            Timed { value: next.value.seen_from_other(R::SUM), ..next }
        }
        Node::Cost(cost, then) => {
            let then = timed(then, next, middle);
            Timed { value: then.value.plus(&T::of(*cost)), ..then }
        }
        Node::Choice { goal, moves, .. } => {
            let mut best: Option<Timed<T>> = None;
            for step in moves {
                let other = timed(&step.then, next, middle);
                if best.as_ref().is_none_or(|best| other.is_better(best, *goal, middle)) {
                    best = Some(other);
                }
            }
            let best = best.expect("a choice has moves");
            Timed { moves: best.moves + 1, ..best }
        }
        Node::Chance(outcomes) => {
            let mut possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
            timed(&possible.next().expect("chance has outcomes").then, next, middle)
        }
        Node::Again => unreachable!("a game with a length has no waiting"),
    }
}

/// Compares a seeded sample of positions with the plain solver and returns the number of compared positions.
fn ask_plain_solver<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    graph: &Graph,
    values: &[Value],
) -> Result<usize, Failure> {
    let mut seeded = Seeded(1);
    let mut plain: Plain<'_, R, BigRational> = Plain::new(rules);
    let mut asked = 0;
    for draw in 0..DRAWS {
        if asked == SAMPLE {
            break;
        }
        // All positions of a small game, last found first: their successors are then mostly solved already.
        let number = if graph.len() <= SAMPLE {
            match graph.len().checked_sub(draw + 1) {
                Some(number) => number as u32,
                None => break,
            }
        } else {
            seeded.below(graph.len() as u64) as u32
        };
        let position = graph.position::<R>(number)?;
        let stored = &values[number as usize].worth;
        let (agrees, other) = match plain.value_within(&position, REACH) {
            Ok(None) => continue,
            Ok(Some(exact)) => match stored {
                Worth::Fraction(fraction) => (*fraction == exact, Worth::Fraction(exact)),
                Worth::Double(double) => {
                    let exact = nearest_double(&exact);
                    (double.is_close(&exact), Worth::Double(exact))
                }
                Worth::Bounds(bounds) => {
                    let bound = |bound: f64| BigRational::of(Number::Double(bound));
                    let is_between = bound(bounds.lower) <= exact && exact <= bound(bounds.upper);
                    (is_between, Worth::Double(nearest_double(&exact)))
                }
            },
            Err(BadRules::Cycle { .. }) => match sweep(rules, position)? {
                None => continue,
                Some(value) => {
                    let Worth::Bounds(bounds) = stored else { return Err(other_kind(answers, graph, number)) };
                    // The sweeps converge to the value but do not reach it exactly.
                    let slack = 1e-9 * value.abs().max(1.0);
                    (bounds.lower - slack <= value && value <= bounds.upper + slack, Worth::Double(value))
                }
            },
            Err(error) => return Err(error.into()),
        };
        if !agrees {
            let text = graph.text::<R>(number);
            let what = format!("'{text}' is worth {stored} there, and {other} by the plain solver");
            return Err(Failure::Disagreement { path: answers.path().to_path_buf(), what });
        }
        asked += 1;
    }
    Ok(asked)
}

fn other_kind<R: Rules>(answers: &Answers<'_, R>, graph: &Graph, number: u32) -> Failure {
    answers.wrong(format!("'{}' has a value of another kind", graph.text::<R>(number)))
}

/// The value of a position of a game with cycles, by value iteration over everything reachable from it. `None` if that
/// takes more than `REACH` positions or `SWEEPS` sweeps.
fn sweep<R: Rules>(rules: &R, position: R::Position) -> Result<Option<f64>, BadRules> {
    use super::key::key_of;
    use std::collections::HashMap;
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from([(key_of::<R>(&position)?, 0)]);
    let mut nodes: Vec<Node<R>> = vec![rules.node(&position)];
    let mut lists: Vec<Vec<usize>> = Vec::new();
    while lists.len() < nodes.len() {
        let mut list = Vec::new();
        let mut found = Vec::new();
        for next in successors(&nodes[lists.len()]) {
            let fresh = numbers.len();
            let number = *numbers.entry(key_of::<R>(next)?).or_insert(fresh);
            if number == fresh {
                found.push(rules.node(next));
            }
            list.push(number);
        }
        nodes.extend(found);
        lists.push(list);
        if nodes.len() > REACH {
            return Ok(None);
        }
    }
    let mut values = vec![0.0_f64; nodes.len()];
    for _ in 0..SWEEPS {
        let mut most: f64 = 0.0;
        for number in (0..nodes.len()).rev() {
            let mut places = lists[number].iter();
            let mut next = |_: &R::Position| values[*places.next().expect("one number per successor")];
            let value = worth(&nodes[number], &mut next, Some(&values[number]));
            most = most.max((value - values[number]).abs());
            values[number] = value;
        }
        if most < 1e-15 {
            return Ok(Some(values[0]));
        }
    }
    Ok(None)
}
