//! Dice poker against its referee.

use std::collections::HashSet;

use crate::support::shipped_tables;
use tabletop::dice::index::{HAND_COUNT, HandRank, KeptRank, REROLLS, distribution_rank};
use tabletop::dice::{Case, Chance, Dice, Hand, Stage};
use tabletop::game::Game;
use tabletop::table::{Places, Table, TableBytes};
use tabletop_gen::dice::referee::{Referee, strength};

fn chance(ways: u32) -> Chance {
    Chance::from_ways(ways).unwrap()
}

#[test]
fn the_second_ranking_has_the_same_order_and_no_ties() {
    let mut by_rules: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    by_rules.sort_by_key(Hand::weight);
    let strengths: Vec<u64> = by_rules.iter().map(|hand| strength(*hand.faces())).collect();
    assert!(strengths.is_sorted_by(|lighter, heavier| lighter < heavier));
}

#[test]
fn the_referee_agrees_on_all_pairs() {
    let dice = Dice::open(&Places::only(shipped_tables())).unwrap();
    let hands: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    let mut referee = Referee::default();
    let mut different_answers = HashSet::new();
    for &b in &hands {
        for &a in &hands {
            let expected = referee.ways(*a.faces(), *b.faces());
            assert_eq!(
                u64::from(dice.value(&Case::first_rolls(a, b)).unwrap().ways()),
                expected,
                "A {a} against B {b}"
            );
            different_answers.insert(expected);
        }
    }
    assert_eq!(different_answers.len(), 1459);
}

#[test]
fn the_referee_agrees_on_every_way_to_a_hand() {
    let rerolls: Table<TableBytes, u16> = Places::only(shipped_tables()).open(&REROLLS).unwrap();
    let mut referee = Referee::default();
    for kept in KeptRank::all() {
        let ways = rerolls.row(distribution_rank(kept), HAND_COUNT).unwrap();
        let expected = HandRank::all().map(|hand| referee.ways_to(kept.kept().faces(), *hand.hand().faces()));
        assert!(ways.iter().map(|&ways| u64::from(ways)).eq(expected), "{}", kept.kept());
    }
}

#[test]
fn the_best_choice_is_worth_what_the_table_says_and_a_heavier_final_hand_is_never_worse() {
    let dice = Dice::open(&Places::only(shipped_tables())).unwrap();
    let mut by_weight: Vec<Hand> = HandRank::all().map(HandRank::hand).collect();
    by_weight.sort_by_key(Hand::weight);
    for b in HandRank::all().map(HandRank::hand).step_by(7) {
        let mut last = chance(0);
        for &a in &by_weight {
            let case = Case::first_rolls(a, b);
            let first = dice.advise(&case).unwrap();
            assert_eq!(first.chance, dice.value(&case).unwrap());
            assert_eq!(first.choices.iter().map(|choice| choice.keep.ways).sum::<u32>(), 32);
            let finished = dice.advise(&Case { stage: Stage::AFinished, ..case }).unwrap();
            assert!(finished.chance <= first.chance, "rerolling nothing is one of A's choices");
            assert!(finished.chance >= last);
            last = finished.chance;
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
}
