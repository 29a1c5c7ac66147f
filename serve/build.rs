//! Lists the scripts of the page, so that they are built into the program.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&page)? {
        names.extend(entry?.file_name().into_string().ok().filter(|name| name.ends_with(".js")));
    }
    names.sort();
    let entry = |name: &String| format!("    ({name:?}, include_str!({:?})),\n", page.join(name));
    let entries: String = names.iter().map(entry).collect();
    let list = format!("const SCRIPTS: &[(&str, &str)] = &[\n{entries}];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("scripts.rs"), list)?;
    Ok(())
}
