//! The prelude: the first frame of a table. Every length and count is checked when it is read.

use xxhash_rust::xxh3::xxh3_64;

use super::error::{Damage, Mismatch, Refusal};
use super::header::Header;
use super::source::Source;

/// The version of the container that this program reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// One of the sixteen magic numbers of frames that every zstd decoder skips.
const SKIPPABLE_MAGIC: u32 = 0x184D_2A54;
const MAGIC: &[u8; 8] = b"tabletop";
const FRAME_HEADER_BYTES: usize = 8;
/// The size of everything before the header.
const FIXED_BYTES: usize = 32;
const INDEX_ENTRY_BYTES: usize = 20;
const HASH_BYTES: usize = 8;
/// Bounds what one lookup allocates, whatever sizes a file contains.
pub(super) const MAX_BLOCK_BYTES: u64 = 1 << 20;

/// Where a block lies in the file, and the hash of its compressed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockEntry {
    pub(super) offset: u64,
    pub(super) bytes: u32,
    pub(super) hash: u64,
}

impl BlockEntry {
    fn from_bytes(bytes: &[u8; INDEX_ENTRY_BYTES]) -> BlockEntry {
        BlockEntry {
            offset: u64::from_le_bytes(field(bytes, 0)),
            bytes: u32::from_le_bytes(field(bytes, 8)),
            hash: u64::from_le_bytes(field(bytes, 12)),
        }
    }
}

/// The checked block index. It is a copy, because a mapped file may change after the check.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BlockIndex {
    /// The whole prelude: one copy is faster than extracting the entries.
    prelude: Box<[u8]>,
    /// Where the entries begin in the prelude.
    start: usize,
    /// The number of blocks.
    pub(super) blocks: usize,
}

impl BlockIndex {
    /// The entry of a block, or `None` if the table has no such block.
    pub(super) fn entry(&self, block: usize) -> Option<BlockEntry> {
        let entries = self.prelude.get(self.start..)?.as_chunks().0.get(..self.blocks)?;
        entries.get(block).map(BlockEntry::from_bytes)
    }
}

/// The checked content of a table's first frame.
#[derive(Debug)]
pub(super) struct Prelude {
    pub(super) header: Header,
    pub(super) index: BlockIndex,
}

impl Prelude {
    /// Reads the prelude of a file and checks everything except the blocks.
    ///
    /// It reads only the copy of the prelude, so that nothing can change between a check and its use.
    pub(super) fn read(file: &dyn Source) -> Result<Prelude, Refusal> {
        let file_bytes = file.length();
        let prelude = copy_prelude(file)?;
        let (content, hash) = prelude.split_last_chunk::<HASH_BYTES>().ok_or(Damage::PreludeHash)?;
        if xxh3_64(content) != u64::from_le_bytes(*hash) {
            return Err(Damage::PreludeHash.into());
        }
        let longer = Damage::Header("it is longer than the prelude");
        let (fixed, variable) = content.split_first_chunk::<FIXED_BYTES>().ok_or_else(|| longer.clone())?;
        let header_bytes = FixedPart::read(fixed, file_bytes)?.header_bytes;
        let (header, index) = variable.split_at_checked(header_bytes).ok_or(longer)?;
        let header = Header::from_bytes(header)?;
        let blocks = check_index(&header, index, prelude.len() as u64, file_bytes)?;
        let start = FIXED_BYTES + header_bytes;
        Ok(Prelude { header, index: BlockIndex { prelude: prelude.into_boxed_slice(), start, blocks } })
    }

    /// The bytes of a prelude for blocks with these compressed sizes and hashes.
    pub(super) fn write(header: &Header, blocks: &[(u32, u64)]) -> Vec<u8> {
        let header = header.to_bytes();
        let prelude_bytes = FIXED_BYTES + header.len() + blocks.len() * INDEX_ENTRY_BYTES + HASH_BYTES;
        let payload_bytes: u64 = blocks.iter().map(|&(bytes, _)| u64::from(bytes)).sum();
        let frame_bytes = u32::try_from(prelude_bytes - FRAME_HEADER_BYTES).expect("a prelude is smaller than 4 GiB");

        let mut out = Vec::with_capacity(prelude_bytes);
        out.extend_from_slice(&SKIPPABLE_MAGIC.to_le_bytes());
        out.extend_from_slice(&frame_bytes.to_le_bytes());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&(header.len() as u32).to_le_bytes());
        out.extend_from_slice(&(prelude_bytes as u64 + payload_bytes).to_le_bytes());
        out.extend_from_slice(&header);
        let mut offset = prelude_bytes as u64;
        for &(bytes, hash) in blocks {
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&bytes.to_le_bytes());
            out.extend_from_slice(&hash.to_le_bytes());
            offset += u64::from(bytes);
        }
        out.extend_from_slice(&xxh3_64(&out).to_le_bytes());
        out
    }
}

/// The part before the header, after its magic numbers, version and lengths are checked.
struct FixedPart {
    prelude_bytes: usize,
    header_bytes: usize,
}

impl FixedPart {
    fn read(bytes: &[u8; FIXED_BYTES], file_bytes: u64) -> Result<FixedPart, Refusal> {
        let number = |offset| u32::from_le_bytes(field(bytes, offset));
        if number(0) != SKIPPABLE_MAGIC || field(bytes, 8) != *MAGIC {
            return Err(Damage::NotATable.into());
        }
        let version = number(16);
        if version != FORMAT_VERSION {
            return Err(Mismatch::Version { expected: FORMAT_VERSION, found: version }.into());
        }
        let stated = u64::from_le_bytes(field(bytes, 24));
        if stated != file_bytes {
            return Err(Damage::Length { expected: stated, found: file_bytes }.into());
        }
        // On a 32-bit machine the sum may overflow. Then it is longer than any file.
        let prelude_bytes = FRAME_HEADER_BYTES.saturating_add(number(4) as usize);
        if prelude_bytes < FIXED_BYTES + HASH_BYTES {
            return Err(Damage::Header("the first frame is too short for it").into());
        }
        Ok(FixedPart { prelude_bytes, header_bytes: number(20) as usize })
    }
}

/// A copy of the prelude, not yet checked against its hash.
fn copy_prelude(file: &dyn Source) -> Result<Vec<u8>, Refusal> {
    let found = file.length();
    let start = |bytes: usize| {
        let truncated = Damage::Truncated { expected: bytes as u64, found };
        file.copy(0, bytes).map_err(|unread| Refusal::unread(unread, truncated))
    };
    let least = start(FIXED_BYTES + HASH_BYTES)?;
    let fixed = least.first_chunk().ok_or(Damage::NotATable)?;
    start(FixedPart::read(fixed, found)?.prelude_bytes)
}

/// Checks every entry of the block index and returns the number of entries. `payload` is the offset of the first block.
fn check_index(header: &Header, index: &[u8], payload: u64, file_bytes: u64) -> Result<usize, Damage> {
    let block_bytes = u64::from(header.block_records) * header.records.size() as u64;
    if block_bytes == 0 || block_bytes > MAX_BLOCK_BYTES {
        return Err(Damage::Header("its blocks are empty or too large"));
    }
    let blocks = header.positions.div_ceil(u64::from(header.block_records));
    if blocks.checked_mul(INDEX_ENTRY_BYTES as u64) != Some(index.len() as u64) {
        return Err(Damage::Header("its number of positions contradicts the block index"));
    }
    let blocks = blocks as usize;
    let mut expected_offset = payload;
    for (block, bytes) in index.as_chunks().0.iter().enumerate() {
        let entry = BlockEntry::from_bytes(bytes);
        if entry.offset != expected_offset || u64::from(entry.bytes) > file_bytes - expected_offset {
            return Err(Damage::Index { block });
        }
        expected_offset += u64::from(entry.bytes);
    }
    if expected_offset != file_bytes {
        return Err(Damage::Index { block: blocks });
    }
    Ok(blocks)
}

/// The `N` bytes at `offset`, which must lie within `bytes`.
fn field<const N: usize, const ALL: usize>(bytes: &[u8; ALL], offset: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[offset + index])
}
