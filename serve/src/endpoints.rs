//! The list of all endpoints of the API. The router and the OpenAPI description are built from it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tabletop::balda::request::{self as balda, Effort, GAME_SECONDS, STREAM_SECONDS};
use tabletop::game::{GameOption, Kind, Load, Profile, Progress, Role, TestGame, TextGame};
use tabletop::request::{self, Parameters, Question};
use tabletop::text::to_json;

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

/// Parses the parameters in a query string. An unknown parameter is an error.
fn read_parameters(query: Option<&str>, known: &[Parameter]) -> Result<Parameters, Failure> {
    let mut values = HashMap::new();
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if !known.iter().any(|parameter| parameter.name == name) {
            let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
            let what = format!("no parameter is called {}", tabletop::input::quote(name.as_bytes()));
            let remedy = if names.is_empty() { String::from("leave it out") } else { names.join(", ") + " are known" };
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
        let game: &Arc<dyn TextGame> = &(Arc::clone(tested) as _);
        endpoints.push(question(game));
        endpoints.push(progress_stream(game));
        endpoints.push(sample(tested));
        endpoints.extend(game.profile().options.iter().filter_map(|option| asked_by_option(game, option)));
    }
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
    as_type(request::as_line(to_json(&HashMap::from([("status", "ok")]))), JSON)
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
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        read_parameters(query.as_deref(), &[])?;
        let received = app.read(&headers, body, MAX_INPUT).await?;
        let answer = app.exact(&post_path, &received.bytes, post_ask).await?;
        app.send_exact(&headers, answer)
    };
    let body = Some((MAX_INPUT, example.to_owned()));
    Endpoint { path, summary, parameters, body, answer: JSON, route: get(by_query).post(by_body) }
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
            let example = option.value.map_or("", |value| value.example);
            let answer = move |_: &Arc<App>, values: Parameters| {
                Ok(Asked::Answered(request::reply(&*game, &asked, values.text("value")?)?))
            };
            Some(simple(path, summary, vec![Parameter::required("value", summary, example)], answer))
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
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        read_parameters(query.as_deref(), &[])?;
        let received = app.read(&headers, body, MAX_INPUT).await?;
        stream_answer(&app, &game_of_body, &received.bytes)
    };
    Endpoint {
        path: format!("/api/{name}/stream"),
        summary: String::from("How far the answer has got, then the answer, as server-sent events"),
        parameters,
        body: Some((MAX_INPUT, sample.to_owned())),
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
    let parameters = balda_parameters(GAME_SECONDS);
    let known = parameters.clone();
    let post_parameters = parameters[2..].to_vec();
    let by_query = move |State(app): Shared, RawQuery(query): RawQuery| async move {
        let values = read_parameters(query.as_deref(), &known)?;
        let (language, word) = (values.text("lang")?.to_owned(), values.text("word")?.to_owned());
        let effort = Effort::read(&values, GAME_SECONDS)?;
        let shared = Arc::clone(&app);
        let work = move |cancelled: &_| {
            Ok(balda::play(&balda::shipped_task(&shared.balda, &language, &word)?, effort, cancelled)?)
        };
        let answer = app.pools.balda.submit::<Outcome>(Box::new(work))?.await??;
        app.send_uncached(answer)
    };
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        let effort = Effort::read(&read_parameters(query.as_deref(), &post_parameters)?, GAME_SECONDS)?;
        let received = app.read(&headers, body, balda::MAX_INPUT).await?;
        let shared = Arc::clone(&app);
        let work = move |cancelled: &_| {
            Ok(balda::play(&balda::own_task(&shared.balda, &received.bytes, effort, cancelled)?, effort, cancelled)?)
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
        let values = read_parameters(query.as_deref(), &known)?;
        let (language, word) = (values.text("lang")?.to_owned(), values.text("word")?.to_owned());
        let effort = Effort::read(&values, STREAM_SECONDS)?;
        let shared = Arc::clone(&app);
        stream(&app.pools.balda, move |cancelled, events| {
            let task = balda::shipped_task(&shared.balda, &language, &word)?;
            Ok(balda::improve(&task, effort, cancelled, &|game| events.send("best", game))?)
        })
    };
    let by_body = move |State(app): Shared, RawQuery(query): RawQuery, headers: HeaderMap, body: Body| async move {
        let effort = Effort::read(&read_parameters(query.as_deref(), &post_parameters)?, STREAM_SECONDS)?;
        let received = app.read(&headers, body, balda::MAX_INPUT).await?;
        let shared = Arc::clone(&app);
        stream(&app.pools.large, move |cancelled, events| {
            let task = balda::own_task(&shared.balda, &received.bytes, effort, cancelled)?;
            Ok(balda::improve(&task, effort, cancelled, &|game| events.send("best", game))?)
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
        let shared = Arc::clone(&app.balda);
        let input = input.to_vec();
        Ok(Asked::Later(Load::Search, Box::new(move |_: &_| Ok(balda::next_words(&shared, &input)?))))
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
    let answer = |app: &Arc<App>, values: Parameters| {
        let shared = Arc::clone(&app.balda);
        let language = values.text("lang")?.to_owned();
        let (letters, seed) = (values.number("letters", 5)?, values.number("seed", 1)?);
        Ok(Asked::Later(Load::Search, Box::new(move |_: &_| Ok(balda::start_word(&shared, &language, letters, seed)?))))
    };
    simple(String::from("/api/balda/start"), "A start word of the shipped list", parameters, answer)
}
