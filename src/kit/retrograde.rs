//! Games that repeat, without chance: the exact value of every position, and the moves to the end.
//!
//! A game that goes on for ever is a draw. Such a game is a deterministic graphical game (Washburn 1990). It is solved
//! backwards from the finished games, first those whose values are furthest from a draw, and among equal values by the
//! number of moves. A position gets its value as soon as a move to a good value is known, or when all its moves are
//! known to be bad. So the winner wins soon and the loser loses late. Then every position that can still reach a finished
//! draw gets the moves to the nearest one. In all other positions the game goes on for ever.
//!
//! The search runs on *vertices*: the positions, and one more for each choice inside a node. Values are seen relative to
//! a draw, so passing the turn changes the sign.

use std::cmp::Ordering;

use indicatif::ProgressBar;
use num_rational::BigRational;
use num_traits::Signed;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::error::{BadRules, Fault};
use super::fraction::nearest_double;
use super::graph::Graph;
use super::number::{Arithmetic, Number};
use super::rules::{Goal, Node, Rules, Step};
use super::value::Value;

/// Number of positions that one task reads.
const TASK: usize = 1 << 10;
/// The bit of an edge that passes the turn.
const TURN: u32 = 1 << 31;

/// How a value compares with a draw: 0 is a draw, `±c` a win or a loss of class `c`. Class 1 is furthest from a draw.
type Outcome = i32;

/// The values of all positions, and the moves to the end.
pub(super) struct Solved {
    outcomes: Vec<Outcome>,
    pub(super) lengths: Vec<u32>,
    classes: Classes,
}

impl Solved {
    pub(super) fn doubles(&self) -> Vec<f64> {
        let values = self.classes.values();
        let doubles: Vec<f64> = values.iter().map(nearest_double).collect();
        self.outcomes.iter().map(|&outcome| doubles[self.classes.place(outcome)]).collect()
    }

    pub(super) fn fractions(&self) -> Vec<BigRational> {
        let values = self.classes.values();
        self.outcomes.iter().map(|&outcome| values[self.classes.place(outcome)].clone()).collect()
    }

    /// Whether some finished game is not a draw.
    pub(super) fn has_winners(&self) -> bool {
        !self.classes.distances.is_empty()
    }

    /// Whether doubles represent all values exactly.
    pub(super) fn fits_doubles(&self) -> bool {
        self.classes.fits_doubles()
    }
}

/// Solves a game without chance and costs in which a game without end is worth `draw`.
pub(super) fn solve_backwards<R: Rules>(
    rules: &R,
    graph: &Graph,
    draw: f64,
    bar: &ProgressBar,
) -> Result<Solved, BadRules> {
    let Read { vertices, ends } = Read::all(rules, graph)?;
    let classes = Classes::of(ends.iter().map(|end| end.value), draw);
    let known = |end: &End| Learned { vertex: end.vertex, outcome: classes.outcome(end.value), is_move: end.is_move };
    let mut finished: Vec<Learned> = ends.iter().map(known).collect();
    drop(ends);
    finished.sort_by_key(|end| (classes.turn_of(end.outcome), end.vertex));
    let mut search = Search::new(vertices, &finished);
    for ends in finished.chunk_by(|one, other| one.outcome.abs() == other.outcome.abs()) {
        search.run(ends, bar);
    }
    search.outcomes.truncate(graph.len());
    search.lengths.truncate(graph.len());
    for outcome in &mut search.outcomes {
        *outcome = if *outcome == UNDECIDED { 0 } else { *outcome };
    }
    Ok(Solved { outcomes: search.outcomes, lengths: search.lengths, classes })
}

/// The values of finished games, by their distance to a draw.
pub(super) struct Classes {
    draw: BigRational,
    /// The distances, the largest first. A finished draw has none.
    distances: Vec<BigRational>,
    outcomes: FxHashMap<(u8, i64, i64), Outcome>,
}

impl Classes {
    pub(super) fn of(ends: impl Iterator<Item = Number>, draw: f64) -> Classes {
        let draw = BigRational::of(Number::Double(draw));
        let different: FxHashMap<(u8, i64, i64), Number> = ends.map(|end| (number_key(end), end)).collect();
        let relative: FxHashMap<(u8, i64, i64), BigRational> =
            different.into_iter().map(|(key, value)| (key, BigRational::of(value) - &draw)).collect();
        let mut distances: Vec<BigRational> = relative.values().map(Signed::abs).filter(Signed::is_positive).collect();
        distances.sort_by(|one, other| other.cmp(one));
        distances.dedup();
        let class = |distance: &BigRational| {
            let class = distances.partition_point(|other| other > &distance.abs()) as Outcome + 1;
            if distance.is_positive() {
                class
            } else if distance.is_negative() {
                -class
            } else {
                0
            }
        };
        let outcomes = relative.into_iter().map(|(key, distance)| (key, class(&distance))).collect();
        Classes { draw, distances, outcomes }
    }

    pub(super) fn outcome(&self, value: Number) -> Outcome {
        self.outcomes[&number_key(value)]
    }

    /// When an outcome is searched: the classes in order, then the draws.
    pub(super) fn turn_of(&self, outcome: Outcome) -> usize {
        if outcome == 0 { self.distances.len() + 1 } else { outcome.unsigned_abs() as usize }
    }

    /// All values: of the losses, of a draw, of the wins.
    pub(super) fn values(&self) -> Vec<BigRational> {
        let losses = self.distances.iter().map(|distance| &self.draw - distance);
        let wins = self.distances.iter().rev().map(|distance| &self.draw + distance);
        losses.chain([self.draw.clone()]).chain(wins).collect()
    }

    /// The place of an outcome in [`Classes::values`].
    pub(super) fn place(&self, outcome: Outcome) -> usize {
        let classes = self.distances.len();
        let class = outcome.unsigned_abs() as usize;
        match outcome.signum() {
            0 => classes,
            1 => 2 * classes + 1 - class,
            _ => class - 1,
        }
    }

    /// The outcome at a place in [`Classes::values`].
    pub(super) fn outcome_at(&self, place: usize) -> Outcome {
        let classes = self.distances.len();
        match place.cmp(&classes) {
            Ordering::Less => -(place as Outcome + 1),
            Ordering::Equal => 0,
            Ordering::Greater => (2 * classes + 1 - place) as Outcome,
        }
    }

    /// The number of searches: one for each distance, and one for the draws.
    pub(super) fn phases(&self) -> usize {
        self.distances.len() + 1
    }

    /// Whether doubles represent all values exactly, so that doubles of equal values are equal.
    pub(super) fn fits_doubles(&self) -> bool {
        let is_exact = |value: &BigRational| BigRational::from_float(nearest_double(value)).as_ref() == Some(value);
        self.values().iter().all(is_exact)
    }
}

/// A number of the rules as a key.
pub(super) fn number_key(number: Number) -> (u8, i64, i64) {
    match number {
        Number::Whole(whole) => (0, whole, 0),
        Number::Fraction { numerator, denominator } => (1, numerator, denominator),
        Number::Double(double) => (2, double.to_bits() as i64, 0),
    }
}

/// What happens at a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The game is over, or goes on without a choice.
    Forced,
    Choice(Goal),
}

/// A finished game.
#[derive(Clone, Copy)]
struct End {
    vertex: u32,
    value: Number,
    /// Whether it is a move of the vertex. Otherwise the vertex itself is over.
    is_move: bool,
}

/// A finished game, and its outcome.
struct Learned {
    vertex: u32,
    outcome: Outcome,
    is_move: bool,
}

/// Some vertices and the vertices that follow them.
#[derive(Default)]
struct Vertices {
    kinds: Vec<Kind>,
    /// The number of vertices that follow each vertex.
    counts: Vec<u32>,
    /// The vertices that follow, with [`TURN`] if the turn passes.
    nexts: Vec<u32>,
}

impl Vertices {
    fn append(&mut self, other: &Vertices, shifted: impl Fn(u32) -> u32) {
        self.kinds.extend_from_slice(&other.kinds);
        self.counts.extend_from_slice(&other.counts);
        self.nexts.extend(other.nexts.iter().map(|&next| shifted(next)));
    }
}

/// The vertices of all positions, and the finished games.
struct Read {
    vertices: Vertices,
    ends: Vec<End>,
}

impl Read {
    /// The positions come first, by number, and the choices inside of nodes follow.
    fn all<R: Rules>(rules: &R, graph: &Graph) -> Result<Read, BadRules> {
        let positions = graph.len() as u32;
        let numbers: Vec<u32> = (0..positions).collect();
        let tasks: Vec<Result<Task<'_>, BadRules>> = numbers
            .par_chunks(TASK)
            .map(|numbers| {
                let mut task = Task { positions, ..Task::default() };
                numbers.iter().try_for_each(|&number| task.add(rules, graph, number))?;
                Ok(task)
            })
            .collect();
        let (mut vertices, mut inner, mut ends) = (Vertices::default(), Vertices::default(), Vec::new());
        for task in tasks {
            let task = task?;
            let added = inner.kinds.len() as u32;
            // The tasks number their inner choices from the number of positions.
            let shifted = |vertex: u32| if vertex & !TURN < positions { vertex } else { vertex + added };
            vertices.append(&task.outer, shifted);
            inner.append(&task.inner, shifted);
            ends.extend(task.ends.iter().map(|end| End { vertex: shifted(end.vertex), ..*end }));
            if positions as usize + inner.kinds.len() >= TURN as usize {
                return Err(Fault::TooManyPositions.into());
            }
        }
        vertices.append(&inner, |vertex| vertex);
        Ok(Read { vertices, ends })
    }
}

/// What follows a vertex.
enum Then {
    Over(Number),
    Next(u32),
}

/// Reads the nodes of consecutive positions.
#[derive(Default)]
struct Task<'a> {
    /// The number of positions, and of the first inner choice.
    positions: u32,
    /// The successors of the node that have not been read yet.
    nexts: &'a [u32],
    outer: Vertices,
    inner: Vertices,
    ends: Vec<End>,
}

impl<'a> Task<'a> {
    fn add<R: Rules>(&mut self, rules: &R, graph: &'a Graph, number: u32) -> Result<(), BadRules> {
        let position = graph.position::<R>(number)?;
        self.nexts = graph.edges.of(number);
        let node = rules.node(&position);
        let (kind, thens) = match bare(&node) {
            Node::Choice { goal, moves, .. } => (Kind::Choice(*goal), self.follow_all(number, moves)),
            forced => (Kind::Forced, self.follow(number, forced).map(|then| vec![then])),
        };
        match thens {
            Some(thens) if self.nexts.is_empty() => {
                push(&mut self.outer, &mut self.ends, number, kind, thens);
                Ok(())
            }
            _ => Err(Fault::Changing.at(position)),
        }
    }

    /// What follows the moves. `None` if the node has more successors than were found before.
    fn follow_all<R: Rules>(&mut self, own: u32, moves: &[Step<R>]) -> Option<Vec<Then>> {
        moves.iter().map(|step| self.follow(own, &step.then)).collect()
    }

    /// What follows, in the position `own`.
    fn follow<R: Rules>(&mut self, own: u32, node: &Node<R>) -> Option<Then> {
        Some(match bare(node) {
            Node::Over(value) => Then::Over(*value),
            Node::Go(_) => Then::Next(self.next()?),
            Node::Turn(_) => Then::Next(self.next()? | TURN),
            Node::Choice { goal, moves, .. } => {
                let thens = self.follow_all(own, moves)?;
                let vertex = self.positions + self.inner.kinds.len() as u32;
                push(&mut self.inner, &mut self.ends, vertex, Kind::Choice(*goal), thens);
                Then::Next(vertex)
            }
            // The remaining kinds are waiting, and what `bare` removes.
            _ => Then::Next(own),
        })
    }

    fn next(&mut self) -> Option<u32> {
        self.nexts.split_off_first().copied()
    }
}

/// Adds a vertex and what follows it.
fn push(vertices: &mut Vertices, ends: &mut Vec<End>, vertex: u32, kind: Kind, thens: Vec<Then>) {
    let before = vertices.nexts.len();
    for then in thens {
        match then {
            Then::Over(value) => ends.push(End { vertex, value, is_move: kind != Kind::Forced }),
            Then::Next(next) => vertices.nexts.push(next),
        }
    }
    vertices.kinds.push(kind);
    vertices.counts.push((vertices.nexts.len() - before) as u32);
}

/// The node without costs of 0 and without chance that has a single outcome.
fn bare<R: Rules>(node: &Node<R>) -> &Node<R> {
    match node {
        Node::Cost(_, then) => bare(then),
        Node::Chance(outcomes) => {
            outcomes.iter().find(|outcome| outcome.weight > 0).map_or(node, |outcome| bare(&outcome.then))
        }
        node => node,
    }
}

/// Marks a vertex without a value.
const UNDECIDED: Outcome = Outcome::MIN;

/// The search from the ends to the beginnings.
struct Search {
    kinds: Vec<Kind>,
    outcomes: Vec<Outcome>,
    lengths: Vec<u32>,
    /// The number of moves of each vertex that are not known to be bad.
    left: Vec<u32>,
    /// The predecessors of vertex `v` are `before[starts[v]..starts[v + 1]]`, with [`TURN`] if the turn passes.
    before: Vec<u32>,
    starts: Vec<u64>,
    /// The vertices that got their value with the current number of moves, and those with one more.
    now: Vec<u32>,
    soon: Vec<u32>,
}

impl Search {
    fn new(vertices: Vertices, ends: &[Learned]) -> Search {
        let Vertices { kinds, counts, nexts } = vertices;
        let mut starts = vec![0_u64; kinds.len() + 1];
        nexts.iter().for_each(|next| starts[(next & !TURN) as usize + 1] += 1);
        for vertex in 1..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        let mut places = starts.clone();
        let mut before = vec![0; nexts.len()];
        let froms = (0..).zip(&counts).flat_map(|(from, &count)| std::iter::repeat_n(from, count as usize));
        for (from, next) in froms.zip(&nexts) {
            let place = &mut places[(next & !TURN) as usize];
            before[*place as usize] = from | (next & TURN);
            *place += 1;
        }
        let mut left = counts;
        ends.iter().for_each(|end| left[end.vertex as usize] += 1);
        let outcomes = vec![UNDECIDED; kinds.len()];
        let lengths = vec![Value::ENDLESS; kinds.len()];
        Search { kinds, outcomes, lengths, left, before, starts, now: Vec::new(), soon: Vec::new() }
    }

    /// Finds all vertices of one class, from the finished games of this class.
    fn run(&mut self, ends: &[Learned], bar: &ProgressBar) {
        for end in ends {
            if end.is_move {
                self.learn(end.vertex, end.outcome, 0);
            } else {
                self.settle(end.vertex, end.outcome, 0);
                self.now.push(end.vertex);
            }
        }
        for moves in 0.. {
            // Grows while it is read: a forced step takes no move.
            let mut next = 0;
            while let Some(&vertex) = self.now.get(next) {
                next += 1;
                let outcome = self.outcomes[vertex as usize];
                for place in self.starts[vertex as usize]..self.starts[vertex as usize + 1] {
                    let before = self.before[place as usize];
                    self.learn(before & !TURN, if before & TURN == 0 { outcome } else { -outcome }, moves);
                }
            }
            bar.inc(self.now.len() as u64);
            self.now.clear();
            std::mem::swap(&mut self.now, &mut self.soon);
            if self.now.is_empty() {
                return;
            }
        }
    }

    /// One of the moves of a vertex leads to an outcome after a number of moves.
    fn learn(&mut self, vertex: u32, outcome: Outcome, moves: u32) {
        let place = vertex as usize;
        if self.outcomes[place] != UNDECIDED {
            return;
        }
        let is_bad = match self.kinds[place] {
            Kind::Forced => {
                self.settle(vertex, outcome, moves);
                self.now.push(vertex);
                return;
            }
            Kind::Choice(Goal::Max) => outcome < 0,
            Kind::Choice(Goal::Min) => outcome > 0,
        };
        self.left[place] -= u32::from(is_bad);
        if !is_bad || self.left[place] == 0 {
            self.settle(vertex, outcome, moves.saturating_add(1));
            self.soon.push(vertex);
        }
    }

    fn settle(&mut self, vertex: u32, outcome: Outcome, moves: u32) {
        self.outcomes[vertex as usize] = outcome;
        self.lengths[vertex as usize] = moves;
    }
}
