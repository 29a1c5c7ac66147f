//! The five games, and the list of their tables.

use std::sync::Arc;

use tabletop::game::games;
use tabletop::request::{TableState, list_tables};
use tabletop::table::{Ranges, Spec, shipped_digest};

use crate::site::{Entry, Site};
use crate::store::{Shipped, Store};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

impl Default for Site {
    /// The five games.
    fn default() -> Site {
        let site = Site::new(Store::new(SHIPPED), Vec::new());
        let games: Vec<Entry> = games(site.places()).into_iter().map(Entry::from).collect();
        let store = Arc::clone(&site.store);
        site.with(games, Box::new(move || list_tables(|spec| state_of(spec, &store))))
    }
}

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
