//! Yahtzee: published values of single categories, and a plain solver with other code for some categories.

use std::collections::HashMap;

use tabletop::kit::{Precision, Rules, solve};

use self::yahtzee_rules::{Variant, Yahtzee};
use crate::support::YAHTZEE;

#[allow(dead_code)]
#[path = "../../src/bin/yahtzee.rs"]
mod yahtzee_rules;

#[test]
fn one_open_category_has_the_published_value() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = YAHTZEE.run_in(directory.path(), &[("YAHTZEE_OPEN", "chance,yahtzee")], arguments);
        assert_eq!(output.error, "");
        output.out
    };
    let solve = run(&["solve", "--exact"]);
    assert!(solve.starts_with("tables/yahtzee.tbl: 6 positions, "), "{solve}");
    // Three throws give a Yahtzee with probability 347897/7558272 (Eric W. Weisstein, "Yahtzee", MathWorld).
    assert_eq!(run(&["ask", "yahtzee 0 3 -"]), "8697425/3779136\n");
    assert_eq!(50 * 347_897 * 3_779_136_u64, 8_697_425 * 7_558_272);
    // Five dice, each worth 14/3: with one, two and three throws a die is worth 3.5, 4.25 and 14/3.
    assert_eq!(run(&["ask", "chance 0 3 -"]), "70/3\n");
    // Positions in a turn are not stored, and are answered all the same.
    assert_eq!(run(&["ask", "chance 0 2 66666"]), "30\n");
    assert_eq!(run(&["ask", "chance 0 1 6666"]), "55/2\n");
    let explained = run(&["ask", "chance 0 1 11566", "--explain"]);
    assert_eq!(explained.lines().nth(1), Some("  keep 566    24 -> chance 0 1 566"), "{explained}");
    let check = run(&["check"]);
    assert!(check.contains(" 6 positions: every value follows"), "{check}");
}

#[test]
fn wrong_variants_and_positions_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let bad = YAHTZEE.run_in(directory.path(), &[("YAHTZEE", "free")], &["solve"]);
    assert_eq!(bad.error, "yahtzee: YAHTZEE is not a variant, choose unforced, forced or no-bonus\n");
    assert_eq!(bad.code, Some(2));
    let bad = YAHTZEE.run_in(directory.path(), &[("YAHTZEE_OPEN", "tens")], &["solve"]);
    assert_eq!((bad.code, bad.error.starts_with("yahtzee: YAHTZEE_OPEN names no categories")), (Some(2), true));
    for bad in ["all 0 3 11111", "all 0 0 1111", "all 64 3 -", "all 0 2 111117", "all 0 2 111111", "all 0 3"] {
        assert!(bad.parse::<yahtzee_rules::Card>().is_err(), "{bad}");
    }
}

/// A solver for fours, fives, sixes, the large straight and the Yahtzee. Dice are lists, and every ordered throw is
/// looked at.
struct PlainYahtzee {
    variant: Variant,
    /// The ordered throws of each number of dice.
    ordered: [Vec<Vec<u32>>; 6],
    /// The sorted throws of five dice.
    throws: Vec<Vec<u32>>,
    known: HashMap<(Vec<u32>, u32, bool), f64>,
}

const STRAIGHT: u32 = 40;
const FIVE: u32 = 50;

fn ordered(count: usize) -> Vec<Vec<u32>> {
    (0..count).fold(vec![vec![]], |throws, _| {
        let more = |throw: Vec<u32>| (1..=6).map(move |face| [throw.clone(), vec![face]].concat());
        throws.into_iter().flat_map(more).collect()
    })
}

fn sorted(mut dice: Vec<u32>) -> Vec<u32> {
    dice.sort_unstable();
    dice
}

/// The number whose digits are the dice.
fn number(dice: &[u32]) -> usize {
    dice.iter().fold(0, |number, &die| 10 * number + die as usize)
}

/// More than the number of any dice.
const NUMBERS: usize = 66_667;

impl PlainYahtzee {
    fn new(variant: Variant) -> PlainYahtzee {
        let mut throws: Vec<Vec<u32>> = ordered(5).into_iter().map(sorted).collect();
        throws.sort_unstable();
        throws.dedup();
        PlainYahtzee { variant, ordered: std::array::from_fn(ordered), throws, known: HashMap::new() }
    }

    /// The best entry. Categories are the faces 4 to 6, and the points of the others.
    fn entry(&mut self, open: &[u32], upper: u32, has_bonus: bool, dice: &[u32]) -> f64 {
        let is_five = dice.iter().all(|die| *die == dice[0]);
        let plays_jokers = self.variant != Variant::NoBonus;
        let is_joker = is_five && !open.contains(&FIVE) && plays_jokers;
        let mut choices = open.to_vec();
        if is_joker && self.variant == Variant::Forced {
            if open.contains(&dice[0]) {
                choices = vec![dice[0]];
            } else if open.contains(&STRAIGHT) {
                choices = vec![STRAIGHT];
            }
        }
        let mut best = f64::MIN;
        for category in choices {
            let in_row = dice.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let mut points = match category {
                STRAIGHT if in_row || is_joker && !open.contains(&dice[0]) => 40,
                FIVE if is_five => 50,
                STRAIGHT | FIVE => 0,
                face => dice.iter().filter(|die| **die == face).sum(),
            };
            let next_bonus = has_bonus || category == FIVE && is_five && plays_jokers;
            let next_upper = if category <= 6 { (upper + points).min(63) } else { upper };
            points += if next_upper == 63 && upper < 63 { 35 } else { 0 };
            points += if has_bonus && is_five { 100 } else { 0 };
            let rest = open.iter().copied().filter(|other| *other != category).collect();
            best = best.max(f64::from(points) + self.value(rest, next_upper, next_bonus));
        }
        best
    }

    fn value(&mut self, open: Vec<u32>, upper: u32, has_bonus: bool) -> f64 {
        if open.is_empty() {
            return 0.0;
        }
        let state = (open.clone(), upper, has_bonus);
        if let Some(value) = self.known.get(&state) {
            return *value;
        }
        let throws = self.throws.clone();
        let mut values = vec![f64::NAN; NUMBERS];
        for dice in &throws {
            values[number(dice)] = self.entry(&open, upper, has_bonus, dice);
        }
        let mean = |values: &[f64], kept: &[u32]| {
            let all = &self.ordered[5 - kept.len()];
            let value = |thrown: &Vec<u32>| {
                let mut dice = [0; 5];
                dice[..kept.len()].copy_from_slice(kept);
                dice[kept.len()..].copy_from_slice(thrown);
                dice.sort_unstable();
                values[number(&dice)]
            };
            all.iter().map(value).sum::<f64>() / all.len() as f64
        };
        for _ in 0..2 {
            let (mut means, mut best) = (vec![f64::NAN; NUMBERS], vec![f64::NAN; NUMBERS]);
            for dice in &throws {
                let ways = (0..32).map(|set| {
                    let kept: Vec<u32> = (0..5).filter(|die| set >> die & 1 == 1).map(|die| dice[die]).collect();
                    let known = &mut means[number(&kept)];
                    if known.is_nan() {
                        *known = mean(&values, &kept);
                    }
                    *known
                });
                best[number(dice)] = ways.fold(f64::MIN, f64::max);
            }
            values = best;
        }
        let value = mean(&values, &[]);
        self.known.insert(state, value);
        value
    }
}

#[test]
fn some_categories_have_the_values_of_a_plain_solver() {
    // Three faces reach the bonus of 35 points.
    let open = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 10 | 1 << 11;
    let compared = |variant| {
        let rules = Yahtzee::new(variant, open);
        let solution = solve(&rules, Precision::Doubles).unwrap();
        let value = solution.value(&rules, &rules.starts()[0]).unwrap().worth.to_f64();
        let mut plain = PlainYahtzee::new(variant);
        let expected = plain.value(vec![4, 5, 6, STRAIGHT, FIVE], 0, false);
        assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        assert_eq!(solution.positions(), plain.known.len() + finished(variant));
        value
    };
    let values = [Variant::Unforced, Variant::Forced, Variant::NoBonus].map(compared);
    // With these categories a forced joker costs nothing.
    assert!(values[0] >= values[1] && values[1] > values[2], "{values:?}");
}

/// The number of finished cards, which the plain solver does not remember.
fn finished(variant: Variant) -> usize {
    let mut sums: Vec<u32> = vec![0];
    for face in 4..=6 {
        sums = sums.iter().flat_map(|sum| (0..=5).map(move |count| (sum + face * count).min(63))).collect();
    }
    sums.sort_unstable();
    sums.dedup();
    sums.len() * if variant == Variant::NoBonus { 1 } else { 2 }
}
