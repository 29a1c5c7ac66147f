//! What Codenames is: cards with secret identities, hints that point at cards, two teams.

/// One of the two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Team {
    /// The team of the letter `R`.
    Red,
    /// The team of the letter `B`.
    Blue,
}

impl Team {
    /// Both teams, in the order in which tables list them.
    pub const BOTH: [Team; 2] = [Team::Red, Team::Blue];

    /// The team across the table.
    pub fn other(self) -> Team {
        match self {
            Team::Red => Team::Blue,
            Team::Blue => Team::Red,
        }
    }
}

/// What a card turns out to be when it is pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// An agent of a team; a team whose agents are all revealed wins.
    Agent(Team),
    /// An innocent bystander: it ends the turn.
    Innocent,
    /// An assassin: who points at it loses.
    Assassin,
    /// A card that was revealed before (a position in mid-game): it is out of the game.
    Revealed,
}

/// The largest number of cards that a board can have.
pub const MAX_CARDS: usize = 64;

/// A set of cards of one board, by their places on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CardSet(u64);

impl CardSet {
    /// The set with `card` added; `card` is below [`MAX_CARDS`].
    #[must_use]
    pub fn with(self, card: usize) -> CardSet {
        CardSet(self.0 | 1 << card)
    }

    /// Whether `card` is in the set.
    pub fn contains(self, card: usize) -> bool {
        card < MAX_CARDS && self.0 >> card & 1 == 1
    }

    /// The places of the cards in the set, in rising order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MAX_CARDS).filter(move |&card| self.contains(card))
    }
}

/// A card on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The word that it bears.
    pub word: String,
    /// What it is.
    pub identity: Identity,
}

/// A position: the board, the dictionary of hints that both teams share, and who moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The cards, in the order of the input; at most [`MAX_CARDS`].
    pub cards: Vec<Card>,
    /// The cards that each hint word is associated with, in the order of the input.
    pub hints: Vec<CardSet>,
    /// The team whose spymaster gives the next hint.
    pub to_move: Team,
}
