//! The cases of an input with their lines.

use std::io::Read;

use super::Game;
use crate::input::{InputError, Lines};

/// A case and the number of its first line.
pub struct Located<C> {
    /// The number of the line, from 1.
    #[cfg_attr(not(feature = "json"), expect(dead_code, reason = "only the text level reports it"))]
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

    /// Reads the next of any number of inputs, or returns `None` if no input follows.
    pub fn read_next<G: Game<Case = C>>(lines: &mut Lines<impl Read>) -> Result<Option<Vec<Located<C>>>, InputError> {
        let Some(count) = G::read_count(lines)? else { return Ok(None) };
        (0..count).map(|_| Located::read::<G>(lines)).collect::<Result<_, _>>().map(Some)
    }
}
