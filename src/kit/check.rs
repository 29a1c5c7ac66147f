//! Checks a table: it holds exactly the positions of the game, every value follows from the values of its successors,
//! and the plain solver agrees on a seeded sample.

use num_rational::BigRational;
use rayon::prelude::*;

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
use super::walk::Timed;
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
    let text = || graph.text::<R>(number);
    let stored = |number: u32| {
        let Value { worth, moves } = &values[number as usize];
        let value = T::stored(worth).expect("the values of a table are of one kind");
        Timed { value, moves: moves.unwrap_or(0) }
    };
    let own = stored(number);
    let next = |successor| match successor {
        Successor::Position(next) => stored(next),
        _ => own.clone(),
    };
    let mut formula = Formula::new();
    rebuild(rules, graph, number, &mut formula)?;
    let followed = formula.evaluate(rules.sum(), &|successor| next(successor).value, &mut Vec::new());
    confirm(answers, text, &own.value, followed).map_err(|what| answers.wrong(what))?;
    if values[number as usize].moves.is_none() {
        return Ok(());
    }
    let middle = T::of(Number::Double(answers.middle()));
    if own.moves == Value::ENDLESS && own.value != middle {
        let what = format!("'{}' is worth {} there, and has no end", text(), own.value.shown());
        return Err(answers.wrong(what));
    }
    let followed = formula.length(rules.sum(), &middle, &next, &mut Vec::new()).moves;
    if followed == own.moves {
        return Ok(());
    }
    let what = |moves| match moves {
        Value::ENDLESS => String::from("never"),
        moves => format!("in {moves} moves"),
    };
    let (there, followed) = (what(own.moves), what(followed));
    Err(answers.wrong(format!("'{}' ends {there} there, and {followed} by what follows it", text())))
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
