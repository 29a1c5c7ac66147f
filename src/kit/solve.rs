//! Solves every position after its successors, in parallel.

use std::convert::Infallible;
use std::fmt;
use std::iter::once;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use num_rational::BigRational;
use rayon::prelude::*;

use super::closed::Closed;
use super::error::{BadRules, Fault};
use super::explore::{Watch, explore};
use super::formula::{Formula, Stacks, Successor};
use super::graph::Graph;
use super::iterate::iterate;
use super::key::{key_of, position_of};
use super::number::{Bounds, Number};
use super::order::{Order, shortest_cycle};
use super::retrograde::solve_backwards;
use super::rules::{Cycles, Rules};
use super::transient::{StoredAs, Through};
use super::value::{Value, Worth};
use super::walk::{Timed, node_of};
use crate::game::PROFILES;

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

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution").field("effort", &self.effort).finish_non_exhaustive()
    }
}

/// Time and memory that solving a game took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
        if !rules.is_transient(position) {
            return self.stored_value(rules, position);
        }
        let stored_as = match self.values {
            Values::Doubles(_) => StoredAs::Doubles,
            Values::Fractions(_) => StoredAs::Fractions,
            Values::Bounds(_) => StoredAs::Bounds,
        };
        let mut through = Through::new(self.graph.facts.middle(rules), stored_as);
        through.value::<R, Infallible>(rules, position, &mut |next| Ok(self.stored_value(rules, next))).ok().flatten()
    }

    fn stored_value<R: Rules>(&self, rules: &R, position: &R::Position) -> Option<Value> {
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

    pub(super) fn value_of_number(&self, number: u32) -> Value {
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
    check_name(rules)?;
    check_ranks(rules)?;
    let begin = Instant::now();
    let graph = explore(rules, watch)?;
    let explored = Instant::now();
    let needed = (graph.memory + solving_bytes(rules, &graph).max(table_bytes(&graph))) as u64;
    if needed > watch.memory {
        return Err(Fault::memory_of(rules, needed, watch.memory).into());
    }
    if rules.cycles() == Cycles::Draw && graph.facts.has_chance {
        return Err(first_chance(rules, &graph));
    }
    let staged = if graph.stages.is_empty() { None } else { Order::by_stage(rules, &graph)? };
    let order = match rules.cycles() {
        _ if staged.is_some() => staged,
        // The search backwards needs no order.
        Cycles::Draw if !graph.facts.has_costs => None,
        _ => Some(Order::by_height(&graph)),
    };
    let ordered = Instant::now();
    let bar = (watch.progress)("values", graph.len() as u64);
    let (values, lengths) = match &order {
        None => draw_by_repetition(rules, &graph, precision, &bar)?,
        Some(order) => solve_in_order(rules, &graph, order, precision, &bar)?,
    };
    bar.finish_and_clear();
    let effort = Effort {
        exploring: explored - begin,
        ordering: ordered - explored,
        solving: ordered.elapsed(),
        memory: graph.memory
            + order.map_or(0, |order| order.memory())
            + graph.len() * (size_of::<f64>() + size_of::<u32>()),
        edges: graph.edges.len(),
    };
    Ok(Solution { graph, values, lengths, sorted: OnceLock::new(), effort })
}

/// Values, and the numbers of moves to the end if they are defined.
type Solved = (Values, Option<Vec<u32>>);

/// Solves every position after its successors.
fn solve_in_order<R: Rules>(
    rules: &R,
    graph: &Graph,
    order: &Order,
    precision: Precision,
    bar: &ProgressBar,
) -> Result<Solved, BadRules> {
    let cycle = order.components.first().map(|component| graph.text::<R>(component.numbers[0]));
    Ok(match (rules.cycles(), cycle, precision) {
        (Cycles::Refuse, Some(_), _) => return Err(shortest_cycle::<R>(graph, &order.components)),
        (Cycles::Draw, Some(position), _) => return Err(Fault::CostsAndDraw.at(position)),
        (_, Some(position), Precision::Fractions) => return Err(Fault::CyclesExactly.at(position)),
        (Cycles::Iterate { tolerance }, Some(_), Precision::Doubles) => converge(rules, graph, order, tolerance, bar)?,
        (_, None, Precision::Doubles) => {
            let (values, lengths) = work_out::<R, f64>(rules, graph, order, bar)?;
            (Values::Doubles(values), lengths)
        }
        (_, None, Precision::Fractions) => {
            let (values, lengths) = work_out::<R, BigRational>(rules, graph, order, bar)?;
            (Values::Fractions(values), lengths)
        }
    })
}

/// The error for a game with chance in which an endless game is a draw. It names the first position with chance.
fn first_chance<R: Rules>(rules: &R, graph: &Graph) -> BadRules {
    let mut formula = Formula::new();
    for number in 0..graph.len() as u32 {
        match rebuild(rules, graph, number, &mut formula) {
            Ok(()) if !formula.has_chance() => {}
            Ok(()) => return Fault::ChanceAndDraw.at(graph.text::<R>(number)),
            Err(error) => return error,
        }
    }
    unreachable!("a game with chance has a position with chance")
}

/// The values of a game in which an endless game is a draw, and the numbers of moves to the end.
fn draw_by_repetition<R: Rules>(
    rules: &R,
    graph: &Graph,
    precision: Precision,
    bar: &ProgressBar,
) -> Result<Solved, BadRules> {
    let solved = solve_backwards(rules, graph, graph.facts.middle(rules), bar)?;
    let values = match precision {
        Precision::Fractions => Values::Fractions(solved.fractions()),
        Precision::Doubles if solved.fits_doubles() => Values::Doubles(solved.doubles()),
        Precision::Doubles => return Err(Fault::Rounded.at(graph.text::<R>(0))),
    };
    Ok((values, Some(solved.lengths)))
}

/// The values of a game with cycles. If it has neither chance nor costs, they are exact, with the numbers of moves to
/// the end.
fn converge<R: Rules>(
    rules: &R,
    graph: &Graph,
    order: &Order,
    tolerance: f64,
    bar: &ProgressBar,
) -> Result<Solved, BadRules> {
    let bounds = iterate(rules, graph, order, tolerance, bar)?;
    if !graph.facts.has_chance && !graph.facts.has_costs {
        // The bounds meet: of two players, the values do not depend on what an endless game is worth.
        let solved = solve_backwards(rules, graph, graph.facts.middle(rules), bar)?;
        // If two players' finished games are all worth the same, nobody wins, and the moves that lead on are found when asked
        // for. For a single player a game without end is worse.
        let is_decided = graph.facts.has_one_player() || graph.facts.least < graph.facts.greatest;
        let has_winners = solved.has_winners() && is_decided;
        if has_winners && solved.fits_doubles() {
            return Ok((Values::Doubles(solved.doubles()), Some(solved.lengths)));
        }
    }
    Ok((Values::Bounds(bounds), None))
}

pub(super) fn check_name<R: Rules>(rules: &R) -> Result<(), BadRules> {
    let name = rules.name();
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || !name.bytes().all(is_plain) {
        return Err(Fault::Name(name.to_owned()).into());
    }
    let mut taken = PROFILES.iter().flat_map(|own| once(own.name).chain(own.tables.iter().map(|table| table.name)));
    if taken.any(|other| other == name) { Err(Fault::NameTaken(name.to_owned()).into()) } else { Ok(()) }
}

/// Bytes that solving takes in addition to the graph: values, and an order or the moves backwards.
fn solving_bytes<R: Rules>(rules: &R, graph: &Graph) -> usize {
    match rules.cycles() {
        Cycles::Draw => 36 * graph.len() + 12 * graph.edges.len(),
        _ => 24 * graph.len(),
    }
}

/// Bytes that writing the table takes in addition to the graph: values, the order of the table, and its content twice.
fn table_bytes(graph: &Graph) -> usize {
    (12 + 8 + 2 * 12) * graph.len() + 2 * graph.keys.bytes()
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
    if fits { Ok(()) } else { Err(Fault::TooManyRanks { ranks }.into()) }
}

/// Builds the formula of a position, with the successors found by [`explore`].
pub(super) fn rebuild<R: Rules>(rules: &R, graph: &Graph, number: u32, formula: &mut Formula) -> Result<(), BadRules> {
    if let Some(explored) = rules.explored() {
        explored.restore(graph.own[number as usize], graph.edges.of(number), formula);
        return Ok(());
    }
    let position = graph.position::<R>(number)?;
    let mut places = graph.edges.range(number);
    let changing = || Fault::Changing.at(&position);
    formula.build(rules, node_of(rules, &position)?, &position, |_| {
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
    let middle = T::of(Number::Double(graph.facts.middle(rules)));

    let solve_task = |numbers: &[u32]| -> Result<(), BadRules> {
        let mut formula = Formula::new();
        let mut stacks = Stacks::new();
        let mut timed = Vec::new();
        let value = |next: u32| T::load(&cells[next as usize]);
        let timed_value = |successor| match successor {
            Successor::Position(next) => Timed { value: value(next), moves: lengths[next as usize].load(Relaxed) },
            _ => unreachable!("no position of a game with lengths waits"),
        };
        for &number in numbers {
            rebuild(rules, graph, number, &mut formula)?;
            let place = number as usize;
            let value = if has_length {
                let Timed { value, moves } = formula.length(rules.sum(), &middle, &timed_value, &mut timed);
                lengths[place].store(moves, Relaxed);
                value
            } else {
                let endless = || Fault::EndlessWait.at(graph.text::<R>(number));
                formula.value(rules.sum(), &value, &mut stacks).ok_or_else(endless)?
            };
            if !value.is_finite() {
                return Err(Fault::TooLarge.at(graph.text::<R>(number)));
            }
            value.store(&cells[place]);
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
