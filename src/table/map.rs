//! Mapping a file: the one place of the crate with `unsafe` code.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A table's file, mapped into memory: only the pages that a lookup touches are read.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps the file at `path`, which must be a regular file.
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        // Opening a pipe would wait for a writer, so the kind of file is known before it is opened.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(path)?;
        // SAFETY: the contract of a mapping is that nobody shortens or rewrites the file while it is mapped. The
        // generator never does: it publishes a table by renaming a finished file over the old one, whose bytes stay
        // alive, unchanged, for as long as they are mapped here. Whoever edits a table in place breaks that contract
        // on purpose.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }?;
        Ok(MappedFile(map))
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
