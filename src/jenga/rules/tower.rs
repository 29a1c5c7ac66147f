//! Towers and moves.

use std::fmt;

use super::level::{Colour, Level, PLACES, Place};

/// The number of blocks of the largest supported tower: eight levels before the first move.
pub const MAX_BLOCKS: usize = 24;

/// Why levels are not a tower. Levels are numbered from 1 at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotATower {
    /// There is no level.
    #[error("a tower without a level")]
    NoLevel,
    /// There are more than [`MAX_BLOCKS`] blocks.
    #[error("a tower of {blocks} blocks")]
    TooLarge {
        /// The number of blocks of all levels.
        blocks: usize,
    },
    /// A level below the top has no block.
    #[error("the tower falls, level {level} below the top is empty")]
    EmptyLevel {
        /// The number of the level.
        level: usize,
    },
    /// A level below the top has only one block, at a side.
    #[error("the tower falls, level {level} rests on a lone side block")]
    LoneSide {
        /// The number of the level.
        level: usize,
    },
    /// The top has no block.
    #[error("the top level {level} is empty")]
    EmptyTop {
        /// The number of the level.
        level: usize,
    },
}

impl NotATower {
    /// The number of the wrong level, if a single level is wrong.
    pub fn level(self) -> Option<usize> {
        match self {
            NotATower::NoLevel | NotATower::TooLarge { .. } => None,
            NotATower::EmptyLevel { level } | NotATower::LoneSide { level } | NotATower::EmptyTop { level } => {
                Some(level)
            }
        }
    }

    /// How to correct the input.
    pub fn remedy(self) -> String {
        match self {
            NotATower::NoLevel => String::from("write the top level at least"),
            NotATower::TooLarge { .. } => {
                format!("the limit is {MAX_BLOCKS} blocks, which is {} full levels", MAX_BLOCKS / PLACES)
            }
            NotATower::EmptyLevel { .. } | NotATower::LoneSide { .. } => {
                String::from("leave it its middle block or both side blocks")
            }
            NotATower::EmptyTop { .. } => String::from("leave the level out or put a block on it"),
        }
    }
}

/// A place on a level of the tower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The number of the level, from 1 at the bottom.
    pub level: usize,
    /// The place on the level.
    pub place: Place,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {} {}", self.level, self.place)
    }
}

/// A move: a block is taken and put on the top level or on a new level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The colour of the block.
    pub colour: Colour,
    /// Where the block is taken.
    pub take: Spot,
    /// Where the block is put.
    pub put: Spot,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: take {}, put it on {}", self.colour, self.take, self.put)
    }
}

/// A move that is not legal in the tower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a move of this tower, choose one of those that it lists", .0)]
pub struct IllegalMove(pub Move);

/// A tower that does not fall, with at most [`MAX_BLOCKS`] blocks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tower {
    /// From the bottom to the top; never empty.
    levels: Vec<Level>,
}

impl Tower {
    /// The tower with these levels, the bottom first.
    pub fn new(levels: Vec<Level>) -> Result<Tower, NotATower> {
        let Some((&top, below)) = levels.split_last() else { return Err(NotATower::NoLevel) };
        if let Some(fallen) = below.iter().position(|level| !level.stands()) {
            let level = fallen + 1;
            return Err(match below[fallen] {
                Level::EMPTY => NotATower::EmptyLevel { level },
                _ => NotATower::LoneSide { level },
            });
        }
        if top == Level::EMPTY {
            return Err(NotATower::EmptyTop { level: levels.len() });
        }
        let tower = Tower { levels };
        let blocks = tower.blocks();
        if blocks > MAX_BLOCKS { Err(NotATower::TooLarge { blocks }) } else { Ok(tower) }
    }

    /// The number of blocks of all levels.
    pub fn blocks(&self) -> usize {
        self.levels.iter().map(|level| usize::from(level.blocks())).sum()
    }

    /// The levels from the bottom to the top.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The top level. It has at least one block, and no block may be taken from it.
    pub fn top(&self) -> Level {
        self.levels[self.levels.len() - 1]
    }

    /// The levels below the top, from the bottom.
    pub fn below(&self) -> &[Level] {
        &self.levels[..self.levels.len() - 1]
    }

    /// Every legal move, ordered by the taken block: from the bottom up, then from left to right.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (number, level) in (1..).zip(self.below()) {
            for place in Place::ALL {
                if let Some(colour) = level.takeable(place) {
                    let take = Spot { level: number, place };
                    moves.extend(self.free_spots().map(|put| Move { colour, take, put }));
                }
            }
        }
        moves
    }

    /// The tower after a move, or an error if the move is not legal.
    pub fn after(&self, step: Move) -> Result<Tower, IllegalMove> {
        let Move { colour, take, put } = step;
        let level = take.level.checked_sub(1).and_then(|number| self.below().get(number));
        let is_legal = level.is_some_and(|level| level.takeable(take.place) == Some(colour))
            && self.free_spots().any(|free| free == put);
        if is_legal { Ok(self.after_legal(step)) } else { Err(IllegalMove(step)) }
    }

    /// The tower after one of its [moves](Tower::moves).
    #[must_use]
    pub(crate) fn after_legal(&self, step: Move) -> Tower {
        let mut levels = self.levels.clone();
        if step.put.level > levels.len() {
            levels.push(Level::EMPTY);
        }
        let taken = &mut levels[step.take.level - 1];
        *taken = taken.with(step.take.place, None);
        let top = &mut levels[step.put.level - 1];
        *top = top.with(step.put.place, Some(step.colour));
        Tower { levels }
    }

    /// Where a block may be put: on the top level while it has an empty place, otherwise on a new level.
    fn free_spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let (level, top) = match self.top() {
            full if full.blocks() == PLACES as u8 => (self.levels.len() + 1, Level::EMPTY),
            top => (self.levels.len(), top),
        };
        let free = Place::ALL.into_iter().filter(move |&place| top.get(place).is_none());
        free.map(move |place| Spot { level, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tower(levels: &[&str]) -> Result<Tower, NotATower> {
        Tower::new(levels.iter().map(|level| level.parse().unwrap()).collect())
    }

    #[test]
    fn levels_that_are_not_a_tower_are_refused_with_the_reason() {
        assert_eq!(tower(&[]), Err(NotATower::NoLevel));
        assert_eq!(tower(&["..."]), Err(NotATower::EmptyTop { level: 1 }));
        assert_eq!(tower(&["RGB", "...", "R.."]), Err(NotATower::EmptyLevel { level: 2 }));
        assert_eq!(tower(&["..B", "R.."]), Err(NotATower::LoneSide { level: 1 }));
        assert_eq!(tower(&["RGB"; 9]), Err(NotATower::TooLarge { blocks: 27 }));
        assert!(tower(&["RGB"; 8]).is_ok());
        assert!(tower(&[".G."; 24]).is_ok());
    }

    #[test]
    fn a_block_is_put_on_the_top_while_it_has_an_empty_place() {
        let spots = |levels: &[&str]| -> Vec<String> {
            tower(levels).unwrap().free_spots().map(|spot| spot.to_string()).collect()
        };
        assert_eq!(spots(&["RGB", ".G."]), ["level 2 left", "level 2 right"]);
        assert_eq!(spots(&["RGB", "RRR"]), ["level 3 left", "level 3 middle", "level 3 right"]);
    }

    #[test]
    fn a_move_puts_its_block_on_the_top() {
        let start = tower(&["RGB", "RRR"]).unwrap();
        let moves = start.moves();
        assert_eq!(moves.len(), 9);
        let after = start.after(moves[3]).unwrap();
        assert_eq!(after, tower(&["R.B", "RRR", "G.."]).unwrap());
        assert_eq!(after.moves().len(), 6, "the old top is now below the top");
        assert_eq!(after.after(moves[3]), Err(IllegalMove(moves[3])), "the block was already taken");
    }
}
