//! Many readers at once: processes that map the same files, and threads that share one table.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Barrier;

use support::{Seeded, shipped_tables};
use tabletop::TABLES;
use tabletop::table::{Places, Record, RecordType, Spec, Table};

const PROCESSES: usize = 64;
const THREADS: u64 = 16;
const ROUNDS: u64 = 4;
const LOOKUPS: u64 = 200;

/// Arguments and the content of the input file.
const QUERIES: [(&[&str], &str); 6] = [
    (&["dice", "--explain"], "1\n1 2 3 1 1\n1 2 3 4 5\n"),
    (&["jenga"], "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n"),
    (&["hopchess", "--json"], "2 3\nJJD\nJDD\n3 1\n"),
    (&["codenames", "--explain"], "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n"),
    (&["balda", "--board", "--json"], "tr\n...\nhal\n...\nhal\n"),
    (&["balda", "--nodes", "300", "--seed", "5"], "en\ncat\n\ncat\ncar\nrace\ncare\ncerate\nat\nart\nrat\ntar\n"),
];

#[test]
fn sixty_four_processes_answer_as_one_does() {
    let directory = tempfile::tempdir().unwrap();
    let file = |number: usize| directory.path().join((number % QUERIES.len()).to_string());
    for (number, (_, input)) in QUERIES.iter().enumerate() {
        std::fs::write(file(number), input).unwrap();
    }
    let query = |number: usize| {
        let (arguments, _) = QUERIES[number % QUERIES.len()];
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
        command.args(arguments).arg(file(number)).env("TABLETOP_TABLES", shipped_tables());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let alone: Vec<_> = (0..QUERIES.len()).map(|number| query(number).output().unwrap()).collect();
    let together: Vec<_> = (0..PROCESSES).map(|number| query(number).spawn().unwrap()).collect();
    for (number, process) in together.into_iter().enumerate() {
        let expected = &alone[number % QUERIES.len()];
        assert!(expected.status.success() && !expected.stdout.is_empty(), "{expected:?}");
        assert_eq!(process.wait_with_output().unwrap(), *expected);
    }
}

#[test]
fn sixteen_threads_that_meet_at_cold_blocks_read_what_one_does() {
    for &spec in TABLES {
        match spec.records {
            RecordType::U8 => share_table::<u8>(spec),
            RecordType::U16 => share_table::<u16>(spec),
            RecordType::U32 => share_table::<u32>(spec),
            _ => share_table::<f64>(spec),
        }
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
        // A table that nobody has read from: each of its blocks is cold, and all threads begin at the same one.
        let table = open();
        let start = Barrier::new(THREADS as usize);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (table, expected, start) = (&table, &expected, &start);
                scope.spawn(move || {
                    // Half of the threads take the same way through the blocks, the others each their own.
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

#[test]
fn sixteen_threads_share_the_answers_of_a_game() {
    use tabletop::jenga::{Answers, Level, Tower};
    let towers: Vec<Tower> = (0..48)
        .map(|seed| {
            let mut seeded = Seeded(seed);
            let mut letter = || b"RGB"[seeded.below(3) as usize];
            let levels = (0..5).map(|_| Level::from_letters(&[letter(), letter(), letter()]).unwrap()).collect();
            Tower::new(levels).unwrap()
        })
        .collect();
    let open = || Answers::open(&Places::only(shipped_tables())).unwrap();
    let alone = open();
    let expected: Vec<u64> = towers.iter().map(|tower| alone.minutes(tower).unwrap().0.to_bits()).collect();
    for _ in 0..ROUNDS {
        let (answers, start) = (open(), Barrier::new(THREADS as usize));
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    start.wait();
                    let found = towers.iter().map(|tower| answers.minutes(tower).unwrap().0.to_bits());
                    assert!(found.eq(expected.iter().copied()));
                });
            }
        });
    }
}
