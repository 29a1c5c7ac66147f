//! Explanations: advice as text for people, as JSON for programs, and as a list of moves for Rust code.

use serde::Serialize;

/// The advice on a case. It serializes to the JSON object that the command line prints.
pub trait Explain: Serialize {
    /// A position of the game.
    type Case;
    /// The value of a position.
    type Value;

    /// The judge's answer on a line of its own, then every move with its value, best first.
    fn to_text(&self, paint: Paint) -> String;

    /// Every move, best first.
    fn moves(&self) -> Vec<RankedMove<Self::Case, Self::Value>>;
}

/// A move and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedMove<C, V> {
    /// The move as people write it.
    pub name: String,
    /// The value of the game after the move.
    pub value: V,
    /// The position after the move, or `None` if the move alone does not decide it.
    pub next: Option<C>,
}

/// Whether the text may contain escape sequences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Paint {
    /// Without escape sequences.
    #[default]
    Plain,
    /// With ANSI escape sequences.
    Colour,
}

impl Paint {
    /// The text in bold type.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// The text in an ANSI colour: 1 is red, 2 green, 4 blue.
    pub fn ansi(self, number: u8, text: &str) -> String {
        self.wrap(&format!("3{number}"), text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// Appends a line to the text of an explanation.
#[inline(never)]
pub(crate) fn push_line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

/// The section with the position after a move, as judge input. `when` is added to its heading.
#[inline(never)]
pub(crate) fn then_block(when: &str, next: &str) -> String {
    let mut text = format!("  then{when}");
    for line in next.lines() {
        text.push_str("\n    ");
        text.push_str(line);
    }
    text
}
