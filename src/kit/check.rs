//! Checks a table: it holds exactly the positions of the game, every value follows from the values of its successors,
//! and the plain solver agrees on a seeded sample.

use num_rational::BigRational;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::closed::Closed;
use super::error::{BadRules, Fault};
use super::explain::{Stored, confirm};
use super::explore::{Watch, explore};
use super::failure::Failure;
use super::file::Answers;
use super::formula::{Formula, Successor};
use super::fraction::nearest_double;
use super::graph::Graph;
use super::number::{Arithmetic, Bounds, Number};
use super::order::lengths;
use super::plain::Plain;
use super::policy::value_in_cycles;
use super::ranked::{Checks, Ranked, has_many_ranks};
use super::repeat;
use super::rules::{Cycles, Rules};
use super::solve::rebuild;
use super::solved::Solved;
use super::value::{Value, Worth};
use super::walk::{Timed, node_of, successors, timed, worth};
use crate::seeded::Seeded;

/// Number of positions that the plain solver checks.
const SAMPLE: usize = 100;
/// Maximum number of random draws to find `SAMPLE` positions that are small enough for the plain solver.
const DRAWS: usize = 2_000;
/// Maximum number of new positions that the plain solver solves for one drawn position.
const REACH: usize = 5_000;
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
    if has_many_ranks(rules)
        && let Some(proof) = check_ranked(rules, answers, watch)?
    {
        return Ok(proof);
    }
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
    let sampled = sample(rules, answers, &graph, &values)?;
    Ok(Proof { positions: graph.len(), sampled })
}

impl<R: Rules + 'static> Solved<R> {
    /// Checks that every value follows from what follows its position, and that the plain solver agrees on a sample.
    /// Returns the number of positions; the error names the first wrong one.
    pub fn check(&self) -> Result<usize, String> {
        let proof = check(self.rules(), self.answers(), &Watch::SILENT);
        proof.map(|proof| proof.positions).map_err(|failure| failure.message(self.rules().name()))
    }
}

/// Compares a seeded sample of positions with the plain solver and returns the number of compared positions.
fn sample<R: Rules>(rules: &R, answers: &Answers<'_, R>, graph: &Graph, values: &[Value]) -> Result<usize, Failure> {
    let may_repeat =
        rules.cycles() != Cycles::Refuse && !matches!(values.first(), Some(Value { worth: Worth::Bounds(_), .. }));
    let has_moves = values.iter().all(|value| value.moves.is_some());
    if may_repeat && !has_moves && lengths(graph).is_none() {
        return Err(answers.wrong(String::from("the moves to the end are missing")));
    }
    if may_repeat && has_moves && !graph.facts.has_costs {
        repeat::check_forced_steps(rules, answers, graph, values)?;
        return repeat::ask_plain_solver(rules, answers, &Numbered::of::<R>(graph, values), SAMPLE);
    }
    ask_plain_solver(rules, answers, &Numbered::of::<R>(graph, values))
}

/// Solved positions, by number.
pub(super) struct Numbered<'a, P> {
    pub(super) len: usize,
    pub(super) position: Box<dyn Fn(u32) -> Result<P, BadRules> + 'a>,
    pub(super) value: Box<dyn Fn(u32) -> Value + 'a>,
}

impl<'a, P> Numbered<'a, P> {
    fn of<R: Rules<Position = P>>(graph: &'a Graph, values: &'a [Value]) -> Numbered<'a, P> {
        Numbered {
            len: graph.len(),
            position: Box::new(|number| graph.position::<R>(number)),
            value: Box::new(|number| values[number as usize].clone()),
        }
    }
}

/// Checks a table of a game that is solved by its ranks. `None` if the game must be checked as a whole.
fn check_ranked<R: Rules>(rules: &R, answers: &Answers<'_, R>, watch: &Watch<'_>) -> Result<Option<Proof>, Failure> {
    let Some(ranked) = Ranked::of_table(rules, answers, watch, Checks::All)? else { return Ok(None) };
    ranked.check_all(rules, answers, watch)?;
    let numbered = Numbered {
        len: ranked.positions(),
        position: Box::new(|number| Ok(rules.unrank(ranked.rank(number)))),
        value: Box::new(|number| ranked.value(number)),
    };
    let sampled = match rules.cycles() {
        Cycles::Draw => repeat::ask_plain_solver(rules, answers, &numbered, SAMPLE)?,
        _ => ask_plain_solver(rules, answers, &numbered)?,
    };
    Ok(Some(Proof { positions: ranked.positions(), sampled }))
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
    let node = node_of(rules, &position)?;
    let edges = graph.edges.of(number);
    if successors(&node).iter().any(|next| rules.is_transient(next)) {
        return follows_through::<R, T>(rules, answers, graph, values, number);
    }
    if successors(&node).len() != edges.len() {
        return Err(Fault::Changing.at(position).into());
    }
    let stored = &values[number as usize];
    let value_of = |number: u32| {
        let value = T::stored(&values[number as usize].worth);
        value.ok_or_else(|| other_kind(answers, &graph.text::<R>(number)))
    };
    let mut known = Vec::with_capacity(edges.len());
    for &next in edges {
        known.push(Timed { value: value_of(next)?, moves: values[next as usize].moves.unwrap_or(0) });
    }
    let own = value_of(number)?;
    let mut places = known.iter();
    let followed =
        worth(rules, &node, &mut |_| places.next().expect("one value per successor").value.clone(), Some(&own));
    confirm(answers, || position.to_string(), &own, followed).map_err(|what| answers.wrong(what))?;
    if let Some(moves) = stored.moves {
        let middle = T::of(Number::Double(answers.middle()));
        if moves == Value::ENDLESS && own != middle {
            return Err(answers.wrong(format!("'{position}' is worth {} there, and has no end", stored.worth)));
        }
        let own = Timed { value: own, moves };
        let followed = timed(rules, &node, &mut known.into_iter(), &own, &middle).moves;
        if followed != moves {
            let what = |moves| match moves {
                Value::ENDLESS => String::from("never"),
                moves => format!("in {moves} moves"),
            };
            let (there, followed) = (what(moves), what(followed));
            return Err(answers.wrong(format!("'{position}' ends {there} there, and {followed} by what follows it")));
        }
    }
    Ok(())
}

/// The same for a position that leads to transient positions. Without cycles it does not wait for another position.
fn follows_through<R: Rules, T: Stored>(
    rules: &R,
    answers: &Answers<'_, R>,
    graph: &Graph,
    values: &[Value],
    number: u32,
) -> Result<(), Failure> {
    let stored = &values[number as usize];
    let text = || graph.text::<R>(number);
    let other_kind = || other_kind(answers, &text());
    let own = T::stored(&stored.worth).ok_or_else(other_kind)?;
    let known: Option<Vec<(u32, Timed<T>)>> = graph
        .edges
        .of(number)
        .iter()
        .map(|&next| {
            let Value { worth, moves } = &values[next as usize];
            Some((next, Timed { value: T::stored(worth)?, moves: moves.unwrap_or(0) }))
        })
        .collect();
    let known: FxHashMap<u32, Timed<T>> = known.ok_or_else(other_kind)?.into_iter().collect();
    let mut formula = Formula::new();
    rebuild(rules, graph, number, &mut formula)?;
    let timed = |successor| match successor {
        Successor::Position(next) => known[&next].clone(),
        _ => Timed { value: own.clone(), moves: stored.moves.unwrap_or(0) },
    };
    let followed = formula.evaluate(rules.sum(), &|successor| timed(successor).value, &mut Vec::new());
    confirm(answers, text, &own, followed).map_err(|what| answers.wrong(what))?;
    let Some(moves) = stored.moves else { return Ok(()) };
    let middle = T::of(Number::Double(answers.middle()));
    let followed = formula.length(rules.sum(), &middle, &timed, &mut Vec::new()).moves;
    if followed == moves {
        return Ok(());
    }
    Err(answers.wrong(format!("'{}' ends in {moves} moves there, and in {followed} by what follows it", text())))
}

/// Compares a seeded sample of positions with the plain solver, in a game without cycles or with bounds.
fn ask_plain_solver<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    solved: &Numbered<'_, R::Position>,
) -> Result<usize, Failure> {
    let mut seeded = Seeded(1);
    let mut plain: Plain<'_, R, BigRational> = Plain::new(rules);
    let mut asked = 0;
    for draw in 0..DRAWS {
        if asked == SAMPLE {
            break;
        }
        // All positions of a small game, last found first: their successors are then mostly solved already.
        let number = if solved.len <= SAMPLE {
            match solved.len.checked_sub(draw + 1) {
                Some(number) => number as u32,
                None => break,
            }
        } else {
            seeded.below(solved.len as u64) as u32
        };
        let position = (solved.position)(number)?;
        let text = position.to_string();
        let stored = &(solved.value)(number).worth;
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
            Err(BadRules { fault: Fault::Cycle { .. }, .. }) => match value_in_cycles(rules, position, REACH)? {
                None => continue,
                Some(value) => {
                    let Worth::Bounds(bounds) = stored else { return Err(other_kind(answers, &text)) };
                    // This value has rounding errors.
                    let slack = 1e-9 * value.abs().max(1.0);
                    (bounds.lower - slack <= value && value <= bounds.upper + slack, Worth::Double(value))
                }
            },
            Err(error) => return Err(error.into()),
        };
        if !agrees {
            let what = format!("'{text}' is worth {stored} there, and {other} by the plain solver");
            return Err(Failure::disagreement(answers.path(), &what));
        }
        asked += 1;
    }
    Ok(asked)
}

fn other_kind<R: Rules>(answers: &Answers<'_, R>, text: &str) -> Failure {
    answers.wrong(format!("'{text}' has a value of another kind"))
}
