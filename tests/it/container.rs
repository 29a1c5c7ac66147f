//! The table container: its bytes, its round trip, and the detection of all damage.

use std::io::Read;
use std::path::Path;

use crate::support::{Seeded, shipped_tables};
use proptest::prelude::*;
use tabletop::door::table_message;
use tabletop::table::{
    Damage, Layout, Mismatch, Places, Record, RecordTask, RecordType, Remedy, Spec, Table, TableError, Values, encode,
};
use tabletop_fuzz::prelude::{
    self, ENTRY_BYTES, ENTRY_HASH_AT, ENTRY_LENGTH_AT, FILE_BYTES_AT, HASH_BYTES, HEADER_AT, HEADER_BYTES_AT,
    VERSION_AT,
};
use xxhash_rust::xxh3::xxh3_64;

static SMALL: Spec = Spec {
    name: "small",
    game: "test",
    rules: "record i is 1000 + i",
    records: RecordType::U32,
    block_records: 10,
    positions: None,
    values: Values::Any,
    remedy: Remedy::Advice("run the test again"),
};
static FLOATS: Spec = Spec { name: "floats", rules: "floats", records: RecordType::F64, block_records: 500, ..SMALL };

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

#[track_caller]
fn mismatch_of<T>(result: Result<T, TableError>) -> Mismatch {
    match result {
        Err(TableError::Mismatched { mismatch, .. }) => mismatch,
        Err(other) => panic!("not a mismatch: {other}"),
        Ok(_) => panic!("no mismatch found"),
    }
}

#[track_caller]
fn assert_not_in_table<T>(result: Result<T, TableError>, asked: u64) {
    match result {
        Err(TableError::NotInTable { rank, positions: 25, .. }) => assert_eq!(rank, asked),
        Err(other) => panic!("not said to be out of the table: {other}"),
        Ok(_) => panic!("record {asked} was found"),
    }
}

#[test]
fn the_bytes_of_a_small_table_are_golden() {
    let golden = include_bytes!("../golden/small.tbl");
    assert_eq!(small_table(), golden, "the format changed: raise FORMAT_VERSION and regenerate every table");
    assert_eq!(read::<u32>(golden, &SMALL).unwrap(), small_records());
}

#[test]
fn the_prelude_is_laid_out_as_documented() {
    let file = small_table();
    let (u32_at, u64_at) = (|at| prelude::u32_at(&file, at).unwrap(), |at| prelude::u64_at(&file, at).unwrap());
    assert_eq!(u32_at(0), 0x184D_2A54);
    assert_eq!(&file[8..16], b"tabletop");
    assert_eq!((u32_at(VERSION_AT), u64_at(FILE_BYTES_AT)), (1, file.len() as u64));
    let index = HEADER_AT + u32_at(HEADER_BYTES_AT);
    let end = prelude::prelude_bytes(&file).unwrap();
    assert_eq!(end, index + 3 * ENTRY_BYTES + HASH_BYTES);
    assert_eq!(u64_at(end - HASH_BYTES), xxh3_64(&file[..end - HASH_BYTES]));
    let mut offset = end;
    for entry in prelude::entries(&file) {
        assert_eq!(u64_at(entry), offset as u64);
        let block = prelude::block(&file, entry).unwrap();
        assert_eq!(u64_at(entry + ENTRY_HASH_AT), xxh3_64(block));
        offset += block.len();
    }
    assert_eq!(offset, file.len());
}

#[test]
fn every_bit_of_a_small_table_is_guarded() {
    let intact = small_table();
    for bit in 0..intact.len() * 8 {
        let mut damaged = intact.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let refusal = read::<u32>(&damaged, &SMALL).unwrap_err();
        let is_version = (VERSION_AT..VERSION_AT + 4).contains(&(bit / 8));
        match refusal {
            TableError::Damaged { .. } => assert!(!is_version, "{refusal}"),
            TableError::Mismatched { mismatch: Mismatch::Version { .. }, .. } => assert!(is_version, "{refusal}"),
            _ => panic!("{refusal}"),
        }
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
fn each_mismatch_has_its_own_error() {
    static OTHER_NAME: Spec = Spec { name: "other", ..SMALL };
    static OTHER_GAME: Spec = Spec { game: "other", ..SMALL };
    static OTHER_RULES: Spec = Spec { rules: "others", ..SMALL };
    static MORE: Spec = Spec { positions: Some(26), ..SMALL };
    let file = small_table();
    let found = String::from("small");
    assert_eq!(
        mismatch_of(open::<u32>(&file, &OTHER_NAME)),
        Mismatch::Table { expected: "other", found: found.clone() }
    );
    assert_eq!(mismatch_of(open::<u32>(&file, &OTHER_GAME)), Mismatch::Table { expected: "small", found });
    let (expected, found) = (OTHER_RULES.fingerprint(), SMALL.fingerprint());
    assert_eq!(mismatch_of(open::<u32>(&file, &OTHER_RULES)), Mismatch::Fingerprint { expected, found });
    let types = Mismatch::Records { expected: RecordType::F64, found: RecordType::U32 };
    assert_eq!(mismatch_of(open::<f64>(&file, &SMALL)), types);
    assert_eq!(mismatch_of(open::<u32>(&file, &MORE)), Mismatch::Positions { expected: 26, found: 25 });
    assert_not_in_table(open::<u32>(&file, &SMALL).unwrap().get(25), 25);
    assert_not_in_table(open::<u32>(&file, &SMALL).unwrap().block(3), 30);
    let mut other_version = file.clone();
    other_version[VERSION_AT] = 9;
    prelude::set_prelude_hash(&mut other_version);
    assert_eq!(mismatch_of(open::<u32>(&other_version, &SMALL)), Mismatch::Version { expected: 1, found: 9 });
    assert_eq!(damage_of(open::<u32>(b"not a table, but long enough to be one at least", &SMALL)), Damage::NotATable);
}

#[test]
fn a_record_with_an_impossible_value_is_refused_wherever_it_is_read() {
    static MINUTES: Spec = Spec { values: Values::UpTo(108.0), ..FLOATS };
    for impossible in [f64::NAN, -f64::NAN, -0.0, -1.0, 108.5, 1e308, f64::INFINITY, f64::NEG_INFINITY] {
        let mut records: Vec<f64> = (0..1200).map(|i| f64::from(i % 109)).collect();
        records[700] = impossible;
        let file = encode(&FLOATS, "a forger", &records);
        let table = open::<f64>(&file, &MINUTES).unwrap();
        assert_eq!(table.get(3).unwrap(), 3.0);
        assert_eq!(damage_of(table.get(999)), Damage::Record { rank: 700 }, "{impossible}");
        assert_eq!(damage_of(table.records()), Damage::Record { rank: 700 }, "{impossible}");
    }
    static COUNTS: Spec = Spec { values: Values::UpTo(1023.0), ..SMALL };
    let file = small_table();
    let table = open::<u32>(&file, &COUNTS).unwrap();
    assert_eq!(table.get(19).unwrap(), 1019);
    assert_eq!(damage_of(table.get(20)), Damage::Record { rank: 24 });
}

#[test]
#[should_panic(expected = "header of table 'small'")]
fn a_table_whose_header_no_program_reads_is_not_written() {
    encode(&SMALL, &"x".repeat(4096), &small_records());
}

#[test]
fn a_user_defined_table_has_its_own_remedy() {
    let message = |error: TableError| table_message(&error);
    let missing = Places::only("nowhere").open::<u32>(&SMALL).err().unwrap();
    assert_eq!(message(missing), "small.tbl: table missing (looked in nowhere), run the test again");
    let damaged = message(open::<u32>(b"", &SMALL).err().unwrap());
    assert_eq!(damaged, "some/file.tbl: the file is cut: 0 bytes where at least 40 are needed, run the test again");
    let beyond = open::<u32>(&small_table(), &SMALL).unwrap().get(77).unwrap_err();
    assert_eq!(message(beyond), "small.tbl: record 77 asked of a table of 25 records");
}

#[test]
fn forged_preludes_with_right_hashes_are_refused_before_anything_is_allocated() {
    let intact = small_table();
    // The number of positions is the second last number of the header, and the index follows the header.
    let index = HEADER_AT + prelude::u32_at(&intact, HEADER_BYTES_AT).unwrap();
    let (positions, block_records) = (index - 12, index - 4);
    assert_eq!((intact[positions], intact[block_records]), (25, 10));
    let forged = |offset: usize, bytes: &[u8]| {
        let mut file = intact.clone();
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        prelude::set_prelude_hash(&mut file);
        damage_of(open::<u32>(&file, &SMALL))
    };
    let contradiction = Damage::Header("its number of positions contradicts the block index");
    assert_eq!(forged(positions, &(1_u64 << 60).to_le_bytes()), contradiction);
    assert_eq!(forged(positions, &u64::MAX.to_le_bytes()), contradiction);
    let empty_or_large = Damage::Header("its blocks are empty or too large");
    assert_eq!(forged(block_records, &0_u32.to_le_bytes()), empty_or_large);
    assert_eq!(forged(block_records, &u32::MAX.to_le_bytes()), empty_or_large);
    assert_eq!(forged(index, &u64::MAX.to_le_bytes()), Damage::Index { block: 0 });
    assert_eq!(forged(index + ENTRY_LENGTH_AT, &u32::MAX.to_le_bytes()), Damage::Index { block: 0 });
    assert_eq!(forged(HEADER_BYTES_AT, &u32::MAX.to_le_bytes()), Damage::Header("it is longer than the prelude"));
    // The length of the first text in the header.
    assert_eq!(forged(HEADER_AT, &u64::MAX.to_le_bytes()), Damage::Header("it cannot be decoded"));
    // The first letter of that text, and a letter of the generator's name, which the listing shows.
    let controls = Damage::Header("a text in it has control characters");
    assert_eq!(forged(HEADER_AT + 8, b"\x1b"), controls);
    let generator = intact.windows(6).position(|bytes| bytes == b"test 1").unwrap();
    assert_eq!(forged(generator + 4, b"\n"), controls);
}

#[test]
fn a_forged_block_with_the_right_hash_is_refused() {
    let mut file = small_table();
    let last = prelude::entries(&file).last().unwrap();
    let start = prelude::u64_at(&file, last).unwrap() as usize;
    file[start..].fill(0);
    prelude::set_hashes(&mut file);
    assert_eq!(damage_of(read::<u32>(&file, &SMALL)), Damage::BlockContent { block: 2 });
}

#[test]
fn any_zstd_decoder_prints_the_raw_records_of_integers() {
    for spec in tabletop::game::tables().filter(|spec| spec.records != RecordType::F64) {
        let file = std::fs::read(shipped_tables().join(spec.file_name())).unwrap();
        let mut unpacked = Vec::new();
        zstd::stream::read::Decoder::new(&file[..]).unwrap().read_to_end(&mut unpacked).unwrap();
        let mut raw = Vec::new();
        spec.records.dispatch(AppendRaw { file: &file, spec, raw: &mut raw });
        assert_eq!(unpacked, raw, "{}", spec.name);
    }
}

/// Appends the records of a table as bytes.
struct AppendRaw<'a> {
    file: &'a [u8],
    spec: &'static Spec,
    raw: &'a mut Vec<u8>,
}

impl RecordTask for AppendRaw<'_> {
    type Output = ();

    fn run<R: Record>(self) {
        read::<R>(self.file, self.spec).unwrap().into_iter().for_each(|record| record.put(self.raw));
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

    // A few values that repeat in random order compress better as whole records.
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
        assert_not_in_table(table.row(first, count), first);
    }
    assert_eq!(table.rest_of_block(24).unwrap(), [1024]);
    for first in [25, 30, u64::MAX - u64::MAX % 10] {
        assert_not_in_table(table.rest_of_block(first), first);
    }
}

#[test]
fn a_lookup_needs_the_prelude_and_its_own_block_and_unpacks_it_once() {
    let mut file = small_table();
    let entry = prelude::entries(&file).nth(1).unwrap();
    let start = prelude::u64_at(&file, entry).unwrap() as usize;
    let end = start + prelude::block(&file, entry).unwrap().len();
    let first = prelude::prelude_bytes(&file).unwrap();
    file[first..start].fill(0xAA);
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
    fn a_forged_file_with_right_hashes_causes_no_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut file = small_table();
        for (place, byte) in changes {
            // Everything but the magic bytes and the version, without which nothing is read.
            let place = HEADER_BYTES_AT + place.index(file.len() - HEADER_BYTES_AT);
            file[place] = byte;
        }
        prelude::set_hashes(&mut file);
        if let Ok(records) = read::<u32>(&file, &SMALL) {
            prop_assert_eq!(records.len(), 25);
        }
    }
}
