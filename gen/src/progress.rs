//! Progress of long work, shown on a terminal and nowhere else.

use indicatif::{ProgressBar, ProgressStyle};

/// Shows the progress of a game.
pub(crate) struct Progress {
    game: &'static str,
}

impl Progress {
    pub(crate) fn new(game: &'static str) -> Progress {
        Progress { game }
    }

    /// A bar over `steps` steps; indicatif draws it on standard error, if that is a terminal.
    pub(crate) fn steps(&self, what: &'static str, steps: u64) -> ProgressBar {
        let style = ProgressStyle::with_template("{prefix} {msg} {bar:40} {human_pos}/{human_len} {eta}")
            .expect("the template is well-formed");
        ProgressBar::new(steps).with_style(style).with_prefix(self.game).with_message(what)
    }
}
