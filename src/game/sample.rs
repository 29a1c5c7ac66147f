//! The kinds and the sizes of sample cases.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

/// A size of a case that [`Game::sized`](super::Game::sized) accepts.
#[derive(Debug)]
pub struct Size {
    /// The name, such as `levels`.
    pub name: &'static str,
    /// The accepted values. They may exceed the contest's limits.
    pub limits: RangeInclusive<u32>,
}

/// How hard a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As small as the contest allows, so that a person can check it by hand.
    Tiny,
    /// Of any size that the contest allows.
    Ordinary,
    /// As large as the contest allows.
    Worst,
}

impl Kind {
    /// Every kind, the easiest first.
    pub const ALL: [Kind; 3] = [Kind::Tiny, Kind::Ordinary, Kind::Worst];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Tiny => "tiny",
            Kind::Ordinary => "ordinary",
            Kind::Worst => "worst",
        }
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Checks that every size is within its limits. The error says what to ask for instead.
pub(super) fn check_sizes(limits: &[Size], sizes: &[Option<u32>]) -> Result<(), String> {
    for (Size { name, limits }, size) in limits.iter().zip(sizes) {
        if size.is_some_and(|size| !limits.contains(&size)) {
            let (low, high) = (limits.start(), limits.end());
            return Err(format!("{name} go from {low} to {high}, ask for a number between them"));
        }
    }
    Ok(())
}
