//! Requests to games as a web server or a page sends them, and why a request is refused.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use crate::balda::{Balda, EngineError};
use crate::game::{
    self, Error, Form, Input, Kind, Load, ReplyError, Run, SampleError, Sizes, TestGame, TextGame, Writer,
};
use crate::input::InputError;
use crate::table::{FORMAT_VERSION, Places, Remedy, Spec, TableError};
use crate::text;

/// Maximum number of cases in a request.
pub const MAX_CASES: usize = 100;
/// Maximum number of cases that count as a lookup.
const QUICK_CASES: usize = 5;
/// A case that is expected to take longer is refused.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// An answer as JSON, or why there is none.
pub type Outcome = Result<Vec<u8>, Refusal>;

/// Why a request has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// Who can do something about it.
    pub cause: Cause,
    /// The line of the input, from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// Why a request is refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The request is wrong.
    Request,
    /// There is no time or memory for it now.
    Busy,
    /// A table cannot be used.
    Table(Box<TableError>),
    /// The program of a game has a fault.
    Program,
}

#[derive(Serialize)]
struct RefusalObject<'a> {
    error: ErrorObject<'a>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    what: &'a str,
    remedy: &'a str,
}

impl Refusal {
    /// The request is wrong.
    pub fn request(what: impl Into<String>, remedy: impl Into<String>) -> Refusal {
        Refusal { cause: Cause::Request, line: None, what: what.into(), remedy: remedy.into() }
    }

    /// There is no time or memory for it now.
    pub fn busy(what: impl Into<String>) -> Refusal {
        Refusal { cause: Cause::Busy, ..Refusal::request(what, "ask again in a few seconds") }
    }

    /// The refusal as a JSON object.
    pub fn to_json(&self) -> Vec<u8> {
        let error = ErrorObject { line: self.line, what: &self.what, remedy: &self.remedy };
        as_line(text::to_json(&RefusalObject { error }))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}, {}", self.what, self.remedy)
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Table(error) => Some(error),
            _ => None,
        }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Refusal {
        match error {
            InputError::Malformed { line, found, expected } => {
                Refusal { line: Some(line), ..Refusal::request(found, expected) }
            }
            other => Refusal::request(other.to_string(), "send the input again"),
        }
    }
}

impl From<TableError> for Refusal {
    /// The text has no file paths: they are nothing to a client.
    fn from(error: TableError) -> Refusal {
        let spec = error.spec();
        let what = format!("{}: {}", spec.file_name(), error.kind());
        let remedy = match spec.remedy {
            Remedy::Generate(argument) => format!("run `tabletop-gen {argument}` on the server"),
            Remedy::Advice(advice) => advice.to_owned(),
        };
        Refusal { cause: Cause::Table(Box::new(error)), line: None, what, remedy }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Table(error) => error.into(),
            Error::Limit { reason, remedy, .. } => Refusal::request(reason, remedy),
            Error::Stopped { reason, .. } => Refusal::busy(reason),
            Error::Program { program, reason, remedy } => {
                Refusal { cause: Cause::Program, ..Refusal::request(format!("{program}: {reason}"), remedy) }
            }
        }
    }
}

impl From<SampleError> for Refusal {
    fn from(error: SampleError) -> Refusal {
        match error {
            SampleError::Sizes(remedy) => Refusal::request("no input has these sizes", remedy),
            SampleError::Game(error) => error.into(),
        }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        match error {
            EngineError::Table(error) => error.into(),
            EngineError::Start(remedy) => Refusal::request("the word cannot start a game", remedy),
            other => Refusal::busy(other.to_string()),
        }
    }
}

impl From<ReplyError> for Refusal {
    fn from(error: ReplyError) -> Refusal {
        match error {
            ReplyError::Value(remedy) => Refusal::request("the value is wrong", remedy),
            ReplyError::Game(error) => error.into(),
        }
    }
}

/// The parameters of a request, by name.
#[derive(Debug, Default)]
pub struct Parameters(pub HashMap<String, String>);

impl Parameters {
    /// A parameter that the request needs.
    pub fn text(&self, name: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::request(format!("the parameter {name} is missing"), format!("add {name}=…"));
        self.0.get(name).map(String::as_str).ok_or_else(missing)
    }

    /// A number, or `otherwise` if the request does not have it.
    pub fn number<N: FromStr>(&self, name: &str, otherwise: N) -> Result<N, Refusal> {
        let wrong = |_| Refusal::request(format!("the parameter {name} is not a number"), "write a number");
        self.0.get(name).map_or(Ok(otherwise), |value| value.parse().map_err(wrong))
    }
}

/// A parameter of a request.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Whether a request without a body needs it.
    pub required: bool,
    /// Its meaning in one line.
    pub about: String,
    /// A valid value.
    pub example: String,
}

impl Parameter {
    /// A parameter that a request needs.
    pub fn required(name: &'static str, about: &str, example: &str) -> Parameter {
        Parameter { name, required: true, about: about.to_owned(), example: example.to_owned() }
    }

    /// A parameter that can be left out.
    pub fn optional(name: &'static str, about: &str, example: &str) -> Parameter {
        Parameter { required: false, ..Parameter::required(name, about, example) }
    }
}

/// What the body of a request may contain.
#[derive(Debug, Clone)]
pub struct Body {
    /// The largest size in bytes.
    pub most: usize,
    /// A valid body.
    pub example: String,
    /// How many of the parameters the body replaces; they come first.
    pub replaces: usize,
}

/// A request that a game has of its own, beside those that every game has.
#[derive(Debug, Clone)]
pub struct Call {
    /// The end of its path, after the name of the game. It is empty for the game itself.
    pub name: &'static str,
    /// Its purpose in one line.
    pub summary: &'static str,
    /// The parameters of a request without a body.
    pub parameters: Vec<Parameter>,
    /// How much work it is without a body.
    pub load: Load,
    /// The body that it accepts, and how much work it is then.
    pub body: Option<(Body, Load)>,
    /// How the answer comes.
    pub answer: CallAnswer,
}

/// How the answer of a call comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallAnswer {
    /// The same answer to the same request.
    Same,
    /// Another answer each time.
    Varying,
    /// Better and better answers until the last one.
    Improving,
}

/// A game with calls of its own. It need not have exact answers.
pub trait Callable: Send + Sync {
    /// The name of the game.
    fn name(&self) -> &str;

    /// Everything that it can be asked.
    fn calls(&self) -> Vec<Call>;

    /// Refuses wrong parameters of a call before it waits for its turn.
    fn check(&self, name: &str, parameters: &Parameters, has_body: bool) -> Result<(), Refusal>;

    /// Answers the call of this name. `better` gets every answer of an improving call.
    fn call(
        &self,
        name: &str,
        parameters: &Parameters,
        body: Option<&[u8]>,
        cancelled: &AtomicBool,
        better: &dyn Fn(&[u8]),
    ) -> Outcome;
}

/// The games with calls of their own, with the tables in these places.
pub fn callable_games(places: &Places) -> Vec<Arc<dyn Callable>> {
    vec![Arc::new(Balda::at(places))]
}

/// A valid input, and what it takes to answer it.
pub struct Question {
    game: Arc<dyn TextGame>,
    input: Arc<dyn Input>,
    /// How much work the hardest case takes.
    pub load: Load,
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("load", &self.load).finish_non_exhaustive()
    }
}

impl Question {
    /// Reads an input of a game. Refuses one that is too large or would take too long.
    pub fn read(game: &Arc<dyn TextGame>, input: &[u8]) -> Result<Question, Refusal> {
        let input = game::read(game, input)?;
        if input.cases() > MAX_CASES {
            let what = format!("{} cases in one request", input.cases());
            return Err(Refusal::request(what, format!("ask about at most {MAX_CASES} at a time")));
        }
        let load = match input.load(TIME_LIMIT)? {
            Load::Lookup if input.cases() > QUICK_CASES => Load::Search,
            load => load,
        };
        Ok(Question { game: Arc::clone(game), input, load })
    }

    /// The JSON answer, as the command line writes it.
    pub fn answer(&self, run: &Run<'_>) -> Outcome {
        let mut out = Vec::new();
        let mut writer = Writer::new(self.game.profile(), Form::Json);
        writer.begin(&mut out);
        for case in 0..self.input.cases() {
            if run.is_cancelled() {
                return Err(Error::cancelled().into());
            }
            writer.separate(&mut out);
            self.input.answer(case, Form::Json, run, &mut out)?;
        }
        writer.end(&mut out);
        Ok(out)
    }

    /// The reply to one of the profile's views.
    pub fn view(&self, view: &str, run: &Run<'_>) -> Outcome {
        Ok(as_line(self.input.view(view, run)?.to_json()))
    }
}

/// The reply to one of the profile's questions.
pub fn reply(game: &dyn TextGame, question: &str, value: &str) -> Outcome {
    Ok(as_line(game.reply(question, value)?.to_json()))
}

/// A valid input of one case. The parameters `kind` and `seed` choose it.
pub fn sample(game: &Arc<dyn TestGame>, parameters: &Parameters) -> Outcome {
    let kinds = Kind::ALL.map(Kind::name).join(", ");
    let kind = parameters.0.get("kind").map_or(Some(Kind::Ordinary), |name| Kind::named(name));
    let kind = kind.ok_or_else(|| Refusal::request("this kind is not known", format!("write one of {kinds}")))?;
    let sizes = Sizes::one_case(&game.profile());
    let input = Arc::clone(game).sample(kind, &sizes, parameters.number("seed", 1)?)?;
    let input = String::from_utf8_lossy(&input.text()).into_owned();
    Ok(as_line(text::to_json(&HashMap::from([("input", input)]))))
}

/// Every table of the games.
#[derive(Serialize)]
struct TablesObject {
    format_version: u32,
    tables: Vec<TableState>,
}

/// A table and its state: "ready", or why it cannot be used.
#[derive(Debug, Serialize)]
pub struct TableState {
    /// Its name.
    pub table: &'static str,
    /// The game that uses it.
    pub game: &'static str,
    /// The state.
    pub state: &'static str,
    /// The number of its positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The length of the file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The digest of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it is the shipped table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipped: Option<bool>,
    /// The program that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
}

impl TableState {
    /// A table of which only the state is known.
    pub fn new(spec: &'static Spec, state: &'static str) -> TableState {
        let (table, game) = (spec.name, spec.game);
        TableState { table, game, state, positions: None, bytes: None, sha256: None, shipped: None, generator: None }
    }
}

/// The tables of the games as JSON.
pub fn list_tables(state_of: impl Fn(&'static Spec) -> TableState) -> Vec<u8> {
    let tables = game::tables().map(state_of).collect();
    as_line(text::to_json(&TablesObject { format_version: FORMAT_VERSION, tables }))
}

/// The text with a line feed.
pub fn as_line(mut text: Vec<u8>) -> Vec<u8> {
    text.push(b'\n');
    text
}
