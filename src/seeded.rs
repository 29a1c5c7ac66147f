//! Repeatable random numbers: the same seed gives the same numbers on every machine and in every version.

/// The random number generator splitmix64. Its state is public, so that a sequence can be continued.
///
/// ```
/// use tabletop::seeded::Seeded;
///
/// let mut seeded = Seeded(1);
/// assert_eq!([seeded.below(6), seeded.below(6), seeded.below(6)], [5, 1, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeded(pub u64);

impl Seeded {
    /// The next number below `bound`, which must be at least 1.
    ///
    /// It is a remainder, so small results are slightly more frequent if `bound` is large.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}
