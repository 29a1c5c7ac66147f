//! Positions and nodes that the rules have found themselves.

use std::fmt;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::error::{BadRules, Fault};
use super::explore::{MAX_TASK_SUCCESSORS, PARTS, part_of};
use super::facts::Facts;
use super::formula::{Formula, Formulas, Operation};
use super::graph::Graph;
use super::keys::{FREE, Keys};
use super::rules::{Node, Outcome, Rules, Step};
use super::walk::{MAX_DEPTH, is_shallow, take_apart};

/// Marks a position that has no number yet.
const FOUND: u32 = FREE - 1;

/// All positions of a game with their nodes, for rules in another language that find them on their own. Positions are
/// numbered from 0 in the order in which they are added, and nodes hold these numbers.
///
/// ```
/// use tabletop::kit::{Explored, Node};
///
/// # fn main() -> Result<(), tabletop::kit::BadRules> {
/// let mut explored = Explored::default();
/// let one_match = explored.add(&[1])?;
/// explored.start(one_match);
/// let no_match = explored.add(&[0])?;
/// explored.describe(Node::max([("take", Node::turn(no_match))]), None)?;
/// explored.describe(Node::over(-1), None)?;
/// assert_eq!(explored.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Explored {
    keys: Keys,
    stages: Vec<Option<u32>>,
    starts: Vec<u32>,
    formulas: Formulas,
    facts: Facts,
    /// The last formula, whose memory is used again.
    formula: Formula,
}

impl fmt::Debug for Explored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explored").field("positions", &self.len()).finish_non_exhaustive()
    }
}

/// The numbers of positions as positions.
#[derive(Debug, Clone, Copy)]
pub struct Numbers;

impl Rules for Numbers {
    type Position = u32;
    type Move = &'static str;

    fn name(&self) -> &str {
        "numbers"
    }

    fn starts(&self) -> Vec<u32> {
        Vec::new()
    }

    fn node(&self, _number: &u32) -> Node<Numbers> {
        Node::again()
    }
}

impl Explored {
    /// Adds a position by its key, which must be new, and returns its number.
    pub fn add(&mut self, key: &[u8]) -> Result<u32, BadRules> {
        let number = u32::try_from(self.keys.len()).ok().filter(|&number| number < u32::MAX - 1);
        self.keys.push(key);
        number.ok_or_else(|| Fault::TooManyPositions.into())
    }

    /// Makes a position a start.
    pub fn start(&mut self, number: u32) {
        self.starts.push(number);
    }

    /// Says what the next position is, in the order of the numbers, and its stage if the game has stages. All positions
    /// of the node are added before.
    pub fn describe(&mut self, node: Node<Numbers>, stage: Option<u32>) -> Result<(), BadRules> {
        let own = self.formulas.len() as u32;
        if !is_shallow(&node, MAX_DEPTH) {
            take_apart(node);
            return Err(Fault::Deep { most: MAX_DEPTH }.at(own));
        }
        let known = self.keys.len();
        let number = |next: u32| if (next as usize) < known { Ok(next) } else { Err(Fault::Incomplete.at(next)) };
        self.formula.build(&Numbers, node, &own, number)?;
        self.formulas.push(&self.formula)?;
        self.facts = self.facts.and(self.formula.facts());
        self.stages.push(stage);
        Ok(())
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key of a position.
    pub fn key(&self, number: u32) -> &[u8] {
        self.keys.get(number)
    }

    /// The stage of a position, if the game has stages.
    pub fn stage(&self, number: u32) -> Option<u32> {
        self.stages[number as usize]
    }

    /// The node of a position, without outcomes that cannot happen. The names of moves are empty.
    pub fn node<R: Rules<Move: Default>>(&self, number: u32, position: impl Fn(u32) -> R::Position) -> Node<R> {
        let mut nodes: Vec<Node<R>> = Vec::new();
        for operation in self.formulas.operations_of(number as usize) {
            let node = match operation {
                Operation::Over(value) => Node::Over(value),
                Operation::Go(next) => Node::Go(position(next)),
                Operation::Turn(next) => Node::Turn(position(next)),
                Operation::Again => Node::Again,
                Operation::Cost(cost) => Node::Cost(cost, Box::new(nodes.pop().expect("a cost follows its node"))),
                Operation::Choice { goal, proposed, moves } => {
                    let moves = nodes.split_off(nodes.len() - moves as usize).into_iter();
                    let moves = moves.map(|then| Step { name: R::Move::default(), then }).collect();
                    Node::Choice { goal, proposed: proposed as usize, moves }
                }
                Operation::Chance { first, outcomes, .. } => {
                    let weights = &self.formulas.weights_of(number as usize)[first as usize..];
                    let all = nodes.split_off(nodes.len() - outcomes as usize).into_iter().zip(weights);
                    Node::Chance(all.map(|(then, &weight)| Outcome { name: None, weight, then }).collect())
                }
                Operation::Collapsed(_)
                | Operation::Keep
                | Operation::Put
                | Operation::Recall(_)
                | Operation::Passed => {
                    unreachable!("a node of numbers has no such operation")
                }
            };
            nodes.push(node);
        }
        nodes.pop().expect("every position has a node")
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    pub(super) fn facts(&self) -> Facts {
        self.facts
    }

    /// The number of positions that have a node.
    pub(super) fn described(&self) -> usize {
        self.formulas.len()
    }

    /// The positions that follow a position, in the order of its node and with repetitions.
    pub(super) fn successors(&self, number: u32) -> impl Iterator<Item = u32> {
        self.formulas.operations_of(number as usize).filter_map(|operation| match operation {
            Operation::Go(next) | Operation::Turn(next) => Some(next),
            _ => None,
        })
    }

    /// Writes the formula of a position, with other numbers of the positions that follow it.
    pub(super) fn restore(&self, number: u32, targets: &[u32], formula: &mut Formula) {
        formula.restore(&self.formulas, number as usize, targets);
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.keys.memory() + self.formulas.memory() + self.stages.capacity() * size_of::<Option<u32>>()
    }
}

/// Positions that the rules have found already. They are numbered as [`explore`](super::explore::explore) would number
/// them.
pub(super) struct Renumbered<'a> {
    explored: &'a Explored,
    /// The number of each position in the graph, or [`FREE`].
    numbers: Vec<u32>,
    /// The positions that a batch has found, for each part of an index.
    found: Vec<Vec<u32>>,
}

impl<'a> Renumbered<'a> {
    pub(super) fn new(explored: &'a Explored) -> Renumbered<'a> {
        Renumbered { explored, numbers: vec![FREE; explored.len()], found: vec![Vec::new(); PARTS] }
    }

    pub(super) fn add_starts(&mut self, graph: &mut Graph) -> Result<(), BadRules> {
        let explored = self.explored;
        if explored.starts().is_empty() {
            return Err(Fault::NoStart.into());
        }
        if explored.described() < explored.len() {
            return Err(Fault::Incomplete.at(explored.described()));
        }
        if let Some(start) = explored.starts().iter().find(|&&start| start as usize >= explored.len()) {
            return Err(Fault::Incomplete.at(start));
        }
        explored.starts().iter().for_each(|&own| self.find(own));
        self.number(graph);
        graph.facts = explored.facts();
        Ok(())
    }

    pub(super) fn expand(&mut self, graph: &mut Graph, batch: Range<usize>, task_length: usize) -> usize {
        let explored = self.explored;
        let mut next = batch.start;
        while next < batch.end {
            let task_end = batch.end.min(next + task_length);
            let mut successors = 0;
            while next < task_end && successors <= MAX_TASK_SUCCESSORS {
                explored.successors(graph.own[next]).for_each(|own| {
                    self.find(own);
                    successors += 1;
                });
                next += 1;
            }
            if next < task_end {
                break;
            }
        }
        self.number(graph);
        for number in batch.start..next {
            let own = graph.own[number];
            graph.edges.push(explored.successors(own).map(|own| self.numbers[own as usize]));
            graph.stages.extend(explored.stage(own));
        }
        next - batch.start
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.explored.memory() + self.numbers.len() * size_of::<u32>()
    }

    /// Notes a position, if it is new.
    fn find(&mut self, own: u32) {
        let number = &mut self.numbers[own as usize];
        if *number == FREE {
            *number = FOUND;
            self.found[part_of(xxh3_64(self.explored.key(own)))].push(own);
        }
    }

    /// Numbers the positions that were found.
    fn number(&mut self, graph: &mut Graph) {
        for own in self.found.iter_mut().flat_map(|part| part.drain(..)) {
            self.numbers[own as usize] = graph.len() as u32;
            graph.own.push(own);
            graph.keys.push(self.explored.key(own));
        }
    }
}
