//! Multisets of levels, numbered without a gap.
//!
//! The full levels are three multisets: of the 2 even kinds, of the 8 green and of the 8 blue ones. With `g` green and
//! `b` blue levels among them, behind all full levels whose `(g, b)` comes before:
//!
//! ```text
//!   all     (even · M(g) + green) · M(b) + blue                    M(m) = C(m + 7, 7), multisets of m of 8 kinds
//!   orbit   likewise where g > b, none where g < b; where g = b, with green >= blue:
//!           even · M(g)(M(g) + 1)/2 + green(green + 1)/2 + blue
//! ```
//!
//! A multiset is numbered by its bars, which are a set of places. With kinds `0 … k-1` and `s` levels of the kinds up to
//! `j`, bar `j` stands at `s + j`:
//!
//! ```text
//!   counts  1 0 2 1      * | | * * | *      bars at 1, 2, 5      rank = C(1,1) + C(2,2) + C(5,3) = 12
//! ```
//!
//! Half levels are `r` red, `g` green and `b` blue; with `w = g + b`:
//!
//! ```text
//!   all       w(w + 1)/2 + b            1, 3, 6, 10, … of them with w up to 0, 1, 2, 3, …
//!   greener   ⌊w²/4⌋ + b   (g > b)      0, 1, 2, 4, …
//!   even      w/2          (g = b)      1, 1, 2, 2, …
//! ```

use crate::combinations;
use crate::jenga::form::{FULL_KINDS, Family, HALF_KINDS};

/// Full levels that can be numbered.
pub(super) const MAX_FULLS: usize = 7;

const EVEN: usize = Family::FULL.even as usize;
const GREEN: usize = Family::FULL.green as usize;

/// The triangular number with this side.
pub(super) const fn triangle(side: u32) -> u32 {
    side * (side + 1) / 2
}

/// Multisets of so many levels of the green kinds, or of the blue ones.
const fn multisets(levels: usize) -> u32 {
    combinations::count(levels + GREEN - 1, GREEN - 1)
}

/// The number of a multiset, given as counts by kind, among those of as many levels.
fn rank(counts: &[u8]) -> u32 {
    let mut levels = 0;
    let bars = counts[..counts.len() - 1].iter().enumerate();
    combinations::rank(bars.map(|(bar, &count)| {
        levels += usize::from(count);
        levels + bar
    }))
}

/// Fills in the counts of a multiset of so many levels, the last bar first.
fn unrank(rank: u32, mut levels: usize, counts: &mut [u8]) {
    let bars = counts.len() - 1;
    for (bar, place) in (0..bars).rev().zip(combinations::unrank(rank, bars, levels + bars)) {
        let before = place - bar;
        counts[bar + 1] = (levels - before) as u8;
        levels = before;
    }
    counts[0] = levels as u8;
}

/// Levels of one side, as their number and the rank of their multiset: an order in which the greener side is larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    levels: usize,
    rank: u32,
}

impl Side {
    fn of(counts: &[u8]) -> Side {
        Side { levels: counts.iter().map(|&count| usize::from(count)).sum(), rank: rank(counts) }
    }
}

/// Full levels, taken apart by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct FullLevels {
    even: Side,
    green: Side,
    blue: Side,
}

/// Which full levels have a number.
#[derive(Clone, Copy)]
enum Counted {
    All,
    Orbits,
}

/// For each number of full levels: how many multisets have `[green][blue]` before, and how many there are.
struct Sizes {
    before: [[[u32; MAX_FULLS + 1]; MAX_FULLS + 1]; MAX_FULLS + 1],
    total: [u32; MAX_FULLS + 1],
}

static ALL: Sizes = Counted::All.sizes();
static ORBITS: Sizes = Counted::Orbits.sizes();

impl Counted {
    /// Multisets with so many even, green and blue levels.
    const fn of_size(self, even: usize, green: usize, blue: usize) -> u32 {
        let evens = even as u32 + 1;
        match self {
            Counted::Orbits if green < blue => 0,
            Counted::Orbits if green == blue => evens * triangle(multisets(green)),
            _ => evens * multisets(green) * multisets(blue),
        }
    }

    const fn sizes(self) -> Sizes {
        let mut sizes =
            Sizes { before: [[[0; MAX_FULLS + 1]; MAX_FULLS + 1]; MAX_FULLS + 1], total: [0; MAX_FULLS + 1] };
        let mut levels = 0;
        while levels <= MAX_FULLS {
            let mut green = 0;
            while green <= levels {
                let mut blue = 0;
                while green + blue <= levels {
                    sizes.before[levels][green][blue] = sizes.total[levels];
                    sizes.total[levels] += self.of_size(levels - green - blue, green, blue);
                    blue += 1;
                }
                green += 1;
            }
            levels += 1;
        }
        sizes
    }

    /// The green and blue levels of a number, and what is left of it.
    fn split(self, sizes: &Sizes, levels: usize, rank: u32) -> (usize, usize, u32) {
        let mut found = (0, 0, rank);
        for green in 0..=levels {
            for blue in 0..=levels - green {
                let before = sizes.before[levels][green][blue];
                if before <= rank && self.of_size(levels - green - blue, green, blue) > 0 {
                    found = (green, blue, rank - before);
                }
            }
        }
        found
    }
}

impl FullLevels {
    /// Multisets of so many full levels.
    pub(super) const fn all(levels: usize) -> u32 {
        ALL.total[levels]
    }

    /// Multisets of so many full levels, each counted together with its swap.
    pub(super) const fn orbits(levels: usize) -> u32 {
        ORBITS.total[levels]
    }

    /// Multisets of so many full levels that are their own swap.
    pub(super) const fn evens(levels: usize) -> u32 {
        2 * FullLevels::orbits(levels) - FullLevels::all(levels)
    }

    pub(super) fn count(&self) -> usize {
        self.even.levels + self.green.levels + self.blue.levels
    }

    pub(super) fn swapped(&self) -> FullLevels {
        FullLevels { even: self.even, green: self.blue, blue: self.green }
    }

    pub(super) fn is_bluer(&self) -> bool {
        self.green < self.blue
    }

    /// The number among all.
    pub(super) fn rank(&self) -> u32 {
        ALL.before[self.count()][self.green.levels][self.blue.levels] + self.product()
    }

    /// The number among the orbits, for the greener member.
    pub(super) fn orbit_rank(&self) -> u32 {
        let FullLevels { even, green, blue } = *self;
        let within = if green.levels == blue.levels {
            even.rank * triangle(multisets(green.levels)) + triangle(green.rank) + blue.rank
        } else {
            self.product()
        };
        ORBITS.before[self.count()][green.levels][blue.levels] + within
    }

    fn product(&self) -> u32 {
        let FullLevels { even, green, blue } = *self;
        (even.rank * multisets(green.levels) + green.rank) * multisets(blue.levels) + blue.rank
    }

    /// The levels of a [`FullLevels::rank`].
    pub(super) fn unrank(levels: usize, rank: u32) -> FullLevels {
        let (green, blue, within) = Counted::All.split(&ALL, levels, rank);
        FullLevels::from_product(levels, green, blue, within)
    }

    /// The levels of a [`FullLevels::orbit_rank`].
    pub(super) fn unrank_orbit(levels: usize, rank: u32) -> FullLevels {
        let (green, blue, within) = Counted::Orbits.split(&ORBITS, levels, rank);
        if green != blue {
            return FullLevels::from_product(levels, green, blue, within);
        }
        let pairs = triangle(multisets(green));
        let pair = within % pairs;
        let root = (2 * pair).isqrt();
        let green_rank = if triangle(root) > pair { root - 1 } else { root };
        FullLevels {
            even: Side { levels: levels - green - blue, rank: within / pairs },
            green: Side { levels: green, rank: green_rank },
            blue: Side { levels: blue, rank: pair - triangle(green_rank) },
        }
    }

    fn from_product(levels: usize, green: usize, blue: usize, product: u32) -> FullLevels {
        let (rest, blue_rank) = (product / multisets(blue), product % multisets(blue));
        let (even_rank, green_rank) = (rest / multisets(green), rest % multisets(green));
        FullLevels {
            even: Side { levels: levels - green - blue, rank: even_rank },
            green: Side { levels: green, rank: green_rank },
            blue: Side { levels: blue, rank: blue_rank },
        }
    }

    /// Levels by kind.
    pub(super) fn counts(&self) -> [u8; FULL_KINDS] {
        let mut counts = [0; FULL_KINDS];
        let (even, sided) = counts.split_at_mut(EVEN);
        let (green, blue) = sided.split_at_mut(GREEN);
        for (side, counts) in [(self.even, even), (self.green, green), (self.blue, blue)] {
            unrank(side.rank, side.levels, counts);
        }
        counts
    }
}

impl From<&[u8; FULL_KINDS]> for FullLevels {
    fn from(counts: &[u8; FULL_KINDS]) -> FullLevels {
        let (even, sided) = counts.split_at(EVEN);
        let (green, blue) = sided.split_at(GREEN);
        FullLevels { even: Side::of(even), green: Side::of(green), blue: Side::of(blue) }
    }
}

/// Half levels by the colour of their side block.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfLevels {
    red: u32,
    green: u32,
    blue: u32,
}

impl HalfLevels {
    pub(super) fn count(&self) -> u32 {
        self.red + self.green + self.blue
    }

    pub(super) fn swapped(&self) -> HalfLevels {
        HalfLevels { red: self.red, green: self.blue, blue: self.green }
    }

    pub(super) fn is_even(&self) -> bool {
        self.green == self.blue
    }

    pub(super) fn is_bluer(&self) -> bool {
        self.green < self.blue
    }

    /// The number among all.
    pub(super) fn rank(&self) -> u32 {
        triangle(self.green + self.blue) + self.blue
    }

    /// The number among those with more green than blue.
    pub(super) fn greener_rank(&self) -> u32 {
        let sided = self.green + self.blue;
        sided * sided / 4 + self.blue
    }

    /// The number among those with as many green as blue.
    pub(super) fn even_rank(&self) -> u32 {
        self.green
    }

    /// The levels of a [`HalfLevels::rank`].
    pub(super) fn unrank(levels: u32, rank: u32) -> HalfLevels {
        HalfLevels::from_sided(levels, rank, triangle)
    }

    /// The levels of a [`HalfLevels::greener_rank`].
    pub(super) fn unrank_greener(levels: u32, rank: u32) -> HalfLevels {
        HalfLevels::from_sided(levels, rank, |sided| sided * sided / 4)
    }

    /// The levels of a [`HalfLevels::even_rank`].
    pub(super) fn unrank_even(levels: u32, rank: u32) -> HalfLevels {
        HalfLevels { red: levels - 2 * rank, green: rank, blue: rank }
    }

    /// The levels of a number, `before` of which have fewer green and blue ones.
    fn from_sided(levels: u32, rank: u32, before: fn(u32) -> u32) -> HalfLevels {
        let sided = (0..=levels).rev().find(|&sided| before(sided) <= rank).unwrap_or(0);
        let blue = rank - before(sided);
        HalfLevels { red: levels - sided, green: sided - blue, blue }
    }

    /// Levels by the colour of their side block.
    pub(super) fn counts(&self) -> [u8; HALF_KINDS] {
        [self.red, self.green, self.blue].map(|count| count as u8)
    }
}

impl From<&[u8; HALF_KINDS]> for HalfLevels {
    fn from(counts: &[u8; HALF_KINDS]) -> HalfLevels {
        let [red, green, blue] = counts.map(u32::from);
        HalfLevels { red, green, blue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawn_example_is_true() {
        assert_eq!(rank(&[1, 0, 2, 1]), 12);
        let mut counts = [0; 4];
        unrank(12, 4, &mut counts);
        assert_eq!(counts, [1, 0, 2, 1]);
    }

    #[test]
    fn orbits_are_as_many_as_burnside_counts() {
        for levels in 0..=MAX_FULLS {
            let even = (0..FullLevels::all(levels))
                .map(|rank| FullLevels::unrank(levels, rank))
                .filter(|full| full.green == full.blue)
                .count();
            assert_eq!(FullLevels::evens(levels) as usize, even, "{levels} levels");
        }
    }
}
