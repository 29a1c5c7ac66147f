//! Solves every position after its successors, in parallel.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use num_rational::BigRational;
use rayon::prelude::*;

use super::error::BadRules;
use super::explore::{Graph, Watch, explore};
use super::formula::{Formula, Stacks, Timed};
use super::iterate::iterate;
use super::key::{key_of, position_of};
use super::number::{Bounds, Closed, Number};
use super::order::{Order, shortest_cycle};
use super::rules::{Cycles, Rules};
use super::value::{Value, Worth};

/// Number of positions that one task solves.
const TASK: usize = 256;

/// The arithmetic in which values are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Doubles.
    #[default]
    Doubles,
    /// Exact fractions.
    Fractions,
}

/// A solved game.
pub struct Solution {
    pub(super) graph: Graph,
    pub(super) values: Values,
    /// The number of moves to the end under best play, in a game of two players without chance.
    pub(super) lengths: Option<Vec<u32>>,
    /// The positions sorted by key, computed at the first lookup.
    sorted: OnceLock<Vec<u32>>,
    /// Time and memory that solving took.
    pub effort: Effort,
}

/// Time and memory that solving a game took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Time to find all positions.
    pub exploring: Duration,
    /// Time to sort the positions.
    pub ordering: Duration,
    /// Time to compute the values.
    pub solving: Duration,
    /// Memory in bytes for positions, index, edges, order and values.
    pub memory: usize,
    /// The number of edges, from positions to their successors.
    pub edges: usize,
}

/// Values, indexed by position number.
pub(super) enum Values {
    Doubles(Vec<f64>),
    Fractions(Vec<BigRational>),
    Bounds(Vec<Bounds>),
}

impl Solution {
    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.graph.len()
    }

    /// The value of a position, or `None` if it cannot be reached.
    pub fn value<R: Rules>(&self, rules: &R, position: &R::Position) -> Option<Value> {
        let key = |position: &R::Position| key_of::<R>(position).ok();
        let key = key(&rules.canonical(position_of::<R>(&key(position)?)?))?;
        let keys = &self.graph.keys;
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted: Vec<u32> = (0..keys.len() as u32).collect();
            sorted.sort_unstable_by(|&one, &other| keys.get(one).cmp(keys.get(other)));
            sorted
        });
        let found = sorted.binary_search_by(|&number| keys.get(number).cmp(&key[..])).ok()?;
        Some(self.value_of_number(sorted[found]))
    }

    fn value_of_number(&self, number: u32) -> Value {
        let place = number as usize;
        let worth = match &self.values {
            Values::Doubles(values) => Worth::Double(values[place]),
            Values::Fractions(values) => Worth::Fraction(values[place].clone()),
            Values::Bounds(values) => Worth::Bounds(values[place]),
        };
        Value { worth, moves: self.lengths.as_ref().map(|lengths| lengths[place]) }
    }
}

/// Solves every position reachable from the starts, in the current thread pool.
pub fn solve<R: Rules>(rules: &R, precision: Precision) -> Result<Solution, BadRules> {
    solve_watched(rules, precision, &Watch::SILENT)
}

/// Solves a game and shows progress.
pub(super) fn solve_watched<R: Rules>(
    rules: &R,
    precision: Precision,
    watch: &Watch<'_>,
) -> Result<Solution, BadRules> {
    check_name::<R>()?;
    check_ranks(rules)?;
    let begin = Instant::now();
    let graph = explore(rules, watch)?;
    let explored = Instant::now();
    let order = if graph.layers.is_empty() { Order::by_height(&graph) } else { Order::by_layer(rules, &graph)? };
    let ordered = Instant::now();
    let bar = (watch.progress)("values", graph.len() as u64);
    let (values, lengths) = match (R::CYCLES, order.components.first(), precision) {
        (Cycles::Refuse, Some(_), _) => return Err(shortest_cycle::<R>(&graph, &order.components)),
        (_, Some(component), Precision::Fractions) => {
            return Err(BadRules::CyclesExactly { position: graph.text::<R>(component.numbers[0]) });
        }
        (Cycles::Iterate { tolerance }, Some(_), Precision::Doubles) => {
            (Values::Bounds(iterate(rules, &graph, &order, tolerance, &bar)?), None)
        }
        (_, None, Precision::Doubles) => {
            let (values, lengths) = work_out::<R, f64>(rules, &graph, &order, &bar)?;
            (Values::Doubles(values), lengths)
        }
        (_, None, Precision::Fractions) => {
            let (values, lengths) = work_out::<R, BigRational>(rules, &graph, &order, &bar)?;
            (Values::Fractions(values), lengths)
        }
    };
    bar.finish_and_clear();
    let effort = Effort {
        exploring: explored - begin,
        ordering: ordered - explored,
        solving: ordered.elapsed(),
        memory: graph.memory + order.memory() + graph.len() * (size_of::<f64>() + size_of::<u32>()),
        edges: graph.edges.len(),
    };
    Ok(Solution { graph, values, lengths, sorted: OnceLock::new(), effort })
}

fn check_name<R: Rules>() -> Result<(), BadRules> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let plain = !R::NAME.is_empty() && R::NAME.bytes().all(is_plain);
    if plain { Ok(()) } else { Err(BadRules::Name(R::NAME)) }
}

/// Maximum number of ranks. There are fewer positions, so the table would be almost empty.
const MAX_RANKS: u64 = 1 << 36;
/// Bytes that writing the table takes per rank: a number, a value and its copy.
const RANK_BYTES: usize = 24;

/// Checks that a table of this number of ranks fits in memory, before the game is solved for nothing.
fn check_ranks<R: Rules>(rules: &R) -> Result<(), BadRules> {
    let Some(ranks) = rules.ranks() else { return Ok(()) };
    let bytes = usize::try_from(ranks.min(MAX_RANKS)).ok().and_then(|ranks| ranks.checked_mul(RANK_BYTES));
    let mut room: Vec<u8> = Vec::new();
    let fits = ranks <= MAX_RANKS && bytes.is_some_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Otherwise the compiler may leave out an allocation that is not used.
    std::hint::black_box(&room);
    if fits { Ok(()) } else { Err(BadRules::TooManyRanks { ranks }) }
}

/// Builds the formula of a position, with the successors found by [`explore`].
pub(super) fn rebuild<R: Rules>(rules: &R, graph: &Graph, number: u32, formula: &mut Formula) -> Result<(), BadRules> {
    let position = graph.position::<R>(number)?;
    let mut places = graph.edges.range(number);
    let changing = || BadRules::Changing { position: position.to_string() };
    formula.build(&rules.node(&position), &position, |_| {
        places.next().map(|place| graph.edges.target(place)).ok_or_else(changing)
    })?;
    if places.next().is_some() { Err(changing()) } else { Ok(()) }
}

/// The values of all positions of a game without cycles, and the numbers of moves to the end if they are defined.
fn work_out<R: Rules, T: Closed>(
    rules: &R,
    graph: &Graph,
    order: &Order,
    bar: &ProgressBar,
) -> Result<(Vec<T>, Option<Vec<u32>>), BadRules> {
    let mut cells: Vec<T::Cell> = Vec::new();
    cells.resize_with(graph.len(), T::Cell::default);
    let has_length = graph.facts.has_length();
    let mut lengths: Vec<AtomicU32> = Vec::new();
    lengths.resize_with(if has_length { graph.len() } else { 0 }, AtomicU32::default);
    let middle = T::of(Number::Double(graph.facts.middle::<R>()));

    let solve_task = |numbers: &[u32]| -> Result<(), BadRules> {
        let mut formula = Formula::new();
        let mut stacks = Stacks::new();
        let mut timed = Vec::new();
        let value = |next: u32| T::load(&cells[next as usize]);
        let timed_value = |next: u32| Timed { value: value(next), moves: lengths[next as usize].load(Relaxed) };
        for &number in numbers {
            rebuild(rules, graph, number, &mut formula)?;
            let place = number as usize;
            if has_length {
                let Timed { value, moves } = formula.length(R::SUM, &middle, &timed_value, &mut timed);
                lengths[place].store(moves, Relaxed);
                value.store(&cells[place]);
            } else {
                let value = formula.value(R::SUM, &value, &mut stacks);
                let endless = || BadRules::EndlessWait { position: graph.text::<R>(number) };
                value.ok_or_else(endless)?.store(&cells[place]);
            }
        }
        Ok(())
    };
    for height in 0..order.heights() {
        let numbers = order.of_height(height);
        if numbers.len() <= TASK {
            solve_task(numbers)?;
        } else {
            let outcomes: Vec<Result<(), BadRules>> = numbers.par_chunks(TASK).map(solve_task).collect();
            outcomes.into_iter().collect::<Result<(), BadRules>>()?;
        }
        bar.inc(numbers.len() as u64);
    }
    let values = cells.iter().map(T::load).collect();
    let lengths = has_length.then(|| lengths.into_iter().map(AtomicU32::into_inner).collect());
    Ok((values, lengths))
}
