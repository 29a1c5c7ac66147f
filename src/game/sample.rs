//! Seeded inputs: their kinds and sizes, and the trait of the games that draw them.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use super::{Error, Game, Profile};
use crate::seeded::Seeded;

/// A game that draws valid cases and makes cases smaller, for tests of programs.
pub trait Sample: Game {
    /// The maximum number of cases in one input of the contest.
    const CONTEST_CASES: u32 = 1;
    /// The sizes that [`Sample::sized`] accepts.
    const SIZES: &'static [Size] = &[];

    /// A valid case within the contest's limits. The same seed gives the same case on every machine.
    fn sample(&self, kind: Kind, seed: u64) -> Result<Self::Case, Error>;

    /// A valid case of these sizes, in the order of [`Sample::SIZES`]. A size that is `None` is chosen within the
    /// contest's limits. The error says what to ask for instead.
    fn sized(&self, sizes: &[Option<u32>], seed: u64) -> Result<Self::Case, String> {
        for (size, wanted) in Self::SIZES.iter().zip(sizes) {
            wanted.map_or(Ok(()), |wanted| size.check(&(wanted..=wanted)))?;
        }
        self.with_sizes(sizes, seed)
    }

    /// The case of [`Sample::sized`] for sizes within their limits. The error names sizes that do not go together.
    fn with_sizes(&self, _sizes: &[Option<u32>], _seed: u64) -> Result<Self::Case, String> {
        Err(format!("{} has no sizes to ask for, leave them out", self.profile().name))
    }

    /// The sizes of a case, in the order of [`Sample::SIZES`].
    fn sizes(_case: &Self::Case) -> Vec<u32> {
        Vec::new()
    }

    /// Valid cases that are a little simpler, the simplest first: with fewer parts, or with smaller numbers. Repeating
    /// this always ends, because no case can be reached from itself.
    fn smaller(&self, _case: &Self::Case) -> Vec<Self::Case> {
        Vec::new()
    }

    /// Like [`Game::write`], but with a random order wherever the contest allows any order.
    fn write_shuffled(cases: &[Self::Case], _seed: u64) -> String {
        Self::write(cases)
    }
}

/// How hard a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// As small as the contest allows, so that a person can check it by hand.
    Tiny,
    /// Of any size that the contest allows.
    Ordinary,
    /// As large as the contest allows.
    Worst,
    /// What programs often answer wrongly.
    Edge,
}

impl Kind {
    /// Every kind, the easiest first.
    pub const ALL: [Kind; 4] = [Kind::Tiny, Kind::Ordinary, Kind::Worst, Kind::Edge];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Tiny => "tiny",
            Kind::Ordinary => "ordinary",
            Kind::Worst => "worst",
            Kind::Edge => "edge",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A size of a case that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// The name, such as `levels`.
    pub name: &'static str,
    /// The accepted values. They may exceed the contest's limits.
    pub limits: RangeInclusive<u32>,
}

impl Size {
    /// Checks that a range is within the limits. The error says what to ask for instead.
    fn check(&self, range: &RangeInclusive<u32>) -> Result<(), String> {
        let (low, high) = (self.limits.start(), self.limits.end());
        if low <= range.start() && range.end() <= high {
            return Ok(());
        }
        Err(format!("{} go from {low} to {high}, ask for a number between them", self.name))
    }
}

/// The requested sizes: a name, and a number or a range.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes(pub Vec<(String, RangeInclusive<u32>)>);

/// The name of the size that counts the cases of an input.
pub(super) const CASES: &str = "cases";

impl Sizes {
    /// A single case, also in a game whose inputs may have several.
    pub fn one_case(profile: &Profile<'_>) -> Sizes {
        Sizes((profile.max_cases > 1).then(|| (CASES.to_owned(), 1..=1)).into_iter().collect())
    }

    /// Reads `name=number` or `name=low-high`, separated by commas.
    pub fn parse(text: &str) -> Result<Sizes, String> {
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
        text.split(',').map(part).collect::<Result<_, String>>().map(Sizes)
    }

    /// Checks every name and number against the sizes of a game. The error says what to ask for instead.
    pub fn check(&self, offered: &[Size]) -> Result<(), String> {
        for (name, range) in &self.0 {
            let Some(size) = offered.iter().find(|size| size.name == name) else {
                let names: Vec<&str> = offered.iter().map(|size| size.name).collect();
                return Err(format!("'{name}' is no size of this game, ask for one of: {}", names.join(", ")));
            };
            size.check(range)?;
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
