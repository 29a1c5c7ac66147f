//! The value of any position, by search with a memo over all positions that can follow.

use rustc_hash::FxHashMap;

use super::chance::{Chance, Share};
use super::rules::{ErrorFactor, Factors, Grid, Pieces, Player, Position, Shape};

/// The largest number of moves of one side: 4x4 has 24 pairs of neighbours, with two moves each.
const MOST_MOVES: usize = 48;

/// A search on boards of one shape with one pair of error factors. Later calls reuse its memo.
#[derive(Debug)]
pub struct Search {
    grid: Grid,
    factors: Factors,
    memo: FxHashMap<Key, Share>,
}

impl Search {
    /// A search with an empty memo.
    pub fn new(shape: Shape, factors: Factors) -> Search {
        Search { grid: Grid::new(shape), factors, memo: FxHashMap::default() }
    }

    /// The probability that Justin wins. The board must have the shape of this search.
    pub fn chance(&mut self, position: Position) -> Chance {
        let mover = position.to_move;
        let turns = Turns { mover: self.factors.of(mover), other: self.factors.of(mover.opponent()) };
        let share = self.solve(self.grid.live(position.pieces()), turns);
        match mover {
            Player::Justin => share.chance(),
            Player::Donald => share.rest().chance(),
        }
    }

    /// The number of solved positions.
    pub fn positions(&self) -> usize {
        self.memo.len()
    }

    /// The value for the side to move. Every piece must have a neighbour.
    fn solve(&mut self, pieces: Pieces, turns: Turns) -> Share {
        // Every piece has a neighbour to capture. So a side with pieces can move, and a side without pieces can never
        // move again.
        if pieces.mover.is_empty() {
            return Share::NOTHING;
        }
        if pieces.other.is_empty() {
            return Share::ALL;
        }
        let key = Key::new(pieces, turns);
        if let Some(&share) = self.memo.get(&key) {
            return share;
        }
        let mut values = [Share::NOTHING; MOST_MOVES];
        let mut count = 0;
        for capture in self.grid.moves(pieces) {
            let next = self.grid.live(pieces.after(capture));
            values[count] = self.solve(next, turns.exchanged()).rest();
            count += 1;
        }
        let share = Share::of_proposal(&mut values[..count], turns.mover);
        self.memo.insert(key, share);
        share
    }
}

/// The error factors of the side to move and of the other side.
#[derive(Clone, Copy)]
struct Turns {
    mover: ErrorFactor,
    other: ErrorFactor,
}

impl Turns {
    fn exchanged(self) -> Turns {
        Turns { mover: self.other, other: self.mover }
    }
}

/// The key of the memo: the pieces of both sides, and the factor of the side to move. The pair of factors is fixed, so
/// this factor identifies the player. If both factors are equal, the player does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u64);

impl Key {
    fn new(pieces: Pieces, turns: Turns) -> Key {
        let factor = turns.mover.moves().min(MOST_MOVES) as u64;
        Key(u64::from(pieces.mover.0) | u64::from(pieces.other.0) << 16 | factor << 32)
    }
}
