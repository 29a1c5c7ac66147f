//! The contest's text. Input: the number of levels, then one line of three letters per level, the bottom first; `.` is
//! an empty place. Output: the expected minutes.

use std::fmt;
use std::io::Read;
use std::str::FromStr;

use super::Jenga;
use super::rules::{Level, MAX_BLOCKS, Tower};
use crate::game::Game;
use crate::input::{InputError, Line, Lines, quote};

/// The number of levels of the highest tower: every level has at least one block.
const MAX_LEVELS: u32 = MAX_BLOCKS as u32;

const CAPITALS: &str = "write capital letters: R, G, B";
const LEVEL_FORMAT: &str = "write three of R, G, B and . (an empty place)";

/// Reads a tower: the number of levels, then the levels.
pub fn read_tower(lines: &mut Lines<impl Read>) -> Result<Tower, InputError> {
    let first = lines.require_line(Jenga::PROFILE.format)?;
    let height = first.whole_number("the number of levels", 1..=MAX_LEVELS)? as usize;
    let first = first.number;
    let mut levels = Vec::with_capacity(height);
    let mut numbers = [first; MAX_LEVELS as usize];
    for number in &mut numbers[..height] {
        let line = lines.require_line("write one line per level, the bottom first, or lower the number of levels")?;
        *number = line.number;
        levels.push(read_level(line)?);
    }
    Tower::new(levels).map_err(|reason| {
        let line = reason.level().map_or(first, |level| numbers[level - 1]);
        InputError::malformed(line, reason.to_string(), reason.remedy())
    })
}

fn read_level(line: Line<'_>) -> Result<Level, InputError> {
    let refused = || {
        let is_lower_case = Level::from_letters(&line.bytes.to_ascii_uppercase()).is_some();
        let expected = if is_lower_case { CAPITALS } else { LEVEL_FORMAT };
        line.error(format!("{} is not a level", quote(line.bytes)), expected)
    };
    Level::from_letters(line.bytes).ok_or_else(refused)
}

impl fmt::Display for Tower {
    /// The judge's input with this tower.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.levels().len())?;
        self.levels().iter().try_for_each(|level| writeln!(f, "{level}"))
    }
}

impl FromStr for Tower {
    type Err = InputError;

    /// Reads a judge's input with one tower.
    fn from_str(text: &str) -> Result<Tower, InputError> {
        Jenga::read_only(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towers_are_read_from_the_bottom_and_may_have_empty_places() {
        let tower: Tower = "3\nRGB\n\n.GB \r\nR..\n".parse().unwrap();
        let levels: Vec<String> = tower.levels().iter().map(Level::to_string).collect();
        assert_eq!(levels, ["RGB", ".GB", "R.."]);
        assert_eq!(tower.to_string(), "3\nRGB\n.GB\nR..\n");
        let empty = " \n".parse::<Tower>().unwrap_err().to_string();
        assert!(empty.starts_with("line 1: the input is empty, write the number of levels"), "{empty}");
    }

    #[test]
    fn errors_name_the_line_and_the_remedy() {
        for (text, message) in [
            (
                "0\n",
                "line 1: '0' is not the number of levels, write the number of levels alone on its line, a whole number from 1 to 24",
            ),
            (
                "25\n",
                "line 1: '25' is not the number of levels, write the number of levels alone on its line, a whole number from 1 to 24",
            ),
            (
                "9\nRGB\nRGB\nRGB\nRGB\nRGB\nRGB\nRGB\nRGB\nRGB\n",
                "line 1: a tower of 27 blocks, the limit is 24 blocks, which is 8 full levels",
            ),
            ("1\nRGX\n", "line 2: 'RGX' is not a level, write three of R, G, B and . (an empty place)"),
            ("1\nrg.\n", "line 2: 'rg.' is not a level, write capital letters: R, G, B"),
            ("1\nRG\n", "line 2: 'RG' is not a level, write three of R, G, B and . (an empty place)"),
            (
                "2\n\n...\nRGB\n",
                "line 3: the tower falls, level 1 below the top is empty, leave it its middle block or both side blocks",
            ),
            (
                "2\nR..\nRGB\n",
                "line 2: the tower falls, level 1 rests on a lone side block, leave it its middle block or both side \
                 blocks",
            ),
            ("1\n...\n", "line 2: the top level 1 is empty, leave the level out or put a block on it"),
            (
                "2\nRGB\n",
                "line 3: the input ends too early, write one line per level, the bottom first, or lower the number of \
                 levels",
            ),
        ] {
            assert_eq!(text.parse::<Tower>().unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
