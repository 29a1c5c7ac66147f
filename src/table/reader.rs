//! Reads records. A block is checked, unpacked and kept in memory at its first use.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use super::error::{Damage, Mismatch, Refusal, TableError};
use super::header::{Header, Layout};
use super::prelude::{BlockEntry, BlockIndex, Prelude};
use super::record::{Record, RecordType};
use super::source::Source;
use super::spec::Spec;

/// A table of records of type `R` over bytes of any kind: a mapped file, a `Vec`, static bytes, a file that arrives in
/// ranges.
pub struct Table<D, R> {
    data: D,
    spec: &'static Spec,
    path: PathBuf,
    header: Header,
    index: BlockIndex,
    /// The unpacked blocks, in groups. For a fast cold start, a group is allocated when a block of it is first used.
    groups: Vec<OnceLock<Group<R>>>,
}

impl<D, R> fmt::Debug for Table<D, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("path", &self.path).field("header", &self.header).finish_non_exhaustive()
    }
}

/// Locked while a block is unpacked, so that no block is unpacked twice. All tables share it, because allocating a
/// second decompressor would take a noticeable part of a cold start.
static DECOMPRESSOR: Mutex<Option<Decompressor<'static>>> = Mutex::new(None);

/// The number of blocks in a group.
const GROUP_BLOCKS: usize = 64;

/// Consecutive blocks, each unpacked at most once.
type Group<R> = Box<[OnceLock<Box<[R]>>]>;

impl<D: Source, R: Record> Table<D, R> {
    /// Opens the table in `data` and checks everything except the blocks. Errors name the table by `path`.
    pub fn open(data: D, spec: &'static Spec, path: &Path) -> Result<Self, TableError> {
        let prelude = read_prelude(&data, spec, R::TYPE);
        let Prelude { header, index } = prelude.map_err(|refusal| TableError::refused(spec, path, refusal))?;
        let groups = (0..index.blocks.div_ceil(GROUP_BLOCKS)).map(|_| OnceLock::new()).collect();
        Ok(Table { data, spec, path: path.to_path_buf(), header, index, groups })
    }

    /// The record with this rank.
    pub fn get(&self, rank: u64) -> Result<R, TableError> {
        self.rest_of_block(rank)?.first().copied().ok_or_else(|| self.not_in_table(rank))
    }

    /// The records of the `count` ranks from `first` on. They must lie in one block.
    pub fn row(&self, first: u64, count: usize) -> Result<&[R], TableError> {
        self.rest_of_block(first)?.get(..count).ok_or_else(|| self.not_in_table(first))
    }

    /// The records from `first` to the end of its block, for data that contains its own length.
    pub fn rest_of_block(&self, first: u64) -> Result<&[R], TableError> {
        if first >= self.header.positions {
            return Err(self.not_in_table(first));
        }
        let block_records = u64::from(self.header.block_records);
        let records = self.block((first / block_records) as usize)?;
        records.get((first % block_records) as usize..).ok_or_else(|| self.not_in_table(first))
    }

    /// The error for a record whose block has the right hash but whose value no position of the game can have.
    pub fn invalid_record(&self, rank: u64) -> TableError {
        self.refused(Damage::Record { rank }.into())
    }

    /// The records of the block with this number, below [`Table::block_count`].
    pub fn block(&self, block: usize) -> Result<&[R], TableError> {
        let Some(slot) = self.slot(block) else {
            return Err(self.not_in_table((block as u64).saturating_mul(u64::from(self.header.block_records))));
        };
        if let Some(records) = slot.get() {
            return Ok(records);
        }
        let mut decompressor = DECOMPRESSOR.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(records) = slot.get() {
            return Ok(records);
        }
        let records = self.decode(block, &mut decompressor).map_err(|refusal| self.refused(refusal))?;
        Ok(slot.get_or_init(|| records))
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.index.blocks
    }

    /// All records in rank order. Every block is read and checked.
    pub fn records(&self) -> Result<Vec<R>, TableError> {
        let mut records = Vec::new();
        for block in 0..self.block_count() {
            records.extend_from_slice(self.block(block)?);
        }
        Ok(records)
    }

    /// The header in the file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What the program expects in the table.
    pub fn spec(&self) -> &'static Spec {
        self.spec
    }

    /// The length of the file, in bytes.
    pub fn file_length(&self) -> u64 {
        self.data.length()
    }

    /// A copy of the whole file.
    pub fn file_bytes(&self) -> Result<Vec<u8>, TableError> {
        copy_file(&self.data).map_err(|refusal| self.refused(refusal))
    }

    /// The path that errors show.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The cell for the unpacked records of a block, or `None` if the table has no such block.
    fn slot(&self, block: usize) -> Option<&OnceLock<Box<[R]>>> {
        if block >= self.block_count() {
            return None;
        }
        let new_group = || (0..GROUP_BLOCKS).map(|_| OnceLock::new()).collect();
        self.groups.get(block / GROUP_BLOCKS)?.get_or_init(new_group).get(block % GROUP_BLOCKS)
    }

    /// Checks and unpacks a block.
    fn decode(&self, block: usize, decompressor: &mut Option<Decompressor<'static>>) -> Result<Box<[R]>, Refusal> {
        let entry = self.index.entry(block).ok_or(Damage::Index { block })?;
        let first = block as u64 * u64::from(self.header.block_records);
        let count = (self.header.positions - first).min(u64::from(self.header.block_records)) as usize;
        let expected_bytes = count * R::TYPE.size();
        let bytes = decompress(&self.data, block, entry, expected_bytes, decompressor)?;
        let records: Box<[R]> = unpack(bytes, count, self.header.layout);
        match self.spec.values.first_invalid(&records) {
            Some(index) => Err(Damage::Record { rank: first + index as u64 }.into()),
            None => Ok(records),
        }
    }

    fn not_in_table(&self, rank: u64) -> TableError {
        TableError::NotInTable { spec: self.spec, rank, positions: self.header.positions }
    }

    fn refused(&self, refusal: Refusal) -> TableError {
        TableError::refused(self.spec, &self.path, refusal)
    }
}

/// It is not generic, so that the program contains it once and not per record type.
fn copy_file(file: &dyn Source) -> Result<Vec<u8>, Refusal> {
    let expected = file.length();
    let bytes = usize::try_from(expected).unwrap_or(usize::MAX);
    file.copy(0, bytes).map_err(|unread| Refusal::unread(unread, Damage::Truncated { expected, found: 0 }))
}

/// Reads the prelude of a file, and checks that it is the expected table with these records.
fn read_prelude(file: &dyn Source, spec: &Spec, records: RecordType) -> Result<Prelude, Refusal> {
    let prelude = Prelude::read(file)?;
    check_expectations(spec, &prelude.header, records)?;
    Ok(prelude)
}

/// The bytes of a block's records.
pub(super) fn decompress(
    file: &dyn Source,
    block: usize,
    entry: BlockEntry,
    expected_bytes: usize,
    decompressor: &mut Option<Decompressor<'static>>,
) -> Result<Vec<u8>, Refusal> {
    let compressed = file.copy(entry.offset, entry.bytes as usize);
    let compressed = compressed.map_err(|unread| Refusal::unread(unread, Damage::Index { block }))?;
    if xxh3_64(&compressed) != entry.hash {
        return Err(Damage::BlockHash { block }.into());
    }
    let content = Damage::BlockContent { block };
    let decompressor = match decompressor {
        Some(ready) => ready,
        empty => empty.insert(Decompressor::new().map_err(|_| content.clone())?),
    };
    match decompressor.decompress(&compressed, expected_bytes) {
        Ok(bytes) if bytes.len() == expected_bytes => Ok(bytes),
        _ => Err(content.into()),
    }
}

/// Checks that the table is the expected one.
fn check_expectations(spec: &Spec, header: &Header, records: RecordType) -> Result<(), Mismatch> {
    if header.name != spec.name || header.game != spec.game {
        return Err(Mismatch::Table { expected: spec.name, found: header.name.clone() });
    }
    if header.fingerprint != spec.fingerprint() {
        return Err(Mismatch::Fingerprint { expected: spec.fingerprint(), found: header.fingerprint });
    }
    if header.records != records {
        return Err(Mismatch::Records { expected: records, found: header.records });
    }
    match spec.positions {
        Some(expected) if expected != header.positions => {
            Err(Mismatch::Positions { expected, found: header.positions })
        }
        _ => Ok(()),
    }
}

/// The records in a block's bytes.
fn unpack<R: Record>(bytes: Vec<u8>, count: usize, layout: Layout) -> Box<[R]> {
    let size = R::TYPE.size();
    plain(bytes, count, size, layout).chunks_exact(size).map(R::take).collect()
}

/// The bytes of a block's records, one record after the other.
pub(super) fn plain(bytes: Vec<u8>, count: usize, size: usize, layout: Layout) -> Vec<u8> {
    match (layout, size) {
        (Layout::Plain, _) => bytes,
        // The most frequent size. It is faster if the compiler knows it.
        (Layout::BytePlanes, 8) => interleaved(&bytes, count, 8),
        (Layout::BytePlanes, _) => interleaved(&bytes, count, size),
    }
}

/// The bytes of byte planes, one record after the other.
#[inline(always)]
fn interleaved(bytes: &[u8], count: usize, size: usize) -> Vec<u8> {
    let mut plain = vec![0; bytes.len()];
    for (place, plane) in bytes.chunks_exact(count).enumerate() {
        for (record, &byte) in plain.chunks_exact_mut(size).zip(plane) {
            record[place] = byte;
        }
    }
    plain
}
