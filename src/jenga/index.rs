//! The ranks of forms, and the table.
//!
//! A class contains the forms with `F` full levels, `H` half levels and `T` blocks on the top. A form and its swap
//! (green and blue exchanged) have the same rank, which is computed for the *greener* of the two. The tops are compared
//! first. If the top is even, the half levels are compared, and if these are even too, the full levels. So a class has
//! three parts, in this order:
//!
//! ```text
//!   part             full levels        half levels             tops           rank within the part
//!   green top        all                all                     green kinds    (full · halves + half) · tops + top
//!   greener halves   all                more green than blue    even kinds     the same
//!   even halves      one of each swap   as many green as blue   even kinds     the same
//! ```
//!
//! The ranks of every factor have no gaps (see `index/multisets.rs`), so the ranks of a class have none. The top
//! changes fastest, so forms with the same levels below the top are neighbours.
//!
//! A move lowers the potential `6F + 3H + 2T` by 4 if it takes a middle block of a full level, and by 1 otherwise:
//!
//! ```text
//!   middle of a full level   F - 1          - 6 ┐
//!   side of a full level     F - 1, H + 1   - 3 ├ then the block is put:  T + 1, or F + 1 and T - 2:  + 2
//!   side of a half level     H - 1          - 3 ┘
//! ```
//!
//! So the game has no cycle. Modulo 3, every move lowers the potential by 1, and it is a multiple of 3 exactly if the
//! top is complete. The table contains only these forms, a third of all; every other form is one or two moves away from
//! them. All 2,280,824 forms would take 15.0 MB on disk, these 726,730 take 4.8 MB, and every starting tower is one of
//! them. (The forms with one block on the top would take 4.3 MB, but then a starting tower needs about thirty lookups.)
//! The number of blocks that matter, `3F + 2H + T`, never grows, so no move leads out of the table's limit:
//!
//! ```text
//!   record = forms of the classes before (F, H) + rank      T = 3, 3F + 2H + T <= 18, by F, then by H
//! ```

mod multisets;

use multisets::{FullLevels, HalfLevels, MAX_FULLS, triangle};

use super::form::{Below, Form, KindCounts, Top};
use super::rules::{MAX_BLOCKS, PLACES};
use crate::ranked::ranked;
use crate::table::{RecordType, Remedy, Spec, Values};

/// The limit of the table, in blocks that matter: six levels before the first move.
pub const TABLE_BLOCKS: usize = 18;

const _: () = assert!(MAX_FULLS * PLACES < MAX_BLOCKS && (MAX_FULLS + 1) * PLACES + 1 > MAX_BLOCKS);

/// The expected minutes of every form with a complete top.
pub static TOWERS: Spec = Spec {
    name: "jenga",
    game: "jenga",
    rules: "coloured jenga 1: record is the expected minutes under best play as (1 + (g/3 + b/3) + r/6) / (sides/6); \
            forms with three blocks on the top and at most 18 that matter, by full levels, half levels and rank",
    records: RecordType::F64,
    // A search of two moves reads about seventy blocks, whatever their size. Small blocks unpack fewer unused records.
    block_records: 256,
    positions: Some(RECORDS as u64),
    // The expected wait for a move is at most six minutes, and there are fewer moves than blocks.
    values: Values::UpTo(6.0 * TABLE_BLOCKS as f64),
    remedy: Remedy::Generate("jenga"),
};

/// The forms with the same number of full levels, half levels and blocks on the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Class {
    /// The number of full levels below the top.
    pub full: u8,
    /// The number of half levels below the top.
    pub half: u8,
    /// The number of blocks on the top, 1 to 3.
    pub top: u8,
}

/// The rank of a form within its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

/// The part of a class: where a form and its swap are first different.
#[derive(Clone, Copy)]
enum Part {
    GreenTop,
    GreenerHalves,
    EvenHalves,
}

/// The numbers of full levels, half levels and tops that a part of a class combines.
struct Factors {
    full: u32,
    half: u32,
    top: u32,
}

impl Factors {
    const fn product(&self) -> u32 {
        self.full * self.half * self.top
    }
}

impl Class {
    /// The classes that a game with at most `blocks` blocks can reach, ordered by potential.
    pub fn all(blocks: usize) -> Vec<Class> {
        let mut classes = Vec::new();
        for full in 0..=(blocks / PLACES) as u8 {
            for half in 0..=(blocks / 2) as u8 {
                // Below a top with one block lies a full level: the complete top before the last move.
                let tops = if full > 0 { 1..=PLACES as u8 } else { 2..=PLACES as u8 };
                let of_tops = tops.map(|top| Class { full, half, top });
                classes.extend(of_tops.filter(|class| class.blocks() <= blocks));
            }
        }
        ranked(classes, |class| class.potential() as i64)
    }

    /// The number of blocks that matter. No move increases it.
    pub const fn blocks(self) -> usize {
        3 * self.full as usize + 2 * self.half as usize + self.top as usize
    }

    /// The potential. Every move lowers it by 1 or by 4.
    pub const fn potential(self) -> usize {
        6 * self.full as usize + 3 * self.half as usize + 2 * self.top as usize
    }

    /// The number of ranks. A form and its swap count as one.
    pub const fn forms(self) -> u32 {
        self.start(Part::EvenHalves) + self.factors(Part::EvenHalves).product()
    }

    /// The number of forms that the swap does not change.
    pub const fn even_forms(self) -> u32 {
        let factors = self.factors(Part::EvenHalves);
        FullLevels::evens(self.full as usize) * factors.half * factors.top
    }

    /// The number of forms with a green top. They have the lowest ranks.
    pub const fn green_tops(self) -> u32 {
        self.start(Part::GreenerHalves)
    }

    /// The kinds of the tops in this class.
    pub const fn kind_counts(self) -> KindCounts {
        KindCounts::of_blocks(self.top)
    }

    /// The number of the first record of this class in the table, or `None` if the table does not contain the class.
    pub const fn first_record(self) -> Option<u32> {
        if self.top as usize == PLACES && self.blocks() <= TABLE_BLOCKS {
            Some(FIRST_RECORDS[self.full as usize][self.half as usize])
        } else {
            None
        }
    }

    const fn factors(self, part: Part) -> Factors {
        let (half, counts) = (self.half as u32, self.kind_counts());
        let (full, even_top) = (self.full as usize, counts.even as u32);
        match part {
            Part::GreenTop => {
                Factors { full: FullLevels::all(full), half: triangle(half + 1), top: counts.green as u32 }
            }
            Part::GreenerHalves => {
                Factors { full: FullLevels::all(full), half: (half + 1) * (half + 1) / 4, top: even_top }
            }
            Part::EvenHalves => Factors { full: FullLevels::orbits(full), half: half / 2 + 1, top: even_top },
        }
    }

    /// The number of forms in the parts before this one.
    const fn start(self, part: Part) -> u32 {
        match part {
            Part::GreenTop => 0,
            Part::GreenerHalves => self.factors(Part::GreenTop).product(),
            Part::EvenHalves => self.start(Part::GreenerHalves) + self.factors(Part::GreenerHalves).product(),
        }
    }

    fn part(self, rank: Rank) -> Part {
        if rank.0 < self.start(Part::GreenerHalves) {
            Part::GreenTop
        } else if rank.0 < self.start(Part::EvenHalves) {
            Part::GreenerHalves
        } else {
            Part::EvenHalves
        }
    }
}

/// The largest numbers of full levels and of half levels in the table.
const TABLE_FULLS: usize = (TABLE_BLOCKS - PLACES) / 3;
const TABLE_HALVES: usize = (TABLE_BLOCKS - PLACES) / 2;

/// The number of the first record of every class: `FIRST_RECORDS[full][half]`.
const FIRST_RECORDS: [[u32; TABLE_HALVES + 1]; TABLE_FULLS + 1] = layout().0;

/// The number of records in the table.
pub const RECORDS: u32 = layout().1;

const fn layout() -> ([[u32; TABLE_HALVES + 1]; TABLE_FULLS + 1], u32) {
    let mut first = [[0; TABLE_HALVES + 1]; TABLE_FULLS + 1];
    let mut records = 0;
    let mut full = 0;
    while full <= TABLE_FULLS {
        let mut half = 0;
        while half <= TABLE_HALVES {
            let class = Class { full: full as u8, half: half as u8, top: PLACES as u8 };
            first[full][half] = records;
            if class.blocks() <= TABLE_BLOCKS {
                records += class.forms();
            }
            half += 1;
        }
        full += 1;
    }
    (first, records)
}

/// The classes of the table in the order of its records.
pub fn table_classes() -> Vec<Class> {
    let mut classes = Class::all(TABLE_BLOCKS);
    classes.retain(|class| class.first_record().is_some());
    ranked(classes, |class| class.first_record().map_or(0, i64::from))
}

/// The ranked levels below the top. They are ranked once for all tops that are put on them.
#[derive(Debug, Clone, Copy)]
pub struct Base {
    full: FullLevels,
    half: HalfLevels,
}

impl Base {
    /// The class of the form with this top.
    pub fn class(&self, top: Top) -> Class {
        Class { full: self.full.count() as u8, half: self.half.count() as u8, top: top.blocks() }
    }

    /// The rank, within its class, of the form with this top.
    pub fn rank(&self, top: Top) -> Rank {
        let (part, swap) = self.fold(top);
        let (base, top) = if swap { (self.swapped(), top.swapped()) } else { (*self, top) };
        let class = base.class(top);
        let Factors { half: halves, top: tops, .. } = class.factors(part);
        let kind = u32::from(top.kind());
        let (full, half, top) = match part {
            Part::GreenTop => (base.full.rank(), base.half.rank(), kind - u32::from(class.kind_counts().even)),
            Part::GreenerHalves => (base.full.rank(), base.half.greener_rank(), kind),
            Part::EvenHalves => (base.full.orbit_rank(), base.half.even_rank(), kind),
        };
        Rank(class.start(part) + (full * halves + half) * tops + top)
    }

    /// The part of the form with this top, and whether its swap is the greener of the two.
    fn fold(&self, top: Top) -> (Part, bool) {
        let counts = top.kind_counts();
        if top.kind() >= counts.even {
            (Part::GreenTop, top.kind() >= counts.even + counts.green)
        } else if !self.half.is_even() {
            (Part::GreenerHalves, self.half.is_bluer())
        } else {
            (Part::EvenHalves, self.full.is_bluer())
        }
    }

    fn swapped(&self) -> Base {
        Base { full: self.full.swapped(), half: self.half.swapped() }
    }

    /// The levels with the ranks `full` and `half`, which are ranks within `part`.
    fn unrank(class: Class, part: Part, full: u32, half: u32) -> Below {
        let (fulls, halves) = (usize::from(class.full), u32::from(class.half));
        let (full, half) = match part {
            Part::GreenTop => (FullLevels::unrank(fulls, full), HalfLevels::unrank(halves, half)),
            Part::GreenerHalves => (FullLevels::unrank(fulls, full), HalfLevels::unrank_greener(halves, half)),
            Part::EvenHalves => (FullLevels::unrank_orbit(fulls, full), HalfLevels::unrank_even(halves, half)),
        };
        Below { full: full.counts(), half: half.counts() }
    }
}

impl From<&Below> for Base {
    /// Ranks the levels.
    ///
    /// # Panics
    /// If there are more full levels than a tower with [`MAX_BLOCKS`] blocks can have below its top.
    fn from(below: &Below) -> Base {
        Base { full: FullLevels::from(&below.full), half: HalfLevels::from(&below.half) }
    }
}

/// The class of a form.
pub fn class(form: &Form) -> Class {
    Base::from(&form.below).class(form.top)
}

/// The rank of a form within its class. A form and its swap have the same rank.
pub fn rank(form: &Form) -> Rank {
    Base::from(&form.below).rank(form.top)
}

/// The form with this rank, which must be below [`Class::forms`]: the greener of the two forms.
pub fn unrank(class: Class, rank: Rank) -> Form {
    let part = class.part(rank);
    let Factors { half: halves, top: tops, .. } = class.factors(part);
    let within = rank.0 - class.start(part);
    let (base, top) = (within / tops, within % tops);
    let first_kind = match part {
        Part::GreenTop => u32::from(class.kind_counts().even),
        Part::GreenerHalves | Part::EvenHalves => 0,
    };
    Form {
        below: Base::unrank(class, part, base / halves, base % halves),
        top: Top::new(class.top, (first_kind + top) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_round_trips_through_its_rank_and_its_swap_has_the_same_rank() {
        let mut forms = 0;
        for class in Class::all(TABLE_BLOCKS) {
            for rank in (0..class.forms()).map(Rank) {
                let form = unrank(class, rank);
                let swapped = form.swapped();
                assert_eq!(super::class(&form), class);
                assert_eq!(super::rank(&form), rank, "{form:?}");
                assert_eq!(super::rank(&swapped), rank, "{swapped:?}");
                forms += 1;
            }
        }
        assert_eq!(forms, 2_280_824);
    }

    #[test]
    fn larger_classes_round_trip_too() {
        for class in Class::all(MAX_BLOCKS).into_iter().filter(|class| class.blocks() > TABLE_BLOCKS) {
            let step = class.forms() / 997 + 1;
            for rank in (0..class.forms()).step_by(step as usize).chain([class.forms() - 1]).map(Rank) {
                assert_eq!(super::rank(&unrank(class, rank)), rank, "{class:?}");
            }
        }
    }

    #[test]
    fn even_forms_are_those_that_the_swap_does_not_change() {
        for class in Class::all(12) {
            let even = (0..class.forms()).map(|rank| unrank(class, Rank(rank))).filter(|form| form.swapped() == *form);
            assert_eq!(even.count() as u32, class.even_forms(), "{class:?}");
        }
    }

    #[test]
    fn towers_of_up_to_six_levels_have_4_556_925_forms() {
        let classes = Class::all(TABLE_BLOCKS);
        let forms = |count: fn(Class) -> u32| classes.iter().map(|&class| count(class)).sum::<u32>();
        assert_eq!(2 * forms(Class::forms) - forms(Class::even_forms), 4_556_925);
        assert_eq!(RECORDS, 726_730);
    }

    #[test]
    fn the_classes_of_the_table_lie_back_to_back() {
        let mut next = 0;
        for class in table_classes() {
            assert_eq!(class.first_record(), Some(next), "{class:?}");
            next += class.forms();
        }
        assert_eq!(next, RECORDS);
    }
}
