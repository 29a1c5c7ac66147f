//! The cases of an input with their lines.

use std::io::Read;

use super::Game;
use crate::input::{InputError, Lines};

/// A case and the number of its first line.
pub struct Located<C> {
    /// The number of the line, from 1.
    pub line: u64,
    /// The case.
    pub case: C,
}

impl<C> Located<C> {
    /// Reads the next case of an input.
    pub fn read<G: Game<Case = C>>(lines: &mut Lines<impl Read>) -> Result<Located<C>, InputError> {
        let line = lines.next_number();
        Ok(Located { line, case: G::read(lines)? })
    }

    /// Reads the only input. `remedy` says what to do about text after it.
    pub fn read_all<G: Game<Case = C>>(
        lines: &mut Lines<impl Read>,
        remedy: &str,
    ) -> Result<Vec<Located<C>>, InputError> {
        let count = G::read_count(lines)?;
        let count = count.ok_or_else(|| InputError::malformed(1, "the input is empty", G::PROFILE.format))?;
        let cases = (0..count).map(|_| Located::read::<G>(lines)).collect::<Result<_, _>>()?;
        lines.require_end(remedy)?;
        Ok(cases)
    }
}
