//! Publishes finished tables with their digests.
//!
//! All files are written and synced under temporary names before the first one is renamed. So a full disk changes
//! nothing, and the worst that a kill can leave is a table that is newer than its digest. A lock on the directory lets
//! one generator publish at a time: two would drop each other's digests. Tables are written only under the lock, so the
//! temporary files that the next holder finds were left by killed generators.

use std::io;
use std::path::Path;

use tabletop::door::say;
use tabletop::publish::{self, DirectoryLock, Temporary};
use tabletop::table::SUMS_FILE;

use crate::generator::{EncodedTable, Failure};
use crate::report::report;
use crate::sums::Sums;

/// What to do if the directory of `--out` cannot be written.
const CHOOSE_OUT: &str = "choose with --out";

/// Fails if tables cannot be written into the directory of `--out`, before they are generated for minutes.
pub(crate) fn require_writable_out(directory: &Path) -> Result<(), Failure> {
    require_writable(directory, CHOOSE_OUT)
}

/// Fails if tables cannot be written into `directory`. The message ends with `remedy`.
pub(crate) fn require_writable(directory: &Path, remedy: &str) -> Result<(), Failure> {
    publish::require_writable(directory).map_err(|error| Failure::unwritable(&directory.display(), &error, remedy))
}

/// Writes the tables and their digests into `directory`, and prints one line per table.
pub(crate) fn publish(tables: &[EncodedTable], directory: &Path) -> Result<(), Failure> {
    write_tables(tables, directory, CHOOSE_OUT)?;
    tables.iter().try_for_each(|table| report_table(table, directory))
}

/// Writes the tables and their digests into `directory`. If that fails, the message ends with `remedy`.
pub(crate) fn write_tables(tables: &[EncodedTable], directory: &Path, remedy: &str) -> Result<(), Failure> {
    let failed = |name: &str| {
        let path = directory.join(name);
        move |error: io::Error| Failure::unwritable(&path.display(), &error, remedy)
    };
    let lock = lock(directory).map_err(failed(""))?;
    lock.remove_leftovers(|name| name == SUMS_FILE || name.ends_with(".tbl")).map_err(failed(""))?;

    let mut sums = Sums::read(directory).map_err(failed(SUMS_FILE))?;
    let mut written = Vec::new();
    for table in tables {
        sums.set(table);
        let name = table.spec.file_name();
        let file = Temporary::write(directory, &name, &table.bytes).map_err(failed(&name))?;
        written.push((name, file));
    }
    let file = Temporary::write(directory, SUMS_FILE, sums.to_string().as_bytes()).map_err(failed(SUMS_FILE))?;
    written.push((SUMS_FILE.to_owned(), file));
    for (name, file) in written {
        file.rename().map_err(failed(&name))?;
    }
    publish::sync(directory).map_err(failed(""))
}

/// Locks a directory for tables. Says on standard error if it has to wait.
pub(crate) fn lock(directory: &Path) -> io::Result<DirectoryLock<'_>> {
    DirectoryLock::wait(directory, |line| say("tabletop-gen", line))
}

fn report_table(table: &EncodedTable, directory: &Path) -> Result<(), Failure> {
    let path = directory.join(table.spec.file_name());
    report(format_args!("{}: {} positions, {} bytes", path.display(), table.positions, table.bytes.len()))
}
