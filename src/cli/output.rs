//! Writes answers to standard output, or to a file that appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tabletop::door::Failure;
use tabletop::explain::Paint;
use tabletop::publish::Temporary;
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
        let Some(temporary) = self.temporary else { return Ok(()) };
        temporary.finish().map_err(Failure::output(self.name.as_str()))
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
    let old = fs::metadata(&target);
    let temporary = Temporary::create(target)?;
    if let Ok(old) = old {
        temporary.file().set_permissions(old.permissions())?;
    }
    Ok((temporary.file().try_clone()?, Some(temporary)))
}
