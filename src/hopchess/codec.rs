//! Packs the matrix of a board into bits.
//!
//! As compressed doubles the matrices take 7.3 MB, in any byte order, because the low bits of a fraction like 1/3 look
//! random. But the denominators are products of small primes, half of them shorter than 25 bits, and neighbouring
//! entries are similar. So every entry is stored as a fraction, by its difference from the prediction of its neighbours
//! (Justin's factor grows downwards, Donald's to the right):
//!
//! ```text
//!   corner  above        predicted probability = left + above - corner, and the same for the exponent of
//!   left    predicted    each prime in the denominator; at an edge, the value of the only neighbour
//!
//!   matrix  lines - 1 (4 bits)  columns - 1 (4)  justin goes on (1)  donald goes on (1)  entries, line by line
//!   entry   change  steps  difference
//!   change  00 the denominator is Chance::FINE   01 every exponent is as predicted
//!           100 101 110 1110 11110 11111 the largest prime with a wrong prediction is 3 5 7 2 11 13
//!   step    for every smaller prime: 0 if as predicted, else 1, then sign (1: smaller) and distance - 1 in unary;
//!           for that largest prime: the same without the leading 1
//!   difference  of the numerator, zigzag, as an exponential Golomb code; its order depends on the entry's line, column
//!           and denominator
//! ```
//!
//! The lines and columns for larger factors that change nothing are not stored. The two bits say whether a factor above
//! [`LARGEST_FACTOR`] can still change a chance.

use super::bits::{BitReader, BitWriter};
use super::chance::{Chance, PRIMES};
use super::matrix::{Extent, FactorMatrix, LARGEST_FACTOR};

/// The width of the number of lines, and of the number of columns, in bits.
const EXTENT_BITS: u32 = 4;

impl FactorMatrix {
    /// Reads the matrix at the start of the bytes. `None` if it is cut off or invalid.
    pub fn unpack(bytes: &[u8]) -> Option<FactorMatrix> {
        let mut bits = BitReader::new(bytes);
        let extent = Extent {
            lines: bits.number(EXTENT_BITS)? as usize + 1,
            columns: bits.number(EXTENT_BITS)? as usize + 1,
            justin_goes_on: bits.number(1)? == 1,
            donald_goes_on: bits.number(1)? == 1,
        };
        if extent.lines.max(extent.columns) > LARGEST_FACTOR {
            return None;
        }
        let mut neighbours = Neighbours::new();
        let mut entries = Vec::with_capacity(extent.lines * extent.columns);
        for line in 0..extent.lines {
            for column in 0..extent.columns {
                let prediction = neighbours.predict(line, column);
                let (denominator, exponents) = unpack_denominator(&mut bits, prediction.exponents)?;
                let difference = unpack_difference(&mut bits, order(line, column, denominator))?;
                let numerator = u64::try_from(prediction.numerator(denominator) + difference).ok()?;
                let chance = Chance::new(numerator, denominator)?;
                neighbours.set(column, Entry { value: chance.to_f64(), exponents });
                entries.push(chance);
            }
        }
        FactorMatrix::from_entries(extent, entries)
    }

    /// The matrix in bytes.
    pub fn pack(&self) -> Vec<u8> {
        let extent = self.extent();
        let mut bits = BitWriter::default();
        bits.number(extent.lines as u64 - 1, EXTENT_BITS);
        bits.number(extent.columns as u64 - 1, EXTENT_BITS);
        bits.number(u64::from(extent.justin_goes_on), 1);
        bits.number(u64::from(extent.donald_goes_on), 1);
        let mut neighbours = Neighbours::new();
        for (place, &chance) in self.entries().iter().enumerate() {
            let (line, column) = (place / extent.columns, place % extent.columns);
            let denominator = chance.denominator();
            let prediction = neighbours.predict(line, column);
            let exponents = pack_denominator(&mut bits, denominator, prediction.exponents);
            let difference = chance.numerator() as i64 - prediction.numerator(denominator);
            pack_difference(&mut bits, difference, order(line, column, denominator));
            neighbours.set(column, Entry { value: chance.to_f64(), exponents });
        }
        bits.finish()
    }
}

fn unpack_denominator(bits: &mut BitReader, predicted: Exponents) -> Option<(u64, Exponents)> {
    let change = Change::BY_TOP_BITS[(bits.window() >> (u64::BITS - Change::LONGEST)) as usize];
    bits.skip(change.code().1)?;
    let Change::UpTo(changed) = change else {
        return Some((Chance::FINE, predicted));
    };
    let mut exponents = predicted;
    for (index, exponent) in exponents[..changed].iter_mut().enumerate() {
        let differs = index + 1 == changed || bits.number(1)? == 1;
        if differs {
            let smaller = bits.number(1)? == 1;
            let distance = bits.unary()? as i8 + 1;
            *exponent += if smaller { -distance } else { distance };
        }
    }
    Some((product(&exponents)?, exponents))
}

fn pack_denominator(bits: &mut BitWriter, denominator: u64, predicted: Exponents) -> Exponents {
    let mut write_change = |change: Change| {
        let (code, length) = change.code();
        bits.number(code, length);
    };
    if denominator == Chance::FINE {
        write_change(Change::Fine);
        return predicted;
    }
    let exponents = factored(denominator);
    let unchanged = exponents.iter().zip(&predicted).rev().take_while(|(actual, expected)| actual == expected).count();
    let changed = PRIMES.len() - unchanged;
    write_change(Change::UpTo(changed));
    for index in 0..changed {
        let step = exponents[index] - predicted[index];
        if index + 1 < changed {
            bits.number(u64::from(step != 0), 1);
        }
        if step != 0 {
            bits.number(u64::from(step < 0), 1);
            bits.unary(u32::from(step.unsigned_abs()) - 1);
        }
    }
    exponents
}

fn unpack_difference(bits: &mut BitReader, order: u32) -> Option<i64> {
    let doublings = bits.unary()?;
    let low = bits.number(order + doublings)?;
    let zigzag = low + (((1u64 << doublings) - 1) << order);
    Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
}

fn pack_difference(bits: &mut BitWriter, difference: i64, order: u32) {
    let zigzag = (difference << 1 ^ difference >> 63) as u64;
    let doublings = ((zigzag >> order) + 1).ilog2();
    bits.unary(doublings);
    bits.number(zigzag - (((1 << doublings) - 1) << order), order + doublings);
}

/// The exponents of [`PRIMES`] in a denominator.
type Exponents = [i8; PRIMES.len()];

/// The largest exponent in a denominator below [`Chance::SHORT`]. Predictions are limited to it.
const MOST_EXPONENT: i8 = Chance::SHORT.ilog2() as i8;

/// How a denominator differs from the predicted one.
#[derive(Clone, Copy)]
enum Change {
    /// The last differing exponent is the one at this position, counted from 1; 0 if none differs.
    UpTo(usize),
    /// The denominator is [`Chance::FINE`], and no exponents are stored.
    Fine,
}

impl Change {
    /// The length of the longest code, in bits.
    const LONGEST: u32 = 5;

    /// The change for each value of the next [`Change::LONGEST`] bits, which begin with its code.
    const BY_TOP_BITS: [Change; 1 << Change::LONGEST] = {
        let mut table = [Change::Fine; 1 << Change::LONGEST];
        let mut changed = 0;
        while changed <= PRIMES.len() {
            let (code, length) = Change::UpTo(changed).code();
            let first = (code << (Change::LONGEST - length)) as usize;
            let mut offset = 0;
            while offset < 1 << (Change::LONGEST - length) {
                table[first + offset] = Change::UpTo(changed);
                offset += 1;
            }
            changed += 1;
        }
        table
    };

    /// The code and its length in bits. More frequent changes have shorter codes.
    const fn code(self) -> (u64, u32) {
        match self {
            Change::Fine => (0b00, 2),
            Change::UpTo(0) => (0b01, 2),
            Change::UpTo(1) => (0b1110, 4),
            Change::UpTo(2) => (0b100, 3),
            Change::UpTo(3) => (0b101, 3),
            Change::UpTo(4) => (0b110, 3),
            Change::UpTo(5) => (0b11110, 5),
            Change::UpTo(_) => (0b11111, 5),
        }
    }
}

/// The part of an entry that predicts its neighbours.
#[derive(Clone, Copy)]
struct Entry {
    value: f64,
    exponents: Exponents,
}

impl Entry {
    /// The numerator of the predicted value with this denominator.
    fn numerator(&self, denominator: u64) -> i64 {
        (self.value * denominator as f64 + 0.5) as i64
    }
}

/// The neighbours for the prediction: the entries of the current line so far, followed by those of the line above.
struct Neighbours {
    entries: [Entry; LARGEST_FACTOR],
    corner: Entry,
}

impl Neighbours {
    /// For the first entry the prediction is 1/2, with the denominator 1.
    fn new() -> Neighbours {
        let start = Entry { value: 0.5, exponents: [0; PRIMES.len()] };
        Neighbours { entries: [start; LARGEST_FACTOR], corner: start }
    }

    fn predict(&self, line: usize, column: usize) -> Entry {
        let above = self.entries[column];
        if column == 0 {
            return above;
        }
        let left = self.entries[column - 1];
        if line == 0 {
            return left;
        }
        let corner = &self.corner;
        let exponent = |prime: usize| {
            (left.exponents[prime] + above.exponents[prime] - corner.exponents[prime]).clamp(0, MOST_EXPONENT)
        };
        Entry {
            value: (left.value + above.value - corner.value).clamp(0.0, 1.0),
            exponents: std::array::from_fn(exponent),
        }
    }

    fn set(&mut self, column: usize, entry: Entry) {
        self.corner = std::mem::replace(&mut self.entries[column], entry);
    }
}

/// The powers of every prime below [`Chance::SHORT`]; larger powers are 0.
const POWERS: [[u64; MOST_EXPONENT as usize + 1]; PRIMES.len()] = {
    let mut powers = [[0; MOST_EXPONENT as usize + 1]; PRIMES.len()];
    let mut i = 0;
    while i < PRIMES.len() {
        let mut exponent = 0;
        let mut power = 1;
        while power < Chance::SHORT {
            powers[i][exponent] = power;
            power *= PRIMES[i];
            exponent += 1;
        }
        i += 1;
    }
    powers
};

/// The denominator with these exponents, if it is short.
fn product(exponents: &Exponents) -> Option<u64> {
    let mut denominator: u64 = 1;
    for (powers, &exponent) in POWERS.iter().zip(exponents) {
        let power = *powers.get(usize::try_from(exponent).ok()?)?;
        denominator = denominator.checked_mul(power)?;
    }
    (1..Chance::SHORT).contains(&denominator).then_some(denominator)
}

/// The exponents of the primes in a denominator below [`Chance::SHORT`].
fn factored(mut denominator: u64) -> Exponents {
    PRIMES.map(|prime| {
        let mut exponent = 0;
        while denominator.is_multiple_of(prime) {
            denominator /= prime;
            exponent += 1;
        }
        exponent
    })
}

/// The order of the Golomb code, in bits. With larger factors, neighbouring probabilities differ less. The number of
/// bits saved was measured over all matrices.
fn order(line: usize, column: usize, denominator: u64) -> u32 {
    let place = (line + column) as u32;
    let flatness = (place + 1).min(3 + place * 2 / 5).min(11);
    (denominator.ilog2() + 1).saturating_sub(flatness)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn chances() -> impl Strategy<Value = Chance> {
        let exponents = (0..8_u32, 0..5_u32, 0..4_u32, 0..3_u32, 0..2_u32, 0..2_u32);
        let short = exponents.prop_map(|(two, three, five, seven, eleven, thirteen)| {
            2_u64.pow(two)
                * 3_u64.pow(three)
                * 5_u64.pow(five)
                * 7_u64.pow(seven)
                * 11_u64.pow(eleven)
                * 13_u64.pow(thirteen)
        });
        let denominator = prop_oneof![3 => short, 1 => Just(Chance::FINE)];
        (denominator, 0.0..=1.0)
            .prop_map(|(denominator, part)| Chance::new((part * denominator as f64) as u64, denominator).unwrap())
    }

    fn matrices() -> impl Strategy<Value = FactorMatrix> {
        let extent = (1..=LARGEST_FACTOR, 1..=LARGEST_FACTOR, any::<bool>(), any::<bool>());
        (extent, prop::collection::vec(chances(), LARGEST_FACTOR * LARGEST_FACTOR)).prop_map(
            |((lines, columns, justin_goes_on, donald_goes_on), chances)| {
                let extent = Extent { lines, columns, justin_goes_on, donald_goes_on };
                FactorMatrix::new(extent, |line, column| chances[line * LARGEST_FACTOR + column])
            },
        )
    }

    proptest! {
        #[test]
        fn every_matrix_round_trips_whatever_bytes_follow_it(matrix in matrices(), rest in prop::collection::vec(any::<u8>(), 0..20)) {
            let mut bytes = matrix.pack();
            bytes.extend(rest);
            prop_assert_eq!(FactorMatrix::unpack(&bytes), Some(matrix));
        }

        #[test]
        fn a_matrix_that_is_cut_off_is_refused(matrix in matrices()) {
            let bytes = matrix.pack();
            prop_assert_eq!(FactorMatrix::unpack(&bytes[..bytes.len() - 1]), None);
        }

        #[test]
        fn arbitrary_bytes_are_a_matrix_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..1200)) {
            if let Some(matrix) = FactorMatrix::unpack(&bytes) {
                prop_assert_eq!(FactorMatrix::unpack(&matrix.pack()), Some(matrix));
            }
        }
    }
}
