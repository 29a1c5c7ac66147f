//! Coloured Jenga, solved for every form of a tower of up to six levels.

mod columns;
mod prove;
pub mod referee;
mod solve;
mod stats;

use std::fmt;

use tabletop::bars::Bars;
use tabletop::game::Game;
use tabletop::jenga::Tower;
use tabletop::jenga::index::{Class, TABLE_BLOCKS, TOWERS, table_classes};
use tabletop::table::{Table, TableBytes};

use columns::Columns;

use crate::generator::{EncodedTable, Failure, Generator, Proof};

/// The generator of coloured Jenga's table.
pub(crate) struct Jenga;

impl Generator for Jenga {
    fn game(&self) -> &'static str {
        "jenga"
    }

    fn generate(&self, bars: &Bars) -> Result<Vec<EncodedTable>, Failure> {
        let solution = solve::solve(bars);
        let records: Vec<f64> = table_classes().into_iter().flat_map(|class| solution.class(class)).copied().collect();
        Ok(vec![EncodedTable::new(&TOWERS, &records)])
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<Proof>, Failure> {
        let known = prove::complete(&open(tables)?)?;
        let game = tabletop::jenga::Jenga::new(open(tables)?);
        Ok(vec![Proof::of([prove::derive(&known)?, prove::referee(|tower| game.value(tower))?])])
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        Ok(stats::stats(&prove::complete(&open(tables)?)?))
    }
}

fn open(tables: &[EncodedTable]) -> Result<Table<TableBytes, f64>, Failure> {
    let [towers] = tables else {
        return Err(Failure::new("jenga: one table expected"));
    };
    Ok(towers.open()?)
}

/// The number of solved forms.
struct Solved {
    /// With a form and its swap of green and blue counted once.
    forms: usize,
    /// With both counted.
    towers: usize,
}

impl Solved {
    fn of(solution: &Columns<f64>) -> Solved {
        let classes = Class::all(TABLE_BLOCKS);
        let forms = classes.iter().map(|&class| solution.class(class).len()).sum();
        let even: u32 = classes.iter().map(|class| class.even_forms()).sum();
        Solved { forms, towers: 2 * forms - even as usize }
    }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} forms solved, which stand for {} with green and blue told apart", self.forms, self.towers)
    }
}

/// The levels of a tower, from the bottom to the top.
fn describe(tower: &Tower) -> String {
    let levels: Vec<String> = tower.levels().iter().map(ToString::to_string).collect();
    levels.join(" ")
}
