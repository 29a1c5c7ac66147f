//! The chance after every choice, computed from the distributions of rerolls.

use std::sync::OnceLock;

use super::chance::{Chance, ROLLS};
use super::index::{self, HAND_COUNT, HandRank, KeptRank};
use super::rules::{Arrangement, Case, DICE, Hand, Keep, Stage};
use crate::ranked::ranked;
use crate::table::{Table, TableBytes, TableError};

/// The distribution of a reroll over the arrangements: ways out of 6^5, the lightest arrangement first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcomes([u32; Arrangement::ALL.len()]);

impl Outcomes {
    /// The arrangements with their ways out of [`ROLLS`], the lightest first.
    pub fn iter(&self) -> impl Iterator<Item = Outcome> {
        Arrangement::ALL.into_iter().zip(self.0).map(|(arrangement, ways)| Outcome { arrangement, ways })
    }
}

/// An arrangement that a reroll may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The arrangement.
    pub arrangement: Arrangement,
    /// The rolls, out of [`ROLLS`], that lead to it.
    pub ways: u32,
}

impl Outcome {
    /// The probability of the arrangement.
    pub fn probability(&self) -> f64 {
        f64::from(self.ways) / f64::from(ROLLS)
    }
}

/// A choice of dice to keep, with the chance that A wins if both play best afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The dice that are kept, and how many of the 32 possible choices are equal to it.
    pub keep: Keep,
    /// The chance that A wins.
    pub chance: Chance,
    /// The arrangements that the reroll may lead to.
    pub outcomes: Outcomes,
}

/// The choices of the player who decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The hands, and who decides.
    pub case: Case,
    /// The chance that A wins.
    pub chance: Chance,
    /// All choices, the best for this player first. Among equal choices, those that keep more dice come first. Empty
    /// when the game is over.
    pub choices: Vec<Choice>,
}

/// For every final hand of A: his wins against B's best reply, out of 6^5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replies {
    wins: [u32; HAND_COUNT],
}

/// Computes every choice from the weights of the hands and the distributions of rerolls.
///
/// A case takes about 8,000 additions per player, so these two small tables are enough.
#[derive(Debug, Clone, Copy)]
pub struct Adviser<'a> {
    hands: &'a Table<TableBytes, u8>,
    rerolls: &'a Table<TableBytes, u16>,
}

impl<'a> Adviser<'a> {
    /// Uses these tables of hands and of rerolls.
    pub fn new(hands: &'a Table<TableBytes, u8>, rerolls: &'a Table<TableBytes, u16>) -> Self {
        Adviser { hands, rerolls }
    }

    /// Every choice of the player who decides, with its chance.
    pub fn advise(&self, case: Case) -> Result<Advice, TableError> {
        let choices = match case.stage {
            Stage::FirstRolls | Stage::AToMove => self.choices_of_a(case)?,
            Stage::AFinished => self.choices_of_b(case)?,
            Stage::Over => Vec::new(),
        };
        let choices = ranked(choices, |choice| {
            let ways = i64::from(choice.chance.ways());
            let best_first = if case.stage == Stage::AFinished { ways } else { -ways };
            // Among equal choices, the one that keeps the most dice comes first.
            best_first * (DICE as i64 + 1) - choice.keep.kept.len() as i64
        });
        let chance = choices.first().map_or_else(|| Chance::of_final(&case), |best| best.chance);
        Ok(Advice { case, chance, choices })
    }

    /// A's wins for each of his final hands, when B has the hand `b` and gives her best reply.
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
        self.chance_of(products.sum(), kept)
    }

    /// The arrangements that a reroll may lead to when these dice are kept.
    pub fn outcomes(&self, kept: KeptRank) -> Result<Outcomes, TableError> {
        let mut ways = [0; Arrangement::ALL.len()];
        for (&arrangement, &count) in arrangements().iter().zip(self.distribution(kept)?) {
            ways[arrangement as usize] += u32::from(count);
        }
        Ok(Outcomes(ways))
    }

    fn choices_of_a(&self, case: Case) -> Result<Vec<Choice>, TableError> {
        let replies = self.replies(case.b)?;
        let choice = |keep: Keep| self.choice(keep, self.chance(keep.kept.into(), &replies)?);
        case.a.keeps().into_iter().map(choice).collect()
    }

    fn choices_of_b(&self, case: Case) -> Result<Vec<Choice>, TableError> {
        let weight = usize::from(self.weights()?[HandRank::from(case.a).index()]);
        let choice = |keep: Keep| {
            let ways = self.ways_to_stay_lighter(keep.kept.into())?[weight];
            self.choice(keep, self.chance_of(u64::from(ways) * u64::from(ROLLS), keep.kept.into())?)
        };
        case.b.keeps().into_iter().map(choice).collect()
    }

    /// The chance of `ways` out of 6^10. More ways than that come only from a forged distribution.
    fn chance_of(&self, ways: u64, kept: KeptRank) -> Result<Chance, TableError> {
        let chance = u32::try_from(ways).ok().and_then(Chance::from_ways);
        chance.ok_or_else(|| self.rerolls.invalid_record(index::distribution_rank(kept)))
    }

    fn choice(&self, keep: Keep, chance: Chance) -> Result<Choice, TableError> {
        Ok(Choice { keep, chance, outcomes: self.outcomes(keep.kept.into())? })
    }

    /// For every weight: the ways out of 6^5 in which a reroll ends in a lighter hand.
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

    /// The weight of every hand as a number: how many hands it beats.
    fn weights(&self) -> Result<&'a [u8], TableError> {
        self.hands.row(0, HAND_COUNT)
    }

    /// For every hand: the ways out of 6^5 in which a reroll leads to it.
    pub fn distribution(&self, kept: KeptRank) -> Result<&'a [u16], TableError> {
        self.rerolls.row(index::distribution_rank(kept), HAND_COUNT)
    }
}

/// The arrangement of every hand, by its rank.
fn arrangements() -> &'static [Arrangement] {
    static ARRANGEMENTS: OnceLock<Vec<Arrangement>> = OnceLock::new();
    ARRANGEMENTS.get_or_init(|| HandRank::all().map(|rank| rank.hand().weight().arrangement()).collect())
}
