//! Every move of a position with its value, best first, as text and as JSON.

use num_rational::BigRational;
use serde::Serialize;

use super::failure::Failure;
use super::file::Answers;
use super::formula::Timed;
use super::number::{Arithmetic, Bounds, Closed, Number};
use super::plain::{successors, worth};
use super::rules::{Node, Rules};
use super::value::{Value, Worth};

/// An arithmetic in which values are stored.
pub(super) trait Stored: Arithmetic {
    /// A stored value, or `None` if it is stored in another arithmetic.
    fn stored(worth: &Worth) -> Option<Self>;

    /// The value for display.
    fn shown(self) -> Worth;

    /// Whether this recomputed value agrees with the stored one.
    fn confirms(&self, stored: &Self) -> bool;
}

impl Stored for f64 {
    fn stored(worth: &Worth) -> Option<f64> {
        if let Worth::Double(double) = worth { Some(*double) } else { None }
    }

    fn shown(self) -> Worth {
        Worth::Double(self)
    }

    fn confirms(&self, stored: &f64) -> bool {
        self.is_close(stored)
    }
}

impl Stored for BigRational {
    fn stored(worth: &Worth) -> Option<BigRational> {
        if let Worth::Fraction(fraction) = worth { Some(fraction.clone()) } else { None }
    }

    fn shown(self) -> Worth {
        Worth::Fraction(self)
    }

    fn confirms(&self, stored: &BigRational) -> bool {
        self == stored
    }
}

impl Stored for Bounds {
    fn stored(worth: &Worth) -> Option<Bounds> {
        if let Worth::Bounds(bounds) = worth { Some(*bounds) } else { None }
    }

    fn shown(self) -> Worth {
        Worth::Bounds(self)
    }

    /// Bounds recomputed from the successors may be narrower than the stored ones, but not wider.
    fn confirms(&self, stored: &Bounds) -> bool {
        let slack = 1e-12 * stored.lower.abs().max(stored.upper.abs()).max(1.0);
        self.lower >= stored.lower - slack && self.upper <= stored.upper + slack
    }
}

/// A node with its value.
#[derive(Debug, Serialize)]
pub(super) struct Explained {
    #[serde(flatten)]
    value: ShownValue,
    /// The cost that is included in this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<bool>,
    /// The next position.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// The number of proposed moves, if more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<ExplainedMove>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<ExplainedOutcome>>,
}

#[derive(Debug, Serialize)]
struct ExplainedMove {
    #[serde(rename = "move")]
    name: String,
    #[serde(flatten)]
    then: Explained,
}

#[derive(Debug, Serialize)]
struct ExplainedOutcome {
    #[serde(rename = "outcome", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    weight: u64,
    #[serde(flatten)]
    then: Explained,
}

#[derive(Debug, Serialize)]
struct ShownValue {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_to_end: Option<u32>,
    #[serde(skip)]
    text: String,
}

impl ShownValue {
    fn new(value: &Value) -> ShownValue {
        let (fraction, bounds) = match &value.worth {
            Worth::Double(_) => (None, None),
            Worth::Fraction(fraction) => (Some(fraction.to_string()), None),
            Worth::Bounds(bounds) => (None, Some(*bounds)),
        };
        ShownValue {
            value: value.worth.to_f64(),
            fraction,
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
            moves_to_end: value.moves,
            text: value.to_string(),
        }
    }
}

/// A position with its value, its moves and its outcomes.
#[derive(Debug, Serialize)]
pub(super) struct Explanation {
    game: &'static str,
    position: String,
    #[serde(flatten)]
    root: Explained,
}

impl Explanation {
    /// The value alone.
    pub(super) fn value_line(&self) -> String {
        format!("{}\n", self.root.value.text)
    }

    /// The value, then every move.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.root.value.text);
        self.root.append(1, &mut text);
        text
    }

    /// One JSON object.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an explanation is plain data")
    }
}

impl Explained {
    /// Appends the moves and outcomes, one per line, indented by `depth`.
    fn append(&self, depth: usize, text: &mut String) {
        let moves = self.moves.iter().flatten().map(|step| (step.name.clone(), &step.then));
        let total: u64 = self.outcomes.iter().flatten().map(|outcome| outcome.weight).sum();
        let outcomes = self.outcomes.iter().flatten().map(|outcome| {
            let name = outcome.name.as_ref().map_or_else(String::new, |name| format!("{name}, "));
            (format!("{name}{} of {total}", outcome.weight), &outcome.then)
        });
        let rows: Vec<(String, &Explained)> = moves.chain(outcomes).collect();
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, then) in rows {
            let indent = "  ".repeat(depth);
            text.push_str(&format!("{indent}{name:<width$}  {}{}\n", then.value.text, then.ending()));
            then.append(depth + 1, text);
        }
    }

    /// The end of a line: the cost, and where the move or outcome leads.
    fn ending(&self) -> String {
        let cost = self.cost.map_or_else(String::new, |cost| format!(", {cost} of it at once"));
        let end = match (&self.next, self.over, self.again) {
            (Some(next), _, _) => format!(" -> {next}"),
            (_, Some(true), _) => String::from(", over"),
            (_, _, Some(true)) => String::from(", the same position again"),
            _ => String::new(),
        };
        cost + &end
    }
}

/// Explains a position. `None` if it cannot be reached.
pub(super) fn explain<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    position: &R::Position,
) -> Result<Option<Explanation>, Failure> {
    let Some(value) = answers.value(position)? else { return Ok(None) };
    let node = rules.node(position);
    let root = match &value.worth {
        Worth::Double(_) => explain_in::<R, f64>(answers, position, &node, &value),
        Worth::Fraction(_) => explain_in::<R, BigRational>(answers, position, &node, &value),
        Worth::Bounds(_) => explain_in::<R, Bounds>(answers, position, &node, &value),
    }?;
    Ok(Some(Explanation { game: R::NAME, position: position.to_string(), root }))
}

fn explain_in<R: Rules, T: Stored>(
    answers: &Answers<'_, R>,
    position: &R::Position,
    node: &Node<R>,
    value: &Value,
) -> Result<Explained, Failure> {
    let other_rules = |what: String| answers.wrong(format!("made for other rules: {what}"));
    let mut values = Vec::new();
    for next in successors(node) {
        let found = answers.value(next)?.and_then(|value| Some((T::stored(&value.worth)?, value.moves)));
        values
            .push(found.ok_or_else(|| other_rules(format!("'{position}' leads to '{next}', which it does not hold")))?);
    }
    let own = T::stored(&value.worth).expect("the value was stored in this arithmetic");
    // Detects a table made with other rules under the same `RULES` text.
    let mut places = values.iter();
    let mut next = |_: &R::Position| places.next().expect("a value for every successor").0.clone();
    let followed = worth(node, &mut next, Some(&own));
    if !followed.confirms(&own) {
        let (stored, followed) = (&value.worth, followed.shown());
        return Err(other_rules(format!("'{position}' is worth {stored} there, and {followed} by what follows it")));
    }
    let mut explainer = Explainer { values: values.into_iter(), own, middle: T::of(Number::Double(answers.middle())) };
    let mut root = explainer.explain(node).1;
    root.value = ShownValue::new(value);
    Ok(root)
}

/// Walks through a node in order, and takes the value of each successor from `values`.
struct Explainer<T, I> {
    values: I,
    own: T,
    middle: T,
}

impl<T: Stored, I: Iterator<Item = (T, Option<u32>)>> Explainer<T, I> {
    fn explain<R: Rules>(&mut self, node: &Node<R>) -> (Timed<T>, Explained) {
        let (timed, has_moves, mut explained) = self.parts(node);
        let moves = has_moves.then_some(timed.moves);
        explained.value = ShownValue::new(&Value { worth: timed.value.clone().shown(), moves });
        (timed, explained)
    }

    /// The value of a node, whether the number of moves to the end is known, and the explanation with its value unset.
    fn parts<R: Rules>(&mut self, node: &Node<R>) -> (Timed<T>, bool, Explained) {
        let nothing = || Explained {
            value: ShownValue::new(&Value { worth: Worth::Double(0.0), moves: None }),
            cost: None,
            over: None,
            again: None,
            next: None,
            proposed: None,
            moves: None,
            outcomes: None,
        };
        match node {
            Node::Over(number) => {
                let timed = Timed { value: T::of(*number), moves: 0 };
                (timed, false, Explained { over: Some(true), ..nothing() })
            }
            Node::Go(next) => {
                let (value, moves) = self.values.next().expect("a value for every successor");
                let timed = Timed { value, moves: moves.unwrap_or(0) };
                (timed, moves.is_some(), Explained { next: Some(next.to_string()), ..nothing() })
            }
            Node::Turn(next) => {
                let (value, moves) = self.values.next().expect("a value for every successor");
                let timed = Timed { value: value.seen_from_other(R::SUM), moves: moves.unwrap_or(0) };
                (timed, moves.is_some(), Explained { next: Some(next.to_string()), ..nothing() })
            }
            Node::Again => {
                let timed = Timed { value: self.own.clone(), moves: 0 };
                (timed, false, Explained { again: Some(true), ..nothing() })
            }
            Node::Cost(cost, then) => {
                let (mut timed, has_moves, mut explained) = self.parts(then);
                timed.value = timed.value.plus(&T::of(*cost));
                explained.cost = Some(explained.cost.unwrap_or(0.0) + cost.to_f64());
                (timed, has_moves, explained)
            }
            Node::Choice { goal, proposed, moves } => {
                let mut rows: Vec<(Timed<T>, ExplainedMove)> = Vec::new();
                for step in moves {
                    let (timed, then) = self.explain(&step.then);
                    rows.push((timed, ExplainedMove { name: step.name.to_string(), then }));
                }
                let is_better = |one: &Timed<T>, other: &Timed<T>| one.is_better(other, *goal, &self.middle);
                rows.sort_by(|(one, _), (other, _)| is_better(other, one).cmp(&is_better(one, other)));
                let proposed = (*proposed).min(rows.len());
                let has_moves = rows.iter().any(|(_, step)| step.then.value.moves_to_end.is_some());
                let mut values: Vec<T> = rows.iter().map(|(timed, _)| timed.value.clone()).collect();
                let value = T::choose(&mut values, proposed as u32, *goal);
                let timed = Timed { value, moves: rows[0].0.moves.saturating_add(1) };
                let moves = Some(rows.into_iter().map(|(_, step)| step).collect());
                let proposed = (proposed > 1).then_some(proposed);
                (timed, has_moves, Explained { moves, proposed, ..nothing() })
            }
            Node::Chance(outcomes) => {
                let possible = outcomes.iter().filter(|outcome| outcome.weight > 0);
                let total = outcomes.iter().map(|outcome| outcome.weight).sum();
                let mut sum: Option<T> = None;
                let mut rows = Vec::new();
                for outcome in possible {
                    let (timed, then) = self.explain(&outcome.then);
                    let weighted = timed.value.times(outcome.weight);
                    sum = Some(sum.map_or_else(|| weighted.clone(), |sum| sum.plus(&weighted)));
                    rows.push(ExplainedOutcome { name: outcome.name.clone(), weight: outcome.weight, then });
                }
                let value = sum.expect("chance has outcomes").divided(total);
                (Timed { value, moves: 0 }, false, Explained { outcomes: Some(rows), ..nothing() })
            }
        }
    }
}
