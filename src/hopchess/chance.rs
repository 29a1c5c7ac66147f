//! Winning probabilities, exact as long as the game's own divisions are.
//!
//! A side's value is the mean over its proposal set, so a probability is a fraction whose denominator is made of the
//! sizes of proposal sets: of the primes up to 13, for every error factor of the contest. A [`Share`] counts units of
//! 1/`ONE`, and `ONE` holds as many of these primes as fit, so that nearly every mean comes out even. A mean that does
//! not is off by less than 1e-36, far below what a double can show.

use std::fmt;

use super::rules::ErrorFactor;

/// The primes that a proposal set of at most 13 moves can bring into a denominator.
pub const PRIMES: [u64; 6] = [2, 3, 5, 7, 11, 13];
/// How often each of them divides `ONE`.
const EXPONENTS: [u32; 6] = [24, 14, 12, 8, 4, 3];

/// Certainty. The sum of 64 of them fits 128 bits, and no side ever has 64 moves.
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

    /// The value of a choice at random among the best moves, as many as the error factor lets in. Without a move the
    /// side has lost. Reorders the values.
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

    /// The nearest multiple of 1/[`Chance::FINE`]; by long division, because the product would not fit.
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

/// The probability that Justin wins: the exact fraction in lowest terms if that is short, otherwise within 5.6e-17 of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chance {
    numerator: u64,
    denominator: u64,
}

impl Chance {
    /// Denominators below this one are short.
    pub const SHORT: u64 = 1 << 42;
    /// The denominator of all other chances.
    pub const FINE: u64 = 1 << 53;

    /// The chance with this numerator and denominator, or `None` if it exceeds 1 or the denominator is neither short
    /// nor [`Chance::FINE`].
    pub fn new(numerator: u64, denominator: u64) -> Option<Chance> {
        let known = (1..Chance::SHORT).contains(&denominator) || denominator == Chance::FINE;
        (known && numerator <= denominator).then_some(Chance { numerator, denominator })
    }

    /// The number above the line.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The number below the line.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The probability that Justin does not win.
    pub fn rest(self) -> Chance {
        Chance { numerator: self.denominator - self.numerator, denominator: self.denominator }
    }

    /// The probability as a double: the nearest one to a short fraction, because both its numbers are doubles and their
    /// division is rounded correctly.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// In thousandths, the rounding that is not printed, where the exact value lies halfway between two.
    pub(super) fn other_rounding(self) -> Option<i64> {
        let doubled = 2 * 1000 * u128::from(self.numerator);
        let denominator = u128::from(self.denominator);
        let is_tie = doubled.is_multiple_of(denominator) && (doubled / denominator) % 2 == 1;
        let printed = (self.to_string().parse::<f64>().ok()? * 1000.0).round() as i64;
        let (below, above) = ((doubled / denominator / 2) as i64, (doubled / denominator / 2) as i64 + 1);
        is_tie.then_some(if printed == below { above } else { below })
    }

    /// The exact fraction in lowest terms, if it is short; certainty is `1`, impossibility `0`.
    pub fn fraction(self) -> Option<String> {
        match self.denominator {
            1 => Some(self.numerator.to_string()),
            Chance::FINE => None,
            denominator => Some(format!("{}/{denominator}", self.numerator)),
        }
    }
}

impl fmt::Display for Chance {
    /// Three decimals as C's `%.3f` prints them: from the double's exact value, a tie to the even digit.
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
    fn all_four_kinds_of_ties_print_as_c_prints_the_nearest_double() {
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
    fn means_are_exact_and_only_short_fractions_are_kept_as_such() {
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
