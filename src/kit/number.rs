//! Numbers as the rules write them, and the arithmetics in which values are computed.

use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use super::rules::Goal;

/// The largest size of a value or a cost. Multiplied by any weight, it is still a double.
pub(super) const MAX_SIZE: f64 = 1e290;

/// The value of a finished game, or a cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Number {
    /// A whole number.
    Whole(i64),
    /// A fraction.
    Fraction {
        /// The numerator.
        numerator: i64,
        /// The denominator; zero is refused as [`NotANumber`](super::Fault::NotANumber).
        denominator: i64,
    },
    /// A double.
    Double(f64),
}

impl Number {
    /// The fraction of two whole numbers.
    pub fn fraction(numerator: i64, denominator: i64) -> Number {
        Number::Fraction { numerator, denominator }
    }

    /// Whether this is a finite number.
    pub(super) fn is_finite(self) -> bool {
        match self {
            Number::Whole(_) => true,
            Number::Fraction { denominator, .. } => denominator != 0,
            Number::Double(double) => double.is_finite(),
        }
    }

    /// The nearest double.
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Fraction { numerator, denominator } => numerator as f64 / denominator as f64,
            // Turns -0.0 into 0.0, so that equal values have equal bytes.
            Number::Double(double) => double + 0.0,
        }
    }
}

impl From<f64> for Number {
    fn from(double: f64) -> Number {
        Number::Double(double)
    }
}

macro_rules! whole {
    ($($type:ty),*) => {
        $(impl From<$type> for Number {
            fn from(whole: $type) -> Number {
                Number::Whole(whole.into())
            }
        })*
    };
}

whole!(i8, i16, i32, i64, u8, u16, u32);

impl From<u64> for Number {
    /// A number above `i64::MAX` becomes infinite, which the solver refuses.
    fn from(whole: u64) -> Number {
        i64::try_from(whole).map_or(Number::Double(f64::INFINITY), Number::Whole)
    }
}

impl From<usize> for Number {
    /// A number above `i64::MAX` becomes infinite, which the solver refuses.
    fn from(whole: usize) -> Number {
        Number::from(whole as u64)
    }
}

/// An arithmetic in which the value of a node is computed from the values of its successors.
pub trait Arithmetic: Clone + Debug + PartialEq {
    /// Converts a number of the rules.
    fn of(number: Number) -> Self;

    /// The sum.
    fn plus(&self, other: &Self) -> Self;

    /// The value with a cost added.
    fn raised(&self, cost: Number) -> Self {
        self.plus(&Self::of(cost))
    }

    /// The value for the other player: `sum` minus this value.
    fn seen_from_other(&self, sum: i64) -> Self;

    /// The value multiplied by `weight`.
    fn times(&self, weight: u64) -> Self;

    /// The value divided by `parts`.
    fn divided(&self, parts: u64) -> Self;

    /// Compares two values.
    fn order(&self, other: &Self) -> Ordering;

    /// Whether this value is better than another one for a player with this goal.
    fn is_better(&self, other: &Self, goal: Goal) -> bool {
        self.order(other) == if goal == Goal::Max { Ordering::Greater } else { Ordering::Less }
    }

    /// The mean of the best `proposed` values. There must be at least `proposed` values. May reorder them.
    fn choose(values: &mut [Self], proposed: u32, goal: Goal) -> Self {
        if proposed == 1 {
            let best = |best, other| if Self::is_better(other, best, goal) { other } else { best };
            return values.iter().reduce(best).expect("a choice has moves").clone();
        }
        values.sort_by(|one, other| if goal == Goal::Max { other.order(one) } else { one.order(other) });
        let (first, others) = values[..proposed as usize].split_first().expect("a proposal has moves");
        others.iter().fold(first.clone(), |sum, value| sum.plus(value)).divided(u64::from(proposed))
    }
}

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

impl Arithmetic for f64 {
    fn of(number: Number) -> f64 {
        number.to_f64()
    }

    fn plus(&self, other: &f64) -> f64 {
        self + other
    }

    fn seen_from_other(&self, sum: i64) -> f64 {
        sum as f64 - self
    }

    fn times(&self, weight: u64) -> f64 {
        self * weight as f64
    }

    fn divided(&self, parts: u64) -> f64 {
        self / parts as f64
    }

    fn order(&self, other: &f64) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
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
        (self - other).abs() <= 1e-12 * self.abs().max(other.abs()).max(1.0)
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }
}

impl Arithmetic for BigRational {
    fn of(number: Number) -> BigRational {
        match number {
            Number::Whole(whole) => BigRational::from_integer(whole.into()),
            Number::Fraction { numerator, denominator } => BigRational::new(numerator.into(), denominator.into()),
            Number::Double(double) => BigRational::from_float(double).unwrap_or_else(BigRational::zero),
        }
    }

    fn plus(&self, other: &BigRational) -> BigRational {
        self + other
    }

    fn seen_from_other(&self, sum: i64) -> BigRational {
        BigRational::from_integer(sum.into()) - self
    }

    fn times(&self, weight: u64) -> BigRational {
        self * BigInt::from(weight)
    }

    fn divided(&self, parts: u64) -> BigRational {
        self / BigInt::from(parts)
    }

    fn order(&self, other: &BigRational) -> Ordering {
        self.cmp(other)
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

/// The double nearest to a fraction.
pub(super) fn nearest_double(fraction: &BigRational) -> f64 {
    fraction.to_f64().unwrap_or(f64::NAN)
}

/// A lower and an upper bound of a value. Every inexact operation is rounded outwards, so the bounds hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The value is not below this.
    pub lower: f64,
    /// The value is not above this.
    pub upper: f64,
}

impl Bounds {
    /// The distance between the bounds.
    pub fn width(self) -> f64 {
        self.upper - self.lower
    }

    /// The bounds of a value with this error.
    pub(super) fn around_middle(middle: f64, error: f64) -> Bounds {
        Bounds { lower: middle - error, upper: middle + error }
    }

    /// The middle between the bounds.
    pub fn middle(self) -> f64 {
        self.lower.midpoint(self.upper)
    }

    /// What rounding errors may add to the bounds.
    pub(super) fn rounding(self) -> f64 {
        1e-12 * self.lower.abs().max(self.upper.abs()).max(1.0)
    }

    /// Whether two values with these bounds may be equal.
    pub(super) fn overlaps(self, other: Bounds) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }

    /// The next wider bounds.
    fn wider(self) -> Bounds {
        Bounds { lower: self.lower.next_down(), upper: self.upper.next_up() }
    }

    /// Widens two rounded results so that they enclose the exact ones.
    fn rounded(lower: f64, upper: f64) -> Bounds {
        Bounds { lower, upper }.wider()
    }

    /// Bounds of the results of an operation with a positive number, of which two extreme results are given.
    pub(super) fn scaled(self, results: impl Fn(f64) -> [f64; 2]) -> Bounds {
        let (lower, upper) = (results(self.lower), results(self.upper));
        Bounds::rounded(lower[0].min(lower[1]), upper[0].max(upper[1]))
    }

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

    /// The bounds of what has one of two bounds.
    pub(super) fn around(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// These bounds for both players. They are rounded only where they have to be.
    pub(super) fn of_both(self, sum: i64) -> Bounds {
        let is_small = |value: f64| value.fract() == 0.0 && value.abs() < (1_u64 << 52) as f64;
        let exact = Bounds { lower: sum as f64 - self.upper, upper: sum as f64 - self.lower };
        let is_exact = [sum as f64, self.lower, self.upper].into_iter().all(is_small);
        self.around(if is_exact { exact } else { self.seen_from_other(sum) })
    }
}

/// Maximum number of decimals of a displayed bound.
const MAX_DIGITS: f64 = 17.0;

impl fmt::Display for Bounds {
    /// The middle, and its largest possible error. The middle has no digits that are finer than the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let middle = self.middle();
        let error_of = |shown: f64| (self.upper - shown).max(shown - self.lower);
        let error = error_of(middle);
        if error == 0.0 || !error.is_finite() {
            return write!(f, "{middle}");
        }
        let digits = (-error.log10().floor()).clamp(0.0, MAX_DIGITS) as usize;
        let mut shown = format!("{middle:.digits$}");
        if digits > 0 {
            shown.truncate(shown.trim_end_matches('0').trim_end_matches('.').len());
        }
        let error = error_of(shown.parse().unwrap_or(middle));
        // The factor makes up for rounding to two digits: the printed error is never smaller than the real one.
        write!(f, "{} ± {:.1e}", if shown == "-0" { "0" } else { &shown }, error * 1.05)
    }
}

impl Arithmetic for Bounds {
    fn of(number: Number) -> Bounds {
        let nearest = number.to_f64();
        let exact = Bounds { lower: nearest, upper: nearest };
        match number {
            Number::Whole(whole) if whole.unsigned_abs() > 1 << 53 => exact.wider(),
            // The numerator, the denominator and the quotient may each be rounded.
            Number::Fraction { .. } => exact.wider().wider().wider(),
            Number::Whole(_) | Number::Double(_) => exact,
        }
    }

    fn plus(&self, other: &Bounds) -> Bounds {
        Bounds::rounded(self.lower + other.lower, self.upper + other.upper)
    }

    fn seen_from_other(&self, sum: i64) -> Bounds {
        let total = Bounds::of(Number::Whole(sum));
        let (lower, upper) = (total.lower - self.upper, total.upper - self.lower);
        if sum == 0 { Bounds { lower, upper } } else { Bounds::rounded(lower, upper) }
    }

    fn times(&self, weight: u64) -> Bounds {
        if weight == 1 { *self } else { Bounds::rounded(self.lower * weight as f64, self.upper * weight as f64) }
    }

    fn divided(&self, parts: u64) -> Bounds {
        if parts == 1 { *self } else { Bounds::rounded(self.lower / parts as f64, self.upper / parts as f64) }
    }

    fn order(&self, other: &Bounds) -> Ordering {
        self.middle().order(&other.middle())
    }

    /// Each bound separately. This is correct because a choice is monotone in each of its values.
    fn choose(values: &mut [Bounds], proposed: u32, goal: Goal) -> Bounds {
        let part = |bound: fn(&Bounds) -> f64| values.iter().map(bound);
        if proposed == 1 {
            let best = if goal == Goal::Max { f64::max } else { f64::min };
            let of = |bounds| part(bounds).reduce(best).expect("a choice has moves");
            return Bounds { lower: of(|bounds| bounds.lower), upper: of(|bounds| bounds.upper) };
        }
        let mean = |bound: fn(&Bounds) -> f64| {
            let mut values: Vec<f64> = part(bound).collect();
            values.sort_by(|one, other| if goal == Goal::Max { other.order(one) } else { one.order(other) });
            let values = values[..proposed as usize].iter().map(|&value| Bounds { lower: value, upper: value });
            values.reduce(|sum, value| sum.plus(&value)).expect("a proposal has moves").divided(u64::from(proposed))
        };
        Bounds { lower: mean(|bounds| bounds.lower).lower, upper: mean(|bounds| bounds.upper).upper }
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
