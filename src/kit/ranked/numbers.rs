//! Values as doubles, in games without cycles.

use std::sync::atomic::AtomicU64;

use indicatif::ProgressBar;

use super::super::closed::Closed;
use super::super::error::{BadRules, Fault};
use super::super::formula::Stacks;
use super::super::rules::Rules;
use super::ranks::RankedRules;
use super::reach::Positions;
use super::read::each_rank;
use super::set::Bits;

/// Doubles that threads write together. NaN is a value that is not known yet.
pub(super) struct Doubles(Vec<AtomicU64>);

impl Doubles {
    pub(super) fn open(len: usize) -> Doubles {
        Doubles((0..len).map(|_| AtomicU64::new(f64::NAN.to_bits())).collect())
    }

    pub(super) fn into_values(self) -> Vec<f64> {
        self.0.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect()
    }

    pub(super) fn get(&self, number: u32) -> f64 {
        f64::load(&self.0[number as usize])
    }

    pub(super) fn set(&self, number: u32, value: f64) {
        value.store(&self.0[number as usize]);
    }
}

/// Solves a stage without cycles: every position after its successors. One pass does it if no move stays in the stage.
pub(super) fn solve_by_height<R: Rules>(
    rules: &RankedRules<'_, R>,
    explored: &Positions,
    values: &Doubles,
    open: &Bits,
    bar: &ProgressBar,
) -> Result<Option<u64>, BadRules> {
    loop {
        let passes = each_rank(
            rules,
            explored,
            open,
            || (0_u64, Stacks::new()),
            |(settled, stacks), rank, own, reader, nexts| {
                if nexts.iter().any(|&next| values.get(next).is_nan()) {
                    return Ok(());
                }
                let value = reader.formula.value(rules.sum(), &|place| values.get(nexts[place as usize]), stacks);
                let value = value.ok_or_else(|| Fault::EndlessWait.at(reader.text()))?;
                if !value.is_finite() {
                    return Err(Fault::TooLarge.at(reader.text()));
                }
                values.set(own, value);
                open.remove(rank);
                *settled += 1;
                Ok::<(), BadRules>(())
            },
        )?;
        let settled: u64 = passes.into_iter().map(|(settled, _)| settled).sum();
        bar.inc(settled);
        if settled == 0 {
            return Ok(open.of_words(0..open.words()).next());
        }
    }
}
