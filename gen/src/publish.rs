//! Publishes finished files: a reader sees the old file or the new one, never a part of one.
//!
//! All files are written and synced under temporary names before the first one is renamed. So a full disk changes
//! nothing, and the worst that a kill can leave is a table that is newer than its digest. A lock on the directory lets
//! one generator publish at a time: two would drop each other's digests. Tables are written only under the lock, so the
//! temporary files that the next holder finds were left by killed generators.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tabletop::table::SUMS_FILE;
use tempfile::NamedTempFile;

use crate::generator::{EncodedTable, Failure};
use crate::report::report;
use crate::sums::Sums;

/// The end of a temporary name: a dot, the file's name, a dot, random characters, then this.
const TEMPORARY: &str = ".tmp";
const RANDOM_CHARACTERS: usize = 6;

/// Writes the tables and their digests into `directory`, and prints one line per table.
pub(crate) fn publish(tables: &[EncodedTable], directory: &Path) -> Result<(), Failure> {
    write_tables(tables, directory, "choose with --out")?;
    tables.iter().try_for_each(|table| report_table(table, directory))
}

/// Writes the tables and their digests into `directory`. If that fails, the message ends with `remedy`.
pub(crate) fn write_tables(tables: &[EncodedTable], directory: &Path, remedy: &str) -> Result<(), Failure> {
    let failed = |name: &str| {
        let path = directory.join(name);
        move |error: io::Error| Failure::new(format!("{}: cannot be written: {error}, {remedy}", path.display()))
    };
    fs::create_dir_all(directory).map_err(failed(""))?;
    let lock = lock(directory).map_err(failed(""))?;
    if lock.is_some() {
        remove_leftovers(directory).map_err(failed(""))?;
    }

    let mut sums = Sums::read(directory).map_err(failed(SUMS_FILE))?;
    let mut written = Vec::new();
    for table in tables {
        sums.set(table);
        let name = table.spec.file_name();
        let file = write_temporary(directory, &name, &table.bytes).map_err(failed(&name))?;
        written.push((name, file));
    }
    let file = write_temporary(directory, SUMS_FILE, sums.to_string().as_bytes()).map_err(failed(SUMS_FILE))?;
    written.push((SUMS_FILE.to_owned(), file));
    for (name, file) in written {
        file.persist(directory.join(&name)).map_err(|error| failed(&name)(error.error))?;
    }
    sync_directory(directory).map_err(failed(""))
}

fn report_table(table: &EncodedTable, directory: &Path) -> Result<(), Failure> {
    let path = directory.join(table.spec.file_name());
    report(format_args!("{}: {} positions, {} bytes", path.display(), table.positions, table.bytes.len()))
}

/// Waits until no other generator publishes into the directory; `None` where directories cannot be opened. The
/// directory itself is locked, so no lock file is left behind, and the lock ends with the process, however it ends.
fn lock(directory: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let opened = File::open(directory)?;
    opened.lock()?;
    Ok(Some(opened))
}

/// Removes the temporary files of killed generators. The caller must hold the lock.
fn remove_leftovers(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_temporary) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether [`write_temporary`] gives this name to a table or to the list of digests.
fn is_temporary(name: &str) -> bool {
    let parts = name.strip_prefix('.').and_then(|name| name.strip_suffix(TEMPORARY)).and_then(|n| n.rsplit_once('.'));
    parts.is_some_and(|(file, random)| {
        (file == SUMS_FILE || file.ends_with(".tbl"))
            && random.len() == RANDOM_CHARACTERS
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Writes a file under a temporary name in `directory`, and syncs it.
pub(crate) fn write_temporary(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY).rand_bytes(RANDOM_CHARACTERS);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private by default. A table may be read by everyone whom the umask allows.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Makes the renames durable, where directories can be opened.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_names_are_recognized() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["dice.tbl", "balda-en.tbl", SUMS_FILE] {
            let file = write_temporary(directory.path(), name, b"").unwrap();
            assert!(is_temporary(file.path().file_name().unwrap().to_str().unwrap()));
        }
        for other in ["dice.tbl", ".dice.tbl.tmp", "dice.tbl.abcdef.tmp", ".notes.abcdef.tmp", ".dice.tbl.abc-ef.tmp"] {
            assert!(!is_temporary(other), "{other}");
        }
    }
}
