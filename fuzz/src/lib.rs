//! The fuzz targets: one function for each reader of untrusted bytes, which panics if the reader does something wrong.
//!
//! libFuzzer runs these functions (`fuzz/fuzz_targets`), and so does `cargo test`, with seeded mutations of real inputs
//! (`tests/it/fuzz.rs`). Each takes any bytes. A reader must not panic, must end in bounded time, and must name a line
//! or a remedy when it refuses. What it accepts can be written, and reads back the same.

pub mod prelude;
mod tables;
mod texts;

pub use tables::{board_library, forged_directory, forged_records, forged_table, games_with_tables, table, word_graph};
pub use texts::{balda_board, balda_check, balda_input};

use std::path::{Path, PathBuf};

use tabletop::game::{Game, Visitor, visit_all};

/// A fuzz target.
pub struct Target {
    /// The name of a game, or of a file in `fuzz_targets`.
    pub name: &'static str,
    /// Runs the target on some bytes.
    pub run: fn(&[u8]),
}

/// Every target: the text of every game in the list, then the other readers.
pub fn targets() -> Vec<Target> {
    let mut targets = visit_all(&mut GameTargets);
    targets.extend([
        Target { name: "balda_input", run: balda_input },
        Target { name: "balda_board", run: balda_board },
        Target { name: "balda_check", run: balda_check },
        Target { name: "table", run: table },
        Target { name: "forged_table", run: forged_table },
        Target { name: "forged_records", run: forged_records },
        Target { name: "word_graph", run: word_graph },
        Target { name: "board_library", run: board_library },
    ]);
    targets
}

/// Returns the target of a game.
struct GameTargets;

impl Visitor for GameTargets {
    type Output = Target;

    fn visit<G: Game>(&mut self) -> Target {
        Target { name: G::PROFILE.name, run: texts::game::<G> }
    }
}

/// The text of any game: the first byte chooses the game.
pub fn games(bytes: &[u8]) {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let games = visit_all(&mut GameTargets);
    (games[usize::from(choice) % games.len()].run)(text);
}

/// The shipped tables.
pub fn shipped_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}
