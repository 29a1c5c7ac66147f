//! Facts about dice poker.

use std::fmt::Write as _;

use tabletop::dice::index::{HandRank, pair_rank};
use tabletop::dice::{Case, Chance, Stage};

use super::{Tables, all_pairs, rolls};
use crate::generator::Failure;

/// A pair of hands, its chance, and the number of ordered first rolls, out of 6^10, that give it.
struct Pair {
    a: HandRank,
    b: HandRank,
    chance: Chance,
    rolls: u64,
}

impl Pair {
    fn case(&self) -> Case {
        Case::first_rolls(self.a.hand(), self.b.hand())
    }
}

pub(super) fn stats(tables: &Tables) -> Result<String, Failure> {
    let pairs: Vec<Pair> = all_pairs()
        .map(|(a, b)| {
            let rank = pair_rank(a, b);
            let chance = Chance::from_ways(tables.pairs.get(rank)?).ok_or_else(|| tables.pairs.invalid_record(rank))?;
            Ok(Pair { a, b, chance, rolls: u64::from(rolls(a)) * u64::from(rolls(b)) })
        })
        .collect::<Result<_, Failure>>()?;

    let mut text = String::from("dice poker\n");
    write_facts(&mut text, &pairs, tables)?;
    Ok(text)
}

fn write_facts(text: &mut String, pairs: &[Pair], tables: &Tables) -> Result<(), Failure> {
    let mut fact = |what: &str, value: String| {
        writeln!(text, "  {what:<44} {value}").map_err(|error| Failure::new(error.to_string()))
    };
    fact("pairs of first rolls", pairs.len().to_string())?;
    fact("A wins before any dice are thrown", overall(pairs))?;
    for (what, chosen) in [
        ("the pair best for A", pairs.iter().max_by_key(|pair| pair.chance)),
        (
            "the pair best for B that is not decided",
            pairs.iter().filter(|pair| pair.chance.ways() > 0).min_by_key(|pair| pair.chance),
        ),
    ] {
        if let Some(pair) = chosen {
            fact(what, describe(pair))?;
        }
    }
    fact("pairs decided for A", counted(pairs, |pair| pair.chance.ways() == Chance::DENOMINATOR))?;
    fact("pairs decided for B", counted(pairs, |pair| pair.chance.ways() == 0))?;
    let standing: Vec<&Pair> = standing_is_best(pairs, tables)?;
    let rolls: u64 = standing.iter().map(|pair| pair.rolls).sum();
    let share = 100.0 * rolls as f64 / f64::from(Chance::DENOMINATOR);
    let undecided = standing.iter().find(|pair| pair.chance.ways() > 0);
    let example = undecided.map_or(String::from("none"), |pair| describe(pair));
    fact("rerolling nothing is best for A", format!("{} pairs, {share:.3} % of first rolls; {example}", standing.len()))
}

/// A's chance averaged over all first rolls, as a fraction over 6^20 and as a decimal.
fn overall(pairs: &[Pair]) -> String {
    let ways: u128 = pairs.iter().map(|pair| u128::from(pair.rolls) * u128::from(pair.chance.ways())).sum();
    let all = u128::from(Chance::DENOMINATOR).pow(2);
    format!("{:.12} ({ways} of 6^20)", ways as f64 / all as f64)
}

fn counted(pairs: &[Pair], wanted: impl Fn(&Pair) -> bool) -> String {
    let mut chosen = pairs.iter().filter(|pair| wanted(pair)).peekable();
    match chosen.peek() {
        Some(&first) => {
            let example = describe(first);
            format!("{}; {example}", chosen.count())
        }
        None => String::from("none"),
    }
}

/// The pairs in which rerolling nothing is best for A.
fn standing_is_best<'a>(pairs: &'a [Pair], tables: &Tables) -> Result<Vec<&'a Pair>, Failure> {
    let mut standing = Vec::new();
    for pair in pairs {
        let finished = tables.adviser().advise(Case { stage: Stage::AFinished, ..pair.case() })?;
        if finished.chance == pair.chance {
            standing.push(pair);
        }
    }
    Ok(standing)
}

fn describe(pair: &Pair) -> String {
    format!("A {} against B {}: {} = {}", pair.a.hand(), pair.b.hand(), pair.chance, pair.chance.fraction())
}
