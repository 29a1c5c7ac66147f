//! Games that may come back to where they were: bounds from below and from above that come together.
//!
//! Components are solved one after another, after all that they lead to. In a component the bounds of every position
//! start as wide as they can be and are brought closer by what follows, again and again; each is rounded outwards, so
//! that both hold at any time. What an endless game is worth does not matter where the bounds meet: they hold for
//! anything between the least and the greatest value of a game that is over.
//!
//! With costs there is no greatest value. Then the bound from below rises from zero, and every now and then a bound
//! slightly above it is tried: if no position's bound follows to be larger from the bounds of its successors, the trial
//! is a bound from above, because the value is the least solution of the game's equations (optimistic value iteration,
//! Hartmanns and Kaminski 2020).

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

/// Sweeps over a component before its bounds are given up.
const MOST_SWEEPS: usize = 1_000_000;
/// Sweeps after which bounds that have not moved closer by a thousandth are given up.
const PATIENCE: usize = 1_000;
/// Positions that one task solves.
const TASK: usize = 64;

/// The bounds of all positions, from many threads.
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
    // Bounds are no closer than those of what follows, so each height may add its share of the tolerance.
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

/// Positions that are solved together.
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
            formulas.push(formula);
        }
        let is_cyclic = match numbers {
            [only] => formulas[0].waits() || graph.edges.of(*only).contains(only),
            _ => true,
        };
        Ok(Sweeper { graph, cells, numbers, formulas, is_cyclic })
    }

    /// Finds bounds that are wider than those of what follows by at most `share`.
    fn run<R: Rules>(&self, share: f64) -> Result<(), BadRules> {
        if !self.is_cyclic {
            // Whatever stands there now is not asked for.
            self.cells.set(self.numbers[0], self.follow::<R>(0, &mut Vec::new()));
            return Ok(());
        }
        // Those of the component itself are not worked out yet, and have no width.
        let followers = self.numbers.iter().flat_map(|&number| self.graph.edges.of(number));
        let tolerance = share + followers.map(|&next| self.cells.get(next).width()).fold(0.0, f64::max);
        let facts = self.graph.facts;
        if facts.has_costs {
            if facts.least_cost < 0.0 || facts.least < 0.0 || facts.has_turns {
                return Err(BadRules::CostsInCycles { position: self.graph.text::<R>(self.numbers[0]) });
            }
            return self.raise_and_try::<R>(tolerance);
        }
        let seen = |value: f64| if facts.has_turns { [value, R::SUM as f64 - value] } else { [value; 2] };
        let extremes = [facts.least, facts.greatest].map(seen);
        let lower = extremes.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let upper = extremes.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        self.numbers.iter().for_each(|&number| self.cells.set(number, Bounds { lower, upper }));
        self.close_in::<R>(tolerance)
    }

    /// Brings both bounds together.
    fn close_in<R: Rules>(&self, tolerance: f64) -> Result<(), BadRules> {
        let mut reference = f64::INFINITY;
        let mut stack = Vec::new();
        for sweep in 1..=MOST_SWEEPS {
            let mut widest: f64 = 0.0;
            let mut gap = 0.0;
            for (place, &number) in self.numbers.iter().enumerate() {
                let (old, new) = (self.cells.get(number), self.follow::<R>(place, &mut stack));
                let bounds = Bounds { lower: new.lower.max(old.lower), upper: new.upper.min(old.upper) };
                self.cells.set(number, bounds);
                widest = widest.max(bounds.width());
                gap += bounds.width();
            }
            if widest <= tolerance {
                return Ok(());
            }
            if sweep % PATIENCE == 0 {
                if gap > reference * 0.999 {
                    break;
                }
                reference = gap;
            }
        }
        Err(self.apart::<R>())
    }

    /// Raises the bound from below, and tries bounds from above.
    fn raise_and_try<R: Rules>(&self, tolerance: f64) -> Result<(), BadRules> {
        self.numbers.iter().for_each(|&number| self.cells.set(number, Bounds { lower: 0.0, upper: f64::INFINITY }));
        // How far the bound may still rise in a sweep when a trial is worth while.
        let mut calm = tolerance;
        let mut stack = Vec::new();
        let mut last = f64::INFINITY;
        for sweep in 1..=MOST_SWEEPS {
            let mut most: f64 = 0.0;
            for (place, &number) in self.numbers.iter().enumerate() {
                let before = self.cells.get(number).lower;
                let lower = self.follow::<R>(place, &mut stack).lower.max(before);
                self.cells.set(number, Bounds { lower, upper: f64::INFINITY });
                most = most.max(lower - before);
            }
            if !most.is_finite() || sweep % PATIENCE == 0 && most > 0.0 && most >= last * 0.999 {
                break;
            }
            if sweep % PATIENCE == 0 {
                last = most;
            }
            if most <= calm {
                if self.try_above::<R>(tolerance, sweep + 100) {
                    return Ok(());
                }
                if most == 0.0 {
                    break;
                }
                calm = most / 4.0;
            }
        }
        Err(self.apart::<R>())
    }

    /// Tries to find bounds from above that exceed the lower ones by little: a guess that is brought down as long as it
    /// takes until a sweep raises none of it.
    fn try_above<R: Rules>(&self, tolerance: f64, sweeps: usize) -> bool {
        for &number in self.numbers {
            let lower = self.cells.get(number).lower;
            self.cells.set(number, Bounds { lower, upper: lower + tolerance });
        }
        let mut stack = Vec::new();
        for _ in 0..sweeps {
            let (mut rises, mut widest): (bool, f64) = (false, 0.0);
            for (place, &number) in self.numbers.iter().enumerate() {
                let before = self.cells.get(number);
                let upper = self.follow::<R>(place, &mut stack).upper;
                rises |= upper > before.upper;
                widest = widest.max(upper - before.lower);
                self.cells.set(number, Bounds { upper, ..before });
            }
            // What no sweep raises is a bound, because every later sweep would bring it closer to the value.
            if !rises && widest <= tolerance {
                return true;
            }
        }
        self.numbers.iter().for_each(|&number| {
            self.cells.set(number, Bounds { upper: f64::INFINITY, ..self.cells.get(number) });
        });
        false
    }

    /// The bounds of a position that follow from the present ones.
    fn follow<R: Rules>(&self, place: usize, stack: &mut Vec<Bounds>) -> Bounds {
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
