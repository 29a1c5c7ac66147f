//! What is fuzzed: one function per reader of foreign bytes, which panics where a promise is broken.
//!
//! The same functions are run by libFuzzer (`fuzz/fuzz_targets`) and, with seeded mutations of real inputs, by
//! `cargo test` (`tests/fuzz.rs`). Each takes any bytes. What every reader promises: no panic, no unbounded work, a
//! refusal that names a line or a remedy, and that what was read can be written and read again.

mod tables;
mod texts;

pub use tables::{board_library, forged_records, forged_table, table, word_graph};
pub use texts::{balda_board, balda_check, balda_input, codenames, dice, hopchess, jenga};

use std::path::{Path, PathBuf};

/// What is fuzzed.
pub struct Target {
    /// The name of its file in `fuzz_targets`.
    pub name: &'static str,
    /// Gives it some bytes.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "dice", run: dice },
    Target { name: "jenga", run: jenga },
    Target { name: "hopchess", run: hopchess },
    Target { name: "codenames", run: codenames },
    Target { name: "balda_input", run: balda_input },
    Target { name: "balda_board", run: balda_board },
    Target { name: "balda_check", run: balda_check },
    Target { name: "table", run: table },
    Target { name: "forged_table", run: forged_table },
    Target { name: "forged_records", run: forged_records },
    Target { name: "word_graph", run: word_graph },
    Target { name: "board_library", run: board_library },
];

/// The shipped tables, seen from the package that includes this file: the root or `fuzz`.
pub fn shipped_tables() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.ends_with("fuzz") { package.join("../tables") } else { package.join("tables") }
}
