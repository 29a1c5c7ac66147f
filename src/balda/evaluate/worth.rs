//! The worth of the words of a board.

/// The cost of a cell without a word, in letters. The rules forbid filling it, so all words through it are lost as
/// well. A cost of about one good word is enough to keep these cells rare.
const GAP_COST: i32 = 10;

/// What a cell whose word has this length adds to the letters of a board; length 0 means no word.
pub(crate) fn letters(length: u8) -> i32 {
    if length == 0 { -GAP_COST } else { i32::from(length) }
}

/// The worth of a word to the search, by its length: its number of letters plus a quadratic bonus.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth([i32; Worth::LENGTHS]);

impl Worth {
    /// Units of worth per letter.
    pub const PER_LETTER: i32 = 64;
    /// Size of the table. Longer words are worth as much as the longest word in it.
    const LENGTHS: usize = 32;
    /// The length at which the bonus is 0, in letters: an ordinary word of a good board.
    const ORDINARY: f64 = 8.0;
    /// The least that one more letter adds, in letters, so that a longer word is always worth more.
    const LEAST_STEP: f64 = 0.1;

    /// A word gains `curvature` times the square of the difference between its length and an ordinary one, in letters.
    pub fn new(curvature: f64) -> Worth {
        let mut worth = [-GAP_COST * Worth::PER_LETTER; Worth::LENGTHS];
        let mut value = 0.0f64;
        for (length, place) in worth.iter_mut().enumerate().skip(1) {
            let letters = length as f64;
            let beyond = letters - Worth::ORDINARY;
            value = (letters + curvature * beyond * beyond).max(value + Worth::LEAST_STEP);
            *place = libm::round(value * f64::from(Worth::PER_LETTER)) as i32;
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
    fn longer_words_are_worth_more_and_without_curvature_worth_is_the_length() {
        for curvature in [0.0, 0.05, 0.5] {
            let worth = Worth::new(curvature);
            assert!((1..31).all(|length| worth.of(length) < worth.of(length + 1)), "curvature {curvature}");
            assert!(worth.of(0) < 0);
        }
        assert_eq!(Worth::new(0.0).of(7), 7 * Worth::PER_LETTER);
        assert_eq!(Worth::new(0.08).of(8), 8 * Worth::PER_LETTER);
    }
}
