//! Estimates the time to solve a board.
//!
//! In every position the solver computes a bound for each hint, and the closed form for the hints whose bounds reach
//! the best value. For a hint with `o` own cards, the closed form has `2^o` terms. The number of terms over all
//! positions is a product over the classes, so the estimate needs no enumeration. Its factors are:
//!
//! ```text
//! cards one by one         3 per own card of the hint, 2 per other live card
//! classes of s cards       (s + 1)(s + 2)/2 per own class of the hint, s + 1 per other class
//! ```

use std::fmt;
use std::time::Duration;

use super::classes::{Class, ClassBoard, ClassHint};
use crate::codenames::rules::Team;

/// The work to solve a board, on one thread of an ordinary machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// The number of positions, each with a value for both teams.
    pub positions: u64,
    /// The estimated time in seconds. Boards with equal teams take about this time. Boards with very unequal teams, without
    /// an assassin or with very long hints take from a tenth of it up to twice as long, because the bounds exclude more or
    /// fewer hints.
    pub seconds: f64,
}

impl Effort {
    /// No work: the game is over.
    pub(crate) const NONE: Effort = Effort { positions: 0, seconds: 0.0 };

    /// The estimated time.
    pub fn time(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX)
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {}", Rounded(self.seconds))
    }
}

/// A time in seconds, written as a rounded number of the best unit.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rounded(seconds) = *self;
        match seconds {
            ..1.0 => write!(f, "a second"),
            ..120.0 => write!(f, "{seconds:.0} seconds"),
            ..7200.0 => write!(f, "{:.0} minutes", seconds / 60.0),
            ..172_800.0 => write!(f, "{:.0} hours", seconds / 3600.0),
            _ => write!(f, "{:.0} days", seconds / 86_400.0),
        }
    }
}

/// The time of each kind of step of a method, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Costs {
    /// A position, for both teams.
    pub position: f64,
    /// A hint in a position, for both teams.
    pub hint: f64,
    /// A term of the closed form of the largest hint, which is nearly always computed.
    pub largest: f64,
    /// A term of the closed form of any hint. It is small, because the bounds exclude most hints.
    pub term: f64,
}

/// What a position is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// One bit per card.
    Cards,
    /// One count per class.
    Classes,
}

impl Counting {
    /// The number of positions of a class.
    fn positions(self, class: &Class) -> f64 {
        match self {
            Counting::Cards => 2_f64.powi(class.size() as i32),
            Counting::Classes => class.size() as f64 + 1.0,
        }
    }

    /// The number of possible hits in a class, summed over its positions.
    fn hits(self, class: &Class) -> f64 {
        let size = class.size() as f64;
        match self {
            Counting::Cards => 3_f64.powi(class.size() as i32),
            Counting::Classes => (size + 1.0) * (size + 2.0) / 2.0,
        }
    }
}

/// The time that a method takes, in seconds.
pub fn seconds(board: &ClassBoard, counting: Counting, costs: Costs) -> f64 {
    let positions: f64 = board.classes.iter().map(|class| counting.positions(class)).product();
    let looks = positions * board.hints.len() as f64;
    let (mut terms, mut largest) = (0.0, 0.0);
    for team in Team::BOTH {
        let of_hints = || board.hints.iter().map(|hint| hint_terms(board, counting, team, hint));
        terms += of_hints().sum::<f64>();
        largest += of_hints().fold(0.0, f64::max);
    }
    1e-9 * (costs.position * positions + costs.hint * looks + costs.largest * largest + costs.term * terms)
}

/// The number of terms of the closed form of a hint, over all positions.
fn hint_terms(board: &ClassBoard, counting: Counting, team: Team, hint: &ClassHint) -> f64 {
    let mut terms = 1.0;
    // Each term has one part for the hits and one per unrevealed other card or class: a mean over all positions.
    let mut parts = 1.0;
    for (index, class) in board.classes.iter().enumerate() {
        if !hint.classes.contains(&index) {
            terms *= counting.positions(class);
        } else if class.is_own(team) {
            terms *= counting.hits(class);
        } else {
            terms *= counting.positions(class);
            parts += match counting {
                Counting::Cards => class.size() as f64 / 2.0,
                Counting::Classes => class.size() as f64 / (class.size() as f64 + 1.0),
            };
        }
    }
    terms * parts
}
