//! The form of a tower: only what its value depends on. Many towers have the same form.
//!
//! ```text
//!   tower              form
//!   R . G     top      top     R.G is the same as its mirror image G.R
//!   R G B              full    RGB is the same as BGR; one of 18 kinds
//!   . B .              -       no block can be taken
//!   B B .              half    B: the side block that can still be taken, one of 3 kinds
//!   R . G              -       no block can be taken
//!   B G R     bottom   full    BGR, the same kind as RGB
//! ```
//!
//! The order of the levels below the top does not matter, so a form counts them by kind. Green and blue have the same
//! number of sides on the die, so swapping them changes no value. The kinds are numbered so that the swap is simple
//! arithmetic: first the *even* kinds, which the swap does not change, then the *green* kinds, then the *blue* kinds,
//! in the order of the green kinds that the swap turns into them.

use super::rules::{Colour, Level, PLACES, Place, Tower};

/// The number of kinds of full levels.
pub const FULL_KINDS: usize = 18;
/// The number of kinds of half levels. The kind is the colour of the remaining side block.
pub const HALF_KINDS: usize = Colour::ALL.len();

/// The numbers of even and green kinds among the levels with a given number of blocks. Blue kinds are as many as green.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindCounts {
    /// The number of kinds that the swap of green and blue does not change.
    pub even: u8,
    /// The number of kinds that the swap turns into a blue kind.
    pub green: u8,
}

impl KindCounts {
    /// The kinds of full levels.
    pub const FULL: KindCounts = KindCounts::of_blocks(PLACES as u8);

    /// The kinds of levels with this number of blocks, 1 to 3.
    pub const fn of_blocks(blocks: u8) -> KindCounts {
        match blocks {
            1 => KindCounts { even: 2, green: 2 },
            2 => KindCounts { even: 3, green: 6 },
            _ => KindCounts { even: 2, green: 8 },
        }
    }

    /// The number of kinds.
    pub const fn kinds(self) -> u8 {
        self.even + 2 * self.green
    }

    /// The kind after swapping green and blue.
    const fn swapped(self, kind: u8) -> u8 {
        if kind < self.even {
            kind
        } else if kind < self.even + self.green {
            kind + self.green
        } else {
            kind - self.green
        }
    }
}

/// The even and the green kinds of levels with one, two and three blocks.
const PATTERNS: [&[&[u8; PLACES]]; PLACES] = [
    &[b"R..", b".R.", b"G..", b".G."],
    &[b"RR.", b"R.R", b"G.B", b"RG.", b"GR.", b"GG.", b"GB.", b"R.G", b"G.G"],
    &[b"RRR", b"GRB", b"RRG", b"RGR", b"RGG", b"RBG", b"GRG", b"GGG", b"GGB", b"GBG"],
];

const fn pattern_level(pattern: &[u8; PLACES]) -> Level {
    let [left, middle, right] = *pattern;
    Level::EMPTY
        .with(Place::Left, Colour::from_letter(left))
        .with(Place::Middle, Colour::from_letter(middle))
        .with(Place::Right, Colour::from_letter(right))
}

/// A level of every kind: `LEVELS[blocks - 1][kind]`.
const LEVELS: [[Level; FULL_KINDS]; PLACES] = {
    let mut levels = [[Level::EMPTY; FULL_KINDS]; PLACES];
    let mut row = 0;
    while row < PLACES {
        let counts = KindCounts::of_blocks(row as u8 + 1);
        let mut kind = PATTERNS[row].len();
        while kind > 0 {
            kind -= 1;
            let level = pattern_level(PATTERNS[row][kind]);
            // The swap of an even kind is the kind itself, so the next line overwrites this one.
            levels[row][counts.swapped(kind as u8) as usize] = level.swapped();
            levels[row][kind] = level;
        }
        row += 1;
    }
    levels
};

/// The kind of every level among the levels with the same number of blocks.
const KINDS: [u8; Level::COUNT] = {
    let mut kinds = [0; Level::COUNT];
    let mut row = 0;
    while row < PLACES {
        let mut kind = 0;
        while kind < KindCounts::of_blocks(row as u8 + 1).kinds() {
            let level = LEVELS[row][kind as usize];
            kinds[level.index()] = kind;
            kinds[level.mirrored().index()] = kind;
            kind += 1;
        }
        row += 1;
    }
    kinds
};

/// The top level, without the difference between left and right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Top {
    blocks: u8,
    kind: u8,
}

impl Top {
    /// The top with this number of blocks, 1 to 3, and this kind, below [`KindCounts::kinds`].
    pub fn new(blocks: u8, kind: u8) -> Top {
        debug_assert!(kind < KindCounts::of_blocks(blocks).kinds());
        Top { blocks, kind }
    }

    /// The number of blocks, 1 to 3.
    pub fn blocks(self) -> u8 {
        self.blocks
    }

    /// The kind, below [`KindCounts::kinds`].
    pub fn kind(self) -> u8 {
        self.kind
    }

    /// The kinds of tops with the same number of blocks.
    pub fn kind_counts(self) -> KindCounts {
        KindCounts::of_blocks(self.blocks)
    }

    /// A level of this kind.
    pub fn level(self) -> Level {
        LEVELS[usize::from(self.blocks) - 1][usize::from(self.kind)]
    }

    /// Whether the next block starts a new level.
    pub fn is_complete(self) -> bool {
        usize::from(self.blocks) == PLACES
    }

    /// The top after swapping green and blue.
    #[must_use]
    pub fn swapped(self) -> Top {
        Top { blocks: self.blocks, kind: self.kind_counts().swapped(self.kind) }
    }

    /// The different tops after a block of this colour is put on it, or on a new level if this top is complete.
    pub fn puts(self, colour: Colour) -> impl Iterator<Item = Top> {
        let level = if self.is_complete() { Level::EMPTY } else { self.level() };
        let different = if level.mirrored() == level { &Place::ALL[..2] } else { &Place::ALL[..] };
        let free = different.iter().filter(move |&&place| level.get(place).is_none());
        free.map(move |&place| Top::from(level.with(place, Some(colour))))
    }
}

impl From<Level> for Top {
    /// The level must have at least one block.
    fn from(level: Level) -> Top {
        Top { blocks: level.blocks(), kind: KINDS[level.index()] }
    }
}

/// A block taken from a full level.
#[derive(Clone, Copy)]
struct FullTake {
    colour: Colour,
    /// The side block that can still be taken afterwards.
    rest: Option<Colour>,
}

/// The different takes from a full level of each kind.
const TAKES: [[Option<FullTake>; PLACES]; FULL_KINDS] = {
    let mut takes = [[None; PLACES]; FULL_KINDS];
    let mut kind = 0;
    while kind < FULL_KINDS {
        let level = LEVELS[PLACES - 1][kind];
        let sides = (level.get(Place::Left), level.get(Place::Right));
        if let ((Some(left), Some(right)), Some(middle)) = (sides, level.get(Place::Middle)) {
            takes[kind][0] = Some(FullTake { colour: middle, rest: None });
            takes[kind][1] = Some(FullTake { colour: left, rest: Some(right) });
            if left as u8 != right as u8 {
                takes[kind][2] = Some(FullTake { colour: right, rest: Some(left) });
            }
        }
        kind += 1;
    }
    takes
};

/// The levels below the top from which blocks can be taken, counted by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Below {
    pub(super) full: [u8; FULL_KINDS],
    pub(super) half: [u8; HALF_KINDS],
}

impl Below {
    /// These levels and one more.
    #[must_use]
    pub fn with(mut self, level: Level) -> Below {
        match Place::ALL.map(|place| level.get(place)) {
            [Some(_), Some(_), Some(_)] => self.full[usize::from(KINDS[level.index()])] += 1,
            [Some(side), Some(_), None] | [None, Some(_), Some(side)] => self.half[side as usize] += 1,
            _ => {}
        }
        self
    }

    /// The number of full levels of each kind.
    pub fn full(&self) -> &[u8; FULL_KINDS] {
        &self.full
    }

    /// The number of half levels for each colour of the side block.
    pub fn half(&self) -> &[u8; HALF_KINDS] {
        &self.half
    }

    /// The levels after swapping green and blue.
    #[must_use]
    pub fn swapped(&self) -> Below {
        let mut swapped = Below::default();
        for (kind, &count) in (0..).zip(&self.full) {
            swapped.full[usize::from(KindCounts::FULL.swapped(kind))] = count;
        }
        for colour in Colour::ALL {
            swapped.half[colour.swapped() as usize] = self.half[colour as usize];
        }
        swapped
    }

    /// The different takes. Levels of the same kind give the same takes, and so do equal side blocks of a level.
    pub fn takes(&self) -> impl Iterator<Item = Take> {
        let full_kinds = (0..FULL_KINDS).filter(|&kind| self.full[kind] > 0);
        let from_full = full_kinds.flat_map(move |kind| {
            TAKES[kind].iter().flatten().map(move |&FullTake { colour, rest }| {
                let mut below = *self;
                below.full[kind] -= 1;
                if let Some(side) = rest {
                    below.half[side as usize] += 1;
                }
                Take { colour, below }
            })
        });
        let half_kinds = Colour::ALL.into_iter().filter(|&colour| self.half[colour as usize] > 0);
        from_full.chain(half_kinds.map(move |colour| {
            let mut below = *self;
            below.half[colour as usize] -= 1;
            Take { colour, below }
        }))
    }
}

/// Taking a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Take {
    /// The colour of the block.
    pub colour: Colour,
    /// The levels below the top afterwards.
    pub below: Below,
}

/// The form of a tower. Towers with the same form have the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Form {
    /// The levels below the top from which blocks can be taken.
    pub below: Below,
    /// The top.
    pub top: Top,
}

impl Form {
    /// The form after swapping green and blue. It has the same value.
    #[must_use]
    pub fn swapped(&self) -> Form {
        Form { below: self.below.swapped(), top: self.top.swapped() }
    }

    /// The different takes. A complete top is counted among the levels below, because the block is put on a new level.
    pub fn takes(&self) -> impl Iterator<Item = Take> {
        let covered = if self.top.is_complete() { self.top.level() } else { Level::EMPTY };
        self.below.takes().map(move |take| Take { below: take.below.with(covered), ..take })
    }

    /// A tower with this form. Its full levels are at the bottom.
    pub fn tower(&self) -> Tower {
        let kinds = (0..).zip(&self.below.full);
        let full = kinds
            .flat_map(|(kind, &count)| std::iter::repeat_n(Top::new(PLACES as u8, kind).level(), usize::from(count)));
        let half = Colour::ALL.into_iter().flat_map(|side| {
            let level = Level::EMPTY.with(Place::Left, Some(side)).with(Place::Middle, Some(side));
            std::iter::repeat_n(level, usize::from(self.below.half[side as usize]))
        });
        let levels = full.chain(half).chain([self.top.level()]).collect();
        Tower::new(levels).expect("the levels of a form stand")
    }
}

impl From<&Tower> for Form {
    fn from(tower: &Tower) -> Form {
        let below = tower.below().iter().fold(Below::default(), |below, &level| below.with(level));
        Form { below, top: tower.top().into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_with_a_block_has_a_kind_and_the_swap_of_levels_is_the_swap_of_kinds() {
        let mut seen = [[0; FULL_KINDS]; PLACES];
        for letters in (0..Level::COUNT).map(|code| [code % 4, code / 4 % 4, code / 16].map(|place| b".RGB"[place])) {
            let level = Level::from_letters(&letters).unwrap();
            if level == Level::EMPTY {
                continue;
            }
            let top = Top::from(level);
            seen[usize::from(top.blocks()) - 1][usize::from(top.kind())] += 1;
            assert!(top.level() == level || top.level() == level.mirrored(), "{level}");
            assert_eq!(Top::from(level.swapped()), top.swapped(), "{level}");
        }
        for (blocks, row) in (1..).zip(seen) {
            assert_eq!(
                row.iter().filter(|&&levels| levels > 0).count(),
                usize::from(KindCounts::of_blocks(blocks).kinds())
            );
        }
    }

    #[test]
    fn the_documented_tower_has_the_documented_form() {
        let levels = ["BGR", "R.G", "BB.", ".B.", "RGB", "R.G"].map(|level| level.parse().unwrap());
        let form = Form::from(&Tower::new(levels.to_vec()).unwrap());
        let same = ["RGB", "RGB", ".RB", "G.R"].map(|level| level.parse().unwrap());
        assert_eq!(form, Form::from(&Tower::new(same.to_vec()).unwrap()));
        assert_eq!(form, Form::from(&form.tower()));
        assert_eq!(form.below.full().iter().sum::<u8>(), 2);
        assert_eq!(form.below.half(), &[0, 0, 1]);
    }
}
