//! Chances: looked up for first rolls, and worked out for every choice from the distributions of rerolls.

use std::cmp::Reverse;

use super::chance::{Chance, ROLLS};
use super::index::{self, HAND_COUNT, HANDS, HandRank, KeptRank, PAIRS, REROLLS};
use super::rules::{Case, Hand, Keep};
use crate::table::{MappedFile, Places, Table, TableError};

/// The answers for first rolls, by lookup.
pub struct Answers<D> {
    pairs: Table<D, u32>,
}

impl Answers<MappedFile> {
    /// Opens the table of pairs.
    pub fn open(places: &Places) -> Result<Self, TableError> {
        Ok(Answers { pairs: places.open(&PAIRS)? })
    }
}

impl<D: AsRef<[u8]>> Answers<D> {
    /// The chance that A wins after the first rolls, before both rerolls.
    pub fn first_rolls(&self, a: Hand, b: Hand) -> Result<Chance, TableError> {
        let rank = index::pair_rank(a.into(), b.into());
        Chance::from_ways(self.pairs.get(rank)?).ok_or_else(|| self.pairs.makes_no_sense(rank))
    }
}

/// Who decides next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Both have rolled once: A decides, then B.
    FirstRolls,
    /// A's hand is final: B decides.
    AFinished,
}

/// A choice of dice to keep, with the chance that A wins if both play their best from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The dice that stay, and how many of the 32 choices this is.
    pub keep: Keep,
    /// The chance that A wins.
    pub chance: Chance,
}

/// What the player who decides may do, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The hands.
    pub case: Case,
    /// Who decides.
    pub stage: Stage,
    /// All choices, the best for the one who decides first, equal ones by the number of dice rerolled.
    pub choices: Vec<Choice>,
}

impl Advice {
    /// The chance that A wins with the best choice.
    pub fn chance(&self) -> Chance {
        self.choices[0].chance
    }
}

/// A's chance against B's best reply, over 6^5, for every final hand of A.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replies {
    wins: [u32; HAND_COUNT],
}

/// Works out every choice from the weights of the hands and the distributions of rerolls.
///
/// A case takes some 8,000 additions per player, so nothing more than these two small tables is stored for it.
pub struct Adviser<D> {
    hands: Table<D, u8>,
    rerolls: Table<D, u16>,
}

impl Adviser<MappedFile> {
    /// Opens the tables of hands and of rerolls.
    pub fn open(places: &Places) -> Result<Self, TableError> {
        Ok(Adviser::new(places.open(&HANDS)?, places.open(&REROLLS)?))
    }
}

impl<D: AsRef<[u8]>> Adviser<D> {
    /// Takes the tables of hands and of rerolls.
    pub fn new(hands: Table<D, u8>, rerolls: Table<D, u16>) -> Self {
        Adviser { hands, rerolls }
    }

    /// Every choice of the player who decides, with its chance.
    pub fn advise(&self, case: Case, stage: Stage) -> Result<Advice, TableError> {
        let mut choices = match stage {
            Stage::FirstRolls => self.choices_of_a(case)?,
            Stage::AFinished => self.choices_of_b(case)?,
        };
        choices.sort_by_key(|choice| {
            let ways = choice.chance.ways();
            let worst_last = match stage {
                Stage::FirstRolls => Chance::DENOMINATOR - ways,
                Stage::AFinished => ways,
            };
            (worst_last, Reverse(choice.keep.kept.len()))
        });
        Ok(Advice { case, stage, choices })
    }

    /// A's chance for every final hand of his when B, who holds `b`, replies with her best.
    pub fn replies(&self, b: Hand) -> Result<Replies, TableError> {
        let weights = self.weights()?;
        let mut wins = [ROLLS; HAND_COUNT];
        for keep in b.keeps() {
            let lighter = self.ways_to_stay_lighter(keep.kept.into())?;
            for (wins, &weight) in wins.iter_mut().zip(weights) {
                *wins = lighter[usize::from(weight)].min(*wins);
            }
        }
        Ok(Replies { wins })
    }

    /// The chance that A wins when he keeps `kept` against these replies.
    pub fn chance(&self, kept: KeptRank, replies: &Replies) -> Result<Chance, TableError> {
        let distribution = self.distribution(kept)?;
        let products = distribution.iter().zip(&replies.wins).map(|(&ways, &wins)| u64::from(ways) * u64::from(wins));
        Ok(Chance::out_of_products(products.sum()))
    }

    fn choices_of_a(&self, case: Case) -> Result<Vec<Choice>, TableError> {
        let replies = self.replies(case.b)?;
        let choice = |keep: Keep| Ok(Choice { keep, chance: self.chance(keep.kept.into(), &replies)? });
        case.a.keeps().into_iter().map(choice).collect()
    }

    fn choices_of_b(&self, case: Case) -> Result<Vec<Choice>, TableError> {
        let weight = usize::from(self.weights()?[HandRank::from(case.a).index()]);
        let choice = |keep: Keep| {
            let ways = self.ways_to_stay_lighter(keep.kept.into())?[weight];
            Ok(Choice { keep, chance: Chance::out_of_products(u64::from(ways) * u64::from(ROLLS)) })
        };
        case.b.keeps().into_iter().map(choice).collect()
    }

    /// For every weight, in how many ways out of 6^5 a reroll ends in a lighter hand.
    fn ways_to_stay_lighter(&self, kept: KeptRank) -> Result<[u32; 256], TableError> {
        let mut of_weight = [0; 256];
        for (&weight, &ways) in self.weights()?.iter().zip(self.distribution(kept)?) {
            of_weight[usize::from(weight)] += u32::from(ways);
        }
        let mut lighter = 0;
        Ok(of_weight.map(|ways| {
            lighter += ways;
            lighter - ways
        }))
    }

    /// For every hand how many hands it beats, which is its weight as a number.
    fn weights(&self) -> Result<&[u8], TableError> {
        self.hands.row(0, HAND_COUNT)
    }

    fn distribution(&self, kept: KeptRank) -> Result<&[u16], TableError> {
        self.rerolls.row(index::distribution_rank(kept), HAND_COUNT)
    }
}
