//! The bytes of the tables that have arrived, and those that are needed.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tabletop::table::{Ranges, sha256};

/// A table that is at most this long is fetched whole, in bytes: a request costs more than the rest of the file.
const WHOLE: u64 = 256 << 10;
/// A request takes about as long as this many bytes more, so ranges with a smaller gap are fetched as one. Then no set of
/// ranges costs more than the whole file.
const REQUEST: u64 = 8 << 10;
/// Digits of a table's digest that tell its versions apart in a cache.
const VERSION_DIGITS: usize = 16;

/// What is known of a shipped table before it is read. A build script writes the list, see `list.rs`.
#[derive(Debug)]
pub struct Shipped {
    /// The name of the file.
    pub name: &'static str,
    /// The digest of the file.
    pub sha256: &'static str,
    /// The length of the file.
    pub bytes: u64,
    /// The length of the prelude.
    pub prelude: u64,
    /// The hash at the end of the prelude. The prelude has the hashes of all blocks.
    pub hash: [u8; 8],
}

impl Shipped {
    /// The range to fetch for bytes of this file.
    fn range(&self, offset: u64, bytes: u64) -> Range {
        let (offset, bytes) = if self.bytes <= WHOLE {
            (0, self.bytes)
        } else if offset < self.prelude {
            (0, self.prelude)
        } else {
            (offset, bytes)
        };
        self.at(offset, bytes)
    }

    fn at(&self, offset: u64, bytes: u64) -> Range {
        let version = self.sha256.get(..VERSION_DIGITS).unwrap_or_default();
        Range { file: self.name, version, offset, bytes }
    }
}

/// A range of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Range {
    /// The name of the file.
    pub file: &'static str,
    /// The beginning of its digest: another version is another file for a cache.
    pub version: &'static str,
    /// Where it begins.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
}

impl Range {
    fn end(&self) -> u64 {
        self.offset + self.bytes
    }
}

/// The bytes that have arrived, and the ranges that were asked for in vain.
#[derive(Debug)]
pub struct Store {
    shipped: &'static [Shipped],
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    arrived: BTreeMap<(&'static str, u64), Vec<u8>>,
    needed: Vec<Range>,
}

impl Kept {
    /// The arrived bytes that contain a range. Arrived ranges may overlap, if a file was later fetched whole.
    fn find(&self, file: &'static str, offset: u64, bytes: usize) -> Option<&[u8]> {
        let holding = |start: u64, held: &'_ Vec<u8>| offset - start + bytes as u64 <= held.len() as u64;
        let mut before = self.arrived.range((file, 0)..=(file, offset)).rev();
        let (&(_, start), held) = before.find(|&(&(_, start), held)| holding(start, held))?;
        held.get((offset - start) as usize..)?.get(..bytes)
    }
}

impl Store {
    /// Nothing has arrived yet of these tables.
    pub fn new(shipped: &'static [Shipped]) -> Store {
        Store { shipped, kept: Mutex::default() }
    }

    fn named(&self, name: &str) -> Option<&'static Shipped> {
        self.shipped.iter().find(|file| file.name == name)
    }

    /// The ranges that were asked for in vain since the last call, near ones together.
    pub fn take_needed(&self) -> Vec<Range> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut needed = std::mem::take(&mut kept.needed);
        needed.sort_unstable();
        let mut joined: Vec<Range> = Vec::new();
        for range in needed {
            match joined.last_mut() {
                Some(last) if last.file == range.file && range.offset <= last.end() + REQUEST => {
                    last.bytes = last.end().max(range.end()) - last.offset;
                }
                _ => joined.push(range),
            }
        }
        joined
    }

    /// Keeps bytes that have arrived. A whole file must have the shipped digest, a prelude the shipped hash; the hash of a
    /// block is checked when it is read. Returns whether the bytes are right.
    pub fn put(&self, file: &str, offset: u64, bytes: Vec<u8>) -> bool {
        let Some(shipped) = self.named(file) else { return false };
        let is_whole = offset == 0 && bytes.len() as u64 == shipped.bytes;
        let is_right = if is_whole {
            shipped.sha256 == sha256(&bytes)
        } else if offset == 0 {
            usize::try_from(shipped.prelude).is_ok_and(|end| bytes.get(end - 8..end) == Some(&shipped.hash))
        } else {
            offset + bytes.len() as u64 <= shipped.bytes
        };
        if is_right {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).arrived.insert((shipped.name, offset), bytes);
        }
        is_right
    }

    /// Forgets the bytes of a file: a block of it is damaged.
    pub fn forget(&self, file: &str) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).arrived.retain(|&(name, _), _| name != file);
    }
}

impl Ranges for Store {
    fn length(&self, file: &str) -> Option<u64> {
        self.named(file).map(|file| file.bytes)
    }

    fn copy(&self, file: &str, offset: u64, bytes: usize) -> Option<Vec<u8>> {
        let shipped = self.named(file)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.find(shipped.name, offset, bytes).map(<[u8]>::to_vec);
        if found.is_none() {
            kept.needed.push(shipped.range(offset, bytes as u64));
        }
        found
    }
}
