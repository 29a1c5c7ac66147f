//! Writes the list of the shipped tables.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

#[path = "src/list.rs"]
mod list;

fn main() -> Result<(), Box<dyn Error>> {
    let source = list::list(Some(Path::new("../tables")))?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), source)?;
    Ok(())
}
