//! Writes tables.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::super::error::{BadRules, Fault};
use super::super::explore::Watch;
use super::super::facts::Facts;
use super::super::graph::Graph;
use super::super::key::key_of;
use super::super::keys::decode;
use super::super::number::Bounds;
use super::super::ranked::{KeyFiles, Ranked, RankedRules, RankedValues};
use super::super::rules::Rules;
use super::super::solve::{Solution, Values};
use super::{
    CHECK, CODE_ENTRY, Choices, GROUP, Kind, Lookup, MAX_DECIMALS, PAGE, ROUNDING, Rounding, VERSION, code_bytes,
    fingerprint, group_check, spec, value_bytes,
};
use crate::seeded::Seeded;
use crate::table::{assemble, compress_block};

/// Number of positions in the sample, all positions of a smaller game.
const SAMPLE: usize = 64;

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

    fn to_bytes(self) -> Vec<u8> {
        let (error, least) = (self.error.to_le_bytes(), self.least.to_le_bytes());
        [&error[..], &least, &self.decimals.to_le_bytes(), &self.bytes.to_le_bytes()].concat()
    }

    /// Appends a column of values, `None` for a rank without a position.
    fn append(&self, values: impl Iterator<Item = Option<f64>> + Clone, out: &mut Vec<u8>) {
        for plane in (0..self.bytes).rev() {
            out.extend(values.clone().map(|value| value.map_or(0, |value| (self.stored(value) >> (8 * plane)) as u8)));
        }
    }
}

impl Choices {
    fn of(facts: &Facts) -> Choices {
        Choices { has_max: facts.has_max, has_min: facts.has_min, has_turns: facts.has_turns }
    }

    fn to_byte(self) -> u8 {
        u8::from(self.has_max) + 2 * u8::from(self.has_min) + 4 * u8::from(self.has_turns)
    }
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
    watch: &Watch<'_>,
    block: impl Fn(Range<u64>) -> Result<Vec<u8>, BadRules> + Sync,
) -> Result<Vec<u8>, BadRules> {
    let spec = spec(rules);
    let size = u64::from(spec.block_records);
    let bar = (watch.progress)("bytes of the table", bytes);
    let compressed: Vec<Result<Vec<u8>, BadRules>> = (0..bytes.div_ceil(size))
        .into_par_iter()
        .map(|number| {
            let range = number * size..bytes.min((number + 1) * size);
            let block = compress_block(&block(range.clone())?, level);
            bar.inc(range.end - range.start);
            Ok(block)
        })
        .collect();
    bar.finish_and_clear();
    let compressed = compressed.into_iter().collect::<Result<Vec<_>, BadRules>>()?;
    Ok(assemble(spec, concat!("tabletop kit ", env!("CARGO_PKG_VERSION")), bytes, &compressed))
}

/// Compresses the whole content of a table.
fn encode_content<R: Rules>(rules: &R, content: &[u8], level: i32, watch: &Watch<'_>) -> Result<Vec<u8>, BadRules> {
    encode_blocks(rules, content.len() as u64, level, watch, |range| {
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

impl Ranked {
    /// The bytes of the table file. They do not depend on the number of threads.
    pub(in crate::kit) fn encode<R: Rules>(
        &self,
        rules: &R,
        digits: Option<u16>,
        watch: &Watch<'_>,
    ) -> Result<Vec<u8>, BadRules> {
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
        let pages = Pages { ranked: self, rules: RankedRules::new(rules), rounding, order: self.order_by_key() };
        let stride = self.keys.as_ref().and_then(|keys| u8::try_from(keys.length()?).ok()).unwrap_or(0);
        let value_bytes = value_bytes(kind, codes.len(), rounding, false).expect("there are no fractions");
        let starts = pages.starts(value_bytes, stride);
        let head = Head {
            places: pages.places(),
            lookup: if self.keys.is_some() { Lookup::ByKey } else { Lookup::ByRank },
            kind,
            has_moves: kind == Kind::Codes,
            facts: self.facts(),
            sample: sample(rules, self.positions(), |place| pages.text(place)),
            stride,
            codes,
            rounding,
            directory: pages.directory(&starts, codes.len() * CODE_ENTRY + rounding.map_or(0, |_| ROUNDING)),
        };
        let head = head.bytes(rules)?;
        let first = head.len() as u64;
        let total = first + starts[starts.len() - 1];
        encode_blocks(rules, total, level_of_file(total), watch, |range| {
            let mut bytes: Vec<u8> = head.iter().take(range.end as usize).skip(range.start as usize).copied().collect();
            while range.start + (bytes.len() as u64) < range.end {
                let next = range.start + bytes.len() as u64;
                let page = starts.partition_point(|&start| start <= next - first) - 1;
                let within = (next - first - starts[page]) as usize;
                bytes.extend(pages.page(page, stride)?[within..].iter().take((range.end - next) as usize));
            }
            Ok(bytes)
        })
    }

    /// The numbers of all positions, sorted by key, if the table has keys.
    fn order_by_key(&self) -> Vec<u32> {
        let Some(keys) = &self.keys else { return Vec::new() };
        let mut order: Vec<u32> = (0..self.positions() as u32).collect();
        let key = |number: u32| keys.get(u64::from(number));
        order.par_sort_unstable_by(|&one, &other| key(one).cmp(key(other)));
        order
    }

    /// Appends the values of some places.
    fn append_values(&self, numbers: &[Option<u32>], rounding: Option<Rounding>, out: &mut Vec<u8>) {
        let of = |values: &[f64]| numbers.iter().map(|number| number.map(|number| values[number as usize])).collect();
        let (values, error): (Vec<Option<f64>>, Option<f64>) = match &self.values {
            RankedValues::Codes { pairs, codes: values } => {
                let code = |number: &Option<u32>| number.map_or(0, |number| values[number as usize]);
                return append_codes(numbers.iter().map(code), pairs.len(), out);
            }
            RankedValues::Doubles(values) => (of(values), None),
            RankedValues::Bounds { middles, error } => (of(middles), Some(*error)),
        };
        let doubles = |error: f64| values.iter().map(move |value| value.map_or(f64::NAN, |value| value + error));
        match (rounding, error) {
            (Some(rounding), _) => rounding.append(values.iter().copied(), out),
            (None, None) => append_doubles(doubles(0.0), out),
            (None, Some(error)) => [-error, error].into_iter().for_each(|error| append_doubles(doubles(error), out)),
        }
    }
}

/// The pages of a large game.
struct Pages<'a, R> {
    ranked: &'a Ranked,
    rules: RankedRules<'a, R>,
    rounding: Option<Rounding>,
    /// The numbers of all positions, sorted by key; empty if the table has none.
    order: Vec<u32>,
}

impl<R: Rules> Pages<'_, R> {
    /// The number of places.
    fn places(&self) -> u64 {
        if self.ranked.keys.is_some() { self.order.len() as u64 } else { self.rules.count() }
    }

    fn places_of(&self, page: usize) -> Range<u64> {
        (page * PAGE) as u64..self.places().min(((page + 1) * PAGE) as u64)
    }

    /// The text of a position: by rank, or by its place in the order of the keys.
    fn text(&self, place: u32) -> String {
        match &self.ranked.keys {
            Some(keys) => {
                decode::<R>(keys.get(self.order[place as usize].into())).expect("a key is of a position").to_string()
            }
            None => self.rules.unrank(self.ranked.rank(place)).to_string(),
        }
    }

    /// The start of each page, and the end of the last.
    fn starts(&self, value_bytes: usize, stride: u8) -> Vec<u64> {
        let mut end = 0;
        let sizes = (0..self.places().div_ceil(PAGE as u64) as usize).map(|page| {
            let places = self.places_of(page);
            let count = (places.end - places.start) as usize;
            let rest = match (&self.ranked.keys, stride) {
                (None, _) => count.div_ceil(GROUP) * CHECK,
                (Some(keys), 0) => self.keys_of(keys, places).map(|key| size_of::<u32>() + key.len()).sum(),
                (Some(_), stride) => count * usize::from(stride),
            };
            end += (count * value_bytes + rest) as u64;
            end
        });
        let mut starts = vec![0];
        starts.extend(sizes);
        starts
    }

    fn keys_of<'a>(&'a self, keys: &'a KeyFiles, places: Range<u64>) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.order[places.start as usize..places.end as usize].iter().map(|&number| keys.get(number.into()))
    }

    /// The first key of each page.
    fn directory(&self, starts: &[u64], first: usize) -> Vec<u8> {
        let Some(keys) = &self.ranked.keys else { return Vec::new() };
        let mut directory = Vec::new();
        for (page, start) in starts[..starts.len() - 1].iter().enumerate() {
            let key = self.keys_of(keys, self.places_of(page)).next().unwrap_or_default();
            append_to_directory(start + first as u64, key, &mut directory);
        }
        directory
    }

    fn page(&self, page: usize, stride: u8) -> Result<Vec<u8>, BadRules> {
        let (places, mut bytes) = (self.places_of(page), Vec::new());
        if let Some(keys) = &self.ranked.keys {
            append_keys(self.keys_of(keys, places.clone()), stride, &mut bytes);
            let numbers = &self.order[places.start as usize..places.end as usize];
            let numbers: Vec<Option<u32>> = numbers.iter().copied().map(Some).collect();
            self.ranked.append_values(&numbers, self.rounding, &mut bytes);
            return Ok(bytes);
        }
        let numbers: Vec<Option<u32>> = places.clone().map(|rank| self.ranked.number(rank)).collect();
        self.ranked.append_values(&numbers, self.rounding, &mut bytes);
        let ranks: Vec<u64> = places.collect();
        for (numbers, ranks) in numbers.chunks(GROUP).zip(ranks.chunks(GROUP)) {
            let mut keys = Vec::with_capacity(GROUP);
            for (number, &rank) in numbers.iter().zip(ranks) {
                keys.push(number.map(|_| key_of::<R>(&self.rules.unrank(rank))).transpose()?);
            }
            bytes.extend_from_slice(&group_check(keys.into_iter()));
        }
        Ok(bytes)
    }
}

impl Solution {
    /// The bytes of the table file. They do not depend on the number of threads.
    pub fn encode<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        self.encode_rounded(rules, rules.digits(), &Watch::SILENT)
    }

    /// The same with values rounded to a number of decimals, if they are not counted exactly.
    pub(in crate::kit) fn encode_rounded<R: Rules>(
        &self,
        rules: &R,
        digits: Option<u16>,
        watch: &Watch<'_>,
    ) -> Result<Vec<u8>, BadRules> {
        let content = self.content(rules, digits)?;
        encode_content(rules, &content, level_of_file(content.len() as u64), watch)
    }

    /// The same table, compressed a little and at once, for a program that only reads it itself.
    pub fn encode_quickly<R: Rules>(&self, rules: &R) -> Result<Vec<u8>, BadRules> {
        encode_content(rules, &self.content(rules, rules.digits())?, LEAST_COMPRESSION_LEVEL, &Watch::SILENT)
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
            append_to_directory(start as u64, first, &mut directory);
            start += page.len();
        }
        let numbers: Vec<u32> = places.iter().flatten().copied().collect();
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
        if lookup == Lookup::ByKey {
            append_keys(keys, stride, &mut bytes);
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
pub(super) fn table_order<R: Rules>(rules: &R, graph: &Graph) -> Result<Vec<Option<u32>>, BadRules> {
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

/// The texts of some positions, one per line: the first start and a seeded choice, or all positions of a small game.
/// Positions are numbered in the order of the table.
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

impl Graph {
    /// The check of a group of positions.
    pub(super) fn check_of(&self, group: &[Option<u32>]) -> [u8; CHECK] {
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

/// Appends the start of a page and its first key.
fn append_to_directory(start: u64, first: &[u8], directory: &mut Vec<u8>) {
    directory.extend_from_slice(&start.to_le_bytes());
    directory.extend_from_slice(&(first.len() as u32).to_le_bytes());
    directory.extend_from_slice(first);
}

/// Appends a column of keys, which all have `stride` bytes if that is not 0.
fn append_keys<'a>(keys: impl Iterator<Item = &'a [u8]> + Clone, stride: u8, out: &mut Vec<u8>) {
    if stride == 0 {
        return append_texts(keys, out);
    }
    (0..usize::from(stride)).for_each(|plane| out.extend(keys.clone().map(|key| key[plane])));
}

/// Appends a column of texts: all lengths, then all bytes.
fn append_texts<'a>(all: impl Iterator<Item = &'a [u8]> + Clone, out: &mut Vec<u8>) {
    append_byte_planes(all.clone().map(|text| (text.len() as u32).to_be_bytes()), out);
    all.for_each(|text| out.extend_from_slice(text));
}
