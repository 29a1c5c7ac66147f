//! The table of a solved game: keys and values, or values alone.
//!
//! The records of the container are bytes, divided into pages of [`PAGE`] positions. A directory before the pages holds
//! the start and the first key of each page, so a lookup reads one page. All numbers of the header and the directory
//! are little-endian.
//!
//! ```text
//!  offset   bytes
//!  0        8      number of positions, or of ranks
//!  8        4      positions per page; the last page may have fewer
//!  12       1      0: by rank, without keys; 1: by key, in ascending order
//!  13       1      values: 0 doubles, 1 fractions as text, 2 lower and upper bounds as doubles, 3 codes, 4 rounded
//!  14       1      1 if the pages hold the moves to the end (2^32 - 1: the game goes on for ever)
//!  15       1      the version of this format
//!  16       8      d, the size of the directory in bytes
//!  24       8      the value of a draw, as a double
//!  32       8      the fingerprint of the sample: a hash of its keys and ranks
//!  40       4      t, the size of the sample in bytes
//!  44       1      sum of 1 if a choice takes the largest value, 2 if one takes the smallest, 4 if turns pass
//!  45       1      the length of every key, or 0 if keys differ in length
//!  46       2      c, the number of codes
//!  48       t      the sample: the texts of some positions, one per line
//!  48+t     d      for each page: its start after the directory (8), the length of its first key (4), that key; nothing
//!                  if all pages by rank have the same size
//!  48+t+d   12c    for each code from 1, its value as a double (8) and its moves to the end (4)
//!  …        20     for rounded values: the largest error as a double (8), the least whole number (8), the number of
//!                  decimals (2), and b, the number of bytes of a value (2)
//!  …        …      the pages
//! ```
//! A page is a sequence of columns: keys, values, moves, checks. A column of numbers is stored as byte planes: first
//! the highest byte of every number, then the next byte, and so on. Neighbouring numbers often share their high bytes,
//! which compresses well. A column of texts or keys is the column of their lengths (4 bytes each), then their bytes. Keys
//! of equal length are stored as byte planes. A rank without a position holds NaN, an empty text, or the code 0.
//!
//! If a game has few different values with moves to the end, as in win, loss and draw, each pair has a code. A code takes
//! one byte if there are at most 255 pairs, and two bytes otherwise. There is no column of moves then.
//!
//! A rounded value is a whole number of units of its last decimal. It is stored as its difference to the least one, plus
//! one, in b bytes. A rank without a position holds 0.
//!
//! The rules give each position its key and its rank, and they may change without a change of [`Rules::rules`]. A value
//! would then be read at the place of another position. So the sample is checked when the table is opened. A table by
//! rank has no keys to compare, so its pages also hold a check for every [`GROUP`] ranks: a hash of the keys of their
//! positions. A lookup compares it with the keys that `unrank` gives now.

#[cfg(feature = "kit")]
mod compare;
mod read;
#[cfg(feature = "kit")]
mod write;

use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::key::key_of;
use super::number::Bounds;
use super::rules::Rules;
use crate::table::{RecordType, Remedy, Spec};

pub(super) use read::Held;
pub use read::{Answers, SolvedPosition};

/// Positions per page.
const PAGE: usize = 2048;
/// Ranks that share a check.
const GROUP: usize = 256;
/// Size of a check in bytes.
const CHECK: usize = 2;
/// Size of the header before the sample, in bytes.
const FIXED: usize = 48;
/// The version of this format.
const VERSION: u8 = 2;
/// Why a table of another [`VERSION`] is refused.
const OLD: &str = "made by another version of the kit";
/// Why a table with another fingerprint is refused.
const RENUMBERED: &str = "made with other ranks, keys or texts of positions";

/// Why a table of fractions is refused.
#[cfg(not(feature = "fractions"))]
const FRACTIONS: &str = "holds fractions, which this program does not read";

/// The specifications of the games of this process. A table refers to its specification as long as it is open.
static SPECS: Mutex<Vec<&'static Spec>> = Mutex::new(Vec::new());

/// The specification of a game's table.
pub fn spec<R: Rules>(rules: &R) -> &'static Spec {
    let (name, text) = (rules.name(), rules.rules());
    let mut specs = SPECS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = specs.iter().find(|spec| spec.name == name && spec.rules == text) {
        return known;
    }
    // A process has few games, and each is kept once.
    let name: &'static str = name.to_owned().leak();
    let spec: &'static Spec = Box::leak(Box::new(Spec {
        name,
        game: name,
        rules: text.to_owned().leak(),
        records: RecordType::U8,
        block_records: 1 << 16,
        positions: None,
        values: crate::table::Values::Any,
        remedy: Remedy::Advice("solve the game again"),
    }));
    specs.push(spec);
    spec
}

/// How a position is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lookup {
    ByRank,
    ByKey,
}

/// How values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Doubles,
    Fractions,
    Bounds,
    Codes,
    Rounded,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Doubles, Kind::Fractions, Kind::Bounds, Kind::Codes, Kind::Rounded];
}

/// How values are rounded to a number of decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rounding {
    decimals: u16,
    /// The least value, in units of the last decimal.
    least: i64,
    /// The number of bytes of a stored value.
    bytes: u16,
    /// The largest error of a value.
    error: f64,
}

/// Size of the description of rounded values in bytes.
const ROUNDING: usize = 20;
/// Maximum number of decimals of a rounded value.
pub(super) const MAX_DECIMALS: u16 = 15;

impl Rounding {
    /// The bounds of a stored number, which is not 0.
    fn bounds(&self, stored: u64) -> Bounds {
        let units = self.least.wrapping_add(stored as i64 - 1);
        Bounds::around_middle(units as f64 / 10_f64.powi(i32::from(self.decimals)), self.error)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Rounding> {
        let rounding = Rounding {
            error: f64::from_le_bytes(array(&bytes[..8])),
            least: i64::from_le_bytes(array(&bytes[8..16])),
            decimals: u16::from_le_bytes(array(&bytes[16..18])),
            bytes: u16::from_le_bytes(array(&bytes[18..])),
        };
        let is_right = rounding.error >= 0.0 && rounding.decimals <= MAX_DECIMALS && (1..=8).contains(&rounding.bytes);
        is_right.then_some(rounding)
    }
}

/// Size of an entry of the list of codes, in bytes.
const CODE_ENTRY: usize = 12;

/// The number of bytes of a code.
fn code_bytes(codes: usize) -> usize {
    if codes <= usize::from(u8::MAX) { 1 } else { 2 }
}

/// The size of a value with its moves, if it does not depend on the value.
fn value_bytes(kind: Kind, codes: usize, rounding: Option<Rounding>, has_moves: bool) -> Option<usize> {
    let value = match kind {
        Kind::Rounded => usize::from(rounding?.bytes),
        Kind::Doubles => 8,
        Kind::Bounds => 16,
        Kind::Codes => code_bytes(codes),
        Kind::Fractions => return None,
    };
    let moves = if has_moves && kind != Kind::Codes { 4 } else { 0 };
    Some(value + moves)
}

/// The size of a page by rank with this number of places, if it does not depend on the values.
fn page_bytes(kind: Kind, codes: usize, rounding: Option<Rounding>, has_moves: bool, count: usize) -> Option<usize> {
    let value = value_bytes(kind, codes, rounding, has_moves)?;
    Some(count * value + count.div_ceil(GROUP) * CHECK)
}

/// Who chooses in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choices {
    /// Some choice takes the largest value.
    pub(super) has_max: bool,
    /// Some choice takes the smallest value.
    pub(super) has_min: bool,
    /// The players pass the turn, so that a value belongs to the player to move.
    pub(super) has_turns: bool,
}

impl Choices {
    fn from_byte(byte: u8) -> Choices {
        Choices { has_max: byte & 1 != 0, has_min: byte & 2 != 0, has_turns: byte & 4 != 0 }
    }

    /// Whether there are two players.
    pub(super) fn has_two_players(self) -> bool {
        self.has_turns || self.has_max && self.has_min
    }
}

/// A hash of the keys and ranks of a sample. `None` if a text is not a position in its canonical form.
fn fingerprint<R: Rules>(rules: &R, sample: &str) -> Option<u64> {
    let mut bytes = Vec::new();
    for text in sample.lines() {
        let canonical = rules.canonical(text.parse().ok()?);
        let key = key_of::<R>(&canonical).ok()?;
        let rank = if rules.ranks().is_some() { rules.rank(&canonical) } else { 0 };
        bytes.extend_from_slice(&(key.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&key);
        bytes.extend_from_slice(&rank.to_le_bytes());
    }
    Some(xxh3_64(&bytes))
}

/// The check of a group of ranks: a hash of their keys, `None` for a rank without a position.
fn group_check<K: AsRef<[u8]>>(keys: impl Iterator<Item = Option<K>>) -> [u8; CHECK] {
    let mut bytes = Vec::new();
    for (place, key) in keys.enumerate() {
        let Some(key) = key else { continue };
        bytes.extend_from_slice(&[place as u8, key.as_ref().len() as u8]);
        bytes.extend_from_slice(key.as_ref());
    }
    (xxh3_64(&bytes) as u16).to_le_bytes()
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the slice has N bytes")
}
