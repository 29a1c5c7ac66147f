//! Ranks of multisets of levels, without gaps.
//!
//! The full levels are three multisets: of the 2 even kinds, of the 8 green kinds and of the 8 blue kinds. They are
//! ordered by the number `g` of green levels, then by the number `b` of blue levels. Among the full levels with the
//! same `g` and `b`, the rank follows from the ranks `even`, `green` and `blue` of the three multisets:
//!
//! ```text
//!   all     (even · M(g) + green) · M(b) + blue          M(m) = C(m + 7, 7), the multisets of m levels of 8 kinds
//!   orbit   g > b: the same;  g < b: no rank;  g = b: only green >= blue has a rank,
//!           even · M(g)(M(g) + 1)/2 + green(green + 1)/2 + blue
//! ```
//!
//! An orbit is a multiset of full levels together with its swap. A multiset is ranked by the positions of its bars
//! (stars and bars): if `s` levels have one of the kinds `0 … j`, bar `j` is at position `s + j`:
//!
//! ```text
//!   counts  1 0 2 1      * | | * * | *      bars at 1, 2, 5      rank = C(1,1) + C(2,2) + C(5,3) = 12
//! ```
//!
//! For half levels, `g` green and `b` blue, with `w = g + b`:
//!
//! ```text
//!             rank                      number of ranks with w up to 0, 1, 2, 3, …
//!   all       w(w + 1)/2 + b            1, 3, 6, 10, …
//!   greener   ⌊w²/4⌋ + b   (g > b)      0, 1, 2, 4, …
//!   even      w/2          (g = b)      1, 1, 2, 2, …
//! ```

use crate::combinations;
use crate::jenga::form::{FULL_KINDS, HALF_KINDS, KindCounts};

/// The largest number of full levels that can be ranked.
pub(super) const MAX_FULLS: usize = 7;

const EVEN_KINDS: usize = KindCounts::FULL.even as usize;
const GREEN_KINDS: usize = KindCounts::FULL.green as usize;

/// The triangular number `1 + 2 + … + side`.
pub(super) const fn triangle(side: u32) -> u32 {
    side * (side + 1) / 2
}

/// The number of multisets of `levels` levels of the green kinds. It is the same for the blue kinds.
const fn multisets(levels: usize) -> u32 {
    combinations::count(levels + GREEN_KINDS - 1, GREEN_KINDS - 1)
}

/// The rank of a multiset, given by the counts of each kind, among those with the same number of levels.
fn rank(counts: &[u8]) -> u32 {
    let mut levels = 0;
    let bars = counts[..counts.len() - 1].iter().enumerate();
    combinations::rank(bars.map(|(bar, &count)| {
        levels += usize::from(count);
        levels + bar
    }))
}

/// Fills in the counts of the multiset of `levels` levels with this rank, from the last bar to the first.
fn unrank(rank: u32, mut levels: usize, counts: &mut [u8]) {
    let bars = counts.len() - 1;
    for (bar, position) in (0..bars).rev().zip(combinations::unrank(rank, bars, levels + bars)) {
        let before = position - bar;
        counts[bar + 1] = (levels - before) as u8;
        levels = before;
    }
    counts[0] = levels as u8;
}

/// The levels of the even, green or blue kinds: their number and the rank of their multiset. Full levels are greener
/// than their swap if `green > blue` in the derived order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    levels: usize,
    rank: u32,
}

impl Group {
    fn of(counts: &[u8]) -> Group {
        Group { levels: counts.iter().map(|&count| usize::from(count)).sum(), rank: rank(counts) }
    }
}

/// Full levels, split into even, green and blue kinds.
#[derive(Debug, Clone, Copy)]
pub(super) struct FullLevels {
    even: Group,
    green: Group,
    blue: Group,
}

/// Which multisets of full levels have a rank.
#[derive(Clone, Copy)]
enum Counted {
    All,
    Orbits,
}

/// `before[levels][green][blue]` multisets of `levels` full levels come before those with these numbers of green and
/// blue levels; `total[levels]` is the number of all of them.
struct Sizes {
    before: [[[u32; MAX_FULLS + 1]; MAX_FULLS + 1]; MAX_FULLS + 1],
    total: [u32; MAX_FULLS + 1],
}

static ALL: Sizes = Counted::All.sizes();
static ORBITS: Sizes = Counted::Orbits.sizes();

impl Counted {
    /// The number of multisets with these numbers of even, green and blue levels.
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

    /// The numbers of green and blue levels for a rank, and the rank among the multisets with these numbers.
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
    /// The number of multisets of `levels` full levels.
    pub(super) const fn all(levels: usize) -> u32 {
        ALL.total[levels]
    }

    /// The number of multisets of `levels` full levels, where a multiset and its swap count as one.
    pub(super) const fn orbits(levels: usize) -> u32 {
        ORBITS.total[levels]
    }

    /// The number of multisets of `levels` full levels that the swap does not change.
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

    /// The rank among all multisets.
    pub(super) fn rank(&self) -> u32 {
        ALL.before[self.count()][self.green.levels][self.blue.levels] + self.product()
    }

    /// The rank among the orbits. These levels must not be bluer than their swap.
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

    /// The levels with this [`FullLevels::rank`].
    pub(super) fn unrank(levels: usize, rank: u32) -> FullLevels {
        let (green, blue, within) = Counted::All.split(&ALL, levels, rank);
        FullLevels::from_product(levels, green, blue, within)
    }

    /// The levels with this [`FullLevels::orbit_rank`].
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
            even: Group { levels: levels - green - blue, rank: within / pairs },
            green: Group { levels: green, rank: green_rank },
            blue: Group { levels: blue, rank: pair - triangle(green_rank) },
        }
    }

    fn from_product(levels: usize, green: usize, blue: usize, product: u32) -> FullLevels {
        let (rest, blue_rank) = (product / multisets(blue), product % multisets(blue));
        let (even_rank, green_rank) = (rest / multisets(green), rest % multisets(green));
        FullLevels {
            even: Group { levels: levels - green - blue, rank: even_rank },
            green: Group { levels: green, rank: green_rank },
            blue: Group { levels: blue, rank: blue_rank },
        }
    }

    /// The number of levels of each kind.
    pub(super) fn counts(&self) -> [u8; FULL_KINDS] {
        let mut counts = [0; FULL_KINDS];
        let (even, rest) = counts.split_at_mut(EVEN_KINDS);
        let (green, blue) = rest.split_at_mut(GREEN_KINDS);
        for (group, counts) in [(self.even, even), (self.green, green), (self.blue, blue)] {
            unrank(group.rank, group.levels, counts);
        }
        counts
    }
}

impl From<&[u8; FULL_KINDS]> for FullLevels {
    fn from(counts: &[u8; FULL_KINDS]) -> FullLevels {
        let (even, rest) = counts.split_at(EVEN_KINDS);
        let (green, blue) = rest.split_at(GREEN_KINDS);
        FullLevels { even: Group::of(even), green: Group::of(green), blue: Group::of(blue) }
    }
}

/// The number of half levels for each colour of the side block.
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

    /// The rank among all half levels.
    pub(super) fn rank(&self) -> u32 {
        triangle(self.green + self.blue) + self.blue
    }

    /// The rank among those with more green than blue.
    pub(super) fn greener_rank(&self) -> u32 {
        let not_red = self.green + self.blue;
        not_red * not_red / 4 + self.blue
    }

    /// The rank among those with as many green as blue.
    pub(super) fn even_rank(&self) -> u32 {
        self.green
    }

    /// The levels with this [`HalfLevels::rank`].
    pub(super) fn unrank(levels: u32, rank: u32) -> HalfLevels {
        HalfLevels::unrank_by(triangle, levels, rank)
    }

    /// The levels with this [`HalfLevels::greener_rank`].
    pub(super) fn unrank_greener(levels: u32, rank: u32) -> HalfLevels {
        HalfLevels::unrank_by(|not_red| not_red * not_red / 4, levels, rank)
    }

    /// The levels with this [`HalfLevels::even_rank`].
    pub(super) fn unrank_even(levels: u32, rank: u32) -> HalfLevels {
        HalfLevels { red: levels - 2 * rank, green: rank, blue: rank }
    }

    /// The levels with this rank. `before(w)` is the number of ranks with fewer than `w` green and blue levels.
    fn unrank_by(before: fn(u32) -> u32, levels: u32, rank: u32) -> HalfLevels {
        let not_red = (0..=levels).rev().find(|&not_red| before(not_red) <= rank).unwrap_or(0);
        let blue = rank - before(not_red);
        HalfLevels { red: levels - not_red, green: not_red - blue, blue }
    }

    /// The number of levels for each colour of the side block.
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
    fn the_documented_example_holds() {
        assert_eq!(rank(&[1, 0, 2, 1]), 12);
        let mut counts = [0; 4];
        unrank(12, 4, &mut counts);
        assert_eq!(counts, [1, 0, 2, 1]);
    }

    #[test]
    fn orbits_are_counted_by_burnsides_lemma() {
        for levels in 0..=MAX_FULLS {
            let even = (0..FullLevels::all(levels))
                .map(|rank| FullLevels::unrank(levels, rank))
                .filter(|full| full.green == full.blue)
                .count();
            assert_eq!(FullLevels::evens(levels) as usize, even, "{levels} levels");
        }
    }
}
