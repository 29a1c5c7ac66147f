//! The first frame of a table: read with every count checked, written in one piece.

use xxhash_rust::xxh3::xxh3_64;

use super::error::Damage;
use super::header::Header;

/// The version of the container that this program reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// One of the sixteen magics that every zstd decoder skips.
const SKIPPABLE_MAGIC: u32 = 0x184D_2A54;
const MAGIC: &[u8; 8] = b"tabletop";
const FRAME_HEADER_BYTES: usize = 8;
/// Everything before the header.
const FIXED_BYTES: usize = 32;
const INDEX_ENTRY_BYTES: usize = 20;
const HASH_BYTES: usize = 8;
/// Bounds what one lookup may allocate, whatever a file promises.
pub(super) const MAX_BLOCK_BYTES: u64 = 1 << 20;

/// Where a block lies in the file, and the hash of its compressed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockEntry {
    pub(super) offset: u64,
    pub(super) bytes: u32,
    pub(super) hash: u64,
}

impl BlockEntry {
    fn from_bytes(bytes: &[u8]) -> BlockEntry {
        BlockEntry { offset: u64_at(bytes, 0), bytes: u32_at(bytes, 8), hash: u64_at(bytes, 12) }
    }
}

/// The checked block index. It stays where it is in the file: a query asks for few entries, and copying all of them
/// would cost a cold start more than the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockIndex {
    start: usize,
    pub(super) blocks: usize,
}

impl BlockIndex {
    /// The entry of a block of the file that the index was checked in.
    pub(super) fn entry(&self, file: &[u8], block: usize) -> BlockEntry {
        BlockEntry::from_bytes(&file[self.start + block * INDEX_ENTRY_BYTES..][..INDEX_ENTRY_BYTES])
    }
}

/// The checked content of a table's first frame.
#[derive(Debug)]
pub(super) struct Prelude {
    pub(super) header: Header,
    pub(super) index: BlockIndex,
}

impl Prelude {
    /// Reads the prelude of `file`, the whole table, and checks everything that needs no block.
    pub(super) fn read(file: &[u8]) -> Result<Prelude, Damage> {
        let prelude = framed_prelude(file)?;
        let (content, hash) = prelude.split_at(prelude.len() - HASH_BYTES);
        if xxh3_64(content) != u64_at(hash, 0) {
            return Err(Damage::PreludeHash);
        }
        let header_bytes = u32_at(content, 20) as usize;
        let variable = &content[FIXED_BYTES..];
        if header_bytes > variable.len() {
            return Err(Damage::Header("it is longer than the prelude"));
        }
        let (header, index) = variable.split_at(header_bytes);
        let header = Header::from_bytes(header)?;
        let blocks = check_index(&header, index, prelude.len() as u64, file.len() as u64)?;
        Ok(Prelude { header, index: BlockIndex { start: FIXED_BYTES + header_bytes, blocks } })
    }

    /// The bytes of a prelude before blocks of the given compressed sizes and hashes.
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

/// The bytes of the prelude, once magic, version and both lengths are right.
fn framed_prelude(file: &[u8]) -> Result<&[u8], Damage> {
    let truncated = |expected: usize| Damage::Truncated { expected: expected as u64, found: file.len() as u64 };
    if file.len() < FIXED_BYTES + HASH_BYTES {
        return Err(truncated(FIXED_BYTES + HASH_BYTES));
    }
    if u32_at(file, 0) != SKIPPABLE_MAGIC || &file[8..16] != MAGIC {
        return Err(Damage::NotATable);
    }
    let version = u32_at(file, 16);
    if version != FORMAT_VERSION {
        return Err(Damage::Version { expected: FORMAT_VERSION, found: version });
    }
    let promised = u64_at(file, 24);
    if promised != file.len() as u64 {
        return Err(Damage::Length { expected: promised, found: file.len() as u64 });
    }
    let prelude_bytes = FRAME_HEADER_BYTES + u32_at(file, 4) as usize;
    if prelude_bytes < FIXED_BYTES + HASH_BYTES {
        return Err(Damage::Header("the first frame is too short for it"));
    }
    file.get(..prelude_bytes).ok_or_else(|| truncated(prelude_bytes))
}

/// Checks every entry of the block index and returns how many there are.
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
    for (block, bytes) in index.chunks_exact(INDEX_ENTRY_BYTES).enumerate() {
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

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    let mut array = [0; 4];
    array.copy_from_slice(&bytes[offset..offset + 4]);
    u32::from_le_bytes(array)
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    let mut array = [0; 8];
    array.copy_from_slice(&bytes[offset..offset + 8]);
    u64::from_le_bytes(array)
}
