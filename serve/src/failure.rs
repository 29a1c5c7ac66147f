//! Errors of a request: a status, and a JSON object with the line, what is wrong, and a remedy.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tabletop::door;
use tabletop::game::call::{Cause, Refusal};
use tabletop::table::TableError;

use crate::PROGRAM;

/// The value of `Retry-After` in seconds when the server is busy.
const RETRY_AFTER: &str = "2";

/// An error that is sent to the client.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    refusal: Refusal,
}

impl Failure {
    /// An error with what is wrong and a remedy.
    pub fn new(status: StatusCode, what: impl Into<String>, remedy: impl Into<String>) -> Failure {
        Failure { status, refusal: Refusal::request(what, remedy) }
    }

    /// The client's request is wrong.
    pub fn bad_request(what: impl Into<String>, remedy: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, what, remedy)
    }

    /// The server is busy.
    pub fn busy(what: impl Into<String>) -> Failure {
        Refusal::busy(what).into()
    }

    /// The server has a defect.
    pub fn defect() -> Failure {
        let what = "the server failed on this question";
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, what, "report it with the input")
    }

    /// The JSON object of the error.
    pub fn to_json(&self) -> Vec<u8> {
        self.refusal.to_json()
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

impl From<Refusal> for Failure {
    /// The full error of a table goes to standard error. The client does not learn file paths.
    fn from(refusal: Refusal) -> Failure {
        let status = match &refusal.cause {
            Cause::Request => StatusCode::BAD_REQUEST,
            Cause::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Cause::Table(error) => {
                log_once(error.spec().name, error);
                StatusCode::SERVICE_UNAVAILABLE
            }
            Cause::Program => StatusCode::BAD_GATEWAY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Failure { status, refusal }
    }
}

/// Logs an error of a table, once for each kind of error. Otherwise any client could flood the log.
fn log_once(table: &'static str, error: &TableError) {
    static LOGGED: Mutex<Option<HashSet<(&str, &str)>>> = Mutex::new(None);
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.get_or_insert_default().insert((table, error.kind())) {
        log(&door::table_message(error));
    }
}

/// Writes a message to standard error. The server runs even if standard error is closed.
pub fn log(message: &str) {
    door::say(PROGRAM, message);
}
