//! What a page knows about tables before it reads them: lengths and hashes. For build scripts.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Where the length of the prelude, without these first bytes, stands in a table; see `docs/format.md`.
const FRAME_HEADER: usize = 8;

/// The source of the list `SHIPPED`: the tables in a directory with `SHA256SUMS`. Without a directory the list is empty.
pub fn list(tables: Option<&Path>) -> Result<String, Box<dyn Error>> {
    let mut source = String::from("const SHIPPED: &[Shipped] = &[\n");
    if let Some(tables) = tables {
        println!("cargo::rerun-if-changed={}", tables.display());
        let sums = fs::read_to_string(tables.join("SHA256SUMS"))?;
        for (sha256, name) in sums.lines().filter_map(|line| line.split_once("  ")) {
            let file = fs::read(tables.join(name))?;
            let short = || format!("{name}: not a table");
            let frame = *file.get(4..).and_then(|rest| rest.first_chunk()).ok_or_else(short)?;
            let prelude = FRAME_HEADER + u32::from_le_bytes(frame) as usize;
            let hash: [u8; 8] = *file.get(..prelude).and_then(|bytes| bytes.last_chunk()).ok_or_else(short)?;
            let bytes = file.len();
            write!(source, "    Shipped {{ name: {name:?}, sha256: {sha256:?}, bytes: {bytes}, ")?;
            writeln!(source, "prelude: {prelude}, hash: {hash:?} }},")?;
        }
    }
    source.push_str("];\n");
    Ok(source)
}
