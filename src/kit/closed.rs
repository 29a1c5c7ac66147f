//! Waiting: values that depend on themselves, solved in closed form.

use std::cmp::Ordering;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::number::{Arithmetic, Number, is_close};
use super::rules::Goal;

/// An arithmetic that can solve `v = a + b·v`. Waiting needs this.
pub trait Closed: Arithmetic + Send + Sync {
    /// A value that is written once and can be read from any thread.
    type Cell: Default + Send + Sync;

    /// Reads a cell that has been written.
    fn load(cell: &Self::Cell) -> Self;

    /// Writes a cell.
    fn store(self, cell: &Self::Cell);

    /// This value divided by `1 - share`, where `share` is below 1.
    fn grown(&self, share: &Self) -> Self;

    /// Whether two values are equal up to rounding errors.
    fn is_close(&self, other: &Self) -> bool;

    /// Whether this value is a number, and not too large for this arithmetic.
    fn is_finite(&self) -> bool {
        true
    }
}

impl Closed for f64 {
    type Cell = AtomicU64;

    fn load(cell: &AtomicU64) -> f64 {
        f64::from_bits(cell.load(Relaxed))
    }

    fn store(self, cell: &AtomicU64) {
        cell.store(self.to_bits(), Relaxed);
    }

    fn grown(&self, share: &f64) -> f64 {
        self / (1.0 - share)
    }

    fn is_close(&self, other: &f64) -> bool {
        is_close(*self, *other)
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }
}

impl Closed for BigRational {
    type Cell = OnceLock<BigRational>;

    fn load(cell: &OnceLock<BigRational>) -> BigRational {
        cell.get().cloned().unwrap_or_else(BigRational::zero)
    }

    fn store(self, cell: &OnceLock<BigRational>) {
        // A cell is written once, so this cannot fail.
        let _ = cell.set(self);
    }

    fn grown(&self, share: &BigRational) -> BigRational {
        self / (BigRational::one() - share)
    }

    fn is_close(&self, other: &BigRational) -> bool {
        self == other
    }
}

/// Solves `v = f(v)` for a piecewise linear `f` whose slopes are from 0 to 1. `piece` returns the linear piece at a value.
/// `None` if there is no solution, or more than one: then some best play waits for ever.
///
/// Without an `endless` piece, one of slope 1, there is always exactly one solution.
pub(super) fn fixed_point<T: Closed>(endless: bool, mut piece: impl FnMut(At<'_, T>) -> Piece<T>) -> Option<T> {
    let zero = T::of(Number::Whole(0));
    if endless {
        // `f(v) - v` never rises. It must be above zero at one end and below zero at the other.
        let (least, greatest) = (piece(At::LeastEnd), piece(At::GreatestEnd));
        let rises = |end: &Piece<T>, goal| !end.is_endless() || end.constant.is_better(&zero, goal);
        if !rises(&least, Goal::Max) || !rises(&greatest, Goal::Min) {
            return None;
        }
    }
    let found = find_fixed_point(zero, &mut piece)?;
    // On a piece of slope 1 next to the solution, every value is a solution.
    let is_only = !endless || !piece(At::Below(&found)).is_endless() && !piece(At::Above(&found)).is_endless();
    is_only.then_some(found)
}

/// Finds a solution by Newton's method, and by bisection where a step leaves the known interval.
fn find_fixed_point<T: Closed>(zero: T, piece: &mut impl FnMut(At<'_, T>) -> Piece<T>) -> Option<T> {
    let one = T::of(Number::Whole(1));
    let mut step = one.clone();
    // Without a choice above the waiting, `f` has one linear piece, and the first step solves it.
    let mut at = zero;
    let (mut low, mut high): (Option<T>, Option<T>) = (None, None);
    for _ in 0..MAX_PIECES {
        let line = piece(At::Value(&at));
        if line.here == at {
            return Some(at);
        }
        let is_low = line.here.is_better(&at, Goal::Max);
        let found = if line.is_endless() {
            // The line has no solution. The doubled steps leave it.
            step = step.times(2);
            if is_low { at.plus(&step) } else { step.seen_from_other(0).plus(&at) }
        } else {
            let found = line.constant.grown(&line.share);
            if piece(At::Value(&found)).here.is_close(&found) {
                return Some(found);
            }
            found
        };
        // `f(v) - v` never rises, so its sign shows on which side the solution lies.
        if is_low {
            low = Some(at);
        } else {
            high = Some(at);
        }
        at = match (&low, &high) {
            (Some(low), Some(high)) if !(found.is_better(low, Goal::Max) && found.is_better(high, Goal::Min)) => {
                low.plus(high).divided(2)
            }
            _ => found,
        };
    }
    None
}

/// Maximum number of steps of [`fixed_point`].
const MAX_PIECES: usize = 10_000;

/// Where a piece of a piecewise linear function is wanted.
#[derive(Debug, PartialEq)]
pub(super) enum At<'a, T> {
    /// At a value. Where two pieces meet, it may be either.
    Value(&'a T),
    /// Just below a value.
    Below(&'a T),
    /// Just above a value.
    Above(&'a T),
    /// Below every value where two pieces meet.
    LeastEnd,
    /// Above every value where two pieces meet.
    GreatestEnd,
}

/// How choices compare two pieces.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    /// By their values `here`.
    Here,
    /// By their values `here`, then by their slopes: below a value, the greater slope has the smaller value.
    Below,
    /// By their values `here`, then by their slopes: above a value, the greater slope has the greater value.
    Above,
    /// By their slopes, then by their constants, far below.
    LeastEnd,
    /// By their slopes, then by their constants, far above.
    GreatestEnd,
}

/// The linear function `constant + share·v`, and its value `here` at the current `v`. Choices compare `here`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece<T> {
    constant: T,
    share: T,
    here: T,
    /// `Here` for a piece that does not depend on `v`. The other piece of a comparison then decides.
    side: Side,
}

impl<T: Closed> Piece<T> {
    /// A piece that does not depend on `v`.
    pub(super) fn constant(constant: T) -> Piece<T> {
        Piece { here: constant.clone(), constant, share: T::of(Number::Whole(0)), side: Side::Here }
    }

    /// The piece `v` itself.
    pub(super) fn waiting(at: &At<'_, T>) -> Piece<T> {
        let zero = T::of(Number::Whole(0));
        let (here, side) = match *at {
            At::Value(here) => (here.clone(), Side::Here),
            At::Below(here) => (here.clone(), Side::Below),
            At::Above(here) => (here.clone(), Side::Above),
            At::LeastEnd => (zero.clone(), Side::LeastEnd),
            At::GreatestEnd => (zero.clone(), Side::GreatestEnd),
        };
        Piece { constant: zero, share: T::of(Number::Whole(1)), here, side }
    }

    /// Whether the slope is 1: the game is sure to wait.
    fn is_endless(&self) -> bool {
        self.share == T::of(Number::Whole(1))
    }

    fn side_with(&self, other: &Piece<T>) -> Side {
        if self.side == Side::Here { other.side } else { self.side }
    }
}

impl<T: Closed> Arithmetic for Piece<T> {
    fn of(number: Number) -> Piece<T> {
        Piece::constant(T::of(number))
    }

    fn plus(&self, other: &Piece<T>) -> Piece<T> {
        Piece {
            constant: self.constant.plus(&other.constant),
            share: self.share.plus(&other.share),
            here: self.here.plus(&other.here),
            side: self.side_with(other),
        }
    }

    /// Called only for the value of a successor, which does not depend on `v`.
    fn seen_from_other(&self, sum: i64) -> Piece<T> {
        Piece::constant(self.constant.seen_from_other(sum))
    }

    fn times(&self, weight: u64) -> Piece<T> {
        let Piece { constant, share, here, side } = self;
        Piece { constant: constant.times(weight), share: share.times(weight), here: here.times(weight), side: *side }
    }

    fn divided(&self, parts: u64) -> Piece<T> {
        let Piece { constant, share, here, side } = self;
        Piece { constant: constant.divided(parts), share: share.divided(parts), here: here.divided(parts), side: *side }
    }

    fn order(&self, other: &Piece<T>) -> Ordering {
        let (here, slopes) = (self.here.order(&other.here), self.share.order(&other.share));
        match self.side_with(other) {
            Side::Here => here,
            Side::Below => here.then(slopes.reverse()),
            Side::Above => here.then(slopes),
            Side::LeastEnd => slopes.reverse().then(self.constant.order(&other.constant)),
            Side::GreatestEnd => slopes.then(self.constant.order(&other.constant)),
        }
    }
}
