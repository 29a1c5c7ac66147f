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
//!  13       1      values: 0 doubles, 1 fractions as text, 2 lower and upper bounds as doubles
//!  14       1      1 if the pages hold the moves to the end
//!  15       1      0
//!  16       8      d, the size of the directory in bytes
//!  24       8      the value of a draw, as a double
//!  32       d      for each page: its start after the directory (8), the length of its first key (4), that key
//!  32+d     …      the pages
//! ```
//! A page is a sequence of columns: keys, values, moves. A column of numbers is stored as byte planes: first the
//! highest byte of every number, then the next byte, and so on. Neighbouring numbers often share their high bytes,
//! which compresses well. A column of texts or keys is the column of their lengths (4 bytes each), then their bytes. A
//! rank without a position holds NaN, or an empty text.

use std::path::Path;

use num_rational::BigRational;
use rayon::prelude::*;

use super::error::BadRules;
use super::explore::Graph;
use super::failure::Failure;
use super::key::{key_of, position_of};
use super::number::Bounds;
use super::rules::Rules;
use super::solve::{Solution, Values};
use super::value::{Value, Worth};
use crate::table::{Places, RecordType, Remedy, Spec, Table, TableBytes, TableError, encode};

/// Positions per page.
const PAGE: usize = 2048;
/// Size of the header before the directory, in bytes.
const FIXED: usize = 32;

/// Holds the table specification of a game as a constant.
struct SpecOf<R>(R);

impl<R: Rules> SpecOf<R> {
    const SPEC: &'static Spec = &Spec {
        name: R::NAME,
        game: R::NAME,
        rules: R::RULES,
        records: RecordType::U8,
        block_records: 1 << 16,
        positions: None,
        values: crate::table::Values::Any,
        remedy: Remedy::Advice("solve the game again"),
    };
}

/// The specification of a game's table.
pub fn spec<R: Rules>() -> &'static Spec {
    SpecOf::<R>::SPEC
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
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Doubles, Kind::Fractions, Kind::Bounds];
}

impl Solution {
    /// The bytes of the table file. They do not depend on the number of threads.
    pub fn encode<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        let generator = concat!("tabletop kit ", env!("CARGO_PKG_VERSION"));
        Ok(encode(spec::<R>(), generator, &self.content(rules)?))
    }

    fn content<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        let places = table_order(rules, &self.graph)?;
        let by_rank = rules.ranks().is_some();
        let (mut directory, mut pages) = (Vec::new(), Vec::new());
        for page in places.chunks(PAGE) {
            directory.extend_from_slice(&(pages.len() as u64).to_le_bytes());
            let first = if by_rank { &[] } else { self.graph.keys.get(page[0].expect("every key has a position")) };
            directory.extend_from_slice(&(first.len() as u32).to_le_bytes());
            directory.extend_from_slice(first);
            if !by_rank {
                append_texts(
                    page.iter().map(|number| number.map_or(&[][..], |number| self.graph.keys.get(number))),
                    &mut pages,
                );
            }
            self.append_values(page, &mut pages);
        }
        let mut content = Vec::with_capacity(FIXED + directory.len() + pages.len());
        content.extend_from_slice(&(places.len() as u64).to_le_bytes());
        content.extend_from_slice(&(PAGE as u32).to_le_bytes());
        let kind = match self.values {
            Values::Doubles(_) => Kind::Doubles,
            Values::Fractions(_) => Kind::Fractions,
            Values::Bounds(_) => Kind::Bounds,
        };
        content.extend_from_slice(&[u8::from(!by_rank), kind as u8, u8::from(self.lengths.is_some()), 0]);
        content.extend_from_slice(&(directory.len() as u64).to_le_bytes());
        content.extend_from_slice(&self.graph.facts.middle::<R>().to_le_bytes());
        content.extend_from_slice(&directory);
        content.extend_from_slice(&pages);
        Ok(content)
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
    let ranks = usize::try_from(ranks).map_err(|_| BadRules::TooManyPositions)?;
    let mut places = vec![None; ranks];
    for number in numbers {
        let rank = rules.rank(&graph.position::<R>(number)?) as usize;
        let changing = || BadRules::Changing { position: graph.text::<R>(number) };
        *places.get_mut(rank).ok_or_else(changing)? = Some(number);
    }
    Ok(places)
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

/// Appends a column of texts: all lengths, then all bytes.
fn append_texts<'a>(all: impl Iterator<Item = &'a [u8]> + Clone, out: &mut Vec<u8>) {
    append_byte_planes(all.clone().map(|text| (text.len() as u32).to_be_bytes()), out);
    all.for_each(|text| out.extend_from_slice(text));
}

/// The open table of a game.
pub struct Answers<'a, R: Rules> {
    rules: &'a R,
    table: Table<TableBytes, u8>,
    lookup: Lookup,
    kind: Kind,
    has_moves: bool,
    positions: u64,
    /// The value of a draw.
    middle: f64,
    /// The start of each page, and the end of the last page.
    starts: Vec<u64>,
    /// The first key of each page.
    firsts: Vec<Vec<u8>>,
}

impl<'a, R: Rules> Answers<'a, R> {
    /// Opens the table of a game in the first of the places that has it.
    pub fn open(rules: &'a R, places: &Places) -> Result<Answers<'a, R>, TableError> {
        let table = places.open(spec::<R>())?;
        let mut answers = Answers {
            rules,
            table,
            lookup: Lookup::ByKey,
            kind: Kind::Doubles,
            has_moves: false,
            positions: 0,
            middle: 0.0,
            starts: Vec::new(),
            firsts: Vec::new(),
        };
        answers.read_directory()?;
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

    /// The path of the table file.
    pub fn path(&self) -> &Path {
        self.table.path()
    }

    /// The size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.table.file_bytes().len() as u64
    }

    /// The value of a position, or `None` if it cannot be reached.
    pub fn value(&self, position: &R::Position) -> Result<Option<Value>, TableError> {
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
                let page = self.page((rank / PAGE as u64) as usize)?;
                Ok(page.value((rank % PAGE as u64) as usize))
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

    fn pages(&self) -> usize {
        self.starts.len() - 1
    }

    /// The value of a draw.
    pub(super) fn middle(&self) -> f64 {
        self.middle
    }

    /// The values of all positions of a graph, by number. The table must hold exactly these positions. The error names
    /// one that is only in the table or only in the graph.
    pub(super) fn values_of(&self, graph: &Graph) -> Result<Vec<Value>, Failure> {
        let places = table_order(self.rules, graph)?;
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
        }
        let missing = values.iter().position(Option::is_none);
        if let Some(number) = missing {
            return Err(only_one(format!("'{}'", graph.text::<R>(number as u32))));
        }
        Ok(values.into_iter().flatten().collect())
    }

    fn is_key(&self, page: &Page, place: usize, key: &[u8]) -> bool {
        self.lookup == Lookup::ByRank || page.key(place) == key
    }

    /// The error for a table that is intact but does not match the rules.
    pub(super) fn wrong(&self, what: String) -> Failure {
        Failure::Wrong { path: self.path().to_path_buf(), what }
    }

    fn bad_page(&self, page: usize) -> TableError {
        self.table.invalid_record(self.starts.get(page).copied().unwrap_or(0))
    }

    /// Reads the header and the directory. Refuses a table that contradicts itself or the rules.
    fn read_directory(&mut self) -> Result<(), TableError> {
        let total = self.table.header().positions;
        let refuse = |table: &Table<TableBytes, u8>| table.invalid_record(0);
        let fixed = self.bytes(0, FIXED as u64)?;
        self.positions = u64::from_le_bytes(array(&fixed[0..8]));
        let page = u32::from_le_bytes(array(&fixed[8..12]));
        let directory_bytes = u64::from_le_bytes(array(&fixed[16..24]));
        self.middle = f64::from_le_bytes(array(&fixed[24..32]));
        let kind = Kind::ALL.iter().find(|kind| **kind as u8 == fixed[13]);
        let expected = if self.rules.ranks().is_some() { 0 } else { 1 };
        let end = directory_bytes.checked_add(FIXED as u64).filter(|&end| end <= total);
        let (Some(kind), Some(pages_start)) = (kind, end) else { return Err(refuse(&self.table)) };
        if page != PAGE as u32 || fixed[12] != expected || fixed[14] > 1 {
            return Err(refuse(&self.table));
        }
        self.kind = *kind;
        self.lookup = if expected == 0 { Lookup::ByRank } else { Lookup::ByKey };
        self.has_moves = fixed[14] == 1;
        let directory = self.bytes(FIXED as u64, directory_bytes)?;
        let mut rest = &directory[..];
        while !rest.is_empty() {
            let Some((start, after)) = rest.split_first_chunk::<8>() else { return Err(refuse(&self.table)) };
            let Some((length, after)) = after.split_first_chunk::<4>() else { return Err(refuse(&self.table)) };
            let length = u32::from_le_bytes(*length) as usize;
            let Some((first, after)) = after.split_at_checked(length) else { return Err(refuse(&self.table)) };
            let start = u64::from_le_bytes(*start).checked_add(pages_start).filter(|&start| start <= total);
            let Some(start) = start.filter(|start| self.starts.last().is_none_or(|last| last <= start)) else {
                return Err(refuse(&self.table));
            };
            self.starts.push(start);
            self.firsts.push(first.to_vec());
            rest = after;
        }
        self.starts.push(total);
        if self.pages() as u64 != self.positions.div_ceil(PAGE as u64) {
            return Err(refuse(&self.table));
        }
        Ok(())
    }

    fn page(&self, number: usize) -> Result<Page, TableError> {
        let (start, end) = (self.starts[number], self.starts[number + 1]);
        let count = (self.positions - (number * PAGE) as u64).min(PAGE as u64) as usize;
        let bytes = self.bytes(start, end - start)?;
        Page::read(bytes, count, self.lookup, self.kind, self.has_moves).ok_or_else(|| self.bad_page(number))
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

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the slice has N bytes")
}

/// A page of the table, with the offsets of its columns.
struct Page {
    bytes: Vec<u8>,
    count: usize,
    kind: Kind,
    /// The start of the first key, then the end of each key.
    keys: Vec<usize>,
    /// Numbers: the start of each column. Fractions: the start of the first text, then the end of each text.
    values: Vec<usize>,
    moves: Option<usize>,
}

impl Page {
    /// Finds the columns. They must fill the page exactly.
    fn read(bytes: Vec<u8>, count: usize, lookup: Lookup, kind: Kind, has_moves: bool) -> Option<Page> {
        let mut next = 0;
        let keys = if lookup == Lookup::ByKey { text_column(&bytes, count, &mut next)? } else { Vec::new() };
        let values = match kind {
            Kind::Doubles => vec![number_column(&bytes, count * 8, &mut next)?],
            Kind::Bounds => {
                vec![number_column(&bytes, count * 8, &mut next)?, number_column(&bytes, count * 8, &mut next)?]
            }
            Kind::Fractions => text_column(&bytes, count, &mut next)?,
        };
        let moves = if has_moves { Some(number_column(&bytes, count * 4, &mut next)?) } else { None };
        (next == bytes.len()).then_some(Page { bytes, count, kind, keys, values, moves })
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
