//! The tables of boards: for each language, strong finished boards that a search can start from.
//!
//! A record is one byte. The table has the hash of the word list, then the boards:
//!
//! ```text
//!   byte     0 … 7         8 …
//!            ┌─────────────┬──────────────┬──────────────┬───
//!            │ hash of the │ board        │ board        │ …
//!            │ word list   │              │              │
//!            └─────────────┴──────────────┴──────────────┴───
//!                          ╱              ╲
//!            ┌──────┬────────┬──────────────────┬──────────────────┐
//!            │ side │ points │ letters          │ cells outside    │
//!            │  n   │        │ row by row, the  │ the middle row   │
//!            │      │        │ start word in    │ as they are      │
//!            │      │        │ the middle row   │ filled           │
//!            └──────┴────────┴──────────────────┴──────────────────┘
//!     bytes     1       2           n · n            n · n − n
//!
//!   cells of a board, here n = 3:   0 1 2
//!                                   3 4 5   the start word
//!                                   6 7 8
//! ```
//!
//! All numbers are little-endian. The points are those of the best game that fills the board in this order. In that
//! game, a cell for which no word is left stays empty.

use super::alphabet::{Alphabet, Language};
use super::anneal::WarmBoard;
use super::dictionary::WordListHash;
use super::rules::is_side;
use crate::table::{Places, RecordType, Remedy, Source, Spec, Table, TableBytes, TableError, Values};

/// The sides of the shipped boards: the large ones, where a search from scratch would need the most time.
pub const SIDES: [usize; 4] = [9, 11, 13, 15];

const HASH_BYTES: usize = 8;

const RULES: &str = "balda boards 1: hash of the word list (8 bytes), then boards: side (1 byte), points of the best game \
                     (2 bytes), letters row by row, cells outside the middle row as they are filled; little-endian";

const fn boards_spec(name: &'static str) -> Spec {
    Spec {
        name,
        game: "balda",
        rules: RULES,
        records: RecordType::U8,
        block_records: 1 << 14,
        positions: None,
        values: Values::Any,
        remedy: Remedy::Generate("boards"),
    }
}

/// Boards of English words.
pub static ENGLISH: Spec = boards_spec("balda-boards-en");
/// Boards of Russian words.
pub static RUSSIAN: Spec = boards_spec("balda-boards-ru");
/// Boards of Turkish words.
pub static TURKISH: Spec = boards_spec("balda-boards-tr");

/// The table of a language's boards.
pub fn spec(language: Language) -> &'static Spec {
    match language {
        Language::English => &ENGLISH,
        Language::Russian => &RUSSIAN,
        Language::Turkish => &TURKISH,
    }
}

/// A stored board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBoard {
    /// Points of the best game that fills the board in its order.
    pub points: u16,
    /// The letters and the order.
    pub board: WarmBoard,
}

impl StoredBoard {
    /// Cells per row.
    pub fn side(&self) -> usize {
        self.board.letters.len().isqrt()
    }

    /// The word in the middle row.
    pub fn start(&self) -> &[u8] {
        let side = self.side();
        &self.board.letters[side / 2 * side..][..side]
    }
}

/// The boards of a language, and the hash of their word list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// The hash of the word list that the boards were bred with.
    pub words: WordListHash,
    /// The boards.
    pub boards: Vec<StoredBoard>,
}

impl Library {
    /// Opens the boards of a language.
    pub fn open(places: &Places, language: Language) -> Result<Library, TableError> {
        let table: Table<TableBytes, u8> = places.open(spec(language))?;
        Library::read(&table, language)
    }

    /// Reads every record of a table of boards and checks every board.
    pub fn read<D: Source>(table: &Table<D, u8>, language: Language) -> Result<Library, TableError> {
        Library::from_records(&table.records()?, language.alphabet()).ok_or_else(|| table.invalid_record(0))
    }

    /// The library in the records of a table, or `None` if a record is invalid.
    pub fn from_records(records: &[u8], alphabet: Alphabet) -> Option<Library> {
        let (&hash, mut rest) = records.split_first_chunk::<HASH_BYTES>()?;
        let mut boards = Vec::new();
        while !rest.is_empty() {
            boards.push(take_board(&mut rest, alphabet)?);
        }
        Some(Library { words: WordListHash(u64::from_le_bytes(hash)), boards })
    }

    /// The records of the table that holds the library.
    pub fn records(&self) -> Vec<u8> {
        let mut records = self.words.0.to_le_bytes().to_vec();
        for stored in &self.boards {
            records.push(stored.side() as u8);
            records.extend_from_slice(&stored.points.to_le_bytes());
            records.extend_from_slice(&stored.board.letters);
            records.extend_from_slice(&stored.board.order);
        }
        records
    }
}

/// Takes the next board from the records and checks it: a legal side, letters of the alphabet, every cell outside the
/// middle row filled once, and at most as many points as words through all cells would make.
fn take_board(rest: &mut &[u8], alphabet: Alphabet) -> Option<StoredBoard> {
    let side = usize::from(*rest.split_off_first()?);
    if !is_side(side) {
        return None;
    }
    let (cells, outside) = (side * side, side * side - side);
    let points = u16::from_le_bytes([*rest.split_off_first()?, *rest.split_off_first()?]);
    let letters = rest.split_off(..cells)?;
    let order = rest.split_off(..outside)?;
    let board = WarmBoard { letters: letters.to_vec(), order: order.to_vec() };
    let plausible = (1..=outside * cells).contains(&usize::from(points));
    (plausible && board.fits(side, alphabet.len())).then_some(StoredBoard { points, board })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(side: usize, points: u16) -> StoredBoard {
        let order = (0..side * side).rev().filter(|cell| cell / side != side / 2).map(|cell| cell as u8).collect();
        let letters = (0..side * side).map(|cell| (cell % 26) as u8).collect();
        StoredBoard { points, board: WarmBoard { letters, order } }
    }

    fn library() -> Library {
        Library { words: WordListHash(0x0123_4567_89AB_CDEF), boards: vec![board(9, 500), board(11, 900)] }
    }

    #[test]
    fn a_library_round_trips_through_its_records() {
        let library = library();
        let records = library.records();
        assert_eq!(records.len(), 8 + (3 + 81 + 72) + (3 + 121 + 110));
        assert_eq!(Library::from_records(&records, Alphabet::Latin), Some(library.clone()));
        assert_eq!(library.boards[0].start(), [10, 11, 12, 13, 14, 15, 16, 17, 18]);
        let empty = Library { boards: Vec::new(), ..library };
        assert_eq!(Library::from_records(&empty.records(), Alphabet::Latin), Some(empty));
    }

    #[test]
    fn invalid_records_are_refused() {
        let records = library().records();
        let ends = [8, 8 + 156, records.len()];
        for length in (0..records.len()).filter(|length| !ends.contains(length)) {
            assert_eq!(Library::from_records(&records[..length], Alphabet::Latin), None, "{length}");
        }
        let (side, points, letters, order) = (8, 9, 11, 11 + 81);
        for (place, bytes) in [
            (side, &[7][..]),
            (side, &[10]),
            (side, &[255]),
            (points, &[0, 0]),
            (points, &[0xFF, 0xFF]),
            (letters, &[26]),
            (letters + 80, &[0xFF]),
            (order, &[36]),
            (order, &[81]),
            (order, &[0]),
        ] {
            let mut changed = records.clone();
            changed[place..place + bytes.len()].copy_from_slice(bytes);
            assert_eq!(Library::from_records(&changed, Alphabet::Latin), None, "{bytes:?} at {place}");
        }
    }
}
