//! Compiles the names and digests of the shipped tables into the library, and shortens the start of the query binary.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// The same parser of `SHA256SUMS` lines as in the library.
#[path = "src/table/sums.rs"]
mod sums;

use sums::{SUMS_FILE, SumsLine};

const TABLES: &str = "tables";

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    let sums = shipped_sums()?;
    write_digests(&sums, Path::new(&out))?;
    write_embedded_tables(&sums, Path::new(&out))?;
    shorten_start_up(Path::new(&out))
}

/// A line of `SHA256SUMS`.
struct Shipped {
    digest: String,
    name: String,
}

/// The lines of `SHA256SUMS` beside the tables.
fn shipped_sums() -> Result<Vec<Shipped>, Box<dyn Error>> {
    let path = Path::new(TABLES).join(SUMS_FILE);
    println!("cargo::rerun-if-changed={}", path.display());
    let sums = match fs::read_to_string(&path) {
        // In a checkout without generated tables the list is empty.
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other?,
    };
    let parse = |line: &str| {
        let SumsLine { digest, name } =
            SumsLine::parse(line).ok_or_else(|| format!("{}: not a digest and a name: {line}", path.display()))?;
        Ok(Shipped { digest: digest.to_owned(), name: name.to_owned() })
    };
    sums.lines().map(parse).collect()
}

fn write_digests(sums: &[Shipped], out: &Path) -> Result<(), Box<dyn Error>> {
    let mut source = String::from("const SHIPPED: &[(&str, &str)] = &[\n");
    for Shipped { digest, name } in sums {
        writeln!(source, "    ({name:?}, {digest:?}),")?;
    }
    source.push_str("];\n");
    fs::write(out.join("shipped.rs"), source)?;
    Ok(())
}

/// Writes the source that includes the tables selected by the features `embedded` and `boards`.
fn write_embedded_tables(sums: &[Shipped], out: &Path) -> Result<(), Box<dyn Error>> {
    let (all, boards) = (env::var_os("CARGO_FEATURE_EMBEDDED"), env::var_os("CARGO_FEATURE_BOARDS"));
    let is_selected = |name: &str| all.is_some() || boards.is_some() && name.starts_with("balda-boards-");
    let mut source = String::from("static EMBEDDED: &[(&str, &[u8])] = &[\n");
    for Shipped { name, .. } in sums.iter().filter(|shipped| is_selected(&shipped.name)) {
        let path = env::current_dir()?.join(TABLES).join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        if !path.is_file() {
            return Err(format!("{TABLES}/{name}: missing, run `tabletop-gen all` to build tables in").into());
        }
        writeln!(source, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    source.push_str("];\n");
    fs::write(out.join("embedded.rs"), source)?;
    Ok(())
}

/// Reduces the work of the dynamic loader before `main`. Only native builds on GNU/Linux are changed.
///
/// A program at a fixed address needs no relocation of its own data. This saves a tenth of the time of a cold query.
/// Rust's standard library links `gcc_s`; finding, mapping and relocating this second shared library takes a sixth of
/// the time. A linker script with the same name, in a directory that is searched first, replaces it by the static
/// `libgcc_eh.a` if the C compiler has it.
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

/// Whether the C compiler finds a library. It prints the full path if it does, and only the name if not.
fn compiler_has(library: &str) -> bool {
    let answer = Command::new("cc").arg(format!("-print-file-name={library}")).output();
    answer.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_absolute())
}
