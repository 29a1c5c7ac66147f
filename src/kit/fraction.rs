//! Exact fractions.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::explain::Stored;
use super::number::{Arithmetic, Number};
use super::value::Worth;

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

impl Stored for BigRational {
    fn stored(worth: &Worth) -> Option<BigRational> {
        if let Worth::Fraction(fraction) = worth { Some(fraction.clone()) } else { None }
    }

    fn shown(self) -> Worth {
        Worth::Fraction(self)
    }

    fn confirms(&self, stored: &BigRational, _rounding: f64) -> bool {
        self == stored
    }
}

/// The double nearest to a fraction.
pub(super) fn nearest_double(fraction: &BigRational) -> f64 {
    fraction.to_f64().unwrap_or(f64::NAN)
}
