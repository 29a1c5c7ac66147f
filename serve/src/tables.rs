//! The list of tables.

use serde::Serialize;
use tabletop::table::{FORMAT_VERSION, Places, Record, RecordTask, Spec, TableError, sha256, shipped_digest};

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
    bytes: usize,
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
        let digest = sha256(table.file_bytes());
        Ok(FoundObject {
            positions: table.header().positions,
            bytes: table.file_bytes().len(),
            shipped: shipped_digest(&self.spec.file_name()) == Some(digest.as_str()),
            sha256: digest,
            generator: table.header().generator.clone(),
        })
    }
}
