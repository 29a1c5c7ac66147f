//! The fuzz targets on a stable compiler: seeded mutations of real inputs, the same in every run.
//!
//! `TABLETOP_FUZZ_RUNS` sets how many inputs each target gets, `TABLETOP_FUZZ_SEED` where the mutations begin.

#[path = "../fuzz/src/lib.rs"]
mod entries;
mod support;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

use entries::TARGETS;
use support::{Seeded, shipped_tables};
use tabletop::balda::anneal::WarmBoard;
use tabletop::balda::library::{Library, StoredBoard};
use tabletop::balda::{Dawg, Dictionary, Language, WordListHash};

/// Inputs per target in an ordinary run.
const RUNS: u64 = 10_000;
/// A mutated input is cut here, so that repetition does not make it grow without end.
const MAX_BYTES: usize = 1 << 17;

/// What the inputs of a target are made of.
struct Corpus {
    inputs: Vec<Vec<u8>>,
    /// Pieces that mean something to the target.
    pieces: &'static [&'static str],
}

impl Corpus {
    fn texts(inputs: &[&str], pieces: &'static [&'static str]) -> Corpus {
        Corpus { inputs: inputs.iter().map(|text| text.as_bytes().to_vec()).collect(), pieces }
    }

    fn of(target: &str) -> Corpus {
        match target {
            "dice" => Corpus::texts(
                &["1\n1 2 3 1 1\n1 2 3 4 5\n", "2\n6 6 6 6 6\n1 2 3 4 5\n1 1 1 4 4\n2 2 3 3 3\n", "0\n"],
                &["1 1 1 1 1\n", "6", "7", "0", "1000000", "1000001", "\r\n", "\t", "-1"],
            ),
            "jenga" => Corpus::texts(
                &["6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n", "3\nRGB\n.RG\nG..\n", "2\nR.R\n..G\n", "1\n.G.\n"],
                &["R..\n", "RR.\n", "...\n", ".B.\n", "24", "25", "G", ".", "\r\n"],
            ),
            "hopchess" => Corpus::texts(
                &[
                    "1 3\nJJD\n3 1\n",
                    "2 2\nJJ\nDD\n3 1\n",
                    "2 3\nJ.D\nDJJ\nto move: D\n3 2\n",
                    "4 4\nJDJD\nDJDJ\nJJDD\nD..J\n9 9\n",
                ],
                &[
                    "to move: J\n",
                    "to move:D",
                    "to move",
                    "JD",
                    ".",
                    "16",
                    "17",
                    "18446744073709551615",
                    "1 1\n",
                    "\r\n",
                ],
            ),
            "codenames" => Corpus::texts(
                &[
                    "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n",
                    "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n",
                    "7 R\na b c d e f g\nR R . B B A I\n4\n4 a b c e\n3 d e g\n1 c\n3 d f g\n",
                ],
                &["R", "B", "I", "A", ".", "apple", "\u{1b}[2J", "ю", "64", "65", "1000", " ", "1 a\n", "\r\n"],
            ),
            "balda_input" => Corpus { inputs: balda_inputs(), pieces: &["en", "ru", "tr", "cat\n", "a", "\n\n", " "] },
            "balda_board" => Corpus::texts(
                &[
                    "en\n.....\n..g..\nkenaf\n.....\n.....\n\nkenaf\nfang\n",
                    "ru\n.....\n.н...\nсыщик\n.....\n.....\nсыщик\nсын\n",
                    "tr\n...\nhal\n...\nhal\n",
                ],
                &[".", "...", ".....\n", "cat\n", "я", "a", "en", "\r\n"],
            ),
            "balda_check" => {
                Corpus { inputs: balda_outputs(), pieces: &["r", "l", "u", "d", "5", "1 1 ", " ", "tang", "+3"] }
            }
            "word_graph" => Corpus { inputs: word_graphs(), pieces: &["\x60\0\0\0", "\x20\0\0\0", "\0\x01\0\0"] },
            "board_library" => {
                Corpus { inputs: board_libraries(), pieces: &["\x09", "\x0b", "\0", "\x19", "\x1f", "\x20", "\x51"] }
            }
            "forged_records" => Corpus { inputs: records(), pieces: &["\0\0\0\0", "\x01\0", "\x7f"] },
            _ => Corpus { inputs: small_tables(), pieces: &["tabletop", "\0\0\0\0\0\0\0\x10", "\x28\u{b5}\x2f"] },
        }
    }

    /// One of the inputs with some changes.
    fn mutate(&self, seeded: &mut Seeded) -> Vec<u8> {
        let mut input = self.pick(seeded).clone();
        for _ in 0..seeded.below(6) {
            self.change(&mut input, seeded);
            input.truncate(MAX_BYTES);
        }
        input
    }

    fn pick(&self, seeded: &mut Seeded) -> &Vec<u8> {
        &self.inputs[seeded.below(self.inputs.len() as u64) as usize]
    }

    fn change(&self, input: &mut Vec<u8>, seeded: &mut Seeded) {
        const BYTES: &[u8] = b"\0\x01\x7f\x80\xff\n\r\t 019";
        let place = seeded.below(input.len() as u64 + 1) as usize;
        let end = (place + 1 + seeded.below(16) as usize).min(input.len());
        match seeded.below(10) {
            0 if place < input.len() => input[place] ^= 1 << seeded.below(8),
            1 if place < input.len() => input[place] = seeded.below(256) as u8,
            2 if place < input.len() => input[place] = BYTES[seeded.below(BYTES.len() as u64) as usize],
            3 => {
                input.drain(place.min(end)..end);
            }
            4 => {
                let copy = input[place.min(end)..end].to_vec();
                let to = seeded.below(input.len() as u64 + 1) as usize;
                input.splice(to..to, copy);
            }
            5 => input.truncate(place),
            6 => {
                let other = self.pick(seeded);
                let from = seeded.below(other.len() as u64 + 1) as usize;
                input.truncate(place);
                input.extend_from_slice(&other[from..]);
            }
            7 if seeded.below(100) == 0 => {
                // About as long as the longest line that is read.
                let run = vec![b" a.1"[seeded.below(4) as usize]; (1 << 16) - 8 + seeded.below(16) as usize];
                input.splice(place..place, run);
            }
            7 => exchange_lines(input, seeded),
            _ => {
                let piece = self.pieces[seeded.below(self.pieces.len() as u64) as usize].as_bytes();
                let replaced = if seeded.below(2) == 0 { place } else { (place + piece.len()).min(input.len()) };
                input.splice(place..replaced, piece.iter().copied());
            }
        }
    }
}

fn exchange_lines(input: &mut Vec<u8>, seeded: &mut Seeded) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let (one, other) = (seeded.below(lines.len() as u64) as usize, seeded.below(lines.len() as u64) as usize);
    lines.swap(one, other);
    *input = lines.concat();
}

/// The contest's encoding of words: ASCII or CP866.
fn contest(language: Language, text: &str) -> Vec<u8> {
    let byte = |character: char| match language.alphabet().from_char(character) {
        Some(letter) => language.alphabet().to_contest(letter),
        None => character as u8,
    };
    text.chars().map(byte).collect()
}

fn balda_inputs() -> Vec<Vec<u8>> {
    vec![
        b"en\nkenaf\n\nenate\nfang\ngnat\nkenaf\ntang\ntango\n".to_vec(),
        [b"ru\n", &contest(Language::Russian, "сыщик\n\nикс\nкитч\nстих\nсын\nсыщик\nщит\n")[..]].concat(),
        b"tr\nhavuc\n\ncuval\nhala\nhavuc\nhavut\nhavuz\ntuval\n".to_vec(),
    ]
}

fn balda_outputs() -> Vec<Vec<u8>> {
    let english = "\0\
        5\n2 3 g fang 3 5 llu\n2 4 t gnat 2 3 dru\n1 3 o tango 2 4 dluu\n1 4 e enate 3 2 rruu\n4 3 g tang 2 4 dld\n";
    let russian = "\x01\
        5\n2 2 н сын 3 1 ru\n2 4 т щит 3 3 ru\n1 4 ч китч 3 5 luu\n2 5 с икс 3 4 ru\n4 4 х стих 2 5 ldd\n";
    let turkish = "\x02\
        5\n2 2 l cuval 3 5 lllu\n2 4 t havut 3 1 rrru\n4 2 l tuval 2 4 dlld\n4 4 z havuz 3 1 rrrd\n1 2 a hala 3 1 ruu\n";
    vec![english.as_bytes().to_vec(), contest(Language::Russian, russian), turkish.as_bytes().to_vec()]
}

/// The arcs of small dictionaries behind a byte that chooses the alphabet.
fn word_graphs() -> Vec<Vec<u8>> {
    let graph = |choice: u8, words: &[&[u8]]| {
        let arcs = Dawg::new(&Dictionary::new(words.iter().copied()));
        std::iter::once(choice).chain(arcs.arcs().iter().flat_map(|arc| arc.to_le_bytes())).collect()
    };
    vec![
        graph(0, &[b"\x02\x00\x13", b"\x00\x13", b"\x13\x00\x0d\x06", b"\x13\x00\x0d\x06\x0e", b"\x06\x0d\x00\x13"]),
        graph(1, &[b"\x1f", b"\x1f\x00", b"\x00\x00\x00\x00"]),
        graph(0, &[b"\x00"]),
        vec![0],
    ]
}

/// Small libraries behind a byte that chooses the alphabet.
fn board_libraries() -> Vec<Vec<u8>> {
    let board = |side: u8, points: u16| {
        let cells = 0..side * side;
        let order = cells.clone().rev().filter(|cell| cell / side != side / 2).collect();
        StoredBoard { points, board: WarmBoard { letters: cells.map(|cell| cell % 26).collect(), order } }
    };
    let library = |choice: u8, boards: Vec<StoredBoard>| {
        let records = Library { words: WordListHash(0x0123_4567_89AB_CDEF), boards }.records();
        [&[choice][..], &records].concat()
    };
    vec![
        library(0, vec![board(9, 600), board(11, 900)]),
        library(1, vec![board(11, 1)]),
        library(0, vec![board(9, 5832)]),
        library(1, Vec::new()),
    ]
}

/// Beginnings of the records of shipped tables behind a byte that chooses the game.
fn records() -> Vec<Vec<u8>> {
    let unpacked = |name: &str, bytes: usize| {
        let file = fs::read(shipped_tables().join(name)).unwrap();
        let mut records = zstd::stream::decode_all(&file[..]).unwrap();
        records.truncate(bytes);
        records
    };
    let small_dictionary: Vec<Vec<u8>> = [&[2_u8, 0, 19][..], &[0, 19], &[19]].map(<[u8]>::to_vec).to_vec();
    let small = tabletop::balda::index::records(&Dictionary::new(small_dictionary.iter().map(Vec::as_slice)));
    let small: Vec<u8> = small.iter().flat_map(|record| record.to_le_bytes()).collect();
    vec![
        [&[0][..], &unpacked("dice-hands.tbl", 252), &unpacked("dice-rerolls.tbl", 252)].concat(),
        [&[1][..], &unpacked("jenga.tbl", 800)].concat(),
        [&[2][..], &unpacked("hopchess.tbl", 400), &unpacked("hopchess-rows.tbl", 400)].concat(),
        [&[3][..], &small].concat(),
        [&[3][..], &unpacked("balda-tr.tbl", 400)].concat(),
        [&[4][..], &board_libraries()[0][1..]].concat(),
    ]
}

/// The shipped tables that are small enough to be changed many times, and their beginnings.
fn small_tables() -> Vec<Vec<u8>> {
    const SMALL: usize = 1 << 16;
    let files = fs::read_dir(shipped_tables()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "tbl")).collect();
    paths.sort();
    let tables = paths.iter().map(|path| fs::read(path).unwrap());
    // The small ones several times, because they are quick; of a large one the beginning, which promises too much.
    let mut inputs = Vec::new();
    for mut table in tables {
        let copies = if table.len() > SMALL { 1 } else { 4 };
        table.truncate(SMALL);
        inputs.extend(vec![table; copies]);
    }
    inputs
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a whole number"))
}

fn fuzz(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let (runs, seed) = (setting("TABLETOP_FUZZ_RUNS", RUNS), setting("TABLETOP_FUZZ_SEED", 1));
    let corpus = Corpus::of(name);
    corpus.inputs.iter().for_each(|input| (target.run)(input));
    let mut seeded = Seeded(seed);
    let started = Instant::now();
    for run in 0..runs {
        let input = corpus.mutate(&mut seeded);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(&input))) {
            eprintln!("{name}, run {run}: b\"{}\"", input.escape_ascii());
            resume_unwind(panic);
        }
    }
    println!("{name}: {runs} inputs in {:.1} s", started.elapsed().as_secs_f64());
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { fuzz(stringify!($name)); })*

        #[test]
        fn every_target_is_run_here_and_has_a_file_for_cargo_fuzz() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            for name in names {
                let file = format!("{}/fuzz/fuzz_targets/{name}.rs", env!("CARGO_MANIFEST_DIR"));
                assert!(fs::read_to_string(file).unwrap().contains(&format!("tabletop_fuzz::{name}(bytes)")));
            }
        }
    };
}

targets! {
    dice jenga hopchess codenames balda_input balda_board balda_check table forged_table forged_records word_graph
    board_library
}
