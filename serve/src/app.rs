//! The state that all requests share, and the steps from a request to its response.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use tabletop::game::{Load, TestGame};
use tabletop::table::Places;

use crate::budget::{Budget, Share};
use crate::cache::{Answer, Cache};
use crate::failure::Failure;
use crate::games::{Asked, Outcome};
use crate::host::HostName;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::tables::Listing;
use crate::traffic::Traffic;

/// A body must arrive within this time.
const BODY_TIME: Duration = Duration::from_secs(10);
/// Clients may cache an exact answer for an hour.
const CACHED: &str = "public, max-age=3600";

/// The state that all requests share.
pub struct App {
    /// The games.
    pub games: Vec<Arc<dyn TestGame>>,
    /// The places of the tables.
    pub places: Places,
    /// The list of tables.
    pub listing: Listing,
    /// The threads for long work.
    pub pools: Pools,
    /// The memory for requests and answers.
    pub budget: Budget,
    /// Recent exact answers.
    pub cache: Cache,
    /// The counters.
    pub metrics: Arc<Metrics>,
    /// The requests, which long work gives way to.
    pub traffic: Arc<Traffic>,
    /// The names that the server answers to.
    pub hosts: Vec<HostName>,
}

/// The threads for long work. Separate pools keep one kind of work from delaying another.
pub struct Pools {
    /// Work that takes up to a few seconds and little memory.
    pub search: Pool,
    /// Searches beyond the tables, one at a time.
    pub deep: Pool,
    /// Codenames boards and dictionaries that take hundreds of MiB, one at a time.
    pub large: Pool,
    /// Games that take the time that a request states.
    pub play: Pool,
    /// Questions to game programs. A slow program must not delay the games of this one.
    pub programs: Pool,
}

impl Pools {
    /// All pools.
    pub fn all(&self) -> [&Pool; 5] {
        [&self.search, &self.deep, &self.large, &self.play, &self.programs]
    }

    /// The pool for work of this load.
    pub fn of(&self, load: Load) -> &Pool {
        match load {
            Load::Lookup | Load::Search => &self.search,
            Load::Deep => &self.deep,
            Load::Large => &self.large,
            Load::Play => &self.play,
            Load::Program => &self.programs,
        }
    }
}

impl App {
    /// The answer to a parsed question. Long work waits for its pool.
    pub async fn resolve(&self, asked: Asked) -> Outcome {
        match asked {
            Asked::Answered(answer) => Ok(answer),
            Asked::Later(pool, work) => self.pools.of(pool).submit(work)?.await?,
        }
    }

    /// The exact answer of a path to an input, from the cache or by calling `ask`.
    pub async fn exact(
        &self,
        path: &str,
        input: &[u8],
        ask: impl FnOnce(&App, &[u8]) -> Result<Asked, Failure>,
    ) -> Result<Answer, Failure> {
        if let Some(known) = self.cache.get(path, input) {
            return Ok(known);
        }
        let asked = ask(self, input)?;
        let answer = Answer::new(self.resolve(asked).await?);
        self.cache.put(path, input, answer.clone());
        Ok(answer)
    }

    /// A cacheable response with an exact answer in JSON. Sends 304 if the client has the answer already.
    pub fn send_exact(&self, request: &HeaderMap, answer: Answer) -> Result<Response, Failure> {
        let mut response = if etag_matches(request, &answer.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            self.body(answer.bytes)?.into_response()
        };
        response.headers_mut().insert(header::ETAG, answer.tag);
        Ok(finish(response, CACHED))
    }

    /// A response with an answer in JSON that must not be cached.
    pub fn send_uncached(&self, answer: impl Into<Bytes>) -> Result<Response, Failure> {
        Ok(finish(self.body(answer.into())?.into_response(), "no-store"))
    }

    /// A body that holds its share of the budget until it is sent.
    fn body(&self, answer: Bytes) -> Result<Body, Failure> {
        let share = self.budget.take(answer.len())?;
        Ok(Body::from(share.hold(answer)))
    }

    /// Reads a body of at most `most` bytes.
    pub async fn read(&self, headers: &HeaderMap, body: Body, most: usize) -> Result<Received, Failure> {
        let stated = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if stated.is_some_and(|stated| stated > most as u64) {
            return Err(too_large(most));
        }
        let collected = tokio::time::timeout(BODY_TIME, self.collect(body, most)).await;
        collected.map_err(|_| {
            let remedy = format!("send the whole input within {} seconds", BODY_TIME.as_secs());
            Failure::new(StatusCode::REQUEST_TIMEOUT, "the input does not arrive", remedy)
        })?
    }

    async fn collect(&self, mut body: Body, most: usize) -> Result<Received, Failure> {
        let mut share = self.budget.take(0)?;
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Failure::bad_request("the input breaks off", "send it again"))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > most {
                return Err(too_large(most));
            }
            share.join(self.budget.take(data.len())?);
            bytes.extend_from_slice(&data);
        }
        Ok(Received { bytes: bytes.into(), _share: share })
    }
}

/// A request body, with its share of the budget.
pub struct Received {
    /// The bytes.
    pub bytes: Bytes,
    _share: Share,
}

fn too_large(most: usize) -> Failure {
    let remedy = format!("send at most {most} bytes");
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "the input is too long", remedy)
}

fn finish(mut response: Response, caching: &'static str) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Whether `If-None-Match` contains this tag: the client has the answer already.
pub fn etag_matches(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let mut stated = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    stated.any(|tags| tags.split(',').map(|known| known.trim().trim_start_matches("W/")).any(|known| known == *tag))
}
