//! The container of the tables, and what the games make of records that no generator wrote.

use std::path::Path;

use tabletop::TABLES;
use tabletop::balda::index::{self, Words};
use tabletop::balda::library::{self, Library};
use tabletop::balda::{Alphabet, Dawg, Language};
use tabletop::dice::{Adviser, Case, Hand, answer::Stage};
use tabletop::hopchess::{self, Board, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::jenga::{self, Tower};
use tabletop::table::{Record, RecordType, Spec, Table, TableError};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes before the header, of an entry of the block index, and of a hash.
const FIXED_BYTES: usize = 32;
const INDEX_ENTRY_BYTES: usize = 20;
const HASH_BYTES: usize = 8;

/// A table's file: it is refused with a remedy, or read wholly.
pub fn table(bytes: &[u8]) {
    for &spec in TABLES {
        match spec.records {
            RecordType::U8 => open_and_read::<u8>(bytes, spec),
            RecordType::U16 => open_and_read::<u16>(bytes, spec),
            RecordType::U32 => open_and_read::<u32>(bytes, spec),
            _ => open_and_read::<f64>(bytes, spec),
        }
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

fn open_and_read<R: Record>(bytes: &[u8], spec: &'static Spec) {
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

fn assert_refusal(error: &TableError, spec: &Spec) {
    let message = error.to_string();
    assert!(message.starts_with("some/file.tbl: "), "{message}");
    assert!(message.contains(&format!("run `tabletop-gen {} --out some`", spec.game)), "{message}");
    assert!(message.len() < 8192 && !message.contains(char::is_control), "{message:?}");
}

fn read_words(table: &Table<&[u8], u32>, language: Language) {
    match Words::read(table, language) {
        Ok(words) => {
            assert_eq!(words.dawg.word_count(), words.count as u64);
            check_graph(&words.dawg, language.alphabet());
        }
        Err(error) => assert_refusal(&error, index::spec(language)),
    }
}

fn read_library(table: &Table<&[u8], u8>, language: Language) {
    match Library::read(table, language) {
        Ok(library) => check_library(&library, &table.records().unwrap(), language.alphabet()),
        Err(error) => assert_refusal(&error, library::spec(language)),
    }
}

/// A table's file with every hash set right, as a forger would: what lies behind the hashes must hold by itself.
pub fn forged_table(bytes: &[u8]) {
    let mut file = bytes.to_vec();
    set_hashes(&mut file);
    table(&file);
}

/// Sets the length of the file, the hashes of the blocks and the hash of the prelude, as far as they have a place.
fn set_hashes(file: &mut [u8]) {
    let Some(frame) = number(file, 4, 4) else { return };
    let prelude = frame as usize + 8;
    if prelude < FIXED_BYTES + HASH_BYTES || prelude > file.len() {
        return;
    }
    let length = file.len() as u64;
    file[24..32].copy_from_slice(&length.to_le_bytes());
    let header = number(file, 20, 4).unwrap_or(0) as usize;
    for entry in (FIXED_BYTES.saturating_add(header)..prelude - HASH_BYTES).step_by(INDEX_ENTRY_BYTES) {
        let place = number(file, entry, 8).zip(number(file, entry + 8, 4));
        let block = place.and_then(|(start, bytes)| file.get(start as usize..start.checked_add(bytes)? as usize));
        let hash = block.map_or(0, xxh3_64);
        if let Some(place) = file.get_mut(entry + 12..entry + 20) {
            place.copy_from_slice(&hash.to_le_bytes());
        }
    }
    let hash = xxh3_64(&file[..prelude - HASH_BYTES]);
    file[prelude - HASH_BYTES..prelude].copy_from_slice(&hash.to_le_bytes());
}

fn number(file: &[u8], start: usize, bytes: usize) -> Option<u64> {
    let bytes = file.get(start..start.checked_add(bytes)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Any numbers as the arcs of a word graph: they are refused, or are a graph that lists the words that it counts.
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
    /// A graph of few arcs can count more words than there is memory; who lists them looks at the number first.
    const FEW_WORDS: u64 = 2000;
    let count = graph.word_count();
    assert!(!graph.contains(&[]) && !graph.contains(&[alphabet.len()]));
    if count > FEW_WORDS {
        return;
    }
    let dictionary = graph.dictionary();
    assert_eq!(dictionary.len() as u64, count);
    assert!(dictionary.words().all(|word| graph.contains(word)));
    let minimal = Dawg::new(&dictionary);
    assert!(minimal.arcs().len() <= graph.arcs().len());
    assert_eq!(minimal.dictionary(), dictionary);
}

/// Any bytes as a library of boards: they are refused, or are boards that can be filled and that give the same bytes back.
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

/// Any records in a table whose every hash is right: a game answers or refuses, and does not fall over.
pub fn forged_records(bytes: &[u8]) {
    let Some((&choice, records)) = bytes.split_first() else { return };
    match choice % 5 {
        0 => {
            let (hands, rerolls) = records.split_at(records.len() / 2);
            let (hands, rerolls) =
                (forge(&tabletop::dice::index::HANDS, hands), forge(&tabletop::dice::index::REROLLS, rerolls));
            if let (Ok(hands), Ok(rerolls)) =
                (opened(&hands, &tabletop::dice::index::HANDS), opened(&rerolls, &tabletop::dice::index::REROLLS))
            {
                ask_dice(&Adviser::new(hands, rerolls));
            }
        }
        1 => {
            let file = forge(&jenga::index::TOWERS, records);
            if let Ok(towers) = opened(&file, &jenga::index::TOWERS) {
                ask_jenga(&jenga::Answers::new(towers));
            }
        }
        2 => {
            let (boards, rows) = records.split_at(records.len() / 2);
            let (boards, rows) = (forge(&hopchess::index::BOARDS, boards), forge(&hopchess::index::ROWS, rows));
            if let (Ok(boards), Ok(rows)) =
                (opened(&boards, &hopchess::index::BOARDS), opened(&rows, &hopchess::index::ROWS))
            {
                ask_hopchess(&mut hopchess::Answers::new(boards, rows));
            }
        }
        3 => {
            let language = Language::ALL[usize::from(choice / 5) % Language::ALL.len()];
            let file = forge(index::spec(language), records);
            // The path is the one that refusals are checked against.
            read_words(&opened(&file, index::spec(language)).unwrap(), language);
        }
        _ => {
            let language = Language::ALL[usize::from(choice / 5) % Language::ALL.len()];
            let file = forge(library::spec(language), records);
            read_library(&opened(&file, library::spec(language)).unwrap(), language);
        }
    }
}

fn opened<'a, R: Record>(file: &'a [u8], spec: &'static Spec) -> Result<Table<&'a [u8], R>, TableError> {
    Table::open(file, spec, Path::new("some/file.tbl"))
}

fn ask_dice(adviser: &Adviser<&[u8]>) {
    for (a, b) in [([1, 1, 1, 1, 1], [1, 1, 1, 1, 2]), ([1, 2, 3, 4, 5], [6, 6, 6, 6, 6]), ([1, 1, 1, 1, 2], [1; 5])] {
        let case = Case { a: Hand::new(a).unwrap(), b: Hand::new(b).unwrap() };
        for stage in [Stage::FirstRolls, Stage::AFinished] {
            if let Ok(advice) = adviser.advise(case, stage) {
                assert!((0.0..=1.0).contains(&advice.chance().to_f64()), "{case:?}");
            }
        }
    }
}

fn ask_jenga(answers: &jenga::Answers<&[u8]>) {
    for tower in [&["RGB"][..], &["RRR", "RRR"], &["RGB", "GRG"], &["RGB", ".RG", "G.."]] {
        let tower = Tower::new(tower.iter().map(|level| level.parse().unwrap()).collect()).unwrap();
        // Any double may be in a forged table; the answer is as good as the table, but it is one.
        let _ = answers.minutes(&tower);
        let _ = answers.advise(&tower);
    }
}

fn ask_hopchess(answers: &mut hopchess::Answers<&[u8]>) {
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (2, 2), (1, 4), (2, 3)] {
        let shape = Shape::new(rows, columns).unwrap();
        for (justin, donald) in [(1, 1), (2, 1), (1, 3)] {
            let factor = |moves| ErrorFactor::new(moves).unwrap();
            let factors = Factors { justin: factor(justin), donald: factor(donald) };
            let position = Position { board: Board::full(shape, Cells(5)), to_move: Player::Justin };
            if let Ok(Some(chance)) = answers.look_up(hopchess::Case { position, factors }) {
                assert!((0.0..=1.0).contains(&chance.to_f64()), "{shape}: {chance}");
            }
        }
    }
}

/// The file of a table with one block that holds these records, written by hand: the block is a zstd frame that stores
/// its bytes as they are, so that any records are quickly forged.
fn forge(spec: &Spec, records: &[u8]) -> Vec<u8> {
    const MOST_RECORD_BYTES: usize = 1 << 16;
    let size = spec.records.size();
    let records = &records[..records.len().min(MOST_RECORD_BYTES) / size * size];
    let count = records.len() / size;
    let (header, frame) = (forge_header(spec, count), forge_frame(records));

    let blocks = usize::from(count > 0);
    let prelude = FIXED_BYTES + header.len() + blocks * INDEX_ENTRY_BYTES + HASH_BYTES;
    let mut file = 0x184D_2A54_u32.to_le_bytes().to_vec();
    file.extend_from_slice(&(prelude as u32 - 8).to_le_bytes());
    file.extend_from_slice(b"tabletop");
    file.extend_from_slice(&1_u32.to_le_bytes());
    file.extend_from_slice(&(header.len() as u32).to_le_bytes());
    file.extend_from_slice(&0_u64.to_le_bytes());
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
    let record_type = match spec.records {
        RecordType::U8 => 0_u32,
        RecordType::U16 => 1,
        RecordType::U32 => 2,
        _ => 3,
    };
    let plain = 0_u32;
    header.extend_from_slice(&record_type.to_le_bytes());
    header.extend_from_slice(&plain.to_le_bytes());
    header.extend_from_slice(&(count as u64).to_le_bytes());
    header.extend_from_slice(&(count.max(1) as u32).to_le_bytes());
    header
}

/// A frame of one segment with its size in four bytes, and one last block of the raw kind.
fn forge_frame(records: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0b1010_0000];
    frame.extend_from_slice(&(records.len() as u32).to_le_bytes());
    frame.extend_from_slice(&(1 | (records.len() as u32) << 3).to_le_bytes()[..3]);
    frame.extend_from_slice(records);
    frame
}
