//! The file of a board, begun or finished: what it takes to go on with it, and to prove it without repeating it all.
//!
//! A file is a table whose records are bytes, so that what protects a table protects it too. All numbers are
//! little-endian; a state stands between two start words, state `t` before start word `t` from 0:
//!
//! ```text
//!   bytes      8          1       2        2         8 · done          16 · …            only of a finished board
//!          ┌──────────┬──────┬───────┬────────┬──────────────────┬──────────────────┬────────────────────────────┐
//!          │ identity │ side │ turns │ done   │ digests of the   │ some states, in  │ the board: points, letters,│
//!          │          │  n   │       │        │ states 1 to done │ order            │ order                      │
//!          └──────────┴──────┴───────┴────────┴──────────────────┴──────────────────┴────────────────────────────┘
//!
//!          a state:  random numbers (8)   letters (n · n)   cells outside the middle row as they are filled (n · n − n)
//! ```
//!
//! A finished board of which no turn is told was bred before there were such files; it can only be proved by breeding it
//! again from the beginning.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use tabletop::balda::anneal::{BreedingState, WarmBoard};
use tabletop::balda::library::StoredBoard;
use tabletop::table::{RecordType, Remedy, Spec, Table, Values, sha256};

use crate::generator::EncodedTable;
use crate::publish;

/// Every state whose number divides by this is kept, besides the latest and the one before the last start word.
const KEPT_EVERY: usize = 6;

static SPEC: Spec = Spec {
    name: "board",
    game: "boards",
    rules: "a Balda board as it is bred 1: identity (8 bytes), side (1), turns (2), turns done (2), digests of the \
            states after each (8), every 6th state and the latest: random numbers (8), letters, order; the board at the \
            end: points (2), letters, order; little-endian",
    records: RecordType::U8,
    block_records: 1 << 16,
    positions: None,
    values: Values::Any,
    remedy: Remedy::Generate("boards"),
};

/// The digest of a state: the beginning of its SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn of(state: &BreedingState) -> Digest {
        let mut bytes = Vec::new();
        put_state(&mut bytes, state);
        Digest::of_bytes(&bytes)
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Digest {
        Digest(u64::from_str_radix(&sha256(bytes)[..16], 16).expect("a digest is written in hexadecimal digits"))
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What the file must be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    /// Of all that determines the board.
    pub(super) digest: Digest,
    pub(super) side: usize,
    /// Letters of the alphabet.
    pub(super) alphabet: u8,
    /// Start words under which the board is bred.
    pub(super) turns: usize,
}

/// A board, begun or finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) identity: Identity,
    /// The digest of the state after each turn that is done.
    pub(super) digests: Vec<Digest>,
    /// Some of the states by the number of turns done before them, the latest among them.
    pub(super) states: BTreeMap<usize, BreedingState>,
    /// The finished board.
    pub(super) board: Option<StoredBoard>,
}

impl Kept {
    /// A board before its first turn.
    pub(super) fn begin(identity: Identity, state: BreedingState) -> Kept {
        Kept { identity, digests: Vec::new(), states: BTreeMap::from([(0, state)]), board: None }
    }

    /// Turns done.
    pub(super) fn done(&self) -> usize {
        self.digests.len()
    }

    /// The state to go on from; `None` if the board is finished.
    pub(super) fn latest(&self) -> Option<&BreedingState> {
        self.states.get(&self.done()).filter(|_| self.board.is_none())
    }

    /// Adds the state after one more turn.
    pub(super) fn advance(&mut self, state: BreedingState) {
        self.digests.push(Digest::of(&state));
        self.states.insert(self.done(), state);
        let (done, turns) = (self.done(), self.identity.turns);
        self.states.retain(|&turn, _| is_kept(turn, done, turns));
    }

    /// Reads a file; `None` if there is none, or it is damaged or of something else.
    pub(super) fn read(path: &Path, identity: Identity) -> Option<Kept> {
        Kept::from_bytes(&fs::read(path).ok()?, identity)
    }

    /// The board in the bytes of a file.
    pub(super) fn from_bytes(file: &[u8], identity: Identity) -> Option<Kept> {
        let table: Table<&[u8], u8> = Table::open(file, &SPEC, Path::new("board")).ok()?;
        Kept::from_records(&table.records().ok()?, identity)
    }

    /// Writes the file, which is there wholly or not at all.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let directory = path.parent().unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let table = EncodedTable::new(&SPEC, &self.records());
        fs::create_dir_all(directory)?;
        publish::write(directory, &name, &table.bytes)?.persist(path).map_err(|error| error.error)?;
        publish::sync_directory(directory)
    }

    fn records(&self) -> Vec<u8> {
        let mut records = self.identity.digest.0.to_le_bytes().to_vec();
        records.push(self.identity.side as u8);
        records.extend((self.identity.turns as u16).to_le_bytes());
        records.extend((self.done() as u16).to_le_bytes());
        for digest in &self.digests {
            records.extend(digest.0.to_le_bytes());
        }
        for state in self.states.values() {
            put_state(&mut records, state);
        }
        if let Some(stored) = &self.board {
            records.extend(stored.points.to_le_bytes());
            put_board(&mut records, &stored.board);
        }
        records
    }

    fn from_records(mut records: &[u8], identity: Identity) -> Option<Kept> {
        let rest = &mut records;
        let digest = Digest(u64::from_le_bytes(take(rest)?));
        let [side] = take(rest)?;
        let turns = usize::from(u16::from_le_bytes(take(rest)?));
        let done = usize::from(u16::from_le_bytes(take(rest)?));
        let is_of_identity = digest == identity.digest && usize::from(side) == identity.side;
        if !is_of_identity || turns != identity.turns || done > turns {
            return None;
        }
        let digests: Vec<Digest> =
            (0..done).map(|_| Some(Digest(u64::from_le_bytes(take(rest)?)))).collect::<Option<_>>()?;
        let mut states = BTreeMap::new();
        for turn in (0..=done).filter(|&turn| is_kept(turn, done, turns)) {
            let random = u64::from_le_bytes(take(rest)?);
            let state = BreedingState { board: take_board(rest, identity)?, random };
            if random == 0 || (turn > 0 && Digest::of(&state) != digests[turn - 1]) {
                return None;
            }
            states.insert(turn, state);
        }
        let mut board = None;
        if done == turns || (done == 0 && !rest.is_empty()) {
            let points = u16::from_le_bytes(take(rest)?);
            board = Some(StoredBoard { points, board: take_board(rest, identity)? });
        }
        rest.is_empty().then_some(Kept { identity, digests, states, board })
    }
}

/// Whether a file keeps the state after so many turns when `done` of all turns are done.
fn is_kept(turn: usize, done: usize, turns: usize) -> bool {
    turn < turns && (turn.is_multiple_of(KEPT_EVERY) || turn == done || turn + 1 == turns)
}

fn put_state(bytes: &mut Vec<u8>, state: &BreedingState) {
    bytes.extend(state.random.to_le_bytes());
    put_board(bytes, &state.board);
}

fn put_board(bytes: &mut Vec<u8>, board: &WarmBoard) {
    bytes.extend(&board.letters);
    bytes.extend(&board.order);
}

fn take<const LENGTH: usize>(rest: &mut &[u8]) -> Option<[u8; LENGTH]> {
    let (taken, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(*taken)
}

fn take_board(rest: &mut &[u8], identity: Identity) -> Option<WarmBoard> {
    let cells = identity.side * identity.side;
    let letters = rest.split_off(..cells)?.to_vec();
    let order = rest.split_off(..cells - identity.side)?.to_vec();
    let board = WarmBoard { letters, order };
    board.fits(identity.side, identity.alphabet).then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 9;

    fn identity(digest: &[u8]) -> Identity {
        Identity { digest: Digest::of_bytes(digest), side: SIDE, alphabet: 26, turns: 20 }
    }

    fn state(number: u8) -> BreedingState {
        let letters = (0..SIDE * SIDE).map(|cell| ((cell + usize::from(number)) % 26) as u8).collect();
        let order = (0..SIDE * SIDE).filter(|cell| cell / SIDE != SIDE / 2).map(|cell| cell as u8).collect();
        BreedingState { board: WarmBoard { letters, order }, random: u64::from(number) + 1 }
    }

    fn after(turns: u8) -> Kept {
        let mut kept = Kept::begin(identity(b"one"), state(0));
        for turn in 1..=turns {
            kept.advance(state(turn));
        }
        if turns == 20 {
            kept.board = Some(StoredBoard { points: 500, board: state(20).board });
        }
        kept
    }

    #[test]
    fn what_is_kept_comes_back_whatever_the_turn() {
        for turns in 0..=20 {
            let kept = after(turns);
            assert_eq!(kept.done(), usize::from(turns));
            assert_eq!(kept.latest(), (turns < 20).then(|| state(turns)).as_ref());
            assert_eq!(Kept::from_records(&kept.records(), kept.identity), Some(kept));
        }
        let finished_before = Kept { board: after(20).board, ..after(0) };
        assert_eq!(finished_before.latest(), None);
        assert_eq!(Kept::from_records(&finished_before.records(), identity(b"one")), Some(finished_before));
        assert_eq!(after(20).states.into_keys().collect::<Vec<_>>(), [0, 6, 12, 18, 19]);
        assert_eq!(after(14).states.into_keys().collect::<Vec<_>>(), [0, 6, 12, 14]);
    }

    #[test]
    fn what_is_of_something_else_or_damaged_is_nothing() {
        let kept = after(14);
        let records = kept.records();
        assert_eq!(Kept::from_records(&records, identity(b"other")), None);
        assert_eq!(Kept::from_records(&records, Identity { turns: 21, ..kept.identity }), None);
        assert_eq!(Kept::from_records(&records, Identity { side: 11, ..kept.identity }), None);
        assert_eq!(Kept::from_records(&records, Identity { alphabet: 20, ..kept.identity }), None);
        for length in 0..records.len() {
            assert_eq!(Kept::from_records(&records[..length], kept.identity), None, "{length}");
        }
        assert_eq!(Kept::from_records(&[&records[..], &[0]].concat(), kept.identity), None);
        // In the states every byte counts, but for those of the first, which no digest tells.
        let states = 13 + 14 * 8 + (8 + 81 + 72);
        for place in (0..13).chain(states..records.len()) {
            let mut changed = records.clone();
            changed[place] ^= 1;
            assert_eq!(Kept::from_records(&changed, kept.identity), None, "{place}");
        }
    }

    #[test]
    fn a_file_with_any_bit_flipped_is_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/board.tbl");
        let kept = after(20);
        assert_eq!(Kept::read(&path, kept.identity), None);
        kept.write(&path).unwrap();
        assert_eq!(Kept::read(&path, kept.identity), Some(kept.clone()));
        let file = fs::read(&path).unwrap();
        for place in 0..file.len() {
            let mut flipped = file.clone();
            flipped[place] ^= 1 << (place % 8);
            assert_eq!(Kept::from_bytes(&flipped, kept.identity), None, "{place}");
        }
    }
}
