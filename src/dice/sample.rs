//! Seeded cases of dice poker.

use super::rules::{Case, DICE, FACES, Hand};
use crate::game::Kind;
use crate::seeded::Seeded;

/// A case of this kind. All cases take the same time, so the kinds differ in how hard the decision is. In a tiny case A
/// has five of a kind; in a worst case the two hands differ in at most one die.
pub(super) fn sample(kind: Kind, seed: u64) -> Case {
    let mut seeded = Seeded(seed);
    let (a, b) = match kind {
        Kind::Edge => return edge(seed),
        Kind::Tiny => (five_of_a_kind(&mut seeded), any_hand(&mut seeded)),
        Kind::Ordinary => (any_hand(&mut seeded), any_hand(&mut seeded)),
        Kind::Worst => {
            let a = any_hand(&mut seeded);
            (a, neighbour(a, &mut seeded))
        }
    };
    Case::first_rolls(a, b)
}

/// A case whose hands are easily compared wrongly: equal hands, straights, and hands with the same groups.
fn edge(seed: u64) -> Case {
    let mut seeded = Seeded(seed);
    let a = match seeded.below(3) {
        0 => any_hand(&mut seeded),
        1 => straight_or_near(&mut seeded),
        _ => five_of_a_kind(&mut seeded),
    };
    let b = match seeded.below(3) {
        0 => a,
        1 => hand([2, 3, 4, 5, 6]),
        _ => hand(a.faces().map(|face| FACES as u8 + 1 - face)),
    };
    Case::first_rolls(a, b)
}

/// The case with one die, or all equal dice, of a player changed to a lower face.
pub(super) fn smaller(case: &Case) -> Vec<Case> {
    let with_a = lowered(case.a).into_iter().map(|a| Case { a, ..*case });
    let with_b = lowered(case.b).into_iter().map(|b| Case { b, ..*case });
    with_a.chain(with_b).collect()
}

fn lowered(of: Hand) -> Vec<Hand> {
    let mut hands = Vec::new();
    let faces = *of.faces();
    let mut add = |faces: [u8; DICE]| {
        let lower = hand(faces);
        if lower != of && !hands.contains(&lower) {
            hands.push(lower);
        }
    };
    add([1; DICE]);
    for high in faces {
        for low in 1..high {
            add(faces.map(|face| if face == high { low } else { face }));
        }
    }
    for die in 0..DICE {
        for low in 1..faces[die] {
            let mut faces = faces;
            faces[die] = low;
            add(faces);
        }
    }
    hands
}

/// Cases as one input, with the dice of each hand in random order.
pub(super) fn write_shuffled(cases: &[Case], seed: u64) -> String {
    let mut seeded = Seeded(seed);
    // A hand is always sorted, so the words of the text are shuffled instead.
    let ordered = super::judge::write_cases(cases);
    let mut text = String::with_capacity(ordered.len());
    for (number, line) in ordered.lines().enumerate() {
        let mut words: Vec<&str> = line.split(' ').collect();
        if number > 0 && words.len() == DICE {
            seeded.shuffle(&mut words);
        }
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    text
}

fn face(seeded: &mut Seeded) -> u8 {
    seeded.below(FACES as u64) as u8 + 1
}

fn any_hand(seeded: &mut Seeded) -> Hand {
    hand([0; DICE].map(|_| face(seeded)))
}

fn five_of_a_kind(seeded: &mut Seeded) -> Hand {
    hand([face(seeded); DICE])
}

/// One of the two straights, or a hand with a gap that is not a straight.
fn straight_or_near(seeded: &mut Seeded) -> Hand {
    hand([[1, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 3, 4, 5, 6]][seeded.below(3) as usize])
}

/// The hand with one die changed.
fn neighbour(of: Hand, seeded: &mut Seeded) -> Hand {
    let mut faces = *of.faces();
    faces[seeded.below(DICE as u64) as usize] = face(seeded);
    hand(faces)
}

fn hand(faces: [u8; DICE]) -> Hand {
    Hand::new(faces).expect("faces are drawn from 1 to 6")
}
