//! Where the bytes of a table come from: memory that holds the whole file, or a source that delivers ranges of it.

/// The bytes of a table's file.
pub trait Source {
    /// The length of the file, in bytes.
    fn length(&self) -> u64;

    /// A copy of the `bytes` bytes at `offset`. It is a copy because a mapped file may change between a check and its use.
    fn copy(&self, offset: u64, bytes: usize) -> Result<Vec<u8>, Unread>;
}

/// Why bytes cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unread {
    /// The file ends before them.
    #[error("the file ends too early")]
    Outside,
    /// The source does not have them yet, see [`Ranges`].
    #[cfg(feature = "ranges")]
    #[error("these bytes are not there yet, get them and ask again")]
    Absent,
}

impl<D: AsRef<[u8]> + ?Sized> Source for D {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn copy(&self, offset: u64, bytes: usize) -> Result<Vec<u8>, Unread> {
        let start = usize::try_from(offset).map_err(|_| Unread::Outside)?;
        self.as_ref().get(start..start.saturating_add(bytes)).map(<[u8]>::to_vec).ok_or(Unread::Outside)
    }
}

#[cfg(feature = "ranges")]
pub use ranges::{RangedFile, Ranges};

#[cfg(feature = "ranges")]
mod ranges {
    use std::fmt::Debug;
    use std::sync::Arc;

    use super::{Source, Unread};

    /// A place whose files arrive in ranges, such as a web server. It answers at once: with the bytes, or that it does not
    /// have them yet. In the second case it notes the range, and the question fails with
    /// [`TableError::Absent`](crate::table::TableError::Absent). Whoever asked gets the bytes and asks again.
    pub trait Ranges: Debug + Send + Sync {
        /// The length of a file in bytes, or `None` if there is no such file.
        fn length(&self, file: &str) -> Option<u64>;

        /// A copy of the `bytes` bytes at `offset`, which lie within the file; `None` if they are not there yet.
        fn copy(&self, file: &str, offset: u64, bytes: usize) -> Option<Vec<u8>>;
    }

    /// A file that arrives in ranges.
    #[derive(Debug, Clone)]
    pub struct RangedFile {
        source: Arc<dyn Ranges>,
        name: String,
        length: u64,
    }

    impl RangedFile {
        /// The file of this name, or `None` if the source does not have it.
        pub fn open(source: &Arc<dyn Ranges>, name: &str) -> Option<RangedFile> {
            let length = source.length(name)?;
            Some(RangedFile { source: Arc::clone(source), name: name.to_owned(), length })
        }
    }

    impl Source for RangedFile {
        fn length(&self) -> u64 {
            self.length
        }

        fn copy(&self, offset: u64, bytes: usize) -> Result<Vec<u8>, Unread> {
            if offset.checked_add(bytes as u64).is_none_or(|end| end > self.length) {
                return Err(Unread::Outside);
            }
            let copy = self.source.copy(&self.name, offset, bytes).ok_or(Unread::Absent)?;
            if copy.len() == bytes { Ok(copy) } else { Err(Unread::Outside) }
        }
    }
}
