//! Games with cycles: lower and upper bounds that converge.
//!
//! A component is solved after all components that it leads to. Its bounds start as wide as possible and are
//! recomputed from the bounds of the successors until they are close (interval iteration). Every bound is rounded
//! outwards, so both bounds hold at any time. They hold for any value that an endless game may have between the least
//! and the greatest value of a finished game.
//!
//! With costs there is no greatest value. The lower bound then rises from zero, and now and then an upper bound
//! slightly above it is guessed. If a sweep raises no bound of the guess, the guess is an upper bound: the value is the
//! least solution of the game's equations (optimistic value iteration, Hartmanns and Kaminski 2020).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::error::BadRules;
use super::explore::Graph;
use super::formula::{Formula, Successor};
use super::number::Bounds;
use super::order::{Component, Order};
use super::rules::Rules;
use super::solve::rebuild;

/// Maximum number of sweeps over a component.
const MAX_SWEEPS: usize = 1_000_000;
/// Give up if this number of sweeps has made less than 0.1 % of progress.
const STALL_SWEEPS: usize = 1_000;
/// Number of positions that one task solves.
const TASK: usize = 64;

/// The bounds of all positions, shared between threads.
struct Cells {
    lower: Vec<AtomicU64>,
    upper: Vec<AtomicU64>,
}

impl Cells {
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
    let zeros = || (0..graph.len()).map(|_| AtomicU64::new(0)).collect();
    let cells = Cells { lower: zeros(), upper: zeros() };
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
        let outcomes: Vec<Result<(), BadRules>> = tasks.par_iter().map(solve_task).collect();
        outcomes.into_iter().collect::<Result<(), BadRules>>()?;
    }
    Ok((0..graph.len() as u32).map(|number| cells.get(number)).collect())
}

/// Solves the positions of one component together.
struct Sweeper<'a> {
    graph: &'a Graph,
    cells: &'a Cells,
    numbers: &'a [u32],
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
            // The bounds would not show it: iteration finds the least of several solutions.
            if formula.may_wait_for_free() {
                return Err(BadRules::EndlessWait { position: graph.text::<R>(number) });
            }
            formulas.push(formula);
        }
        let is_cyclic = match numbers {
            [only] => formulas[0].waits() || graph.edges.of(*only).contains(only),
            _ => true,
        };
        Ok(Sweeper { graph, cells, numbers, formulas, is_cyclic })
    }

    /// Finds bounds that are at most `share` wider than the widest bounds of the successors.
    fn run<R: Rules>(&self, share: f64) -> Result<(), BadRules> {
        if !self.is_cyclic {
            // The current bounds of the position are not read.
            self.cells.set(self.numbers[0], self.updated::<R>(0, &mut Vec::new()));
            return Ok(());
        }
        // The bounds inside the component are still zero, so their width is zero.
        let followers = self.numbers.iter().flat_map(|&number| self.graph.edges.of(number));
        let tolerance = share + followers.map(|&next| self.cells.get(next).width()).fold(0.0, f64::max);
        let facts = self.graph.facts;
        if facts.has_costs {
            if facts.least_cost < 0.0 || facts.least < 0.0 || facts.has_turns {
                return Err(BadRules::CostsInCycles { position: self.graph.text::<R>(self.numbers[0]) });
            }
            return self.optimistic_iteration::<R>(tolerance);
        }
        let seen = |value: f64| if facts.has_turns { [value, R::SUM as f64 - value] } else { [value; 2] };
        let extremes = [facts.least, facts.greatest].map(seen);
        let lower = extremes.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let upper = extremes.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        self.numbers.iter().for_each(|&number| self.cells.set(number, Bounds { lower, upper }));
        self.interval_iteration::<R>(tolerance)
    }

    /// Tightens both bounds until they are at most `tolerance` apart.
    fn interval_iteration<R: Rules>(&self, tolerance: f64) -> Result<(), BadRules> {
        let mut reference = f64::INFINITY;
        let mut stack = Vec::new();
        for sweep in 1..=MAX_SWEEPS {
            let mut widest: f64 = 0.0;
            let mut gap = 0.0;
            for (place, &number) in self.numbers.iter().enumerate() {
                let (old, new) = (self.cells.get(number), self.updated::<R>(place, &mut stack));
                let bounds = Bounds { lower: new.lower.max(old.lower), upper: new.upper.min(old.upper) };
                self.cells.set(number, bounds);
                widest = widest.max(bounds.width());
                gap += bounds.width();
            }
            if widest <= tolerance {
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
        self.numbers.iter().for_each(|&number| self.cells.set(number, Bounds { lower: 0.0, upper: f64::INFINITY }));
        // A guess is tried when no bound rises by more than this in a sweep.
        let mut trial_threshold = tolerance;
        let mut stack = Vec::new();
        let mut last = f64::INFINITY;
        for sweep in 1..=MAX_SWEEPS {
            let mut most: f64 = 0.0;
            for (place, &number) in self.numbers.iter().enumerate() {
                let before = self.cells.get(number).lower;
                let lower = self.updated::<R>(place, &mut stack).lower.max(before);
                self.cells.set(number, Bounds { lower, upper: f64::INFINITY });
                most = most.max(lower - before);
            }
            if !most.is_finite() || sweep % STALL_SWEEPS == 0 && most > 0.0 && most >= last * 0.999 {
                break;
            }
            if sweep % STALL_SWEEPS == 0 {
                last = most;
            }
            if most <= trial_threshold {
                if self.try_upper_bounds::<R>(tolerance, sweep + 100) {
                    return Ok(());
                }
                if most == 0.0 {
                    break;
                }
                trial_threshold = most / 4.0;
            }
        }
        Err(self.apart::<R>())
    }

    /// Guesses upper bounds `tolerance` above the lower ones, and updates them until a sweep raises none of them.
    /// Returns whether they are upper bounds within `tolerance`.
    fn try_upper_bounds<R: Rules>(&self, tolerance: f64, sweeps: usize) -> bool {
        for &number in self.numbers {
            let lower = self.cells.get(number).lower;
            self.cells.set(number, Bounds { lower, upper: lower + tolerance });
        }
        let mut stack = Vec::new();
        for _ in 0..sweeps {
            let (mut rises, mut widest): (bool, f64) = (false, 0.0);
            for (place, &number) in self.numbers.iter().enumerate() {
                let before = self.cells.get(number);
                let upper = self.updated::<R>(place, &mut stack).upper;
                rises |= upper > before.upper;
                widest = widest.max(upper - before.lower);
                self.cells.set(number, Bounds { upper, ..before });
            }
            // No bound has risen, so the guess is an upper bound: further sweeps could only lower it towards the value.
            if !rises && widest <= tolerance {
                return true;
            }
        }
        self.numbers.iter().for_each(|&number| {
            self.cells.set(number, Bounds { upper: f64::INFINITY, ..self.cells.get(number) });
        });
        false
    }

    /// The bounds of a position, recomputed from the current bounds.
    fn updated<R: Rules>(&self, place: usize, stack: &mut Vec<Bounds>) -> Bounds {
        let number = self.numbers[place];
        let value = |successor| match successor {
            Successor::Position(next) => self.cells.get(next),
            Successor::Again => self.cells.get(number),
        };
        self.formulas[place].evaluate(R::SUM, &value, stack)
    }

    fn apart<R: Rules>(&self) -> BadRules {
        let widths = self.numbers.iter().map(|&number| (number, self.cells.get(number)));
        let (number, bounds) = widths
            .reduce(|widest, other| if other.1.width() > widest.1.width() { other } else { widest })
            .expect("a component has positions");
        BadRules::Apart { position: self.graph.text::<R>(number), lower: bounds.lower, upper: bounds.upper }
    }
}
