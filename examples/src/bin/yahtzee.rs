//! The end of a solitaire game of Yahtzee: three open categories, with up to three throws for each.
//!
//! Values of a single open category are known: three throws give a Yahtzee with probability 347897/7558272 (Eric W.
//! Weisstein, "Yahtzee", MathWorld), and the category chance is worth 70/3 points.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Node, Rules};

const CATEGORIES: [&str; 3] = ["chance", "large-straight", "yahtzee"];

/// The number of dice that show each face, from one to six.
type Dice = [u8; 6];

/// The open categories, the number of throws left, and the dice; all zero before the first throw.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Card {
    open: [bool; 3],
    throws: u8,
    dice: Dice,
}

struct Yahtzee;

impl Rules for Yahtzee {
    const NAME: &'static str = "yahtzee";
    const ABOUT: &'static str = "Solitaire Yahtzee with three categories left: the points that are still to come";
    type Position = Card;
    type Move = String;

    fn starts(&self) -> Vec<Card> {
        vec![Card { open: [true; 3], throws: 3, dice: [0; 6] }]
    }

    fn node(&self, card: &Card) -> Node<Self> {
        if card.open == [false; 3] {
            return Node::over(0);
        }
        let thrown = |kept: Dice| {
            let outcomes = throws_of(5 - kept.iter().sum::<u8>());
            Node::chance(outcomes.into_iter().map(move |(ways, thrown)| {
                let dice = std::array::from_fn(|face| kept[face] + thrown[face]);
                (ways, Node::go(Card { dice, throws: card.throws - 1, ..*card }))
            }))
        };
        if card.dice == [0; 6] {
            return thrown([0; 6]);
        }
        let open = (0..3).filter(|&category| card.open[category]);
        let entries = open.map(|category| {
            let mut next = Card { throws: 3, dice: [0; 6], ..*card };
            next.open[category] = false;
            (CATEGORIES[category].to_owned(), Node::go(next).scoring(points(category, card.dice)))
        });
        let keeps = keeps_of(card.dice).into_iter().filter(|_| card.throws > 0);
        Node::max(entries.chain(keeps.map(|kept| (format!("keep {}", faces(kept)), thrown(kept)))))
    }
}

/// The points for dice in a category.
fn points(category: usize, dice: Dice) -> u32 {
    let is_straight = dice[1..5] == [1; 4];
    match category {
        0 => (1..).zip(dice).map(|(face, count)| face * u32::from(count)).sum(),
        1 => 40 * u32::from(is_straight),
        _ => 50 * u32::from(dice.contains(&5)),
    }
}

/// Every result of throwing `count` dice, with the number of ways to throw it.
fn throws_of(count: u8) -> Vec<(u64, Dice)> {
    let factorial = |number: u8| (1..=u64::from(number)).product::<u64>();
    let ways = |dice: &Dice| dice.iter().fold(factorial(count), |ways, &same| ways / factorial(same));
    let all = parts_of([count; 6]).into_iter().filter(|dice| dice.iter().sum::<u8>() == count);
    all.map(|dice| (ways(&dice), dice)).collect()
}

/// Every proper subset of the dice.
fn keeps_of(dice: Dice) -> Vec<Dice> {
    let mut keeps = parts_of(dice);
    keeps.retain(|kept| *kept != dice);
    keeps
}

/// Every set of at most five dice with at most `most[face]` dice of each face.
fn parts_of(most: Dice) -> Vec<Dice> {
    let mut parts = vec![[0; 6]];
    for face in 0..6 {
        let with = |part: &Dice, count: u8| {
            let mut part = *part;
            part[face] = count;
            part
        };
        parts = parts.iter().flat_map(|part| (0..=most[face]).map(move |count| with(part, count))).collect();
        parts.retain(|part| part.iter().sum::<u8>() <= 5);
    }
    parts
}

fn faces(dice: Dice) -> String {
    let faces = (1..).zip(dice).map(|(face, count): (u8, u8)| face.to_string().repeat(usize::from(count)));
    let text: String = faces.collect();
    if text.is_empty() { String::from("-") } else { text }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open: Vec<&str> = (0..3).filter(|&category| self.open[category]).map(|open| CATEGORIES[open]).collect();
        let open = if open.is_empty() { String::from("-") } else { open.join(",") };
        write!(f, "{open} {} {}", self.throws, faces(self.dice))
    }
}

impl FromStr for Card {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Card, &'static str> {
        let expected = "write open categories, throws left and dice, such as: chance,yahtzee 2 11446";
        let mut words = text.split(' ');
        let (Some(names), Some(throws), Some(dice), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(expected);
        };
        let mut card = Card { open: [false; 3], throws: throws.parse().map_err(|_| expected)?, dice: [0; 6] };
        for name in names.split(',').filter(|name| *name != "-") {
            let category = CATEGORIES.iter().position(|other| *other == name).ok_or(expected)?;
            card.open[category] = true;
        }
        for face in dice.bytes().filter(|face| *face != b'-') {
            let count = card.dice.get_mut(usize::from(face.wrapping_sub(b'1'))).ok_or(expected)?;
            *count = count.checked_add(1).ok_or(expected)?;
        }
        if card.throws > 3 || ![0, 5].contains(&card.dice.iter().map(|&count| u32::from(count)).sum()) {
            Err(expected)
        } else {
            Ok(card)
        }
    }
}

fn main() -> ExitCode {
    kit::main(Yahtzee)
}
