//! Putting finished files in their place: a reader sees the old file or the new one, never a part of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::generator::{EncodedTable, Failure};
use crate::report::report;
use crate::sums::{self, Sums};

/// Writes the tables into `directory`, and their digests beside them.
pub(crate) fn publish(tables: &[EncodedTable], directory: &Path) -> Result<(), Failure> {
    let failed = |name: &str| {
        let path = directory.join(name);
        move |error: io::Error| {
            Failure::new(format!("{}: cannot be written: {error}, choose with --out", path.display()))
        }
    };
    fs::create_dir_all(directory).map_err(failed(""))?;
    for table in tables {
        let name = table.spec.file_name();
        replace(directory, &name, &table.bytes).map_err(failed(&name))?;
        report(format_args!(
            "{}: {} positions, {} bytes",
            directory.join(&name).display(),
            table.positions,
            table.bytes.len()
        ))?;
    }
    let mut sums = Sums::read(directory).map_err(failed(sums::FILE_NAME))?;
    for table in tables {
        sums.set(table);
    }
    replace(directory, sums::FILE_NAME, sums.to_string().as_bytes()).map_err(failed(sums::FILE_NAME))
}

/// Writes a temporary file in the same directory, brings it to the disk, and renames it.
fn replace(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary_file(directory, name)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(directory.join(name))?;
    sync_directory(directory)
}

fn temporary_file(directory: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private by default; a table is for everybody whom the umask allows.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

/// Makes the rename itself durable, where directories can be opened.
fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}
