//! The plain solver of dice poker: every reroll thrown out one by one, with a ranking of hands of its own.
//!
//! It shares nothing with the solver, not even the rules: hands are five faces, and their strengths are numbers.

use std::collections::HashMap;

/// Five faces in ascending order.
type Dice = [u8; 5];

/// In how many ways out of 6^5 each strength comes up.
type Distribution = HashMap<u64, u64>;

/// Works out pairs of hands, and remembers what rerolls lead to.
#[derive(Default)]
pub struct Referee {
    /// By the dice that are kept.
    rerolls: HashMap<Vec<u8>, Distribution>,
    /// By B's dice: A's wins out of 6^5 for each final strength of his, when B rerolls as is worst for him.
    replies: HashMap<Dice, HashMap<u64, u64>>,
}

impl Referee {
    /// The ways out of 6^10 in which A wins.
    pub fn ways(&mut self, a: Dice, b: Dice) -> u64 {
        if !self.replies.contains_key(&b) {
            let reply = self.reply(b);
            self.replies.insert(b, reply);
        }
        let mut most = 0;
        for kept in keeps(a) {
            let distribution = distribution_of(&mut self.rerolls, kept);
            let wins = &self.replies[&b];
            most = most.max(distribution.iter().map(|(reached, ways)| ways * wins[reached]).sum());
        }
        most
    }

    /// In how many ways out of 6^5 the reroll of all but the kept dice ends in these dice.
    pub fn ways_to(&mut self, kept: Vec<u8>, dice: Dice) -> u64 {
        distribution_of(&mut self.rerolls, kept).get(&strength(dice)).copied().unwrap_or(0)
    }

    fn reply(&mut self, b: Dice) -> HashMap<u64, u64> {
        let targets: Vec<u64> = distribution_of(&mut self.rerolls, Vec::new()).keys().copied().collect();
        let mut fewest: HashMap<u64, u64> = HashMap::new();
        for kept in keeps(b) {
            let distribution = distribution_of(&mut self.rerolls, kept);
            for &target in &targets {
                let lighter = distribution.iter().filter(|(reached, _)| **reached < target);
                let lighter: u64 = lighter.map(|(_, ways)| ways).sum();
                fewest.entry(target).and_modify(|wins| *wins = lighter.min(*wins)).or_insert(lighter);
            }
        }
        fewest
    }
}

fn distribution_of(known: &mut HashMap<Vec<u8>, Distribution>, kept: Vec<u8>) -> &Distribution {
    known.entry(kept).or_insert_with_key(|kept| {
        let mut distribution = Distribution::new();
        for dice in outcomes(kept) {
            *distribution.entry(strength(dice)).or_default() += 1;
        }
        distribution
    })
}

/// The dice that each of the 32 choices keeps.
fn keeps(dice: Dice) -> impl Iterator<Item = Vec<u8>> {
    (0..32).map(move |mask| (0..5).filter(|die| mask >> die & 1 == 1).map(|die| dice[die]).collect())
}

/// The dice after each of 6^5 throws, of which only those dice count that are not kept.
fn outcomes(kept: &[u8]) -> impl Iterator<Item = Dice> {
    (0..6_u32.pow(5)).map(move |roll| {
        let mut dice = [0, 1, 2, 3, 4].map(|die| (roll / 6_u32.pow(die) % 6) as u8 + 1);
        dice[..kept.len()].copy_from_slice(kept);
        dice
    })
}

/// A hand's strength as one number: the statement's list of arrangements asked from the top, with the faces that
/// decide a tie written behind each other as digits.
pub fn strength(dice: Dice) -> u64 {
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
