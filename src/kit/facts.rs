//! Properties of a game.

use serde::{Deserialize, Serialize};

use super::number::{Arithmetic, Bounds};
use super::rules::{Cycles, Rules};

/// Properties of a game, collected from its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) has_chance: bool,
    pub(super) has_waiting: bool,
    pub(super) has_costs: bool,
    pub(super) has_max: bool,
    pub(super) has_min: bool,
    pub(super) has_turns: bool,
    /// The least value of a finished game, as the rules write it.
    pub(super) least: f64,
    /// The greatest value of a finished game, as the rules write it.
    pub(super) greatest: f64,
    /// The least cost, or 0 if no cost is negative.
    pub(super) least_cost: f64,
    /// The bounds of all values of a finished game. Unlike the least and the greatest value, they are not rounded to
    /// the nearest double.
    pub(super) ends: Bounds,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts::NONE
    }
}

impl Facts {
    pub(super) const NONE: Facts = Facts {
        has_chance: false,
        has_waiting: false,
        has_costs: false,
        has_max: false,
        has_min: false,
        has_turns: false,
        least: f64::INFINITY,
        greatest: f64::NEG_INFINITY,
        least_cost: 0.0,
        ends: Bounds { lower: f64::INFINITY, upper: f64::NEG_INFINITY },
    };

    pub(super) fn and(self, other: Facts) -> Facts {
        Facts {
            has_chance: self.has_chance || other.has_chance,
            has_waiting: self.has_waiting || other.has_waiting,
            has_costs: self.has_costs || other.has_costs,
            has_max: self.has_max || other.has_max,
            has_min: self.has_min || other.has_min,
            has_turns: self.has_turns || other.has_turns,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            least_cost: self.least_cost.min(other.least_cost),
            ends: self.ends.around(other.ends),
        }
    }

    /// Whether all choices are those of one player.
    pub(super) fn has_one_player(&self) -> bool {
        !(self.has_turns || self.has_max && self.has_min)
    }

    /// Whether this is a game of two players without chance. Only then is the number of moves to the end defined.
    pub(super) fn has_length(&self) -> bool {
        let two_players = self.has_turns || self.has_max && self.has_min;
        two_players && !self.has_chance && !self.has_waiting
    }

    /// The value of a draw: half of the sum, or the middle between the least and the greatest value. A single player
    /// who may repeat positions has no draw: an endless game is worse than every end.
    pub(super) fn middle<R: Rules>(&self, rules: &R) -> f64 {
        if matches!(rules.cycles(), Cycles::Iterate { .. }) && self.has_one_player() {
            let step = 1.0 + self.least.abs().max(self.greatest.abs());
            return if self.has_min { self.greatest + step } else { self.least - step };
        }
        let is_half = self.has_turns || rules.cycles() == Cycles::Draw;
        if is_half { rules.sum() as f64 / 2.0 } else { self.least.midpoint(self.greatest) }
    }
}

impl Bounds {
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
