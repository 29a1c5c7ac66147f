//! Installs every table that a query needs into a directory where the query always finds it.

use std::path::{Path, PathBuf};

use tabletop::bars::Bars;
use tabletop::door::table_message;
use tabletop::table::{Inventory, Look, Places, Spec, embedded_table, sha256, shipped_digest};

use crate::generator::{EncodedTable, Failure, Generator};
use crate::publish::{require_writable, write_tables};
use crate::report::report;

/// The directory of the tables below a prefix, where `bin/tabletop` of that prefix finds them.
const SHARE: &str = "share/tabletop/tables";

const CHOOSE_PREFIX: &str = "choose with --prefix";

/// Generates every table, compares each with the digest of the shipped one, and writes them all into the user's data
/// directory or below a prefix. Prints what `tabletop tables --verify` would.
pub(crate) fn install(
    generators: impl Iterator<Item = &'static dyn Generator>,
    prefix: Option<&Path>,
) -> Result<(), Failure> {
    let directory = directory(prefix)?;
    require_writable(&directory, CHOOSE_PREFIX)?;
    let mut tables = Vec::new();
    for generator in generators {
        tables.extend(generator.generate(&Bars::new(generator.game()))?);
    }
    let generated: Vec<&Spec> = tables.iter().map(|table| table.spec).collect();
    let others: Vec<&'static Spec> = tabletop::game::tables().filter(|spec| !generated.contains(spec)).collect();
    for spec in others {
        tables.push(built_in(spec)?);
    }
    tables.iter().try_for_each(require_shipped)?;
    write_tables(&tables, &directory, CHOOSE_PREFIX)?;
    let inventory = Inventory::take(&Places::only(directory), tabletop::game::tables(), Look::Verify);
    match inventory.errors().next() {
        Some(error) => Err(Failure::new(table_message(error))),
        None => report(inventory.to_string().trim_end()),
    }
}

/// The directory of the installed tables: below a prefix, or the user's data directory.
pub(crate) fn directory(prefix: Option<&Path>) -> Result<PathBuf, Failure> {
    let nowhere = || Failure::new("no home directory is known, say with --prefix where to install");
    prefix.map(|prefix| prefix.join(SHARE)).or_else(Places::data_directory).ok_or_else(nowhere)
}

/// A table that takes too long to generate, so it is embedded in this program.
fn built_in(spec: &'static Spec) -> Result<EncodedTable, Failure> {
    let bytes = embedded_table(&spec.file_name())
        .ok_or_else(|| Failure::new(format!("{}: neither generated nor part of this program", spec.file_name())))?;
    Ok(EncodedTable::from_bytes(spec, bytes.to_vec())?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::Proof;

    /// A generator that must not be asked.
    struct Unasked;

    impl Generator for Unasked {
        fn game(&self) -> &'static str {
            "unasked"
        }

        fn generate(&self, _: &Bars) -> Result<Vec<EncodedTable>, Failure> {
            panic!("nothing is generated if it cannot be written");
        }

        fn prove(&self, _: &[EncodedTable]) -> Result<Vec<Proof>, Failure> {
            unimplemented!()
        }

        fn stats(&self, _: &[EncodedTable]) -> Result<String, Failure> {
            unimplemented!()
        }
    }

    #[test]
    fn an_unwritable_prefix_is_noticed_before_anything_is_generated() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let generators = [&Unasked as &'static dyn Generator].into_iter();
        let failure = install(generators, Some(file.path())).unwrap_err().to_string();
        let directory = file.path().join(SHARE);
        assert!(failure.starts_with(&format!("{}: cannot be written: ", directory.display())), "{failure}");
        assert!(failure.ends_with(", choose with --prefix"), "{failure}");
    }

    #[test]
    fn every_table_in_this_program_opens_with_the_type_of_its_records() {
        let embedded = tabletop::game::tables().filter(|spec| embedded_table(&spec.file_name()).is_some());
        let tables: Vec<EncodedTable> = embedded.map(|spec| built_in(spec).unwrap()).collect();
        assert!(!tables.is_empty() && tables.iter().all(|table| table.positions > 0));
    }
}
