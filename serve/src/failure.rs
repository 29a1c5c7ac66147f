//! Errors of a request: a status, and a JSON object with the line, what is wrong, and a remedy.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tabletop::game::{Error, ReplyError};
use tabletop::input::InputError;
use tabletop::table::{Remedy, TableError};
use tabletop::text;

/// The value of `Retry-After` in seconds when the server is busy.
const RETRY_AFTER: &str = "2";

/// An error that is sent to the client.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    line: Option<u64>,
    what: String,
    remedy: String,
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: Refusal<'a>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    what: &'a str,
    remedy: &'a str,
}

impl Failure {
    /// An error with what is wrong and a remedy.
    pub fn new(status: StatusCode, what: impl Into<String>, remedy: impl Into<String>) -> Failure {
        Failure { status, line: None, what: what.into(), remedy: remedy.into() }
    }

    /// The client's request is wrong.
    pub fn bad_request(what: impl Into<String>, remedy: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, what, remedy)
    }

    /// The server is busy.
    pub fn busy(what: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, what, "ask again in a few seconds")
    }

    /// The server has a defect.
    pub fn defect() -> Failure {
        let what = "the server failed on this question";
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, what, "report it with the input")
    }

    /// The JSON object of the error.
    pub fn to_json(&self) -> Vec<u8> {
        let error = Refusal { line: self.line, what: &self.what, remedy: &self.remedy };
        let mut body = text::to_json(&Envelope { error });
        body.push(b'\n');
        body
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        let mut response = (self.status, [(header::CONTENT_TYPE, json)], self.to_json()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER));
        }
        response
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        match error {
            InputError::Malformed { line, found, expected } => {
                Failure { line: Some(line), ..Failure::bad_request(found, expected) }
            }
            other => Failure::bad_request(other.to_string(), "send the input again"),
        }
    }
}

impl From<TableError> for Failure {
    /// The full message goes to standard error. The client does not learn file paths.
    fn from(error: TableError) -> Failure {
        let spec = error.spec();
        log_once(spec.name, &error);
        let what = format!("{}: {}", spec.file_name(), error.kind());
        let remedy = match spec.remedy {
            Remedy::Generate(argument) => format!("run `tabletop-gen {argument}` on the server"),
            Remedy::Advice(advice) => advice.to_owned(),
        };
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, what, remedy)
    }
}

/// Logs an error of a table, once for each kind of error. Otherwise any client could flood the log.
fn log_once(table: &'static str, error: &TableError) {
    static LOGGED: Mutex<Option<HashSet<(&str, &str)>>> = Mutex::new(None);
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.get_or_insert_default().insert((table, error.kind())) {
        log(&error.to_string());
    }
}

/// Writes a message to standard error. The server runs even if standard error is closed.
pub fn log(message: &str) {
    let _ = writeln!(io::stderr(), "tabletop-serve: {}", text::visible_lines(message));
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Table(error) => error.into(),
            Error::Limit { reason, remedy } => Failure::bad_request(reason, remedy),
            other => Failure::bad_request(other.to_string(), "ask for something smaller"),
        }
    }
}

impl From<ReplyError> for Failure {
    fn from(error: ReplyError) -> Failure {
        match error {
            ReplyError::Value(remedy) => Failure::bad_request("the value is wrong", remedy),
            ReplyError::Game(error) => error.into(),
        }
    }
}
