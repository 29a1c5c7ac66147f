//! Compares a whole table with the positions of its game.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::failure::Failure;
use super::super::graph::Graph;
use super::super::ranked::RankedValues;
use super::super::rules::Rules;
use super::super::value::{Value, Worth};
use super::read::{Answers, Page};
use super::write::table_order;
use super::{GROUP, Kind, Lookup, PAGE, RENUMBERED};

impl<R: Rules> Answers<'_, R> {
    /// The values of all positions of a graph, by number. The table must hold exactly these positions. The error names
    /// one that is only in the table or only in the graph.
    pub(in crate::kit) fn values_of(&self, graph: &Graph) -> Result<Vec<Value>, Failure> {
        let places = table_order(self.rules(), graph)?;
        let mut values: Vec<Option<Value>> = vec![None; graph.len()];
        let only_one = |what: String| self.wrong(format!("{what} is in the table or in the game, not in both"));
        for number in 0..self.pages() {
            let page = self.page(number)?;
            for place in 0..page.count {
                let expected = places.get(number * PAGE + place).copied().flatten();
                let found = page.value(place);
                match (expected, found) {
                    (None, None) => {}
                    (Some(expected), Some(found)) if self.is_key(&page, place, graph.keys.get(expected)) => {
                        values[expected as usize] = Some(found);
                    }
                    (Some(expected), _) => return Err(only_one(format!("'{}'", graph.text::<R>(expected)))),
                    (None, Some(_)) => {
                        let rank = number * PAGE + place;
                        return Err(only_one(format!("the position number {rank}")));
                    }
                }
            }
            let groups = places.chunks(PAGE).nth(number).unwrap_or_default().chunks(GROUP).enumerate();
            let is_other = |(group, numbers)| page.check(group) != Some(graph.check_of(numbers));
            if self.lookup == Lookup::ByRank && groups.into_iter().any(is_other) {
                return Err(self.outdated(RENUMBERED).into());
            }
        }
        let missing = values.iter().position(Option::is_none);
        if let Some(number) = missing {
            return Err(only_one(format!("'{}'", graph.text::<R>(number as u32))));
        }
        Ok(values.into_iter().flatten().collect())
    }

    /// The values of a table by rank, by the numbers of the `len` positions that `number` gives. `None` if they are
    /// fractions. The table must hold exactly these positions.
    pub(in crate::kit) fn values_by_rank(
        &self,
        len: usize,
        number: impl Fn(u64) -> Option<u32> + Sync,
    ) -> Result<Option<RankedValues>, Failure> {
        if self.lookup != Lookup::ByRank || self.kind == Kind::Fractions {
            return Ok(None);
        }
        let widest = AtomicU64::new(0);
        // Bits of doubles, or codes.
        let values: Vec<AtomicU64> = (0..len).map(|_| AtomicU64::new(0)).collect();
        let read = |page_number: usize| -> Result<(), Failure> {
            let page = self.page(page_number)?;
            for place in 0..page.count {
                let rank = (page_number * PAGE + place) as u64;
                match (number(rank), page.is_used(place)) {
                    (None, false) => {}
                    (Some(number), true) => {
                        let bits = match self.kind {
                            Kind::Codes => page.code(place) as u64,
                            Kind::Bounds | Kind::Rounded => {
                                let value = page.value(place).map(|value| value.worth);
                                let Some(Worth::Bounds(bounds)) = value else {
                                    return Err(self.bad_page(page_number).into());
                                };
                                // The bits of positive doubles have the order of the doubles.
                                widest.fetch_max(bounds.width().abs().to_bits(), Relaxed);
                                bounds.middle().to_bits()
                            }
                            _ => u64::from_be_bytes(page.number(page.values[0], place)),
                        };
                        values[number as usize].store(bits, Relaxed);
                    }
                    (Some(_), false) | (None, true) => {
                        let what = format!("the position number {rank} is in the table or in the game, not in both");
                        return Err(self.wrong(what));
                    }
                }
            }
            let mut groups = 0..page.count.div_ceil(GROUP);
            match groups.all(|group| page.check(group) == self.check_of(&page, page_number, group)) {
                true => Ok(()),
                false => Err(self.outdated(RENUMBERED).into()),
            }
        };
        let pages: Vec<Result<(), Failure>> = (0..self.pages()).into_par_iter().map(read).collect();
        pages.into_iter().collect::<Result<(), Failure>>()?;
        let bits = values.into_iter().map(AtomicU64::into_inner);
        Ok(Some(match self.kind {
            Kind::Codes => {
                let pairs = self.codes.iter().map(|value| (value.worth.to_f64(), value.moves.unwrap_or(0))).collect();
                RankedValues::Codes { pairs, codes: bits.map(|code| code as u16).collect() }
            }
            Kind::Bounds | Kind::Rounded => RankedValues::Bounds {
                middles: bits.map(f64::from_bits).collect(),
                error: f64::from_bits(widest.into_inner()) / 2.0,
            },
            _ => RankedValues::Doubles(bits.map(f64::from_bits).collect()),
        }))
    }

    fn is_key(&self, page: &Page, place: usize, key: &[u8]) -> bool {
        self.lookup == Lookup::ByRank || page.key(place) == key
    }

    /// The error for a table that is intact but does not match the rules.
    pub(in crate::kit) fn wrong(&self, what: String) -> Failure {
        self.contradicts(what).into()
    }
}
