//! An independent referee for dice poker: plain enumeration of every reroll, with a ranking of hands of its own.

use std::collections::HashMap;

use tabletop::dice::answer::Stage;
use tabletop::dice::index::HandRank;
use tabletop::dice::{Adviser, Answers, Case, Chance, Hand};
use tabletop::table::Places;

/// For a hand and a mask of rerolled dice, every strength that can come up, and how often out of 6^5.
type Distributions = HashMap<([u8; 5], u32), Vec<(u64, u64)>>;

const ALL_ROLLS: u64 = 7776;

/// A hand's strength as one number: the statement's list of arrangements asked from the top, with the faces that
/// decide a tie written behind each other as digits.
fn strength(dice: [u8; 5]) -> u64 {
    let count = |face: u8| dice.iter().filter(|&&die| die == face).count();
    let faces_occurring = |times: usize| (1..=6).rev().filter(move |&face| count(face) == times);
    let fives: Vec<u8> = faces_occurring(5).collect();
    let fours: Vec<u8> = faces_occurring(4).collect();
    let threes: Vec<u8> = faces_occurring(3).collect();
    let pairs: Vec<u8> = faces_occurring(2).collect();
    let singles: Vec<u8> = faces_occurring(1).collect();
    let in_sequence = |low: u8| (low..low + 5).all(|face| count(face) == 1);
    let level = if fives.len() == 1 {
        8
    } else if fours.len() == 1 {
        7
    } else if threes.len() == 1 && pairs.len() == 1 {
        6
    } else if in_sequence(1) || in_sequence(2) {
        5
    } else if threes.len() == 1 {
        4
    } else if pairs.len() == 2 {
        3
    } else if pairs.len() == 1 {
        2
    } else {
        1
    };
    let decisive = [fives, fours, threes, pairs, singles].concat();
    let digits = (0..5).map(|place| u64::from(decisive.get(place).copied().unwrap_or(0)));
    digits.fold(level, |number, digit| number * 10 + digit)
}

/// Every outcome of rerolling the dice of a mask, one after another, as often as it comes up out of 6^5 rolls.
fn outcomes(dice: [u8; 5], rerolled: u32) -> Vec<[u8; 5]> {
    let mut results = Vec::with_capacity(ALL_ROLLS as usize);
    for roll in 0..6_u32.pow(5) {
        let mut hand = dice;
        for die in 0..5 {
            if rerolled >> die & 1 == 1 {
                hand[die as usize] = (roll / 6_u32.pow(die) % 6) as u8 + 1;
            }
        }
        results.push(hand);
    }
    results
}

fn all_distributions(hands: &[[u8; 5]]) -> Distributions {
    let strengths: HashMap<[u8; 5], u64> =
        outcomes([1; 5], 31).into_iter().map(|dice| (dice, strength(dice))).collect();
    let mut distributions = HashMap::new();
    for &hand in hands {
        for rerolled in 0..32 {
            let mut counts: HashMap<u64, u64> = HashMap::new();
            for outcome in outcomes(hand, rerolled) {
                *counts.entry(strengths[&outcome]).or_default() += 1;
            }
            distributions.insert((hand, rerolled), counts.into_iter().collect());
        }
    }
    distributions
}

fn chance(ways: u32) -> Chance {
    Chance::from_ways(ways).unwrap()
}

fn all_hands() -> Vec<[u8; 5]> {
    HandRank::all().map(|rank| *rank.hand().faces()).collect()
}

#[test]
fn the_second_ranking_orders_all_hands_alike_and_no_two_are_equal() {
    let mut by_rules: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    by_rules.sort_by_key(Hand::weight);
    let strengths: Vec<u64> = by_rules.iter().map(|hand| strength(*hand.faces())).collect();
    assert!(strengths.is_sorted_by(|lighter, heavier| lighter < heavier));
}

#[test]
fn the_referee_agrees_on_all_pairs() {
    let answers = Answers::open(&Places::only("tables")).unwrap();
    let hands = all_hands();
    let distributions = all_distributions(&hands);
    let mut different_answers = std::collections::HashSet::new();
    for &b in &hands {
        // A's wins out of 6^5 for each final strength of his, when B rerolls as is worst for him.
        let wins_against: HashMap<u64, u64> = hands
            .iter()
            .map(|&last| {
                let target = strength(last);
                let lighter = |rerolled| -> u64 {
                    let distribution: &Vec<(u64, u64)> = &distributions[&(b, rerolled)];
                    distribution.iter().filter(|(reached, _)| *reached < target).map(|(_, ways)| ways).sum()
                };
                (target, (0..32).map(lighter).min().unwrap())
            })
            .collect();
        for &a in &hands {
            let chance = |rerolled| -> u64 {
                distributions[&(a, rerolled)].iter().map(|(reached, ways)| ways * wins_against[reached]).sum()
            };
            let expected = (0..32).map(chance).max().unwrap();
            let found = answers.first_rolls(Hand::new(a).unwrap(), Hand::new(b).unwrap()).unwrap();
            assert_eq!(u64::from(found.ways()), expected, "A {a:?} against B {b:?}");
            different_answers.insert(expected);
        }
    }
    assert_eq!(different_answers.len(), 1459);
}

#[test]
fn the_best_choice_is_worth_what_the_table_says_and_a_heavier_final_hand_is_never_worse() {
    let places = Places::only("tables");
    let (answers, adviser) = (Answers::open(&places).unwrap(), Adviser::open(&places).unwrap());
    let mut by_weight: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    by_weight.sort_by_key(Hand::weight);
    for b in HandRank::all().map(HandRank::hand).step_by(7) {
        let mut last = chance(0);
        for &a in &by_weight {
            let first = adviser.advise(Case { a, b }, Stage::FirstRolls).unwrap();
            assert_eq!(first.chance(), answers.first_rolls(a, b).unwrap());
            assert_eq!(first.choices.iter().map(|choice| choice.keep.ways).sum::<u32>(), 32);
            let finished = adviser.advise(Case { a, b }, Stage::AFinished).unwrap();
            assert!(finished.chance() <= first.chance(), "standing is one of A's choices");
            assert!(finished.chance() >= last);
            last = finished.chance();
        }
    }
}

#[test]
fn halves_are_rounded_up_from_the_exact_integer() {
    // 6^10 / 2,000,000 is 30.233088: from 31 ways on a chance rounds to one millionth.
    assert_eq!(chance(30).to_string(), "0.000000");
    assert_eq!(chance(31).to_string(), "0.000001");
    assert_eq!(chance(Chance::DENOMINATOR).to_string(), "1.000000");
    assert_eq!(chance(Chance::DENOMINATOR - 31).to_string(), "0.999999");
    assert_eq!(Chance::from_ways(Chance::DENOMINATOR + 1), None);
    for ways in (0..=Chance::DENOMINATOR).step_by(9973) {
        let mut line = Vec::new();
        tabletop::dice::judge::write_answer(chance(ways), &mut line);
        assert_eq!(String::from_utf8(line).unwrap(), format!("{}\n", chance(ways)));
    }
}
