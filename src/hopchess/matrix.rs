//! The probabilities of one board for all pairs of error factors.

use super::chance::Chance;
use super::rules::Factors;

/// The largest error factor that a matrix covers, in moves.
pub const LARGEST_FACTOR: usize = 13;

/// The size of a matrix, and whether larger error factors can change the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The number of stored factors of Justin. Larger factors up to 13 give the same chances as the last one.
    pub lines: usize,
    /// The number of stored factors of Donald. Larger factors up to 13 give the same chances as the last one.
    pub columns: usize,
    /// Whether Justin can have more than 13 moves in some position, so that a factor above 13 may change the chance.
    pub justin_goes_on: bool,
    /// Whether Donald can have more than 13 moves in some position.
    pub donald_goes_on: bool,
}

/// The probabilities that Justin wins from one board: a line for each of Justin's error factors, a column for each of
/// Donald's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorMatrix {
    extent: Extent,
    /// Line by line.
    entries: Vec<Chance>,
}

impl FactorMatrix {
    /// The matrix with this extent and the entries `entry(line, column)`.
    pub fn new(extent: Extent, entry: impl Fn(usize, usize) -> Chance) -> FactorMatrix {
        let Extent { lines, columns, .. } = extent;
        let places = (0..lines).flat_map(|line| (0..columns).map(move |column| (line, column)));
        FactorMatrix { extent, entries: places.map(|(line, column)| entry(line, column)).collect() }
    }

    /// The matrix with these entries, line by line. `None` if their number does not match the extent.
    pub(super) fn from_entries(extent: Extent, entries: Vec<Chance>) -> Option<FactorMatrix> {
        (entries.len() == extent.lines * extent.columns).then_some(FactorMatrix { extent, entries })
    }

    /// The extent of the matrix.
    pub(super) fn extent(&self) -> Extent {
        self.extent
    }

    /// The entries, line by line.
    pub(super) fn entries(&self) -> &[Chance] {
        &self.entries
    }

    /// The probability that Justin wins, or `None` if the matrix does not cover these factors.
    pub fn chance(&self, factors: Factors) -> Option<Chance> {
        let Extent { lines, columns, justin_goes_on, donald_goes_on } = self.extent;
        let (justin, donald) = (factors.justin.moves(), factors.donald.moves());
        if justin > LARGEST_FACTOR && justin_goes_on || donald > LARGEST_FACTOR && donald_goes_on {
            return None;
        }
        self.entries.get((justin.min(lines) - 1) * columns + donald.min(columns) - 1).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hopchess::rules::ErrorFactor;

    #[test]
    fn factors_beyond_the_matrix_use_its_last_entry_or_are_not_covered() {
        let extent = Extent { lines: 2, columns: 3, justin_goes_on: false, donald_goes_on: true };
        let matrix = FactorMatrix::new(extent, |line, column| Chance::new((line * 3 + column) as u64, 9).unwrap());
        let numerator = |justin, donald| {
            let factor = |moves| ErrorFactor::new(moves).unwrap();
            matrix.chance(Factors { justin: factor(justin), donald: factor(donald) }).map(Chance::numerator)
        };
        assert_eq!(numerator(1, 1), Some(0));
        assert_eq!(numerator(2, 3), Some(5));
        assert_eq!(numerator(13, 13), Some(5));
        assert_eq!(numerator(u64::MAX, 2), Some(4));
        assert_eq!(numerator(1, 14), None);
    }
}
