//! The fuzz targets on a stable compiler: seeded mutations of real inputs, the same in every run.
//!
//! `TABLETOP_FUZZ_RUNS` sets the number of inputs per target, `TABLETOP_FUZZ_SEED` the seed of the mutations.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Instant;

use crate::support::{Seeded, shipped_tables};
use tabletop::balda::WarmBoard;
use tabletop::balda::{self, Alphabet, Dawg, Dictionary, Language, Letter, Word, WordListHash};
use tabletop::game::{Form, Kind, PROFILES, Sizes, TestGame, answer, exact_test_games};
use tabletop::internal::balda::library::{Library, StoredBoard};
use tabletop::table::{Places, Spec};
use tabletop_fuzz::{forged_directory, games_with_tables, targets};

/// Inputs per target by default.
const RUNS: u64 = 10_000;
/// The most bytes of a mutated input, so that repeated mutations cannot make it grow without bound.
const MAX_BYTES: usize = 1 << 17;

/// The material for the inputs of a target.
struct Corpus {
    inputs: Vec<Vec<u8>>,
    /// Pieces that mean something to the target.
    pieces: &'static [&'static str],
}

/// The corpus of a game from its samples, and from positions a few moves into the game.
fn game_corpus(name: &str) -> Corpus {
    let games = exact_test_games(&Places::only(shipped_tables())).into_iter();
    let game: Option<Arc<dyn TestGame>> =
        games.into_iter().find(|game: &Arc<dyn TestGame>| game.profile().name == name);
    let game = game.unwrap_or_else(|| panic!("no corpus for the target '{name}'"));
    let kinds = Kind::ALL.into_iter().flat_map(|kind| (0..4).map(move |seed| (kind, seed)));
    let one_case = Sizes::one_case(&game.profile());
    let sample = |(kind, seed)| Arc::clone(&game).sample(kind, &one_case, seed).unwrap().text();
    let mut inputs: Vec<Vec<u8>> = kinds.map(sample).collect();
    for start in 0..4 {
        for _ in 0..3 {
            let json: serde_json::Value =
                serde_json::from_slice(&answer(&game, &inputs[start], Form::Json).unwrap()).unwrap();
            let Some(next) = first_next(&json) else { break };
            inputs[start] = next.into_bytes();
            inputs.push(inputs[start].clone());
        }
    }
    inputs.push(game.profile().sample.as_bytes().to_vec());
    let pieces = &[
        ".",
        "0",
        "1",
        "25",
        "1000001",
        "-1",
        "18446744073709551615",
        "to move: ",
        "guessing: hint 1 with number 1\n",
        "\u{1b}[2J",
        "ю",
        "\r\n",
        "\t",
        " ",
    ];
    Corpus { inputs, pieces }
}

/// The first `next` below an object.
fn first_next(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::Array(elements) => elements.iter().find_map(first_next),
        serde_json::Value::Object(fields) => {
            let own = fields.get("next").and_then(|next| next.as_str().map(str::to_owned));
            own.or_else(|| fields.values().find_map(first_next))
        }
        _ => None,
    }
}

impl Corpus {
    fn texts(inputs: &[&str], pieces: &'static [&'static str]) -> Corpus {
        Corpus { inputs: inputs.iter().map(|text| text.as_bytes().to_vec()).collect(), pieces }
    }

    fn of(target: &str) -> Corpus {
        match target {
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
            "table" | "forged_table" => {
                Corpus { inputs: small_tables(), pieces: &["tabletop", "\0\0\0\0\0\0\0\x10", "\x28\u{b5}\x2f"] }
            }
            game => game_corpus(game),
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
                // About as long as the longest line that a reader accepts.
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
        Some(letter) => letter.to_contest(),
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

/// A byte that chooses the alphabet, then the arcs of a small dictionary.
fn word_graphs() -> Vec<Vec<u8>> {
    let graph = |choice: u8, words: &[&[u8]]| {
        let alphabet = if choice == 0 { Alphabet::Latin } else { Alphabet::Russian };
        let words: Vec<Vec<Letter>> =
            words.iter().map(|word| word.iter().filter_map(|&number| alphabet.letter(number)).collect()).collect();
        let arcs = Dawg::new(&Dictionary::new(alphabet, words.iter().map(Vec::as_slice)));
        std::iter::once(choice).chain(arcs.arcs().iter().flat_map(|arc| arc.to_le_bytes())).collect()
    };
    vec![
        graph(0, &[b"\x02\x00\x13", b"\x00\x13", b"\x13\x00\x0d\x06", b"\x13\x00\x0d\x06\x0e", b"\x06\x0d\x00\x13"]),
        graph(1, &[b"\x1f", b"\x1f\x00", b"\x00\x00\x00\x00"]),
        graph(0, &[b"\x00"]),
        vec![0],
    ]
}

/// A byte that chooses the alphabet, then a small library.
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

/// For every game with tables: a byte that chooses the game, then the first records of its shipped tables.
fn records() -> Vec<Vec<u8>> {
    let games = games_with_tables();
    let of_game = |(choice, &name): (usize, &&str)| {
        let profile = PROFILES.iter().find(|profile| profile.name == name).unwrap();
        if name == balda::PROFILE.name {
            return balda_records(choice, games.len());
        }
        // The target cuts the bytes into equal shares, one per table. The smallest table, dice hands, has 252 bytes.
        let share = 3 * 252 / profile.tables.len();
        let tables: Vec<u8> = profile.tables.iter().flat_map(|spec| unpacked(spec, share)).collect();
        vec![[&[choice as u8][..], &tables].concat()]
    };
    games.iter().enumerate().flat_map(of_game).collect()
}

/// The same for Balda. Its byte also chooses between the tables of words and of boards.
fn balda_records(choice: usize, games: usize) -> Vec<Vec<u8>> {
    let byte = |table: usize| (choice + games * table) as u8;
    let (english, turkish, english_boards) = (0, 2, Language::ALL.len());
    let words: [Word; 3] = ["cat", "at", "t"].map(|word| word.parse().unwrap());
    let small = tabletop::balda::index::records(&Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..])));
    let small: Vec<u8> = small.iter().flat_map(|record| record.to_le_bytes()).collect();
    vec![
        [&[byte(english)][..], &small].concat(),
        [&[byte(turkish)][..], &unpacked(tabletop::balda::index::spec(Language::Turkish), 400)].concat(),
        [&[byte(english_boards)][..], &board_libraries()[0][1..]].concat(),
    ]
}

/// The first bytes of a shipped table's records.
fn unpacked(spec: &Spec, bytes: usize) -> Vec<u8> {
    let file = fs::read(shipped_tables().join(spec.file_name())).unwrap();
    let mut records = zstd::stream::decode_all(&file[..]).unwrap();
    records.truncate(bytes);
    records
}

/// The small shipped tables, and the beginnings of the large ones.
fn small_tables() -> Vec<Vec<u8>> {
    const SMALL: usize = 1 << 16;
    let files = fs::read_dir(shipped_tables()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "tbl")).collect();
    paths.sort();
    let tables = paths.iter().map(|path| fs::read(path).unwrap());
    // Small tables are fast, so there are several copies of each. A large table is cut, so that its header states more
    // records than follow.
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
    let target = targets().into_iter().find(|target| target.name == name).unwrap();
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

/// The games with exact answers.
fn exact_names() -> impl Iterator<Item = &'static str> {
    PROFILES.iter().map(|profile| profile.name).filter(|&name| name != balda::PROFILE.name)
}

/// The text of every game in the list.
#[test]
fn games() {
    exact_names().for_each(fuzz);
}

/// Every game goes through the generic check of forged records that games without their own check use.
#[test]
fn any_game_is_asked_about_a_directory_of_forged_tables() {
    let (corpus, mut seeded) = (Corpus::of("forged_records"), Seeded(3));
    for game in games_with_tables().into_iter().filter(|&game| game != balda::PROFILE.name) {
        for _ in 0..100 {
            forged_directory(game, &corpus.mutate(&mut seeded));
        }
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { fuzz(stringify!($name)); })*

        #[test]
        fn every_target_is_run_here_and_has_a_file_for_cargo_fuzz() {
            let others = [$(stringify!($name)),*];
            let names: Vec<&str> = targets().into_iter().map(|target| target.name).collect();
            let games: Vec<&str> = exact_names().collect();
            assert_eq!(names, [&games[..], &others].concat());
            for name in ["games"].into_iter().chain(others) {
                let file = format!("{}/fuzz/fuzz_targets/{name}.rs", env!("CARGO_MANIFEST_DIR"));
                assert!(fs::read_to_string(file).unwrap().contains(&format!("tabletop_fuzz::{name}(bytes)")));
            }
        }
    };
}

targets! {
    balda_input balda_board balda_check table forged_table forged_records word_graph board_library
}
