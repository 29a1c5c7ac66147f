//! What the words of a board are worth.

/// What a cell without a word costs, in letters. The rules forbid filling it, so all words through it are lost as
/// well. The length of a good word is enough to keep such boards rare.
const GAP_COST: i32 = 10;

/// What a cell adds to the letters of a board by the length of its word.
pub(crate) fn letters(length: u8) -> i32 {
    if length == 0 { -GAP_COST } else { i32::from(length) }
}

/// What a word is worth to the search by its length: its letters, or more for long words and less for short ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth([i32; Worth::LENGTHS]);

impl Worth {
    /// Parts of a letter in which worth is counted.
    pub const PER_LETTER: i32 = 64;
    /// Longer words are worth as much as the longest of these.
    const LENGTHS: usize = 32;
    /// The length at which a bend changes nothing, in letters: an ordinary word of a good board.
    const ORDINARY: f64 = 8.0;
    /// One more letter is worth at least this, in letters, so that longer is always better.
    const LEAST_STEP: f64 = 0.1;

    /// `bend` is what a word gains for each letter squared by which it differs from an ordinary one, in letters.
    pub fn new(bend: f64) -> Worth {
        let mut worth = [-GAP_COST * Worth::PER_LETTER; Worth::LENGTHS];
        let mut least = 0.0f64;
        for (length, place) in worth.iter_mut().enumerate().skip(1) {
            let letters = length as f64;
            let beyond = letters - Worth::ORDINARY;
            least = (letters + bend * beyond * beyond).max(least + Worth::LEAST_STEP);
            *place = libm::round(least * f64::from(Worth::PER_LETTER)) as i32;
        }
        Worth(worth)
    }

    #[inline(always)]
    pub(super) fn of(&self, length: u8) -> i32 {
        self.0[usize::from(length).min(Worth::LENGTHS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_words_are_always_worth_more_and_a_straight_worth_is_the_length() {
        for bend in [0.0, 0.05, 0.5] {
            let worth = Worth::new(bend);
            assert!((1..31).all(|length| worth.of(length) < worth.of(length + 1)), "bend {bend}");
            assert!(worth.of(0) < 0);
        }
        assert_eq!(Worth::new(0.0).of(7), 7 * Worth::PER_LETTER);
        assert_eq!(Worth::new(0.08).of(8), 8 * Worth::PER_LETTER);
    }
}
