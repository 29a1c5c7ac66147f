//! Emphasis on a terminal.

/// Whether escape sequences may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Text alone.
    Plain,
    /// Text with ANSI escape sequences.
    Colour,
}

impl Paint {
    /// The text in bold type.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// The text in the colour of that ANSI number, 1 red, 2 green, 4 blue.
    pub(crate) fn ansi(self, number: u8, text: &str) -> String {
        self.wrap(&format!("3{number}"), text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
