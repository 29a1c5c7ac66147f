//! A chance as an exact fraction over 6^10.

use std::fmt;

use super::rules::Case;

/// The outcomes of five dice, 6^5: the denominator of the distributions.
pub const ROLLS: u32 = 7776;

/// The exact probability that A wins, as a number of ways out of 6^10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chance(u32);

impl Chance {
    /// 6^10, the outcomes of all dice that may be rerolled.
    pub const DENOMINATOR: u32 = ROLLS * ROLLS;

    /// The chance of `ways` out of 6^10, or `None` if `ways` exceeds 6^10.
    pub const fn from_ways(ways: u32) -> Option<Chance> {
        if ways <= Chance::DENOMINATOR { Some(Chance(ways)) } else { None }
    }

    /// The chance when both hands are final: 0 or 1.
    pub(super) fn of_final(case: &Case) -> Chance {
        Chance(if case.is_a_ahead() { Chance::DENOMINATOR } else { 0 })
    }

    /// The ways out of 6^10.
    pub const fn ways(self) -> u32 {
        self.0
    }

    /// The probability as the nearest double.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Chance::DENOMINATOR)
    }

    /// The probability in millionths, halves rounded up.
    pub fn millionths(self) -> u32 {
        let denominator = u64::from(Chance::DENOMINATOR);
        ((u64::from(self.0) * 2_000_000 + denominator) / (2 * denominator)) as u32
    }

    /// The probability with six decimals, as ASCII.
    pub(super) fn digits(self) -> [u8; 8] {
        let mut rest = self.millionths();
        let mut digits = *b"0.000000";
        for digit in digits[2..].iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        digits[0] += rest as u8;
        digits
    }

    /// The fraction in lowest terms. Certainty is `1`, impossibility is `0`.
    pub fn fraction(self) -> String {
        let divisor = greatest_common_divisor(self.0, Chance::DENOMINATOR);
        match (self.0 / divisor, Chance::DENOMINATOR / divisor) {
            (whole, 1) => whole.to_string(),
            (numerator, denominator) => format!("{numerator}/{denominator}"),
        }
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.digits()).map_err(|_| fmt::Error)?)
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
