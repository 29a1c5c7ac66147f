//! The contest's text: the number of levels, then one line of three letters per level, the bottom first; the expected
//! minutes on one line back. `.` is an empty place.

use std::io::{Read, Write as _};

use super::rules::{Level, MAX_BLOCKS, Minutes, Tower};
use crate::input::{InputError, Line, Lines, quote};

/// Levels of the highest tower: each has a block.
const MAX_LEVELS: u32 = MAX_BLOCKS as u32;

const LEVEL_FORMAT: &str = "write three of R, G, B and . (an empty place)";

/// The number of levels that a tower is announced with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Height {
    levels: u32,
    /// The line that says so.
    line: u64,
}

/// Reads the number of levels of the next input, or `None` where no input follows.
pub fn read_height(lines: &mut Lines<impl Read>) -> Result<Option<Height>, InputError> {
    let Some(line) = lines.next_line()? else { return Ok(None) };
    let levels = line.whole_number("the number of levels", 1..=MAX_LEVELS)?;
    Ok(Some(Height { levels, line: line.number }))
}

/// Reads the levels of a tower.
pub fn read_tower(lines: &mut Lines<impl Read>, height: Height) -> Result<Tower, InputError> {
    let mut levels = Vec::with_capacity(height.levels as usize);
    let mut numbers = [height.line; MAX_LEVELS as usize];
    for number in &mut numbers[..height.levels as usize] {
        let line = lines.require_line("write one line per level, the bottom first, or lower the number of levels")?;
        *number = line.number;
        levels.push(read_level(line)?);
    }
    Tower::new(levels).map_err(|reason| {
        let line = reason.level().map_or(height.line, |level| numbers[level - 1]);
        InputError::malformed(line, reason.to_string(), reason.remedy())
    })
}

fn read_level(line: Line<'_>) -> Result<Level, InputError> {
    Level::from_letters(line.bytes)
        .ok_or_else(|| line.error(format!("{} is not a level", quote(line.bytes)), LEVEL_FORMAT))
}

/// Appends the judge's line for a tower: the shortest text that reads back as the same double.
pub fn write_answer(minutes: Minutes, out: &mut Vec<u8>) {
    writeln!(out, "{minutes}").expect("a vector takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Tower>, InputError> {
        let mut lines = Lines::new(text.as_bytes());
        match read_height(&mut lines)? {
            Some(height) => read_tower(&mut lines, height).map(Some),
            None => Ok(None),
        }
    }

    #[test]
    fn towers_are_read_from_the_bottom_and_may_have_empty_places() {
        let tower = read("3\nRGB\n\n.GB \r\nR..\n").unwrap().unwrap();
        let levels: Vec<String> = tower.levels().iter().map(Level::to_string).collect();
        assert_eq!(levels, ["RGB", ".GB", "R.."]);
        assert_eq!(read(" \n").unwrap(), None);
    }

    #[test]
    fn refusals_name_the_line_and_the_remedy() {
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
            assert_eq!(read(text).unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
