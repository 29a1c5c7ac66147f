//! The list of tables.

use std::time::Duration;

use axum::body::Bytes;
use serde::Serialize;
use tabletop::table::{FORMAT_VERSION, Places, Record, RecordTask, Spec, TableError, sha256, shipped_digest};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::failure::Failure;

/// The list of tables is kept for this time, because every file is read and hashed for it.
const KEPT_TIME: Duration = Duration::from_secs(10);

/// The list of tables, kept for a short time.
#[derive(Default)]
pub struct Listing(Mutex<Option<(Instant, Bytes)>>);

impl Listing {
    /// The kept list, or the one that `make` returns. Requests that arrive meanwhile wait for it and share it.
    pub async fn get(&self, make: impl Future<Output = Result<Vec<u8>, Failure>>) -> Result<Bytes, Failure> {
        let mut kept = self.0.lock().await;
        if let Some((since, list)) = &*kept
            && since.elapsed() < KEPT_TIME
        {
            return Ok(list.clone());
        }
        let list = Bytes::from(make.await?);
        *kept = Some((Instant::now(), list.clone()));
        Ok(list)
    }
}

/// Every table of the games.
#[derive(Serialize)]
struct TablesObject {
    format_version: u32,
    tables: Vec<TableObject>,
}

/// A table and its state.
#[derive(Serialize)]
struct TableObject {
    table: &'static str,
    game: &'static str,
    state: &'static str,
    #[serde(flatten)]
    found: Option<FoundObject>,
}

#[derive(Serialize)]
struct FoundObject {
    positions: u64,
    bytes: u64,
    sha256: String,
    shipped: bool,
    generator: String,
}

/// The tables as one JSON object. Reads and hashes every file.
pub fn list(places: &Places) -> Vec<u8> {
    let tables = tabletop::game::tables().map(|spec| inspect(places, spec)).collect();
    let mut text = tabletop::text::to_json(&TablesObject { format_version: FORMAT_VERSION, tables });
    text.push(b'\n');
    text
}

fn inspect(places: &Places, spec: &'static Spec) -> TableObject {
    let found = spec.records.dispatch(Inspection { places, spec });
    TableObject {
        table: spec.name,
        game: spec.game,
        state: found.as_ref().map_or_else(TableError::kind, |_| "ready"),
        found: found.ok(),
    }
}

struct Inspection<'a> {
    places: &'a Places,
    spec: &'static Spec,
}

impl RecordTask for Inspection<'_> {
    type Output = Result<FoundObject, TableError>;

    fn run<R: Record>(self) -> Result<FoundObject, TableError> {
        let table = self.places.open::<R>(self.spec)?;
        let digest = sha256(&table.file_bytes()?);
        Ok(FoundObject {
            positions: table.header().positions,
            bytes: table.file_length(),
            shipped: shipped_digest(&self.spec.file_name()) == Some(digest.as_str()),
            sha256: digest,
            generator: table.header().generator.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_list_is_kept_for_a_short_time_and_a_failure_is_not() {
        let listing = Listing::default();
        assert!(listing.get(async { Err(Failure::busy("for the test")) }).await.is_err());
        assert_eq!(listing.get(async { Ok(b"first".to_vec()) }).await.unwrap(), "first");
        assert_eq!(listing.get(async { panic!("made again") }).await.unwrap(), "first");
        tokio::time::advance(KEPT_TIME).await;
        assert_eq!(listing.get(async { Ok(b"second".to_vec()) }).await.unwrap(), "second");
    }
}
