//! Numbers as the rules write them, and the arithmetics in which values are computed.

use std::cmp::Ordering;
use std::fmt::{self, Debug};

use serde::{Deserialize, Serialize};

use super::rules::Goal;

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

/// Whether two doubles are equal up to rounding errors.
pub(super) fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs()).max(1.0)
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
    pub(super) fn rounded(lower: f64, upper: f64) -> Bounds {
        Bounds { lower, upper }.wider()
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
