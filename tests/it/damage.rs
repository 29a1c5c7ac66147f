//! Damage to the shipped tables: all of it is detected, and no query gives another answer.
//!
//! Every case goes through the library, and a seeded sample through the real binary. `--nocapture` shows the numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use crate::support::{Outcome, Seeded, assert_named, assert_refused, copied_tables, shipped_tables, tabletop_on};
use tabletop::balda;
use tabletop::game::{PROFILES, tables};
use tabletop::table::{Record, RecordTask, Spec, Table, TableError};
use tabletop_fuzz::prelude::{self, HEADER_AT, HEADER_BYTES_AT, VERSION_AT, u32_at};

const PAYLOAD_BITS: usize = 20_000;
const PAYLOAD_CUTS: usize = 2_000;
/// After this many flips of a payload bit, another block is read too. It must be unchanged.
const FLIPS_PER_OTHER_BLOCK: usize = 20;

/// A shipped table's file.
struct Shipped {
    spec: &'static Spec,
    bytes: Vec<u8>,
    prelude_bytes: usize,
    /// Where each block ends.
    block_ends: Vec<usize>,
}

impl Shipped {
    /// Every table in the directory. Each must belong to a game, so that none goes untested.
    fn all() -> Vec<Shipped> {
        let entries = fs::read_dir(shipped_tables()).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "tbl")).collect();
        paths.sort();
        assert_eq!(paths.len(), tables().count());
        paths.iter().map(|path| Shipped::load(path)).collect()
    }

    fn load(path: &Path) -> Shipped {
        let name = path.file_name().unwrap().to_str().unwrap();
        let spec =
            tables().find(|spec| spec.file_name() == name).unwrap_or_else(|| panic!("no game has the table {name}"));
        let bytes = fs::read(path).unwrap();
        let prelude_bytes = prelude::prelude_bytes(&bytes).unwrap();
        let mut end = prelude_bytes;
        let block_ends = prelude::entries(&bytes).map(|entry| {
            end += prelude::block(&bytes, entry).unwrap().len();
            end
        });
        let block_ends = block_ends.collect();
        Shipped { spec, bytes, prelude_bytes, block_ends }
    }

    /// The block that a byte of the payload belongs to.
    fn block_at(&self, offset: usize) -> usize {
        self.block_ends.partition_point(|&end| end <= offset)
    }

    /// The file with changed bytes in its prelude, and the right hash of the prelude.
    fn forged(&self, offset: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = self.bytes.clone();
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        prelude::set_prelude_hash(&mut file);
        file
    }

    /// The file with another number of positions in its header, where only the four bytes of the block size follow it.
    fn with_positions(&self, positions: u64) -> Vec<u8> {
        let end_of_header = HEADER_AT + u32_at(&self.bytes, HEADER_BYTES_AT).unwrap();
        self.forged(end_of_header - 12, &positions.to_le_bytes())
    }

    fn of_next_version(&self) -> Vec<u8> {
        self.forged(VERSION_AT, &(u32_at(&self.bytes, VERSION_AT).unwrap() as u32 + 1).to_le_bytes())
    }

    /// The file with a bit flipped in every block, so that every block that a query needs is damaged.
    fn with_all_blocks_damaged(&self) -> Vec<u8> {
        let mut file = self.bytes.clone();
        self.block_ends.iter().for_each(|&end| file[end - 1] ^= 0x10);
        file
    }

    /// The records of a block as bytes, from a file in place of this table.
    fn read(&self, file: &[u8], block: usize) -> Result<Vec<u8>, TableError> {
        self.spec.records.dispatch(ReadBlock { file, spec: self.spec, block })
    }
}

/// Reads the records of a block as bytes.
struct ReadBlock<'a> {
    file: &'a [u8],
    spec: &'static Spec,
    block: usize,
}

impl RecordTask for ReadBlock<'_> {
    type Output = Result<Vec<u8>, TableError>;

    fn run<R: Record>(self) -> Result<Vec<u8>, TableError> {
        let table: Table<&[u8], R> = Table::open(self.file, self.spec, Path::new("some/file.tbl"))?;
        let mut bytes = Vec::new();
        table.block(self.block)?.iter().for_each(|record| record.put(&mut bytes));
        Ok(bytes)
    }
}

/// The results of the cases of one table.
#[derive(Default)]
struct Tally {
    tried: BTreeMap<&'static str, usize>,
    detected: usize,
    silently_wrong: usize,
}

impl Tally {
    /// Counts a case in which the reader must find the damage.
    fn expect_refusal<T>(&mut self, kind: &'static str, read: Result<T, TableError>) {
        *self.tried.entry(kind).or_default() += 1;
        match read {
            Err(_) => self.detected += 1,
            Ok(_) => self.silently_wrong += 1,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried: usize = self.tried.values().sum();
        write!(f, "{tried} tried, {} detected, {} silently wrong (", self.detected, self.silently_wrong)?;
        let kinds: Vec<String> = self.tried.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        write!(f, "{})", kinds.join(", "))
    }
}

#[test]
fn all_damage_to_shipped_tables_is_detected() {
    let tables = Shipped::all();
    for table in &tables {
        let mut tally = Tally::default();
        flip_bits(table, &mut tally);
        cut_and_extend(table, &mut tally);
        for other in tables.iter().filter(|other| other.spec != table.spec) {
            tally.expect_refusal("other tables", table.read(&other.bytes, 0));
        }
        tally.expect_refusal("other version", table.read(&table.of_next_version(), 0));
        for positions in [1 << 60, u64::MAX, 0] {
            tally.expect_refusal("wrong positions", table.read(&table.with_positions(positions), 0));
        }
        println!("{}: {tally}", table.spec.name);
        assert_eq!((tally.detected, tally.silently_wrong), (tally.tried.values().sum(), 0), "{}", table.spec.name);
    }
}

/// Flips every bit of the prelude, and a sample of the bits of the payload.
fn flip_bits(table: &Shipped, tally: &mut Tally) {
    let mut seeded = Seeded(table.spec.fingerprint() ^ table.bytes.len() as u64);
    let mut file = table.bytes.clone();
    for bit in 0..table.prelude_bytes * 8 {
        file[bit / 8] ^= 1 << (bit % 8);
        tally.expect_refusal("prelude bits", table.read(&file, 0));
        file[bit / 8] ^= 1 << (bit % 8);
    }
    let blocks = table.block_ends.len();
    for flip in 0..PAYLOAD_BITS {
        let offset = table.prelude_bytes + seeded.below((file.len() - table.prelude_bytes) as u64) as usize;
        let (mask, block) = (1 << seeded.below(8), table.block_at(offset));
        file[offset] ^= mask;
        tally.expect_refusal("payload bits", table.read(&file, block));
        let other = seeded.below(blocks as u64) as usize;
        if flip % FLIPS_PER_OTHER_BLOCK == 0 && other != block {
            let unchanged = table.read(&file, other).unwrap() == table.read(&table.bytes, other).unwrap();
            tally.silently_wrong += usize::from(!unchanged);
        }
        file[offset] ^= mask;
    }
    assert_eq!(file, table.bytes);
    (0..blocks).for_each(|block| drop(table.read(&file, block).unwrap()));
}

/// Cuts the file to every length within the prelude and to a sample of larger ones; appends bytes.
fn cut_and_extend(table: &Shipped, tally: &mut Tally) {
    let mut seeded = Seeded(!table.spec.fingerprint() ^ table.bytes.len() as u64);
    let payload = (table.bytes.len() - table.prelude_bytes) as u64;
    let sampled = (0..PAYLOAD_CUTS).map(|_| table.prelude_bytes + seeded.below(payload) as usize);
    for length in (0..table.prelude_bytes).chain(sampled) {
        tally.expect_refusal("cuts", table.read(&table.bytes[..length], 0));
    }
    for extra in [&b"\0"[..], b"\n", b"tabletop", &[0xFF; 4096], &table.bytes] {
        tally.expect_refusal("extensions", table.read(&[&table.bytes, extra].concat(), 0));
    }
}

/// Damaged files that replace a table for the real binary.
fn damaged_files(table: &Shipped, other: &Shipped) -> Vec<Vec<u8>> {
    let mut seeded = Seeded(table.spec.fingerprint().rotate_left(7) ^ table.bytes.len() as u64);
    let mut files = vec![
        Vec::new(),
        table.bytes[..table.prelude_bytes - 1].to_vec(),
        table.bytes[..table.bytes.len() - 1].to_vec(),
        [&table.bytes[..], b"\0"].concat(),
        other.bytes.clone(),
        table.of_next_version(),
        table.with_positions(1 << 60),
        table.with_all_blocks_damaged(),
    ];
    for bound in [table.prelude_bytes, table.bytes.len()] {
        for _ in 0..4 {
            let mut file = table.bytes.clone();
            file[seeded.below(bound as u64) as usize] ^= 1 << seeded.below(8);
            files.push(file);
        }
    }
    files
}

/// Arguments and inputs. At least one query needs the table.
fn queries(spec: &Spec) -> Vec<(Vec<&'static str>, &'static str)> {
    let owner = PROFILES.iter().find(|profile| profile.tables.contains(&spec)).expect("tables come from the list");
    if owner.name == balda::PROFILE.name {
        return vec![balda_query(spec.name)];
    }
    let forms: [&[&str]; 3] = [&[], &["--explain"], &["--json"]];
    forms.map(|form| ([&[owner.name], form].concat(), owner.sample)).to_vec()
}

/// Balda has a table of words and one of boards for each language.
fn balda_query(table: &str) -> (Vec<&'static str>, &'static str) {
    let board = |input| (vec!["balda", "--board"], input);
    let game = |language, word| (vec!["balda", "--lang", language, "--word", word, "--nodes", "256"], "");
    match table {
        "balda-en" => board("en\n...\ncat\n...\ncat\n"),
        "balda-ru" => board("ru\n...\nкот\n...\nкот\n"),
        "balda-tr" => board("tr\n...\nhal\n...\nhal\n"),
        "balda-boards-en" => game("en", "competition"),
        "balda-boards-ru" => game("ru", "пикантность"),
        "balda-boards-tr" => game("tr", "asilmisadam"),
        unknown => panic!("name a query that needs the table {unknown}"),
    }
}

/// Asserts that the listing shows all other tables as intact, and a message about this one.
#[track_caller]
fn assert_listed_as_bad(outcome: &Outcome, path: &Path, spec: &Spec) {
    assert_named(outcome, path, spec);
    let intact = outcome.stdout.lines().filter(|line| line.contains("intact, as shipped"));
    assert_eq!(intact.count(), tables().count() - 1, "{}", outcome.stdout);
}

#[test]
fn the_binary_refuses_damaged_tables_or_answers_as_before() {
    let directory = copied_tables();
    let tables = Shipped::all();
    for (table, other) in tables.iter().zip(tables.iter().cycle().skip(1)) {
        let path = directory.path().join(table.spec.file_name());
        let queries = queries(table.spec);
        let run = || -> Vec<Outcome> {
            queries.iter().map(|(arguments, input)| tabletop_on(directory.path(), arguments, input)).collect()
        };
        let expected = run();
        assert!(expected.iter().all(|outcome| outcome.code == Some(0) && outcome.stderr.is_empty()), "{expected:?}");
        let (mut refused, mut unaffected) = (0, 0);
        for file in damaged_files(table, other) {
            fs::write(&path, &file).unwrap();
            assert_listed_as_bad(&tabletop_on(directory.path(), &["tables", "--verify"], ""), &path, table.spec);
            // A query that does not need the damaged block is answered.
            let outcomes = run();
            let changed: Vec<&Outcome> = outcomes
                .iter()
                .zip(&expected)
                .filter(|(found, expected)| found != expected)
                .map(|(found, _)| found)
                .collect();
            changed.iter().for_each(|outcome| assert_refused(outcome, &path, table.spec));
            if changed.is_empty() {
                unaffected += 1;
            } else {
                refused += 1;
            }
        }
        println!(
            "{}: {} files, all refused by --verify; queries: {refused} refused, {unaffected} on intact blocks, 0 silently wrong",
            table.spec.name,
            refused + unaffected
        );
        // The first eight files and the four flips in the prelude. Only a flip in a block may go unread by all queries.
        assert!(refused >= 12, "{} is not read by the queries of its game", table.spec.name);
        fs::write(&path, &table.bytes).unwrap();
    }
    assert_eq!(tabletop_on(directory.path(), &["tables", "--verify"], "").code, Some(0));
}
