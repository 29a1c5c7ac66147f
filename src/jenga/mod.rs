//! Coloured Jenga: one player, a die and a tower. The value is the expected length of the game in minutes.
//!
//! Every minute the player rolls the die, which shows a colour. He takes a block of this colour from below the top and
//! puts it on the top, or waits if that is impossible. He plays so that the expected length of the game is minimal.
//!
//! ```
//! use tabletop::game::Game;
//! use tabletop::jenga::{Colour, Jenga, Tower};
//! use tabletop::table::Places;
//!
//! let jenga = Jenga::open(&Places::only("tables"))?;
//! let tower: Tower = "3\nRGR\n.RG\nG..\n".parse()?;
//! let advice = jenga.advise(&tower)?;
//! assert_eq!(advice.minutes().to_string(), "7.666666666666666");
//!
//! let best = advice.choices(Colour::Green).next().unwrap();
//! assert_eq!(best.first.to_string(), "green: take level 1 middle, put it on level 3 middle");
//! assert_eq!(jenga.value(&tower.after(best.first)?)?, best.minutes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod explain;
pub mod form;
pub mod index;
mod judge;
pub mod rules;
mod sample;

use std::io::Read;
use std::time::Duration;

pub use answer::{Advice, Choice};
pub use rules::{Colour, IllegalMove, Level, Minutes, Move, NotALevel, NotATower, Place, Spot, Tower};

use answer::Answers;
use index::{TABLE_BLOCKS, TOWERS};

use crate::game::{self, Contest, Error, Game, Judging, Kind, Load, Profile, Sample, Size, Verdict};
use crate::input::{InputError, Lines};
use crate::table::{LazyTable, Places, Table, TableBytes, TableError};

/// The largest absolute or relative error that the contest accepts.
const TOLERANCE: f64 = 1e-6;

/// Coloured Jenga, answered from its table and by search.
#[derive(Debug)]
pub struct Jenga {
    towers: LazyTable<f64>,
}

impl Jenga {
    /// The description of the game.
    pub const PROFILE: Profile<'static> = Profile {
        name: "jenga",
        about: "Coloured Jenga: the fewest expected minutes until the game ends",
        question: "coloured Jenga: how few minutes a tower lasts, and what to take",
        format: "write the number of levels, then a line of three letters per level, the bottom first",
        help: "\
Input: the number of levels, then three letters of R, G, B and . (an empty
place) per level, the bottom first. Towers of up to 18 blocks, six levels
before the first move, are looked up; larger ones are searched, up to 24 blocks.

The player wants the game to end in as few minutes as possible. If the die shows
a colour of which he can take a block, he must take one.

Examples:
  printf '2\\nRGB\\nGRG\\n' | tabletop jenga
  printf '3\\nRGB\\n.RG\\nG..\\n' | tabletop jenga --explain",
        sample: "2\nRGB\nGRG\n",
        demonstration: None,
        max_cases: 1,
        contest: Contest::USUAL,
        tables: &[&TOWERS],
        options: &[],
    };

    /// The game with the tables in these places. Each table is opened when a case first needs it.
    pub fn at(places: &Places) -> Jenga {
        Jenga { towers: LazyTable::at(places, &TOWERS) }
    }

    /// The game with this table of towers.
    pub fn new(towers: Table<TableBytes, f64>) -> Jenga {
        Jenga { towers: towers.into() }
    }

    fn answers(&self) -> Result<Answers<'_>, TableError> {
        Ok(Answers::new(self.towers.table()?))
    }
}

impl Game for Jenga {
    const FORMAT: &'static str = Jenga::PROFILE.format;
    type Case = Tower;
    type Value = Minutes;
    type Advice = Advice;

    fn profile(&self) -> Profile<'_> {
        Jenga::PROFILE
    }

    fn ready(&self) -> Result<(), TableError> {
        self.answers().map(|_| ())
    }

    fn read(lines: &mut Lines<impl Read>) -> Result<Tower, InputError> {
        judge::read_tower(lines)
    }

    fn load(&self, tower: &Tower, _patience: Duration) -> Result<Load, Error> {
        // Such a tower is at most two moves away from the table.
        Ok(if tower.blocks() <= TABLE_BLOCKS { Load::Lookup } else { Load::Deep })
    }

    fn value(&self, tower: &Tower) -> Result<Minutes, Error> {
        Ok(self.answers()?.minutes(tower)?)
    }

    fn advise(&self, tower: &Tower) -> Result<Advice, Error> {
        Ok(self.answers()?.advise(tower)?)
    }

    fn accepts(minutes: &Minutes, answer: &str, _judging: &Judging) -> Verdict {
        game::accepts_within(minutes.0, answer, TOLERANCE * minutes.0.abs().max(1.0))
    }
}

impl Sample for Jenga {
    const SIZES: &'static [Size] = sample::SIZES;

    fn sample(&self, kind: Kind, seed: u64) -> Result<Tower, Error> {
        Ok(sample::sample(kind, seed))
    }

    fn with_sizes(&self, sizes: &[Option<u32>], seed: u64) -> Result<Tower, String> {
        Ok(sample::sized(sizes.first().copied().flatten(), seed))
    }

    fn sizes(tower: &Tower) -> Vec<u32> {
        vec![tower.levels().len() as u32]
    }

    fn smaller(&self, tower: &Tower) -> Vec<Tower> {
        sample::smaller(tower)
    }
}
