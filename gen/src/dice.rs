//! Dice poker, solved for every pair of first rolls.

mod stats;

use rayon::prelude::*;
use tabletop::dice::answer::{Replies, Stage};
use tabletop::dice::chance::ROLLS;
use tabletop::dice::index::{HAND_COUNT, HANDS, HandRank, KeptRank, PAIRS, REROLLS, pair_rank};
use tabletop::dice::rules::DICE;
use tabletop::dice::{Adviser, Case, Kept};
use tabletop::table::{Table, TableError};

use crate::generator::{EncodedTable, Failure, Generator};
use crate::progress::Progress;

/// The generator of dice poker's three tables.
pub(crate) struct Dice;

impl Generator for Dice {
    fn game(&self) -> &'static str {
        "dice"
    }

    fn generate(&self, progress: &Progress) -> Result<Vec<EncodedTable>, Failure> {
        let hands = EncodedTable::new(&HANDS, &weights());
        let rerolls = EncodedTable::new(&REROLLS, &distributions());
        let adviser = adviser(&hands, &rerolls)?;
        let pairs = EncodedTable::new(&PAIRS, &solve(&adviser, progress)?);
        Ok(vec![pairs, hands, rerolls])
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<String>, Failure> {
        let Tables { pairs, adviser } = Tables::open(tables)?;
        let cases: Vec<(HandRank, HandRank)> = all_pairs().collect();
        cases.par_iter().try_for_each(|&(a, b)| {
            let case = Case { a: a.hand(), b: b.hand() };
            let expected = adviser.advise(case, Stage::FirstRolls)?.chance().ways();
            let found = pairs.get(pair_rank(a, b))?;
            if expected == found {
                return Ok(());
            }
            Err(Failure::new(format!("{} against {}: {found} in the table, {expected} by its choices", case.a, case.b)))
        })?;
        Ok(vec![format!("{} pairs derived anew from all choices of both players, all equal", cases.len())])
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        stats::stats(&Tables::open(tables)?)
    }
}

/// The finished tables, opened from memory.
struct Tables<'a> {
    pairs: Table<&'a [u8], u32>,
    adviser: Adviser<&'a [u8]>,
}

impl<'a> Tables<'a> {
    fn open(tables: &'a [EncodedTable]) -> Result<Self, Failure> {
        let [pairs, hands, rerolls] = tables else {
            return Err(Failure::new("dice: three tables expected"));
        };
        Ok(Tables { pairs: pairs.open()?, adviser: adviser(hands, rerolls)? })
    }
}

fn adviser<'a>(hands: &'a EncodedTable, rerolls: &'a EncodedTable) -> Result<Adviser<&'a [u8]>, TableError> {
    Ok(Adviser::new(hands.open()?, rerolls.open()?))
}

fn all_pairs() -> impl Iterator<Item = (HandRank, HandRank)> {
    HandRank::all().flat_map(|a| HandRank::all().map(move |b| (a, b)))
}

/// How many hands every hand beats.
fn weights() -> Vec<u8> {
    let mut by_weight: Vec<HandRank> = HandRank::all().collect();
    by_weight.sort_by_key(|rank| rank.hand().weight());
    let mut beaten = vec![0; HAND_COUNT];
    for (lighter, rank) in by_weight.into_iter().enumerate() {
        beaten[rank.index()] = lighter as u8;
    }
    beaten
}

/// For every set of kept dice the ways, out of 6^5, to every final hand.
fn distributions() -> Vec<u16> {
    KeptRank::all().flat_map(|kept| HandRank::all().map(move |hand| ways(kept.kept(), hand.hand().into()))).collect()
}

/// The rerolled dice can show what is missing in as many orders as the multinomial coefficient says; every kept die
/// counts six-fold, which brings all distributions to the same unit.
fn ways(kept: Kept, hand: Kept) -> u16 {
    let mut orders = factorial(DICE - kept.len());
    for (&have, &want) in kept.counts().iter().zip(hand.counts()) {
        let Some(missing) = want.checked_sub(have) else { return 0 };
        orders /= factorial(usize::from(missing));
    }
    (orders * 6_u32.pow(kept.len() as u32)) as u16
}

fn factorial(n: usize) -> u32 {
    (1..=n as u32).product()
}

/// The ways out of 6^10 in which A wins, for every pair, in the order of the pairs' ranks.
fn solve(adviser: &Adviser<&[u8]>, progress: &Progress) -> Result<Vec<u32>, Failure> {
    let bar = progress.steps("pairs", (HAND_COUNT * HAND_COUNT) as u64);
    let ranks: Vec<HandRank> = HandRank::all().collect();
    let columns: Vec<Vec<u32>> = ranks
        .par_iter()
        .map(|b| {
            let column = solve_against(adviser, &adviser.replies(b.hand())?)?;
            bar.inc(HAND_COUNT as u64);
            Ok(column)
        })
        .collect::<Result<_, TableError>>()?;
    bar.finish_and_clear();
    Ok(all_pairs().map(|(a, b)| columns[b.index()][a.index()]).collect())
}

/// A's best against these replies, for every hand of his: each set of kept dice is evaluated once for all hands.
fn solve_against(adviser: &Adviser<&[u8]>, replies: &Replies) -> Result<Vec<u32>, TableError> {
    let of_kept: Vec<u32> = KeptRank::all()
        .map(|kept| adviser.chance(kept, replies).map(|chance| chance.ways()))
        .collect::<Result<_, _>>()?;
    let best = |a: HandRank| {
        let chances = a.hand().keeps().into_iter().map(|keep| of_kept[KeptRank::from(keep.kept).index()]);
        chances.max().unwrap_or(0)
    };
    Ok(HandRank::all().map(best).collect())
}

/// Ordered rolls that are this hand.
fn rolls(hand: HandRank) -> u32 {
    u32::from(ways(Kept::default(), hand.hand().into()))
}

const _: () = assert!(ROLLS <= u16::MAX as u32, "a distribution's ways fit its records");
