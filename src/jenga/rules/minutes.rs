//! Expected minutes, and how to compute them from the expected minutes after each colour of the die.

use std::fmt;

use super::level::Colour;

/// The number of sides of the die: one red, two green, two blue, one black.
pub const SIDES: u8 = 6;

/// Expected minutes until the game ends, under best play.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Minutes(pub f64);

impl Minutes {
    /// The value when no block can be taken and the game is over.
    pub const NONE: Minutes = Minutes(0.0);
}

impl fmt::Display for Minutes {
    /// The shortest text that parses to the same double.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The expected minutes after the best move, for each colour of the die.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// Infinite if the colour has no move.
    after: [f64; Colour::ALL.len()],
}

impl Outlook {
    /// No move is known yet.
    pub const NO_MOVE: Outlook = Outlook { after: [f64::INFINITY; Colour::ALL.len()] };

    /// Adds a move with a block of this colour, with the expected minutes after it.
    pub fn offer(&mut self, colour: Colour, after: Minutes) {
        let least = &mut self.after[colour as usize];
        *least = least.min(after.0);
    }

    /// The expected minutes after the best move with this colour, or `None` if the player has to wait.
    pub fn after(&self, colour: Colour) -> Option<Minutes> {
        let least = self.after[colour as usize];
        least.is_finite().then_some(Minutes(least))
    }

    /// The expected minutes before the die is rolled.
    ///
    /// Every roll takes a minute, and a side without a move leaves the tower unchanged. So
    /// `E = 1 + Σ p·E' + (1 - Σ p)·E`, where the sums are over the sides with a move. Green and blue are added first:
    /// then swapping them gives the same sum to the last bit, so that one record of a table is valid for both towers.
    pub fn minutes(&self) -> Minutes {
        let mut sides = 0;
        let mut share = |colour: Colour| match self.after(colour) {
            Some(after) => {
                sides += colour.sides();
                after.0 / f64::from(SIDES / colour.sides())
            }
            None => 0.0,
        };
        let sum = 1.0 + (share(Colour::Green) + share(Colour::Blue)) + share(Colour::Red);
        if sides == 0 { Minutes::NONE } else { Minutes(sum / (f64::from(sides) / f64::from(SIDES))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_minutes_include_waiting() {
        assert_eq!(Outlook::NO_MOVE.minutes(), Minutes(0.0));
        let mut outlook = Outlook::NO_MOVE;
        outlook.offer(Colour::Red, Minutes(5.0));
        outlook.offer(Colour::Red, Minutes(0.0));
        assert_eq!(outlook.minutes(), Minutes(6.0));
        outlook.offer(Colour::Blue, Minutes(3.0));
        assert_eq!(outlook.minutes(), Minutes(4.0));
        assert_eq!(outlook.after(Colour::Green), None);
    }
}
