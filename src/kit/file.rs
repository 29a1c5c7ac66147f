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

use std::fmt;
use std::ops::{Deref, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use num_rational::BigRational;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::error::{BadRules, Fault};
use super::explore::Graph;
use super::failure::Failure;
use super::formula::Facts;
use super::key::{key_of, position_of};
use super::number::Bounds;
use super::ranked::{Ranked, RankedValues};
use super::rules::{Cycles, Rules};
use super::solve::{Solution, Values};
use super::transient::{StoredAs, Through};
use super::value::{Value, Worth};
use crate::seeded::Seeded;
use crate::table::{
    Mismatch, Places, RecordType, Remedy, Spec, Table, TableBytes, TableError, assemble, compress_block,
};

/// Positions per page.
const PAGE: usize = 2048;
/// Ranks that share a check.
const GROUP: usize = 256;
/// Size of a check in bytes.
const CHECK: usize = 2;
/// Number of positions in the sample, all positions of a smaller game.
const SAMPLE: usize = 64;
/// Size of the header before the sample, in bytes.
const FIXED: usize = 48;
/// The version of this format.
const VERSION: u8 = 2;
/// Why a table of another [`VERSION`] is refused.
const OLD: &str = "made by another version of the kit";
/// Why a table with another fingerprint is refused.
const RENUMBERED: &str = "made with other ranks, keys or texts of positions";

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
    /// How these values are rounded, each with its error. `None` if they are too large for their decimals.
    fn of(decimals: u16, values: impl Iterator<Item = (f64, f64)>) -> Option<Rounding> {
        let decimals = decimals.min(MAX_DECIMALS);
        let scale = 10_f64.powi(i32::from(decimals));
        let (mut least, mut greatest, mut error) = (i64::MAX, i64::MIN, 0.0_f64);
        for (value, own) in values {
            let units = (value * scale).round();
            // Larger whole numbers are no doubles.
            if units.abs() >= (1_u64 << 53) as f64 {
                return None;
            }
            (least, greatest) = (least.min(units as i64), greatest.max(units as i64));
            error = error.max(own + (units / scale - value).abs());
        }
        let most = greatest.checked_sub(least)?.checked_add(1)?;
        let bytes = (1..=8).find(|&bytes| bytes == 8 || most >> (8 * bytes) == 0)?;
        // The sum of two errors is rounded too.
        Some(Rounding { decimals, least, bytes, error: error * (1.0 + 4.0 * f64::EPSILON) })
    }

    /// The stored number of a value.
    fn stored(&self, value: f64) -> u64 {
        let units = (value * 10_f64.powi(i32::from(self.decimals))).round() as i64;
        (units - self.least) as u64 + 1
    }

    /// The bounds of a stored number, which is not 0.
    fn bounds(&self, stored: u64) -> Bounds {
        let units = self.least.wrapping_add(stored as i64 - 1);
        Bounds::around_middle(units as f64 / 10_f64.powi(i32::from(self.decimals)), self.error)
    }

    fn to_bytes(self) -> Vec<u8> {
        let (error, least) = (self.error.to_le_bytes(), self.least.to_le_bytes());
        [&error[..], &least, &self.decimals.to_le_bytes(), &self.bytes.to_le_bytes()].concat()
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

    /// Appends a column of values, `None` for a rank without a position.
    fn append(&self, values: impl Iterator<Item = Option<f64>> + Clone, out: &mut Vec<u8>) {
        for plane in (0..self.bytes).rev() {
            out.extend(values.clone().map(|value| value.map_or(0, |value| (self.stored(value) >> (8 * plane)) as u8)));
        }
    }
}

/// Size of an entry of the list of codes, in bytes.
const CODE_ENTRY: usize = 12;

/// The number of bytes of a code.
fn code_bytes(codes: usize) -> usize {
    if codes <= usize::from(u8::MAX) { 1 } else { 2 }
}

/// The different values with their moves to the end. The code of an entry is its place, from 1.
struct Codes {
    entries: Vec<(f64, u32)>,
    codes: FxHashMap<(u64, u32), u16>,
}

impl Codes {
    /// The codes of these values, or `None` if there are too many of them.
    fn of(values: &[f64], lengths: &[u32]) -> Option<Codes> {
        let mut codes: FxHashMap<(u64, u32), u16> = FxHashMap::default();
        for (value, &moves) in values.iter().zip(lengths) {
            codes.insert((value.to_bits(), moves), 0);
            if codes.len() > usize::from(u16::MAX) {
                return None;
            }
        }
        let mut entries: Vec<(f64, u32)> = codes.keys().map(|&(bits, moves)| (f64::from_bits(bits), moves)).collect();
        entries.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for (code, (value, moves)) in (1..).zip(&entries) {
            codes.insert((value.to_bits(), *moves), code);
        }
        Some(Codes { entries, codes })
    }

    fn code(&self, value: f64, moves: u32) -> u16 {
        self.codes[&(value.to_bits(), moves)]
    }
}

/// Tables are written once and read often, so they are compressed well.
const COMPRESSION_LEVEL: i32 = 19;
/// From this number of bytes on, the highest level would take longer than solving, for a tenth less.
const LARGE: u64 = 1 << 24;
const LARGE_COMPRESSION_LEVEL: i32 = 12;

/// For tables that stay in memory.
const LEAST_COMPRESSION_LEVEL: i32 = 1;

/// The compression level of a table that is written to a file.
fn level_of_file(bytes: u64) -> i32 {
    if bytes < LARGE { COMPRESSION_LEVEL } else { LARGE_COMPRESSION_LEVEL }
}

/// Compresses the bytes of a table in parallel. `block` returns the bytes of a range.
fn encode_blocks<R: Rules>(
    rules: &R,
    bytes: u64,
    level: i32,
    block: impl Fn(Range<u64>) -> Result<Vec<u8>, BadRules> + Sync,
) -> Result<Vec<u8>, BadRules> {
    let spec = spec(rules);
    let size = u64::from(spec.block_records);
    let compressed: Vec<Result<Vec<u8>, BadRules>> = (0..bytes.div_ceil(size))
        .into_par_iter()
        .map(|number| {
            let range = number * size..bytes.min((number + 1) * size);
            Ok(compress_block(&block(range)?, level))
        })
        .collect();
    let compressed = compressed.into_iter().collect::<Result<Vec<_>, BadRules>>()?;
    Ok(assemble(spec, concat!("tabletop kit ", env!("CARGO_PKG_VERSION")), bytes, &compressed))
}

/// Compresses the whole content of a table.
fn encode_content<R: Rules>(rules: &R, content: &[u8], level: i32) -> Result<Vec<u8>, BadRules> {
    encode_blocks(rules, content.len() as u64, level, |range| {
        Ok(content[range.start as usize..range.end as usize].to_vec())
    })
}

/// What stands before the pages of a table.
struct Head<'a> {
    places: u64,
    lookup: Lookup,
    kind: Kind,
    has_moves: bool,
    facts: &'a Facts,
    sample: String,
    stride: u8,
    codes: &'a [(f64, u32)],
    rounding: Option<Rounding>,
    directory: Vec<u8>,
}

impl Head<'_> {
    fn bytes<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        let changing = || Fault::Changing.at(self.sample.lines().next().unwrap_or_default());
        let fingerprint = fingerprint(rules, &self.sample).ok_or_else(changing)?;
        let mut head = Vec::new();
        head.extend_from_slice(&self.places.to_le_bytes());
        head.extend_from_slice(&(PAGE as u32).to_le_bytes());
        let by_key = u8::from(self.lookup == Lookup::ByKey);
        head.extend_from_slice(&[by_key, self.kind as u8, u8::from(self.has_moves), VERSION]);
        head.extend_from_slice(&(self.directory.len() as u64).to_le_bytes());
        head.extend_from_slice(&self.facts.middle(rules).to_le_bytes());
        head.extend_from_slice(&fingerprint.to_le_bytes());
        head.extend_from_slice(&(self.sample.len() as u32).to_le_bytes());
        head.extend_from_slice(&[Choices::of(self.facts).to_byte(), self.stride]);
        head.extend_from_slice(&(self.codes.len() as u16).to_le_bytes());
        head.extend_from_slice(self.sample.as_bytes());
        head.extend_from_slice(&self.directory);
        for (value, moves) in self.codes {
            head.extend_from_slice(&value.to_le_bytes());
            head.extend_from_slice(&moves.to_le_bytes());
        }
        head.extend(self.rounding.iter().flat_map(|rounding| rounding.to_bytes()));
        Ok(head)
    }
}

/// The size of a page by rank with this number of places, if it does not depend on the values.
fn page_bytes(kind: Kind, codes: usize, rounding: Option<Rounding>, has_moves: bool, count: usize) -> Option<usize> {
    let value = match kind {
        Kind::Rounded => usize::from(rounding?.bytes),
        Kind::Doubles => 8,
        Kind::Bounds => 16,
        Kind::Codes => code_bytes(codes),
        Kind::Fractions => return None,
    };
    let moves = if has_moves && kind != Kind::Codes { 4 } else { 0 };
    Some(count * (value + moves) + count.div_ceil(GROUP) * CHECK)
}

impl Ranked {
    /// The bytes of the table file. They do not depend on the number of threads.
    pub(super) fn encode<R: Rules>(&self, rules: &R, digits: Option<u16>) -> Result<Vec<u8>, BadRules> {
        let places = rules.ranks().unwrap_or(0);
        let rounding = match (&self.values, digits) {
            (RankedValues::Codes { .. }, _) | (_, None) => None,
            (RankedValues::Doubles(values), Some(digits)) => {
                Rounding::of(digits, values.iter().map(|&value| (value, 0.0)))
            }
            (RankedValues::Bounds { middles, error }, Some(digits)) => {
                Rounding::of(digits, middles.iter().map(|&middle| (middle, *error)))
            }
        };
        let (kind, codes) = match &self.values {
            RankedValues::Codes { pairs, .. } => (Kind::Codes, &pairs[..]),
            _ if rounding.is_some() => (Kind::Rounded, &[][..]),
            RankedValues::Doubles(_) => (Kind::Doubles, &[][..]),
            RankedValues::Bounds { .. } => (Kind::Bounds, &[][..]),
        };
        let text = |number: u32| rules.unrank(self.rank(number)).to_string();
        let head = Head {
            places,
            lookup: Lookup::ByRank,
            kind,
            has_moves: kind == Kind::Codes,
            facts: self.facts(),
            sample: sample(rules, self.positions(), text),
            stride: 0,
            codes,
            rounding,
            directory: Vec::new(),
        };
        let head = head.bytes(rules)?;
        let size = |count: usize| {
            page_bytes(kind, codes.len(), rounding, false, count).expect("pages by rank without fractions") as u64
        };
        let (full, rest) = (places / PAGE as u64, (places % PAGE as u64) as usize);
        let page_size = size(PAGE);
        let total = head.len() as u64 + full * page_size + size(rest);
        encode_blocks(rules, total, level_of_file(total), |range| {
            let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
            while range.start + (bytes.len() as u64) < range.end {
                let next = range.start + bytes.len() as u64;
                let most = (range.end - next) as usize;
                match next.checked_sub(head.len() as u64) {
                    None => bytes.extend(head[next as usize..].iter().take(most)),
                    Some(offset) => {
                        let page = self.page(rules, rounding, offset / page_size, places)?;
                        bytes.extend(page[(offset % page_size) as usize..].iter().take(most));
                    }
                }
            }
            Ok(bytes)
        })
    }

    /// A page of the table.
    fn page<R: Rules>(
        &self,
        rules: &R,
        rounding: Option<Rounding>,
        page: u64,
        places: u64,
    ) -> Result<Vec<u8>, BadRules> {
        let ranks = page * PAGE as u64..places.min((page + 1) * PAGE as u64);
        let numbers: Vec<Option<u32>> = ranks.clone().map(|rank| self.number(rank)).collect();
        let mut bytes = Vec::new();
        let of = |values: &[f64]| numbers.iter().map(|number| number.map(|number| values[number as usize])).collect();
        let (values, error): (Vec<Option<f64>>, Option<f64>) = match &self.values {
            RankedValues::Codes { pairs, codes: values } => {
                let code = |number: &Option<u32>| number.map_or(0, |number| values[number as usize]);
                append_codes(numbers.iter().map(code), pairs.len(), &mut bytes);
                (Vec::new(), None)
            }
            RankedValues::Doubles(values) => (of(values), None),
            RankedValues::Bounds { middles, error } => (of(middles), Some(*error)),
        };
        let doubles = |error: f64| values.iter().map(move |value| value.map_or(f64::NAN, |value| value + error));
        match (rounding, error) {
            (Some(rounding), _) => rounding.append(values.iter().copied(), &mut bytes),
            (None, None) => append_doubles(doubles(0.0), &mut bytes),
            (None, Some(error)) => {
                [-error, error].into_iter().for_each(|error| append_doubles(doubles(error), &mut bytes))
            }
        }
        let ranks: Vec<u64> = ranks.collect();
        for (numbers, ranks) in numbers.chunks(GROUP).zip(ranks.chunks(GROUP)) {
            let mut keys = Vec::with_capacity(GROUP);
            for (number, &rank) in numbers.iter().zip(ranks) {
                keys.push(number.map(|_| key_of::<R>(&rules.unrank(rank))).transpose()?);
            }
            bytes.extend_from_slice(&group_check(keys.into_iter()));
        }
        Ok(bytes)
    }
}

impl Solution {
    /// The bytes of the table file. They do not depend on the number of threads.
    pub fn encode<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        self.encode_rounded(rules, rules.digits())
    }

    /// The same with values rounded to a number of decimals, if they are not counted exactly.
    pub(super) fn encode_rounded<R: Rules>(&self, rules: &R, digits: Option<u16>) -> Result<Vec<u8>, BadRules> {
        let content = self.content(rules, digits)?;
        encode_content(rules, &content, level_of_file(content.len() as u64))
    }

    /// The same table, compressed a little and at once, for a program that only reads it itself.
    pub fn encode_quickly<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        encode_content(rules, &self.content(rules, rules.digits())?, LEAST_COMPRESSION_LEVEL)
    }

    /// How values are rounded. Fractions and values with moves to the end are not.
    fn rounding(&self, digits: Option<u16>) -> Option<Rounding> {
        let digits = digits.filter(|_| self.lengths.is_none())?;
        match &self.values {
            Values::Doubles(values) => Rounding::of(digits, values.iter().map(|&value| (value, 0.0))),
            Values::Bounds(values) => {
                Rounding::of(digits, values.iter().map(|bounds| (bounds.middle(), bounds.width() / 2.0)))
            }
            Values::Fractions(_) => None,
        }
    }

    fn content<R: Rules>(&self, rules: &R, digits: Option<u16>) -> Result<Vec<u8>, BadRules> {
        let places = table_order(rules, &self.graph)?;
        let lookup = if rules.ranks().is_some() { Lookup::ByRank } else { Lookup::ByKey };
        let codes = match (&self.values, &self.lengths) {
            (Values::Doubles(values), Some(lengths)) => Codes::of(values, lengths),
            _ => None,
        };
        let rounding = self.rounding(digits);
        let kind = match self.values {
            _ if rounding.is_some() => Kind::Rounded,
            Values::Doubles(_) if codes.is_some() => Kind::Codes,
            Values::Doubles(_) => Kind::Doubles,
            Values::Fractions(_) => Kind::Fractions,
            Values::Bounds(_) => Kind::Bounds,
        };
        let stride = match lookup {
            Lookup::ByRank => 0,
            Lookup::ByKey => self.graph.keys.stride().and_then(|stride| u8::try_from(stride).ok()).unwrap_or(0),
        };
        let pages: Vec<Vec<u8>> =
            places.par_chunks(PAGE).map(|page| self.page(page, lookup, stride, codes.as_ref(), rounding)).collect();
        let codes = codes.map_or_else(Vec::new, |codes| codes.entries);
        let has_directory = lookup == Lookup::ByKey || kind == Kind::Fractions;
        let mut directory = Vec::new();
        let mut start = codes.len() * CODE_ENTRY + rounding.map_or(0, |_| ROUNDING);
        for (places, page) in places.chunks(PAGE).zip(&pages).filter(|_| has_directory) {
            let first = match (lookup, places[0]) {
                (Lookup::ByKey, Some(number)) => self.graph.keys.get(number),
                _ => &[],
            };
            directory.extend_from_slice(&(start as u64).to_le_bytes());
            directory.extend_from_slice(&(first.len() as u32).to_le_bytes());
            directory.extend_from_slice(first);
            start += page.len();
        }
        let numbers: Vec<u32> = match lookup {
            Lookup::ByRank => places.iter().flatten().copied().collect(),
            Lookup::ByKey => (0..self.graph.len() as u32).collect(),
        };
        let text = |number: u32| self.graph.text::<R>(numbers[number as usize]);
        let head = Head {
            places: places.len() as u64,
            lookup,
            kind,
            has_moves: self.lengths.is_some(),
            facts: &self.graph.facts,
            sample: sample(rules, numbers.len(), text),
            stride,
            codes: &codes,
            rounding,
            directory,
        };
        let mut content = head.bytes(rules)?;
        content.reserve_exact(pages.iter().map(Vec::len).sum());
        pages.iter().for_each(|page| content.extend_from_slice(page));
        Ok(content)
    }

    fn page(
        &self,
        page: &[Option<u32>],
        lookup: Lookup,
        stride: u8,
        codes: Option<&Codes>,
        rounding: Option<Rounding>,
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        let keys = page.iter().map(|number| number.map_or(&[][..], |number| self.graph.keys.get(number)));
        match (lookup, stride) {
            (Lookup::ByRank, _) => {}
            (Lookup::ByKey, 0) => append_texts(keys, &mut bytes),
            (Lookup::ByKey, _) => {
                (0..usize::from(stride)).for_each(|plane| bytes.extend(keys.clone().map(|key| key[plane])));
            }
        }
        match (codes, rounding) {
            (Some(codes), _) => self.append_codes(codes, page, &mut bytes),
            (None, Some(rounding)) => {
                let value = |number: &Option<u32>| number.map(|number| self.value_of_number(number).worth.to_f64());
                rounding.append(page.iter().map(value), &mut bytes);
            }
            (None, None) => self.append_values(page, &mut bytes),
        }
        if lookup == Lookup::ByRank {
            page.chunks(GROUP).for_each(|group| bytes.extend_from_slice(&self.graph.check_of(group)));
        }
        bytes
    }

    fn append_codes(&self, codes: &Codes, page: &[Option<u32>], out: &mut Vec<u8>) {
        let code = |number: &Option<u32>| {
            let number = number.map(|number| number as usize);
            match (&self.values, &self.lengths, number) {
                (Values::Doubles(values), Some(lengths), Some(number)) => codes.code(values[number], lengths[number]),
                _ => 0,
            }
        };
        append_codes(page.iter().map(code), codes.entries.len(), out);
    }

    fn append_values(&self, page: &[Option<u32>], out: &mut Vec<u8>) {
        match &self.values {
            Values::Doubles(values) => {
                append_doubles(
                    page.iter().map(|number| number.map_or(f64::NAN, |number| values[number as usize])),
                    out,
                );
            }
            Values::Bounds(values) => {
                let bound = |bound: fn(&Bounds) -> f64| {
                    page.iter().map(move |number| number.map_or(f64::NAN, |number| bound(&values[number as usize])))
                };
                append_doubles(bound(|bounds| bounds.lower), out);
                append_doubles(bound(|bounds| bounds.upper), out);
            }
            Values::Fractions(values) => {
                let text = |number: &Option<u32>| number.map_or_else(String::new, |n| values[n as usize].to_string());
                let all: Vec<String> = page.iter().map(text).collect();
                append_texts(all.iter().map(|text| text.as_bytes()), out);
            }
        }
        if let Some(lengths) = &self.lengths {
            append_byte_planes(page.iter().map(|n| n.map_or(0, |n| lengths[n as usize]).to_be_bytes()), out);
        }
    }
}

/// The numbers of the positions in the order of the table, `None` for a rank without a position.
fn table_order<R: Rules>(rules: &R, graph: &Graph) -> Result<Vec<Option<u32>>, BadRules> {
    let numbers = 0..graph.len() as u32;
    let Some(ranks) = rules.ranks() else {
        let mut sorted: Vec<u32> = numbers.collect();
        sorted.par_sort_unstable_by(|&one, &other| graph.keys.get(one).cmp(graph.keys.get(other)));
        return Ok(sorted.into_iter().map(Some).collect());
    };
    let ranks = usize::try_from(ranks).map_err(|_| Fault::TooManyPositions)?;
    let mut places = vec![None; ranks];
    for number in numbers {
        let rank = rules.rank(&graph.position::<R>(number)?) as usize;
        let changing = || Fault::Changing.at(graph.text::<R>(number));
        *places.get_mut(rank).ok_or_else(changing)? = Some(number);
    }
    Ok(places)
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
    fn of(facts: &Facts) -> Choices {
        Choices { has_max: facts.has_max, has_min: facts.has_min, has_turns: facts.has_turns }
    }

    fn to_byte(self) -> u8 {
        u8::from(self.has_max) + 2 * u8::from(self.has_min) + 4 * u8::from(self.has_turns)
    }

    fn from_byte(byte: u8) -> Choices {
        Choices { has_max: byte & 1 != 0, has_min: byte & 2 != 0, has_turns: byte & 4 != 0 }
    }

    /// Whether there are two players.
    pub(super) fn has_two_players(self) -> bool {
        self.has_turns || self.has_max && self.has_min
    }
}

/// The texts of some positions, one per line: the first start and a seeded choice, or all positions of a small game.
/// Positions are numbered by rank, or as they were found.
fn sample<R: Rules>(rules: &R, positions: usize, text: impl Fn(u32) -> String) -> String {
    let mut seeded = Seeded(1);
    let texts: Vec<String> = (0..positions.min(SAMPLE))
        .map(|place| match place {
            _ if positions <= SAMPLE => text(place as u32),
            0 => rules.starts().into_iter().next().map_or_else(String::new, |start| rules.canonical(start).to_string()),
            _ => text(seeded.below(positions as u64) as u32),
        })
        .collect();
    texts.join("\n")
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

impl Graph {
    /// The check of a group of positions.
    fn check_of(&self, group: &[Option<u32>]) -> [u8; CHECK] {
        group_check(group.iter().map(|number| number.map(|number| self.keys.get(number))))
    }
}

/// Appends a column of doubles.
fn append_doubles(doubles: impl Iterator<Item = f64> + Clone, out: &mut Vec<u8>) {
    append_byte_planes(doubles.map(|double| double.to_be_bytes()), out);
}

/// Appends the first byte of every number, then the second byte of every number, and so on.
fn append_byte_planes<const N: usize>(numbers: impl Iterator<Item = [u8; N]> + Clone, out: &mut Vec<u8>) {
    for plane in 0..N {
        out.extend(numbers.clone().map(|bytes| bytes[plane]));
    }
}

/// Appends a column of codes.
fn append_codes(codes: impl Iterator<Item = u16> + Clone, different: usize, out: &mut Vec<u8>) {
    if code_bytes(different) == 1 {
        out.extend(codes.map(|code| code as u8));
    } else {
        append_byte_planes(codes.map(u16::to_be_bytes), out);
    }
}

/// Appends a column of texts: all lengths, then all bytes.
fn append_texts<'a>(all: impl Iterator<Item = &'a [u8]> + Clone, out: &mut Vec<u8>) {
    append_byte_planes(all.clone().map(|text| (text.len() as u32).to_be_bytes()), out);
    all.for_each(|text| out.extend_from_slice(text));
}

/// The rules of an open table.
pub(super) enum Held<'a, R> {
    Borrowed(&'a R),
    Owned(R),
}

impl<R> Deref for Held<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        match self {
            Held::Borrowed(rules) => rules,
            Held::Owned(rules) => rules,
        }
    }
}

/// The open table of a game.
pub struct Answers<'a, R: Rules> {
    rules: Held<'a, R>,
    table: Table<TableBytes, u8>,
    lookup: Lookup,
    kind: Kind,
    has_moves: bool,
    /// The length of every key, or 0 if keys differ in length.
    stride: usize,
    /// The values that the codes stand for.
    codes: Arc<[Value]>,
    /// How values are rounded, if they are.
    rounding: Option<Rounding>,
    positions: u64,
    /// The value of a draw.
    middle: f64,
    choices: Choices,
    /// The start of the first page.
    first_page: u64,
    /// The size of every page but the last, or `None` if pages differ in size.
    page_bytes: Option<u64>,
    /// The start of each page, and the end of the last page, if pages differ in size.
    starts: Vec<u64>,
    /// The first key of each page.
    firsts: Vec<Vec<u8>>,
    /// The values of transient positions.
    through: Mutex<Through>,
}

impl<R: Rules> fmt::Debug for Answers<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("table", &self.table).finish_non_exhaustive()
    }
}

impl<'a, R: Rules> Answers<'a, R> {
    /// Opens the table of a game in the first of the places that has it.
    pub fn open(rules: &'a R, places: &Places) -> Result<Answers<'a, R>, TableError> {
        Answers::of(Held::Borrowed(rules), places)
    }

    /// Opens the table of rules that it keeps or borrows.
    pub(super) fn of(rules: Held<'a, R>, places: &Places) -> Result<Answers<'a, R>, TableError> {
        let table = places.open(spec(&*rules))?;
        Answers::of_table(rules, table)
    }

    /// Checks that an open table belongs to these rules.
    pub(super) fn of_table(rules: Held<'a, R>, table: Table<TableBytes, u8>) -> Result<Answers<'a, R>, TableError> {
        let mut answers = Answers {
            rules,
            table,
            lookup: Lookup::ByKey,
            kind: Kind::Doubles,
            has_moves: false,
            stride: 0,
            codes: Arc::from([]),
            rounding: None,
            positions: 0,
            middle: 0.0,
            choices: Choices::from_byte(0),
            first_page: 0,
            page_bytes: None,
            starts: Vec::new(),
            firsts: Vec::new(),
            through: Mutex::new(Through::new(0.0, StoredAs::Doubles)),
        };
        let layout = answers.read_header()?;
        answers.check_sample(&layout)?;
        answers.read_directory(&layout)?;
        let stored_as = match answers.kind {
            Kind::Fractions => StoredAs::Fractions,
            Kind::Bounds | Kind::Rounded => StoredAs::Bounds,
            Kind::Doubles | Kind::Codes => StoredAs::Doubles,
        };
        answers.through = Mutex::new(Through::new(answers.middle, stored_as));
        Ok(answers)
    }

    /// The number of positions in the table, including ranks without a position.
    pub fn len(&self) -> u64 {
        self.positions
    }

    /// Whether the table is empty. The table of a solved game never is.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The rules of the game.
    pub(super) fn rules(&self) -> &R {
        &self.rules
    }

    /// The path of the table file.
    pub fn path(&self) -> &Path {
        self.table.path()
    }

    /// The size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.table.file_length()
    }

    /// The value of a position, or `None` if it cannot be reached.
    pub fn value(&self, position: &R::Position) -> Result<Option<Value>, TableError> {
        if !self.rules.is_transient(position) {
            return self.stored_value(position);
        }
        let mut through = self.through.lock().unwrap_or_else(PoisonError::into_inner);
        through.value(&*self.rules, position, &mut |next| self.stored_value(next))
    }

    fn stored_value(&self, position: &R::Position) -> Result<Option<Value>, TableError> {
        let Ok(key) = key_of::<R>(position) else { return Ok(None) };
        let Some(copy) = position_of::<R>(&key) else { return Ok(None) };
        let canonical = self.rules.canonical(copy);
        match self.lookup {
            Lookup::ByRank => {
                let rank = self.rules.rank(&canonical);
                // An unreachable position may have the rank of another position.
                let is_own = || key_of::<R>(&self.rules.unrank(rank)) == key_of::<R>(&canonical);
                if rank >= self.positions || !is_own() {
                    return Ok(None);
                }
                let (number, place) = ((rank / PAGE as u64) as usize, (rank % PAGE as u64) as usize);
                let page = self.page(number)?;
                if page.check(place / GROUP) != self.check_of(&page, number, place / GROUP) {
                    return Err(self.outdated(RENUMBERED));
                }
                Ok(page.value(place))
            }
            Lookup::ByKey => {
                let Ok(key) = key_of::<R>(&canonical) else { return Ok(None) };
                let Some(number) = self.firsts.partition_point(|first| *first <= key).checked_sub(1) else {
                    return Ok(None);
                };
                let page = self.page(number)?;
                Ok(page.find(&key).and_then(|place| page.value(place)))
            }
        }
    }

    /// All positions with their values, in the order of the table.
    pub(super) fn entries(&self) -> impl Iterator<Item = Result<(R::Position, Value), TableError>> {
        (0..self.pages()).flat_map(|number| match self.page(number) {
            Err(error) => vec![Err(error)],
            Ok(page) => {
                let entry = |place| page.value(place).map(|value| self.entry(number, &page, place, value));
                (0..page.count).filter_map(entry).collect()
            }
        })
    }

    fn entry(
        &self,
        number: usize,
        page: &Page,
        place: usize,
        value: Value,
    ) -> Result<(R::Position, Value), TableError> {
        let position = match self.lookup {
            Lookup::ByRank => Some(self.rules.unrank((number * PAGE + place) as u64)),
            Lookup::ByKey => position_of::<R>(page.key(place)),
        };
        position.map(|position| (position, value)).ok_or_else(|| self.bad_page(number))
    }

    /// The check of a group by the positions that its ranks have now. `None` if the rules panic, as at ranks that they
    /// do not give.
    fn check_of(&self, page: &Page, number: usize, group: usize) -> Option<[u8; CHECK]> {
        let places = group * GROUP..page.count.min((group + 1) * GROUP);
        let key = |place: usize| {
            let position = || self.rules.unrank((number * PAGE + place) as u64);
            page.is_used(place).then(|| key_of::<R>(&position()).unwrap_or_default())
        };
        catch_unwind(AssertUnwindSafe(|| group_check(places.map(key)))).ok()
    }

    fn pages(&self) -> usize {
        self.positions.div_ceil(PAGE as u64) as usize
    }

    /// The number of places of a page.
    fn count(&self, page: usize) -> usize {
        (self.positions - (page * PAGE) as u64).min(PAGE as u64) as usize
    }

    /// The start of a page.
    fn start(&self, page: usize) -> u64 {
        match self.page_bytes {
            Some(bytes) => self.first_page + page as u64 * bytes,
            None => self.starts.get(page).copied().unwrap_or(0),
        }
    }

    /// The value of a draw.
    pub(super) fn middle(&self) -> f64 {
        self.middle
    }

    /// The largest distance between the bounds of a value, if values have bounds.
    pub(super) fn widest(&self) -> Option<f64> {
        match (self.rounding, self.rules.cycles()) {
            (Some(rounding), _) => Some(2.0 * rounding.error),
            (None, Cycles::Iterate { tolerance }) => Some(tolerance),
            (None, _) => None,
        }
    }

    /// What rounding may add to the difference between a value and what follows from its successors.
    pub(super) fn rounding_error(&self) -> f64 {
        self.rounding.map_or(0.0, |rounding| 2.0 * rounding.error)
    }

    /// Who chooses in the game.
    pub(super) fn choices(&self) -> Choices {
        self.choices
    }

    /// The values of all positions of a graph, by number. The table must hold exactly these positions. The error names
    /// one that is only in the table or only in the graph.
    pub(super) fn values_of(&self, graph: &Graph) -> Result<Vec<Value>, Failure> {
        let places = table_order(&*self.rules, graph)?;
        let mut values: Vec<Option<Value>> = vec![None; graph.len()];
        let only_one = |what: String| self.wrong(format!("{what} is in the table or in the game, not in both"));
        for number in 0..self.pages() {
            let page = self.page(number)?;
            for place in 0..page.count {
                let expected = places.get(number * PAGE + place).copied().flatten();
                let found = page.value(place);
                match (expected, found) {
                    (None, None) => {}
                    (Some(expected), Some(found)) if self.is_key(&page, place, graph.keys.get(expected)) => {
                        values[expected as usize] = Some(found);
                    }
                    (Some(expected), _) => return Err(only_one(format!("'{}'", graph.text::<R>(expected)))),
                    (None, Some(_)) => {
                        let rank = number * PAGE + place;
                        return Err(only_one(format!("the position number {rank}")));
                    }
                }
            }
            let groups = places.chunks(PAGE).nth(number).unwrap_or_default().chunks(GROUP).enumerate();
            let is_other = |(group, numbers)| page.check(group) != Some(graph.check_of(numbers));
            if self.lookup == Lookup::ByRank && groups.into_iter().any(is_other) {
                return Err(self.outdated(RENUMBERED).into());
            }
        }
        let missing = values.iter().position(Option::is_none);
        if let Some(number) = missing {
            return Err(only_one(format!("'{}'", graph.text::<R>(number as u32))));
        }
        Ok(values.into_iter().flatten().collect())
    }

    /// The values of a table by rank, by the numbers of the `len` positions that `number` gives. `None` if they are
    /// fractions. The table must hold exactly these positions.
    pub(super) fn values_by_rank(
        &self,
        len: usize,
        number: impl Fn(u64) -> Option<u32> + Sync,
    ) -> Result<Option<RankedValues>, Failure> {
        if self.lookup != Lookup::ByRank || self.kind == Kind::Fractions {
            return Ok(None);
        }
        let widest = AtomicU64::new(0);
        // Bits of doubles, or codes.
        let values: Vec<AtomicU64> = (0..len).map(|_| AtomicU64::new(0)).collect();
        let read = |page_number: usize| -> Result<(), Failure> {
            let page = self.page(page_number)?;
            for place in 0..page.count {
                let rank = (page_number * PAGE + place) as u64;
                match (number(rank), page.is_used(place)) {
                    (None, false) => {}
                    (Some(number), true) => {
                        let bits = match self.kind {
                            Kind::Codes => page.code(place) as u64,
                            Kind::Bounds | Kind::Rounded => {
                                let value = page.value(place).map(|value| value.worth);
                                let Some(Worth::Bounds(bounds)) = value else {
                                    return Err(self.bad_page(page_number).into());
                                };
                                // The bits of positive doubles have the order of the doubles.
                                widest.fetch_max(bounds.width().abs().to_bits(), Relaxed);
                                bounds.middle().to_bits()
                            }
                            _ => u64::from_be_bytes(page.number(page.values[0], place)),
                        };
                        values[number as usize].store(bits, Relaxed);
                    }
                    (Some(_), false) | (None, true) => {
                        let what = format!("the position number {rank} is in the table or in the game, not in both");
                        return Err(self.wrong(what));
                    }
                }
            }
            let mut groups = 0..page.count.div_ceil(GROUP);
            match groups.all(|group| page.check(group) == self.check_of(&page, page_number, group)) {
                true => Ok(()),
                false => Err(self.outdated(RENUMBERED).into()),
            }
        };
        let pages: Vec<Result<(), Failure>> = (0..self.pages()).into_par_iter().map(read).collect();
        pages.into_iter().collect::<Result<(), Failure>>()?;
        let bits = values.into_iter().map(AtomicU64::into_inner);
        Ok(Some(match self.kind {
            Kind::Codes => {
                let pairs = self.codes.iter().map(|value| (value.worth.to_f64(), value.moves.unwrap_or(0))).collect();
                RankedValues::Codes { pairs, codes: bits.map(|code| code as u16).collect() }
            }
            Kind::Bounds | Kind::Rounded => RankedValues::Bounds {
                middles: bits.map(f64::from_bits).collect(),
                error: f64::from_bits(widest.into_inner()) / 2.0,
            },
            _ => RankedValues::Doubles(bits.map(f64::from_bits).collect()),
        }))
    }

    fn is_key(&self, page: &Page, place: usize, key: &[u8]) -> bool {
        self.lookup == Lookup::ByRank || page.key(place) == key
    }

    /// The error for a table that is intact but does not match the rules.
    pub(super) fn wrong(&self, what: String) -> Failure {
        Failure::Wrong { path: self.path().to_path_buf(), what }
    }

    fn bad_page(&self, page: usize) -> TableError {
        self.table.invalid_record(self.start(page))
    }

    /// The error for an intact table that does not match this kit or these rules.
    fn outdated(&self, why: &'static str) -> TableError {
        let path = self.path().to_path_buf();
        TableError::Mismatched { spec: spec(&*self.rules), path, mismatch: Mismatch::Kit(why) }
    }

    /// Reads the header. Refuses a table of another version or with another lookup.
    fn read_header(&mut self) -> Result<Layout, TableError> {
        let fixed = self.bytes(0, FIXED as u64)?;
        if fixed[15] != VERSION {
            return Err(self.outdated(OLD));
        }
        let kind = Kind::ALL.iter().find(|kind| **kind as u8 == fixed[13]);
        let (Some(kind), true) = (kind, fixed[12] <= 1 && fixed[14] <= 1) else {
            return Err(self.table.invalid_record(0));
        };
        self.kind = *kind;
        self.lookup = if fixed[12] == 0 { Lookup::ByRank } else { Lookup::ByKey };
        self.has_moves = fixed[14] == 1;
        self.positions = u64::from_le_bytes(array(&fixed[0..8]));
        self.middle = f64::from_le_bytes(array(&fixed[24..32]));
        self.choices = Choices::from_byte(fixed[44]);
        self.stride = usize::from(fixed[45]);
        let ranks = if self.lookup == Lookup::ByRank { Some(self.positions) } else { None };
        if ranks != self.rules.ranks() {
            return Err(self.outdated(RENUMBERED));
        }
        let layout = Layout {
            sample_bytes: u64::from(u32::from_le_bytes(array(&fixed[40..44]))),
            directory_bytes: u64::from_le_bytes(array(&fixed[16..24])),
            codes: usize::from(u16::from_le_bytes(array(&fixed[46..48]))),
            fingerprint: u64::from_le_bytes(array(&fixed[32..40])),
        };
        let page = u32::from_le_bytes(array(&fixed[8..12]));
        if page == PAGE as u32 { Ok(layout) } else { Err(self.table.invalid_record(0)) }
    }

    /// Refuses a table whose positions have other texts, keys or ranks now.
    fn check_sample(&self, layout: &Layout) -> Result<(), TableError> {
        let sample = self.bytes(FIXED as u64, layout.sample_bytes)?;
        let sample = String::from_utf8(sample).map_err(|_| self.table.invalid_record(FIXED as u64))?;
        // Changed rules may panic at a text that they have not written.
        let found = catch_unwind(AssertUnwindSafe(|| fingerprint(&*self.rules, &sample))).ok().flatten();
        if found == Some(layout.fingerprint) { Ok(()) } else { Err(self.outdated(RENUMBERED)) }
    }

    /// Reads the directory and the codes. Refuses a table that contradicts itself.
    fn read_directory(&mut self, layout: &Layout) -> Result<(), TableError> {
        let total = self.table.header().positions;
        let directory_start = FIXED as u64 + layout.sample_bytes;
        let directory = self.bytes(directory_start, layout.directory_bytes)?;
        let directory_end = directory_start + layout.directory_bytes;
        let codes = self.bytes(directory_end, (layout.codes * CODE_ENTRY) as u64)?;
        let entry = |entry: &[u8]| {
            let worth = Worth::Double(f64::from_le_bytes(array(&entry[..8])));
            Value { worth, moves: Some(u32::from_le_bytes(array(&entry[8..]))) }
        };
        self.codes = codes.chunks_exact(CODE_ENTRY).map(entry).collect();
        self.first_page = directory_end + codes.len() as u64;
        if self.kind == Kind::Rounded {
            let rounding = Rounding::from_bytes(&self.bytes(self.first_page, ROUNDING as u64)?);
            self.rounding = Some(rounding.ok_or_else(|| self.table.invalid_record(self.first_page))?);
            self.first_page += ROUNDING as u64;
        }
        let size =
            |count| page_bytes(self.kind, layout.codes, self.rounding, self.has_moves, count).map(|bytes| bytes as u64);
        let uniform = if self.lookup == Lookup::ByRank { size(PAGE) } else { None };
        if let Some(bytes) = uniform {
            self.page_bytes = Some(bytes);
            let last =
                self.pages().checked_sub(1).map_or(0, |last| last as u64 * bytes + size(self.count(last)).unwrap_or(0));
            let is_full = self.first_page.checked_add(last) == Some(total);
            return if is_full && directory.is_empty() { Ok(()) } else { Err(self.table.invalid_record(0)) };
        }
        self.read_starts(&directory, directory_end, total).ok_or_else(|| self.table.invalid_record(0))
    }

    /// Reads the starts and the first keys of pages. `None` if they contradict each other.
    fn read_starts(&mut self, mut rest: &[u8], directory_end: u64, total: u64) -> Option<()> {
        while !rest.is_empty() {
            let (start, after) = rest.split_first_chunk::<8>()?;
            let (length, after) = after.split_first_chunk::<4>()?;
            let (first, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            let start = u64::from_le_bytes(*start).checked_add(directory_end).filter(|&start| start <= total)?;
            if self.starts.last().is_some_and(|&last| last > start) {
                return None;
            }
            self.starts.push(start);
            self.firsts.push(first.to_vec());
            rest = after;
        }
        self.starts.push(total);
        (self.starts.len() == self.pages() + 1).then_some(())
    }

    fn page(&self, number: usize) -> Result<Page, TableError> {
        let (start, count) = (self.start(number), self.count(number));
        let size = match self.page_bytes {
            Some(_) => {
                page_bytes(self.kind, self.codes.len(), self.rounding, self.has_moves, count).unwrap_or(0) as u64
            }
            None => self.start(number + 1) - start,
        };
        let bytes = self.bytes(start, size)?;
        Page::read(self, bytes, count).ok_or_else(|| self.bad_page(number))
    }

    /// The bytes `start..start + count` of the records.
    fn bytes(&self, start: u64, count: u64) -> Result<Vec<u8>, TableError> {
        let total = self.table.header().positions;
        if count > total || start > total - count {
            return Err(self.table.invalid_record(0));
        }
        let mut bytes = Vec::with_capacity(count as usize);
        while (bytes.len() as u64) < count {
            let block = self.table.rest_of_block(start + bytes.len() as u64)?;
            let missing = count as usize - bytes.len();
            bytes.extend_from_slice(&block[..missing.min(block.len())]);
        }
        Ok(bytes)
    }
}

/// The parts of the records before the pages, as the header says.
struct Layout {
    sample_bytes: u64,
    directory_bytes: u64,
    codes: usize,
    fingerprint: u64,
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the slice has N bytes")
}

/// A page of the table, with the offsets of its columns.
struct Page {
    bytes: Vec<u8>,
    count: usize,
    kind: Kind,
    codes: Arc<[Value]>,
    rounding: Option<Rounding>,
    /// The start of the first key, then the end of each key.
    keys: Vec<usize>,
    /// Numbers: the start of each column. Fractions: the start of the first text, then the end of each text.
    values: Vec<usize>,
    moves: Option<usize>,
    /// The start of the checks, in a table by rank.
    checks: Option<usize>,
}

impl Page {
    /// Finds the columns. They must fill the page exactly.
    fn read<R: Rules>(answers: &Answers<'_, R>, mut bytes: Vec<u8>, count: usize) -> Option<Page> {
        let (kind, codes) = (answers.kind, Arc::clone(&answers.codes));
        let mut next = 0;
        let keys = match (answers.lookup, answers.stride) {
            (Lookup::ByRank, _) => Vec::new(),
            (Lookup::ByKey, 0) => text_column(&bytes, count, &mut next)?,
            (Lookup::ByKey, stride) => key_column(&mut bytes, count, stride, &mut next)?,
        };
        let values = match kind {
            Kind::Doubles => vec![number_column(&bytes, count * 8, &mut next)?],
            Kind::Bounds => {
                vec![number_column(&bytes, count * 8, &mut next)?, number_column(&bytes, count * 8, &mut next)?]
            }
            Kind::Fractions => text_column(&bytes, count, &mut next)?,
            Kind::Codes => vec![number_column(&bytes, count * code_bytes(codes.len()), &mut next)?],
            Kind::Rounded => vec![number_column(&bytes, count * usize::from(answers.rounding?.bytes), &mut next)?],
        };
        let has_column = answers.has_moves && kind != Kind::Codes;
        let moves = if has_column { Some(number_column(&bytes, count * 4, &mut next)?) } else { None };
        let checks = match answers.lookup {
            Lookup::ByRank => Some(number_column(&bytes, count.div_ceil(GROUP) * CHECK, &mut next)?),
            Lookup::ByKey => None,
        };
        let is_full = next == bytes.len();
        let page = Page { bytes, count, kind, codes, rounding: answers.rounding, keys, values, moves, checks };
        let is_known = kind != Kind::Codes || (0..count).all(|place| page.code(place) <= page.codes.len());
        (is_full && is_known).then_some(page)
    }

    /// The code at a place.
    fn code(&self, place: usize) -> usize {
        match code_bytes(self.codes.len()) {
            1 => usize::from(self.bytes[self.values[0] + place]),
            _ => usize::from(u16::from_be_bytes(self.number(self.values[0], place))),
        }
    }

    /// The rounded value at a place, 0 if the place is empty.
    fn rounded(&self, place: usize) -> u64 {
        let planes =
            (0..self.rounding.map_or(0, |rounding| usize::from(rounding.bytes))).map(|plane| plane * self.count);
        planes.fold(0, |number, plane| number << 8 | u64::from(self.bytes[self.values[0] + plane + place]))
    }

    fn key(&self, place: usize) -> &[u8] {
        &self.bytes[self.keys[place]..self.keys[place + 1]]
    }

    /// The place of a key in the page, by binary search.
    fn find(&self, key: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if self.key(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.count && self.key(low) == key).then_some(low)
    }

    /// The check of a group of ranks.
    fn check(&self, group: usize) -> Option<[u8; CHECK]> {
        self.checks.map(|checks| array(&self.bytes[checks + group * CHECK..][..CHECK]))
    }

    /// Whether a place holds a value.
    fn is_used(&self, place: usize) -> bool {
        match self.kind {
            Kind::Doubles | Kind::Bounds => !f64::from_be_bytes(self.number(self.values[0], place)).is_nan(),
            Kind::Fractions => self.values[place] < self.values[place + 1],
            Kind::Codes => self.code(place) > 0,
            Kind::Rounded => self.rounded(place) > 0,
        }
    }

    /// The value at a place, or `None` if the place is empty.
    fn value(&self, place: usize) -> Option<Value> {
        let double = |column: usize| f64::from_be_bytes(self.number(column, place));
        let worth = match self.kind {
            Kind::Doubles => Worth::Double(double(self.values[0])),
            Kind::Bounds => Worth::Bounds(Bounds { lower: double(self.values[0]), upper: double(self.values[1]) }),
            Kind::Fractions => {
                let text = str::from_utf8(&self.bytes[self.values[place]..self.values[place + 1]]).ok()?;
                Worth::Fraction(text.parse::<BigRational>().ok()?)
            }
            Kind::Rounded => match (self.rounded(place), self.rounding) {
                (0, _) | (_, None) => return None,
                (stored, Some(rounding)) => Worth::Bounds(rounding.bounds(stored)),
            },
            Kind::Codes => return self.code(place).checked_sub(1).map(|entry| self.codes[entry].clone()),
        };
        let moves = self.moves.map(|column| u32::from_be_bytes(self.number(column, place)));
        (!worth.to_f64().is_nan()).then_some(Value { worth, moves })
    }

    fn number<const N: usize>(&self, column: usize, place: usize) -> [u8; N] {
        std::array::from_fn(|plane| self.bytes[column + plane * self.count + place])
    }
}

/// Advances `next` over a column of `length` bytes and returns its start.
fn number_column(bytes: &[u8], length: usize, next: &mut usize) -> Option<usize> {
    let start = *next;
    *next = start.checked_add(length).filter(|&end| end <= bytes.len())?;
    Some(start)
}

/// Advances `next` over a column of keys of equal length, and turns their byte planes into keys. Returns the start of the
/// first key, then the end of each key.
fn key_column(bytes: &mut [u8], count: usize, stride: usize, next: &mut usize) -> Option<Vec<usize>> {
    let start = number_column(bytes, count * stride, next)?;
    let planes = bytes[start..*next].to_vec();
    for (place, byte) in bytes[start..*next].iter_mut().enumerate() {
        *byte = planes[place % stride * count + place / stride];
    }
    Some((0..=count).map(|place| start + place * stride).collect())
}

/// Advances `next` over a column of texts. Returns the start of the first text, then the end of each text.
fn text_column(bytes: &[u8], count: usize, next: &mut usize) -> Option<Vec<usize>> {
    let lengths = number_column(bytes, count * 4, next)?;
    let mut ends = Vec::with_capacity(count + 1);
    ends.push(*next);
    for place in 0..count {
        let length = std::array::from_fn(|plane| bytes[lengths + plane * count + place]);
        number_column(bytes, u32::from_be_bytes(length) as usize, next)?;
        ends.push(*next);
    }
    Some(ends)
}
