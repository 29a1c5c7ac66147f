//! Publishes finished files: a reader sees the old file or the new one, never a part of one.
//!
//! A file is written and synced under a temporary name, then renamed. All our programs publish their files in this way.

use std::ffi::OsString;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::Duration;

use crate::text::visible_path;

/// The end of a temporary name: a dot, the file's name, a dot, a number of six letters and digits, then this.
const TEMPORARY: &str = ".tmp";
/// How long a lock is waited for without a remark.
const SILENT_WAIT: Duration = Duration::from_millis(200);
/// The name of the file that [`require_writable`] tries to write. No game has a file of this name.
const TRIAL: &str = "writable";

/// Creates the directory if it is missing, and tries whether files can be written into it. For programs that work long
/// before they publish.
pub fn require_writable(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    Temporary::create(directory.join(TRIAL)).map(drop)
}

/// Replaces a file of a directory. The directory must exist.
pub fn replace(directory: &Path, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    Temporary::write(directory, name, bytes)?.rename()?;
    sync(directory)
}

/// Makes the renames in a directory durable, where directories can be opened.
pub fn sync(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// A file under a temporary name. Dropping it removes it.
#[derive(Debug)]
pub struct Temporary {
    file: File,
    path: PathBuf,
    target: PathBuf,
    is_renamed: bool,
}

impl Temporary {
    /// Creates an empty file beside its target, under a name that is free: a killed program may have left a file or a link,
    /// and in a container every program may have the same process number.
    pub fn create(target: PathBuf) -> io::Result<Temporary> {
        let mut number = process::id();
        loop {
            let mut name = OsString::from(".");
            name.push(target.file_name().unwrap_or_default());
            name.push(format!(".{:06x}{TEMPORARY}", number & 0xff_ffff));
            let path = target.with_file_name(name);
            match File::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number = number.wrapping_add(1),
                created => return created.map(|file| Temporary { file, path, target, is_renamed: false }),
            }
        }
    }

    /// Writes and syncs the file that will be called `name`.
    pub fn write(directory: &Path, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<Temporary> {
        let mut temporary = Temporary::create(directory.join(name))?;
        temporary.file.write_all(bytes)?;
        temporary.file.sync_all()?;
        Ok(temporary)
    }

    /// The open file, which [`Temporary::finish`] syncs.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Syncs the file and gives it its name.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        self.rename()
    }

    /// Gives the file its name. [`sync`] makes that durable.
    pub fn rename(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_renamed {
            // If the file cannot be removed, it stays with its temporary name. Nothing else can be done.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The file that a temporary name stands for; `None` if [`Temporary::create`] does not give such names.
fn target_of(temporary: &str) -> Option<&str> {
    let (name, number) = temporary.strip_prefix('.')?.strip_suffix(TEMPORARY)?.rsplit_once('.')?;
    let is_number = number.len() == 6 && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_number && !name.is_empty()).then_some(name)
}

/// The lock of a directory: one program at a time publishes into it. The directory itself is locked, so no lock file is
/// left behind, and the lock ends with the process, however it ends.
#[derive(Debug)]
pub struct DirectoryLock<'a> {
    directory: &'a Path,
    /// `None` where directories cannot be opened: nothing is locked there.
    locked: Option<File>,
}

impl DirectoryLock<'_> {
    /// Creates the directory if it is missing, and waits until no other program has locked it. If that takes more than
    /// a moment, `remark` gets one line that says what is waited for.
    pub fn wait(directory: &Path, remark: impl FnOnce(String)) -> io::Result<DirectoryLock<'_>> {
        fs::create_dir_all(directory)?;
        if !cfg!(unix) {
            return Ok(DirectoryLock { directory, locked: None });
        }
        let opened = File::open(directory)?;
        if !is_locked(&opened)? {
            thread::sleep(SILENT_WAIT);
            if !is_locked(&opened)? {
                let directory = visible_path(directory);
                remark(format!("{directory}: locked by another program, waiting until that one releases it or ends"));
                opened.lock()?;
            }
        }
        Ok(DirectoryLock { directory, locked: Some(opened) })
    }

    /// Removes the temporary files that killed programs have left of the files that `is_ours` accepts by name, and the
    /// trial files of [`require_writable`]. The former must be files that are written only under the lock.
    pub fn remove_leftovers(&self, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
        if self.locked.is_none() {
            return Ok(());
        }
        for entry in fs::read_dir(self.directory)? {
            let entry = entry?;
            let is_leftover = |name: &str| name == TRIAL || is_ours(name);
            if entry.file_name().to_str().and_then(target_of).is_some_and(is_leftover) {
                match remove_unless_directory(&entry) {
                    // The trial of a program that still runs: it needs no lock, and removes its file itself.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
        Ok(())
    }
}

/// Nobody writes a temporary directory, so one with such a name belongs to the user.
fn remove_unless_directory(entry: &DirEntry) -> io::Result<()> {
    if entry.file_type()?.is_dir() { Ok(()) } else { fs::remove_file(entry.path()) }
}

/// Locks an open directory, and says whether that was possible without waiting.
fn is_locked(directory: &File) -> io::Result<bool> {
    match directory.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn only_temporary_names_are_recognized() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["dice.tbl", "balda-en.tbl", "SHA256SUMS"] {
            let temporary = Temporary::write(directory.path(), name, b"").unwrap();
            assert_eq!(target_of(temporary.path.file_name().unwrap().to_str().unwrap()), Some(name));
        }
        for other in ["dice.tbl", ".dice.tbl.tmp", "dice.tbl.abcdef.tmp", "..abcdef.tmp", ".dice.tbl.abc-ef.tmp"] {
            assert_eq!(target_of(other), None, "{other}");
        }
    }

    #[test]
    fn leftovers_and_trials_of_killed_programs_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        for name in [".dice.tbl.abcdef.tmp", ".writable.abcdef.tmp", ".notes.abcdef.tmp", "dice.tbl"] {
            fs::write(directory.path().join(name), b"").unwrap();
        }
        let lock = DirectoryLock::wait(directory.path(), |line| panic!("{line}")).unwrap();
        lock.remove_leftovers(|name| name == "dice.tbl").unwrap();
        let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<BTreeSet<_>>(), [".notes.abcdef.tmp", "dice.tbl"].map(OsString::from).into());
    }

    #[test]
    fn a_file_that_is_not_renamed_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        replace(directory.path(), "dice.tbl", b"old").unwrap();
        drop(Temporary::write(directory.path(), "dice.tbl", b"new").unwrap());
        assert_eq!(fs::read(directory.path().join("dice.tbl")).unwrap(), b"old");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
