//! Seeded Codenames boards.

#![allow(dead_code)]

use tabletop::codenames::{Board, Card, CardSet, Identity, LiveBoard, Run, Solution, Team};

use super::Seeded;

/// How many cards of each kind a board has, and its hints.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub red: usize,
    pub blue: usize,
    pub innocent: usize,
    pub assassins: usize,
    pub hints: usize,
    /// The fewest and the most words of a hint.
    pub words: [usize; 2],
}

impl Shape {
    pub fn cards(&self) -> usize {
        self.red + self.blue + self.innocent + self.assassins
    }

    /// A board of this shape, its cards shuffled and its hints drawn at random.
    pub fn board(&self, seeded: &mut Seeded) -> Board {
        let mut identities = vec![Identity::Agent(Team::Red); self.red];
        identities.extend(vec![Identity::Agent(Team::Blue); self.blue]);
        identities.extend(vec![Identity::Innocent; self.innocent]);
        identities.extend(vec![Identity::Assassin; self.assassins]);
        shuffle(&mut identities, seeded);
        let cards = identities.into_iter().zip(0..).map(|(identity, card)| Card { word: format!("w{card}"), identity });
        let cards: Vec<Card> = cards.collect();
        let [fewest, most] = self.words;
        let hints = (0..self.hints).map(|_| {
            let size = fewest + seeded.below((most - fewest + 1) as u64) as usize;
            let mut places: Vec<usize> = (0..cards.len()).collect();
            shuffle(&mut places, seeded);
            places[..size].iter().fold(CardSet::default(), |hint, &card| hint.with(card))
        });
        let hints = hints.collect();
        Board { cards, hints, to_move: Team::BOTH[seeded.below(2) as usize] }
    }
}

pub fn shuffle<T>(items: &mut [T], seeded: &mut Seeded) {
    for last in (1..items.len()).rev() {
        items.swap(last, seeded.below(last as u64 + 1) as usize);
    }
}

/// The judge's text of a board.
pub fn text(board: &Board) -> String {
    let team = |team| if team == Team::Red { "R" } else { "B" };
    let letters: Vec<&str> = board
        .cards
        .iter()
        .map(|card| match card.identity {
            Identity::Agent(owner) => team(owner),
            Identity::Innocent => "I",
            Identity::Assassin => "A",
            Identity::Revealed => ".",
        })
        .collect();
    let words: Vec<&str> = board.cards.iter().map(|card| card.word.as_str()).collect();
    let mut text =
        format!("{} {}\n{}\n{}\n", board.cards.len(), team(board.to_move), words.join(" "), letters.join(" "));
    text.push_str(&format!("{}\n", board.hints.len()));
    for hint in &board.hints {
        let of_hint: Vec<&str> = hint.iter().map(|card| words[card]).collect();
        text.push_str(&format!("{} {}\n", of_hint.len(), of_hint.join(" ")));
    }
    text
}

/// The probability that the team to move wins, by the method that the program chooses.
pub fn win(board: &Board) -> f64 {
    let live = LiveBoard::new(board).unwrap();
    Solution::new(&live, Run::default()).value(live.root(), board.to_move)
}
