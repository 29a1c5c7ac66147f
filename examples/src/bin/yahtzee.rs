//! Solitaire Yahtzee: the best play scores 254.589609 points on average, 254.587729 with forced jokers, and 245.870775
//! without the bonus of 100 points for further Yahtzees (T. Verhoeff, "Optimal Solitaire Yahtzee Strategies", 1999; J.
//! Glenn, "An Optimal Strategy for Yahtzee", 2006). There are 536,448 positions between turns.
//!
//! `YAHTZEE` chooses the variant: `unforced` (without the variable), `forced` or `no-bonus`. `YAHTZEE_OPEN` names the
//! categories that are open at the start, such as `chance,yahtzee`; without it all are.
//!
//! A turn is a throw of five dice and up to two more throws of some of them, then an entry in an open category. At 63
//! points in the categories of single faces there are 35 more. After 50 points in the category yahtzee each further
//! Yahtzee scores 100 more. A Yahtzee is a joker if that category is closed: it counts as a full house and as any straight
//! if its face is closed. A forced joker must be entered in its face, or else in a category that is not a face.

use std::env;
use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Node, Rules};

const CATEGORIES: [&str; 13] = [
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
];
const ALL: u16 = (1 << CATEGORIES.len()) - 1;
const FACES: u16 = 0b11_1111;
const YAHTZEE: usize = 11;

/// The number of dice that show each face, from one to six.
type Dice = [u8; 6];

/// A card, and where its player is in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The open categories as bits.
    open: u16,
    /// The points in the categories of single faces, at most 63.
    upper: u8,
    /// Whether a further Yahtzee scores 100 points.
    has_bonus: bool,
    /// The throws that are left.
    throws: u8,
    /// The dice on the table. If they are fewer than five, the others are about to be thrown.
    dice: Dice,
}

/// The rules for Yahtzees after the first one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// A joker may be entered anywhere.
    Unforced,
    /// A joker must be entered in its face, or else not in a face.
    Forced,
    /// A further Yahtzee scores nothing more, and is no joker.
    NoBonus,
}

/// The game.
///
/// ```text
/// rank = 128 * open categories + 2 * points of the faces + bonus
/// ```
pub struct Yahtzee {
    variant: Variant,
    /// The open categories at the start.
    open: u16,
    /// Every result of throwing up to five dice, with the number of ways to throw it.
    throws: [Vec<(u64, Dice)>; 6],
    /// Every set of up to five dice.
    dice: Vec<Dice>,
}

/// What the player does with the dice.
#[derive(Clone, Copy)]
pub enum Move {
    /// Keeps these dice and throws the others. Who keeps all makes an entry.
    Keep(Dice),
    /// Makes an entry in a category.
    Enter(usize),
}

fn count(dice: Dice) -> u8 {
    dice.iter().sum()
}

/// Every set of dice with at most `most[face]` dice of each face, and at most five in all.
fn parts_of(most: Dice) -> Vec<Dice> {
    let mut parts = vec![[0; 6]];
    for face in 0..6 {
        let with = |part: &Dice, count: u8| {
            let mut part = *part;
            part[face] = count;
            part
        };
        parts = parts.iter().flat_map(|part| (0..=most[face]).map(move |count| with(part, count))).collect();
        parts.retain(|part| count(*part) <= 5);
    }
    parts
}

impl Yahtzee {
    /// The game with these categories open at the start.
    pub fn new(variant: Variant, open: u16) -> Yahtzee {
        let factorial = |number: u8| (1..=u64::from(number)).product::<u64>();
        let throws = std::array::from_fn(|thrown| {
            let thrown = thrown as u8;
            let ways = |dice: &Dice| dice.iter().fold(factorial(thrown), |ways, &same| ways / factorial(same));
            let all = parts_of([thrown; 6]).into_iter().filter(|dice| count(*dice) == thrown);
            all.map(|dice| (ways(&dice), dice)).collect()
        });
        Yahtzee { variant, open: open & ALL, throws, dice: parts_of([5; 6]) }
    }

    /// The categories where dice may be entered.
    fn allowed(&self, card: &Card) -> u16 {
        let Some(face) = self.joker(card).filter(|_| self.variant == Variant::Forced) else { return card.open };
        match (card.open & 1 << face, card.open & !FACES) {
            (0, 0) => card.open,
            (0, others) => others,
            (face, _) => face,
        }
    }

    /// The face of a joker.
    fn joker(&self, card: &Card) -> Option<usize> {
        let is_closed = card.open >> YAHTZEE & 1 == 0;
        card.dice.iter().position(|&same| same == 5).filter(|_| is_closed && self.variant != Variant::NoBonus)
    }

    /// The card after an entry, and its points.
    fn entered(&self, card: &Card, category: usize) -> (Card, u32) {
        let is_joker = self.joker(card).is_some_and(|face| card.open >> face & 1 == 0);
        let mut points = points(category, card.dice, is_joker);
        let mut next = Card { open: card.open & !(1 << category), throws: 3, dice: [0; 6], ..*card };
        if category == YAHTZEE && points > 0 && self.variant != Variant::NoBonus {
            next.has_bonus = true;
        }
        if category < 6 {
            next.upper = (u32::from(card.upper) + points).min(63) as u8;
            points += if card.upper < 63 && next.upper == 63 { 35 } else { 0 };
        }
        points += if card.has_bonus && card.dice.contains(&5) { 100 } else { 0 };
        (next, points)
    }
}

/// The points of dice in a category.
fn points(category: usize, dice: Dice, is_joker: bool) -> u32 {
    let sum = (1..).zip(dice).map(|(face, same)| face * u32::from(same)).sum();
    let same = dice.into_iter().max().unwrap_or(0);
    let has_row = |length: usize| dice.windows(length).any(|row| row.iter().all(|&same| same > 0));
    let scores = |points: u32, is_right: bool| if is_right { points } else { 0 };
    match category {
        0..6 => (category as u32 + 1) * u32::from(dice[category]),
        6 => scores(sum, same >= 3),
        7 => scores(sum, same >= 4),
        8 => scores(25, is_joker || dice.contains(&3) && dice.contains(&2)),
        9 => scores(30, is_joker || has_row(4)),
        10 => scores(40, is_joker || has_row(5)),
        YAHTZEE => scores(50, same == 5),
        _ => sum,
    }
}

impl Rules for Yahtzee {
    type Position = Card;
    type Move = Move;

    fn name(&self) -> &str {
        match self.variant {
            Variant::Unforced => "yahtzee",
            Variant::Forced => "yahtzee-forced",
            Variant::NoBonus => "yahtzee-no-bonus",
        }
    }

    fn about(&self) -> &str {
        "Solitaire Yahtzee: the points that are still to come"
    }

    fn starts(&self) -> Vec<Card> {
        vec![Card { open: self.open, upper: 0, has_bonus: false, throws: 3, dice: [0; 6] }]
    }

    fn node(&self, card: &Card) -> Node<Self> {
        if card.open == 0 {
            return Node::over(0);
        }
        if count(card.dice) < 5 {
            let thrown = self.throws[5 - usize::from(count(card.dice))].iter();
            return Node::chance(thrown.map(|(ways, thrown)| {
                let dice = std::array::from_fn(|face| card.dice[face] + thrown[face]);
                (*ways, Node::go(Card { dice, throws: card.throws - 1, ..*card }))
            }));
        }
        if card.throws == 0 {
            let allowed = self.allowed(card);
            return Node::max((0..CATEGORIES.len()).filter(|category| allowed >> category & 1 == 1).map(|category| {
                let (next, points) = self.entered(card, category);
                (Move::Enter(category), Node::go(next).scoring(points))
            }));
        }
        Node::max(parts_of(card.dice).into_iter().map(|kept| {
            let throws = if kept == card.dice { 0 } else { card.throws };
            (Move::Keep(kept), Node::go(Card { dice: kept, throws, ..*card }))
        }))
    }

    fn is_transient(&self, card: &Card) -> bool {
        card.throws < 3
    }

    // pattern = 3 * number of the set of dice + throws that are left
    fn pattern(&self, card: &Card) -> Option<u32> {
        let dice = self.dice.binary_search(&card.dice).ok()?;
        Some(3 * dice as u32 + u32::from(card.throws))
    }

    fn at_pattern(&self, card: &Card, pattern: u32) -> Card {
        Card { throws: (pattern % 3) as u8, dice: self.dice[(pattern / 3) as usize], ..*card }
    }

    fn stage(&self, card: &Card) -> Option<u32> {
        Some(card.open.count_ones())
    }

    fn ranks(&self) -> Option<u64> {
        Some(128 << CATEGORIES.len())
    }

    fn rank(&self, card: &Card) -> u64 {
        128 * u64::from(card.open) + 2 * u64::from(card.upper) + u64::from(card.has_bonus)
    }

    fn unrank(&self, rank: u64) -> Card {
        let (open, upper, has_bonus) = ((rank / 128) as u16, (rank / 2 % 64) as u8, rank % 2 == 1);
        Card { open, upper, has_bonus, throws: 3, dice: [0; 6] }
    }
}

fn faces(dice: Dice) -> String {
    let faces = (1..).zip(dice).map(|(face, count): (u8, u8)| face.to_string().repeat(usize::from(count)));
    let text: String = faces.collect();
    if text.is_empty() { String::from("-") } else { text }
}

fn names(open: u16) -> String {
    let names: Vec<&str> =
        (0..).zip(CATEGORIES).filter(|(bit, _)| open >> bit & 1 == 1).map(|(_, name)| name).collect();
    match open {
        0 => String::from("-"),
        ALL => String::from("all"),
        _ => names.join(","),
    }
}

fn categories(names: &str) -> Option<u16> {
    let bit = |name: &str| CATEGORIES.iter().position(|other| *other == name).map(|category| 1 << category);
    match names {
        "-" => Some(0),
        "all" => Some(ALL),
        _ => names.split(',').try_fold(0, |open, name| Some(open | bit(name)?)),
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Keep(kept) => write!(f, "keep {}", faces(*kept)),
            Move::Enter(category) => f.write_str(CATEGORIES[*category]),
        }
    }
}

impl fmt::Display for Card {
    /// The open categories, the points of the faces, the throws that are left, the dice, and `bonus` if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bonus = if self.has_bonus { " bonus" } else { "" };
        write!(f, "{} {} {} {}{bonus}", names(self.open), self.upper, self.throws, faces(self.dice))
    }
}

impl FromStr for Card {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Card, &'static str> {
        let expected =
            "write open categories, points of the faces, throws left and dice, such as: chance,yahtzee 0 2 11446";
        let words: Vec<&str> = text.split(' ').collect();
        let (words, has_bonus) = match words[..] {
            [open, upper, throws, dice] => ([open, upper, throws, dice], false),
            [open, upper, throws, dice, "bonus"] => ([open, upper, throws, dice], true),
            _ => return Err(expected),
        };
        let number = |word: &str, most: u8| word.parse().ok().filter(|number| *number <= most).ok_or(expected);
        let mut card = Card {
            open: categories(words[0]).ok_or(expected)?,
            upper: number(words[1], 63)?,
            has_bonus,
            throws: number(words[2], 3)?,
            dice: [0; 6],
        };
        let dice = words[3].bytes().filter(|face| *face != b'-').take(6);
        for face in dice {
            *card.dice.get_mut(usize::from(face.wrapping_sub(b'1'))).ok_or(expected)? += 1;
        }
        match (count(card.dice), card.throws) {
            (0, 3) | (0..5, 1..3) | (5, 0..3) => Ok(card),
            _ => Err("five dice after a throw, fewer before one, and none before the first of three"),
        }
    }
}

fn main() -> ExitCode {
    let variant = match env::var("YAHTZEE").as_deref() {
        Err(_) | Ok("unforced") => Some(Variant::Unforced),
        Ok("forced") => Some(Variant::Forced),
        Ok("no-bonus") => Some(Variant::NoBonus),
        Ok(_) => None,
    };
    let open = categories(env::var("YAHTZEE_OPEN").as_deref().unwrap_or("all"));
    match (variant, open) {
        (Some(variant), Some(open @ 1..)) => kit::main(Yahtzee::new(variant, open)),
        (None, _) => refuse("YAHTZEE is not a variant, choose unforced, forced or no-bonus"),
        _ => refuse("YAHTZEE_OPEN names no categories, write some such as chance,yahtzee"),
    }
}

fn refuse(what: &str) -> ExitCode {
    eprintln!("yahtzee: {what}");
    ExitCode::from(2)
}
