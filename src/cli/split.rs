//! `--split`: where many inputs can be cut into parts, so that no other program has to know their format.

use serde::Serialize;
use tabletop::door::Failure;
use tabletop::game::{TextGame, TextLines};
use tabletop::input::InputError;
use tabletop::text::as_line;
use tabletop::text::to_json;

use super::output::Output;

/// An input that cannot be read, and the number of its case.
pub(super) struct BadCase {
    pub(super) case: u64,
    pub(super) error: InputError,
}

/// Where a part begins.
struct Part {
    byte: u64,
    line: u64,
    case: u64,
}

/// A part in the output.
#[derive(Serialize)]
struct PartLine {
    byte: u64,
    bytes: u64,
    line: u64,
    case: u64,
}

impl Part {
    fn write(&self, end: u64, output: &mut Output) -> Result<(), Failure> {
        let Part { byte, line, case } = *self;
        output.write(&mut as_line(to_json(&PartLine { byte, bytes: end - byte, line, case })))
    }
}

/// Prints a line of JSON for each part. A part has whole inputs, and as many of them as are needed for `size` cases; an
/// input without cases counts as one. After a bad case, the last part is everything else that was read: who answers it
/// finds the same error.
pub(super) fn run(
    game: &dyn TextGame,
    lines: &mut TextLines<'_>,
    size: u64,
    output: &mut Output,
) -> Result<Option<BadCase>, Failure> {
    let mut part = Part { byte: 0, line: 1, case: 1 };
    let (mut case, mut end, mut counted) = (1, 0, 0);
    let error = loop {
        match read_input(game, lines, &mut case) {
            Ok(None) => break None,
            Ok(Some(count)) => counted += u64::from(count.max(1)),
            Err(error) => break Some(error),
        }
        end = lines.position();
        if counted >= size {
            part.write(end, output)?;
            part = Part { byte: end, line: lines.next_number(), case };
            counted = 0;
        }
    };
    if let Some(InputError::Malformed { .. }) = error {
        end = lines.bytes_read();
    }
    if end > part.byte {
        part.write(end, output)?;
    }
    Ok(error.map(|error| BadCase { case, error }))
}

/// Reads the next input and returns its number of cases, or `None` if no input follows. Counts the cases.
fn read_input(game: &dyn TextGame, lines: &mut TextLines<'_>, case: &mut u64) -> Result<Option<u32>, InputError> {
    let Some(count) = game.read_count(lines)? else { return Ok(None) };
    for _ in 0..count {
        game.skip_next(lines)?;
        *case += 1;
    }
    Ok(Some(count))
}
