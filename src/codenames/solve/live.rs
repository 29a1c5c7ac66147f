//! Live cards: the board reduced to the cards that matter, as small bit sets.
//!
//! A card is live, and has a bit, if it can still be revealed and the game can continue after it. Three kinds of cards
//! are not live: assassins (only their number in a hint matters), revealed cards, and cards that no hint mentions.
//!
//! ```text
//! bit   n-1  …  3  2  1  0
//!        │               └─ the card that the fewest hints mention
//!        └─ the card that the most hints mention
//! ```
//!
//! The order is for [`super::strips`]: it computes for many sets at once what does not depend on the lowest bits. So
//! the lowest bits are the cards that are mentioned least.

use crate::codenames::rules::{Board, CardSet, Identity, Team};
use crate::ranked::ranked;

/// A set of unrevealed live cards. Removing a card gives a smaller number, so in rising order every set comes after all
/// sets that it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LiveSet(pub u32);

impl LiveSet {
    /// The cards that are in both sets.
    #[inline(always)]
    pub fn and(self, other: LiveSet) -> LiveSet {
        LiveSet(self.0 & other.0)
    }

    /// The cards of this set that are not in `other`.
    #[inline(always)]
    pub fn minus(self, other: LiveSet) -> LiveSet {
        LiveSet(self.0 & !other.0)
    }

    /// Whether no card is left.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cards.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The set as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Each card as a set of its own, lowest bit first.
    #[inline(always)]
    pub fn cards(self) -> impl Iterator<Item = LiveSet> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            (lowest != 0).then_some(LiveSet(lowest))
        })
    }

    /// Every nonempty subset, in falling order.
    #[inline(always)]
    pub fn nonempty_subsets(self) -> impl Iterator<Item = LiveSet> {
        let mut next = self.0;
        std::iter::from_fn(move || {
            let subset = next;
            next = subset.wrapping_sub(1) & self.0;
            (subset != 0).then_some(LiveSet(subset))
        })
    }

    /// The bit of the lowest card; the set must not be empty.
    #[inline(always)]
    pub fn lowest(self) -> usize {
        self.0.trailing_zeros() as usize
    }
}

/// The most live cards of a board. With this number, the values of all sets take 512 MiB.
pub const MAX_LIVE: usize = 25;

/// A hint in live cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LiveHint {
    /// The live cards that it mentions.
    pub words: LiveSet,
    /// The number of assassins that it mentions.
    pub assassins: usize,
}

impl LiveHint {
    /// Whether it mentions any unrevealed card.
    #[inline(always)]
    pub fn is_usable(self) -> bool {
        !self.words.is_empty() || self.assassins > 0
    }

    /// The number of unrevealed words when `set` is unrevealed.
    #[inline(always)]
    pub fn size(self, set: LiveSet) -> usize {
        self.words.and(set).len() + self.assassins
    }
}

/// The agents of one team.
#[derive(Debug, Clone, Copy)]
pub struct Agents {
    /// The agents that a hint mentions.
    pub live: LiveSet,
    /// Whether there are agents that no hint mentions, so that never all agents are revealed.
    pub some_unmentioned: bool,
}

/// A board reduced to its live cards.
#[derive(Debug, Clone)]
pub struct LiveBoard {
    /// The card of each bit.
    cards: Vec<usize>,
    agents: [Agents; 2],
    /// The usable hints of the board, without duplicates.
    pub hints: Vec<LiveHint>,
}

impl LiveBoard {
    /// Reduces a board, which must have at most [`MAX_LIVE`] live cards.
    pub fn new(board: &Board) -> LiveBoard {
        let cards = live_cards(board);
        let agents = Team::BOTH.map(|team| agents(board, &cards, team));
        let mut live = LiveBoard { cards, agents, hints: Vec::new() };
        live.hints = board.hints().iter().map(|&hint| live.hint(board, hint)).collect();
        live.hints.retain(|hint| hint.is_usable());
        live.hints.sort_unstable();
        live.hints.dedup();
        live
    }

    /// The number of live cards.
    pub fn width(&self) -> usize {
        self.cards.len()
    }

    /// The start position: all live cards.
    pub fn root(&self) -> LiveSet {
        LiveSet((1 << self.width()) - 1)
    }

    /// A card of the board as a set, empty if the card is not live.
    pub fn single(&self, card: usize) -> LiveSet {
        LiveSet(self.cards.iter().position(|&live| live == card).map_or(0, |bit| 1 << bit))
    }

    /// The live agents of a team.
    #[inline(always)]
    pub fn own(&self, team: Team) -> LiveSet {
        self.agents[team as usize].live
    }

    /// Whether a card is an agent of a team.
    #[inline(always)]
    pub fn is_own(&self, team: Team, card: LiveSet) -> bool {
        !self.own(team).and(card).is_empty()
    }

    /// Whether all agents of `team` are revealed when `set` is unrevealed.
    #[inline(always)]
    pub fn finished(&self, team: Team, set: LiveSet) -> bool {
        let agents = self.agents[team as usize];
        !agents.some_unmentioned && set.and(agents.live).is_empty()
    }

    /// The waiting wins of both teams if one has won, `None` if the game goes on.
    #[inline(always)]
    pub fn final_wins(&self, set: LiveSet) -> Option<[f64; 2]> {
        match Team::BOTH.map(|team| self.finished(team, set)) {
            [false, false] => None,
            finished => Some(finished.map(|finished| if finished { 1.0 } else { 0.0 })),
        }
    }

    /// A hint of the board in live cards.
    pub fn hint(&self, board: &Board, hint: CardSet) -> LiveHint {
        let bits = self.cards.iter().enumerate();
        let words = bits.filter(|&(_, &card)| hint.contains(card)).map(|(bit, _)| 1 << bit).sum();
        let assassin = |&card: &usize| board.cards()[card].identity() == Identity::Assassin;
        LiveHint { words: LiveSet(words), assassins: hint.iter().filter(assassin).count() }
    }
}

/// The places of the live cards, those that the fewest hints mention first.
pub fn live_cards(board: &Board) -> Vec<usize> {
    let mentions = |card: usize| board.hints().iter().filter(|hint| hint.contains(card)).count();
    let cards: Vec<(usize, usize)> = (0..board.cards().len())
        .filter(|&card| is_live(board.cards()[card].identity()))
        .map(|card| (mentions(card), card))
        .filter(|&(mentions, _)| mentions > 0)
        .collect();
    ranked(cards, |&(mentions, _)| mentions as i64).into_iter().map(|(_, card)| card).collect()
}

fn is_live(identity: Identity) -> bool {
    matches!(identity, Identity::Agent(_) | Identity::Innocent)
}

fn agents(board: &Board, live: &[usize], team: Team) -> Agents {
    let own = |&card: &usize| board.cards()[card].identity() == Identity::Agent(team);
    let bits = live.iter().enumerate().filter(|(_, card)| own(card));
    Agents {
        live: LiveSet(bits.map(|(bit, _)| 1 << bit).sum()),
        some_unmentioned: (0..board.cards().len()).any(|card| own(&card) && !live.contains(&card)),
    }
}
