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
use std::sync::Arc;

use tabletop::game::{PROFILES, Profile, TestGame, exact_test_games};
use tabletop::table::Places;

/// Runs a target on some bytes.
pub type RunTarget = Box<dyn Fn(&[u8])>;

/// A fuzz target.
pub struct Target {
    /// The name of a game, or of a file in `fuzz_targets`.
    pub name: &'static str,
    /// Runs the target on some bytes.
    pub run: RunTarget,
}

impl Target {
    fn new(name: &'static str, run: fn(&[u8])) -> Target {
        Target { name, run: Box::new(run) }
    }
}

/// Every target: the text of every game in the list, then the other readers.
pub fn targets() -> Vec<Target> {
    let mut targets = game_targets();
    targets.extend([
        Target::new("balda_input", balda_input),
        Target::new("balda_board", balda_board),
        Target::new("balda_check", balda_check),
        Target::new("table", table),
        Target::new("forged_table", forged_table),
        Target::new("forged_records", forged_records),
        Target::new("word_graph", word_graph),
        Target::new("board_library", board_library),
    ]);
    targets
}

/// The targets of all games in the list.
fn game_targets() -> Vec<Target> {
    let games = exact_test_games(&Places::only(shipped_tables())).into_iter();
    let target = |(game, profile): (Arc<dyn TestGame>, &&Profile<'static>)| Target {
        name: profile.name,
        run: Box::new(move |bytes| texts::game(&game, bytes)),
    };
    games.zip(PROFILES).map(target).collect()
}

/// The text of any game: the first byte chooses the game.
pub fn games(bytes: &[u8]) {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let games = game_targets();
    (games[usize::from(choice) % games.len()].run)(text);
}

/// The shipped tables.
pub fn shipped_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}
