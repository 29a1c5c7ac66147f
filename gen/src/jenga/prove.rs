//! Derives every record a second time from the finished table alone, and compares a sample with the referee.

use indicatif::HumanCount;
use rayon::prelude::*;
use tabletop::game::Error;
use tabletop::jenga::index::{Class, TABLE_BLOCKS, table_classes, unrank};
use tabletop::jenga::{Minutes, Tower};
use tabletop::seeded::Seeded;
use tabletop::table::{Table, TableBytes, TableError};

use super::columns::{Columns, ranks};
use super::describe;
use super::referee::{Referee, after_moves, seeded_start, starts};
use crate::generator::Failure;

/// Number of towers in mid-game, from seeded starts of four to six levels, that the referee checks.
const REFEREED_TOWERS: u64 = 400;
/// Relative. The referee adds in another order, so the last bits of a double may differ.
const TOLERANCE: f64 = 1e-14;

/// The table's records, and the values of all other forms as a query derives them.
pub(super) fn complete(table: &Table<TableBytes, f64>) -> Result<Columns<f64>, TableError> {
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

/// Compares every record, bit by bit, with the value that follows from all moves of its form.
pub(super) fn derive(known: &Columns<f64>) -> Result<String, Failure> {
    for class in table_classes() {
        ranks(class).zip(known.class(class)).try_for_each(|(rank, &found)| {
            let form = unrank(class, rank);
            let derived = known.derive(&form).0;
            if derived.to_bits() == found.to_bits() {
                return Ok(());
            }
            let levels = describe(&form.tower());
            Err(Failure::new(format!("{levels}: {found} in the table, {derived} from what its moves lead to")))
        })?;
    }
    Ok(String::from("every record follows from its successors to the last bit"))
}

/// Compares answers for all starts of up to three levels and for seeded towers in mid-game with the plain solver's.
pub(super) fn referee(minutes: impl Fn(&Tower) -> Result<Minutes, Error>) -> Result<String, Failure> {
    let mut referee = Referee::default();
    let towers: Vec<Tower> = (1..=3).flat_map(starts).chain(seeded_towers()).collect();
    let mut furthest = 0.0_f64;
    for tower in &towers {
        let (found, expected) = (minutes(tower)?.0, referee.minutes(tower));
        let difference = (found - expected).abs() / expected.max(1.0);
        if difference > TOLERANCE {
            let levels = describe(tower);
            return Err(Failure::new(format!("{levels}: {found} by the table, {expected} by the plain solver")));
        }
        furthest = furthest.max(difference);
    }
    let (asked, visited) = (HumanCount(towers.len() as u64), HumanCount(referee.towers() as u64));
    Ok(format!(
        "all starts of up to three levels and {REFEREED_TOWERS} seeded towers, {asked} in all, agree with the plain \
         solver, which visited {visited}; the furthest is off by {furthest:.1e} of its value"
    ))
}

/// Seeded towers in mid-game. Those of six levels are at least 9 moves old: earlier ones take the referee seconds each.
fn seeded_towers() -> impl Iterator<Item = Tower> {
    let mut seeded = Seeded(1);
    (0..REFEREED_TOWERS).map(move |_| {
        let levels = 4 + seeded.below(3);
        let least = if levels == 6 { 9 } else { 0 };
        let start = seeded_start(&mut seeded, levels as usize);
        let moves = least + seeded.below(9);
        after_moves(&mut seeded, start, moves)
    })
}

#[cfg(test)]
mod tests {
    use tabletop::game::Game;
    use tabletop::jenga::Jenga;
    use tabletop::jenga::index::TOWERS;

    use super::*;
    use crate::generator::EncodedTable;

    #[test]
    fn a_record_that_is_slightly_wrong_is_found() {
        let shipped = EncodedTable::shipped(&TOWERS);
        let mut known = complete(&shipped.open().unwrap()).unwrap();
        assert!(derive(&known).is_ok());
        let start = Class { full: 2, half: 0, top: 3 };
        let mut values = known.class(start).to_vec();
        values[start.forms() as usize / 2] *= 1.0 + f64::EPSILON;
        known.set(start, values);
        assert!(derive(&known).unwrap_err().to_string().contains("from what its moves lead to"));
    }

    #[test]
    fn the_referee_finds_a_tower_that_is_slightly_wrong() {
        let shipped = EncodedTable::shipped(&TOWERS);
        let jenga = Jenga::new(shipped.open().unwrap());
        let last = seeded_towers().last().unwrap();
        let refused = referee(|tower| {
            let minutes = jenga.value(tower)?.0;
            Ok(Minutes(if *tower == last { minutes * (1.0 + 1e-13) } else { minutes }))
        });
        assert!(refused.unwrap_err().to_string().contains("by the plain solver"));
    }
}
