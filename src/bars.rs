//! Bars on standard error that show how far long work has got, if that is a terminal.

use std::fmt::Write;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// The bars of one game.
#[derive(Debug, Clone)]
pub struct Bars {
    game: String,
}

impl Bars {
    /// Bars that begin with the name of a game.
    pub fn new(game: &str) -> Bars {
        Bars { game: game.to_owned() }
    }

    /// A bar over `steps` steps. If there are 0, their number is not known, and it shows the rate alone.
    pub fn steps(&self, what: &'static str, steps: u64) -> ProgressBar {
        let (bar, template) = match steps {
            0 => (ProgressBar::new_spinner(), "{prefix} {msg} {spinner} {human_pos} {rate}"),
            _ => (ProgressBar::new(steps), "{prefix} {msg} {bar:40} {human_pos}/{human_len} {rate} {eta}"),
        };
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            write!(out, "{}/s", HumanCount(state.per_sec() as u64)).expect("writing to a string cannot fail");
        };
        let style = ProgressStyle::with_template(template).expect("the template is well-formed").with_key("rate", rate);
        bar.with_style(style).with_prefix(self.game.clone()).with_message(what)
    }
}
