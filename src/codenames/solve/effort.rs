//! What a board will cost, before it is solved.
//!
//! Every position takes a look at each hint. The closed form is worked out for the hints whose bounds reach the best
//! value: for a hint with `o` own cards, `2^o` terms. The number of terms over all positions is a product over the
//! classes, so nothing has to be enumerated:
//!
//! ```text
//! cards one by one         3 per own card of the hint, 2 per other live card
//! classes of s cards       (s + 1)(s + 2)/2 per own class of the hint, s + 1 per other class
//! ```

use std::fmt;
use std::time::Duration;

use super::classes::{Class, ClassBoard, ClassHint};
use crate::codenames::rules::Team;

/// What it takes to solve a board, on one thread of an ordinary machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Positions whose value has to be known, each for both teams.
    pub positions: u64,
    /// The estimated time in seconds. Boards with few hints take about this long, boards with many often less.
    pub seconds: f64,
}

impl Effort {
    /// Nothing to do.
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

/// A time as people say it.
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

/// Nanoseconds that the steps of a method take.
#[derive(Debug, Clone, Copy)]
pub struct Costs {
    /// A position, for both teams.
    pub position: f64,
    /// A hint in a position, for both teams.
    pub hint: f64,
    /// A term of the closed form of the largest hint, which is nearly always worked out.
    pub largest: f64,
    /// A term of the closed form of any hint; most of them are ruled out by their bounds.
    pub term: f64,
}

/// How positions are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Card by card.
    Cards,
    /// Class by class.
    Classes,
}

impl Counting {
    /// The positions of a class.
    fn positions(self, class: &Class) -> f64 {
        match self {
            Counting::Cards => 2_f64.powi(class.size() as i32),
            Counting::Classes => class.size() as f64 + 1.0,
        }
    }

    /// The hits in a class, over its positions.
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

/// The terms of the closed form of a hint in all positions.
fn hint_terms(board: &ClassBoard, counting: Counting, team: Team, hint: &ClassHint) -> f64 {
    let mut terms = 1.0;
    // Each term has a part for the hits, and one for each other card that may be a miss; half of these are there.
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
