//! What a game can be asked beyond what every game answers, and why a request is refused.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::{Error, Load, ReplyError, SampleError};
use crate::input::InputError;
use crate::table::{Remedy, TableError};
use crate::text::{as_line, to_json};

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
        as_line(to_json(&RefusalObject { error }))
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

/// A request that a game has of its own, in place of those that every game has.
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

/// A call as it is made.
#[derive(Debug, Clone, Copy)]
pub struct CallRequest<'a> {
    /// The name of the call.
    pub name: &'a str,
    /// The parameters beside the body.
    pub parameters: &'a Parameters,
    /// The body, if there is one.
    pub body: Option<&'a [u8]>,
    /// Ends the work soon after it is set.
    pub cancelled: &'a AtomicBool,
}
