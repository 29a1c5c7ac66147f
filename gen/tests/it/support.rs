//! Shared by the tests.

use std::path::{Path, PathBuf};

/// The shipped tables.
pub fn shipped_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}
