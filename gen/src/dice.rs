//! Dice poker, solved for every pair of first rolls.

pub mod referee;
mod stats;

use indicatif::HumanCount;
use rayon::prelude::*;
use tabletop::bars::Bars;
use tabletop::dice::ROLLS;
use tabletop::dice::index::{HAND_COUNT, HANDS, HandRank, KeptRank, PAIRS, REROLLS, distribution_rank, pair_rank};
use tabletop::dice::rules::DICE;
use tabletop::dice::{Case, Kept};
use tabletop::internal::dice::{Adviser, Replies};
use tabletop::seeded::Seeded;
use tabletop::table::{Table, TableBytes, TableError};

use self::referee::{Referee, strength};

use crate::generator::{EncodedTable, Failure, Generator, Proof};

/// Number of pairs that the referee checks.
const REFEREED_PAIRS: u64 = 2000;

/// The generator of dice poker's three tables.
pub(crate) struct Dice;

impl Generator for Dice {
    fn game(&self) -> &'static str {
        "dice"
    }

    fn generate(&self, bars: &Bars) -> Result<Vec<EncodedTable>, Failure> {
        let hands = EncodedTable::new(&HANDS, &weights());
        let rerolls = EncodedTable::new(&REROLLS, &distributions());
        let pairs = EncodedTable::new(&PAIRS, &solve(Adviser::new(&hands.open()?, &rerolls.open()?), bars)?);
        Ok(vec![pairs, hands, rerolls])
    }

    fn prove(&self, tables: &[EncodedTable]) -> Result<Vec<Proof>, Failure> {
        let tables = Tables::open(tables)?;
        let mut referee = Referee::default();
        Ok(vec![
            Proof::of([derive_pairs(&tables)?, referee_pairs(&tables, &mut referee)?]),
            Proof::of([referee_hands(&tables.hands)?]),
            Proof::of([referee_rerolls(&tables.rerolls, &mut referee)?]),
        ])
    }

    fn stats(&self, tables: &[EncodedTable]) -> Result<String, Failure> {
        stats::stats(&Tables::open(tables)?)
    }
}

/// The finished tables, opened from memory.
struct Tables {
    pairs: Table<TableBytes, u32>,
    hands: Table<TableBytes, u8>,
    rerolls: Table<TableBytes, u16>,
}

impl Tables {
    fn open(tables: &[EncodedTable]) -> Result<Self, Failure> {
        let [pairs, hands, rerolls] = tables else {
            return Err(Failure::new("dice: three tables expected"));
        };
        Ok(Tables { pairs: pairs.open()?, hands: hands.open()?, rerolls: rerolls.open()? })
    }

    fn adviser(&self) -> Adviser<'_> {
        Adviser::new(&self.hands, &self.rerolls)
    }
}

fn derive_pairs(tables: &Tables) -> Result<String, Failure> {
    let cases: Vec<(HandRank, HandRank)> = all_pairs().collect();
    cases.par_iter().try_for_each(|&(a, b)| {
        let case = Case::first_rolls(a.hand(), b.hand());
        let expected = tables.adviser().advise(case)?.chance.ways();
        let found = tables.pairs.get(pair_rank(a, b))?;
        agree(&format!("{} against {}", case.a, case.b), found.into(), expected.into(), "its choices")
    })?;
    Ok(String::from("every pair follows from all choices of both players"))
}

fn referee_pairs(tables: &Tables, referee: &mut Referee) -> Result<String, Failure> {
    let hands: Vec<HandRank> = HandRank::all().collect();
    let mut seeded = Seeded(1);
    let mut any_hand = || hands[seeded.below(hands.len() as u64) as usize];
    for _ in 0..REFEREED_PAIRS {
        let (a, b) = (any_hand(), any_hand());
        let expected = referee.ways(*a.hand().faces(), *b.hand().faces());
        let found = tables.pairs.get(pair_rank(a, b))?;
        agree(&format!("{} against {}", a.hand(), b.hand()), found.into(), expected, "the plain solver")?;
    }
    Ok(format!("{} seeded pairs equal the plain solver, which throws every reroll", HumanCount(REFEREED_PAIRS)))
}

fn referee_hands(hands: &Table<TableBytes, u8>) -> Result<String, Failure> {
    let strengths: Vec<u64> = HandRank::all().map(|rank| strength(*rank.hand().faces())).collect();
    for rank in HandRank::all() {
        let own = strengths[rank.index()];
        let expected = strengths.iter().filter(|&&other| other < own).count();
        let found = hands.get(rank.index() as u64)?;
        agree(&rank.hand().to_string(), found.into(), expected as u64, "a second ranking")?;
    }
    Ok(String::from("every hand beats as many as in a second ranking of its own"))
}

fn referee_rerolls(rerolls: &Table<TableBytes, u16>, referee: &mut Referee) -> Result<String, Failure> {
    for kept in KeptRank::all() {
        for hand in HandRank::all() {
            let expected = referee.ways_to(kept.kept().faces(), *hand.hand().faces());
            let found = rerolls.get(distribution_rank(kept) + hand.index() as u64)?;
            agree(&format!("{} from {}", hand.hand(), kept.kept()), found.into(), expected, "counting throws")?;
        }
    }
    Ok(String::from("every count equals that of the plain solver, which throws every reroll"))
}

fn agree(what: &str, found: u64, expected: u64, by: &str) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    Err(Failure::new(format!("{what}: {found} in the table, {expected} by {by}")))
}

fn all_pairs() -> impl Iterator<Item = (HandRank, HandRank)> {
    HandRank::all().flat_map(|a| HandRank::all().map(move |b| (a, b)))
}

/// For every hand, the number of hands that it beats.
fn weights() -> Vec<u8> {
    let mut by_weight: Vec<HandRank> = HandRank::all().collect();
    by_weight.sort_by_key(|rank| rank.hand().weight());
    let mut beaten = vec![0; HAND_COUNT];
    for (lighter, rank) in by_weight.into_iter().enumerate() {
        beaten[rank.index()] = lighter as u8;
    }
    beaten
}

/// For every set of kept dice and every final hand, the number of ways, out of 6^5, to reach it.
fn distributions() -> Vec<u16> {
    KeptRank::all().flat_map(|kept| HandRank::all().map(move |hand| ways(kept.kept(), hand.hand().into()))).collect()
}

/// The multinomial coefficient counts the orders in which the rerolled dice show the missing faces. Every kept die
/// multiplies it by six, so that all distributions have the same unit.
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
fn solve(adviser: Adviser<'_>, bars: &Bars) -> Result<Vec<u32>, Failure> {
    let bar = bars.steps("pairs", (HAND_COUNT * HAND_COUNT) as u64);
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

/// A's best result against these replies, for every hand of A. Each set of kept dice is evaluated once for all hands.
fn solve_against(adviser: Adviser<'_>, replies: &Replies) -> Result<Vec<u32>, TableError> {
    let of_kept: Vec<u32> = KeptRank::all()
        .map(|kept| adviser.chance(kept, replies).map(|chance| chance.ways()))
        .collect::<Result<_, _>>()?;
    let best = |a: HandRank| {
        let chances = a.hand().keeps().into_iter().map(|keep| of_kept[KeptRank::from(keep.kept).index()]);
        chances.max().unwrap_or(0)
    };
    Ok(HandRank::all().map(best).collect())
}

/// The number of ordered rolls that give this hand.
fn rolls(hand: HandRank) -> u32 {
    u32::from(ways(Kept::default(), hand.hand().into()))
}

const _: () = assert!(ROLLS <= u16::MAX as u32, "a distribution's ways fit its records");

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_refused<T>(proof: Result<T, Failure>, by: &str) {
        let message = proof.err().unwrap().to_string();
        assert!(message.ends_with(by), "{message}");
    }

    #[test]
    fn one_wrong_record_of_any_table_is_found() {
        let pairs = EncodedTable::shipped(&PAIRS).changed::<u32>(|pairs| pairs[31_752] += 1);
        let hands = EncodedTable::shipped(&HANDS);
        let rerolls = EncodedTable::shipped(&REROLLS);
        let swapped = hands.changed::<u8>(|hands| hands.swap(100, 101));
        assert_refused(referee_hands(&swapped.open().unwrap()), "by a second ranking");
        let one_more = rerolls.changed::<u16>(|rerolls| rerolls[60_000] += 1);
        assert_refused(referee_rerolls(&one_more.open().unwrap(), &mut Referee::default()), "by counting throws");
        assert_refused(Dice.prove(&[pairs, hands, rerolls]), "by its choices");
    }

    /// If two hands change places, every pair still follows from its choices; only the referee notices.
    #[test]
    fn the_referee_finds_wrong_weights() {
        let mut weights = weights();
        weights.swap(100, 101);
        let hands = EncodedTable::new(&HANDS, &weights);
        let rerolls = EncodedTable::new(&REROLLS, &distributions());
        let opened = (hands.open().unwrap(), rerolls.open().unwrap());
        let pairs = solve(Adviser::new(&opened.0, &opened.1), &Bars::new("dice")).unwrap();
        assert_refused(Dice.prove(&[EncodedTable::new(&PAIRS, &pairs), hands, rerolls]), "by the plain solver");
    }
}
