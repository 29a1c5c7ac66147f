//! The table container: its bytes, its round trip, and that no damage goes unnoticed.

mod support;

use std::io::Read;
use std::path::Path;

use proptest::prelude::*;
use support::{Seeded, shipped_tables};
use tabletop::TABLES;
use tabletop::table::{Damage, Layout, Record, RecordType, Spec, Table, TableError, encode};
use xxhash_rust::xxh3::xxh3_64;

static SMALL: Spec =
    Spec { name: "small", game: "test", rules: "record i is 1000 + i", records: RecordType::U32, block_records: 10 };
static FLOATS: Spec =
    Spec { name: "floats", game: "test", rules: "floats", records: RecordType::F64, block_records: 500 };

/// Bytes before the header.
const FIXED_BYTES: usize = 32;
const INDEX_ENTRY_BYTES: usize = 20;

fn small_records() -> Vec<u32> {
    (0..25).map(|i| 1000 + i).collect()
}

fn small_table() -> Vec<u8> {
    encode(&SMALL, "test 1", &small_records())
}

fn open<'a, R: Record>(bytes: &'a [u8], spec: &'static Spec) -> Result<Table<&'a [u8], R>, TableError> {
    Table::open(bytes, spec, Path::new("some/file.tbl"))
}

fn read<R: Record>(bytes: &[u8], spec: &'static Spec) -> Result<Vec<R>, TableError> {
    open(bytes, spec)?.records()
}

#[track_caller]
fn damage_of<T>(result: Result<T, TableError>) -> Damage {
    match result {
        Err(TableError::Damaged { damage, .. }) => damage,
        Err(other) => panic!("not a damage: {other}"),
        Ok(_) => panic!("no damage found"),
    }
}

/// Sets the prelude's hash right after a change that a forger made.
fn rehash(file: &mut [u8]) {
    let prelude = 8 + u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let hash = xxh3_64(&file[..prelude - 8]);
    file[prelude - 8..prelude].copy_from_slice(&hash.to_le_bytes());
}

#[test]
fn the_bytes_of_a_small_table_are_golden() {
    let golden = include_bytes!("golden/small.tbl");
    assert_eq!(small_table(), golden, "the format changed: raise FORMAT_VERSION and regenerate every table");
    assert_eq!(read::<u32>(golden, &SMALL).unwrap(), small_records());
}

#[test]
fn the_prelude_is_laid_out_as_documented() {
    let file = small_table();
    let u32_at = |offset: usize| u32::from_le_bytes(file[offset..offset + 4].try_into().unwrap()) as usize;
    let u64_at = |offset: usize| u64::from_le_bytes(file[offset..offset + 8].try_into().unwrap());
    assert_eq!(u32_at(0), 0x184D_2A54);
    assert_eq!(&file[8..16], b"tabletop");
    assert_eq!((u32_at(16), u64_at(24)), (1, file.len() as u64));
    let index = FIXED_BYTES + u32_at(20);
    let prelude = 8 + u32_at(4);
    assert_eq!(prelude, index + 3 * INDEX_ENTRY_BYTES + 8);
    assert_eq!(u64_at(prelude - 8), xxh3_64(&file[..prelude - 8]));
    let mut offset = prelude;
    for entry in (index..prelude - 8).step_by(INDEX_ENTRY_BYTES) {
        assert_eq!(u64_at(entry), offset as u64);
        let end = offset + u32_at(entry + 8);
        assert_eq!(u64_at(entry + 12), xxh3_64(&file[offset..end]));
        offset = end;
    }
    assert_eq!(offset, file.len());
}

#[test]
fn every_bit_of_a_small_table_is_guarded() {
    let intact = small_table();
    for bit in 0..intact.len() * 8 {
        let mut damaged = intact.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        damage_of(read::<u32>(&damaged, &SMALL));
    }
}

#[test]
fn every_truncation_and_every_extension_is_refused_at_open() {
    let intact = small_table();
    for length in 0..intact.len() {
        damage_of(open::<u32>(&intact[..length], &SMALL));
    }
    for extra in [&b"\0"[..], b"x", &intact] {
        damage_of(open::<u32>(&[&intact, extra].concat(), &SMALL));
    }
}

#[test]
fn each_disagreement_has_its_own_name() {
    static OTHER_NAME: Spec =
        Spec { name: "other", game: "test", rules: "", records: RecordType::U32, block_records: 10 };
    static OTHER_RULES: Spec =
        Spec { name: "small", game: "test", rules: "others", records: RecordType::U32, block_records: 10 };
    let file = small_table();
    assert_eq!(
        damage_of(open::<u32>(&file, &OTHER_NAME)),
        Damage::OtherTable { expected: "other", found: "small".into() }
    );
    let (expected, found) = (OTHER_RULES.fingerprint(), SMALL.fingerprint());
    assert_eq!(damage_of(open::<u32>(&file, &OTHER_RULES)), Damage::Fingerprint { expected, found });
    assert_eq!(
        damage_of(open::<f64>(&file, &SMALL)),
        Damage::Records { expected: RecordType::F64, found: RecordType::U32 }
    );
    assert_eq!(damage_of(open::<u32>(&file, &SMALL).unwrap().get(25)), Damage::NotInTable { rank: 25, positions: 25 });
    let mut other_version = file.clone();
    other_version[16] = 9;
    rehash(&mut other_version);
    assert_eq!(damage_of(open::<u32>(&other_version, &SMALL)), Damage::Version { expected: 1, found: 9 });
    assert_eq!(damage_of(open::<u32>(b"not a table, but long enough to be one at least", &SMALL)), Damage::NotATable);
}

#[test]
fn forged_preludes_with_right_hashes_are_refused_before_anything_is_allocated() {
    let intact = small_table();
    // The positions are the header's last number but one, and the index follows the header.
    let index = FIXED_BYTES + u32::from_le_bytes(intact[20..24].try_into().unwrap()) as usize;
    let (positions, block_records) = (index - 12, index - 4);
    assert_eq!((intact[positions], intact[block_records]), (25, 10));
    let forged = |offset: usize, bytes: &[u8]| {
        let mut file = intact.clone();
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        rehash(&mut file);
        damage_of(open::<u32>(&file, &SMALL))
    };
    let contradiction = Damage::Header("its number of positions contradicts the block index");
    assert_eq!(forged(positions, &(1_u64 << 60).to_le_bytes()), contradiction);
    assert_eq!(forged(positions, &u64::MAX.to_le_bytes()), contradiction);
    let empty_or_large = Damage::Header("its blocks are empty or too large");
    assert_eq!(forged(block_records, &0_u32.to_le_bytes()), empty_or_large);
    assert_eq!(forged(block_records, &u32::MAX.to_le_bytes()), empty_or_large);
    assert_eq!(forged(index, &u64::MAX.to_le_bytes()), Damage::Index { block: 0 });
    assert_eq!(forged(index + 8, &u32::MAX.to_le_bytes()), Damage::Index { block: 0 });
    assert_eq!(forged(20, &u32::MAX.to_le_bytes()), Damage::Header("it is longer than the prelude"));
    // The length of the first text in the header.
    assert_eq!(forged(FIXED_BYTES, &u64::MAX.to_le_bytes()), Damage::Header("it cannot be decoded"));
    // The first letter of that text, and a letter of the generator's name, which is listed to people.
    let controls = Damage::Header("a text in it has control characters");
    assert_eq!(forged(FIXED_BYTES + 8, b"\x1b"), controls);
    let generator = intact.windows(6).position(|bytes| bytes == b"test 1").unwrap();
    assert_eq!(forged(generator + 4, b"\n"), controls);
}

#[test]
fn a_forged_block_with_the_right_hash_is_refused() {
    let mut file = small_table();
    let prelude = 8 + u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let last_entry = prelude - 8 - INDEX_ENTRY_BYTES;
    let start = u64::from_le_bytes(file[last_entry..last_entry + 8].try_into().unwrap()) as usize;
    for byte in &mut file[start..] {
        *byte = 0;
    }
    let hash = xxh3_64(&file[start..]);
    file[last_entry + 12..last_entry + 20].copy_from_slice(&hash.to_le_bytes());
    rehash(&mut file);
    assert_eq!(damage_of(read::<u32>(&file, &SMALL)), Damage::BlockContent { block: 2 });
}

#[test]
fn any_zstd_decoder_prints_the_raw_records_of_integers() {
    for &spec in TABLES.iter().filter(|spec| spec.records != RecordType::F64) {
        let file = std::fs::read(shipped_tables().join(spec.file_name())).unwrap();
        let mut unpacked = Vec::new();
        zstd::stream::read::Decoder::new(&file[..]).unwrap().read_to_end(&mut unpacked).unwrap();
        let mut raw = Vec::new();
        match spec.records {
            RecordType::U8 => append_raw(read::<u8>(&file, spec).unwrap(), &mut raw),
            RecordType::U16 => append_raw(read::<u16>(&file, spec).unwrap(), &mut raw),
            _ => append_raw(read::<u32>(&file, spec).unwrap(), &mut raw),
        }
        assert_eq!(unpacked, raw, "{}", spec.name);
    }
}

fn append_raw<R: Record>(records: Vec<R>, raw: &mut Vec<u8>) {
    for record in records {
        record.put(raw);
    }
}

#[test]
fn floats_are_laid_out_in_planes_where_that_is_smaller_and_come_back_bit_for_bit() {
    let smooth: Vec<f64> = (0..1234).map(|i| 17.0 + f64::from(i).sqrt()).collect();
    let file = encode(&FLOATS, "test 1", &smooth);
    let table = open::<f64>(&file, &FLOATS).unwrap();
    assert_eq!(table.header().layout, Layout::BytePlanes);
    let bits = |records: &[f64]| records.iter().map(|record| record.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&table.records().unwrap()), bits(&smooth));

    // A few values that return in no order are found again whole, and only as whole records.
    let mut seeded = Seeded(1);
    let values: Vec<f64> = (0..40).map(|_| f64::from_bits(seeded.below(u64::MAX))).collect();
    let returning: Vec<f64> = (0..500).map(|_| values[seeded.below(40) as usize]).collect();
    let file = encode(&FLOATS, "test 1", &returning);
    let table = open::<f64>(&file, &FLOATS).unwrap();
    assert_eq!(table.header().layout, Layout::Plain);
    assert_eq!(bits(&table.records().unwrap()), bits(&returning));
}

#[test]
fn a_row_lies_in_one_block() {
    let file = small_table();
    let table = open::<u32>(&file, &SMALL).unwrap();
    assert_eq!(table.row(12, 3).unwrap(), [1012, 1013, 1014]);
    for (first, count) in [(8, 3), (24, 2), (25, 0), (30, 0), (30, 1), (u64::MAX, 1)] {
        assert_eq!(damage_of(table.row(first, count)), Damage::NotInTable { rank: first, positions: 25 });
    }
    assert_eq!(table.rest_of_block(24).unwrap(), [1024]);
    for first in [25, 30, u64::MAX - u64::MAX % 10] {
        assert_eq!(damage_of(table.rest_of_block(first)), Damage::NotInTable { rank: first, positions: 25 });
    }
}

#[test]
fn a_lookup_needs_the_prelude_and_its_own_block_and_unpacks_it_once() {
    let mut file = small_table();
    let prelude = 8 + u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let entry = prelude - 8 - 2 * INDEX_ENTRY_BYTES;
    let start = u64::from_le_bytes(file[entry..entry + 8].try_into().unwrap()) as usize;
    let end = start + u32::from_le_bytes(file[entry + 8..entry + 12].try_into().unwrap()) as usize;
    file[prelude..start].fill(0xAA);
    file[end..].fill(0xAA);

    let table = open::<u32>(&file, &SMALL).unwrap();
    assert_eq!(table.get(13).unwrap(), 1013);
    assert_eq!(damage_of(table.get(3)), Damage::BlockHash { block: 0 });
    assert_eq!(damage_of(table.get(23)), Damage::BlockHash { block: 2 });
    assert!(std::ptr::eq(table.block(1).unwrap(), table.block(1).unwrap()));
}

#[test]
fn threads_share_one_unpacked_block() {
    let file = small_table();
    let table = open::<u32>(&file, &SMALL).unwrap();
    let blocks: Vec<usize> = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..16).map(|_| scope.spawn(|| table.block(2).unwrap().as_ptr() as usize)).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    assert!(blocks.iter().all(|&block| block == blocks[0]));
    assert_eq!(table.block(2).unwrap(), [1020, 1021, 1022, 1023, 1024]);
}

proptest! {
    #[test]
    fn any_records_round_trip(records in prop::collection::vec(any::<u32>(), 0..100)) {
        let file = encode(&SMALL, "test 1", &records);
        prop_assert_eq!(read::<u32>(&file, &SMALL).unwrap(), records);
    }

    #[test]
    fn any_floats_round_trip_bit_for_bit(bits in prop::collection::vec(any::<u64>(), 0..1200)) {
        let records: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        let file = encode(&FLOATS, "test 1", &records);
        let found: Vec<u64> = read::<f64>(&file, &FLOATS).unwrap().into_iter().map(f64::to_bits).collect();
        prop_assert_eq!(found, bits);
    }

    #[test]
    fn any_bytes_are_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read::<u32>(&bytes, &SMALL).is_err());
    }

    #[test]
    fn a_forger_who_sets_every_hash_right_causes_no_panic(
        changes in prop::collection::vec((20..278_usize, any::<u8>()), 1..5),
    ) {
        let mut file = small_table();
        let prelude = 8 + u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
        for (place, byte) in changes {
            file[place] = byte;
        }
        for entry in (prelude - 8 - 3 * INDEX_ENTRY_BYTES..prelude - 8).step_by(INDEX_ENTRY_BYTES) {
            let start = u64::from_le_bytes(file[entry..entry + 8].try_into().unwrap()) as usize;
            let bytes = u32::from_le_bytes(file[entry + 8..entry + 12].try_into().unwrap()) as usize;
            let hash = start.checked_add(bytes).and_then(|end| file.get(start..end)).map_or(0, xxh3_64);
            file[entry + 12..entry + 20].copy_from_slice(&hash.to_le_bytes());
        }
        rehash(&mut file);
        if let Ok(records) = read::<u32>(&file, &SMALL) {
            prop_assert_eq!(records.len(), 25);
        }
    }
}
