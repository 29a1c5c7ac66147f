//! Classes of interchangeable cards.
//!
//! Cards with the same identity that are mentioned by the same hints are interchangeable: only the number of unrevealed
//! ones matters. So a position is one count per class, and the counts are the digits of the position's index:
//!
//! ```text
//! index = count of class 0 + (size of class 0 + 1) · (count of class 1 + (size of class 1 + 1) · (…))
//! ```
//!
//! Revealing a card of a class subtracts the class's stride from the index. So in rising order of the index, every
//! position comes after all positions that it leads to. If each class has one card, the indexes are the sets of
//! [`super::live`].

use super::live::live_cards;
use crate::codenames::rules::{Board, CardSet, Identity, Team};

/// A class of interchangeable cards.
#[derive(Debug, Clone)]
pub struct Class {
    /// The cards.
    pub cards: Vec<usize>,
    /// The team whose agents they are, if they are agents.
    pub owner: Option<Team>,
    /// How much each unrevealed card adds to the index of a position.
    pub stride: usize,
}

impl Class {
    /// The number of cards.
    pub fn size(&self) -> usize {
        self.cards.len()
    }

    /// Whether the cards are agents of `team`.
    #[inline(always)]
    pub fn is_own(&self, team: Team) -> bool {
        self.owner == Some(team)
    }
}

/// A hint as a set of classes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassHint {
    /// The classes that it mentions; it mentions all cards of a class or none.
    pub classes: Vec<usize>,
    /// The number of assassins that it mentions.
    pub assassins: usize,
}

/// A board reduced to classes of live cards.
#[derive(Debug, Clone)]
pub struct ClassBoard {
    pub classes: Vec<Class>,
    /// The usable hints of the board, without duplicates.
    pub hints: Vec<ClassHint>,
    /// Per team, whether it has agents that no hint mentions, so that never all its agents are revealed.
    pub some_unmentioned: [bool; 2],
    /// The number of positions; `None` if it overflows.
    pub positions: Option<usize>,
}

impl ClassBoard {
    /// Reduces a board.
    pub fn new(board: &Board) -> ClassBoard {
        let mut classes = classes(board);
        let mut positions = Some(1_usize);
        for class in &mut classes {
            class.stride = positions.unwrap_or_default();
            positions = positions.and_then(|positions| positions.checked_mul(class.size() + 1));
        }
        let some_unmentioned = Team::BOTH.map(|team| !board.unmentioned_agents(team).is_empty());
        let mut reduced = ClassBoard { classes, hints: Vec::new(), some_unmentioned, positions };
        for &hint in board.hints() {
            let hint = reduced.hint(board, hint);
            let is_usable = !hint.classes.is_empty() || hint.assassins > 0;
            if is_usable && !reduced.hints.contains(&hint) {
                reduced.hints.push(hint);
            }
        }
        reduced
    }

    /// A hint of the board as a set of classes.
    pub fn hint(&self, board: &Board, hint: CardSet) -> ClassHint {
        let mentioned = |&class: &usize| hint.contains(self.classes[class].cards[0]);
        let assassin = |&card: &usize| board.cards()[card].identity() == Identity::Assassin;
        ClassHint {
            classes: (0..self.classes.len()).filter(mentioned).collect(),
            assassins: hint.iter().filter(assassin).count(),
        }
    }

    /// The class of a card, if it is live.
    pub fn class_of(&self, card: usize) -> Option<usize> {
        self.classes.iter().position(|class| class.cards.contains(&card))
    }

    /// The number of live cards.
    pub fn width(&self) -> usize {
        self.classes.iter().map(Class::size).sum()
    }
}

/// The classes of the live cards, those that the fewest hints mention first. The strides are not set yet.
fn classes(board: &Board) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    let same_hints =
        |one: usize, other: usize| board.hints().iter().all(|hint| hint.contains(one) == hint.contains(other));
    for card in live_cards(board) {
        let identity = board.cards()[card].identity();
        let same = |class: &&mut Class| {
            board.cards()[class.cards[0]].identity() == identity && same_hints(class.cards[0], card)
        };
        if let Some(class) = classes.iter_mut().find(same) {
            class.cards.push(card);
            continue;
        }
        let owner = if let Identity::Agent(team) = identity { Some(team) } else { None };
        classes.push(Class { cards: vec![card], owner, stride: 0 });
    }
    classes
}
