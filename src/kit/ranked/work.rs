//! The files of a game that is being solved: its positions, then the values of each finished stage.
//!
//! A solver that was killed goes on from them, and several processes can solve stages at the same time. A file begins
//! with a hash of the program and its rules, so that a changed program does not go on with the values of the old one. The
//! hash of a stage is also that of what the rules say of some positions. A file ends with a hash of its bytes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

use memmap2::Mmap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::super::file::spec;
use super::super::rules::Rules;
use crate::publish;
use crate::table::map_regular_file;

/// The file of the positions.
pub(super) const POSITIONS: &str = "positions";
/// Size of a hash in bytes.
const HASH: usize = 8;

/// A file that is whole and of these rules.
#[derive(Debug)]
pub(super) struct MappedFile(Mmap);

impl MappedFile {
    pub(super) fn content(&self) -> &[u8] {
        &self.0[HASH..self.0.len() - HASH]
    }
}

/// The directory with the files of a game.
#[derive(Debug)]
pub(in super::super) struct Work {
    pub(in super::super) directory: PathBuf,
    program: u64,
}

/// A hash of this program.
fn program_hash() -> io::Result<u64> {
    static KNOWN: OnceLock<u64> = OnceLock::new();
    if let Some(&known) = KNOWN.get() {
        return Ok(known);
    }
    let hash = xxh3_64(&fs::read(env::current_exe()?)?);
    Ok(*KNOWN.get_or_init(|| hash))
}

impl Work {
    /// The files beside the table of a game, in a directory of their own.
    pub(in super::super) fn beside_table<R: Rules>(rules: &R, tables: &Path) -> io::Result<Work> {
        let mut program = Xxh3::with_seed(program_hash()?);
        for text in [rules.name(), rules.rules()] {
            program.update(&(text.len() as u64).to_le_bytes());
            program.update(text.as_bytes());
        }
        let directory = tables.join(format!("{}.stages", spec(rules).name));
        Ok(Work { directory, program: program.digest() })
    }

    /// The content of a file. `None` if it is missing, damaged, or of another program or other rules.
    pub(super) fn map(&self, name: &str, rules: u64) -> io::Result<Option<MappedFile>> {
        let path = self.directory.join(name);
        let bytes = match fs::metadata(&path) {
            // An empty file cannot be mapped.
            Ok(data) if data.len() == 0 => return Ok(None),
            // SAFETY: the directory belongs to the solver, and no solver changes a file in place: [`Work::write`] renames
            // a finished file, and the other functions remove files.
            #[allow(unsafe_code)]
            Ok(_) => unsafe { map_regular_file(&path) }?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(end) = bytes.len().checked_sub(HASH).filter(|&end| end >= HASH) else { return Ok(None) };
        let is_ours = bytes[..HASH] == (self.program ^ rules).to_le_bytes();
        let is_whole = bytes[end..] == xxh3_64(&bytes[..end]).to_le_bytes();
        Ok((is_ours && is_whole).then_some(MappedFile(bytes)))
    }

    /// Writes a file, which appears when it is complete. `append` appends its content.
    pub(super) fn write(&self, name: &str, rules: u64, append: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let mut bytes = (self.program ^ rules).to_le_bytes().to_vec();
        append(&mut bytes);
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        publish::replace(&self.directory, name, &bytes)
    }

    /// Whether the positions of a game were found before, by any program.
    pub(in super::super) fn has_positions(&self) -> bool {
        self.directory.join(POSITIONS).exists()
    }

    /// Removes the files whose names begin with `start`.
    pub(super) fn clear(&self, start: &str) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(start)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Removes the directory when the table is written.
    pub(in super::super) fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}
