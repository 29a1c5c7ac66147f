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

/// A target as its name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target, by the name of its file in `fuzz_targets`.
pub const TARGETS: &[Target] = &[
    ("dice", dice),
    ("jenga", jenga),
    ("hopchess", hopchess),
    ("codenames", codenames),
    ("balda_input", balda_input),
    ("balda_board", balda_board),
    ("balda_check", balda_check),
    ("table", table),
    ("forged_table", forged_table),
    ("forged_records", forged_records),
    ("word_graph", word_graph),
    ("board_library", board_library),
];

/// The shipped tables, seen from the package that includes this file: the root or `fuzz`.
pub fn shipped_tables() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.ends_with("fuzz") { package.join("../tables") } else { package.join("tables") }
}
