//! The bytes of a table's file: mapped, read or built in. Mapping is the only `unsafe` code of the crate.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a table's file.
#[derive(Debug)]
pub enum TableBytes {
    /// A mapped file: only the pages that a lookup touches are read. If another program shortens the file, this program
    /// may be killed by SIGBUS.
    Mapped(MappedFile),
    /// Bytes in memory, such as a file that was read. Later changes of the file have no effect.
    Owned(Vec<u8>),
    /// Bytes that are part of the program.
    Static(&'static [u8]),
}

impl TableBytes {
    /// Maps the file at `path`, which must be a regular file.
    pub fn map(path: &Path) -> io::Result<TableBytes> {
        MappedFile::open(path).map(TableBytes::Mapped)
    }

    /// Reads the file at `path`, which must be a regular file.
    pub fn read(path: &Path) -> io::Result<TableBytes> {
        read_regular_file(path).map(TableBytes::Owned)
    }
}

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            TableBytes::Mapped(file) => file.as_ref(),
            TableBytes::Owned(bytes) => bytes,
            TableBytes::Static(bytes) => bytes,
        }
    }
}

impl From<MappedFile> for TableBytes {
    fn from(file: MappedFile) -> TableBytes {
        TableBytes::Mapped(file)
    }
}

impl From<Vec<u8>> for TableBytes {
    fn from(bytes: Vec<u8>) -> TableBytes {
        TableBytes::Owned(bytes)
    }
}

impl From<&'static [u8]> for TableBytes {
    fn from(bytes: &'static [u8]) -> TableBytes {
        TableBytes::Static(bytes)
    }
}

/// A table's file, mapped into memory.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps the file at `path`, which must be a regular file.
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        require_regular_file(path)?;
        let file = File::open(path)?;
        // SAFETY: the contract of a mapping is that nobody shortens or rewrites the file while it is mapped. The
        // generator never does: it publishes a table by renaming a finished file over the old one. The bytes of the old
        // file stay valid and unchanged while they are mapped here. If another program still writes into a table in
        // place, no wrong record is returned: the reader copies bytes before it checks them, and uses only the copy.
        // A file that becomes shorter can still kill the program with SIGBUS.
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

/// The content of a regular file.
pub(super) fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    require_regular_file(path)?;
    fs::read(path)
}

/// Checks the kind of file before it is opened, because opening a pipe would wait for a writer.
fn require_regular_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}
