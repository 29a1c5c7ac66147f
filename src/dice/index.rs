//! The ranks of hands and of kept dice, and the three tables.
//!
//! Sorted dice are a multiset. Adding 0, 1, 2, … to the faces (counted from 0) makes them distinct. The combinatorial
//! number system ranks the resulting set without gaps:
//!
//! ```text
//!   dice  1 1 4 6 6      face - 1   0   0   3   5   5
//!                      + place      0   1   2   3   4
//!                      = c          0   1   5   8   9
//!   rank = C(0,1) + C(1,2) + C(5,3) + C(8,4) + C(9,5) = 0 + 0 + 10 + 70 + 126 = 206   of 0 … 251
//! ```
//!
//! Kept dice are ranked in the same way, after all smaller sets of kept dice:
//!
//! ```text
//!   dice kept        0    1      2       3        4         5
//!   ranks            0   1-6   7-27   28-83   84-209   210-461
//!
//!   pairs    rank = hand of A · 252 + hand of B
//!   rerolls  rank = kept · 252 + hand that results
//! ```

use super::chance::{Chance, ROLLS};
use super::rules::{DICE, FACES, Hand, Kept};
use crate::combinations;
use crate::table::{RecordType, Remedy, Spec, Values};

/// The number of different hands.
pub const HAND_COUNT: usize = 252;
/// The number of different sets of kept dice, from none to all five.
pub const KEPT_COUNT: usize = 462;

/// The chance that A wins after the first rolls, for every pair of hands.
pub static PAIRS: Spec = Spec {
    name: "dice",
    game: "dice",
    rules: "dice poker 1: record a*252+b is the number of ways out of 6^10 in which A wins with hand a against hand b \
            before both rerolls, both playing their best; a draw is no win; hands are numbered as sorted multisets",
    records: RecordType::U32,
    block_records: 8 * HAND_COUNT as u32,
    positions: Some((HAND_COUNT * HAND_COUNT) as u64),
    values: Values::UpTo(Chance::DENOMINATOR as f64),
    remedy: Remedy::Generate("dice"),
};

/// The number of hands that each hand beats.
pub static HANDS: Spec = Spec {
    name: "dice-hands",
    game: "dice",
    rules: "dice poker 1: record h is the number of hands that hand h beats; hands are numbered as sorted multisets",
    records: RecordType::U8,
    block_records: HAND_COUNT as u32,
    positions: Some(HAND_COUNT as u64),
    values: Values::UpTo((HAND_COUNT - 1) as f64),
    remedy: Remedy::Generate("dice"),
};

/// The distribution of the final hand for every set of kept dice.
pub static REROLLS: Spec = Spec {
    name: "dice-rerolls",
    game: "dice",
    rules: "dice poker 1: record k*252+h is the number of ways out of 6^5 in which keeping k ends in hand h; hands and \
            kept dice are numbered as sorted multisets, smaller sets of kept dice first",
    records: RecordType::U16,
    block_records: 21 * HAND_COUNT as u32,
    positions: Some((KEPT_COUNT * HAND_COUNT) as u64),
    values: Values::UpTo(ROLLS as f64),
    remedy: Remedy::Generate("dice"),
};

/// The rank of a hand, below 252.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandRank(u8);

impl HandRank {
    /// Every rank.
    pub fn all() -> impl Iterator<Item = HandRank> {
        (0..HAND_COUNT as u8).map(HandRank)
    }

    /// The rank as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The hand with this rank.
    pub fn hand(self) -> Hand {
        let mut faces = [0; DICE];
        unrank(self.index(), &mut faces);
        Hand::new(faces).expect("a rank gives faces from 1 to 6")
    }
}

impl From<Hand> for HandRank {
    fn from(hand: Hand) -> HandRank {
        HandRank(rank(hand.faces()) as u8)
    }
}

/// The rank of a set of kept dice, below 462.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeptRank(u16);

impl KeptRank {
    /// Every rank.
    pub fn all() -> impl Iterator<Item = KeptRank> {
        (0..KEPT_COUNT as u16).map(KeptRank)
    }

    /// The rank as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The kept dice with this rank.
    pub fn kept(self) -> Kept {
        let size = (0..=DICE).rev().find(|&size| first_of_size(size) <= self.index()).unwrap_or(0);
        let mut faces = [0; DICE];
        unrank(self.index() - first_of_size(size), &mut faces[..size]);
        let mut kept = Kept::default();
        for face in &faces[..size] {
            kept.counts[usize::from(*face) - 1] += 1;
        }
        kept
    }
}

impl From<Kept> for KeptRank {
    fn from(kept: Kept) -> KeptRank {
        KeptRank((first_of_size(kept.len()) + rank(&kept.faces())) as u16)
    }
}

/// The rank of a pair of hands in [`PAIRS`].
pub fn pair_rank(a: HandRank, b: HandRank) -> u64 {
    (a.index() * HAND_COUNT + b.index()) as u64
}

/// The rank of the first record of the distribution of `kept` in [`REROLLS`].
pub fn distribution_rank(kept: KeptRank) -> u64 {
    (kept.index() * HAND_COUNT) as u64
}

/// The number of sets with fewer than `size` dice, which is C(size + 5, 6).
fn first_of_size(size: usize) -> usize {
    combinations::count(size + FACES - 1, FACES) as usize
}

/// The rank of ascending faces among those of the same length.
fn rank(faces: &[u8]) -> usize {
    combinations::rank(faces.iter().enumerate().map(|(place, &face)| usize::from(face) - 1 + place)) as usize
}

/// Fills in the ascending faces with this rank.
fn unrank(rank: usize, faces: &mut [u8]) {
    let size = faces.len();
    for (place, member) in (0..size).rev().zip(combinations::unrank(rank as u32, size, FACES - 1 + size)) {
        faces[place] = (member - place + 1) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hand_round_trips_through_its_rank() {
        for rank in HandRank::all() {
            assert_eq!(HandRank::from(rank.hand()), rank);
        }
    }

    #[test]
    fn every_rank_is_the_rank_of_some_roll() {
        let mut seen = [0; HAND_COUNT];
        for roll in 0..6_u32.pow(5) {
            let faces = [0, 1, 2, 3, 4].map(|die| (roll / 6_u32.pow(die) % 6) as u8 + 1);
            seen[HandRank::from(Hand::new(faces).unwrap()).index()] += 1;
        }
        assert!(seen.iter().all(|&rolls| rolls > 0));
    }

    #[test]
    fn every_set_of_kept_dice_round_trips_through_its_rank() {
        for rank in KeptRank::all() {
            assert_eq!(KeptRank::from(rank.kept()), rank);
        }
        let sizes: Vec<usize> = KeptRank::all().map(|rank| rank.kept().len()).collect();
        assert!(sizes.is_sorted());
        assert_eq!(sizes.last(), Some(&DICE));
    }

    #[test]
    fn the_documented_examples_hold() {
        assert_eq!(HandRank::from(Hand::new([1, 1, 4, 6, 6]).unwrap()).index(), 206);
        assert_eq!([0, 1, 2, 3, 4, 5].map(first_of_size), [0, 1, 7, 28, 84, 210]);
    }
}
