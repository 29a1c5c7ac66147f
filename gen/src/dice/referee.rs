//! Dice poker for the kit's plain solver, which enumerates every reroll. It has its own ranking of hands.
//!
//! It shares nothing with the solver, not even the rules: hands are five faces, and their strengths are numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use tabletop::kit::{Node, Plain, Rules};

/// Five faces in ascending order.
type Dice = [u8; 5];

/// 6^10, the outcomes of all dice that may be rerolled.
const OUTCOMES: f64 = 60_466_176.0;

static DICE_POKER: LazyLock<DicePoker> = LazyLock::new(DicePoker::new);

/// The game as its rules say, from the first rolls on.
///
/// A position is a text. `A 11123 12345`: A has 11123 against 12345, and chooses what to keep. `a 111 12345`: A keeps
/// 111, and rerolls the rest. `B` and `b` are the same for B, with A's final strength in place of the opponent's dice.
pub struct DicePoker {
    /// By kept dice and final hand: the number of ways, out of 6^5, in which rerolling the other dice gives that hand.
    rerolls: HashMap<Vec<u8>, BTreeMap<Dice, u64>>,
}

impl DicePoker {
    fn new() -> DicePoker {
        let hands: BTreeSet<Dice> = outcomes(&[]).map(sorted).collect();
        let kept: BTreeSet<Vec<u8>> = hands.into_iter().flat_map(keeps).collect();
        let distribution = |kept: &Vec<u8>| {
            let mut ways = BTreeMap::new();
            outcomes(kept).for_each(|dice| *ways.entry(sorted(dice)).or_default() += 1);
            ways
        };
        DicePoker { rerolls: kept.into_iter().map(|kept| (kept.clone(), distribution(&kept))).collect() }
    }
}

impl Rules for DicePoker {
    type Position = String;
    type Move = String;

    fn name(&self) -> &str {
        "dice-poker"
    }

    fn about(&self) -> &str {
        "Dice poker: the probability that A wins"
    }

    fn starts(&self) -> Vec<String> {
        let hands = || self.rerolls[&Vec::new()].keys();
        hands().flat_map(|a| hands().map(move |b| format!("A {} {}", text(a), text(b)))).collect()
    }

    fn node(&self, position: &String) -> Node<DicePoker> {
        let words: Vec<&str> = position.split(' ').collect();
        let [stage, first, second] = words[..] else { unreachable!("a position has three words") };
        let thrown = |then: &dyn Fn(Dice) -> Node<DicePoker>| {
            let ways = &self.rerolls[&faces(first)];
            Node::chance(ways.iter().map(|(dice, ways)| (*ways, then(*dice))))
        };
        match stage {
            "A" => Node::max(keeps(hand(first)).into_iter().map(|kept| {
                let kept = text(&kept);
                let next = format!("a {kept} {second}");
                (kept, Node::go(next))
            })),
            "a" => thrown(&|dice| Node::go(format!("B {second} {}", strength(dice)))),
            "B" => Node::min(keeps(hand(first)).into_iter().map(|kept| {
                let kept = text(&kept);
                let next = format!("b {kept} {second}");
                (kept, Node::go(next))
            })),
            // A draw is enough for B.
            _ => thrown(&|dice| Node::over(i64::from(strength(dice) < number(second)))),
        }
    }
}

/// The faces of some dice as text; no dice are `-`.
fn text(dice: &[u8]) -> String {
    if dice.is_empty() { String::from("-") } else { dice.iter().map(u8::to_string).collect() }
}

fn faces(text: &str) -> Vec<u8> {
    text.bytes().filter(|byte| *byte != b'-').map(|byte| byte - b'0').collect()
}

fn hand(text: &str) -> Dice {
    faces(text).try_into().expect("a hand has five dice")
}

fn number(text: &str) -> u64 {
    text.parse().expect("a strength is a number")
}

fn sorted(mut dice: Dice) -> Dice {
    dice.sort_unstable();
    dice
}

/// Solves pairs of hands with the kit's plain solver and its memo.
pub struct Referee {
    plain: Plain<'static, DicePoker, f64>,
}

impl Default for Referee {
    fn default() -> Referee {
        Referee { plain: Plain::new(&DICE_POKER) }
    }
}

impl Referee {
    /// The ways out of 6^10 in which A wins.
    ///
    /// # Panics
    /// If that is not a whole number.
    pub fn ways(&mut self, a: Dice, b: Dice) -> u64 {
        let position = format!("A {} {}", text(&a), text(&b));
        let ways = self.plain.value(&position).expect("the rules are valid") * OUTCOMES;
        // In doubles the error is below a millionth.
        assert!((ways - ways.round()).abs() < 1e-3, "{ways} ways");
        ways.round() as u64
    }

    /// The number of ways, out of 6^5, in which keeping `kept` and rerolling the other dice gives `dice`.
    pub fn ways_to(&mut self, kept: Vec<u8>, dice: Dice) -> u64 {
        DICE_POKER.rerolls[&kept].get(&dice).copied().unwrap_or(0)
    }
}

/// The different sets of dice that the 32 choices keep.
fn keeps(dice: Dice) -> BTreeSet<Vec<u8>> {
    (0..32).map(|mask| (0..5).filter(|die| mask >> die & 1 == 1).map(|die| dice[die]).collect()).collect()
}

/// The dice after each of 6^5 throws; kept dice do not change.
fn outcomes(kept: &[u8]) -> impl Iterator<Item = Dice> {
    (0..6_u32.pow(5)).map(move |roll| {
        let mut dice = [0, 1, 2, 3, 4].map(|die| (roll / 6_u32.pow(die) % 6) as u8 + 1);
        dice[..kept.len()].copy_from_slice(kept);
        dice
    })
}

/// A hand's strength as one number: its place in the statement's list of arrangements, then the faces that decide a tie
/// as digits.
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
