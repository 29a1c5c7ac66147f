//! Every typed game is a game of texts.

use std::sync::Arc;
use std::time::Duration;

use super::located::Located;
use super::text::{AnswerError, Form, Input, TextGame, TextLines};
use super::{Description, Error, Game, Load, OptionValue, Profile, Reply, ReplyError, Run};
use crate::explain::Explain;
use crate::input::InputError;
use crate::text;

impl<G: Game> TextGame for G {
    fn profile(&self) -> Profile<'_> {
        Game::profile(self)
    }

    fn description(&self) -> Option<&Description> {
        Game::description(self)
    }

    fn ready(&self) -> Result<(), Error> {
        Ok(Game::ready(self)?)
    }

    fn set(&mut self, option: &str, value: OptionValue<'_>) -> Result<(), String> {
        Game::set(self, option, value)
    }

    fn reply(&self, question: &str, value: &str) -> Result<Box<dyn Reply>, ReplyError> {
        Game::reply(self, question, value)
    }

    fn read_next(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn Input>>, InputError> {
        Ok(Cases::read_next(self, lines)?.map(|cases| cases as Arc<dyn Input>))
    }

    fn read_count(&self, lines: &mut TextLines<'_>) -> Result<Option<u32>, InputError> {
        G::read_count(lines)
    }

    fn skip_next(&self, lines: &mut TextLines<'_>) -> Result<(), InputError> {
        G::read(lines).map(|_| ())
    }

    fn answer_next(
        &self,
        lines: &mut TextLines<'_>,
        form: Form,
        run: &Run<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<String>, AnswerError> {
        let Located { line, case } = Located::read::<G>(lines)?;
        append_answer(self, &case, form, run, out).map_err(|error| AnswerError::Game { line, error })?;
        Ok(self.remark(&case))
    }
}

/// Appends the answer to a case. One copy serves whole inputs and streams.
#[inline(never)]
fn append_answer<G: Game>(game: &G, case: &G::Case, form: Form, run: &Run<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    match form {
        Form::Judge => {
            game.write_answer(&game.value_with(case, run)?, out);
            out.push(b'\n');
        }
        Form::Explain(paint) => out.extend_from_slice(game.advise_with(case, run)?.to_text(paint).as_bytes()),
        Form::Json => text::json(&game.advise_with(case, run)?, out),
    }
    Ok(())
}

/// An input of a typed game.
pub(super) struct Cases<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) cases: Vec<Located<G::Case>>,
    /// The seed that shuffles what the contest allows in any order; `None` keeps our own order.
    pub(super) order: Option<u64>,
}

impl<G: Game> Cases<G> {
    /// Reads the next of any number of inputs, or returns `None` if no input follows.
    pub(super) fn read_next(game: Arc<G>, lines: &mut TextLines<'_>) -> Result<Option<Arc<Cases<G>>>, InputError> {
        let cases = Located::read_next::<G>(lines)?;
        Ok(cases.map(|cases| Arc::new(Cases { game, cases, order: None })))
    }
}

impl<G: Game> Input for Cases<G> {
    fn cases(&self) -> usize {
        self.cases.len()
    }

    fn line(&self, case: usize) -> u64 {
        self.cases[case].line
    }

    fn remark(&self, case: usize) -> Option<String> {
        self.game.remark(&self.cases[case].case)
    }

    fn load(&self, patience: Duration) -> Result<Load, Error> {
        let mut load = Load::Lookup;
        for located in &self.cases {
            load = load.max(self.game.load(&located.case, patience)?);
        }
        Ok(load)
    }

    fn answer(&self, case: usize, form: Form, run: &Run<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        append_answer(&*self.game, &self.cases[case].case, form, run, out)
    }

    fn view(&self, view: &str, run: &Run<'_>) -> Result<Box<dyn Reply>, ReplyError> {
        match &self.cases[..] {
            [only] => self.game.view(view, &only.case, run),
            cases => Err(ReplyError::Value(format!("{} cases, write one", cases.len()))),
        }
    }
}
