//! Blocks, places and levels.

use std::fmt;
use std::str::FromStr;

/// The number of places of a level.
pub const PLACES: usize = 3;

/// The colour of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// One side of the die is red.
    Red,
    /// Two sides of the die are green.
    Green,
    /// Two sides of the die are blue.
    Blue,
}

impl Colour {
    /// Every colour.
    pub const ALL: [Colour; 3] = [Colour::Red, Colour::Green, Colour::Blue];

    /// The number of sides of the die, out of six, with this colour.
    pub const fn sides(self) -> u8 {
        match self {
            Colour::Red => 1,
            Colour::Green | Colour::Blue => 2,
        }
    }

    /// The letter in the contest's text.
    pub const fn letter(self) -> char {
        match self {
            Colour::Red => 'R',
            Colour::Green => 'G',
            Colour::Blue => 'B',
        }
    }

    /// The colour of a letter in the contest's text.
    pub const fn from_letter(letter: u8) -> Option<Colour> {
        match letter {
            b'R' => Some(Colour::Red),
            b'G' => Some(Colour::Green),
            b'B' => Some(Colour::Blue),
            _ => None,
        }
    }

    /// The colour after swapping green and blue.
    #[must_use]
    pub const fn swapped(self) -> Colour {
        match self {
            Colour::Red => Colour::Red,
            Colour::Green => Colour::Blue,
            Colour::Blue => Colour::Green,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Colour::Red => "red",
            Colour::Green => "green",
            Colour::Blue => "blue",
        })
    }
}

/// A place of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The first letter of a level's text.
    Left,
    /// The second letter of a level's text.
    Middle,
    /// The third letter of a level's text.
    Right,
}

impl Place {
    /// Every place, from left to right.
    pub const ALL: [Place; PLACES] = [Place::Left, Place::Middle, Place::Right];
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Place::Left => "left",
            Place::Middle => "middle",
            Place::Right => "right",
        })
    }
}

/// The blocks of a level, two bits per place, the left place in the lowest bits: 0 empty, 1 red, 2 green, 3 blue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The number of different levels, including those with empty places.
    pub const COUNT: usize = 64;
    /// The level without blocks.
    pub const EMPTY: Level = Level(0);

    /// Reads three letters of `R`, `G`, `B` and `.` from left to right.
    #[inline]
    pub fn from_letters(letters: &[u8]) -> Option<Level> {
        let letters: [u8; PLACES] = letters.try_into().ok()?;
        let mut level = Level::EMPTY;
        for (place, letter) in Place::ALL.into_iter().zip(letters) {
            match Colour::from_letter(letter) {
                None if letter != b'.' => return None,
                block => level = level.with(place, block),
            }
        }
        Some(level)
    }

    /// The level with these blocks from left to right: 0 is an empty place, 1 red, 2 green, 3 blue. `None` if a number is
    /// larger.
    pub fn from_numbers(numbers: [u8; PLACES]) -> Option<Level> {
        let [left, middle, right] = numbers;
        (left.max(middle).max(right) <= 3).then_some(Level(left | middle << 2 | right << 4))
    }

    /// The level as an array index, below [`Level::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The block at a place.
    pub const fn get(self, place: Place) -> Option<Colour> {
        match self.0 >> (2 * place as u8) & 3 {
            1 => Some(Colour::Red),
            2 => Some(Colour::Green),
            3 => Some(Colour::Blue),
            _ => None,
        }
    }

    /// The level with this block, or no block, at a place.
    #[must_use]
    pub const fn with(self, place: Place, block: Option<Colour>) -> Level {
        let bits = match block {
            None => 0,
            Some(colour) => colour as u8 + 1,
        };
        let shift = 2 * place as u8;
        Level(self.0 & !(3 << shift) | bits << shift)
    }

    /// The level with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Level {
        Level(self.0 >> 4 | self.0 & 0b1100 | (self.0 & 3) << 4)
    }

    /// The level after swapping green and blue.
    #[must_use]
    pub const fn swapped(self) -> Level {
        // The codes of green and blue differ only in the low bit.
        Level(self.0 ^ (self.0 >> 1 & 0b01_01_01))
    }

    /// The number of blocks, 0 to 3.
    pub const fn blocks(self) -> u8 {
        let occupied = (self.0 | self.0 >> 1) & 0b01_01_01;
        occupied.count_ones() as u8
    }

    /// Whether the level can carry the levels above it.
    pub const fn stands(self) -> bool {
        let sides = self.get(Place::Left).is_some() && self.get(Place::Right).is_some();
        sides || self.get(Place::Middle).is_some()
    }

    /// The block at a place, if it may be taken. The level must lie below the top.
    pub const fn takeable(self, place: Place) -> Option<Colour> {
        if self.with(place, None).stands() { self.get(place) } else { None }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Place::ALL.into_iter().try_for_each(|place| write!(f, "{}", self.get(place).map_or('.', Colour::letter)))
    }
}

/// A text that is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a level, write three of R, G, B and . for an empty place", .found)]
pub struct NotALevel {
    /// The text.
    pub found: String,
}

impl FromStr for Level {
    type Err = NotALevel;

    fn from_str(text: &str) -> Result<Level, NotALevel> {
        Level::from_letters(text.as_bytes()).ok_or_else(|| NotALevel { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_of_numbers_is_the_level_of_letters() {
        for (numbers, letters) in [([1, 2, 3], "RGB"), ([0, 3, 0], ".B."), ([2, 0, 1], "G.R"), ([0, 0, 0], "...")] {
            assert_eq!(Level::from_numbers(numbers), Level::from_letters(letters.as_bytes()), "{letters}");
        }
        for numbers in [[4, 0, 0], [0, 5, 0], [0, 0, 255]] {
            assert_eq!(Level::from_numbers(numbers), None);
        }
    }

    #[test]
    fn a_block_may_be_taken_if_the_level_still_stands_without_it() {
        let takeable = |level: &str| {
            let level: Level = level.parse().unwrap();
            Place::ALL.map(|place| level.takeable(place).map_or('-', Colour::letter)).iter().collect::<String>()
        };
        for (level, expected) in [("BBG", "BBG"), ("BB.", "B--"), (".BG", "--G"), ("B.G", "---"), (".B.", "---")] {
            assert_eq!(takeable(level), expected, "{level}");
        }
    }
}
