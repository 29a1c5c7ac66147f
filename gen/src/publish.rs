//! Putting finished files in their place: a reader sees the old file or the new one, never a part of one.
//!
//! Everything is on the disk under temporary names before the first file gets its own, so that a full disk changes
//! nothing, and what a kill can leave between two renames is a table that is newer than its digest. A lock on the
//! directory lets one generator publish at a time: two would each drop the other's digests. It also tells the files of
//! the dead from those of the living, because nobody who holds it has a temporary file yet.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tabletop::table::SUMS_FILE;
use tempfile::NamedTempFile;

use crate::generator::{EncodedTable, Failure};
use crate::report::report;
use crate::sums::Sums;

/// What a temporary name ends with, after a dot, the file's name, a dot and random characters.
const TEMPORARY: &str = ".tmp";
const RANDOM_CHARACTERS: usize = 6;

/// Writes the tables into `directory`, and their digests beside them, and says so.
pub(crate) fn publish(tables: &[EncodedTable], directory: &Path) -> Result<(), Failure> {
    place(tables, directory, "choose with --out")?;
    tables.iter().try_for_each(|table| report_table(table, directory))
}

/// Writes the tables into `directory`, and their digests beside them; `remedy` is what to do if that fails.
pub(crate) fn place(tables: &[EncodedTable], directory: &Path, remedy: &str) -> Result<(), Failure> {
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
        let file = write(directory, &name, &table.bytes).map_err(failed(&name))?;
        written.push((name, file));
    }
    let file = write(directory, SUMS_FILE, sums.to_string().as_bytes()).map_err(failed(SUMS_FILE))?;
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

/// Waits until no other generator publishes into the directory, where directories can be opened. The lock is the
/// directory's own, so no file is left behind, and it ends with the process, however that ends.
fn lock(directory: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let opened = File::open(directory)?;
    opened.lock()?;
    Ok(Some(opened))
}

/// Removes what generators that were killed have left. Only who holds the lock may do so.
fn remove_leftovers(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_temporary) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether the name is one that [`write()`] gives to a table or to the list of digests.
fn is_temporary(name: &str) -> bool {
    let parts = name.strip_prefix('.').and_then(|name| name.strip_suffix(TEMPORARY)).and_then(|n| n.rsplit_once('.'));
    parts.is_some_and(|(file, random)| {
        (file == SUMS_FILE || file.ends_with(".tbl"))
            && random.len() == RANDOM_CHARACTERS
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Writes a file under a temporary name in the same directory and brings it to the disk.
pub(crate) fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY).rand_bytes(RANDOM_CHARACTERS);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private by default; a table is for everybody whom the umask allows.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Makes the renames themselves durable, where directories can be opened.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_name_is_known_again_and_no_other_is() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["dice.tbl", "balda-en.tbl", SUMS_FILE] {
            let file = write(directory.path(), name, b"").unwrap();
            assert!(is_temporary(file.path().file_name().unwrap().to_str().unwrap()));
        }
        for other in ["dice.tbl", ".dice.tbl.tmp", "dice.tbl.abcdef.tmp", ".notes.abcdef.tmp", ".dice.tbl.abc-ef.tmp"] {
            assert!(!is_temporary(other), "{other}");
        }
    }
}
