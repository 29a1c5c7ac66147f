//! A second derivation of every record, from the finished table alone.

use rayon::prelude::*;
use tabletop::jenga::index::{Class, RECORDS, TABLE_BLOCKS, table_classes, unrank};
use tabletop::table::{Table, TableError};

use super::columns::{Columns, ranks};
use super::describe;
use crate::generator::Failure;

/// The table's records, and the values of all other forms as a query derives them.
pub(super) fn complete(table: &Table<&[u8], f64>) -> Result<Columns<f64>, TableError> {
    let mut known = Columns::empty();
    let records = table.records()?;
    let mut rest = &records[..];
    for class in table_classes() {
        let (values, after) = rest.split_at(class.forms() as usize);
        known.set(class, values.to_vec());
        rest = after;
    }
    // Two blocks on the top are one move away from the table, one block is two moves away.
    for top in [2, 1] {
        for class in Class::all(TABLE_BLOCKS).into_iter().filter(|class| class.top == top) {
            let values = ranks(class).map(|rank| known.derive(&unrank(class, rank)).0).collect();
            known.set(class, values);
        }
    }
    Ok(known)
}

/// Compares every record with the value that all moves from its form lead to, bit by bit.
pub(super) fn prove(known: &Columns<f64>) -> Result<String, Failure> {
    for class in table_classes() {
        ranks(class).zip(known.class(class)).try_for_each(|(rank, &found)| {
            let form = unrank(class, rank);
            let derived = known.derive(&form).0;
            if derived.to_bits() == found.to_bits() {
                return Ok(());
            }
            let levels = describe(&form);
            Err(Failure::new(format!("{levels}: {found} in the table, {derived} from what its moves lead to")))
        })?;
    }
    Ok(format!("{RECORDS} records derived anew from what every move leads to, all equal to the last bit"))
}
