//! Sets of cells as bits, in the smallest integer that holds the board, so that common sizes fit in registers.

/// A set of board cells, numbered row by row from 0.
pub trait CellSet: Copy + PartialEq + std::fmt::Debug {
    const EMPTY: Self;
    fn single(cell: usize) -> Self;
    fn union(self, other: Self) -> Self;
    fn meets(self, other: Self) -> bool;
}

macro_rules! integer_cell_set {
    ($integer:ty) => {
        impl CellSet for $integer {
            const EMPTY: Self = 0;
            #[inline(always)]
            fn single(cell: usize) -> Self {
                1 << cell
            }
            #[inline(always)]
            fn union(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn meets(self, other: Self) -> bool {
                self & other != 0
            }
        }
    };
}

integer_cell_set!(u64);
integer_cell_set!(u128);

/// A set of up to 256 cells, for the boards of side 13 and 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideSet {
    low: u128,
    high: u128,
}

impl CellSet for WideSet {
    const EMPTY: Self = WideSet { low: 0, high: 0 };
    fn single(cell: usize) -> Self {
        if cell < 128 { WideSet { low: 1 << cell, high: 0 } } else { WideSet { low: 0, high: 1 << (cell - 128) } }
    }
    #[inline(always)]
    fn union(self, other: Self) -> Self {
        WideSet { low: self.low | other.low, high: self.high | other.high }
    }
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        (self.low & other.low) | (self.high & other.high) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_sets_do_not_mix_their_halves() {
        for first in [0, 127, 128, 224] {
            for second in [0, 127, 128, 224] {
                assert_eq!(WideSet::single(first).meets(WideSet::single(second)), first == second);
            }
            assert!(WideSet::single(3).union(WideSet::single(first)).meets(WideSet::single(first)));
            assert!(!WideSet::EMPTY.meets(WideSet::single(first)));
        }
    }
}
