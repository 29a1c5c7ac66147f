//! Reads tables.

use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::key::{key_of, position_of};
use super::super::no_answer::NoAnswer;
use super::super::number::Bounds;
use super::super::rules::{Cycles, Rules};
use super::super::transient::{StoredAs, Through};
use super::super::value::{Value, Worth};
#[cfg(not(feature = "fractions"))]
use super::FRACTIONS;
use super::{
    CHECK, CODE_ENTRY, Choices, FIXED, GROUP, Kind, Lookup, OLD, PAGE, RENUMBERED, ROUNDING, Rounding, VERSION, array,
    code_bytes, fingerprint, group_check, page_bytes, spec,
};
use crate::table::{Mismatch, Places, Table, TableBytes, TableError};

/// The rules of an open table.
pub(in crate::kit) enum Held<'a, R> {
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

/// A position of a solved game, and its value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SolvedPosition<P> {
    /// The position.
    pub position: P,
    /// Its value.
    pub value: Value,
}

/// The open table of a game.
pub struct Answers<'a, R: Rules> {
    rules: Held<'a, R>,
    table: Table<TableBytes, u8>,
    pub(super) lookup: Lookup,
    pub(super) kind: Kind,
    has_moves: bool,
    /// The length of every key, or 0 if keys differ in length.
    stride: usize,
    /// The values that the codes stand for.
    pub(super) codes: Arc<[Value]>,
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
    pub(in crate::kit) fn of(rules: Held<'a, R>, places: &Places) -> Result<Answers<'a, R>, TableError> {
        let table = places.open(spec(&*rules))?;
        Answers::of_table(rules, table)
    }

    /// Checks that an open table belongs to these rules.
    pub(in crate::kit) fn of_table(
        rules: Held<'a, R>,
        table: Table<TableBytes, u8>,
    ) -> Result<Answers<'a, R>, TableError> {
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
            #[cfg(feature = "fractions")]
            Kind::Fractions => StoredAs::Fractions,
            #[cfg(not(feature = "fractions"))]
            Kind::Fractions => return Err(answers.outdated(FRACTIONS)),
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
    pub(in crate::kit) fn rules(&self) -> &R {
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
    pub(in crate::kit) fn entries(&self) -> impl Iterator<Item = Result<SolvedPosition<R::Position>, TableError>> {
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
    ) -> Result<SolvedPosition<R::Position>, TableError> {
        let position = match self.lookup {
            Lookup::ByRank => Some(self.rules.unrank((number * PAGE + place) as u64)),
            Lookup::ByKey => position_of::<R>(page.key(place)),
        };
        position.map(|position| SolvedPosition { position, value }).ok_or_else(|| self.bad_page(number))
    }

    /// The check of a group by the positions that its ranks have now. `None` if the rules panic, as at ranks that they
    /// do not give.
    pub(super) fn check_of(&self, page: &Page, number: usize, group: usize) -> Option<[u8; CHECK]> {
        let places = group * GROUP..page.count.min((group + 1) * GROUP);
        let key = |place: usize| {
            let position = || self.rules.unrank((number * PAGE + place) as u64);
            page.is_used(place).then(|| key_of::<R>(&position()).unwrap_or_default())
        };
        catch_unwind(AssertUnwindSafe(|| group_check(places.map(key)))).ok()
    }

    pub(super) fn pages(&self) -> usize {
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
    pub(in crate::kit) fn middle(&self) -> f64 {
        self.middle
    }

    /// The largest distance between the bounds of a value, if values have bounds.
    pub(in crate::kit) fn widest(&self) -> Option<f64> {
        match (self.rounding, self.rules.cycles()) {
            (Some(rounding), _) => Some(2.0 * rounding.error),
            (None, Cycles::Iterate { tolerance }) => Some(tolerance),
            (None, _) => None,
        }
    }

    /// What rounding may add to the difference between a value and what follows from its successors.
    pub(in crate::kit) fn rounding_error(&self) -> f64 {
        self.rounding.map_or(0.0, |rounding| 2.0 * rounding.error)
    }

    /// Who chooses in the game.
    pub(in crate::kit) fn choices(&self) -> Choices {
        self.choices
    }

    /// The reason not to answer from a table that is intact but does not match the rules.
    pub(in crate::kit) fn contradicts(&self, what: String) -> NoAnswer {
        NoAnswer::Wrong { path: self.path().to_path_buf(), what }
    }

    pub(super) fn bad_page(&self, page: usize) -> TableError {
        self.table.invalid_record(self.start(page))
    }

    /// The error for an intact table that does not match this kit or these rules.
    pub(super) fn outdated(&self, why: &'static str) -> TableError {
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

    pub(super) fn page(&self, number: usize) -> Result<Page, TableError> {
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

/// A page of the table, with the offsets of its columns.
pub(super) struct Page {
    bytes: Vec<u8>,
    pub(super) count: usize,
    kind: Kind,
    codes: Arc<[Value]>,
    rounding: Option<Rounding>,
    /// The start of the first key, then the end of each key.
    keys: Vec<usize>,
    /// Numbers: the start of each column. Fractions: the start of the first text, then the end of each text.
    pub(super) values: Vec<usize>,
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
    pub(super) fn code(&self, place: usize) -> usize {
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

    pub(super) fn key(&self, place: usize) -> &[u8] {
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
    pub(super) fn check(&self, group: usize) -> Option<[u8; CHECK]> {
        self.checks.map(|checks| array(&self.bytes[checks + group * CHECK..][..CHECK]))
    }

    /// Whether a place holds a value.
    pub(super) fn is_used(&self, place: usize) -> bool {
        match self.kind {
            Kind::Doubles | Kind::Bounds => !f64::from_be_bytes(self.number(self.values[0], place)).is_nan(),
            Kind::Fractions => self.values[place] < self.values[place + 1],
            Kind::Codes => self.code(place) > 0,
            Kind::Rounded => self.rounded(place) > 0,
        }
    }

    /// The value at a place, or `None` if the place is empty.
    pub(super) fn value(&self, place: usize) -> Option<Value> {
        let double = |column: usize| f64::from_be_bytes(self.number(column, place));
        let worth = match self.kind {
            Kind::Doubles => Worth::Double(double(self.values[0])),
            Kind::Bounds => Worth::Bounds(Bounds { lower: double(self.values[0]), upper: double(self.values[1]) }),
            #[cfg(feature = "fractions")]
            Kind::Fractions => {
                let text = str::from_utf8(&self.bytes[self.values[place]..self.values[place + 1]]).ok()?;
                Worth::Fraction(text.parse().ok()?)
            }
            #[cfg(not(feature = "fractions"))]
            Kind::Fractions => return None,
            Kind::Rounded => match (self.rounded(place), self.rounding) {
                (0, _) | (_, None) => return None,
                (stored, Some(rounding)) => Worth::Bounds(rounding.bounds(stored)),
            },
            Kind::Codes => return self.code(place).checked_sub(1).map(|entry| self.codes[entry].clone()),
        };
        let moves = self.moves.map(|column| u32::from_be_bytes(self.number(column, place)));
        (!worth.to_f64().is_nan()).then_some(Value { worth, moves })
    }

    pub(super) fn number<const N: usize>(&self, column: usize, place: usize) -> [u8; N] {
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
