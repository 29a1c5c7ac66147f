//! The inputs of a run: a kind and a seed for each input number.

use std::fmt;
use std::ops::RangeInclusive;

use tabletop::game::Kind;
use tabletop::seeded::Seeded;

/// How an input is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// A sample of this kind.
    Kind(Kind),
    /// An edge case that programs often get wrong.
    Edge,
}

impl Draw {
    /// All of them, the easiest first.
    pub const ALL: [Draw; 4] =
        [Draw::Kind(Kind::Tiny), Draw::Kind(Kind::Ordinary), Draw::Kind(Kind::Worst), Draw::Edge];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Draw::Kind(kind) => kind.name(),
            Draw::Edge => "edge",
        }
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Everything that determines an input, apart from the game and the requested sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// How it is drawn.
    pub draw: Draw,
    /// The seed.
    pub seed: u64,
}

/// The inputs of a run: tiny ones first, then ordinary ones, then worst and edge inputs alternately.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The number of inputs.
    pub inputs: u64,
    /// The seed of all input seeds.
    pub seed: u64,
    /// The kinds to draw; empty for all.
    pub draws: Vec<Draw>,
}

impl Plan {
    /// The recipe of input `number`, from 0.
    pub fn recipe(&self, number: u64) -> Recipe {
        let seed = Seeded(self.seed ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93)).below(1 << 53);
        Recipe { draw: self.draw(number), seed }
    }

    fn draw(&self, number: u64) -> Draw {
        if !self.draws.is_empty() {
            let part = u128::from(number) * self.draws.len() as u128 / u128::from(self.inputs.max(1));
            return self.draws[(part as usize).min(self.draws.len() - 1)];
        }
        // 40 % tiny, 30 % ordinary, and 30 % edge and worst.
        match u128::from(number) * 10 / u128::from(self.inputs.max(1)) {
            0..=3 => Draw::Kind(Kind::Tiny),
            4..=6 => Draw::Kind(Kind::Ordinary),
            _ if number.is_multiple_of(2) => Draw::Edge,
            _ => Draw::Kind(Kind::Worst),
        }
    }
}

/// The requested sizes: a name, and a number or a range.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape(pub Vec<(String, RangeInclusive<u32>)>);

impl Shape {
    /// Reads `name=number` or `name=low-high`, separated by commas.
    pub fn parse(text: &str) -> Result<Shape, String> {
        let part = |part: &str| {
            let (name, sizes) = part.split_once('=').ok_or("write it as name=number or name=low-high")?;
            let (low, high) = sizes.split_once('-').unwrap_or((sizes, sizes));
            let number = |word: &str| word.trim().parse::<u32>().map_err(|_| format!("'{sizes}' is no number"));
            let (low, high) = (number(low)?, number(high)?);
            if low > high {
                return Err(format!("'{sizes}' is an empty range, write the lower number first"));
            }
            Ok((name.trim().to_owned(), low..=high))
        };
        text.split(',').map(part).collect::<Result<_, String>>().map(Shape)
    }

    /// Checks every name and number against the sizes of a game.
    pub fn check<'a>(&self, offered: impl Iterator<Item = (&'a str, RangeInclusive<u32>)>) -> Result<(), String> {
        let offered: Vec<_> = offered.collect();
        for (name, range) in &self.0 {
            let Some((_, limits)) = offered.iter().find(|(other, _)| other == name) else {
                let names: Vec<&str> = offered.iter().map(|&(name, _)| name).collect();
                return Err(format!("'{name}' is no size of this game, ask for one of: {}", names.join(", ")));
            };
            if range.start() < limits.start() || range.end() > limits.end() {
                let (low, high) = (limits.start(), limits.end());
                return Err(format!("{name} go from {low} to {high}, ask for a number between them"));
            }
        }
        Ok(())
    }

    /// Whether this size is requested.
    pub fn asks_for(&self, name: &str) -> bool {
        self.0.iter().any(|(other, _)| other == name)
    }

    /// The size of this name, drawn with `seed`, if it is requested.
    pub fn size(&self, name: &str, seed: u64) -> Option<u32> {
        let place = self.0.iter().position(|(other, _)| other == name)?;
        let range = &self.0[place].1;
        let count = u64::from(range.end() - range.start()) + 1;
        Some(range.start() + Seeded(seed.rotate_left(17) ^ place as u64).below(count) as u32)
    }
}
