//! Encodes a table. The bytes depend only on the records, the spec and the generator's name.

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;

use super::header::{Header, Layout};
use super::prelude::{MAX_BLOCK_BYTES, Prelude};
use super::record::Record;
use super::spec::Spec;

/// High, because tables are written once and read often. Fixed, so that tables are reproducible to the byte.
const COMPRESSION_LEVEL: i32 = 19;

/// The bytes of the table with these records, in rank order.
///
/// Floats are stored in byte planes if that makes the table smaller.
///
/// # Panics
/// If the type, number or values of the records differ from the spec, if a block is empty or larger than 1 MiB, or if
/// the names make the header longer than 4096 bytes.
pub fn encode<R: Record>(spec: &Spec, generator: &str, records: &[R]) -> Vec<u8> {
    assert_eq!(R::TYPE, spec.records, "record type of table '{}'", spec.name);
    assert!(
        spec.positions.is_none_or(|positions| positions == records.len() as u64),
        "number of records of table '{}'",
        spec.name
    );
    assert_eq!(spec.values.first_invalid(records), None, "first invalid value of table '{}'", spec.name);
    let block_bytes = u64::from(spec.block_records) * R::TYPE.size() as u64;
    assert!((1..=MAX_BLOCK_BYTES).contains(&block_bytes), "block size of table '{}'", spec.name);

    let plain = encode_in(Layout::Plain, spec, generator, records);
    if !R::TYPE.is_float() {
        return plain;
    }
    let planes = encode_in(Layout::BytePlanes, spec, generator, records);
    if planes.len() < plain.len() { planes } else { plain }
}

fn encode_in<R: Record>(layout: Layout, spec: &Spec, generator: &str, records: &[R]) -> Vec<u8> {
    let mut compressor = Compressor::new(COMPRESSION_LEVEL).expect("zstd supports this level");
    let blocks: Vec<Vec<u8>> = records
        .chunks(spec.block_records as usize)
        .map(|block| compressor.compress(&pack(block, layout)).expect("compressing in memory cannot fail"))
        .collect();
    file_of(layout, spec, generator, records.len() as u64, &blocks)
}

/// A block of bytes, compressed for [`assemble`].
#[cfg(feature = "kit")]
pub(crate) fn compress_block(bytes: &[u8], level: i32) -> Vec<u8> {
    zstd::bulk::compress(bytes, level).expect("compressing in memory cannot fail")
}

/// The bytes of a table of `count` bytes, from its compressed blocks.
#[cfg(feature = "kit")]
pub(crate) fn assemble(spec: &Spec, generator: &str, count: u64, blocks: &[Vec<u8>]) -> Vec<u8> {
    file_of(Layout::Plain, spec, generator, count, blocks)
}

fn file_of(layout: Layout, spec: &Spec, generator: &str, positions: u64, blocks: &[Vec<u8>]) -> Vec<u8> {
    let header = Header {
        name: spec.name.to_owned(),
        game: spec.game.to_owned(),
        generator: generator.to_owned(),
        fingerprint: spec.fingerprint(),
        records: spec.records,
        layout,
        positions,
        block_records: spec.block_records,
    };
    let entries: Vec<(u32, u64)> = blocks.iter().map(|block| (block.len() as u32, xxh3_64(block))).collect();

    let mut file = Prelude::write(&header, &entries);
    for block in blocks {
        file.extend_from_slice(block);
    }
    file
}

/// The bytes of a block's records.
fn pack<R: Record>(records: &[R], layout: Layout) -> Vec<u8> {
    let size = R::TYPE.size();
    let mut plain = Vec::with_capacity(records.len() * size);
    for record in records {
        record.put(&mut plain);
    }
    match layout {
        Layout::Plain => plain,
        Layout::BytePlanes => (0..size).flat_map(|plane| plain.iter().skip(plane).step_by(size)).copied().collect(),
    }
}
