//! Opens the input of a command, and refuses to overwrite it.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use tabletop::door::Failure;
use tabletop::input::InputError;
use tabletop::text::visible_path;

use super::failure::{input_failure, say};
use super::named;

/// Opens the named input, or standard input. Returns its name for messages, and the reader.
#[inline(never)]
pub(super) fn open_input(file: Option<&Path>, game: &str, format: &str) -> Result<(String, Box<dyn Read>), Failure> {
    match named(file) {
        Some(path) => {
            let name = visible_path(path);
            match File::open(path) {
                Ok(file) => Ok((name, Box::new(file))),
                Err(error) => Err(input_failure(&name, None, &InputError::Unreadable(error))),
            }
        }
        None => {
            if io::stdin().is_terminal() {
                say(format_args!("{game}: reading from the terminal, {format}, end with Ctrl-D"));
            }
            Ok((String::from("stdin"), Box::new(io::stdin().lock())))
        }
    }
}

/// Refuses an output that is also the input: the answers would replace all cases of a stream.
#[inline(never)]
pub(super) fn refuse_own_input(input: Option<&Path>, output: Option<&Path>) -> Result<(), Failure> {
    let Some(output) = named(output) else { return Ok(()) };
    let input = named(input).map_or_else(FileIdentity::of_stdin, FileIdentity::of_path);
    if input.is_none() || input != FileIdentity::of_path(output) {
        return Ok(());
    }
    Err(Failure::Usage(format!("{}: is the input and the output, name another output", visible_path(output))))
}

/// Identifies a file independently of its name. Links to the same file are equal.
#[cfg(unix)]
#[derive(PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileIdentity {
    fn of_path(path: &Path) -> Option<FileIdentity> {
        FileIdentity::of(&path.metadata().ok()?)
    }

    fn of_stdin() -> Option<FileIdentity> {
        use std::os::fd::AsFd;
        let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
        FileIdentity::of(&File::from(stdin).metadata().ok()?)
    }

    /// `None` unless it is a regular file: other files, such as a terminal or the null device, may be input and output.
    fn of(metadata: &std::fs::Metadata) -> Option<FileIdentity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| FileIdentity { device: metadata.dev(), inode: metadata.ino() })
    }
}

/// Identifies a file by its full path.
#[cfg(not(unix))]
#[derive(PartialEq, Eq)]
struct FileIdentity(std::path::PathBuf);

#[cfg(not(unix))]
impl FileIdentity {
    fn of_path(path: &Path) -> Option<FileIdentity> {
        path.canonicalize().ok().map(FileIdentity)
    }

    fn of_stdin() -> Option<FileIdentity> {
        None
    }
}
