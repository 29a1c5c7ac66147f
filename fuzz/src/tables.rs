//! The table container, and the games with records that no generator wrote.

use std::path::Path;
use std::sync::Arc;

use tabletop::balda::index::{self, WordTable};
use tabletop::balda::{Alphabet, Dawg, Language};
use tabletop::dice::{Case, Dice, Hand, Stage};
use tabletop::explain::Paint;
use tabletop::game::{
    AnswerError, Error, Fault, FaultKind, Form, Game, Judging, Kind, PROFILES, Sizes, answer, exact_test_games, tables,
};
use tabletop::hopchess::{self, Board, Cells, ErrorFactor, Factors, Hopchess, Player, Position, Shape};
use tabletop::internal::balda::library::{self, Library};
use tabletop::jenga::{Jenga, Tower};
use tabletop::table::{Cure, Places, Record, RecordTask, Remedy, Source, Spec, Table, TableBytes, TableError, Values};

use crate::prelude::{ENTRY_BYTES, FILE_BYTES_AT, HASH_BYTES, HEADER_AT, set_hashes};

/// Any bytes as a table file: refused with a remedy, or read completely.
pub fn table(bytes: &[u8]) {
    for spec in tables() {
        spec.records.dispatch(OpenAndRead { bytes, spec });
    }
    for language in Language::ALL {
        if let Ok(table) = Table::open(bytes, index::spec(language), Path::new("some/file.tbl")) {
            read_words(&table, language);
        }
        if let Ok(table) = Table::open(bytes, library::spec(language), Path::new("some/file.tbl")) {
            read_library(&table, language);
        }
    }
}

/// Opens a table file, and reads it completely.
struct OpenAndRead<'a> {
    bytes: &'a [u8],
    spec: &'static Spec,
}

impl RecordTask for OpenAndRead<'_> {
    type Output = ();

    fn run<R: Record>(self) {
        let OpenAndRead { bytes, spec } = self;
        let table: Table<&[u8], R> = match Table::open(bytes, spec, Path::new("some/file.tbl")) {
            Ok(table) => table,
            Err(error) => return assert_refusal(&error, spec),
        };
        let positions = table.header().positions;
        assert!(table.get(positions).is_err() && table.rest_of_block(u64::MAX).is_err());
        match table.records() {
            Ok(records) => assert_eq!(records.len() as u64, positions),
            Err(error) => assert_refusal(&error, spec),
        }
    }
}

fn assert_refusal(error: &TableError, spec: &Spec) {
    let message = error.to_string();
    assert!(message.starts_with("some/file.tbl: "), "{message}");
    assert!(matches!(spec.remedy, Remedy::Generate(_)), "{message}");
    assert_eq!(error.cure(), Cure::MakeAgain { directory: Some(Path::new("some")) }, "{message}");
    assert!(message.len() < 8192 && !message.contains(char::is_control), "{message:?}");
}

fn read_words<D: Source>(table: &Table<D, u32>, language: Language) {
    match WordTable::read(table, language) {
        Ok(words) => {
            assert_eq!(words.dawg.extent().words, words.count as u64);
            check_graph(&words.dawg, language.alphabet());
        }
        Err(error) => assert_refusal(&error, index::spec(language)),
    }
}

fn read_library<D: Source>(table: &Table<D, u8>, language: Language) {
    match Library::read(table, language) {
        Ok(library) => check_library(&library, &table.records().unwrap(), language.alphabet()),
        Err(error) => assert_refusal(&error, library::spec(language)),
    }
}

/// A table file with the right length and the right hashes, as a forger would make it: the checks behind the hashes
/// must be enough.
pub fn forged_table(bytes: &[u8]) {
    let mut file = bytes.to_vec();
    let length = file.len() as u64;
    if let Some(place) = file.get_mut(FILE_BYTES_AT..FILE_BYTES_AT + 8) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    set_hashes(&mut file);
    table(&file);
}

/// Any numbers as the arcs of a word graph: refused, or a graph that lists as many words as it counts.
pub fn word_graph(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let alphabet = if choice.is_multiple_of(2) { Alphabet::Latin } else { Alphabet::Russian };
    let arcs: Vec<u32> = bytes.chunks_exact(4).map(|arc| u32::from_le_bytes(arc.try_into().unwrap())).collect();
    match Dawg::from_arcs(arcs.clone(), alphabet) {
        Ok(graph) => {
            assert_eq!(graph.arcs(), arcs);
            check_graph(&graph, alphabet);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check_graph(graph: &Dawg, alphabet: Alphabet) {
    /// A graph of few arcs can have more words than fit into memory, so only this many are listed.
    const FEW_WORDS: u64 = 2000;
    const FEW_LETTERS: u64 = 1 << 20;
    let extent = graph.extent();
    let other = if alphabet == Alphabet::Latin { Alphabet::Russian } else { Alphabet::Latin };
    assert!(!graph.contains(&[]) && other.letters().all(|letter| !graph.contains(&[letter])));
    if extent.words > FEW_WORDS || extent.letters > FEW_LETTERS {
        return;
    }
    let dictionary = graph.dictionary();
    assert_eq!(dictionary.len() as u64, extent.words);
    assert_eq!(dictionary.words().map(|word| word.len() as u64).sum::<u64>(), extent.letters);
    assert_eq!(dictionary.words().map(|word| word.len() as u64).max().unwrap_or(0), extent.longest);
    assert!(dictionary.words().all(|word| graph.contains(word)));
    let minimal = Dawg::new(&dictionary);
    assert!(minimal.arcs().len() <= graph.arcs().len());
    assert_eq!(minimal.dictionary(), dictionary);
}

/// Any bytes as a library of boards: refused, or boards that can be filled and are written as the same bytes.
pub fn board_library(bytes: &[u8]) {
    let Some((&choice, records)) = bytes.split_first() else { return };
    let alphabet = if choice.is_multiple_of(2) { Alphabet::Latin } else { Alphabet::Russian };
    if let Some(library) = Library::from_records(records, alphabet) {
        check_library(&library, records, alphabet);
    }
}

fn check_library(library: &Library, records: &[u8], alphabet: Alphabet) {
    assert_eq!(library.records(), records);
    for stored in &library.boards {
        let (side, board) = (stored.side(), &stored.board);
        assert!(side % 2 == 1 && (3..=15).contains(&side) && side * side == board.letters.len() && stored.points > 0);
        assert!(board.letters.iter().all(|&letter| letter < alphabet.len()));
        let mut cells: Vec<usize> = board.order.iter().map(|&cell| usize::from(cell)).collect();
        cells.sort_unstable();
        assert!(cells.into_iter().eq((0..side * side).filter(|cell| cell / side != side / 2)));
        assert_eq!(stored.start().len(), side);
    }
}

// These specs allow any number of any records, so that a game meets records that its own specs would refuse.
static PAIRS: Spec = Spec { positions: None, values: Values::Any, ..tabletop::dice::index::PAIRS };
static HANDS: Spec = Spec { positions: None, values: Values::Any, ..tabletop::dice::index::HANDS };
static REROLLS: Spec = Spec { positions: None, values: Values::Any, ..tabletop::dice::index::REROLLS };
static TOWERS: Spec = Spec { positions: None, values: Values::Any, ..tabletop::jenga::index::TOWERS };
static BOARDS: Spec = Spec { positions: None, values: Values::Any, ..hopchess::index::BOARDS };
static ROWS: Spec = Spec { positions: None, values: Values::Any, ..hopchess::index::ROWS };

/// The games that have tables, in the order of the list: what the first byte of [`forged_records`] chooses from.
pub fn games_with_tables() -> Vec<&'static str> {
    PROFILES.iter().filter(|profile| !profile.tables.is_empty()).map(|profile| profile.name).collect()
}

/// Any records in a table with right hashes: a game answers or refuses, and does not panic.
pub fn forged_records(bytes: &[u8]) {
    let Some((&choice, records)) = bytes.split_first() else { return };
    let games = games_with_tables();
    match games[usize::from(choice) % games.len()] {
        "dice" => {
            let (pairs, rest) = records.split_at(records.len() / 3);
            let (hands, rerolls) = rest.split_at(rest.len() / 2);
            ask_dice(&Dice::new(forged(&PAIRS, pairs), forged(&HANDS, hands), forged(&REROLLS, rerolls)));
        }
        "jenga" => ask_jenga(&Jenga::new(forged(&TOWERS, records))),
        "hopchess" => {
            let (boards, rows) = records.split_at(records.len() / 2);
            ask_hopchess(&Hopchess::new(forged(&BOARDS, boards), forged(&ROWS, rows)));
        }
        "balda" => forged_balda(usize::from(choice) / games.len(), records),
        game => forged_directory(game, records),
    }
}

/// Asks a game of the list about small cases. Its tables are filled with these records, repeated.
pub fn forged_directory(game: &str, records: &[u8]) {
    let name = format!("tabletop-forged-{}-{:?}", std::process::id(), std::thread::current().id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory).expect("the temporary directory can be written");
    let mut games = exact_test_games(&Places::only(&directory).in_memory()).into_iter();
    let game = games.find(|other| other.profile().name == game).expect("the game is in the list");
    for spec in game.profile().tables {
        let few = (records.len() / spec.records.size()) as u64;
        let bytes = spec.positions.unwrap_or(few) as usize * spec.records.size();
        let records: Vec<u8> = records.iter().copied().cycle().take(bytes.min(MOST_RECORD_BYTES)).collect();
        std::fs::write(directory.join(spec.file_name()), forge(spec, &records)).expect("the table can be written");
    }
    for seed in 0..4 {
        let input = Arc::clone(&game).sample(Kind::Tiny, &Sizes::default(), seed).expect("a sample needs no table");
        match answer(&game, &input.text(), Form::Judge) {
            Ok(output) => {
                let fault = input.judge(&output, &Judging::default()).expect("the value is known").fault;
                assert!(!matches!(fault, Some(Fault { kind: FaultKind::Malformed, .. })), "{fault:?}");
            }
            // Not a record that a table of this game does not have.
            Err(AnswerError::Game { error: Error::Table(error), .. }) => {
                assert!(matches!(error.cure(), Cure::Make { .. } | Cure::MakeAgain { .. }), "{error}");
            }
            Err(error) => panic!("{error}"),
        }
        // Advice may need other records than the value, so either may fail alone.
        if let Ok(advice) = answer(&game, &input.text(), Form::Explain(Paint::Plain)) {
            assert!(!advice.is_empty());
        }
    }
    std::fs::remove_dir_all(&directory).expect("what was written can be removed");
}

/// Reads a table of Balda: `choice` numbers those of words, then those of boards, by language.
fn forged_balda(choice: usize, records: &[u8]) {
    let languages = Language::ALL.len();
    let language = Language::ALL[choice % languages];
    if (choice / languages).is_multiple_of(2) {
        read_words(&forged(index::spec(language), records), language);
    } else {
        read_library(&forged(library::spec(language), records), language);
    }
}

/// An open table with these records. It opens whatever the records are; if it did not, the target would test nothing.
/// The path is the one that `assert_refusal` expects.
fn forged<R: Record>(spec: &'static Spec, records: &[u8]) -> Table<TableBytes, R> {
    let file = forge(spec, records);
    Table::open(file.into(), spec, Path::new("some/file.tbl")).unwrap_or_else(|error| panic!("{error}"))
}

fn ask_dice(dice: &Dice) {
    for (a, b) in [([1, 1, 1, 1, 1], [1, 1, 1, 1, 2]), ([1, 2, 3, 4, 5], [6, 6, 6, 6, 6]), ([1, 1, 1, 1, 2], [1; 5])] {
        for stage in [Stage::FirstRolls, Stage::AFinished] {
            let case = Case { a: Hand::new(a).unwrap(), b: Hand::new(b).unwrap(), stage };
            let advised = dice.advise(&case).map(|advice| advice.chance);
            for chance in [dice.value(&case), advised].into_iter().flatten() {
                assert!((0.0..=1.0).contains(&chance.to_f64()), "{case:?}");
            }
        }
    }
}

fn ask_jenga(jenga: &Jenga) {
    for tower in [&["RGB"][..], &["RRR", "RRR"], &["RGB", "GRG"], &["RGB", ".RG", "G.."]] {
        let tower = Tower::new(tower.iter().map(|level| level.parse().unwrap()).collect()).unwrap();
        let advised = jenga.advise(&tower).map(|advice| advice.minutes());
        for minutes in [jenga.value(&tower), advised].into_iter().flatten() {
            assert!(minutes.0.is_finite() && minutes.0 >= 0.0, "{tower:?}: {minutes}");
        }
    }
}

fn ask_hopchess(hopchess: &Hopchess) {
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (2, 2), (1, 4), (2, 3)] {
        let shape = Shape::new(rows, columns).unwrap();
        for (justin, donald) in [(1, 1), (2, 1), (1, 3)] {
            let factor = |moves| ErrorFactor::new(moves).unwrap();
            let factors = Factors { justin: factor(justin), donald: factor(donald) };
            let position = Position { board: Board::full(shape, Cells(5)), to_move: Player::Justin };
            if let Ok(Some(chance)) = hopchess.look_up(&hopchess::Case { position, factors }) {
                assert!((0.0..=1.0).contains(&chance.to_f64()), "{shape}: {chance}");
            }
        }
    }
}

/// The most bytes of records in a forged table, half of what one raw block of zstd can hold.
const MOST_RECORD_BYTES: usize = 1 << 16;

/// The file of a table with one block that holds these records. The block is a zstd frame that stores its bytes
/// uncompressed, so that forging is fast.
fn forge(spec: &Spec, records: &[u8]) -> Vec<u8> {
    let size = spec.records.size();
    let records = &records[..records.len().min(MOST_RECORD_BYTES) / size * size];
    let count = records.len() / size;
    let (header, frame) = (forge_header(spec, count), forge_frame(records));

    let blocks = usize::from(count > 0);
    let prelude = HEADER_AT + header.len() + blocks * ENTRY_BYTES + HASH_BYTES;
    let mut file = 0x184D_2A54_u32.to_le_bytes().to_vec();
    file.extend_from_slice(&(prelude as u32 - 8).to_le_bytes());
    file.extend_from_slice(b"tabletop");
    file.extend_from_slice(&1_u32.to_le_bytes());
    file.extend_from_slice(&(header.len() as u32).to_le_bytes());
    file.extend_from_slice(&((prelude + blocks * frame.len()) as u64).to_le_bytes());
    file.extend_from_slice(&header);
    if blocks > 0 {
        file.extend_from_slice(&(prelude as u64).to_le_bytes());
        file.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        file.extend_from_slice(&0_u64.to_le_bytes());
    }
    file.extend_from_slice(&0_u64.to_le_bytes());
    if blocks > 0 {
        file.extend_from_slice(&frame);
    }
    set_hashes(&mut file);
    file
}

fn forge_header(spec: &Spec, count: usize) -> Vec<u8> {
    let mut header = Vec::new();
    for text in [spec.name, spec.game, "a forger"] {
        header.extend_from_slice(&(text.len() as u64).to_le_bytes());
        header.extend_from_slice(text.as_bytes());
    }
    header.extend_from_slice(&spec.fingerprint().to_le_bytes());
    let plain = 0_u32;
    header.extend_from_slice(&(spec.records as u32).to_le_bytes());
    header.extend_from_slice(&plain.to_le_bytes());
    header.extend_from_slice(&(count as u64).to_le_bytes());
    header.extend_from_slice(&(count.max(1) as u32).to_le_bytes());
    header
}

/// A single-segment frame: its size in four bytes, then one last block of raw bytes.
fn forge_frame(records: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0b1010_0000];
    frame.extend_from_slice(&(records.len() as u32).to_le_bytes());
    frame.extend_from_slice(&(1 | (records.len() as u32) << 3).to_le_bytes()[..3]);
    frame.extend_from_slice(records);
    frame
}
