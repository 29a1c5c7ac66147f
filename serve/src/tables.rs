//! The list of tables.

use std::time::Duration;

use axum::body::Bytes;
use tabletop::request::{TableState, list_tables};
use tabletop::table::{Places, Record, RecordTask, Spec, TableError, sha256, shipped_digest};
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

/// The tables as one JSON object. Reads and hashes every file.
pub fn list(places: &Places) -> Vec<u8> {
    list_tables(|spec| {
        let state = spec.records.dispatch(Inspection { places, spec });
        state.unwrap_or_else(|error| TableState::new(spec, error.kind()))
    })
}

struct Inspection<'a> {
    places: &'a Places,
    spec: &'static Spec,
}

impl RecordTask for Inspection<'_> {
    type Output = Result<TableState, TableError>;

    fn run<R: Record>(self) -> Result<TableState, TableError> {
        let table = self.places.open::<R>(self.spec)?;
        let digest = sha256(&table.file_bytes()?);
        Ok(TableState {
            positions: Some(table.header().positions),
            bytes: Some(table.file_length()),
            shipped: Some(shipped_digest(&self.spec.file_name()) == Some(digest.as_str())),
            sha256: Some(digest),
            generator: Some(table.header().generator.clone()),
            ..TableState::new(self.spec, "ready")
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
