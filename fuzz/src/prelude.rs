//! The layout of a table file, as the format documents it, for tests that damage and forge tables.

use xxhash_rust::xxh3::xxh3_64;

/// The number of bytes in the first frame after this field.
pub const FRAME_BYTES_AT: usize = 4;
/// The format version.
pub const VERSION_AT: usize = 16;
/// The number of bytes of the header.
pub const HEADER_BYTES_AT: usize = 20;
/// The length of the whole file.
pub const FILE_BYTES_AT: usize = 24;
/// The header.
pub const HEADER_AT: usize = 32;
/// Bytes of an entry of the block index: an offset, then the two fields below.
pub const ENTRY_BYTES: usize = 20;
/// Within an entry, the number of bytes of the block.
pub const ENTRY_LENGTH_AT: usize = 8;
/// Within an entry, the hash of the block.
pub const ENTRY_HASH_AT: usize = 12;
/// Bytes of a hash.
pub const HASH_BYTES: usize = 8;

/// A number of four bytes, if the file has them.
pub fn u32_at(file: &[u8], offset: usize) -> Option<usize> {
    file.get(offset..)?.first_chunk().map(|&bytes| u32::from_le_bytes(bytes) as usize)
}

/// A number of eight bytes, if the file has them.
pub fn u64_at(file: &[u8], offset: usize) -> Option<u64> {
    file.get(offset..)?.first_chunk().map(|&bytes| u64::from_le_bytes(bytes))
}

/// Bytes of the prelude, if the file has a whole one.
pub fn prelude_bytes(file: &[u8]) -> Option<usize> {
    let prelude = u32_at(file, FRAME_BYTES_AT)? + 8;
    (HEADER_AT + HASH_BYTES..=file.len()).contains(&prelude).then_some(prelude)
}

/// Where the entries of the block index begin.
pub fn entries(file: &[u8]) -> impl Iterator<Item = usize> + use<> {
    let header = u32_at(file, HEADER_BYTES_AT).unwrap_or(usize::MAX);
    let index = HEADER_AT.saturating_add(header)..prelude_bytes(file).map_or(0, |prelude| prelude - HASH_BYTES);
    index.step_by(ENTRY_BYTES)
}

/// The bytes of the block that an entry of the index describes.
pub fn block(file: &[u8], entry: usize) -> Option<&[u8]> {
    let start = u64_at(file, entry)? as usize;
    file.get(start..start.checked_add(u32_at(file, entry + ENTRY_LENGTH_AT)?)?)
}

/// Corrects the hash of the prelude, as a forger would.
pub fn set_prelude_hash(file: &mut [u8]) {
    let Some(prelude) = prelude_bytes(file) else { return };
    let hash = xxh3_64(&file[..prelude - HASH_BYTES]);
    file[prelude - HASH_BYTES..prelude].copy_from_slice(&hash.to_le_bytes());
}

/// Corrects the hashes of the blocks and of the prelude, where the file has room for them.
pub fn set_hashes(file: &mut [u8]) {
    for entry in entries(file) {
        let hash = block(file, entry).map_or(0, xxh3_64);
        if let Some(place) = file.get_mut(entry + ENTRY_HASH_AT..entry + ENTRY_BYTES) {
            place.copy_from_slice(&hash.to_le_bytes());
        }
    }
    set_prelude_hash(file);
}
