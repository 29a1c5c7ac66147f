//! The five games, and the list of their tables.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tabletop::game::exact_test_games;
use tabletop::request::{self, Callable, TableState, callable_games};
use tabletop::table::{Ranges, Spec, shipped_digest};

use crate::site::{Entry, Other, Request, Site};
use crate::store::{Shipped, Store};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

impl Default for Site {
    /// The five games.
    fn default() -> Site {
        let site = Site::new(Store::new(SHIPPED), Vec::new());
        let games: Vec<Entry> = exact_test_games(site.places()).into_iter().map(Entry::from).collect();
        let mut others: Vec<(String, Other)> = Vec::new();
        for game in callable_games(site.places()) {
            let name = game.name().to_owned();
            others.push((name, Box::new(move |rest, request, progress| call(&*game, rest, request, progress))));
        }
        let store = Arc::clone(&site.store);
        let list = move || Ok(request::list_tables(|spec| state_of(spec, &store)));
        others.push((String::from("tables"), Box::new(move |rest, _, _| rest.is_empty().then(&list))));
        site.with(games, others)
    }
}

/// Answers a call that a game has of its own.
fn call(
    game: &dyn Callable,
    name: &str,
    request: &Request<'_>,
    progress: &(dyn Fn(&[u8]) + Sync),
) -> Option<request::Outcome> {
    let body = (!request.body.is_empty()).then_some(request.body);
    let is_known = game.calls().iter().any(|call| call.name == name);
    is_known.then(|| game.call(name, &request.parameters, body, &RUNS, progress))
}

/// Nothing sets it: a search that is no longer wanted ends with its worker.
static RUNS: AtomicBool = AtomicBool::new(false);

/// The state of a table of the site. It refuses any others.
fn state_of(spec: &'static Spec, store: &Store) -> TableState {
    TableState {
        positions: spec.positions,
        bytes: store.length(&spec.file_name()),
        sha256: shipped_digest(&spec.file_name()).map(str::to_owned),
        shipped: Some(true),
        ..TableState::new(spec, "ready")
    }
}
