//! Removes what `tabletop-gen install` wrote.

use std::fs;
use std::io;
use std::path::Path;

use tabletop::publish;
use tabletop::table::SUMS_FILE;
use tabletop::table::{read_regular_file, sha256, shipped_digest};

use crate::generator::Failure;
use crate::install::directory;
use crate::publish::lock;
use crate::report::report;
use crate::sums::Sums;

/// Removes the tables that `install` wrote, and their lines in `SHA256SUMS`. A table is one of them if its bytes have the
/// digest of the shipped table or, after an older `install`, the digest in `SHA256SUMS`. All other files stay. Prints
/// a line for each table that is removed, or that has the name of one and stays.
pub(crate) fn uninstall(prefix: Option<&Path>) -> Result<(), Failure> {
    let directory = directory(prefix)?;
    if !directory.is_dir() {
        return report(format_args!("{}: nothing is installed there", directory.display()));
    }
    remove_tables(&directory)?;
    // Only empty directories can be removed: first that of the tables, then `tabletop`.
    let _ = fs::remove_dir(&directory).and_then(|()| directory.parent().map_or(Ok(()), fs::remove_dir));
    Ok(())
}

fn remove_tables(directory: &Path) -> Result<(), Failure> {
    let failed = |name: &str| {
        let path = directory.join(name);
        move |error: io::Error| Failure::new(format!("{}: cannot be removed: {error}, remove it", path.display()))
    };
    let _lock = lock(directory).map_err(failed(""))?;
    let mut sums = Sums::read(directory).map_err(failed(SUMS_FILE))?;
    for spec in tabletop::game::tables() {
        let name = spec.file_name();
        let path = directory.join(&name);
        if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            sums.remove(&name);
        } else if is_installed(&path, &name, &sums) {
            fs::remove_file(&path).map_err(failed(&name))?;
            sums.remove(&name);
            report(format_args!("{}: removed", path.display()))?;
        } else {
            report(format_args!("{}: kept, because `tabletop-gen install` did not write it", path.display()))?;
        }
    }
    if sums.is_empty() {
        match fs::remove_file(directory.join(SUMS_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(SUMS_FILE)(error)),
            _ => Ok(()),
        }
    } else {
        publish::replace(directory, SUMS_FILE, sums.to_string().as_bytes()).map_err(failed(SUMS_FILE))
    }
}

/// Whether a table is as `install` wrote it: a regular file with a known digest.
fn is_installed(path: &Path, name: &str, sums: &Sums) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let Some(bytes) = is_file.then(|| read_regular_file(path).ok()).flatten() else { return false };
    let digest = sha256(&bytes);
    [shipped_digest(name), sums.digest(name)].contains(&Some(digest.as_str()))
}
