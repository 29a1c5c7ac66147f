//! What a position of a Python game is.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt};
use tabletop::kit::{Goal, Number};

/// A node with Python's positions.
pub(crate) enum Tree {
    Over(Number),
    Go(Py<PyAny>),
    Turn(Py<PyAny>),
    Again,
    Cost(Number, Box<Tree>),
    Choice { goal: Goal, proposed: usize, moves: Vec<(String, Tree)> },
    Chance(Vec<(Option<String>, u64, Tree)>),
}

impl Tree {
    fn copy(&self, py: Python<'_>) -> Tree {
        match self {
            Tree::Over(value) => Tree::Over(*value),
            Tree::Go(next) => Tree::Go(next.clone_ref(py)),
            Tree::Turn(next) => Tree::Turn(next.clone_ref(py)),
            Tree::Again => Tree::Again,
            Tree::Cost(cost, then) => Tree::Cost(*cost, Box::new(then.copy(py))),
            Tree::Choice { goal, proposed, moves } => {
                let moves = moves.iter().map(|(name, then)| (name.clone(), then.copy(py))).collect();
                Tree::Choice { goal: *goal, proposed: *proposed, moves }
            }
            Tree::Chance(outcomes) => {
                let copy = |(name, weight, then): &(Option<String>, u64, Tree)| (name.clone(), *weight, then.copy(py));
                Tree::Chance(outcomes.iter().map(copy).collect())
            }
        }
    }
}

/// A number of the rules: int, float or Fraction.
fn number(value: &Bound<'_, PyAny>) -> PyResult<Number> {
    if value.is_instance_of::<PyFloat>() {
        return Ok(Number::Double(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Number::Whole(value.extract()?));
    }
    let part = |name| value.getattr(name).and_then(|part| part.extract::<i64>());
    match (part("numerator"), part("denominator")) {
        (Ok(numerator), Ok(denominator)) => Ok(Number::fraction(numerator, denominator)),
        _ => Ok(Number::Double(value.extract()?)),
    }
}

/// What a position is: over, a choice, or chance.
#[pyclass(frozen, module = "tabletop")]
pub(crate) struct Node(pub(crate) Tree);

/// The moves of a choice: a dictionary, or pairs of a name and a node.
fn moves(goal: Goal, proposed: usize, moves: &Bound<'_, PyAny>) -> PyResult<Node> {
    let py = moves.py();
    let pairs = match moves.cast::<PyDict>() {
        Ok(named) => named.items().into_any(),
        Err(_) => moves.clone(),
    };
    let mut steps = Vec::new();
    for pair in pairs.try_iter()? {
        let (name, then): (Bound<'_, PyAny>, PyRef<'_, Node>) = pair?.extract()?;
        steps.push((name.str()?.to_string(), then.0.copy(py)));
    }
    Ok(Node(Tree::Choice { goal, proposed, moves: steps }))
}

#[pymethods]
impl Node {
    /// The game is over with this value: an int, a float or a Fraction.
    #[staticmethod]
    fn over(value: &Bound<'_, PyAny>) -> PyResult<Node> {
        Ok(Node(Tree::Over(number(value)?)))
    }

    /// The game goes on from a position.
    #[staticmethod]
    fn go(position: Py<PyAny>) -> Node {
        Node(Tree::Go(position))
    }

    /// The other player is to move. The value of the position is the other player's.
    #[staticmethod]
    fn turn(position: Py<PyAny>) -> Node {
        Node(Tree::Turn(position))
    }

    /// The same position again: nothing has happened.
    #[staticmethod]
    fn again() -> Node {
        Node(Tree::Again)
    }

    /// A choice of the largest value, from a dictionary or from pairs of a move and the node that follows it.
    #[staticmethod]
    #[pyo3(signature = (moves, proposed=1))]
    fn max(moves: &Bound<'_, PyAny>, proposed: usize) -> PyResult<Node> {
        self::moves(Goal::Max, proposed, moves)
    }

    /// A choice of the smallest value, from a dictionary or from pairs of a move and the node that follows it.
    #[staticmethod]
    #[pyo3(signature = (moves, proposed=1))]
    fn min(moves: &Bound<'_, PyAny>, proposed: usize) -> PyResult<Node> {
        self::moves(Goal::Min, proposed, moves)
    }

    /// Chance: pairs of a weight and a node, or triples of a name, a weight and a node. Weights are whole numbers.
    #[staticmethod]
    fn chance(outcomes: &Bound<'_, PyAny>) -> PyResult<Node> {
        let py = outcomes.py();
        let mut found = Vec::new();
        for outcome in outcomes.try_iter()? {
            let outcome = outcome?;
            if let Ok((name, weight, then)) = outcome.extract::<(Bound<'_, PyAny>, u64, PyRef<'_, Node>)>() {
                found.push((Some(name.str()?.to_string()), weight, then.0.copy(py)));
            } else if let Ok((weight, then)) = outcome.extract::<(u64, PyRef<'_, Node>)>() {
                found.push((None, weight, then.0.copy(py)));
            } else {
                return Err(PyTypeError::new_err("an outcome is (weight, node) or (name, weight, node)"));
            }
        }
        Ok(Node(Tree::Chance(found)))
    }

    /// This node with a cost that is added to its value: minutes, throws.
    fn costing(&self, py: Python<'_>, cost: &Bound<'_, PyAny>) -> PyResult<Node> {
        Ok(Node(Tree::Cost(number(cost)?, Box::new(self.0.copy(py)))))
    }

    /// This node with points that are added to its value.
    fn scoring(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Node> {
        self.costing(py, points)
    }

    fn __repr__(&self) -> &'static str {
        match &self.0 {
            Tree::Over(_) => "<Node: over>",
            Tree::Go(_) => "<Node: go>",
            Tree::Turn(_) => "<Node: turn>",
            Tree::Again => "<Node: again>",
            Tree::Cost(..) => "<Node: cost>",
            Tree::Choice { goal: Goal::Max, .. } => "<Node: max>",
            Tree::Choice { goal: Goal::Min, .. } => "<Node: min>",
            Tree::Chance(_) => "<Node: chance>",
        }
    }
}
