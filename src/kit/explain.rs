//! Every move of a position with its value, best first, as text and as JSON.

#[cfg(feature = "fractions")]
use num_rational::BigRational;
use serde::Serialize;

use super::ask::PositionText;
use super::distance::{Distances, FAR};
use super::file::{Answers, spec};
use super::no_answer::NoAnswer;
use super::number::{Arithmetic, Bounds, Number, is_close};
use super::rules::{Goal, Node, Rules, Step};
use super::show::Touch;
use super::value::{Value, Worth};
use super::walk::{Timed, node_of, successors, worth};
use crate::explain::{Explain, Paint, RankedMove};
use crate::text::visible;

/// An arithmetic in which values are stored.
pub(super) trait Stored: Arithmetic {
    /// A stored value, or `None` if it is stored in another arithmetic.
    fn stored(worth: &Worth) -> Option<Self>;

    /// The value for display.
    fn shown(self) -> Worth;

    /// Whether this recomputed value agrees with the stored one. Rounding may have changed bounds by `rounding`.
    fn confirms(&self, stored: &Self, rounding: f64) -> bool;

    /// Whether this stored value is as exact as the table should be.
    fn is_exact_enough(&self, _widest: Option<f64>) -> bool {
        true
    }

    /// Whether two values may be equal.
    fn ties(&self, other: &Self) -> bool {
        self == other
    }

    /// The bounds, if the value is stored as bounds.
    fn bounds(&self) -> Option<Bounds> {
        None
    }
}

impl Stored for f64 {
    fn stored(worth: &Worth) -> Option<f64> {
        if let Worth::Double(double) = worth { Some(*double) } else { None }
    }

    fn shown(self) -> Worth {
        Worth::Double(self)
    }

    fn confirms(&self, stored: &f64, _rounding: f64) -> bool {
        is_close(*self, *stored)
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
    fn confirms(&self, stored: &Bounds, rounding: f64) -> bool {
        let slack = stored.rounding() + rounding;
        self.lower >= stored.lower - slack && self.upper <= stored.upper + slack
    }

    /// Bounds that are wide enough follow from themselves, so their width is checked too.
    fn is_exact_enough(&self, widest: Option<f64>) -> bool {
        widest.is_some_and(|widest| (0.0..=widest + self.rounding()).contains(&self.width()))
    }

    fn ties(&self, other: &Bounds) -> bool {
        self.overlaps(*other)
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(*self)
    }
}

/// A node with its value.
#[derive(Debug, Serialize)]
pub(super) struct Explained {
    #[serde(flatten)]
    pub(super) value: ShownValue,
    /// The cost that is included in this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) over: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) again: Option<bool>,
    /// The next position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
    /// Whether the turn passes at the next position.
    #[serde(rename = "turn", skip_serializing_if = "std::ops::Not::not")]
    pub(super) passes_turn: bool,
    /// What the player wants who chooses one of the moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) goal: Option<Goal>,
    /// The number of proposed moves, if more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proposed: Option<usize>,
    /// The moves, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<Vec<ExplainedMove>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcomes: Option<Vec<ExplainedOutcome>>,
}

#[derive(Debug, Serialize)]
pub(super) struct ExplainedMove {
    #[serde(rename = "move")]
    pub(super) name: String,
    /// The place of the move in the rules.
    #[serde(skip)]
    pub(super) place: usize,
    /// What a player touches on the board.
    #[serde(skip_serializing_if = "Touch::is_button")]
    touch: Touch,
    #[serde(flatten)]
    pub(super) then: Explained,
}

#[derive(Debug, Serialize)]
pub(super) struct ExplainedOutcome {
    #[serde(rename = "outcome", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    pub(super) weight: u64,
    #[serde(flatten)]
    pub(super) then: Explained,
}

#[derive(Debug, Serialize)]
pub(super) struct ShownValue {
    pub(super) value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_to_end: Option<u32>,
    /// Whether the game can go on for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    endless: Option<bool>,
    /// The value as it is stored.
    #[serde(skip)]
    pub(super) whole: Value,
}

/// A fraction with more characters than this gets a decimal beside it.
const LONG_FRACTION: usize = 12;

impl ShownValue {
    fn new(value: Value) -> ShownValue {
        let bounds = if let Worth::Bounds(bounds) = value.worth { Some(bounds) } else { None };
        ShownValue {
            value: value.worth.to_f64(),
            fraction: value.worth.fraction(),
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
            moves_to_end: value.moves.filter(|&moves| moves != Value::ENDLESS),
            endless: (value.moves == Some(Value::ENDLESS)).then_some(true),
            whole: value,
        }
    }

    /// The value as text, with a decimal beside a long fraction.
    pub(super) fn long_text(&self) -> String {
        let is_long = |fraction: &String| fraction.contains('/') && fraction.chars().count() > LONG_FRACTION;
        match self.fraction.as_ref().filter(|fraction| is_long(fraction)) {
            Some(_) => format!("{} ≈ {}", self.whole, self.value),
            None => self.whole.to_string(),
        }
    }
}

/// A position with its value, its moves and its outcomes.
#[derive(Debug, Serialize)]
pub struct Explanation {
    game: &'static str,
    pub(super) position: String,
    /// The rows of the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    board: Vec<String>,
    #[serde(flatten)]
    pub(super) root: Explained,
}

impl Explanation {
    /// The value, then every move.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}{}\n", self.root.value.long_text(), self.root.ending());
        self.root.append(1, usize::MAX, &mut text);
        text
    }
}

impl Explain for Explanation {
    type Case = PositionText;
    type Value = Value;

    fn to_text(&self, _paint: Paint) -> String {
        self.text()
    }

    fn moves(&self) -> Vec<RankedMove<PositionText, Value>> {
        let ranked = |step: &ExplainedMove| RankedMove {
            name: step.name.clone(),
            value: step.then.value.whole.clone(),
            next: step.then.next.clone().map(PositionText),
        };
        self.root.moves.iter().flatten().map(ranked).collect()
    }
}

impl ExplainedOutcome {
    /// The name and the weight, for people.
    pub(super) fn label(&self, total: u64) -> String {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{}, ", visible(name)));
        format!("{name}{} of {total}", self.weight)
    }
}

impl Explained {
    /// The sum of the weights of the outcomes.
    pub(super) fn total_weight(&self) -> u64 {
        self.outcomes.iter().flatten().map(|outcome| outcome.weight).sum()
    }

    /// Appends the moves and outcomes, one per line, indented by `depth`, down to the depth `deepest`.
    pub(super) fn append(&self, depth: usize, deepest: usize, text: &mut String) {
        if depth > deepest {
            return;
        }
        let moves = self.moves.iter().flatten().map(|step| (visible(&step.name).into_owned(), &step.then));
        let total = self.total_weight();
        let outcomes = self.outcomes.iter().flatten().map(|outcome| (outcome.label(total), &outcome.then));
        let rows: Vec<(String, &Explained)> = moves.chain(outcomes).collect();
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, then) in rows {
            let indent = "  ".repeat(depth);
            text.push_str(&format!("{indent}{name:<width$}  {}{}\n", then.value.long_text(), then.ending()));
            then.append(depth + 1, deepest, text);
        }
    }

    /// The end of a line: the cost, and where the move or outcome leads.
    pub(super) fn ending(&self) -> String {
        let cost = self.cost.map_or_else(String::new, |cost| format!(" ({cost} now)"));
        let end = match (self.proposed, &self.next, self.over, self.again) {
            (Some(proposed), ..) => format!(", one of the best {proposed} moves happens"),
            (_, Some(next), ..) => format!(" -> {}", visible(next)),
            // The value says so already if it has a number of moves.
            (_, _, Some(true), _) if self.value.moves_to_end.is_none() => String::from(", the game is over"),
            (.., Some(true)) => String::from(", the same position again"),
            _ => String::new(),
        };
        cost + &end
    }
}

/// What an answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// The value alone. The moves may be in any order.
    Value,
    /// The moves as well.
    Moves,
}

/// Explains a position. `None` if it cannot be reached.
pub(super) fn explain<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    position: &R::Position,
    detail: Detail,
) -> Result<Option<Explanation>, NoAnswer> {
    let Some(value) = answers.value(position)? else { return Ok(None) };
    let node = node_of(rules, position)?;
    let root = match &value.worth {
        Worth::Double(_) => explain_in::<R, f64>(rules, answers, position, &node, &value, None),
        #[cfg(feature = "fractions")]
        Worth::Fraction(_) => explain_in::<R, BigRational>(rules, answers, position, &node, &value, None),
        Worth::Bounds(bounds) => {
            let distances = match detail {
                Detail::Value => None,
                Detail::Moves => Some(Distances::around(rules, answers, &node, *bounds)?),
            };
            explain_in::<R, Bounds>(rules, answers, position, &node, &value, distances.as_ref())
        }
    }?;
    Ok(Some(Explanation { game: spec(rules).name, position: position.to_string(), board: rules.board(position), root }))
}

fn explain_in<R: Rules, T: Stored>(
    rules: &R,
    answers: &Answers<'_, R>,
    position: &R::Position,
    node: &Node<R>,
    value: &Value,
    distances: Option<&Distances<'_, R>>,
) -> Result<Explained, NoAnswer> {
    let other_rules = |what: String| answers.contradicts(format!("made for other rules: {what}"));
    let mut values = Vec::new();
    for next in successors(node) {
        let found = answers.value(next)?.and_then(|value| Some((T::stored(&value.worth)?, value.moves)));
        values
            .push(found.ok_or_else(|| other_rules(format!("'{position}' leads to '{next}', which it does not hold")))?);
    }
    let own = T::stored(&value.worth).expect("the value was stored in this arithmetic");
    // Detects a table made with other rules under the same text of the rules.
    let mut places = values.iter();
    let mut next = |_: &R::Position| places.next().expect("a value for every successor").0.clone();
    let followed = worth(rules, node, &mut next, Some(&own));
    confirm(answers, || position.to_string(), &own, followed).map_err(other_rules)?;
    let middle = T::of(Number::Double(answers.middle()));
    let mut explainer =
        Explainer { rules, position, values: values.into_iter(), own, own_moves: value.moves, middle, distances };
    let mut root = explainer.explain(node).1;
    root.value = ShownValue::new(value.clone());
    Ok(root)
}

/// Checks that a stored value is exact enough, and agrees with the one that follows from the successors. The error says
/// what is wrong with the table.
pub(super) fn confirm<R: Rules, T: Stored>(
    answers: &Answers<'_, R>,
    position: impl Fn() -> String,
    own: &T,
    followed: T,
) -> Result<(), String> {
    let stored = || format!("'{}' is worth {} there", position(), own.clone().shown());
    if !own.is_exact_enough(answers.widest()) {
        return Err(format!("{}, which is not exact enough", stored()));
    }
    if !followed.confirms(own, answers.rounding_error()) {
        return Err(format!("{}, and {} by what follows it", stored(), followed.shown()));
    }
    Ok(())
}

/// Walks through a node in order, and takes the value of each successor from `values`.
struct Explainer<'a, R: Rules, T, I> {
    rules: &'a R,
    position: &'a R::Position,
    values: I,
    own: T,
    /// The number of moves from the position to the end, if it is known.
    own_moves: Option<u32>,
    middle: T,
    /// Decide between moves of the same value, in a game with cycles.
    distances: Option<&'a Distances<'a, R>>,
}

impl<R: Rules, T: Stored, I: Iterator<Item = (T, Option<u32>)>> Explainer<'_, R, T, I> {
    fn explain(&mut self, node: &Node<R>) -> (Timed<T>, Explained) {
        let (mut timed, has_moves, mut explained) = self.parts(node);
        if self.own_moves.is_none() {
            timed.moves = 0;
        }
        let moves = has_moves.then_some(timed.moves);
        explained.value = ShownValue::new(Value { worth: timed.value.clone().shown(), moves });
        (timed, explained)
    }

    /// The value of a node, whether the number of moves to the end is known, and the explanation with its value unset.
    fn parts(&mut self, node: &Node<R>) -> (Timed<T>, bool, Explained) {
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
                let timed = Timed { value: value.seen_from_other(self.rules.sum()), moves: moves.unwrap_or(0) };
                (timed, moves.is_some(), Explained { next: Some(next.to_string()), passes_turn: true, ..nothing() })
            }
            Node::Again => {
                let timed = Timed { value: self.own.clone(), moves: self.own_moves.unwrap_or(0) };
                (timed, self.own_moves.is_some(), Explained { again: Some(true), ..nothing() })
            }
            Node::Cost(cost, then) => {
                let (mut timed, has_moves, mut explained) = self.parts(then);
                timed.value = timed.value.plus(&T::of(*cost));
                explained.cost = Some(explained.cost.unwrap_or(0.0) + cost.to_f64());
                (timed, has_moves, explained)
            }
            Node::Choice { goal, proposed, moves } => self.choice(*goal, *proposed, moves),
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

    fn choice(&mut self, goal: Goal, proposed: usize, moves: &[Step<R>]) -> (Timed<T>, bool, Explained) {
        let mut rows: Vec<Row<T>> = Vec::new();
        for (place, step) in moves.iter().enumerate() {
            let (timed, then) = self.explain(&step.then);
            let distance = self.distance(&step.then, &then);
            let touch = self.rules.touch(self.position, &step.name);
            let step = ExplainedMove { name: step.name.to_string(), place, touch, then };
            rows.push(Row { timed, distance, step });
        }
        let rows = best_first(rows, |one, other| one.timed.is_better(&other.timed, goal, &self.middle));
        let proposed = proposed.min(rows.len());
        let has_length = |value: &ShownValue| value.moves_to_end.is_some() || value.endless.is_some();
        let has_moves = rows.iter().any(|row| has_length(&row.step.then.value));
        let mut values: Vec<T> = rows.iter().map(|row| row.timed.value.clone()).collect();
        let value = T::choose(&mut values, proposed as u32, goal);
        let timed = Timed { value, moves: rows[0].timed.moves.saturating_add(1) };
        let moves = Some(rows.into_iter().map(|row| row.step).collect());
        let proposed = (proposed > 1).then_some(proposed);
        (timed, has_moves, Explained { moves, proposed, goal: Some(goal), ..nothing() })
    }

    /// The distance of a move to the end of the game, to decide between moves of the same value.
    fn distance(&self, then: &Node<R>, explained: &Explained) -> u32 {
        match (self.distances, self.own.bounds()) {
            (Some(distances), Some(own)) => distances.of(then, own),
            // Waiting never leads on.
            _ if explained.again == Some(true) => FAR,
            _ => 0,
        }
    }
}

/// An explanation that says nothing yet.
fn nothing() -> Explained {
    Explained {
        value: ShownValue::new(Value { worth: Worth::Double(0.0), moves: None }),
        cost: None,
        over: None,
        again: None,
        next: None,
        passes_turn: false,
        goal: None,
        proposed: None,
        moves: None,
        outcomes: None,
    }
}

/// A move with its value and its distance to the end.
struct Row<T> {
    timed: Timed<T>,
    distance: u32,
    step: ExplainedMove,
}

/// The moves, best first. Of moves with the same value, the nearest to the end comes first, then the first in the rules.
fn best_first<T: Stored>(mut rows: Vec<Row<T>>, is_better: impl Fn(&Row<T>, &Row<T>) -> bool) -> Vec<Row<T>> {
    let mut sorted = Vec::with_capacity(rows.len());
    while !rows.is_empty() {
        let best = rows.iter().reduce(|best, other| if is_better(other, best) { other } else { best });
        let best = best.expect("there are rows").timed.clone();
        let is_tied = |row: &Row<T>| row.timed.moves == best.moves && row.timed.value.ties(&best.value);
        let (mut tied, others): (Vec<Row<T>>, Vec<Row<T>>) = rows.into_iter().partition(is_tied);
        tied.sort_by_key(|row| row.distance);
        sorted.extend(tied);
        rows = others;
    }
    sorted
}
