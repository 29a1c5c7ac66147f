//! Publishes a finished table: a reader sees the old file or the new file, never a part of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// The suffix of temporary files. They are named `.NAME.RANDOM.tmp`.
const TEMPORARY: &str = ".tmp";

/// Writes a file into a directory. The directory is created if it does not exist.
pub(super) fn publish(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let lock = lock(directory)?;
    if lock.is_some() {
        remove_leftovers(directory, name)?;
    }
    let file = write(directory, name, bytes)?;
    file.persist(directory.join(name)).map_err(|error| error.error)?;
    // Makes the rename durable. Only Unix can open a directory.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// Waits until no other process publishes into the directory. The lock is released when the process ends, even if it is
/// killed. `None` where directories cannot be opened.
fn lock(directory: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let opened = File::open(directory)?;
    opened.lock()?;
    Ok(Some(opened))
}

/// Removes temporary files of `name` that a killed process has left. The caller must hold the lock.
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

/// Writes and syncs a temporary file.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let prefix = prefix(name);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private by default. A table gets the permissions that the umask allows.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}
