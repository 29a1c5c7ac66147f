//! Games with cycles: lower and upper bounds that converge.
//!
//! A component is solved after all components that it leads to. Its bounds start as wide as possible and are
//! recomputed from the bounds of the successors until they are close (interval iteration). Every bound is rounded
//! outwards, so both bounds hold at any time.
//!
//! With costs there is no greatest value. The lower bound then rises from zero, and now and then an upper bound
//! slightly above it is guessed. If a sweep raises no bound of the guess, the guess is an upper bound: the value is the
//! least solution of the game's equations (optimistic value iteration, Hartmanns and Kaminski 2020).
//!
//! An endless game has no value, so the equations must have a single solution:
//! - With one player, the end components are collapsed first. The value is then the best one of all plays that end.
//! - With two players, the bounds of interval iteration hold for any value that an endless game may have between the
//!   least and the greatest value of a finished game. With costs, a second solution above the first is searched for.
//!
//! If bounds converge slowly, the equations of chance or of a single player are solved directly.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use indicatif::ProgressBar;
use num_rational::BigRational;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::collapse::{EndComponents, States};
use super::eliminate::{Coefficient, Row, eliminate};
use super::error::{BadRules, Fault};
use super::formula::{Formula, Operation, Successor};
use super::fraction::nearest_double;
use super::graph::Graph;
use super::number::{Arithmetic, Bounds, Number};
use super::order::{Component, Order};
use super::rules::{Goal, Rules};
use super::solve::rebuild;

/// Maximum number of sweeps over a component.
const MAX_SWEEPS: usize = 1_000_000;
/// Give up if this number of sweeps has made less than 0.1 % of progress. Elimination is tried after as many sweeps.
const STALL_SWEEPS: usize = 1_000;
/// Maximum effort of elimination with bounds: some seconds.
const BOUNDS_EFFORT: u64 = 100_000_000;
/// Maximum effort of elimination with fractions: some seconds.
const FRACTIONS_EFFORT: u64 = 200_000_000;
/// Maximum number of changes of the best moves while fractions are eliminated.
const MAX_POLICIES: usize = 50;
/// Number of positions that one task solves.
const TASK: usize = 64;

/// The bounds of all positions, shared between threads.
struct Cells {
    lower: Vec<AtomicU64>,
    upper: Vec<AtomicU64>,
}

impl Cells {
    fn new(len: usize) -> Cells {
        let zeros = || (0..len).map(|_| AtomicU64::new(0)).collect();
        Cells { lower: zeros(), upper: zeros() }
    }

    fn set(&self, number: u32, bounds: Bounds) {
        self.lower[number as usize].store(bounds.lower.to_bits(), Relaxed);
        self.upper[number as usize].store(bounds.upper.to_bits(), Relaxed);
    }

    fn get(&self, number: u32) -> Bounds {
        let load = |cells: &[AtomicU64]| f64::from_bits(cells[number as usize].load(Relaxed));
        Bounds { lower: load(&self.lower), upper: load(&self.upper) }
    }
}

/// The bounds of all positions, at most `tolerance` apart.
pub(super) fn iterate<R: Rules>(
    rules: &R,
    graph: &Graph,
    order: &Order,
    tolerance: f64,
    bar: &ProgressBar,
) -> Result<Vec<Bounds>, BadRules> {
    let cells = Cells::new(graph.len());
    // Bounds are at least as wide as those of the successors, so each height may add only its share of the tolerance.
    let highest = order.components.iter().map(|component| component.height as usize + 1).max().unwrap_or(0);
    let heights = highest.max(order.heights());
    let share = tolerance / (heights + 1) as f64;
    let mut components: Vec<&Component> = order.components.iter().collect();
    components.sort_by_key(|component| component.height);
    let mut components = components.into_iter().peekable();
    for height in 0..heights {
        let alone: &[u32] = if height < order.heights() { order.of_height(height) } else { &[] };
        let mut tasks: Vec<Vec<&[u32]>> =
            alone.chunks(TASK).map(|chunk| chunk.iter().map(std::slice::from_ref).collect()).collect();
        while let Some(component) = components.next_if(|component| component.height as usize == height) {
            tasks.push(vec![&component.numbers]);
        }
        let solve_task = |task: &Vec<&[u32]>| -> Result<(), BadRules> {
            for numbers in task {
                Sweeper::new(rules, graph, &cells, numbers)?.run::<R>(share)?;
                bar.inc(numbers.len() as u64);
            }
            Ok(())
        };
        if let [task] = &tasks[..] {
            solve_task(task)?;
        } else {
            let outcomes: Vec<Result<(), BadRules>> = tasks.par_iter().map(solve_task).collect();
            outcomes.into_iter().collect::<Result<(), BadRules>>()?;
        }
    }
    Ok((0..graph.len() as u32).map(|number| cells.get(number)).collect())
}

/// Solves the positions of one component together. Its variables are the positions, then the collapsed end components.
struct Sweeper<'a> {
    /// The sum of both players' values.
    sum: i64,
    graph: &'a Graph,
    cells: &'a Cells,
    numbers: &'a [u32],
    /// The values of the collapsed end components.
    collapsed: Cells,
    /// The formulas of the variables.
    formulas: Vec<Formula>,
    is_cyclic: bool,
}

impl<'a> Sweeper<'a> {
    fn new<R: Rules>(
        rules: &R,
        graph: &'a Graph,
        cells: &'a Cells,
        numbers: &'a [u32],
    ) -> Result<Sweeper<'a>, BadRules> {
        let mut formulas = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let mut formula = Formula::new();
            rebuild(rules, graph, number, &mut formula)?;
            if graph.facts.has_one_player() && formula.may_wait_for_free() {
                return Err(Fault::EndlessWait.at(graph.text::<R>(number)));
            }
            formula.shrink();
            formulas.push(formula);
        }
        let is_cyclic = match numbers {
            [only] => formulas[0].waits() || graph.edges.of(*only).contains(only),
            _ => true,
        };
        let mut sweeper =
            Sweeper { sum: rules.sum(), graph, cells, numbers, collapsed: Cells::new(0), formulas, is_cyclic };
        if is_cyclic {
            sweeper.prepare::<R>()?;
        }
        Ok(sweeper)
    }

    /// Refuses a component that no play leaves, and collapses the end components of a single player.
    fn prepare<R: Rules>(&mut self) -> Result<(), BadRules> {
        let facts = self.graph.facts;
        let ends = |formula: &Formula| formula.operations().iter().any(|end| matches!(end, Operation::Over(_)));
        if !self.formulas.iter().any(ends) {
            let states = States::new(self.numbers, &self.formulas);
            if !states.has_exit() {
                return Err(Fault::NoEnd { positions: self.texts::<R>(&states.cycle(&EndComponents::NONE)) }.into());
            }
        }
        if !facts.has_one_player() || !self.has_choice() {
            return Ok(());
        }
        let states = States::new(self.numbers, &self.formulas);
        let goal = if facts.has_max { Goal::Max } else { Goal::Min };
        let found = states.end_components(goal == Goal::Min);
        if states.has_cost_in(&found) && facts.least_cost >= 0.0 {
            return Err(Fault::ScoresForEver { positions: self.texts::<R>(&states.cycle(&found)) }.into());
        }
        if !found.is_empty() {
            let formulas = states.collapsed(&found, goal);
            self.collapsed = Cells::new(formulas.len() - self.numbers.len());
            self.formulas = formulas;
        }
        Ok(())
    }

    /// Whether a player can decide anything.
    fn has_choice(&self) -> bool {
        let decides =
            |operation: &Operation| matches!(operation, Operation::Choice { proposed, moves, .. } if proposed < moves);
        self.formulas.iter().any(|formula| formula.operations().iter().any(decides))
    }

    /// The positions of a cycle, from the one that was found first.
    fn texts<R: Rules>(&self, places: &[usize]) -> Vec<String> {
        let mut cycle: Vec<u32> = places.iter().map(|&place| self.numbers[place]).collect();
        let first = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
        cycle.rotate_left(first);
        cycle.into_iter().map(|number| self.graph.text::<R>(number)).collect()
    }

    fn get(&self, variable: usize) -> Bounds {
        match variable.checked_sub(self.numbers.len()) {
            None => self.cells.get(self.numbers[variable]),
            Some(collapsed) => self.collapsed.get(collapsed as u32),
        }
    }

    fn set(&self, variable: usize, bounds: Bounds) {
        match variable.checked_sub(self.numbers.len()) {
            None => self.cells.set(self.numbers[variable], bounds),
            Some(collapsed) => self.collapsed.set(collapsed as u32, bounds),
        }
    }

    fn variables(&self) -> std::ops::Range<usize> {
        0..self.formulas.len()
    }

    /// Finds bounds that are at most `share` wider than the widest bounds of the successors.
    fn run<R: Rules>(&self, share: f64) -> Result<(), BadRules> {
        if !self.is_cyclic {
            // The current bounds of the position are not read.
            self.set(0, self.updated(0, &mut Vec::new()));
            return self.check_size::<R>();
        }
        // The bounds inside the component are still zero, so their width is zero.
        let followers = self.numbers.iter().flat_map(|&number| self.graph.edges.of(number));
        let tolerance = share + followers.map(|&next| self.cells.get(next).width()).fold(0.0, f64::max);
        let facts = self.graph.facts;
        if facts.has_costs {
            if facts.least_cost < 0.0 || facts.least < 0.0 || facts.has_turns {
                return Err(Fault::CostsInCycles.at(self.graph.text::<R>(self.numbers[0])));
            }
            self.optimistic_iteration::<R>(tolerance)?;
        } else {
            let start = if facts.has_turns { facts.ends.of_both(self.sum) } else { facts.ends };
            self.variables().for_each(|variable| self.set(variable, start));
            self.interval_iteration::<R>(tolerance)?;
        }
        self.check_size::<R>()
    }

    /// Refuses values that are too large for doubles.
    fn check_size<R: Rules>(&self) -> Result<(), BadRules> {
        let is_finite =
            |&number: &u32| self.cells.get(number).lower.is_finite() && self.cells.get(number).upper.is_finite();
        match self.numbers.iter().find(|number| !is_finite(number)) {
            Some(&number) => Err(Fault::TooLarge.at(self.graph.text::<R>(number))),
            None => Ok(()),
        }
    }

    /// Tightens both bounds until they are at most `tolerance` apart.
    fn interval_iteration<R: Rules>(&self, tolerance: f64) -> Result<(), BadRules> {
        let mut reference = f64::INFINITY;
        let mut stack = Vec::new();
        for sweep in 1..=MAX_SWEEPS {
            let mut widest: f64 = 0.0;
            let mut gap = 0.0;
            for variable in self.variables() {
                let (old, new) = (self.get(variable), self.updated(variable, &mut stack));
                let bounds = Bounds { lower: new.lower.max(old.lower), upper: new.upper.min(old.upper) };
                self.set(variable, bounds);
                widest = widest.max(bounds.width());
                gap += bounds.width();
            }
            if widest <= tolerance || sweep == STALL_SWEEPS && self.direct(tolerance) {
                return Ok(());
            }
            if sweep % STALL_SWEEPS == 0 {
                if gap > reference * 0.999 {
                    break;
                }
                reference = gap;
            }
        }
        Err(self.apart::<R>())
    }

    /// Raises the lower bounds, and tries guesses of the upper bounds.
    fn optimistic_iteration<R: Rules>(&self, tolerance: f64) -> Result<(), BadRules> {
        self.variables().for_each(|variable| self.set(variable, Bounds { lower: 0.0, upper: f64::INFINITY }));
        // A guess is tried when no bound rises by more than this in a sweep.
        let mut trial_threshold = tolerance;
        let mut stack = Vec::new();
        let mut last = f64::INFINITY;
        for sweep in 1..=MAX_SWEEPS {
            let mut most: f64 = 0.0;
            for variable in self.variables() {
                let before = self.get(variable).lower;
                let lower = self.updated(variable, &mut stack).lower.max(before);
                self.set(variable, Bounds { lower, upper: f64::INFINITY });
                most = most.max(lower - before);
            }
            if sweep == STALL_SWEEPS && self.direct(tolerance) {
                return Ok(());
            }
            if !most.is_finite() || sweep % STALL_SWEEPS == 0 && most > 0.0 && most >= last * 0.999 {
                break;
            }
            if sweep % STALL_SWEEPS == 0 {
                last = most;
            }
            if most <= trial_threshold {
                if self.try_upper_bounds(tolerance, sweep + 100) {
                    return if self.has_one_solution(tolerance) { Ok(()) } else { Err(self.apart::<R>()) };
                }
                if most == 0.0 {
                    break;
                }
                trial_threshold = most / 4.0;
            }
        }
        // Nothing has risen, but the bounds are wider apart than the tolerance.
        if self.direct(tolerance) { Ok(()) } else { Err(self.apart::<R>()) }
    }

    /// Guesses upper bounds `tolerance` above the lower ones, and updates them until a sweep raises none of them.
    /// Returns whether they are upper bounds within `tolerance`.
    fn try_upper_bounds(&self, tolerance: f64, sweeps: usize) -> bool {
        for variable in self.variables() {
            let lower = self.get(variable).lower;
            self.set(variable, Bounds { lower, upper: lower + tolerance });
        }
        let mut stack = Vec::new();
        for _ in 0..sweeps {
            let (mut rises, mut widest): (bool, f64) = (false, 0.0);
            for variable in self.variables() {
                let before = self.get(variable);
                let upper = self.updated(variable, &mut stack).upper;
                rises |= upper > before.upper;
                widest = widest.max(upper - before.lower);
                self.set(variable, Bounds { upper, ..before });
            }
            // No bound has risen, so the guess is an upper bound: further sweeps could only lower it towards the value.
            if !rises && widest <= tolerance {
                return true;
            }
        }
        self.variables().for_each(|variable| {
            self.set(variable, Bounds { upper: f64::INFINITY, ..self.get(variable) });
        });
        false
    }

    /// Whether the found solution of a game with costs is the only one. Two players who can go round at no cost may
    /// have others. The solutions are connected, so some other one would lie just above the upper bounds, and updates
    /// from above would not come down to them.
    fn has_one_solution(&self, tolerance: f64) -> bool {
        if self.graph.facts.has_one_player()
            || States::new(self.numbers, &self.formulas).end_components(true).is_empty()
        {
            return true;
        }
        let found: Vec<Bounds> = self.variables().map(|variable| self.get(variable)).collect();
        for (variable, bounds) in found.iter().enumerate() {
            self.set(variable, Bounds { upper: bounds.upper + 8.0 * tolerance, ..*bounds });
        }
        let mut stack = Vec::new();
        let mut comes_down = false;
        for _ in 0..100 * STALL_SWEEPS {
            self.variables().for_each(|variable| self.set(variable, self.updated(variable, &mut stack)));
            comes_down =
                self.variables().all(|variable| self.get(variable).upper <= found[variable].upper + tolerance / 4.0);
            if comes_down {
                break;
            }
        }
        found.into_iter().enumerate().for_each(|(variable, bounds)| self.set(variable, bounds));
        comes_down
    }

    /// Solves the equations of chance or of one player by elimination. Returns whether the bounds are at most
    /// `tolerance` apart.
    fn direct(&self, tolerance: f64) -> bool {
        let passes = |formula: &Formula| formula.operations().iter().any(|turn| matches!(turn, Operation::Turn(_)));
        let is_chance = !self.has_choice() && !self.formulas.iter().any(passes);
        if !is_chance && !self.graph.facts.has_one_player() {
            return false;
        }
        let is_close = |bounds: &Vec<Bounds>| bounds.iter().all(|bounds| bounds.width() <= tolerance);
        let mut found = None;
        if !self.has_choice() {
            let rows = self.rows::<Bounds>(&self.formulas, &|variable| self.get(variable), &|bounds| bounds);
            found = eliminate(rows, BOUNDS_EFFORT).filter(is_close);
        }
        let found = found.or_else(|| self.fractions().filter(is_close));
        let Some(found) = found else { return false };
        found.into_iter().enumerate().for_each(|(variable, bounds)| self.set(variable, bounds));
        true
    }

    /// The bounds by elimination with fractions, or `None` if that takes too long.
    fn fractions(&self) -> Option<Vec<Bounds>> {
        let exact = |double: f64| BigRational::of(Number::Double(double));
        let averaged: Vec<Formula> = self.formulas.iter().map(Formula::averaged).collect();
        let solution = |bound: fn(Bounds) -> f64| {
            let outside = |bounds| exact(bound(bounds));
            // All moves at random end the game for certain. So does every better policy, because the end components are
            // collapsed.
            let zero = |_| exact(0.0);
            let mut guess = eliminate(self.rows::<BigRational>(&averaged, &zero, &outside), FRACTIONS_EFFORT)?;
            for _ in 0..MAX_POLICIES {
                let rows = self.rows::<BigRational>(&self.formulas, &|variable| guess[variable].clone(), &outside);
                let values = eliminate(rows, FRACTIONS_EFFORT)?;
                // The moves that are best for these values lead to these values: they solve the equations.
                if values == guess {
                    return Some(values);
                }
                guess = values;
            }
            None
        };
        let (lower, upper) = (solution(|bounds| bounds.lower)?, solution(|bounds| bounds.upper)?);
        lower.iter().zip(&upper).map(|(lower, upper)| Bounds::enclosing(lower, upper)).collect()
    }

    /// The equations with the moves that are best for a guess.
    fn rows<T: Coefficient>(
        &self,
        formulas: &[Formula],
        guess: &impl Fn(usize) -> T,
        outside: &impl Fn(Bounds) -> T,
    ) -> Vec<Row<T>> {
        let places: FxHashMap<u32, usize> =
            self.numbers.iter().enumerate().map(|(place, &number)| (number, place)).collect();
        let row = |variable: usize| Row::variable(variable as u32, guess(variable));
        let mut stack = Vec::new();
        let equation = |own: usize| {
            let value = |successor| match successor {
                Successor::Again => row(own),
                Successor::Collapsed(number) => row(self.numbers.len() + number as usize),
                Successor::Position(next) => {
                    places.get(&next).map_or_else(|| Row::constant(outside(self.cells.get(next))), |&place| row(place))
                }
            };
            formulas[own].evaluate(self.sum, &value, &mut stack)
        };
        self.variables().map(equation).collect()
    }

    /// The bounds of a variable, recomputed from the current bounds.
    fn updated(&self, variable: usize, stack: &mut Vec<Bounds>) -> Bounds {
        let value = |successor| match successor {
            Successor::Position(next) => self.cells.get(next),
            Successor::Again => self.get(variable),
            Successor::Collapsed(number) => self.collapsed.get(number),
        };
        self.formulas[variable].evaluate(self.sum, &value, stack)
    }

    /// Why the bounds do not converge.
    fn apart<R: Rules>(&self) -> BadRules {
        if !self.graph.facts.has_one_player() {
            let states = States::new(self.numbers, &self.formulas);
            let found = states.end_components(false);
            if !found.is_empty() {
                let mut positions = self.texts::<R>(&states.cycle(&found));
                return match (positions.pop(), positions.is_empty()) {
                    (Some(position), true) => Fault::EndlessWait.at(position),
                    (last, _) => {
                        positions.extend(last);
                        Fault::EndlessPlay { positions }.into()
                    }
                };
            }
        }
        let widths = self.numbers.iter().map(|&number| (number, self.cells.get(number)));
        let (number, bounds) = widths
            .reduce(|widest, other| if other.1.width() > widest.1.width() { other } else { widest })
            .expect("a component has positions");
        let position = self.graph.text::<R>(number);
        if bounds.lower.is_finite() {
            Fault::Apart { lower: bounds.lower, upper: bounds.upper }.at(position)
        } else {
            Fault::TooLarge.at(position)
        }
    }
}

impl Bounds {
    /// The smallest bounds of a fraction or of two. `None` if it is too large for a double.
    pub(super) fn enclosing(least: &BigRational, greatest: &BigRational) -> Option<Bounds> {
        let exact = |double: f64| BigRational::from_float(double);
        let (mut lower, mut upper) = (nearest_double(least), nearest_double(greatest));
        while exact(lower)? > *least {
            lower = lower.next_down();
        }
        while exact(upper)? < *greatest {
            upper = upper.next_up();
        }
        Some(Bounds { lower, upper })
    }
}
