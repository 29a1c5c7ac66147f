//! The solver: class by class in the order of the potential, in columns indexed by rank.

use indicatif::ProgressBar;
use rayon::prelude::*;
use tabletop::bars::Bars;
use tabletop::jenga::form::{Below, KindCounts, Take, Top};
use tabletop::jenga::index::{Base, Class, Rank, TABLE_BLOCKS, unrank};
use tabletop::jenga::rules::{Minutes, Outlook};

use super::columns::Columns;

/// The expected minutes of every form of the table's towers, with any top.
pub(super) fn solve(bars: &Bars) -> Columns<f64> {
    let classes = Class::all(TABLE_BLOCKS);
    let forms = classes.iter().map(|&class| u64::from(class.forms())).sum();
    let bar = bars.steps("forms", forms);
    let mut known = Columns::empty();
    // Every move lowers the potential, so all forms that a class leads to are solved before it.
    for class in classes {
        let values = solve_class(&known, class, &bar);
        known.set(class, values);
    }
    bar.finish_and_clear();
    known
}

/// Forms with the same levels below the top have consecutive ranks. So the levels that remain after a take are numbered
/// once for all tops.
fn solve_class(known: &Columns<f64>, class: Class, bar: &ProgressBar) -> Vec<f64> {
    let mut values = vec![0.0; class.forms() as usize];
    let KindCounts { even, green } = class.kind_counts();
    let (green_tops, even_tops) = values.split_at_mut(class.green_tops() as usize);
    for (part, start, run) in [(green_tops, 0, green), (even_tops, class.green_tops(), even)] {
        part.par_chunks_mut(usize::from(run)).enumerate().for_each(|(number, values)| {
            let first = unrank(class, Rank(start + number as u32 * u32::from(run)));
            solve_run(known, &first.below, first.top, values);
        });
    }
    bar.inc(u64::from(class.forms()));
    values
}

/// Solves the forms with these levels below the top, for consecutive kinds of top from `first` on.
fn solve_run(known: &Columns<f64>, below: &Below, first: Top, values: &mut [f64]) {
    const LONGEST_RUN: usize = KindCounts::FULL.green as usize;
    let mut outlooks = [Outlook::NO_MOVE; LONGEST_RUN];
    for Take { colour, below } in below.takes() {
        let mut base = Base::from(&below);
        for (kind, outlook) in (first.kind()..).zip(&mut outlooks[..values.len()]) {
            let top = Top::new(first.blocks(), kind);
            if top.is_complete() {
                base = Base::from(&below.with(top.level()));
            }
            for put in top.puts(colour) {
                outlook.offer(colour, Minutes(known.value(&base, put)));
            }
        }
    }
    for (value, outlook) in values.iter_mut().zip(&outlooks) {
        *value = outlook.minutes().0;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tabletop::jenga::form::Form;
    use tabletop::jenga::rules::PLACES;

    use super::*;

    /// Marks a form and all forms that can follow it.
    fn visit(form: &Form, reached: &Columns<Cell<bool>>) {
        let base = Base::from(&form.below);
        let column = reached.class(base.class(form.top));
        assert!(!column.is_empty(), "{form:?} is not solved");
        if !column[base.rank(form.top).0 as usize].replace(true) {
            for Take { colour, below } in form.takes() {
                form.top.puts(colour).for_each(|top| visit(&Form { below, top }, reached));
            }
        }
    }

    #[test]
    fn games_from_all_starts_of_up_to_six_levels_reach_exactly_the_solved_forms() {
        let mut reached = Columns::empty();
        for class in Class::all(TABLE_BLOCKS) {
            reached.set(class, vec![Cell::new(false); class.forms() as usize]);
        }
        for levels in 1..=6 {
            let start = Class { full: levels - 1, half: 0, top: PLACES as u8 };
            (0..start.forms()).for_each(|rank| visit(&unrank(start, Rank(rank)), &reached));
        }
        let mut towers = 0;
        for class in Class::all(TABLE_BLOCKS) {
            for (rank, mark) in (0..).map(Rank).zip(reached.class(class)) {
                let form = unrank(class, rank);
                assert!(mark.get(), "{form:?} is not reached");
                towers += if form.swapped() == form { 1 } else { 2 };
            }
        }
        assert_eq!(towers, 4_556_925);
    }
}
