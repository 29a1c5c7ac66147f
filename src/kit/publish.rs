//! Putting a finished table in its place: a reader sees the old one or the new one, never a part of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// What a temporary name ends with, after a dot, the file's name, a dot and random characters.
const TEMPORARY: &str = ".tmp";

/// Writes a file into a directory, which is made if it is not there.
pub(super) fn publish(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let lock = lock(directory)?;
    if lock.is_some() {
        remove_leftovers(directory, name)?;
    }
    let file = write(directory, name, bytes)?;
    file.persist(directory.join(name)).map_err(|error| error.error)?;
    // Makes the new name itself durable, where directories can be opened.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// Waits until nobody else publishes into the directory, where directories can be opened. The lock ends with the process,
/// however that ends.
fn lock(directory: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let opened = File::open(directory)?;
    opened.lock()?;
    Ok(Some(opened))
}

/// Removes what a killed program has left under temporary names of this file. Only who holds the lock may do so.
fn remove_leftovers(directory: &Path, name: &str) -> io::Result<()> {
    let prefix = prefix(name);
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|other| other.starts_with(&prefix) && other.ends_with(TEMPORARY)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn prefix(name: &str) -> String {
    format!(".{name}.")
}

/// Writes a file under a temporary name and brings it to the disk.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let prefix = prefix(name);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY);
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
