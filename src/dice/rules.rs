//! The rules of dice poker: hands, their weights, and what a player may keep.

use std::fmt;
use std::str::FromStr;

use crate::input::quote;
use crate::ranked::ranked;

/// The number of dice of a player.
pub const DICE: usize = 5;
/// The number of faces of a die.
pub const FACES: usize = 6;

/// Five dice. Their order does not matter, so they are stored in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand([u8; DICE]);

impl Hand {
    /// The hand of five faces in any order, or `None` if one of them is not from 1 to 6.
    pub fn new(mut faces: [u8; DICE]) -> Option<Hand> {
        if faces.iter().any(|face| !(1..=FACES as u8).contains(face)) {
            return None;
        }
        // An insertion sort: it is faster for five faces, and the sort of the standard library takes seven kilobytes.
        for end in 1..DICE {
            let mut place = end;
            while place > 0 && faces[place - 1] > faces[place] {
                faces.swap(place - 1, place);
                place -= 1;
            }
        }
        Some(Hand(faces))
    }

    /// The faces in ascending order.
    pub fn faces(&self) -> &[u8; DICE] {
        &self.0
    }

    /// The weight of the hand: the heavier hand wins.
    pub fn weight(&self) -> Weight {
        let groups = ranked(Kept::from(*self).groups(), |&(size, face)| -i64::from(size * 8 + face));
        let sizes: Vec<u8> = groups.iter().map(|&(size, _)| size).collect();
        let arrangement = match sizes[..] {
            [5] => Arrangement::FiveOfAKind,
            [4, 1] => Arrangement::FourOfAKind,
            [3, 2] => Arrangement::FullHouse,
            [3, 1, 1] => Arrangement::ThreeOfAKind,
            [2, 2, 1] => Arrangement::TwoPair,
            [2, 1, 1, 1] => Arrangement::Pair,
            _ if self.0[DICE - 1] - self.0[0] == 4 => Arrangement::Straight,
            _ => Arrangement::Rest,
        };
        let mut significance = [0; DICE];
        for (place, (_, face)) in significance.iter_mut().zip(groups) {
            *place = face;
        }
        Weight { arrangement, significance }
    }

    /// The different ways to keep dice, in a fixed order. Choices that keep equal faces are merged and counted.
    pub fn keeps(&self) -> Vec<Keep> {
        let mut merged: Vec<Keep> = Vec::new();
        for mask in 0..1_u32 << DICE {
            let mut kept = Kept::default();
            for (die, &face) in self.0.iter().enumerate() {
                if mask >> die & 1 == 1 {
                    kept.counts[usize::from(face) - 1] += 1;
                }
            }
            match merged.iter_mut().find(|keep| keep.kept == kept) {
                Some(keep) => keep.ways += 1,
                None => merged.push(Keep { kept, ways: 1 }),
            }
        }
        merged
    }

    /// The dice that are rerolled when `kept` is kept, in ascending order.
    pub fn rerolled(&self, kept: Kept) -> Vec<u8> {
        let mut left = kept.counts;
        let mut rerolled = Vec::new();
        for &face in &self.0 {
            let kept_of_face = &mut left[usize::from(face) - 1];
            if *kept_of_face > 0 {
                *kept_of_face -= 1;
            } else {
                rerolled.push(face);
            }
        }
        rerolled
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_faces(f, &self.0)
    }
}

/// A text that is neither a hand nor a list of dice to keep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {}", quote(.found.as_bytes()), .expected)]
pub struct NotAHand {
    /// The text.
    pub found: String,
    /// What to write instead.
    pub expected: &'static str,
}

impl FromStr for Hand {
    type Err = NotAHand;

    /// Reads five numbers from 1 to 6, separated by white space.
    fn from_str(text: &str) -> Result<Hand, NotAHand> {
        let faces = read_faces(text).and_then(|faces| <[u8; DICE]>::try_from(faces).ok());
        faces.and_then(Hand::new).ok_or_else(|| NotAHand {
            found: text.to_owned(),
            expected: "is not a hand, write five numbers from 1 to 6",
        })
    }
}

/// The faces of a text, separated by white space.
fn read_faces(text: &str) -> Option<Vec<u8>> {
    text.split_whitespace().map(|word| read_face(word.as_bytes())).collect()
}

/// The face of a die: one digit from 1 to 6, without sign or leading zeros.
pub(super) fn read_face(word: &[u8]) -> Option<u8> {
    match word {
        [digit] => digit.checked_sub(b'0').filter(|face| (1..=FACES as u8).contains(face)),
        _ => None,
    }
}

/// The kinds of hands, the lightest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrangement {
    /// None of the kinds below.
    Rest,
    /// Two dice of one face.
    Pair,
    /// Two pairs.
    TwoPair,
    /// Three dice of one face.
    ThreeOfAKind,
    /// Five faces in sequence.
    Straight,
    /// Three dice of one face, two of another.
    FullHouse,
    /// Four dice of one face.
    FourOfAKind,
    /// Five dice of one face.
    FiveOfAKind,
}

impl Arrangement {
    /// Every arrangement, the lightest first.
    pub const ALL: [Arrangement; 8] = [
        Arrangement::Rest,
        Arrangement::Pair,
        Arrangement::TwoPair,
        Arrangement::ThreeOfAKind,
        Arrangement::Straight,
        Arrangement::FullHouse,
        Arrangement::FourOfAKind,
        Arrangement::FiveOfAKind,
    ];
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Arrangement::Rest => "nothing",
            Arrangement::Pair => "pair",
            Arrangement::TwoPair => "two pair",
            Arrangement::ThreeOfAKind => "three of a kind",
            Arrangement::Straight => "straight",
            Arrangement::FullHouse => "full house",
            Arrangement::FourOfAKind => "four of a kind",
            Arrangement::FiveOfAKind => "five of a kind",
        })
    }
}

/// The weight of a hand: the heavier hand wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight {
    arrangement: Arrangement,
    /// The faces that break a tie, the most significant first: the faces of larger groups, then higher faces.
    significance: [u8; DICE],
}

impl Weight {
    /// A number that is larger for heavier hands.
    pub(super) fn number(&self) -> i64 {
        self.significance.iter().fold(self.arrangement as i64, |number, &face| 8 * number + i64::from(face))
    }

    /// The kind of hand.
    pub fn arrangement(&self) -> Arrangement {
        self.arrangement
    }
}

/// Who decides next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Both have rolled once: A decides, then B. The option `a-finished` changes it to [`Stage::AFinished`].
    #[default]
    FirstRolls,
    /// The same, but the input says that A decides, so no option changes it.
    AToMove,
    /// A's hand is final: B decides.
    AFinished,
    /// Both hands are final.
    Over,
}

/// A position: the hands of A and B, and who decides next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Case {
    /// A's dice.
    pub a: Hand,
    /// B's dice.
    pub b: Hand,
    /// Who decides next.
    pub stage: Stage,
}

impl Case {
    /// The position after both have rolled once.
    pub fn first_rolls(a: Hand, b: Hand) -> Case {
        Case { a, b, stage: Stage::FirstRolls }
    }

    /// The hand of the player who decides; `None` when the game is over.
    pub fn deciding_hand(&self) -> Option<Hand> {
        match self.stage {
            Stage::FirstRolls | Stage::AToMove => Some(self.a),
            Stage::AFinished => Some(self.b),
            Stage::Over => None,
        }
    }

    /// The position after the player who decides has kept all dice.
    #[must_use]
    pub fn after_keeping_all(self) -> Case {
        let stage = match self.stage {
            Stage::FirstRolls | Stage::AToMove => Stage::AFinished,
            Stage::AFinished | Stage::Over => Stage::Over,
        };
        Case { stage, ..self }
    }

    /// Whether A's hand is the heavier one.
    pub fn is_a_ahead(&self) -> bool {
        self.a.weight() > self.b.weight()
    }
}

/// The dice that a player keeps, as the number of dice of each face.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Kept {
    pub(super) counts: [u8; FACES],
}

impl Kept {
    /// The number of dice that are kept.
    pub fn len(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).sum()
    }

    /// Whether every die is rerolled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of dice of each face, from 1 to 6, that are kept.
    pub fn counts(&self) -> &[u8; FACES] {
        &self.counts
    }

    /// The kept faces in ascending order.
    pub fn faces(&self) -> Vec<u8> {
        let of_face = |(face, &count): (usize, &u8)| std::iter::repeat_n(face as u8 + 1, usize::from(count));
        self.counts.iter().enumerate().flat_map(of_face).collect()
    }

    /// The size and the face of every group of equal dice.
    fn groups(&self) -> Vec<(u8, u8)> {
        let groups = self.counts.iter().zip(1..).map(|(&count, face)| (count, face));
        groups.filter(|&(count, _)| count > 0).collect()
    }
}

impl From<Hand> for Kept {
    fn from(hand: Hand) -> Kept {
        let mut kept = Kept::default();
        for face in hand.0 {
            kept.counts[usize::from(face) - 1] += 1;
        }
        kept
    }
}

impl FromStr for Kept {
    type Err = NotAHand;

    /// Reads up to five numbers from 1 to 6, separated by white space.
    fn from_str(text: &str) -> Result<Kept, NotAHand> {
        let not_kept = || NotAHand {
            found: text.to_owned(),
            expected: "is not dice to keep, write at most five numbers from 1 to 6",
        };
        let faces = read_faces(text).filter(|faces| faces.len() <= DICE).ok_or_else(not_kept)?;
        let mut kept = Kept::default();
        for face in faces {
            kept.counts[usize::from(face) - 1] += 1;
        }
        Ok(kept)
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_faces(f, &self.faces())
    }
}

/// A choice of dice to keep, and how many of the 32 possible choices are equal to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// The dice that are kept.
    pub kept: Kept,
    /// The number of choices that keep these faces.
    pub ways: u32,
}

fn write_faces(f: &mut fmt::Formatter<'_>, faces: &[u8]) -> fmt::Result {
    let text: Vec<String> = faces.iter().map(u8::to_string).collect();
    f.pad(&text.join(" "))
}
