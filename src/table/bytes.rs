//! The bytes of a table's file: mapped, read or built in. Mapping is the only `unsafe` code of the crate.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use memmap2::Mmap;

#[cfg(feature = "ranges")]
use super::source::RangedFile;
use super::source::{Source, Unread};

/// The bytes of a table's file. Those of a mapped file may change, so they leave this library only as copies.
#[derive(Debug)]
pub struct TableBytes(Bytes);

#[derive(Debug)]
enum Bytes {
    /// Only the pages that a lookup touches are read. If another program shortens the file, this program may be killed by
    /// SIGBUS.
    Mapped(Mmap),
    /// Later changes of the file have no effect.
    Owned(Vec<u8>),
    /// Part of the program.
    Static(&'static [u8]),
    /// A file that arrives in ranges.
    #[cfg(feature = "ranges")]
    Ranged(RangedFile),
}

impl TableBytes {
    /// Maps the file at `path`, which must be a regular file.
    pub(super) fn map(path: &Path) -> io::Result<TableBytes> {
        // SAFETY: our programs never change a table in place: they rename a finished one over the old one. If another
        // program does, no wrong record is returned: the bytes leave this type only as copies, and a reader checks the
        // copy that it uses. A file that becomes shorter can still kill the program with SIGBUS.
        #[allow(unsafe_code)]
        let map = unsafe { map_regular_file(path) }?;
        Ok(TableBytes(Bytes::Mapped(map)))
    }

    /// Reads the file at `path`, which must be a regular file.
    pub fn read(path: &Path) -> io::Result<TableBytes> {
        read_regular_file(path).map(TableBytes::from)
    }

    /// The bytes of the whole file, unless it arrives in ranges.
    fn whole(&self) -> &[u8] {
        match &self.0 {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
            Bytes::Static(bytes) => bytes,
            #[cfg(feature = "ranges")]
            Bytes::Ranged(_) => &[],
        }
    }
}

impl Source for TableBytes {
    fn length(&self) -> u64 {
        match &self.0 {
            #[cfg(feature = "ranges")]
            Bytes::Ranged(file) => file.length(),
            _ => self.whole().length(),
        }
    }

    fn copy(&self, offset: u64, bytes: usize) -> Result<Vec<u8>, Unread> {
        match &self.0 {
            #[cfg(feature = "ranges")]
            Bytes::Ranged(file) => file.copy(offset, bytes),
            _ => self.whole().copy(offset, bytes),
        }
    }
}

#[cfg(feature = "ranges")]
impl From<RangedFile> for TableBytes {
    fn from(file: RangedFile) -> TableBytes {
        TableBytes(Bytes::Ranged(file))
    }
}

impl From<Vec<u8>> for TableBytes {
    fn from(bytes: Vec<u8>) -> TableBytes {
        TableBytes(Bytes::Owned(bytes))
    }
}

impl From<&'static [u8]> for TableBytes {
    fn from(bytes: &'static [u8]) -> TableBytes {
        TableBytes(Bytes::Static(bytes))
    }
}

/// Maps a regular file.
///
/// # Safety
/// Nobody may shorten the file or write into it while it is mapped. It may be removed, or another file renamed over it:
/// the old bytes stay mapped.
#[allow(unsafe_code)]
pub(crate) unsafe fn map_regular_file(path: &Path) -> io::Result<Mmap> {
    require_regular_file(path)?;
    // SAFETY: this function has the same contract.
    unsafe { Mmap::map(&File::open(path)?) }
}

/// The content of a regular file: opening a pipe would wait for a writer.
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    require_regular_file(path)?;
    fs::read(path)
}

/// Checks the kind of file before it is opened.
fn require_regular_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}
