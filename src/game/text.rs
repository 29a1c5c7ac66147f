//! A game as a value: text in, text out. The doors use games through these traits alone.

use std::io::Read;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::call::{Body, Call, CallRequest, Outcome, Parameters, Refusal};
use super::{
    Description, Error, Judgement, Judging, Kind, Load, OptionValue, Profile, Reply, ReplyError, Run, Size, Sizes,
};
use crate::explain::Paint;
use crate::input::{InputError, Lines};
use crate::text;

/// The lines of a text from any source.
pub type TextLines<'a> = Lines<Box<dyn Read + 'a>>;

/// A game whose inputs and answers are texts. Every type that implements [`Game`](super::Game) implements it.
pub trait TextGame: Send + Sync {
    /// The description of the game.
    fn profile(&self) -> Profile<'_>;

    /// How the game describes itself for a page, if it is a program of its own.
    fn description(&self) -> Option<&Description> {
        None
    }

    /// Opens every table now.
    fn ready(&self) -> Result<(), Error>;

    /// Ends the questions under way if other processes answer them, and kills these. A later question has only a second.
    fn stop(&self) {}

    /// Sets one of the profile's options. The error says what to write instead.
    fn set(&mut self, option: &str, _value: OptionValue<'_>) -> Result<(), String> {
        Err(self.profile().lacks("option", option))
    }

    /// Replies to one of the profile's questions, see [`Role::Question`](super::Role::Question).
    fn reply(&self, question: &str, _value: &str) -> Result<Box<dyn Reply>, ReplyError> {
        Err(ReplyError::Value(self.profile().lacks("question", question)))
    }

    /// Reads the next of any number of inputs, or returns `None` if no input follows.
    fn read_next(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn Input>>, InputError>;

    /// Starts the next of any number of inputs and returns its number of cases, or `None` if no input follows. Together
    /// with [`TextGame::answer_next`] it answers inputs that do not fit in memory.
    fn read_count(&self, lines: &mut TextLines<'_>) -> Result<Option<u32>, InputError> {
        Ok((!lines.is_at_end()?).then_some(1))
    }

    /// Reads the next case of an input without answering it.
    fn skip_next(&self, lines: &mut TextLines<'_>) -> Result<(), InputError>;

    /// Reads the next case of an input and appends its answer. Returns the game's remark on the case, if it has one.
    fn answer_next(
        &self,
        lines: &mut TextLines<'_>,
        form: Form,
        run: &Run<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<String>, AnswerError>;
}

/// A game that also tests programs: it draws inputs, judges outputs and makes inputs smaller. It may have calls of its
/// own, which only a server and a page make.
pub trait TestGame: TextGame {
    /// The sizes that [`TestGame::sample`] accepts.
    fn sizes(&self) -> Vec<Size>;

    /// A valid input within the contest's limits, or of these sizes. The same arguments give the same input on every
    /// machine.
    fn sample(self: Arc<Self>, kind: Kind, sizes: &Sizes, seed: u64) -> Result<Arc<dyn TestInput>, SampleError>;

    /// How much work [`TestGame::sample`] takes.
    fn sample_load(&self) -> Load {
        Load::Lookup
    }

    /// Reads the next of any number of inputs, as [`TextGame::read_next`] does.
    fn read_test(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn TestInput>>, InputError>;

    /// Everything that a server asks the game, if that is not what it asks every game: for answers, for samples, and the
    /// profile's questions and views.
    fn calls(&self) -> Vec<Call> {
        Vec::new()
    }

    /// Refuses wrong parameters of a call before it waits for its turn. `body` says what is sent beside them.
    fn check_call(&self, _call: &str, _parameters: &Parameters, _body: Option<&Body>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Answers one of the calls. `better` gets every answer of an improving call.
    fn call(&self, request: CallRequest<'_>, _better: &dyn Fn(&[u8])) -> Outcome {
        Err(Refusal::request(format!("{} has no call '{}'", self.profile().name, request.name), "leave it out"))
    }
}

/// A valid input of a game: a list of cases.
pub trait Input: Send + Sync {
    /// The number of cases.
    fn cases(&self) -> usize;

    /// The number of a case's first line, from 1, if the input was read.
    fn line(&self, case: usize) -> u64;

    /// A note for the user on how a case was interpreted, if there is one.
    fn remark(&self, case: usize) -> Option<String>;

    /// How much work the hardest case takes. A case that is expected to take longer than `patience` is refused.
    fn load(&self, patience: Duration) -> Result<Load, Error>;

    /// Appends the answer to a case.
    fn answer(&self, case: usize, form: Form, run: &Run<'_>, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Replies to one of the profile's views, see [`Role::View`](super::Role::View).
    fn view(&self, view: &str, run: &Run<'_>) -> Result<Box<dyn Reply>, ReplyError>;
}

/// An input for a test of a program.
pub trait TestInput: Input {
    /// The input in the contest's format.
    fn text(&self) -> Vec<u8>;

    /// The sizes of the input in words.
    fn describe(&self) -> String;

    /// Judges a program's output for this input by the contest's rules.
    fn judge(&self, output: &[u8], judging: &Judging) -> Result<Judgement, Error>;

    /// Valid inputs that are a little smaller, the smallest first. `case` is the wrongly answered case, from 0.
    fn smaller(&self, case: Option<usize>) -> Vec<Arc<dyn TestInput>>;
}

/// The form of the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// As the contest requires: one line per case.
    Judge,
    /// The answer, then every legal move with its value, best first.
    Explain(Paint),
    /// The same as one JSON object per input.
    Json,
}

/// Writes what stands around the answers to the cases of an input.
#[derive(Debug)]
pub struct Writer<'a> {
    profile: Profile<'a>,
    form: Form,
    /// Whether the current input has no answer yet.
    is_first: bool,
}

impl<'a> Writer<'a> {
    /// A writer of answers in this form.
    pub fn new(profile: Profile<'a>, form: Form) -> Writer<'a> {
        Writer { profile, form, is_first: true }
    }

    /// The form of the answers.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Appends the text before the first answer of an input.
    pub fn begin(&mut self, out: &mut Vec<u8>) {
        self.is_first = true;
        if self.form == Form::Json && self.profile.max_cases > 1 {
            // The answers are written as they come, so the object around them is written in parts.
            out.extend_from_slice(br#"{"game":"#);
            text::json(&self.profile.name, out);
            out.extend_from_slice(br#","cases":["#);
        }
    }

    /// Appends the text between two answers.
    pub fn separate(&mut self, out: &mut Vec<u8>) {
        if !mem::take(&mut self.is_first) && self.form == Form::Json {
            out.push(b',');
        }
    }

    /// Appends the text after the last answer of an input.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if self.form == Form::Json {
            if self.profile.max_cases > 1 {
                out.extend_from_slice(b"]}");
            }
            out.push(b'\n');
        }
    }
}

/// Why an input has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The input is wrong.
    #[error("{0}")]
    Input(#[from] InputError),
    /// The game cannot answer it.
    #[error("{error}")]
    Game {
        /// The number of the case's first line, from 1.
        line: u64,
        /// Why.
        #[source]
        error: Error,
    },
}

/// Why no input can be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The sizes do not go together. The text says what to ask for instead.
    #[error("{0}")]
    Sizes(String),
    /// The game cannot draw it.
    #[error("{0}")]
    Game(#[source] Error),
}

/// Reads a text that is one input.
pub fn read<G: TextGame + ?Sized>(game: &Arc<G>, text: &[u8]) -> Result<Arc<dyn Input>, InputError> {
    read_only(game, &mut Lines::new(Box::new(text)), "remove it")
}

/// Reads the only input of a text. `remedy` says what to do about text after it.
pub fn read_only<G: TextGame + ?Sized>(
    game: &Arc<G>,
    lines: &mut TextLines<'_>,
    remedy: &str,
) -> Result<Arc<dyn Input>, InputError> {
    let input = Arc::clone(game).read_next(lines)?;
    only(input, game.profile(), lines, remedy)
}

/// Reads a text that is one input for a test.
pub fn read_test<G: TestGame + ?Sized>(game: &Arc<G>, text: &[u8]) -> Result<Arc<dyn TestInput>, InputError> {
    let mut lines: TextLines = Lines::new(Box::new(text));
    let input = Arc::clone(game).read_test(&mut lines)?;
    only(input, game.profile(), &mut lines, "remove it")
}

fn only<I>(input: Option<I>, profile: Profile<'_>, lines: &mut TextLines<'_>, remedy: &str) -> Result<I, InputError> {
    let input = input.ok_or_else(|| InputError::malformed(1, "the input is empty", profile.format))?;
    lines.require_end(remedy)?;
    Ok(input)
}

/// Answers a text that is one input, as the command line does.
pub fn answer<G: TextGame + ?Sized>(game: &Arc<G>, text: &[u8], form: Form) -> Result<Vec<u8>, AnswerError> {
    let input = read(game, text)?;
    answer_cases(game.profile(), &*input, form, &Run::default(), |line, error| AnswerError::Game { line, error })
}

/// The answers to all cases of an input. `failed` makes an error of the first line of a case and of why it has no answer.
pub fn answer_cases<E>(
    profile: Profile<'_>,
    input: &dyn Input,
    form: Form,
    run: &Run<'_>,
    failed: impl Fn(u64, Error) -> E,
) -> Result<Vec<u8>, E> {
    let mut out = Vec::new();
    let mut writer = Writer::new(profile, form);
    writer.begin(&mut out);
    for case in 0..input.cases() {
        writer.separate(&mut out);
        let answered =
            if run.is_cancelled() { Err(Error::cancelled()) } else { input.answer(case, form, run, &mut out) };
        answered.map_err(|error| failed(input.line(case), error))?;
    }
    writer.end(&mut out);
    Ok(out)
}
