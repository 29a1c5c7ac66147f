//! The requests of the HTTP API, answered without a server.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tabletop::balda::Balda;
use tabletop::balda::request::{self as balda, Effort, GAME_SECONDS, STREAM_SECONDS};
use tabletop::clock::Instant;
use tabletop::game::{Progress, Role, Run, TestGame, TextGame, exact_test_games, tables};
use tabletop::request::{self, Cause, Parameters, Question, Refusal, TIME_LIMIT, as_line};
use tabletop::table::{FORMAT_VERSION, Places, Ranges, shipped_digest};
use tabletop::text::to_json;

use crate::store::{Range, Store};

/// A request: its address below `/api/`, a line feed, then its body.
struct Request<'a> {
    path: &'a str,
    parameters: Parameters,
    body: &'a [u8],
}

impl<'a> Request<'a> {
    fn read(request: &'a [u8]) -> Result<Request<'a>, Refusal> {
        let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
        let (head, body) = (&request[..end], request.get(end + 1..).unwrap_or_default());
        let head = str::from_utf8(head).map_err(|_| Refusal::request("the address is not UTF-8", "send it again"))?;
        let (path, query) = head.split_once('?').unwrap_or((head, ""));
        Ok(Request {
            path,
            parameters: Parameters(form_urlencoded::parse(query.as_bytes()).into_owned().collect()),
            body,
        })
    }

    /// The judge's input: a parameter, or the body.
    fn input(&self) -> Result<&[u8], Refusal> {
        if self.body.is_empty() { self.parameters.text("input").map(str::as_bytes) } else { Ok(self.body) }
    }
}

/// What a request leads to.
#[derive(Debug)]
pub enum Reply {
    /// The answer as JSON.
    Answer(Vec<u8>),
    /// The refusal as JSON.
    Refusal(Vec<u8>),
    /// These bytes are needed first: put them into the store, then ask again.
    Needs(Vec<Range>),
}

/// All games, with the tables that have arrived.
pub struct Site {
    /// The bytes of the tables.
    pub store: Arc<Store>,
    games: Vec<Arc<dyn TestGame>>,
    balda: Balda,
}

impl Default for Site {
    fn default() -> Site {
        let store = Arc::new(Store::default());
        let places = Places::ranges("tables", Arc::clone(&store) as _);
        Site { store, games: exact_test_games(&places), balda: Balda::at(&places) }
    }
}

impl Site {
    /// Answers a request. `progress` gets JSON objects before the answer.
    pub fn ask(&self, request: &[u8], progress: &(dyn Fn(&[u8]) + Sync)) -> Reply {
        let asked = Instant::now();
        match Request::read(request).and_then(|request| self.answer(&request, asked, progress)) {
            Ok(answer) => Reply::Answer(answer),
            Err(refusal) => self.refuse(refusal),
        }
    }

    fn refuse(&self, mut refusal: Refusal) -> Reply {
        let needed = self.store.take_needed();
        match &refusal.cause {
            Cause::Table(error) if error.is_absent() && !needed.is_empty() => return Reply::Needs(needed),
            Cause::Table(error) => {
                self.store.forget(&error.spec().file_name());
                refusal.remedy = String::from("load the page again");
            }
            _ => {}
        }
        Reply::Refusal(refusal.to_json())
    }

    fn answer(&self, request: &Request<'_>, asked: Instant, progress: &(dyn Fn(&[u8]) + Sync)) -> request::Outcome {
        if request.path == "tables" {
            return Ok(list_tables(&self.store));
        }
        let (name, rest) = request.path.split_once('/').unwrap_or((request.path, ""));
        let unknown = || Refusal::request("nothing is here", "see /docs/serve.md for what is");
        if name == tabletop::balda::PROFILE.name {
            return self.answer_balda(rest, request, progress).unwrap_or_else(|| Err(unknown()));
        }
        let game = self.games.iter().find(|game| game.profile().name == name).ok_or_else(unknown)?;
        let text = &(Arc::clone(game) as Arc<dyn TextGame>);
        let watch = |step: Progress| progress(&to_json(&step));
        let run = Run {
            threads: NonZeroUsize::MIN,
            watch: &watch,
            patience: TIME_LIMIT,
            deadline: asked.checked_add(TIME_LIMIT),
            cancelled: None,
            give_way: None,
        };
        match rest {
            "" | "stream" => Question::read(text, request.input()?)?.answer(&run),
            "sample" => request::sample(game, &request.parameters),
            option => match text.profile().options.iter().find(|known| known.name == option).map(|known| known.role) {
                Some(Role::View) => Question::read(text, request.input()?)?.view(option, &run),
                Some(Role::Question) => request::reply(&**text, option, request.parameters.text("value")?),
                _ => Err(unknown()),
            },
        }
    }

    fn answer_balda(
        &self,
        rest: &str,
        request: &Request<'_>,
        progress: &(dyn Fn(&[u8]) + Sync),
    ) -> Option<request::Outcome> {
        Some(match rest {
            "" => self.play_balda(request, GAME_SECONDS, |task, effort| balda::play(task, effort, &RUNS)),
            "stream" => {
                self.play_balda(request, STREAM_SECONDS, |task, effort| balda::improve(task, effort, &RUNS, progress))
            }
            "next" => request.input().and_then(|input| balda::next_words(&self.balda, input)),
            "start" => self.balda_start(&request.parameters),
            _ => return None,
        })
    }

    fn play_balda(
        &self,
        request: &Request<'_>,
        seconds: f64,
        play: impl FnOnce(&tabletop::balda::Task, Effort) -> request::Outcome,
    ) -> request::Outcome {
        let Request { parameters, body, .. } = request;
        let effort = Effort::read(parameters, seconds)?;
        let task = if body.is_empty() {
            balda::shipped_task(&self.balda, parameters.text("lang")?, parameters.text("word")?)?
        } else {
            balda::own_task(&self.balda, body, effort, &RUNS)?
        };
        play(&task, effort)
    }

    fn balda_start(&self, parameters: &Parameters) -> request::Outcome {
        let (letters, seed) = (parameters.number("letters", 5)?, parameters.number("seed", 1)?);
        balda::start_word(&self.balda, parameters.text("lang")?, letters, seed)
    }
}

/// Nothing sets it: a search that is no longer wanted ends with its worker.
static RUNS: AtomicBool = AtomicBool::new(false);

#[derive(Serialize)]
struct TablesObject {
    format_version: u32,
    tables: Vec<TableObject>,
}

#[derive(Serialize)]
struct TableObject {
    table: &'static str,
    game: &'static str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    bytes: Option<u64>,
    sha256: Option<&'static str>,
    shipped: bool,
}

/// The tables of the site. It refuses any others.
fn list_tables(store: &Store) -> Vec<u8> {
    let tables = tables()
        .map(|spec| TableObject {
            table: spec.name,
            game: spec.game,
            state: "ready",
            positions: spec.positions,
            bytes: store.length(&spec.file_name()),
            sha256: shipped_digest(&spec.file_name()),
            shipped: true,
        })
        .collect();
    as_line(to_json(&TablesObject { format_version: FORMAT_VERSION, tables }))
}
