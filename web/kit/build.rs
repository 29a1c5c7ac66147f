//! Writes the list of the tables in the directory that `TABLETOP_WEB_TABLES` names. Only the static site needs them.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "../src/list.rs"]
mod list;

const VARIABLE: &str = "TABLETOP_WEB_TABLES";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let tables = env::var_os(VARIABLE).map(PathBuf::from);
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), list::list(tables.as_deref())?)?;
    Ok(())
}
