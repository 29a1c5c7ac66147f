//! The value of a position, as it is stored and displayed.

use std::fmt;

#[cfg(feature = "fractions")]
use num_rational::BigRational;

#[cfg(feature = "fractions")]
use super::fraction::nearest_double;
use super::number::Bounds;

/// The value of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The value itself.
    pub worth: Worth,
    /// The number of moves to the end under best play, in a game without chance that has two players or cycles. The
    /// winner plays for the shortest game, the loser for the longest. [`Value::ENDLESS`] if the game goes on for ever.
    pub moves: Option<u32>,
}

impl Value {
    /// The number of moves to the end of a game that goes on for ever.
    pub const ENDLESS: u32 = u32::MAX;
}

/// A value in the arithmetic in which it was solved.
// A program with other features may know more kinds of values.
#[cfg_attr(not(feature = "fractions"), non_exhaustive)]
#[derive(Debug, Clone, PartialEq)]
pub enum Worth {
    /// A double.
    Double(f64),
    /// The exact value.
    #[cfg(feature = "fractions")]
    Fraction(BigRational),
    /// A lower and an upper bound.
    Bounds(Bounds),
}

impl Worth {
    /// The nearest double, or the middle between the bounds.
    pub fn to_f64(&self) -> f64 {
        match self {
            Worth::Double(double) => *double,
            #[cfg(feature = "fractions")]
            Worth::Fraction(fraction) => nearest_double(fraction),
            Worth::Bounds(bounds) => bounds.middle(),
        }
    }

    /// The exact value as text, if it is a fraction.
    pub(super) fn fraction(&self) -> Option<String> {
        match self {
            #[cfg(feature = "fractions")]
            Worth::Fraction(fraction) => Some(fraction.to_string()),
            _ => None,
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Double(double) => write!(f, "{double}"),
            #[cfg(feature = "fractions")]
            Worth::Fraction(fraction) => write!(f, "{fraction}"),
            Worth::Bounds(bounds) => write!(f, "{bounds}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.worth)?;
        match self.moves {
            None => Ok(()),
            Some(0) => write!(f, ", the game is over"),
            Some(Value::ENDLESS) => write!(f, ", the game can go on for ever"),
            Some(1) => write!(f, " in 1 move"),
            Some(moves) => write!(f, " in {moves} moves"),
        }
    }
}
