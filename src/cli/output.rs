//! Writes answers to standard output, or to a file that appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabletop::door::Failure;
use tabletop::explain::Paint;
use tabletop::text::visible_path;

use super::{named, stdout_paint};

/// The destination of the answers.
pub(super) struct Output {
    /// The name in error messages.
    name: String,
    writer: Box<dyn Write>,
    /// The file that is being written, if it will replace the target when it is complete.
    temporary: Option<Temporary>,
}

/// A file with a temporary name. If it is dropped before it is complete, it is removed.
struct Temporary {
    file: File,
    path: PathBuf,
    target: PathBuf,
    is_published: bool,
}

impl Output {
    /// Uses standard output, or creates a temporary file beside the named one, which does not change until the end. A
    /// target that is not a regular file, such as a pipe or a device, is written directly.
    #[inline(never)]
    pub(super) fn open(file: Option<&Path>) -> Result<Output, Failure> {
        let Some(target) = named(file) else {
            return Ok(Output { name: String::from("stdout"), writer: Box::new(io::stdout().lock()), temporary: None });
        };
        let name = visible_path(target);
        let is_special = fs::metadata(target).is_ok_and(|metadata| !metadata.is_file());
        let opened = if is_special { direct(target) } else { beside(target) };
        let (file, temporary) = opened.map_err(Failure::output(name.clone()))?;
        Ok(Output { name, writer: Box::new(file), temporary })
    }

    /// Whether the text for this destination may contain escape sequences.
    pub(super) fn paint(file: Option<&Path>) -> Paint {
        if named(file).is_some() { Paint::Plain } else { stdout_paint() }
    }

    /// Writes the text and clears the buffer.
    #[inline(never)]
    pub(super) fn write(&mut self, text: &mut Vec<u8>) -> Result<(), Failure> {
        let written = self.writer.write_all(text).and_then(|()| self.writer.flush());
        text.clear();
        written.map_err(Failure::output(self.name.as_str()))
    }

    /// Writes the last text. A temporary file then replaces its target.
    pub(super) fn finish(self, text: &mut Vec<u8>) -> Result<(), Failure> {
        self.finish_after(Ok(()), text)
    }

    /// Writes the last text. After a failure, a temporary file is removed and its target stays as it was.
    #[inline(never)]
    pub(super) fn finish_after(mut self, outcome: Result<(), Failure>, text: &mut Vec<u8>) -> Result<(), Failure> {
        self.write(text)?;
        outcome?;
        let Some(temporary) = &mut self.temporary else { return Ok(()) };
        temporary.publish().map_err(Failure::output(self.name.as_str()))
    }
}

fn direct(target: &Path) -> io::Result<(File, Option<Temporary>)> {
    Ok((File::options().write(true).open(target)?, None))
}

fn beside(target: &Path) -> io::Result<(File, Option<Temporary>)> {
    // If the target is a link, the file that it points to is replaced, and the link stays.
    let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_path_buf());
    // The old file must be writable, although only its name is reused.
    if target.exists() {
        File::options().write(true).open(&target)?;
    }
    let (file, path) = create_part(&target)?;
    if let Ok(old) = fs::metadata(&target) {
        fs::set_permissions(&path, old.permissions())?;
    }
    Ok((file.try_clone()?, Some(Temporary { file, path, target, is_published: false })))
}

/// Creates a new file beside the target, under a name that is free: a killed program may have left a file, and in a
/// container every program may have the same process number.
fn create_part(target: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let mut name = target.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}-{number}.part", std::process::id()));
        let path = target.with_file_name(name);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            created => return created.map(|file| (file, path)),
        }
    }
}

impl Temporary {
    /// Replaces the target. The content reaches the disk first, so that a crash of the machine leaves the old file or the
    /// new one.
    fn publish(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_published {
            // If the file cannot be removed, it stays with its temporary name. Nothing else can be done.
            let _ = fs::remove_file(&self.path);
        }
    }
}
