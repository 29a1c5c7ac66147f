//! Pig to 100 points: roll as often as you like, but a 1 loses the points of the turn.
//!
//! Under best play the first player wins with probability 0.5306: Todd W. Neller and Clifton G. M. Presser, "Optimal
//! Play of the Dice Game Pig", The UMAP Journal 25(1), 2004.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cycles, Node, Rules};

const GOAL: u8 = 100;

/// The points of the player to move, of the other player, and of this turn so far.
#[derive(Serialize, Deserialize)]
pub struct Points {
    own: u8,
    other: u8,
    turn: u8,
}

/// The game.
pub struct Pig;

impl Rules for Pig {
    type Position = Points;
    type Move = &'static str;

    fn name(&self) -> &str {
        "pig"
    }

    fn about(&self) -> &str {
        "Pig to 100 points: the probability that the player to move wins"
    }

    /// The winning probabilities of both players add up to one.
    fn sum(&self) -> i64 {
        1
    }

    /// If both players roll a 1, the same position comes again.
    fn cycles(&self) -> Cycles {
        Cycles::Iterate { tolerance: 1e-9 }
    }

    fn starts(&self) -> Vec<Points> {
        vec![Points { own: 0, other: 0, turn: 0 }]
    }

    fn node(&self, &Points { own, other, turn }: &Points) -> Node<Self> {
        let rolled = |die: u8| match turn + die {
            sum if own + sum >= GOAL => Node::over(1),
            sum => Node::go(Points { own, other, turn: sum }),
        };
        let lost = Node::turn(Points { own: other, other: own, turn: 0 });
        let roll = Node::chance([(1, lost)].into_iter().chain((2..=6).map(|die| (1, rolled(die)))));
        if turn == 0 {
            // Holding without points is left out, because both players could do it for ever.
            return Node::max([("roll", roll)]);
        }
        let hold = Node::turn(Points { own: other, other: own + turn, turn: 0 });
        Node::max([("roll", roll), ("hold", hold)])
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.own, self.other, self.turn)
    }
}

impl FromStr for Points {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Points, &'static str> {
        let numbers: Vec<u8> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [own, other, turn] if own < GOAL && other < GOAL && turn < GOAL => Ok(Points { own, other, turn }),
            _ => Err("write your points, the other's points and those of the turn, each below 100"),
        }
    }
}

fn main() -> ExitCode {
    kit::main(Pig)
}
