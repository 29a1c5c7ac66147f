//! Checks that the tables on disk equal freshly generated ones.

use std::path::Path;

use indicatif::HumanCount;
use tabletop::table::SUMS_FILE;
use tabletop::table::read_regular_file;

use crate::generator::{EncodedTable, Failure, Generator};
use crate::report::report;
use crate::sums::Sums;

/// Compares the tables in `directory` and their digests with freshly generated ones, proves their content, and prints
/// one line per table that says what was proved.
pub(crate) fn check(generator: &dyn Generator, tables: &[EncodedTable], directory: &Path) -> Result<(), Failure> {
    let remedy = format!("run `tabletop-gen {} --out {}`", generator.game(), directory.display());
    let sums = Sums::read(directory)
        .map_err(|error| Failure::new(format!("{}: {error}, {remedy}", directory.join(SUMS_FILE).display())))?;
    for table in tables {
        let path = directory.join(table.spec.file_name());
        let differs = |what: &str| Failure::new(format!("{}: {what}, {remedy}", path.display()));
        let found = read_regular_file(&path).map_err(|error| differs(&format!("cannot be read: {error}")))?;
        if found != table.bytes {
            return Err(differs("differs from the table that is generated now"));
        }
        if !sums.agrees(table) {
            return Err(differs("its digest in SHA256SUMS is missing or wrong"));
        }
    }
    let proofs = generator.prove(tables)?;
    assert_eq!(proofs.len(), tables.len(), "{}: one proof per table is expected", generator.game());
    for (table, proof) in tables.iter().zip(proofs) {
        let path = directory.join(table.spec.file_name());
        let (positions, bytes) = (HumanCount(table.positions as u64), HumanCount(table.bytes.len() as u64));
        report(format_args!("{}: {positions} positions, {bytes} bytes: identical; {proof}", path.display()))?;
    }
    Ok(())
}
