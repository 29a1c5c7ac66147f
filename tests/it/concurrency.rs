//! Many readers at once: processes that map the same files, and threads that share one table.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier};

use crate::support::{Seeded, queries, shipped_tables};
use tabletop::game::{Form, Kind, Sizes, TestGame, answer, exact_test_games, tables};
use tabletop::table::{Places, Record, RecordTask, Spec, Table};

const PROCESSES: usize = 64;
const THREADS: u64 = 16;
const ROUNDS: u64 = 4;
const LOOKUPS: u64 = 200;

#[test]
fn sixty_four_processes_answer_like_one() {
    let directory = tempfile::tempdir().unwrap();
    let queries = queries();
    // Every query in every form.
    let forms: [&[&str]; 3] = [&[], &["--explain"], &["--json"]];
    let runs: Vec<(usize, &[&str])> =
        (0..queries.len()).flat_map(|query| forms.into_iter().map(move |form| (query, form))).collect();
    let file = |query: usize| directory.path().join(query.to_string());
    for (number, query) in queries.iter().enumerate() {
        std::fs::write(file(number), query.input).unwrap();
    }
    let start = |number: usize| {
        let (query, form) = runs[number % runs.len()];
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
        command.args(queries[query].arguments).args(form).arg(file(query)).env("TABLETOP_TABLES", shipped_tables());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let alone: Vec<_> = (0..runs.len()).map(|number| start(number).output().unwrap()).collect();
    let together: Vec<_> = (0..PROCESSES).map(|number| start(number).spawn().unwrap()).collect();
    for (number, process) in together.into_iter().enumerate() {
        let expected = &alone[number % runs.len()];
        assert!(expected.status.success() && !expected.stdout.is_empty(), "{expected:?}");
        assert_eq!(process.wait_with_output().unwrap(), *expected);
    }
}

#[test]
fn sixteen_threads_that_decode_the_same_blocks_read_what_one_does() {
    for spec in tables() {
        spec.records.dispatch(ShareTable { spec });
    }
}

/// Reads one table from many threads.
struct ShareTable {
    spec: &'static Spec,
}

impl RecordTask for ShareTable {
    type Output = ();

    fn run<R: Record>(self) {
        share_table::<R>(self.spec);
    }
}

fn share_table<R: Record>(spec: &'static Spec) {
    let file = std::fs::read(shipped_tables().join(spec.file_name())).unwrap();
    let open = || Table::<&[u8], R>::open(&file, spec, Path::new("shared")).unwrap();
    let bytes_of = |record: R| {
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        bytes
    };
    let expected = open().records().unwrap();
    for round in 0..ROUNDS {
        // No block of this table has been read yet, and all threads begin with the same one.
        let table = open();
        let start = Barrier::new(THREADS as usize);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (table, expected, start) = (&table, &expected, &start);
                scope.spawn(move || {
                    // Half of the threads visit the blocks in the same order, each of the others in its own.
                    let mut seeded = Seeded(round << 8 | if thread % 2 == 0 { 0 } else { thread });
                    start.wait();
                    for _ in 0..LOOKUPS {
                        let rank = seeded.below(expected.len() as u64);
                        let found = table.get(rank).unwrap();
                        assert_eq!(bytes_of(found), bytes_of(expected[rank as usize]), "{} {rank}", spec.name);
                    }
                });
            }
        });
    }
}

/// Many threads ask one game. Each must get the answers that a single thread gets.
#[test]
fn sixteen_threads_share_every_game() {
    let open = || exact_test_games(&Places::only(shipped_tables()));
    let alone: Vec<Arc<dyn TestGame>> = open();
    for (place, game) in alone.iter().enumerate() {
        let sample = |seed| Arc::clone(game).sample(Kind::Ordinary, &Sizes::default(), seed).unwrap().text();
        let inputs: Vec<Vec<u8>> = (0..48).map(sample).collect();
        let expected: Vec<Vec<u8>> = inputs.iter().map(|input| answer(game, input, Form::Judge).unwrap()).collect();
        for _ in 0..ROUNDS {
            let (shared, start): (Vec<Arc<dyn TestGame>>, _) = (open(), Barrier::new(THREADS as usize));
            std::thread::scope(|scope| {
                for _ in 0..THREADS {
                    scope.spawn(|| {
                        start.wait();
                        for (input, expected) in inputs.iter().zip(&expected) {
                            assert_eq!(answer(&shared[place], input, Form::Judge).unwrap(), *expected);
                        }
                    });
                }
            });
        }
    }
}
