//! The list of all endpoints of the API. The router and the OpenAPI description are built from it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body as HttpBody;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tabletop::game::call::{self, Body, Call, CallAnswer, CallRequest, Parameter, Parameters};
use tabletop::game::{GameOption, Kind, Load, Profile, Progress, Role, TestGame, TextGame};
use tabletop::request::{self, Question};
use tabletop::text::{as_line, to_json};

use crate::app::App;
use crate::cache::Answer;
use crate::failure::Failure;
use crate::games::{Asked, Outcome, ask, ask_view, in_run};
use crate::openapi;
use crate::stream::stream;
use crate::tables;

/// The largest input of a game with exact answers, in bytes.
pub const MAX_INPUT: usize = 1 << 16;
/// An endpoint of the API.
pub struct Endpoint {
    /// The path.
    pub path: String,
    /// Its purpose in one line.
    pub summary: String,
    /// The query parameters of a GET.
    pub parameters: Vec<Parameter>,
    /// The body of a POST, if the endpoint accepts one.
    pub body: Option<Body>,
    /// The media type of the answer.
    pub answer: &'static str,
    /// The handler.
    pub route: MethodRouter<Arc<App>>,
}

/// The state that all requests share.
type Shared = State<Arc<App>>;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Parses the parameters in a query string. An unknown parameter is an error.
fn read_parameters(query: Option<&str>, known: &[Parameter]) -> Result<Parameters, Failure> {
    let mut values = HashMap::new();
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if !known.iter().any(|parameter| parameter.name == name) {
            let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
            let what = format!("no parameter is called {}", tabletop::input::quote(name.as_bytes()));
            let remedy =
                if names.is_empty() { String::from("leave it out") } else { format!("write {}", names.join(" or ")) };
            return Err(Failure::bad_request(what, remedy));
        }
        values.insert(name.into_owned(), value.into_owned());
    }
    Ok(Parameters(values))
}

/// All endpoints of the API.
pub fn all(games: &[Arc<dyn TestGame>]) -> Vec<Endpoint> {
    let mut endpoints = general();
    for tested in games {
        let calls = tested.calls();
        if !calls.is_empty() {
            endpoints.extend(calls.into_iter().map(|call| called(tested, call)));
            continue;
        }
        let game: &Arc<dyn TextGame> = &(Arc::clone(tested) as _);
        endpoints.push(question(game));
        endpoints.push(progress_stream(game));
        endpoints.push(sample(tested));
        endpoints.extend(game.profile().options.iter().filter_map(|option| asked_by_option(game, option)));
    }
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
        let work = Asked::Later(Load::Search, Box::new(move |_| Ok(tables::list(&places))));
        app.send_uncached(app.listing.get(app.resolve(work)).await?)
    };
    let games = |State(app): Shared, headers: HeaderMap| async move {
        let games: Vec<_> = app.games.iter().filter_map(|game| game.description()).collect();
        app.send_exact(&headers, Answer::new(to_json(&HashMap::from([("games", games)]))))
    };
    vec![
        plain("/api/games", "How the games that are programs describe themselves", JSON, get(games)),
        plain("/api", "This description", JSON, get(describe)),
        plain("/api/tables", "The tables with sizes and digests", JSON, get(list)),
        plain("/healthz", "Whether the server answers", JSON, get(health)),
        plain("/metrics", "Counters for Prometheus", TEXT, get(metrics)),
    ]
}

async fn health() -> Response {
    as_type(as_line(to_json(&HashMap::from([("status", "ok")]))), JSON)
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

fn as_type(body: impl Into<HttpBody>, media: &'static str) -> Response {
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
    example: &str,
    ask: impl Fn(&App, &[u8]) -> Result<Asked, Failure> + Clone + Send + Sync + 'static,
) -> Endpoint {
    let parameters = vec![Parameter::required("input", "The judge's input", example)];
    let known = parameters.clone();
    let (get_path, get_ask) = (path.clone(), ask.clone());
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap| async move {
        let values = read_parameters(query.as_deref(), &known)?;
        let answer = app.exact(&get_path, values.text("input")?.as_bytes(), get_ask).await?;
        app.send_exact(&headers, answer)
    };
    let (post_path, post_ask) = (path.clone(), ask);
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: HttpBody| async move {
        read_parameters(query.as_deref(), &[])?;
        let received = app.read(&headers, body, MAX_INPUT).await?;
        let answer = app.exact(&post_path, &received.bytes, post_ask).await?;
        app.send_exact(&headers, answer)
    };
    let body = Some(input_body(example));
    Endpoint { path, summary, parameters, body, answer: JSON, route: get(by_query).post(by_body) }
}

/// An input as the body, in place of the first parameter.
fn input_body(example: &str) -> Body {
    Body { most: MAX_INPUT, example: example.to_owned(), replaces: 1 }
}

fn question(game: &Arc<dyn TextGame>) -> Endpoint {
    let Profile { name, about, sample, .. } = game.profile();
    let asked = Arc::clone(game);
    let ask = move |app: &App, input: &[u8]| ask(Question::read(&asked, input)?, &app.traffic);
    exact(format!("/api/{name}"), about.to_owned(), sample, ask)
}

/// The endpoint of a question or a view of a game; `None` for a setting.
fn asked_by_option(game: &Arc<dyn TextGame>, option: &GameOption<'_>) -> Option<Endpoint> {
    let Profile { name, sample, .. } = game.profile();
    let (path, summary, asked) = (format!("/api/{name}/{}", option.name), option.help, option.name.to_owned());
    let game = Arc::clone(game);
    match option.role {
        Role::Question => {
            let example = option.kind.example();
            let answer = move |_: &Arc<App>, values: Parameters| {
                Ok(Asked::Answered(request::reply(&*game, &asked, values.text("value")?)?))
            };
            Some(simple(path, summary, vec![Parameter::required("value", summary, &example)], answer))
        }
        Role::View => {
            let ask =
                move |app: &App, input: &[u8]| Ok(ask_view(Question::read(&game, input)?, asked.clone(), &app.traffic));
            Some(exact(path, summary.to_owned(), sample, ask))
        }
        _ => None,
    }
}

/// An endpoint without a body.
fn simple(
    path: String,
    summary: &str,
    parameters: Vec<Parameter>,
    answer: impl Fn(&Arc<App>, Parameters) -> Result<Asked, Failure> + Clone + Send + Sync + 'static,
) -> Endpoint {
    let known = parameters.clone();
    let route = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap| async move {
        let asked = answer(&app, read_parameters(query.as_deref(), &known)?)?;
        let answer = app.resolve(asked).await?;
        app.send_exact(&headers, Answer::new(answer))
    };
    Endpoint { path, summary: summary.to_owned(), parameters, body: None, answer: JSON, route: get(route) }
}

fn sample(game: &Arc<dyn TestGame>) -> Endpoint {
    let path = format!("/api/{}/sample", game.profile().name);
    let kinds = Kind::ALL.map(Kind::name).join(", ");
    let parameters = vec![
        Parameter::optional("kind", &format!("How hard: {kinds}"), Kind::Ordinary.name()),
        Parameter::optional("seed", "A number that chooses the input", "7"),
    ];
    let game = Arc::clone(game);
    let answer = move |_: &Arc<App>, values: Parameters| match game.sample_load() {
        Load::Lookup => Ok(Asked::Answered(request::sample(&game, &values)?)),
        load => {
            let game = Arc::clone(&game);
            Ok(Asked::Later(load, Box::new(move |_: &_| Ok(request::sample(&game, &values)?))))
        }
    };
    simple(path, "A valid input, the same for a seed", parameters, answer)
}

fn progress_stream(game: &Arc<dyn TextGame>) -> Endpoint {
    let Profile { name, sample, .. } = game.profile();
    let parameters = vec![Parameter::required("input", "The judge's input", sample)];
    let (known, game_of_query, game_of_body) = (parameters.clone(), Arc::clone(game), Arc::clone(game));
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery| async move {
        let values = read_parameters(query.as_deref(), &known)?;
        stream_answer(&app, &game_of_query, values.text("input")?.as_bytes())
    };
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: HttpBody| async move {
        read_parameters(query.as_deref(), &[])?;
        let received = app.read(&headers, body, MAX_INPUT).await?;
        stream_answer(&app, &game_of_body, &received.bytes)
    };
    Endpoint {
        path: format!("/api/{name}/stream"),
        summary: String::from("How far the answer has got, then the answer, as server-sent events"),
        parameters,
        body: Some(input_body(sample)),
        answer: EVENTS,
        route: get(by_query).post(by_body),
    }
}

fn stream_answer(app: &App, game: &Arc<dyn TextGame>, input: &[u8]) -> Result<Response, Failure> {
    let question = Question::read(game, input)?;
    let traffic = Arc::clone(&app.traffic);
    stream(app.pools.of(question.load), move |cancelled, events| {
        let watch = |progress: Progress| events.send("progress", &to_json(&progress));
        in_run(&traffic, cancelled, &watch, |run| question.answer(run))
    })
}

/// The endpoint of a call that a game has of its own.
fn called(game: &Arc<dyn TestGame>, call: Call) -> Endpoint {
    let Profile { name, .. } = game.profile();
    let path = if call.name.is_empty() { format!("/api/{name}") } else { format!("/api/{name}/{}", call.name) };
    let endpoint = |route| Endpoint {
        path: path.clone(),
        summary: call.summary.to_owned(),
        parameters: call.parameters.clone(),
        body: call.body.as_ref().map(|(body, _)| body.clone()),
        answer: if call.answer == CallAnswer::Improving { EVENTS } else { JSON },
        route,
    };
    let asked = Asking { game: Arc::clone(game), path: path.clone(), name: call.name, answer: call.answer };
    let (known, load, asked_by_query) = (call.parameters.clone(), call.load, asked.clone());
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap| async move {
        let values = read_parameters(query.as_deref(), &known)?;
        asked_by_query.game.check_call(asked_by_query.name, &values, None)?;
        // A query has no line feed, so its key is none of a body.
        let key = query.unwrap_or_default().into_bytes();
        asked_by_query.answer(&app, &headers, load, &key, move |call| call(&values, None)).await
    };
    let Some((expected, load)) = call.body.clone() else { return endpoint(get(by_query)) };
    let known = call.parameters[expected.replaces..].to_vec();
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: HttpBody| async move {
        let values = read_parameters(query.as_deref(), &known)?;
        asked.game.check_call(asked.name, &values, Some(&expected))?;
        let received = app.read(&headers, body, expected.most).await?;
        let key = [query.as_deref().unwrap_or_default().as_bytes(), b"\n", &received.bytes[..]].concat();
        asked.answer(&app, &headers, load, &key, move |call| call(&values, Some(&received.bytes))).await
    };
    endpoint(get(by_query).post(by_body))
}

/// A call of a game, without its parameters.
#[derive(Clone)]
struct Asking {
    game: Arc<dyn TestGame>,
    path: String,
    name: &'static str,
    answer: CallAnswer,
}

impl Asking {
    /// Answers the call in the pool for its load. `with` passes the parameters and the body on.
    async fn answer(
        self,
        app: &App,
        headers: &HeaderMap,
        load: Load,
        key: &[u8],
        with: impl FnOnce(&dyn Fn(&Parameters, Option<&[u8]>) -> call::Outcome) -> call::Outcome + Send + 'static,
    ) -> Result<Response, Failure> {
        let Asking { game, path, name, answer } = self;
        let call = move |cancelled: &AtomicBool, better: &dyn Fn(&[u8])| -> Outcome {
            Ok(with(&|parameters, body| game.call(CallRequest { name, parameters, body, cancelled }, better))?)
        };
        match answer {
            CallAnswer::Improving => {
                stream(app.pools.of(load), move |cancelled, events| call(cancelled, &|best| events.send("best", best)))
            }
            CallAnswer::Varying => {
                let work = Asked::Later(load, Box::new(move |cancelled: &_| call(cancelled, &|_| ())));
                app.send_uncached(app.resolve(work).await?)
            }
            CallAnswer::Same => {
                let work =
                    |_: &App, _: &[u8]| Ok(Asked::Later(load, Box::new(move |cancelled: &_| call(cancelled, &|_| ()))));
                app.send_exact(headers, app.exact(&path, key, work).await?)
            }
        }
    }
}
