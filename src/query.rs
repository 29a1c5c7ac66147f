//! Answers judge inputs in judge form, as explanations or as JSON. The command line and the server share this code.

use std::fmt;
use std::mem;

use crate::explain::{Explain, Paint};
use crate::game::{Error, Game};
use crate::input::InputError;
use crate::text;

/// The form of the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As the contest requires: one line per case.
    Judge,
    /// The answer, then every legal move with its value, best first.
    Explain(Paint),
    /// The same as one JSON object per input.
    Json,
}

/// Writes the answers to the cases of one or more inputs.
pub struct Writer<'g, G> {
    game: &'g G,
    form: Form,
    /// Whether the JSON object of the current input has no case yet.
    is_first: bool,
}

impl<'g, G: Game> Writer<'g, G> {
    /// A writer of answers in this form.
    pub fn new(game: &'g G, form: Form) -> Writer<'g, G> {
        Writer { game, form, is_first: true }
    }

    /// The form of the answers.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Appends the text before the first answer of an input.
    pub fn begin(&mut self, out: &mut Vec<u8>) {
        self.is_first = true;
        if self.form == Form::Json && G::MAX_CASES > 1 {
            out.extend_from_slice(format!(r#"{{"game":"{}","cases":["#, G::PROFILE.name).as_bytes());
        }
    }

    /// Appends the answer to a case.
    pub fn answer(&mut self, case: &G::Case, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.form {
            Form::Judge => {
                self.game.write_answer(&self.game.value(case)?, out);
                out.push(b'\n');
            }
            Form::Explain(paint) => out.extend_from_slice(self.game.advise(case)?.to_text(paint).as_bytes()),
            Form::Json => {
                let advice = self.game.advise(case)?;
                if !mem::take(&mut self.is_first) {
                    out.push(b',');
                }
                text::json(&advice, out);
            }
        }
        Ok(())
    }

    /// Appends the text after the last answer of an input.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if self.form == Form::Json {
            if G::MAX_CASES > 1 {
                out.extend_from_slice(b"]}");
            }
            out.push(b'\n');
        }
    }
}

/// Why an input has no answer.
#[derive(Debug)]
pub enum QueryError {
    /// The input is wrong.
    Input(InputError),
    /// The game cannot answer it.
    Game(Error),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Input(error) => error.fmt(f),
            QueryError::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for QueryError {}

/// Answers a whole input, as the command line does.
pub fn answer<G: Game>(game: &G, input: &[u8], form: Form) -> Result<Vec<u8>, QueryError> {
    let cases = G::read_all(input).map_err(QueryError::Input)?;
    let mut out = Vec::new();
    let mut writer = Writer::new(game, form);
    writer.begin(&mut out);
    for case in &cases {
        writer.answer(case, &mut out).map_err(QueryError::Game)?;
    }
    writer.end(&mut out);
    Ok(out)
}
