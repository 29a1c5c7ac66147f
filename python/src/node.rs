//! What a position of a Python game is.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyTuple};
use tabletop::kit::{self, Fault, Goal, MAX_DEPTH, Number, Outcome, Rules, Step};

use crate::error;

/// What a node is, with Python's objects as positions and names.
enum Kind {
    Over(Number),
    Go(Py<PyAny>),
    Turn(Py<PyAny>),
    Again,
    Cost(Number, Py<Node>),
    Choice { goal: Goal, proposed: usize, moves: Moves },
    Chance(Outcomes),
}

/// How the game goes on from positions that stand without nodes of their own.
#[derive(Clone, Copy)]
enum Leads {
    Go,
    Turn,
}

enum Moves {
    Nodes(Vec<(Py<PyAny>, Py<Node>)>),
    /// Positions, with names or without.
    Positions(Leads, Option<Py<PyTuple>>, Py<PyTuple>),
}

enum Outcomes {
    Nodes(Vec<(Option<Py<PyAny>>, u64, Py<Node>)>),
    Positions(Leads, Vec<(u64, Py<PyAny>)>),
}

/// The name of a move.
pub(crate) enum Name<'a, 'py> {
    Given(&'a Bound<'py, PyAny>),
    /// That of the move to this position.
    To(&'a Bound<'py, PyAny>),
}

/// Turns Python's objects into those of rules for the solver.
pub(crate) trait Reader<'py, R: Rules> {
    fn position(&mut self, object: &Bound<'py, PyAny>) -> PyResult<R::Position>;
    fn name(&mut self, name: Name<'_, 'py>) -> PyResult<R::Move>;
    fn outcome(&mut self, name: &Bound<'py, PyAny>) -> PyResult<Option<String>>;
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
    kind: Kind,
    /// The number of nodes inside of each other: at most [`MAX_DEPTH`], because walking through a tree is recursive.
    depth: usize,
}

impl Node {
    fn leaf(kind: Kind) -> Node {
        Node { kind, depth: 1 }
    }

    /// A node around others, the deepest of which has this depth.
    fn around(py: Python<'_>, depth: usize, kind: Kind) -> PyResult<Node> {
        if depth >= MAX_DEPTH {
            return Err(error::rules(py, &Fault::Deep { most: MAX_DEPTH }.to_string(), None));
        }
        Ok(Node { kind, depth: depth + 1 })
    }

    /// The node for the solver.
    pub(crate) fn read<'py, R: Rules>(
        &self,
        py: Python<'py>,
        reader: &mut impl Reader<'py, R>,
    ) -> PyResult<kit::Node<R>> {
        Ok(match &self.kind {
            Kind::Over(value) => kit::Node::Over(*value),
            Kind::Go(next) => kit::Node::Go(reader.position(next.bind(py))?),
            Kind::Turn(next) => kit::Node::Turn(reader.position(next.bind(py))?),
            Kind::Again => kit::Node::Again,
            Kind::Cost(cost, then) => kit::Node::Cost(*cost, Box::new(then.get().read(py, reader)?)),
            Kind::Choice { goal, proposed, moves } => {
                kit::Node::Choice { goal: *goal, proposed: *proposed, moves: moves.read(py, reader)? }
            }
            Kind::Chance(outcomes) => kit::Node::Chance(outcomes.read(py, reader)?),
        })
    }
}

impl Leads {
    fn to<'py, R: Rules>(self, next: &Bound<'py, PyAny>, reader: &mut impl Reader<'py, R>) -> PyResult<kit::Node<R>> {
        let next = reader.position(next)?;
        Ok(match self {
            Leads::Go => kit::Node::Go(next),
            Leads::Turn => kit::Node::Turn(next),
        })
    }
}

impl Moves {
    fn read<'py, R: Rules>(&self, py: Python<'py>, reader: &mut impl Reader<'py, R>) -> PyResult<Vec<Step<R>>> {
        match self {
            Moves::Nodes(moves) => {
                let mut steps = Vec::with_capacity(moves.len());
                for (name, then) in moves {
                    let then = then.get().read(py, reader)?;
                    steps.push(Step { name: reader.name(Name::Given(name.bind(py)))?, then });
                }
                Ok(steps)
            }
            Moves::Positions(leads, names, positions) => {
                let positions = positions.bind(py);
                let mut steps = Vec::with_capacity(positions.len());
                for (place, next) in positions.iter().enumerate() {
                    let then = leads.to(&next, reader)?;
                    let name = match names {
                        Some(names) => reader.name(Name::Given(&names.bind(py).get_item(place)?))?,
                        None => reader.name(Name::To(&next))?,
                    };
                    steps.push(Step { name, then });
                }
                Ok(steps)
            }
        }
    }

    /// The moves of a choice and the depth of the deepest: a dictionary or pairs of a name and a node.
    fn of_nodes(moves: &Bound<'_, PyAny>) -> PyResult<(Moves, usize)> {
        let (mut steps, mut depth) = (Vec::new(), 0);
        let mut add = |name: Bound<'_, PyAny>, then: &Bound<'_, PyAny>| -> PyResult<()> {
            let then = then.cast::<Node>()?;
            depth = depth.max(then.get().depth);
            steps.push((name.unbind(), then.clone().unbind()));
            Ok(())
        };
        if let Ok(named) = moves.cast::<PyDict>() {
            named.iter().try_for_each(|(name, then)| add(name, &then))?;
        } else {
            for pair in moves.try_iter()? {
                let (name, then): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
                add(name, &then)?;
            }
        }
        Ok((Moves::Nodes(steps), depth))
    }

    /// The moves to positions: a dictionary of names and positions, or positions.
    fn of_positions(leads: Leads, moves: &Bound<'_, PyAny>) -> PyResult<Moves> {
        let py = moves.py();
        if let Ok(named) = moves.cast::<PyDict>() {
            let (names, positions) = (named.keys().to_tuple(), named.values().to_tuple());
            return Ok(Moves::Positions(leads, Some(names.unbind()), positions.unbind()));
        }
        let positions = match moves.cast::<PyList>() {
            Ok(list) => list.to_tuple(),
            Err(_) => py.get_type::<PyTuple>().call1((moves,))?.cast_into()?,
        };
        Ok(Moves::Positions(leads, None, positions.unbind()))
    }
}

impl Outcomes {
    fn read<'py, R: Rules>(&self, py: Python<'py>, reader: &mut impl Reader<'py, R>) -> PyResult<Vec<Outcome<R>>> {
        match self {
            Outcomes::Nodes(outcomes) => {
                let mut read = Vec::with_capacity(outcomes.len());
                for (name, weight, then) in outcomes {
                    let name = name.as_ref().map(|name| reader.outcome(name.bind(py))).transpose()?.flatten();
                    read.push(Outcome { name, weight: *weight, then: then.get().read(py, reader)? });
                }
                Ok(read)
            }
            Outcomes::Positions(leads, outcomes) => {
                let mut read = Vec::with_capacity(outcomes.len());
                for (weight, next) in outcomes {
                    read.push(Outcome { name: None, weight: *weight, then: leads.to(next.bind(py), reader)? });
                }
                Ok(read)
            }
        }
    }

    /// The outcomes of chance and the depth of the deepest: pairs of a weight and a node, or triples with a name before.
    fn of_nodes(outcomes: &Bound<'_, PyAny>) -> PyResult<(Outcomes, usize)> {
        let (mut found, mut depth) = (Vec::new(), 0);
        for outcome in outcomes.try_iter()? {
            let (name, weight, then) = named_outcome(&outcome?)?;
            depth = depth.max(then.get().depth);
            found.push((name.map(Bound::unbind), weight, then.unbind()));
        }
        Ok((Outcomes::Nodes(found), depth))
    }

    /// A dictionary of positions and their weights.
    fn of_positions(leads: Leads, outcomes: &Bound<'_, PyAny>) -> PyResult<Outcomes> {
        let Ok(weights) = outcomes.cast::<PyDict>() else {
            return Err(PyTypeError::new_err("positions of chance are a dictionary: the weight of each position"));
        };
        let outcome = |(next, weight): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((weight.extract()?, next.unbind()));
        Ok(Outcomes::Positions(leads, weights.iter().map(outcome).collect::<PyResult<_>>()?))
    }
}

/// An outcome of chance: its name, its weight and its node.
fn named_outcome<'py>(outcome: &Bound<'py, PyAny>) -> PyResult<(Option<Bound<'py, PyAny>>, u64, Bound<'py, Node>)> {
    let refused = || PyTypeError::new_err("an outcome is (weight, node) or (name, weight, node)");
    let parts = outcome.cast::<PyTuple>().map_err(|_| refused())?;
    let name = match parts.len() {
        2 => None,
        3 => Some(parts.get_item(0)?),
        _ => return Err(refused()),
    };
    let first = usize::from(name.is_some());
    let weight = parts.get_item(first)?.extract().map_err(|_| refused())?;
    let then = parts.get_item(first + 1)?.cast_into().map_err(|_| refused())?;
    Ok((name, weight, then))
}

/// What the arguments of a choice or of chance say: nodes, or positions.
fn only<'a, 'py>(
    nodes: Option<&'a Bound<'py, PyAny>>,
    go: Option<&'a Bound<'py, PyAny>>,
    turn: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<(Option<Leads>, &'a Bound<'py, PyAny>)> {
    match (nodes, go, turn) {
        (Some(nodes), None, None) => Ok((None, nodes)),
        (None, Some(positions), None) => Ok((Some(Leads::Go), positions)),
        (None, None, Some(positions)) => Ok((Some(Leads::Turn), positions)),
        _ => Err(PyTypeError::new_err("pass nodes, or positions as `go` or as `turn`")),
    }
}

fn choice(
    goal: Goal,
    proposed: usize,
    py: Python<'_>,
    (leads, moves): (Option<Leads>, &Bound<'_, PyAny>),
) -> PyResult<Node> {
    let (moves, depth) = match leads {
        None => Moves::of_nodes(moves)?,
        Some(leads) => (Moves::of_positions(leads, moves)?, 1),
    };
    Node::around(py, depth, Kind::Choice { goal, proposed, moves })
}

#[pymethods]
impl Node {
    /// The game is over with this value: an int, a float or a Fraction.
    #[staticmethod]
    fn over(value: &Bound<'_, PyAny>) -> PyResult<Node> {
        Ok(Node::leaf(Kind::Over(number(value)?)))
    }

    /// The game goes on from a position.
    #[staticmethod]
    fn go(position: Py<PyAny>) -> Node {
        Node::leaf(Kind::Go(position))
    }

    /// The other player is to move. The value of the position is the other player's.
    #[staticmethod]
    fn turn(position: Py<PyAny>) -> Node {
        Node::leaf(Kind::Turn(position))
    }

    /// The same position again: nothing has happened.
    #[staticmethod]
    fn again() -> Node {
        Node::leaf(Kind::Again)
    }

    /// A choice of the largest value, from a dictionary or from pairs of a move and the node that follows it. Or from
    /// positions: `go` and `turn` are positions, or a dictionary of moves and positions.
    #[staticmethod]
    #[pyo3(signature = (moves=None, proposed=1, *, go=None, turn=None))]
    fn max(
        py: Python<'_>,
        moves: Option<&Bound<'_, PyAny>>,
        proposed: usize,
        go: Option<&Bound<'_, PyAny>>,
        turn: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Node> {
        choice(Goal::Max, proposed, py, only(moves, go, turn)?)
    }

    /// A choice of the smallest value, from the same as `max`.
    #[staticmethod]
    #[pyo3(signature = (moves=None, proposed=1, *, go=None, turn=None))]
    fn min(
        py: Python<'_>,
        moves: Option<&Bound<'_, PyAny>>,
        proposed: usize,
        go: Option<&Bound<'_, PyAny>>,
        turn: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Node> {
        choice(Goal::Min, proposed, py, only(moves, go, turn)?)
    }

    /// Chance: pairs of a weight and a node, or triples of a name, a weight and a node. Weights are whole numbers. Or
    /// positions: `go` and `turn` are dictionaries of positions and their weights.
    #[staticmethod]
    #[pyo3(signature = (outcomes=None, *, go=None, turn=None))]
    fn chance(
        py: Python<'_>,
        outcomes: Option<&Bound<'_, PyAny>>,
        go: Option<&Bound<'_, PyAny>>,
        turn: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Node> {
        let (outcomes, depth) = match only(outcomes, go, turn)? {
            (None, nodes) => Outcomes::of_nodes(nodes)?,
            (Some(leads), positions) => (Outcomes::of_positions(leads, positions)?, 1),
        };
        Node::around(py, depth, Kind::Chance(outcomes))
    }

    /// This node with a cost that is added to its value: minutes, throws.
    fn costing(this: &Bound<'_, Node>, cost: &Bound<'_, PyAny>) -> PyResult<Node> {
        Node::around(this.py(), this.get().depth, Kind::Cost(number(cost)?, this.clone().unbind()))
    }

    /// This node with points that are added to its value.
    fn scoring(this: &Bound<'_, Node>, points: &Bound<'_, PyAny>) -> PyResult<Node> {
        Node::costing(this, points)
    }

    fn __repr__(&self) -> &'static str {
        match &self.kind {
            Kind::Over(_) => "<Node: over>",
            Kind::Go(_) => "<Node: go>",
            Kind::Turn(_) => "<Node: turn>",
            Kind::Again => "<Node: again>",
            Kind::Cost(..) => "<Node: cost>",
            Kind::Choice { goal: Goal::Max, .. } => "<Node: max>",
            Kind::Choice { goal: Goal::Min, .. } => "<Node: min>",
            Kind::Chance(_) => "<Node: chance>",
        }
    }
}
