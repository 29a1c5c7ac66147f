//! Checks of games that repeat, without chance.
//!
//! Values that follow from each other in a circle prove nothing. What proves them is the number of moves to the end: it
//! falls with every best move, so each win and each loss leads to a finished game. Steps without a choice take no move,
//! so a circle of them is searched for.
//!
//! The plain solver needs neither symmetry nor the search backwards. It looks at the positions around a position, and
//! recomputes bounds of their values until they stay the same. Nothing is known of the positions further away.

use rustc_hash::FxHashMap;

use super::check::Numbered;
use super::error::BadRules;
use super::failure::Failure;
use super::file::Answers;
use super::graph::Graph;
use super::key::{key_of, position_of};
use super::rules::{Goal, Node, Rules};
use super::value::Value;
use super::walk::successors;
use crate::seeded::Seeded;

/// Maximum number of positions of a game that the plain solver solves as a whole.
const WHOLE: usize = 50_000;
/// Maximum number of positions around one position of a larger game.
const AROUND: usize = 2_000;
/// The positions of the sample that are nearest to the end are drawn from this number of positions per sampled one.
const DRAWS: usize = 50;

/// Checks that no value rests on a circle of steps without a choice.
pub(super) fn check_forced_steps<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    graph: &Graph,
    values: &[Value],
) -> Result<(), Failure> {
    const UNSEEN: u32 = u32::MAX;
    let mut seen = vec![UNSEEN; graph.len()];
    for start in 0..graph.len() as u32 {
        let mut number = start;
        while seen[number as usize] == UNSEEN {
            seen[number as usize] = start;
            let &[next] = graph.edges.of(number) else { break };
            let moves = values[number as usize].moves;
            let is_finite = moves.is_some_and(|moves| moves != Value::ENDLESS);
            let takes_no_move = moves == values[next as usize].moves;
            if !is_finite || !takes_no_move || has_choice(&rules.node(&graph.position::<R>(number)?)) {
                break;
            }
            if seen[next as usize] == start {
                let text = graph.text::<R>(next);
                return Err(answers.wrong(format!("'{text}' ends there, and never by the rules")));
            }
            number = next;
        }
    }
    Ok(())
}

fn has_choice<R: Rules>(node: &Node<R>) -> bool {
    match node {
        Node::Over(_) | Node::Go(_) | Node::Turn(_) | Node::Again => false,
        Node::Choice { .. } => true,
        Node::Cost(_, then) => has_choice(then),
        Node::Chance(outcomes) => outcomes.iter().any(|outcome| has_choice(&outcome.then)),
    }
}

/// Compares a seeded sample of at most `sample` positions with the plain solver. Returns the number of positions whose
/// value it finds exactly.
pub(super) fn ask_plain_solver<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    solved: &Numbered<'_, R::Position>,
    sample: usize,
) -> Result<usize, Failure> {
    let mut seeded = Seeded(1);
    let compare = |around: &Around<R>, place: usize, position: &R::Position, stored: &Value| {
        let (bounds, worth) = (around.bounds[place], stored.worth.to_f64());
        if bounds.lower <= worth && worth <= bounds.upper {
            return Ok(bounds.lower == bounds.upper);
        }
        let other = if worth < bounds.lower { bounds.lower } else { bounds.upper };
        let what = format!("'{position}' is worth {} there, and {other} by the plain solver", stored.worth);
        Err(Failure::disagreement(answers.path(), &what))
    };
    let whole = Around::solve(rules, rules.starts(), WHOLE, answers.middle())?;
    if whole.bounds.len() == whole.positions.len() {
        let count = whole.positions.len();
        let places: Vec<usize> = if count <= sample {
            (0..count).collect()
        } else {
            (0..sample).map(|_| seeded.below(count as u64) as usize).collect()
        };
        for &place in &places {
            let position = &whole.positions[place];
            let stored = answers
                .value(position)?
                .ok_or_else(|| answers.wrong(format!("'{position}' is in the table or in the game, not in both")))?;
            compare(&whole, place, position, &stored)?;
        }
        return Ok(places.len());
    }
    drop(whole);
    let mut numbers: Vec<u32> = (0..sample * DRAWS).map(|_| seeded.below(solved.len as u64) as u32).collect();
    numbers.sort_by_key(|&number| (solved.value)(number).moves);
    numbers.dedup();
    let mut exact = 0;
    for &number in numbers.iter().take(sample) {
        let around = Around::solve(rules, vec![(solved.position)(number)?], AROUND, answers.middle())?;
        exact += usize::from(compare(&around, 0, &around.positions[0], &(solved.value)(number))?);
    }
    Ok(exact)
}

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    lower: f64,
    upper: f64,
}

/// The positions around some positions, and what is known of their values.
struct Around<R: Rules> {
    /// The sum of both players' values.
    sum: f64,
    /// The positions, nearest first. The last ones may be without a node.
    positions: Vec<R::Position>,
    nodes: Vec<Node<R>>,
    /// The successors of each node as places in `positions`, in order.
    lists: Vec<Vec<usize>>,
    /// The values of the positions with a node.
    bounds: Vec<Known>,
}

impl<R: Rules> Around<R> {
    /// Finds at least `most` positions, if there are so many, and solves them. An endless game is worth `draw`.
    fn solve(rules: &R, starts: Vec<R::Position>, most: usize, draw: f64) -> Result<Around<R>, BadRules> {
        let mut around = Around {
            sum: rules.sum() as f64,
            positions: starts,
            nodes: Vec::new(),
            lists: Vec::new(),
            bounds: Vec::new(),
        };
        let mut places: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
        for (place, start) in around.positions.iter().enumerate() {
            places.entry(key_of::<R>(start)?).or_insert(place);
        }
        while around.nodes.len() < around.positions.len() && around.nodes.len() < most {
            let node = rules.node(&around.positions[around.nodes.len()]);
            let mut list = Vec::new();
            for next in successors(&node) {
                let key = key_of::<R>(next)?;
                let place = *places.entry(key).or_insert_with_key(|key| {
                    around.positions.extend(position_of::<R>(key));
                    around.positions.len() - 1
                });
                list.push(place);
            }
            around.nodes.push(node);
            around.lists.push(list);
        }
        around.bounds = vec![Known { lower: draw, upper: draw }; around.nodes.len()];
        around.recompute();
        Ok(around)
    }

    /// Recomputes the bounds until they stay the same. Each moves away from the draw only, so they do.
    fn recompute(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for place in (0..self.nodes.len()).rev() {
                let unknown = Known { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
                let mut nexts = self.lists[place].iter().map(|&next| *self.bounds.get(next).unwrap_or(&unknown));
                let bounds = known(&self.nodes[place], &mut nexts, self.bounds[place], self.sum);
                changed |= bounds != self.bounds[place];
                self.bounds[place] = bounds;
            }
        }
    }
}

/// What is known of the value of a node without chance and costs.
fn known<R: Rules>(node: &Node<R>, nexts: &mut impl Iterator<Item = Known>, own: Known, sum: f64) -> Known {
    match node {
        Node::Over(value) => Known { lower: value.to_f64(), upper: value.to_f64() },
        Node::Go(_) => nexts.next().expect("bounds for every successor"),
        Node::Turn(_) => {
            let next = nexts.next().expect("bounds for every successor");
            Known { lower: sum - next.upper, upper: sum - next.lower }
        }
        Node::Again => own,
        Node::Cost(_, then) => known(then, nexts, own, sum),
        Node::Choice { goal, moves, .. } => {
            let best = if *goal == Goal::Max { f64::max } else { f64::min };
            let moves = moves.iter().map(|step| known(&step.then, nexts, own, sum));
            moves
                .reduce(|one, other| Known { lower: best(one.lower, other.lower), upper: best(one.upper, other.upper) })
                .expect("a choice has moves")
        }
        Node::Chance(outcomes) => {
            let outcome = outcomes.iter().find(|outcome| outcome.weight > 0);
            known(&outcome.expect("chance has an outcome").then, nexts, own, sum)
        }
    }
}
