//! Bakes the names and digests of the shipped tables into the library.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

const SUMS: &str = "tables/SHA256SUMS";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={SUMS}");
    let sums = match fs::read_to_string(SUMS) {
        // A checkout whose tables are still to be generated has nothing to bake in.
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other?,
    };
    let mut source = String::from("const SHIPPED: &[(&str, &str)] = &[\n");
    for line in sums.lines() {
        let (digest, name) = line.split_once("  ").ok_or_else(|| format!("{SUMS}: not a digest and a name: {line}"))?;
        writeln!(source, "    ({name:?}, {digest:?}),")?;
    }
    source.push_str("];\n");
    let target = Path::new(&env::var("OUT_DIR")?).join("shipped.rs");
    fs::write(target, source)?;
    Ok(())
}
