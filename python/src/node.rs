//! What a position of a Python game is.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt};
use tabletop::kit::{Fault, Goal, MAX_DEPTH, Number};

use crate::error;

/// A node with Python's positions.
pub(crate) enum Tree {
    Over(Number),
    Go(Py<PyAny>),
    Turn(Py<PyAny>),
    Again,
    Cost(Number, Arc<Tree>),
    Choice { goal: Goal, proposed: usize, moves: Vec<(String, Arc<Tree>)> },
    Chance(Vec<(Option<String>, u64, Arc<Tree>)>),
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
pub(crate) struct Node {
    pub(crate) tree: Arc<Tree>,
    /// The number of nodes inside of each other: at most [`MAX_DEPTH`], because walking through a tree is recursive.
    depth: usize,
}

impl Node {
    fn leaf(tree: Tree) -> Node {
        Node { tree: Arc::new(tree), depth: 1 }
    }

    /// A node around others, the deepest of which has this depth.
    fn around(py: Python<'_>, depth: usize, tree: Tree) -> PyResult<Node> {
        if depth >= MAX_DEPTH {
            return Err(error::rules(py, &Fault::Deep { most: MAX_DEPTH }.to_string(), None));
        }
        Ok(Node { tree: Arc::new(tree), depth: depth + 1 })
    }
}

/// The moves of a choice: a dictionary, or pairs of a name and a node.
fn moves(goal: Goal, proposed: usize, moves: &Bound<'_, PyAny>) -> PyResult<Node> {
    let py = moves.py();
    let pairs = match moves.cast::<PyDict>() {
        Ok(named) => named.items().into_any(),
        Err(_) => moves.clone(),
    };
    let (mut steps, mut depth) = (Vec::new(), 0);
    for pair in pairs.try_iter()? {
        let (name, then): (Bound<'_, PyAny>, PyRef<'_, Node>) = pair?.extract()?;
        steps.push((name.str()?.to_string(), Arc::clone(&then.tree)));
        depth = depth.max(then.depth);
    }
    Node::around(py, depth, Tree::Choice { goal, proposed, moves: steps })
}

/// An outcome of chance: its name, its weight and its node.
fn named_outcome<'py>(outcome: &Bound<'py, PyAny>) -> PyResult<(Option<String>, u64, PyRef<'py, Node>)> {
    if let Ok((name, weight, then)) = outcome.extract::<(Bound<'_, PyAny>, u64, PyRef<'_, Node>)>() {
        return Ok((Some(name.str()?.to_string()), weight, then));
    }
    let unnamed = outcome.extract::<(u64, PyRef<'_, Node>)>();
    let (weight, then) =
        unnamed.map_err(|_| PyTypeError::new_err("an outcome is (weight, node) or (name, weight, node)"))?;
    Ok((None, weight, then))
}

#[pymethods]
impl Node {
    /// The game is over with this value: an int, a float or a Fraction.
    #[staticmethod]
    fn over(value: &Bound<'_, PyAny>) -> PyResult<Node> {
        Ok(Node::leaf(Tree::Over(number(value)?)))
    }

    /// The game goes on from a position.
    #[staticmethod]
    fn go(position: Py<PyAny>) -> Node {
        Node::leaf(Tree::Go(position))
    }

    /// The other player is to move. The value of the position is the other player's.
    #[staticmethod]
    fn turn(position: Py<PyAny>) -> Node {
        Node::leaf(Tree::Turn(position))
    }

    /// The same position again: nothing has happened.
    #[staticmethod]
    fn again() -> Node {
        Node::leaf(Tree::Again)
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
        let (mut found, mut depth) = (Vec::new(), 0);
        for outcome in outcomes.try_iter()? {
            let (name, weight, then) = named_outcome(&outcome?)?;
            found.push((name, weight, Arc::clone(&then.tree)));
            depth = depth.max(then.depth);
        }
        Node::around(py, depth, Tree::Chance(found))
    }

    /// This node with a cost that is added to its value: minutes, throws.
    fn costing(&self, py: Python<'_>, cost: &Bound<'_, PyAny>) -> PyResult<Node> {
        Node::around(py, self.depth, Tree::Cost(number(cost)?, Arc::clone(&self.tree)))
    }

    /// This node with points that are added to its value.
    fn scoring(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Node> {
        self.costing(py, points)
    }

    fn __repr__(&self) -> &'static str {
        match &*self.tree {
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
