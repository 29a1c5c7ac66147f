//! The value of any position by search over the positions that can arise from it, each solved once.

use rustc_hash::FxHashMap;

use super::chance::{Chance, Share};
use super::rules::{ErrorFactor, Factors, Grid, Pieces, Player, Position, Shape};

/// The most moves that one side can have on a board that is answered: both ways between all neighbours of 4x4.
const MOST_MOVES: usize = 48;

/// The values found so far on one shape for one pair of error factors; one question helps the next.
pub struct Search {
    grid: Grid,
    factors: Factors,
    solved: FxHashMap<Key, Share>,
}

impl Search {
    /// Knows nothing yet.
    pub fn new(shape: Shape, factors: Factors) -> Search {
        Search { grid: Grid::new(shape), factors, solved: FxHashMap::default() }
    }

    /// The probability that Justin wins. The position must be of this search's shape.
    pub fn chance(&mut self, position: Position) -> Chance {
        let mover = position.to_move;
        let turns = Turns { mover: self.factors.of(mover), other: self.factors.of(mover.opponent()) };
        let share = self.solve(self.grid.live(position.pieces()), turns);
        match mover {
            Player::Justin => share.chance(),
            Player::Donald => share.rest().chance(),
        }
    }

    /// How many positions have been solved.
    pub fn positions(&self) -> usize {
        self.solved.len()
    }

    /// The value for the side to move; none of the pieces stands alone.
    fn solve(&mut self, pieces: Pieces, turns: Turns) -> Share {
        // A piece that is not alone has a neighbour to capture. So a side with pieces can move, and a side without any
        // will never move again.
        if pieces.mover.is_empty() {
            return Share::NOTHING;
        }
        if pieces.other.is_empty() {
            return Share::ALL;
        }
        let key = Key::new(pieces, turns);
        if let Some(&share) = self.solved.get(&key) {
            return share;
        }
        let mut values = [Share::NOTHING; MOST_MOVES];
        let mut count = 0;
        for capture in self.grid.moves(pieces) {
            let next = self.grid.live(pieces.after(capture));
            values[count] = self.solve(next, turns.passed()).rest();
            count += 1;
        }
        let share = Share::of_proposal(&mut values[..count], turns.mover);
        self.solved.insert(key, share);
        share
    }
}

/// The error factors in the order in which the sides move.
#[derive(Clone, Copy)]
struct Turns {
    mover: ErrorFactor,
    other: ErrorFactor,
}

impl Turns {
    fn passed(self) -> Turns {
        Turns { mover: self.other, other: self.mover }
    }
}

/// What decides a value while the pair of error factors stays the same: the pieces as the side to move sees them,
/// and its factor, which stands for the player. Equal factors make the two players one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u64);

impl Key {
    fn new(pieces: Pieces, turns: Turns) -> Key {
        let factor = turns.mover.moves().min(MOST_MOVES) as u64;
        Key(u64::from(pieces.mover.0) | u64::from(pieces.other.0) << 16 | factor << 32)
    }
}
