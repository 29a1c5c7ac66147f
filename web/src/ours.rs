//! The five games, and the list of their tables.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tabletop::balda::Balda;
use tabletop::balda::request::{self as requests, Effort, GAME_SECONDS, STREAM_SECONDS};
use tabletop::game::{exact_test_games, tables};
use tabletop::request::{self, as_line};
use tabletop::table::{FORMAT_VERSION, Ranges, shipped_digest};
use tabletop::text::to_json;

use crate::site::{Entry, Request, Site};
use crate::store::{Shipped, Store};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

impl Default for Site {
    /// The five games.
    fn default() -> Site {
        let site = Site::new(Store::new(SHIPPED), Vec::new());
        let games: Vec<Entry> = exact_test_games(site.places()).into_iter().map(Entry::from).collect();
        let (balda, store) = (Balda::at(site.places()), Arc::clone(&site.store));
        site.with(
            games,
            vec![
                ("balda", Box::new(move |rest, request, progress| answer_balda(&balda, rest, request, progress))),
                ("tables", Box::new(move |rest, _, _| rest.is_empty().then(|| Ok(list_tables(&store))))),
            ],
        )
    }
}

fn answer_balda(
    balda: &Balda,
    rest: &str,
    request: &Request<'_>,
    progress: &(dyn Fn(&[u8]) + Sync),
) -> Option<request::Outcome> {
    let play = |seconds, play: &dyn Fn(&tabletop::balda::Task, Effort) -> request::Outcome| {
        let Request { parameters, body, .. } = request;
        let effort = Effort::read(parameters, seconds)?;
        let task = if body.is_empty() {
            requests::shipped_task(balda, parameters.text("lang")?, parameters.text("word")?)?
        } else {
            requests::own_task(balda, body, effort, &RUNS)?
        };
        play(&task, effort)
    };
    let start = || {
        let parameters = &request.parameters;
        let (letters, seed) = (parameters.number("letters", 5)?, parameters.number("seed", 1)?);
        requests::start_word(balda, parameters.text("lang")?, letters, seed)
    };
    Some(match rest {
        "" => play(GAME_SECONDS, &|task, effort| requests::play(task, effort, &RUNS)),
        "stream" => play(STREAM_SECONDS, &|task, effort| requests::improve(task, effort, &RUNS, progress)),
        "next" => request.input().and_then(|input| requests::next_words(balda, input)),
        "start" => start(),
        _ => return None,
    })
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
