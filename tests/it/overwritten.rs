//! Tables that are overwritten in place while they are mapped: a query refuses, or answers as before.
//!
//! No mapped file is made shorter here: that can crash the program. `Places::in_memory` protects against it.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::{Outcome, Seeded, copied_tables, shipped_tables, tabletop};
use tabletop::dice::index::PAIRS;
use tabletop::jenga::index::TOWERS;
use tabletop::table::{Places, Record, Spec, Table, TableBytes, encode};

const ONE_LEVEL: &str = "1\nRGB\n";
const SIX_LEVELS: &str = "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n";

/// Number of changes. After each, a reader that was open before and a new one are asked.
const CHANGES: usize = 1_000;
/// The test ends after this many refusals and as many right answers while another thread writes.
const RACING_LOOKUPS: usize = 5_000;
/// The most time for them, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

fn shipped(spec: &Spec) -> Vec<u8> {
    fs::read(shipped_tables().join(spec.file_name())).unwrap()
}

fn records<R: Record>(spec: &'static Spec) -> Vec<R> {
    Table::<_, R>::open(shipped(spec), spec, Path::new("shipped")).unwrap().records().unwrap()
}

/// A valid table with other records, padded to the length of the shipped one. A reader that is already open ignores the
/// padding.
fn another_table<R: Record>(spec: &'static Spec, change: fn(R) -> R) -> Vec<u8> {
    let changed: Vec<R> = records(spec).into_iter().map(change).collect();
    let mut file = encode(spec, "another generator", &changed);
    let length = shipped(spec).len();
    assert!(file.len() < length, "{} of {length} bytes", file.len());
    file.resize(length, 0);
    file
}

/// Asks for one level, overwrites the table with `bytes`, then asks for six levels.
fn ask_before_and_after(bytes: &[u8]) -> Outcome {
    let directory = copied_tables();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["jenga", "--many", "--tables"])
        .arg(directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    stdin.write_all(ONE_LEVEL.as_bytes()).unwrap();
    let mut answers = String::new();
    // After the first answer the table is mapped.
    stdout.read_line(&mut answers).unwrap();
    overwrite(&directory.path().join("jenga.tbl"), 0, bytes);
    stdin.write_all(SIX_LEVELS.as_bytes()).unwrap();
    drop(stdin);
    stdout.read_to_string(&mut answers).unwrap();
    let output = child.wait_with_output().unwrap();
    Outcome { code: output.status.code(), stdout: answers, stderr: String::from_utf8(output.stderr).unwrap() }
}

/// Writes into a file without making it shorter.
fn overwrite(path: &Path, offset: u64, bytes: &[u8]) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.write_all_at(bytes, offset).unwrap();
}

#[test]
fn a_table_that_is_overwritten_between_two_answers_gives_no_wrong_answer() {
    let length = shipped(&TOWERS).len();
    let first = tabletop(&["jenga"], ONE_LEVEL).stdout;
    let others = [
        another_table(&TOWERS, |minutes: f64| (minutes / 2.0).round()),
        vec![0; length],
        vec![0xFF; length],
        random_bytes(&mut Seeded(1), length),
    ];
    for bytes in &others {
        let outcome = ask_before_and_after(bytes);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), first.as_str()), "{outcome:?}");
        assert!(outcome.stderr.contains("jenga.tbl: the file is damaged: the hash of block"), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    }
    // A change of the prelude alone has no effect: the query keeps the prelude that it has checked.
    let outcome = ask_before_and_after(&others[0][..1 << 15]);
    outcome.answers(&(first + &tabletop(&["jenga"], SIX_LEVELS).stdout));
}

fn random_bytes(seeded: &mut Seeded, length: usize) -> Vec<u8> {
    (0..length).map(|_| seeded.below(256) as u8).collect()
}

/// A change of some bytes of a table: random ones, or those of another valid table at the same place.
fn change(seeded: &mut Seeded, another: &[u8]) -> (u64, Vec<u8>) {
    let magnitude = seeded.below(15);
    let length = 1 + seeded.below(1 << magnitude) as usize;
    let offset = seeded.below((another.len() - length) as u64) as usize;
    // Half of the changes begin in the prelude, which is a small part of the file.
    let offset = if seeded.below(2) == 0 { offset % 700 } else { offset };
    let bytes = if seeded.below(2) == 0 { another[offset..][..length].to_vec() } else { random_bytes(seeded, length) };
    (offset as u64, bytes)
}

/// The results of lookups.
#[derive(Default)]
struct Tally {
    refused: usize,
    right: usize,
}

impl Tally {
    /// Looks up one record in every block.
    fn ask(&mut self, table: &Table<TableBytes, u32>, expected: &[u32], seeded: &mut Seeded) {
        let block_records = u64::from(PAIRS.block_records);
        for block in 0..table.block_count() as u64 {
            let rank =
                block * block_records + seeded.below(block_records.min(expected.len() as u64 - block * block_records));
            match table.get(rank) {
                Ok(found) => {
                    assert_eq!(found, expected[rank as usize], "record {rank}");
                    self.right += 1;
                }
                Err(_) => self.refused += 1,
            }
        }
    }

    fn assert_both(&self) {
        println!("{} refused, {} right, 0 wrong", self.refused, self.right);
        assert!(self.refused > 100 && self.right > 100, "{} refused, {} right", self.refused, self.right);
    }
}

#[test]
fn every_change_in_place_is_a_refusal_or_the_right_records() {
    let intact = shipped(&PAIRS);
    let (expected, another) = (records(&PAIRS), another_table(&PAIRS, |ways: u32| ways >> 8));
    let directory = copied_tables();
    let (path, places) = (directory.path().join("dice.tbl"), Places::only(directory.path()));
    let mut seeded = Seeded(13);
    let mut tally = Tally::default();
    for _ in 0..CHANGES {
        let old = places.open(&PAIRS).unwrap();
        let (offset, bytes) = change(&mut seeded, &another);
        overwrite(&path, offset, &bytes);
        tally.ask(&old, &expected, &mut seeded);
        match places.open(&PAIRS) {
            Ok(fresh) => tally.ask(&fresh, &expected, &mut seeded),
            Err(_) => tally.refused += 1,
        }
        overwrite(&path, offset, &intact[offset as usize..][..bytes.len()]);
    }
    tally.assert_both();
}

/// Stops the writer when the reader is done, even by a failed assertion.
struct StopWriter<'a>(&'a AtomicBool);

impl Drop for StopWriter<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn readers_that_race_with_a_writer_refuse_or_are_right() {
    let intact = shipped(&PAIRS);
    let (expected, another) = (records(&PAIRS), another_table(&PAIRS, |ways: u32| ways >> 8));
    let directory = copied_tables();
    let (path, places) = (directory.path().join("dice.tbl"), Places::only(directory.path()));
    let done = AtomicBool::new(false);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            while !done.load(Ordering::Relaxed) {
                file.write_all_at(&another, 0).unwrap();
                file.write_all_at(&intact, 0).unwrap();
                std::thread::yield_now();
            }
        });
        let _stop = StopWriter(&done);
        let (mut seeded, started) = (Seeded(17), Instant::now());
        while !writer.is_finished() && tally.right.min(tally.refused) < RACING_LOOKUPS {
            match places.open(&PAIRS) {
                Ok(table) => tally.ask(&table, &expected, &mut seeded),
                Err(_) => tally.refused += 1,
            }
            assert!(started.elapsed() < PATIENCE, "{} right, {} refused", tally.right, tally.refused);
        }
    });
    tally.assert_both();
}

#[test]
fn a_table_in_memory_survives_the_truncation_of_its_file() {
    let directory = copied_tables();
    let table: Table<TableBytes, f64> = Places::only(directory.path()).in_memory().open(&TOWERS).unwrap();
    File::create(directory.path().join("jenga.tbl")).unwrap();
    let bits = |records: &[f64]| records.iter().map(|record| record.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&table.records().unwrap()), bits(&records(&TOWERS)));
}
