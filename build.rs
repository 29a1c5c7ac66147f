//! Bakes the names and digests of the shipped tables into the library, and keeps the query binary quick to start.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

const SUMS: &str = "tables/SHA256SUMS";

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    bake_digests(Path::new(&out))?;
    shorten_start_up(Path::new(&out))
}

fn bake_digests(out: &Path) -> Result<(), Box<dyn Error>> {
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
    fs::write(out.join("shipped.rs"), source)?;
    Ok(())
}

/// Shortens what the dynamic loader does before `main`; elsewhere than on GNU/Linux everything stays as it is.
///
/// A program at a fixed address needs no relocation of its own data: that is a tenth of the time of a cold query. Rust's
/// standard library asks the linker for `gcc_s`, and to find, map and relocate that second shared library takes a sixth.
/// A linker script of its name, in a directory that is searched first, leads to the static `libgcc_eh.a` where the C
/// compiler has it.
fn shorten_start_up(out: &Path) -> Result<(), Box<dyn Error>> {
    let is_native = env::var("HOST")? == env::var("TARGET")?;
    let is_gnu_linux = env::var("CARGO_CFG_TARGET_OS")? == "linux" && env::var("CARGO_CFG_TARGET_ENV")? == "gnu";
    if !is_native || !is_gnu_linux {
        return Ok(());
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if compiler_has("libgcc_eh.a") {
        let directory = out.join("unwinder");
        fs::create_dir_all(&directory)?;
        fs::write(directory.join("libgcc_s.so"), "INPUT(-lgcc_eh)\n")?;
        println!("cargo::rustc-link-arg-bins=-L{}", directory.display());
    }
    Ok(())
}

/// Whether the C compiler that links knows where a library is: it answers with a path, or else with the bare name.
fn compiler_has(library: &str) -> bool {
    let answer = Command::new("cc").arg(format!("-print-file-name={library}")).output();
    answer.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_absolute())
}
