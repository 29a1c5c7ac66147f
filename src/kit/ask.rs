//! Positions as their askers write them.

use std::fmt;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;

use super::error::{BadRules, Fault};
use super::no_answer::NoAnswer;
use super::rules::Rules;
use crate::game::PositionLine;
use crate::input::{InputError, Lines, quote};

/// The word for the first start, unless the rules read it as a position.
pub(super) const START: &str = "start";

/// A position as its asker writes it: one line, which the rules read when they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText(pub(super) String);

impl PositionText {
    pub(super) fn read(lines: &mut Lines<impl Read>) -> Result<PositionText, InputError> {
        Ok(PositionText(lines.require_line(PositionLine::FORMAT)?.text()?.to_owned()))
    }
}

impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PositionText {
    type Err = InputError;

    fn from_str(text: &str) -> Result<PositionText, InputError> {
        let mut lines = Lines::new(text.as_bytes());
        let position = PositionText::read(&mut lines)?;
        lines.require_end("remove it")?;
        Ok(position)
    }
}

/// The position of a text, or the first start if there is none. The word [`START`] is the first start too, unless the
/// rules read it as a position. `remark` gets a line if there are other starts.
pub(super) fn position<R: Rules>(
    rules: &R,
    text: Option<&str>,
    remark: impl FnOnce(String),
) -> Result<R::Position, NoAnswer> {
    let error = match text.map(str::parse::<R::Position>) {
        Some(Ok(position)) => return Ok(position),
        Some(Err(error)) if text != Some(START) => error,
        _ => return first_start(rules, remark),
    };
    // The error of `FromStr` may be a remedy itself.
    let quoted = quote(text.unwrap_or_default().as_bytes());
    Err(NoAnswer::Text(format!("{quoted} is not a position: {error}; for example '{}'", example(rules))))
}

/// The first start, with a remark if there are others.
fn first_start<R: Rules>(rules: &R, remark: impl FnOnce(String)) -> Result<R::Position, NoAnswer> {
    let starts = rules.starts();
    let count = starts.len();
    let first = starts.into_iter().next().ok_or_else(|| BadRules::from(Fault::NoStart))?;
    if count > 1 {
        remark(format!("'{first}' is the first of {count} starts, name another one to begin there"));
    }
    Ok(first)
}

/// The first start, as an example of a position.
fn example<R: Rules>(rules: &R) -> String {
    rules.starts().first().map_or_else(String::new, |start| start.to_string())
}

/// The remedy for a text that is not a position.
pub(super) fn expected<R: Rules>(rules: &R) -> String {
    format!("write a position such as '{}'", example(rules))
}

/// Asks rules about the position of a text. They may panic at one that they never lead to.
pub(super) fn guarded<T>(text: &str, ask: impl FnOnce() -> Result<T, NoAnswer>) -> Result<T, NoAnswer> {
    let panicked = || Fault::Panicked { function: "the rules" }.at(text.escape_debug());
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| Err(panicked().into()))
}
