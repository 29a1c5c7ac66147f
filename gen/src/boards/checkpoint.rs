//! The checkpoint file of a board, unfinished or finished: all that is needed to continue it, and to prove it without
//! breeding all of it again.
//!
//! The file is a table whose records are bytes, so it is protected like any table. All numbers are little-endian. State
//! `t` is the state before start word `t`, counted from 0:
//!
//! ```text
//!   bytes      8          1       2        2         8 · done          16 · …            only of a finished board
//!          ┌──────────┬──────┬───────┬────────┬──────────────────┬──────────────────┬────────────────────────────┐
//!          │ identity │ side │ turns │ done   │ digests of the   │ some states, in  │ the board: points, letters,│
//!          │          │  n   │       │        │ states 1 to done │ order            │ order                      │
//!          └──────────┴──────┴───────┴────────┴──────────────────┴──────────────────┴────────────────────────────┘
//!
//!          a state: random numbers (8)   letters (n · n)   cells outside the middle row as they are filled (n · n − n)
//! ```
//!
//! A finished board with `done` = 0 was bred before checkpoints existed. It can only be proved by breeding it again
//! from the beginning.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use tabletop::balda::WarmBoard;
use tabletop::internal::balda::Resumable;
use tabletop::internal::balda::library::StoredBoard;
use tabletop::publish;
use tabletop::table::{RecordType, Remedy, Spec, Table, Values, sha256};

use crate::generator::EncodedTable;

/// A checkpoint keeps every state whose number is a multiple of this, the latest one, and the one before the last start
/// word.
const STATE_INTERVAL: usize = 6;

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

/// The first 8 bytes of a SHA-256 digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn of(state: &Resumable) -> Digest {
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

/// The board that a checkpoint belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    /// The digest of everything that determines the board.
    pub(super) digest: Digest,
    pub(super) side: usize,
    /// Number of letters in the alphabet.
    pub(super) alphabet: u8,
    /// Number of start words.
    pub(super) turns: usize,
}

/// A board, unfinished or finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub(super) identity: Identity,
    /// The digest of the state after each turn that is done.
    pub(super) digests: Vec<Digest>,
    /// Some states, by the number of turns done before them. The latest state of an unfinished board is among them.
    pub(super) states: BTreeMap<usize, Resumable>,
    /// The finished board.
    pub(super) board: Option<StoredBoard>,
}

impl Checkpoint {
    /// A board before its first turn.
    pub(super) fn begin(identity: Identity, state: Resumable) -> Checkpoint {
        Checkpoint { identity, digests: Vec::new(), states: BTreeMap::from([(0, state)]), board: None }
    }

    /// Number of turns done.
    pub(super) fn done(&self) -> usize {
        self.digests.len()
    }

    /// The state to continue from; `None` if the board is finished.
    pub(super) fn latest(&self) -> Option<&Resumable> {
        self.states.get(&self.done()).filter(|_| self.board.is_none())
    }

    /// Adds the state after one more turn.
    pub(super) fn advance(&mut self, state: Resumable) {
        self.digests.push(Digest::of(&state));
        self.states.insert(self.done(), state);
        let (done, turns) = (self.done(), self.identity.turns);
        self.states.retain(|&turn, _| is_kept(turn, done, turns));
    }

    /// Reads a file. `None` if it is missing, damaged, or belongs to another board. A file that cannot be read is an
    /// error: it may hold hours of work, which must not be overwritten.
    pub(super) fn read(path: &Path, identity: Identity) -> io::Result<Option<Checkpoint>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Checkpoint::from_bytes(&bytes, identity)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Decodes the bytes of a file.
    pub(super) fn from_bytes(file: &[u8], identity: Identity) -> Option<Checkpoint> {
        let table: Table<&[u8], u8> = Table::open(file, &SPEC, Path::new("board")).ok()?;
        Checkpoint::from_records(&table.records().ok()?, identity)
    }

    /// Writes the file atomically.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let directory = path.parent().unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default();
        let table = EncodedTable::new(&SPEC, &self.records());
        fs::create_dir_all(directory)?;
        publish::replace(directory, name, &table.bytes)
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

    fn from_records(mut records: &[u8], identity: Identity) -> Option<Checkpoint> {
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
            let state = Resumable { board: take_board(rest, identity)?, random };
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
        rest.is_empty().then_some(Checkpoint { identity, digests, states, board })
    }
}

/// Whether a checkpoint keeps the state after `turn` turns when `done` of `turns` turns are done.
fn is_kept(turn: usize, done: usize, turns: usize) -> bool {
    turn < turns && (turn.is_multiple_of(STATE_INTERVAL) || turn == done || turn + 1 == turns)
}

fn put_state(bytes: &mut Vec<u8>, state: &Resumable) {
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

    fn state(number: u8) -> Resumable {
        let letters = (0..SIDE * SIDE).map(|cell| ((cell + usize::from(number)) % 26) as u8).collect();
        let order = (0..SIDE * SIDE).filter(|cell| cell / SIDE != SIDE / 2).map(|cell| cell as u8).collect();
        Resumable { board: WarmBoard { letters, order }, random: u64::from(number) + 1 }
    }

    fn after(turns: u8) -> Checkpoint {
        let mut checkpoint = Checkpoint::begin(identity(b"one"), state(0));
        for turn in 1..=turns {
            checkpoint.advance(state(turn));
        }
        if turns == 20 {
            checkpoint.board = Some(StoredBoard { points: 500, board: state(20).board });
        }
        checkpoint
    }

    #[test]
    fn a_checkpoint_reads_back_after_every_turn() {
        for turns in 0..=20 {
            let checkpoint = after(turns);
            assert_eq!(checkpoint.done(), usize::from(turns));
            assert_eq!(checkpoint.latest(), (turns < 20).then(|| state(turns)).as_ref());
            assert_eq!(Checkpoint::from_records(&checkpoint.records(), checkpoint.identity), Some(checkpoint));
        }
        let finished_before = Checkpoint { board: after(20).board, ..after(0) };
        assert_eq!(finished_before.latest(), None);
        assert_eq!(Checkpoint::from_records(&finished_before.records(), identity(b"one")), Some(finished_before));
        assert_eq!(after(20).states.into_keys().collect::<Vec<_>>(), [0, 6, 12, 18, 19]);
        assert_eq!(after(14).states.into_keys().collect::<Vec<_>>(), [0, 6, 12, 14]);
    }

    #[test]
    fn a_damaged_checkpoint_or_one_of_another_board_is_not_read() {
        let checkpoint = after(14);
        let records = checkpoint.records();
        assert_eq!(Checkpoint::from_records(&records, identity(b"other")), None);
        assert_eq!(Checkpoint::from_records(&records, Identity { turns: 21, ..checkpoint.identity }), None);
        assert_eq!(Checkpoint::from_records(&records, Identity { side: 11, ..checkpoint.identity }), None);
        assert_eq!(Checkpoint::from_records(&records, Identity { alphabet: 20, ..checkpoint.identity }), None);
        for length in 0..records.len() {
            assert_eq!(Checkpoint::from_records(&records[..length], checkpoint.identity), None, "{length}");
        }
        assert_eq!(Checkpoint::from_records(&[&records[..], &[0]].concat(), checkpoint.identity), None);
        // Every byte of the states is checked, except those of state 0, which has no digest.
        let states = 13 + 14 * 8 + (8 + 81 + 72);
        for place in (0..13).chain(states..records.len()) {
            let mut changed = records.clone();
            changed[place] ^= 1;
            assert_eq!(Checkpoint::from_records(&changed, checkpoint.identity), None, "{place}");
        }
    }

    #[test]
    fn a_file_with_a_flipped_bit_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/board.tbl");
        let checkpoint = after(20);
        assert_eq!(Checkpoint::read(&path, checkpoint.identity).unwrap(), None);
        checkpoint.write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path, checkpoint.identity).unwrap(), Some(checkpoint.clone()));
        let file = fs::read(&path).unwrap();
        for place in 0..file.len() {
            let mut flipped = file.clone();
            flipped[place] ^= 1 << (place % 8);
            assert_eq!(Checkpoint::from_bytes(&flipped, checkpoint.identity), None, "{place}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_taken_for_a_missing_one() {
        let directory = tempfile::tempdir().unwrap();
        assert!(Checkpoint::read(directory.path(), identity(b"one")).is_err());
    }
}
