//! Writes what the page knows about the shipped tables before it reads them: lengths and hashes.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// Where the length of the prelude, without these first bytes, stands in a table; see `docs/format.md`.
const FRAME_HEADER: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let tables = Path::new("../tables");
    println!("cargo::rerun-if-changed={}", tables.display());
    let sums = fs::read_to_string(tables.join("SHA256SUMS"))?;
    let mut source = String::from("pub(crate) const SHIPPED: &[Shipped] = &[\n");
    for name in sums.lines().filter_map(|line| line.split_once("  ")).map(|(_, name)| name) {
        let file = fs::read(tables.join(name))?;
        let short = || format!("{name}: not a table");
        let frame = *file.get(4..).and_then(|rest| rest.first_chunk()).ok_or_else(short)?;
        let prelude = FRAME_HEADER + u32::from_le_bytes(frame) as usize;
        let hash: [u8; 8] = *file.get(..prelude).and_then(|bytes| bytes.last_chunk()).ok_or_else(short)?;
        let bytes = file.len();
        writeln!(source, "    Shipped {{ name: {name:?}, bytes: {bytes}, prelude: {prelude}, hash: {hash:?} }},")?;
    }
    source.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), source)?;
    Ok(())
}
