//! The files of a game that is being solved: its positions, then the values of each finished stage.
//!
//! A solver that was killed goes on from them, and several processes can solve stages at the same time. A file begins
//! with a hash of the program and its rules, so that a changed program does not go on with the values of the old one. The
//! hash of a stage is also that of what the rules say of some positions. A file ends with a hash of its bytes.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::super::file::spec;
use super::super::rules::Rules;
use crate::publish;

/// Size of a hash in bytes.
const HASH: usize = 8;

/// The directory with the files of a game.
#[derive(Debug)]
pub(in super::super) struct Work {
    pub(in super::super) directory: PathBuf,
    program: u64,
}

impl Work {
    /// The files beside the table of a game, in a directory of their own.
    pub(in super::super) fn beside_table<R: Rules>(rules: &R, tables: &Path) -> io::Result<Work> {
        let mut program = Xxh3::new();
        program.update(&fs::read(env::current_exe()?)?);
        for text in [rules.name(), rules.rules()] {
            program.update(&(text.len() as u64).to_le_bytes());
            program.update(text.as_bytes());
        }
        let directory = tables.join(format!("{}.stages", spec(rules).name));
        Ok(Work { directory, program: program.digest() })
    }

    /// The content of a file. `None` if it is missing, damaged, or of another program or other rules.
    pub(super) fn read(&self, name: &str, rules: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = match fs::read(self.directory.join(name)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(end) = bytes.len().checked_sub(HASH).filter(|&end| end >= HASH) else { return Ok(None) };
        let is_ours = bytes[..HASH] == (self.program ^ rules).to_le_bytes();
        if !is_ours || bytes[end..] != xxh3_64(&bytes[..end]).to_le_bytes() {
            return Ok(None);
        }
        bytes.truncate(end);
        bytes.drain(..HASH);
        Ok(Some(bytes))
    }

    /// Writes a file, which appears when it is complete.
    pub(super) fn write(&self, name: &str, rules: u64, content: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let mut bytes = Vec::with_capacity(content.len() + 2 * HASH);
        bytes.extend_from_slice(&(self.program ^ rules).to_le_bytes());
        bytes.extend_from_slice(content);
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        publish::replace(&self.directory, name, &bytes)
    }

    /// Removes the files when the table is written.
    pub(in super::super) fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}
