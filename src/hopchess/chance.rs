//! Winning probabilities in fixed point, nearly always exact.
//!
//! The value of a side is the mean over its proposal set. So the denominator of a probability is a product of sizes of
//! proposal sets: with the error factors of the contest, a product of primes up to 13. A [`Share`] counts units of
//! 1/`ONE`, and `ONE` is a product of as many of these primes as fit. So nearly every mean is a whole number of units.
//! The error of any other mean is below 1e-36, far below the precision of a double.

use std::fmt;

use super::rules::ErrorFactor;

/// The primes that divide the size of a proposal set of at most 13 moves.
pub const PRIMES: [u64; 6] = [2, 3, 5, 7, 11, 13];
/// The exponent of each prime in `ONE`.
const EXPONENTS: [u32; 6] = [24, 14, 12, 8, 4, 3];

/// The probability 1. The sum of 64 of them fits into 128 bits, and no side ever has 64 moves.
const ONE: u128 = {
    let mut product = 1;
    let mut i = 0;
    while i < PRIMES.len() {
        product *= (PRIMES[i] as u128).pow(EXPONENTS[i]);
        i += 1;
    }
    product
};
const _: () = assert!(ONE < u128::MAX / 64);

/// The probability that one side wins, in units of 1/`ONE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u128);

impl Share {
    /// The side has lost.
    pub const NOTHING: Share = Share(0);
    /// The side has won.
    pub const ALL: Share = Share(ONE);

    /// The probability that the other side wins.
    pub fn rest(self) -> Share {
        Share(ONE - self.0)
    }

    /// The mean of the `factor` best values. Without a move the side has lost. Reorders the values.
    pub fn of_proposal(values: &mut [Share], factor: ErrorFactor) -> Share {
        let size = factor.moves().min(values.len());
        if size == 0 {
            return Share::NOTHING;
        }
        if size < values.len() {
            values.sort_unstable_by(|left, right| right.cmp(left));
        }
        let sum: u128 = values[..size].iter().map(|value| value.0).sum();
        Share((sum + size as u128 / 2) / size as u128)
    }

    /// The share as a fraction of 64-bit numbers.
    pub fn chance(self) -> Chance {
        let mut numerator = self.0;
        let mut denominator = ONE;
        for prime in PRIMES.map(u128::from) {
            while numerator.is_multiple_of(prime) && denominator.is_multiple_of(prime) {
                numerator /= prime;
                denominator /= prime;
            }
        }
        if denominator < u128::from(Chance::SHORT) {
            return Chance { numerator: numerator as u64, denominator: denominator as u64 };
        }
        Chance { numerator: self.in_fine_steps(), denominator: Chance::FINE }
    }

    /// The nearest multiple of 1/[`Chance::FINE`], by long division, because the product would not fit into 128 bits.
    fn in_fine_steps(self) -> u64 {
        let mut steps = (self.0 / ONE) as u64;
        let mut left = self.0 % ONE;
        for _ in 0..Chance::FINE.ilog2() {
            left *= 2;
            steps = steps * 2 + (left / ONE) as u64;
            left %= ONE;
        }
        steps + u64::from(left * 2 >= ONE)
    }
}

/// The probability that Justin wins: the exact fraction in lowest terms if its denominator is short, otherwise an
/// approximation with an error of at most 5.6e-17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chance {
    numerator: u64,
    denominator: u64,
}

impl Chance {
    /// A denominator is short if it is below this number.
    pub const SHORT: u64 = 1 << 42;
    /// The denominator of all other chances.
    pub const FINE: u64 = 1 << 53;

    /// The chance with this numerator and denominator. `None` if it exceeds 1, or if the denominator is neither short
    /// nor [`Chance::FINE`].
    pub fn new(numerator: u64, denominator: u64) -> Option<Chance> {
        let known = (1..Chance::SHORT).contains(&denominator) || denominator == Chance::FINE;
        (known && numerator <= denominator).then_some(Chance { numerator, denominator })
    }

    /// The numerator of the fraction.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator of the fraction: short, or [`Chance::FINE`].
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The probability that Justin does not win.
    pub fn rest(self) -> Chance {
        Chance { numerator: self.denominator - self.numerator, denominator: self.denominator }
    }

    /// The probability as a double. For a short fraction it is the nearest double, because numerator and denominator
    /// are exact doubles and the division rounds correctly.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// If the value lies halfway between two thousandths: the one that is not printed, in thousandths.
    pub(super) fn other_rounding(self) -> Option<i64> {
        let doubled = 2 * 1000 * u128::from(self.numerator);
        let denominator = u128::from(self.denominator);
        let is_tie = doubled.is_multiple_of(denominator) && (doubled / denominator) % 2 == 1;
        let printed = (self.to_string().parse::<f64>().ok()? * 1000.0).round() as i64;
        let (below, above) = ((doubled / denominator / 2) as i64, (doubled / denominator / 2) as i64 + 1);
        is_tie.then_some(if printed == below { above } else { below })
    }

    /// The exact fraction in lowest terms, if it is short. Certainty is `1`, impossibility is `0`.
    pub fn fraction(self) -> Option<String> {
        match self.denominator {
            1 => Some(self.numerator.to_string()),
            Chance::FINE => None,
            denominator => Some(format!("{}/{denominator}", self.numerator)),
        }
    }
}

impl fmt::Display for Chance {
    /// Three decimals as printed by C's `%.3f`: the exact value of the double is rounded, a tie to the even digit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(numerator: u64, denominator: u64) -> Chance {
        Chance::new(numerator, denominator).unwrap()
    }

    #[test]
    fn ties_are_printed_as_c_prints_the_nearest_double() {
        for (numerator, denominator, printed) in [
            (1, 16, "0.062"),
            (3, 16, "0.188"),
            (51, 80, "0.637"),
            (13, 80, "0.163"),
            (1, 400, "0.003"),
            (399, 400, "0.998"),
            (1, 2000, "0.001"),
            (1999, 2000, "1.000"),
        ] {
            assert_eq!(chance(numerator, denominator).to_string(), printed, "{numerator}/{denominator}");
        }
    }

    #[test]
    fn means_are_exact_and_long_fractions_are_rounded() {
        let factor = |moves| ErrorFactor::new(moves).unwrap();
        let mut values = [Share::NOTHING, Share::ALL, Share::ALL];
        assert_eq!(Share::of_proposal(&mut values, factor(2)).chance(), chance(1, 1));
        assert_eq!(Share::of_proposal(&mut values, factor(3)).chance(), chance(2, 3));
        assert_eq!(Share::of_proposal(&mut values, factor(99)).chance().rest(), chance(1, 3));
        assert_eq!(Share::of_proposal(&mut [], factor(1)).chance(), chance(0, 1));

        let mut thirteenth = Share::ALL;
        for _ in 0..3 {
            thirteenth = Share::of_proposal(&mut [[thirteenth].as_slice(), &[Share::NOTHING; 12]].concat(), factor(13));
        }
        assert_eq!(thirteenth.chance(), chance(1, 2197));
        let mut two_thirds = Share::ALL;
        for _ in 0..27 {
            two_thirds = Share::of_proposal(&mut [two_thirds, two_thirds, Share::NOTHING], factor(3));
        }
        assert_eq!(two_thirds.chance().denominator(), Chance::FINE);
        assert!((two_thirds.chance().to_f64() - (2_f64 / 3.0).powi(27)).abs() < 1e-16);
    }
}
