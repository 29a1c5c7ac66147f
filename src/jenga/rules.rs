//! What coloured Jenga is: blocks, levels, towers, what may be taken and where it goes.
//!
//! A level has three places. Only levels below the top give blocks, and each of them must keep its middle block or both
//! of its side blocks, or the tower falls:
//!
//! ```text
//!   B B G   all there: any one may be taken
//!   B B .   a side gone: the other side may be taken, the middle may not
//!   B . G   the middle gone: nothing may be taken
//!   . B .   only the middle left: nothing may be taken
//! ```

use std::fmt;
use std::str::FromStr;

/// Places of a level.
pub const PLACES: usize = 3;
/// Blocks of the largest tower that is answered: eight levels before the first move.
pub const MAX_BLOCKS: usize = 24;
/// Sides of the die: one red, two green, two blue, one black.
pub const SIDES: u8 = 6;

/// The colour of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// On one side of the die.
    Red,
    /// On two sides of the die.
    Green,
    /// On two sides of the die.
    Blue,
}

impl Colour {
    /// Every colour.
    pub const ALL: [Colour; 3] = [Colour::Red, Colour::Green, Colour::Blue];

    /// The sides of the die, out of six, that show this colour.
    pub const fn sides(self) -> u8 {
        match self {
            Colour::Red => 1,
            Colour::Green | Colour::Blue => 2,
        }
    }

    /// The letter of the contest's text.
    pub const fn letter(self) -> char {
        match self {
            Colour::Red => 'R',
            Colour::Green => 'G',
            Colour::Blue => 'B',
        }
    }

    /// The colour of a letter of the contest's text.
    pub const fn from_letter(letter: u8) -> Option<Colour> {
        match letter {
            b'R' => Some(Colour::Red),
            b'G' => Some(Colour::Green),
            b'B' => Some(Colour::Blue),
            _ => None,
        }
    }

    /// Green for blue and blue for green.
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
    /// The first letter of a level.
    Left,
    /// The letter between the others.
    Middle,
    /// The last letter of a level.
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

/// The blocks of a level, two bits a place, the left place lowest: 0 empty, 1 red, 2 green, 3 blue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// Different levels, empty places included.
    pub const COUNT: usize = 64;
    /// The level without a block.
    pub const EMPTY: Level = Level(0);

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

    /// The level with this block, or none, at a place.
    #[must_use]
    pub const fn with(self, place: Place, block: Option<Colour>) -> Level {
        let bits = match block {
            None => 0,
            Some(colour) => colour as u8 + 1,
        };
        let shift = 2 * place as u8;
        Level(self.0 & !(3 << shift) | bits << shift)
    }

    /// The level seen from the other end.
    #[must_use]
    pub const fn mirrored(self) -> Level {
        Level(self.0 >> 4 | self.0 & 0b1100 | (self.0 & 3) << 4)
    }

    /// Green for blue and blue for green.
    #[must_use]
    pub const fn swapped(self) -> Level {
        // The codes of green and blue differ in the low bit alone.
        Level(self.0 ^ (self.0 >> 1 & 0b01_01_01))
    }

    /// Blocks of the level, 0 to 3.
    pub const fn blocks(self) -> u8 {
        let taken = (self.0 | self.0 >> 1) & 0b01_01_01;
        taken.count_ones() as u8
    }

    /// Whether the level holds up what lies on it.
    pub const fn stands(self) -> bool {
        let sides = self.get(Place::Left).is_some() && self.get(Place::Right).is_some();
        sides || self.get(Place::Middle).is_some()
    }

    /// The block at a place if it may be taken while the level lies below the top.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotALevel {
    /// The text.
    pub found: String,
}

impl fmt::Display for NotALevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a level, write three of R, G, B and . for an empty place", self.found)
    }
}

impl std::error::Error for NotALevel {}

impl Level {
    /// Reads three letters of `R`, `G`, `B` and `.` from left to right.
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
}

impl FromStr for Level {
    type Err = NotALevel;

    fn from_str(text: &str) -> Result<Level, NotALevel> {
        Level::from_letters(text.as_bytes()).ok_or_else(|| NotALevel { found: text.to_owned() })
    }
}

/// Why levels are not a tower; they are counted from 1 at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotATower {
    /// There is no level.
    NoLevel,
    /// There are more than [`MAX_BLOCKS`] blocks.
    TooLarge {
        /// The blocks of all levels.
        blocks: usize,
    },
    /// A level below the top has no block.
    EmptyLevel {
        /// The number of the level.
        level: usize,
    },
    /// A level below the top has one block, at its side.
    LoneSide {
        /// The number of the level.
        level: usize,
    },
    /// The top has no block.
    EmptyTop {
        /// The number of the level.
        level: usize,
    },
}

impl NotATower {
    /// The number of the level that is wrong, where it is one of them.
    pub fn level(self) -> Option<usize> {
        match self {
            NotATower::NoLevel | NotATower::TooLarge { .. } => None,
            NotATower::EmptyLevel { level } | NotATower::LoneSide { level } | NotATower::EmptyTop { level } => {
                Some(level)
            }
        }
    }

    /// What to do about it.
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

impl fmt::Display for NotATower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotATower::NoLevel => write!(f, "a tower without a level"),
            NotATower::TooLarge { blocks } => write!(f, "a tower of {blocks} blocks"),
            NotATower::EmptyLevel { level } => write!(f, "the tower falls, level {level} below the top is empty"),
            NotATower::LoneSide { level } => write!(f, "the tower falls, level {level} rests on a lone side block"),
            NotATower::EmptyTop { level } => write!(f, "the top level {level} is empty"),
        }
    }
}

impl std::error::Error for NotATower {}

/// Where a block lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The number of the level, from 1 at the bottom.
    pub level: usize,
    /// The place on it.
    pub place: Place,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {} {}", self.level, self.place)
    }
}

/// A block that is taken, and the spot on the top, or on a new top, where it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The colour of the block.
    pub colour: Colour,
    /// Where it is taken.
    pub take: Spot,
    /// Where it is put.
    pub put: Spot,
}

/// A tower that stands, of at most [`MAX_BLOCKS`] blocks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tower {
    /// From the bottom to the top; never empty.
    levels: Vec<Level>,
}

impl Tower {
    /// The tower of these levels, the bottom first, if it stands.
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
        let blocks = levels.iter().map(|level| usize::from(level.blocks())).sum();
        if blocks > MAX_BLOCKS { Err(NotATower::TooLarge { blocks }) } else { Ok(Tower { levels }) }
    }

    /// The levels from the bottom to the top.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The top level, which has at least one block and gives none.
    pub fn top(&self) -> Level {
        self.levels[self.levels.len() - 1]
    }

    /// The levels below the top, from the bottom.
    pub fn below(&self) -> &[Level] {
        &self.levels[..self.levels.len() - 1]
    }

    /// Every legal move, by the block taken from the bottom up and from left to right.
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

    /// The tower after one of its [moves](Tower::moves).
    #[must_use]
    pub fn after(&self, step: Move) -> Tower {
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

    /// Where a block may be put: on the top while it has room, then on a new level.
    fn free_spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let (level, top) = match self.top() {
            full if full.blocks() == PLACES as u8 => (self.levels.len() + 1, Level::EMPTY),
            top => (self.levels.len(), top),
        };
        let free = Place::ALL.into_iter().filter(move |&place| top.get(place).is_none());
        free.map(move |place| Spot { level, place })
    }
}

/// Expected minutes until the game ends, under best play.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Minutes(pub f64);

impl Minutes {
    /// No block can be taken: the game is over.
    pub const NONE: Minutes = Minutes(0.0);
}

impl fmt::Display for Minutes {
    /// The shortest text that reads back as the same double.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The least expected minutes after a move, for each colour of the die.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// Infinite where the colour has no move.
    after: [f64; Colour::ALL.len()],
}

impl Outlook {
    /// No move is known yet.
    pub const NO_MOVE: Outlook = Outlook { after: [f64::INFINITY; Colour::ALL.len()] };

    /// Takes note of a move with a block of this colour and of the minutes expected after it.
    pub fn offer(&mut self, colour: Colour, after: Minutes) {
        let least = &mut self.after[colour as usize];
        *least = least.min(after.0);
    }

    /// The minutes expected after the best move with this colour, or `None` where the player has to wait.
    pub fn after(&self, colour: Colour) -> Option<Minutes> {
        let least = self.after[colour as usize];
        least.is_finite().then_some(Minutes(least))
    }

    /// The minutes expected before the die is thrown.
    ///
    /// Every throw takes a minute, and a side without a move leaves the tower as it is, so that
    /// `E = 1 + Σ p·E' + (1 - Σ p)·E` over the sides with a move. Green and blue are added first: the sum is then the
    /// same to the last bit when they are swapped, which lets one record of a table stand for both towers.
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

    fn tower(levels: &[&str]) -> Result<Tower, NotATower> {
        Tower::new(levels.iter().map(|level| level.parse().unwrap()).collect())
    }

    #[test]
    fn a_level_gives_what_leaves_it_standing() {
        let takeable = |level: &str| {
            let level: Level = level.parse().unwrap();
            Place::ALL.map(|place| level.takeable(place).map_or('-', Colour::letter)).iter().collect::<String>()
        };
        for (level, expected) in [("BBG", "BBG"), ("BB.", "B--"), (".BG", "--G"), ("B.G", "---"), (".B.", "---")] {
            assert_eq!(takeable(level), expected, "{level}");
        }
    }

    #[test]
    fn what_cannot_stand_is_refused_with_the_reason() {
        assert_eq!(tower(&[]), Err(NotATower::NoLevel));
        assert_eq!(tower(&["..."]), Err(NotATower::EmptyTop { level: 1 }));
        assert_eq!(tower(&["RGB", "...", "R.."]), Err(NotATower::EmptyLevel { level: 2 }));
        assert_eq!(tower(&["..B", "R.."]), Err(NotATower::LoneSide { level: 1 }));
        assert_eq!(tower(&["RGB"; 9]), Err(NotATower::TooLarge { blocks: 27 }));
        assert!(tower(&["RGB"; 8]).is_ok());
        assert!(tower(&[".G."; 24]).is_ok());
    }

    #[test]
    fn a_block_goes_on_the_top_while_it_has_room() {
        let spots = |levels: &[&str]| -> Vec<String> {
            tower(levels).unwrap().free_spots().map(|spot| spot.to_string()).collect()
        };
        assert_eq!(spots(&["RGB", ".G."]), ["level 2 left", "level 2 right"]);
        assert_eq!(spots(&["RGB", "RRR"]), ["level 3 left", "level 3 middle", "level 3 right"]);
    }

    #[test]
    fn a_move_carries_its_block_to_the_top() {
        let start = tower(&["RGB", "RRR"]).unwrap();
        let moves = start.moves();
        assert_eq!(moves.len(), 9);
        let after = start.after(moves[3]);
        assert_eq!(after, tower(&["R.B", "RRR", "G.."]).unwrap());
        assert_eq!(after.moves().len(), 6, "the old top has come to lie below");
    }

    #[test]
    fn waiting_takes_minutes_too() {
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
