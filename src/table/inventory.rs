//! The list of the tables that a program finds, and the state of each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::bytes::read_regular_file;
use super::error::TableError;
use super::header::Header;
use super::places::{INSIDE_PROGRAM, Places};
use super::prelude::FORMAT_VERSION;
use super::record::{Record, RecordTask};
use super::shipped::{sha256, shipped_digest};
use super::spec::Spec;
use super::sums::{SUMS_FILE, SumsLine};
use crate::text::visible_path;

/// The longest generator name that fits into a line, in characters.
const MADE_BY_CHARACTERS: usize = 20;

/// How thoroughly tables are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Only what opening a table checks.
    Open,
    /// Also every block, every value, and whether it is the shipped table.
    Verify,
}

/// The result of [`Look::Verify`] for an intact table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The bytes are those of the shipped table.
    Shipped,
    /// The bytes differ from those of the shipped table.
    Other,
}

impl Verdict {
    fn text(self) -> &'static str {
        match self {
            Verdict::Shipped => "intact, as shipped",
            Verdict::Other => "intact, not the shipped one",
        }
    }
}

/// A table that was found.
#[derive(Debug)]
struct Found {
    path: PathBuf,
    header: Header,
    bytes: u64,
    verdict: Option<Verdict>,
}

/// The tables that a program finds, and the errors of the others. Its text has a line with their directory, a line of
/// column titles, and then a line of at most 80 columns for each table.
#[derive(Debug)]
pub struct Inventory {
    look: Look,
    tables: Vec<Result<Found, TableError>>,
}

impl Inventory {
    /// Looks for these tables.
    pub fn take(places: &Places, specs: impl IntoIterator<Item = &'static Spec>, look: Look) -> Inventory {
        // Tables are verified in memory, so that the file cannot change between two checks.
        let places = if look == Look::Verify { places.clone().in_memory() } else { places.clone() };
        Inventory { look, tables: specs.into_iter().map(|spec| inspect(&places, spec, look)).collect() }
    }

    /// The errors of the tables that are missing or unusable.
    pub fn errors(&self) -> impl Iterator<Item = &TableError> {
        self.tables.iter().filter_map(|table| table.as_ref().err())
    }

    /// The searched places if every table is missing.
    pub fn no_tables(&self) -> Option<&[PathBuf]> {
        let is_missing = |error: &TableError| matches!(error, TableError::Missing { beside: None, .. });
        match self.tables.first() {
            Some(Err(TableError::Missing { searched, .. })) if !self.has_tables() && self.errors().all(is_missing) => {
                Some(searched)
            }
            _ => None,
        }
    }

    /// Whether at least one table is usable.
    pub fn has_tables(&self) -> bool {
        self.tables.iter().any(Result::is_ok)
    }
}

fn inspect(places: &Places, spec: &'static Spec, look: Look) -> Result<Found, TableError> {
    spec.records.dispatch(Inspection { places, spec, look })
}

/// Opens and checks a table.
struct Inspection<'a> {
    places: &'a Places,
    spec: &'static Spec,
    look: Look,
}

impl RecordTask for Inspection<'_> {
    type Output = Result<Found, TableError>;

    fn run<R: Record>(self) -> Result<Found, TableError> {
        let Inspection { places, spec, look } = self;
        let table = places.open::<R>(spec)?;
        let verdict = match look {
            Look::Open => None,
            Look::Verify => {
                for block in 0..table.block_count() {
                    table.block(block)?;
                }
                let digest = sha256(&table.file_bytes()?);
                if stated_digest(spec, table.path())?.is_some_and(|stated| stated != digest) {
                    return Err(TableError::DigestOutdated { spec, path: table.path().to_owned() });
                }
                let is_shipped = shipped_digest(&spec.file_name()) == Some(digest.as_str());
                Some(if is_shipped { Verdict::Shipped } else { Verdict::Other })
            }
        };
        let path = table.path().to_owned();
        Ok(Found { path, header: table.header().clone(), bytes: table.file_length(), verdict })
    }
}

/// The digest of a table in `SHA256SUMS` beside it, or `None` if the list or its entry is missing.
fn stated_digest(spec: &'static Spec, table: &Path) -> Result<Option<String>, TableError> {
    let path = table.with_file_name(SUMS_FILE);
    let sums = match read_regular_file(&path) {
        Ok(sums) => sums,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::Unreadable { spec, path, error }),
    };
    let sums = String::from_utf8_lossy(&sums);
    let mut listed = sums.lines().filter_map(SumsLine::parse);
    let stated = listed.find(|line| line.name == spec.file_name());
    Ok(stated.map(|line| line.digest.to_owned()))
}

impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // All tables come from one place.
        match self.tables.iter().flatten().find_map(|found| found.path.parent()) {
            Some(directory) if directory == INSIDE_PROGRAM => write!(f, "{INSIDE_PROGRAM}")?,
            Some(directory) if !directory.as_os_str().is_empty() => write!(f, "in {}", visible_path(directory))?,
            _ => write!(f, "in .")?,
        }
        writeln!(f, ", format version {FORMAT_VERSION}:")?;
        f.write_str(match self.look {
            Look::Open => "table            game      positions    bytes  bits each  made by\n",
            Look::Verify => "table            positions  verdict                      made by\n",
        })?;
        self.tables.iter().try_for_each(|table| match (table, self.look) {
            (Ok(found), Look::Open) => write_sizes(f, found),
            (Ok(found), Look::Verify) => write_verdict(f, found),
            (Err(error), Look::Open) => {
                writeln!(f, "{:<15}  {:<8}  {}", error.spec().name, error.spec().game, error.kind())
            }
            (Err(error), Look::Verify) => writeln!(f, "{:<15}  {:>9}  {}", error.spec().name, "", error.kind()),
        })
    }
}

fn write_sizes(f: &mut fmt::Formatter<'_>, found: &Found) -> fmt::Result {
    let Found { header, bytes, .. } = found;
    let bits = *bytes as f64 * 8.0 / header.positions as f64;
    let made_by = made_by(header);
    writeln!(f, "{:<15}  {:<8}  {:>9}  {bytes:>7}  {bits:>9.2}  {made_by}", header.name, header.game, header.positions)
}

fn write_verdict(f: &mut fmt::Formatter<'_>, found: &Found) -> fmt::Result {
    let Found { header, verdict, .. } = found;
    let verdict = verdict.map_or("", Verdict::text);
    writeln!(f, "{:<15}  {:>9}  {verdict:<27}  {}", header.name, header.positions, made_by(header))
}

/// The generator named in the table, in quotes. It is escaped and shortened, because a file may contain any text there.
fn made_by(header: &Header) -> String {
    let text = header.generator.escape_debug();
    if text.clone().count() <= MADE_BY_CHARACTERS {
        return format!("\"{text}\"");
    }
    let beginning: String = text.take(MADE_BY_CHARACTERS - 1).collect();
    format!("\"{beginning}…\"")
}
