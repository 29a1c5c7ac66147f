//! `tabletop tables`.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use clap::Args;
use tabletop::TABLES;
use tabletop::table::{
    Damage, FORMAT_VERSION, Header, Places, Record, RecordType, Spec, TableError, sha256, shipped_digest,
};

use super::failure::{Failure, say};
use super::print_answer;

/// What the overview of all commands says of this one.
pub(super) const ABOUT: &str = "The tables that are found: where, how large, of which version";

/// The arguments of `tabletop tables`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "Examples:\n  tabletop tables\n  tabletop tables --verify --tables /usr/share/tabletop/tables")]
pub(crate) struct TablesArguments {
    /// Read every block of every table, and tell the shipped tables from others
    #[arg(long)]
    verify: bool,
}

/// How closely a table is looked at.
#[derive(Clone, Copy)]
enum Look {
    Open,
    Verify,
}

/// Where a verified table comes from.
enum Origin {
    /// The bytes are those that were shipped with this program.
    Shipped,
    /// The table is intact and differs from the shipped one.
    Local,
}

/// A table that was found.
struct Found {
    path: String,
    header: Header,
    bytes: usize,
    origin: Option<Origin>,
}

/// Lists the tables; if any is missing or damaged, says so for each of those and lists none.
pub(super) fn run(arguments: &TablesArguments, places: &Places) -> Result<(), Failure> {
    let look = if arguments.verify { Look::Verify } else { Look::Open };
    let (found, errors): (Vec<_>, Vec<_>) =
        TABLES.iter().map(|spec| inspect(places, spec, look)).partition(Result::is_ok);
    let mut errors: Vec<String> = errors.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
    // A list of digests that cannot be read is the same problem for every table beside it.
    errors.dedup();
    for error in &errors {
        say(error);
    }
    if !errors.is_empty() {
        return Err(Failure::Reported);
    }
    let found: Vec<Found> = found.into_iter().filter_map(Result::ok).collect();
    print_answer(listing(&found).as_bytes())
}

fn inspect(places: &Places, spec: &'static Spec, look: Look) -> Result<Found, TableError> {
    match spec.records {
        RecordType::U8 => inspect_records::<u8>(places, spec, look),
        RecordType::U16 => inspect_records::<u16>(places, spec, look),
        RecordType::U32 => inspect_records::<u32>(places, spec, look),
        _ => inspect_records::<f64>(places, spec, look),
    }
}

fn inspect_records<R: Record>(places: &Places, spec: &'static Spec, look: Look) -> Result<Found, TableError> {
    let table = places.open::<R>(spec)?;
    let origin = match look {
        Look::Open => None,
        Look::Verify => {
            for block in 0..table.block_count() {
                table.block(block)?;
            }
            let digest = sha256(table.file_bytes());
            if stated_digest(spec, table.path())?.is_some_and(|stated| stated != digest) {
                return Err(TableError::Damaged { spec, path: table.path().to_owned(), damage: Damage::Digest });
            }
            let shipped = shipped_digest(&spec.file_name()) == Some(digest.as_str());
            Some(if shipped { Origin::Shipped } else { Origin::Local })
        }
    };
    Ok(Found {
        path: table.path().display().to_string(),
        header: table.header().clone(),
        bytes: table.file_bytes().len(),
        origin,
    })
}

/// The digest that the list beside a table states of it; a directory need not have that list, nor the list that table.
fn stated_digest(spec: &'static Spec, table: &Path) -> Result<Option<String>, TableError> {
    let path = table.with_file_name("SHA256SUMS");
    let sums = match fs::read_to_string(&path) {
        Ok(sums) => sums,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::Unreadable { spec, path, error }),
    };
    let mut lines = sums.lines().filter_map(|line| line.split_once("  "));
    let stated = lines.find(|(_, listed)| table.file_name().is_some_and(|name| name == *listed));
    Ok(stated.map(|(digest, _)| digest.to_owned()))
}

fn listing(found: &[Found]) -> String {
    let width = found.iter().map(|table| table.path.len()).max().unwrap_or(0).max("path".len());
    let mut text = format!(
        "{:<width$}  {:<9}  {:>10}  {:>9}  {:>13}  {:<7}  {}\n",
        "path", "game", "positions", "bytes", "bits/position", "version", "made by"
    );
    for table in found {
        let bits = table.bytes as f64 * 8.0 / table.header.positions as f64;
        let origin = match table.origin {
            None => "",
            Some(Origin::Shipped) => "  intact, as shipped",
            Some(Origin::Local) => "  intact, made locally",
        };
        writeln!(
            text,
            "{:<width$}  {:<9}  {:>10}  {:>9}  {bits:>13.2}  {FORMAT_VERSION:<7}  {}{origin}",
            table.path, table.header.game, table.header.positions, table.bytes, table.header.generator
        )
        .expect("a string takes any text");
    }
    text
}
