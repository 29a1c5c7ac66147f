//! The list of all endpoints of the API. The router and the OpenAPI description are built from it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tabletop::game::{Kind, Role};

use crate::app::App;
use crate::balda::{self, Effort};
use crate::cache::Answer;
use crate::codenames;
use crate::failure::Failure;
use crate::games::{Asked, Games, Outcome, PoolKind, Served};
use crate::hopchess;
use crate::openapi;
use crate::stream::stream;
use crate::tables;

/// The largest input of a game with exact answers, in bytes.
pub const MAX_INPUT: usize = 1 << 16;
/// The default search time of a game of Balda, in seconds.
const BALDA_SECONDS: f64 = 2.5;
/// The default search time of a streamed game of Balda, in seconds.
const STREAM_SECONDS: f64 = 8.0;

/// An endpoint of the API.
pub struct Endpoint {
    /// The path.
    pub path: String,
    /// Its purpose in one line.
    pub summary: String,
    /// The query parameters of a GET.
    pub parameters: Vec<Parameter>,
    /// If the endpoint accepts a POST: the largest body in bytes, and an example.
    pub body: Option<(usize, String)>,
    /// The media type of the answer.
    pub answer: &'static str,
    /// The handler.
    pub route: MethodRouter<Arc<App>>,
}

/// A query parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Whether a GET needs it.
    pub required: bool,
    /// Its meaning in one line.
    pub about: String,
    /// A valid value.
    pub example: String,
}

impl Parameter {
    fn required(name: &'static str, about: &str, example: &str) -> Parameter {
        Parameter { name, required: true, about: about.to_owned(), example: example.to_owned() }
    }

    fn optional(name: &'static str, about: &str, example: &str) -> Parameter {
        Parameter { required: false, ..Parameter::required(name, about, example) }
    }
}

/// The state that all requests share.
type Shared = State<Arc<App>>;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The query parameters of a request.
struct Values(HashMap<String, String>);

impl Values {
    /// Parses a query string. An unknown parameter is an error.
    fn read(query: Option<&str>, known: &[Parameter]) -> Result<Values, Failure> {
        let mut values = HashMap::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !known.iter().any(|parameter| parameter.name == name) {
                let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
                let what = format!("no parameter is called {}", tabletop::input::quote(name.as_bytes()));
                let remedy =
                    if names.is_empty() { String::from("leave it out") } else { names.join(", ") + " are known" };
                return Err(Failure::bad_request(what, remedy));
            }
            values.insert(name.into_owned(), value.into_owned());
        }
        Ok(Values(values))
    }

    fn text(&self, name: &str) -> Result<&str, Failure> {
        let missing = || Failure::bad_request(format!("the parameter {name} is missing"), format!("add {name}=…"));
        self.0.get(name).map(String::as_str).ok_or_else(missing)
    }

    fn number<N: std::str::FromStr>(&self, name: &str, otherwise: N) -> Result<N, Failure> {
        let wrong = |_| Failure::bad_request(format!("the parameter {name} is not a number"), "write a number");
        self.0.get(name).map_or(Ok(otherwise), |value| value.parse().map_err(wrong))
    }

    fn effort(&self, seconds: f64) -> Result<Effort, Failure> {
        let seconds = self.number("seconds", seconds)?;
        if !(0.1..=balda::MAX_SECONDS).contains(&seconds) {
            let remedy = format!("write seconds from 0.1 to {}", balda::MAX_SECONDS);
            return Err(Failure::bad_request("the parameter seconds is out of range", remedy));
        }
        let proposals = self.0.get("nodes").map(|_| self.number("nodes", 0)).transpose()?;
        // The number of proposals ends the search. The time is then only an upper limit.
        let seconds = if proposals.is_some() { balda::MAX_SECONDS } else { seconds };
        Ok(Effort { seconds, proposals, seed: self.number("seed", 1)? })
    }
}

/// All endpoints of the API.
pub fn all(games: &Games) -> Vec<Endpoint> {
    let mut endpoints = general();
    for game in &games.all {
        endpoints.push(question(game));
        endpoints.push(sample(game));
        endpoints.extend(replies(game));
    }
    endpoints.push(factors());
    endpoints.push(codenames_stream(games));
    endpoints.extend([balda_game(), balda_stream(), balda_next(), balda_start()]);
    endpoints
}

fn general() -> Vec<Endpoint> {
    let plain = |path: &str, summary: &str, answer, route| Endpoint {
        path: path.to_owned(),
        summary: summary.to_owned(),
        parameters: Vec::new(),
        body: None,
        answer,
        route,
    };
    let describe = |State(app): Shared, headers: HeaderMap| async move {
        app.send_exact(&headers, Answer::new(openapi::describe(&all(&app.games))))
    };
    let list = |State(app): Shared| async move {
        let places = app.places.clone();
        let work = Asked::Later(PoolKind::Search, Box::new(move |_| Ok(tables::list(&places))));
        app.send_uncached(app.listing.get(app.resolve(work)).await?)
    };
    vec![
        plain("/api", "This description", JSON, get(describe)),
        plain("/api/tables", "The tables with sizes and digests", JSON, get(list)),
        plain("/healthz", "Whether the server answers", JSON, get(|| async { as_type("{\"status\":\"ok\"}\n", JSON) })),
        plain("/metrics", "Counters for Prometheus", TEXT, get(metrics)),
    ]
}

async fn metrics(State(app): Shared) -> Response {
    let loads = app.pools.all().map(|pool| (format!("{{pool=\"{}\"}}", pool.name()), pool.load()));
    let mut gauges: Vec<(&str, &str, usize)> = Vec::new();
    gauges.extend(loads.iter().map(|(label, load)| ("tabletop_pool_waiting", label.as_str(), load.waiting)));
    gauges.extend(loads.iter().map(|(label, load)| ("tabletop_pool_working", label.as_str(), load.working)));
    gauges.push(("tabletop_held_bytes", "", app.budget.taken()));
    gauges.push(("tabletop_cache_hits", "", app.cache.hits.load(Ordering::Relaxed) as usize));
    as_type(app.metrics.to_text(&gauges), TEXT)
}

fn as_type(body: impl Into<Body>, media: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, body.into()).into_response()
}

/// An endpoint with exact answers. It takes an input as a query parameter or as the body.
fn exact(
    path: String,
    summary: String,
    example: &'static str,
    ask: impl Fn(&App, &[u8]) -> Result<Asked, Failure> + Clone + Send + Sync + 'static,
) -> Endpoint {
    let parameters = vec![Parameter::required("input", "The judge's input", example)];
    let known = parameters.clone();
    let (get_path, get_ask) = (path.clone(), ask.clone());
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap| async move {
        let values = Values::read(query.as_deref(), &known)?;
        let answer = app.exact(&get_path, values.text("input")?.as_bytes(), get_ask).await?;
        app.send_exact(&headers, answer)
    };
    let (post_path, post_ask) = (path.clone(), ask);
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        Values::read(query.as_deref(), &[])?;
        let received = app.read(&headers, body, MAX_INPUT).await?;
        let answer = app.exact(&post_path, &received.bytes, post_ask).await?;
        app.send_exact(&headers, answer)
    };
    let body = Some((MAX_INPUT, example.to_owned()));
    Endpoint { path, summary, parameters, body, answer: JSON, route: get(by_query).post(by_body) }
}

fn question(game: &Arc<dyn Served>) -> Endpoint {
    let profile = game.profile();
    let game = Arc::clone(game);
    let ask = move |_: &App, input: &[u8]| game.ask(input);
    exact(format!("/api/{}", profile.name), profile.about.to_owned(), profile.sample, ask)
}

fn factors() -> Endpoint {
    let ask = |app: &App, input: &[u8]| hopchess::factors(&app.games.hopchess, input);
    let summary = String::from("The chances of a board of hop chess for all pairs of error factors");
    exact(String::from("/api/hopchess/factors"), summary, "1 3\nJJD\n3 1\n", ask)
}

/// An endpoint without a body.
fn simple(
    path: String,
    summary: &str,
    parameters: Vec<Parameter>,
    answer: impl Fn(&Arc<App>, &Values) -> Result<Asked, Failure> + Clone + Send + Sync + 'static,
) -> Endpoint {
    let known = parameters.clone();
    let route = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap| async move {
        let asked = answer(&app, &Values::read(query.as_deref(), &known)?)?;
        let answer = app.resolve(asked).await?;
        app.send_exact(&headers, Answer::new(answer))
    };
    Endpoint { path, summary: summary.to_owned(), parameters, body: None, answer: JSON, route: get(route) }
}

fn sample(game: &Arc<dyn Served>) -> Endpoint {
    let profile = game.profile();
    let kinds = Kind::ALL.map(Kind::name).join(", ");
    let parameters = vec![
        Parameter::optional("kind", &format!("How hard: {kinds}"), Kind::Ordinary.name()),
        Parameter::optional("seed", "A number that chooses the input", "7"),
    ];
    let game = Arc::clone(game);
    let answer = move |_: &Arc<App>, values: &Values| {
        let name = values.0.get("kind").map_or(Kind::Ordinary.name(), String::as_str);
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind =
            kind.ok_or_else(|| Failure::bad_request("this kind is not known", format!("write one of {kinds}")))?;
        let input = game.sample(kind, values.number("seed", 1)?);
        let mut text = tabletop::text::to_json(&HashMap::from([("input", input)]));
        text.push(b'\n');
        Ok(Asked::Answered(text))
    };
    simple(format!("/api/{}/sample", profile.name), "A valid input, the same for a seed", parameters, answer)
}

fn replies(game: &Arc<dyn Served>) -> Vec<Endpoint> {
    let profile = game.profile();
    let questions = profile.options.iter().filter(|option| option.role == Role::Question);
    let endpoint = |option: &'static tabletop::game::GameOption| {
        let parameters = vec![Parameter::required("value", option.help, "1 1 1")];
        let game = Arc::clone(game);
        let answer =
            move |_: &Arc<App>, values: &Values| game.reply(option.name, values.text("value")?).map(Asked::Answered);
        simple(format!("/api/{}/{}", profile.name, option.name), option.help, parameters, answer)
    };
    questions.map(endpoint).collect()
}

fn codenames_stream(games: &Games) -> Endpoint {
    let example = games.named(codenames::NAME).map_or("", |game| game.profile().sample);
    let parameters = vec![Parameter::required("input", "The judge's input", example)];
    let known = parameters.clone();
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery| async move {
        let values = Values::read(query.as_deref(), &known)?;
        stream_board(&app, values.text("input")?.as_bytes())
    };
    let by_body = |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        Values::read(query.as_deref(), &[])?;
        let received = app.read(&headers, body, MAX_INPUT).await?;
        stream_board(&app, &received.bytes)
    };
    Endpoint {
        path: String::from("/api/codenames/stream"),
        summary: String::from("How far a board is solved, then the answer, as server-sent events"),
        parameters,
        body: Some((MAX_INPUT, example.to_owned())),
        answer: EVENTS,
        route: get(by_query).post(by_body),
    }
}

fn stream_board(app: &App, input: &[u8]) -> Result<Response, Failure> {
    let board = codenames::read(input)?;
    let pool = codenames::pool_for(&board)?;
    let traffic = Arc::clone(&app.traffic);
    stream(app.pools.of(pool), move |cancelled, events| {
        codenames::solve(&board, &traffic, cancelled, &|progress| {
            events.send("progress", format!("{{\"done\":{},\"total\":{}}}", progress.done, progress.total).as_bytes());
        })
    })
}

fn balda_parameters(seconds: f64) -> Vec<Parameter> {
    vec![
        Parameter::required("lang", "The language: en, ru or tr", "en"),
        Parameter::required("word", "The start word", "kenaf"),
        Parameter::optional("seconds", &format!("Seconds of search, {seconds} if left out"), "0.2"),
        Parameter::optional("nodes", "Proposals in place of seconds: the same number gives the same game", "2000"),
        Parameter::optional("seed", "Where chance begins, 1 if left out", "1"),
    ]
}

const BALDA_INPUT: &str = "en\ncat\n\nact\ncart\ncat\ntar\n";

fn balda_game() -> Endpoint {
    let parameters = balda_parameters(BALDA_SECONDS);
    let known = parameters.clone();
    let post_parameters = parameters[2..].to_vec();
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery| async move {
        let values = Values::read(query.as_deref(), &known)?;
        let (language, word) = (values.text("lang")?.to_owned(), values.text("word")?.to_owned());
        let effort = values.effort(BALDA_SECONDS)?;
        let shared = Arc::clone(&app);
        let work = move |cancelled: &_| balda::play(&shared.balda.shipped_task(&language, &word)?, effort, cancelled);
        let answer = app.pools.balda.submit::<Outcome>(Box::new(work))?.await??;
        app.send_uncached(answer)
    };
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        let effort = Values::read(query.as_deref(), &post_parameters)?.effort(BALDA_SECONDS)?;
        let received = app.read(&headers, body, balda::MAX_INPUT).await?;
        let shared = Arc::clone(&app);
        let work = move |cancelled: &_| {
            balda::play(&shared.balda.own_task(&received.bytes, effort, cancelled)?, effort, cancelled)
        };
        let answer = app.pools.large.submit::<Outcome>(Box::new(work))?.await??;
        app.send_uncached(answer)
    };
    Endpoint {
        path: String::from("/api/balda"),
        summary: String::from("A game of Balda, on the shipped words or on those of a judge's input"),
        parameters,
        body: Some((balda::MAX_INPUT, BALDA_INPUT.to_owned())),
        answer: JSON,
        route: get(by_query).post(by_body),
    }
}

fn balda_stream() -> Endpoint {
    let parameters = balda_parameters(STREAM_SECONDS);
    let known = parameters.clone();
    let post_parameters = parameters[2..].to_vec();
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery| async move {
        let values = Values::read(query.as_deref(), &known)?;
        let (language, word) = (values.text("lang")?.to_owned(), values.text("word")?.to_owned());
        let effort = values.effort(STREAM_SECONDS)?;
        let shared = Arc::clone(&app);
        stream(&app.pools.balda, move |cancelled, events| {
            balda::improve(&shared.balda.shipped_task(&language, &word)?, effort, cancelled, events)
        })
    };
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        let effort = Values::read(query.as_deref(), &post_parameters)?.effort(STREAM_SECONDS)?;
        let received = app.read(&headers, body, balda::MAX_INPUT).await?;
        let shared = Arc::clone(&app);
        stream(&app.pools.large, move |cancelled, events| {
            balda::improve(&shared.balda.own_task(&received.bytes, effort, cancelled)?, effort, cancelled, events)
        })
    };
    Endpoint {
        path: String::from("/api/balda/stream"),
        summary: String::from("A game of Balda that gets better and better, as server-sent events"),
        parameters,
        body: Some((balda::MAX_INPUT, BALDA_INPUT.to_owned())),
        answer: EVENTS,
        route: get(by_query).post(by_body),
    }
}

fn balda_next() -> Endpoint {
    let ask = |app: &App, input: &[u8]| {
        let balda = Arc::clone(&app.balda);
        let input = input.to_vec();
        Ok(Asked::Later(PoolKind::Search, Box::new(move |_: &_| balda.next_words(&input))))
    };
    let summary = String::from("The words that can be made next on a board of Balda");
    exact(String::from("/api/balda/next"), summary, "en\n...\ncat\n...\ncat\n", ask)
}

fn balda_start() -> Endpoint {
    let parameters = vec![
        Parameter::required("lang", "The language: en, ru or tr", "en"),
        Parameter::required("letters", "How many letters", "5"),
        Parameter::optional("seed", "A number that chooses the word", "7"),
    ];
    let answer = |app: &Arc<App>, values: &Values| {
        let balda = Arc::clone(&app.balda);
        let language = values.text("lang")?.to_owned();
        let (letters, seed) = (values.number("letters", 5)?, values.number("seed", 1)?);
        Ok(Asked::Later(PoolKind::Search, Box::new(move |_: &_| balda.start_word(&language, letters, seed))))
    };
    simple(String::from("/api/balda/start"), "A start word of the shipped list", parameters, answer)
}
