//! Installs every table that a query needs into a directory where the query always finds it.

use std::path::{Path, PathBuf};

use tabletop::table::{Inventory, Look, Places, Spec, embedded_table, sha256, shipped_digest};

use crate::generator::{EncodedTable, Failure, Generator};
use crate::progress::Progress;
use crate::publish::write_tables;
use crate::report::report;

/// The directory of the tables below a prefix, where `bin/tabletop` of that prefix finds them.
const SHARE: &str = "share/tabletop/tables";

/// Generates every table, compares each with the digest of the shipped one, and writes them all into the user's data
/// directory or below a prefix. Prints what `tabletop tables --verify` would.
pub(crate) fn install(
    generators: impl Iterator<Item = &'static dyn Generator>,
    prefix: Option<&Path>,
) -> Result<(), Failure> {
    let directory = directory(prefix)?;
    let mut tables = Vec::new();
    for generator in generators {
        tables.extend(generator.generate(&Progress::new(generator.game()))?);
    }
    let generated: Vec<&Spec> = tables.iter().map(|table| table.spec).collect();
    let others: Vec<&'static Spec> = tabletop::game::tables().filter(|spec| !generated.contains(spec)).collect();
    for spec in others {
        tables.push(built_in(spec)?);
    }
    tables.iter().try_for_each(require_shipped)?;
    write_tables(&tables, &directory, "choose with --prefix")?;
    let inventory = Inventory::take(&Places::only(directory), tabletop::game::tables(), Look::Verify);
    match inventory.errors().next() {
        Some(error) => Err(Failure::new(error.to_string())),
        None => report(inventory.to_string().trim_end()),
    }
}

fn directory(prefix: Option<&Path>) -> Result<PathBuf, Failure> {
    let nowhere = || Failure::new("no home directory is known, say with --prefix where to install");
    prefix.map(|prefix| prefix.join(SHARE)).or_else(Places::data_directory).ok_or_else(nowhere)
}

/// A table that takes too long to generate, so it is embedded in this program.
fn built_in(spec: &'static Spec) -> Result<EncodedTable, Failure> {
    let bytes = embedded_table(&spec.file_name())
        .ok_or_else(|| Failure::new(format!("{}: neither generated nor part of this program", spec.file_name())))?;
    let mut table = EncodedTable { spec, positions: 0, bytes: bytes.to_vec() };
    table.positions = table.open::<u8>()?.header().positions as usize;
    Ok(table)
}

fn require_shipped(table: &EncodedTable) -> Result<(), Failure> {
    let name = table.spec.file_name();
    if shipped_digest(&name) == Some(sha256(&table.bytes).as_str()) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{name}: differs from the table that this program was built with, build tabletop-gen from an unchanged source"
    )))
}
