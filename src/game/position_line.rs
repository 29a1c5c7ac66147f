//! Games whose inputs are positions, one on a line.

use super::{Contest, Profile};

/// What the profile of such a game says beside its name.
#[derive(Debug)]
pub(crate) struct PositionLine {
    help: String,
    sample: String,
}

impl PositionLine {
    /// What to write.
    pub(crate) const FORMAT: &str = "write a position on a line";

    /// `rules` are the rules in words, and `start` is a position.
    pub(crate) fn new(rules: &str, start: &str) -> PositionLine {
        PositionLine { help: format!("{rules}\n\nA position such as {start}"), sample: format!("{start}\n") }
    }

    /// The description of the game with this name.
    pub(crate) fn profile<'a>(&'a self, name: &'a str, about: &'a str) -> Profile<'a> {
        Profile {
            name,
            about,
            question: about,
            format: PositionLine::FORMAT,
            help: &self.help,
            sample: &self.sample,
            demonstration: None,
            max_cases: 1,
            contest: Contest::USUAL,
            tables: &[],
            options: &[],
        }
    }
}
