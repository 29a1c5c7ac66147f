//! Coloured Jenga, solved for every form of a tower of up to six levels.

mod columns;
mod prove;
mod solve;
mod stats;

use std::fmt;

use tabletop::jenga::Form;
use tabletop::jenga::index::{Class, TABLE_BLOCKS, TOWERS, table_classes};
use tabletop::table::Table;

use columns::Columns;

use crate::generator::{EncodedTable, Failure, Generator};
use crate::progress::Progress;
use crate::report::report;

/// The generator of coloured Jenga's table.
pub(crate) struct Jenga;

impl Generator for Jenga {
    fn game(&self) -> &'static str {
        "jenga"
    }

    fn generate(&self, progress: &Progress) -> Result<Vec<EncodedTable>, Failure> {
        let solution = solve::solve(progress);
        report(format_args!("{}: {}", self.game(), Solved::of(&solution)))?;
        let records: Vec<f64> = table_classes().into_iter().flat_map(|class| solution.class(class)).copied().collect();
        Ok(vec![EncodedTable::new(&TOWERS, &records)])
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<String>, Failure> {
        let known = prove::complete(&open(tables)?)?;
        Ok(vec![prove::prove(&known)?])
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        Ok(stats::stats(&prove::complete(&open(tables)?)?))
    }
}

fn open(tables: &[EncodedTable]) -> Result<Table<&[u8], f64>, Failure> {
    let [towers] = tables else {
        return Err(Failure::new("jenga: one table expected"));
    };
    Ok(towers.open()?)
}

/// How many forms were solved.
struct Solved {
    /// A form and its swap counted once.
    forms: usize,
    /// Both counted.
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

/// The levels of a tower of this form, from the bottom to the top.
fn describe(form: &Form) -> String {
    let levels: Vec<String> = form.tower().levels().iter().map(ToString::to_string).collect();
    levels.join(" ")
}
