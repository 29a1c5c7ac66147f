//! The rules: cards with secret identities, hints that mention cards, and two teams.

use std::fmt;

use crate::input::quote;

/// The largest number of cards that a board can have.
pub const MAX_CARDS: usize = 64;
/// The largest number of hints that a board can have.
pub const MAX_HINTS: usize = 1000;
/// The longest word that a card can have, in bytes.
pub const MAX_WORD_BYTES: usize = 1000;

/// How a hint is written.
pub(super) const HINT_FORMAT: &str = "write the number of words and then these words of the board, each once";

/// One of the two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Team {
    /// The team with the letter `R`.
    Red,
    /// The team with the letter `B`.
    Blue,
}

impl Team {
    /// Both teams; an array per team is in this order.
    pub const BOTH: [Team; 2] = [Team::Red, Team::Blue];

    /// The opponent.
    pub fn other(self) -> Team {
        match self {
            Team::Red => Team::Blue,
            Team::Blue => Team::Red,
        }
    }

    /// The letter of the team in the contest's text.
    pub fn letter(self) -> char {
        match self {
            Team::Red => 'R',
            Team::Blue => 'B',
        }
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Team::Red => "red",
            Team::Blue => "blue",
        })
    }
}

/// What a card is when it is revealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Identity {
    /// An agent of a team. A team wins when all its agents are revealed.
    Agent(Team),
    /// An innocent bystander: revealing it ends the turn.
    Innocent,
    /// An assassin: the team that reveals it loses.
    Assassin,
    /// A card that was revealed earlier, in a position in mid-game.
    Revealed,
}

impl Identity {
    /// The letter of the identity in the contest's text; `.` for a revealed card.
    pub fn letter(self) -> char {
        match self {
            Identity::Agent(team) => team.letter(),
            Identity::Innocent => 'I',
            Identity::Assassin => 'A',
            Identity::Revealed => '.',
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

/// A set of cards of one board, by their places on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// The set with `card` added; `card` is below [`MAX_CARDS`].
    #[must_use]
    pub(crate) fn with(self, card: usize) -> CardSet {
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
    word: String,
    identity: Identity,
}

impl Card {
    /// A card with a word on it. [`Board::new`] checks the word.
    pub fn new(word: impl Into<String>, identity: Identity) -> Card {
        Card { word: word.into(), identity }
    }

    /// The word on the card.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The identity of the card.
    pub fn identity(&self) -> Identity {
        self.identity
    }
}

/// A hint that a team follows, in the middle of its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guessing {
    /// The number of the hint in the input, from 0.
    pub hint: usize,
    /// The number of hits after which the team stops; the hits of this turn so far are not counted.
    pub number: usize,
}

impl fmt::Display for Guessing {
    /// Counts the hints from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hint {} with number {}", self.hint + 1, self.number)
    }
}

/// A position: the cards, the hints that both teams share, and the team to move.
///
/// If all agents of a team are revealed, it has won and the game is over; see [`Board::winner`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    cards: Vec<Card>,
    hints: Vec<CardSet>,
    to_move: Team,
    guessing: Option<Guessing>,
}

impl Board {
    /// A board of 1 to [`MAX_CARDS`] cards with different words and 1 to [`MAX_HINTS`] hints. A hint is given by the
    /// words of the cards that it mentions.
    pub fn new<H>(
        to_move: Team,
        cards: impl IntoIterator<Item = Card>,
        hints: impl IntoIterator<Item = H>,
    ) -> Result<Board, BoardError>
    where
        H: IntoIterator,
        H::Item: AsRef<str>,
    {
        let mut board = Board::without_hints(to_move, cards.into_iter().collect())?;
        for hint in hints {
            let hint = board.card_set(hint)?;
            board.add_hint(hint)?;
        }
        if board.hints.is_empty() {
            return Err(BoardError::HintCount(0));
        }
        Ok(board)
    }

    /// A board to which hints are still to be added.
    pub(crate) fn without_hints(to_move: Team, cards: Vec<Card>) -> Result<Board, BoardError> {
        if !(1..=MAX_CARDS).contains(&cards.len()) {
            return Err(BoardError::CardCount(cards.len()));
        }
        check_words(cards.iter().map(Card::word))?;
        let board = Board { cards, hints: Vec::new(), to_move, guessing: None };
        board.check_agents()?;
        Ok(board)
    }

    /// A team without unrevealed agents has won. That needs a revealed card, which may have been its agent.
    fn check_agents(&self) -> Result<(), BoardError> {
        let some_revealed = self.cards.iter().any(|card| card.identity == Identity::Revealed);
        match Team::BOTH.map(|team| self.agents(team) == 0) {
            [true, true] if some_revealed => Err(BoardError::BothWon),
            [true, _] if !some_revealed => Err(BoardError::NoAgent(Team::Red)),
            [_, true] if !some_revealed => Err(BoardError::NoAgent(Team::Blue)),
            _ => Ok(()),
        }
    }

    /// The cards with the words of a hint.
    pub(crate) fn card_set<W: AsRef<str>>(&self, words: impl IntoIterator<Item = W>) -> Result<CardSet, BoardError> {
        let mut set = CardSet::default();
        for word in words {
            let word = word.as_ref();
            let card = self.cards.iter().position(|card| card.word == word);
            let card = card.ok_or_else(|| BoardError::UnknownWord(word.to_owned()))?;
            if set.contains(card) {
                return Err(BoardError::WordTwiceInHint(word.to_owned()));
            }
            set = set.with(card);
        }
        if set == CardSet::default() { Err(BoardError::EmptyHint) } else { Ok(set) }
    }

    /// Adds a hint; an error if there are already [`MAX_HINTS`].
    pub(crate) fn add_hint(&mut self, hint: CardSet) -> Result<(), BoardError> {
        if self.hints.len() == MAX_HINTS {
            return Err(BoardError::HintCount(MAX_HINTS + 1));
        }
        self.hints.push(hint);
        Ok(())
    }

    /// The cards, in the order of the input.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The hints in the order of the input, each as the set of cards that it mentions.
    pub fn hints(&self) -> &[CardSet] {
        &self.hints
    }

    /// The team whose spymaster gives the next hint, or that guesses.
    pub fn to_move(&self) -> Team {
        self.to_move
    }

    /// The hint that the team to move follows, in the middle of its turn; `None` if its spymaster gives the next hint.
    pub fn guessing(&self) -> Option<Guessing> {
        self.guessing
    }

    /// The board in the middle of a turn. The number goes from 1 to the number of unrevealed words of the hint.
    pub fn with_guessing(self, guessing: Guessing) -> Result<Board, BoardError> {
        let words = self.hints.get(guessing.hint).map_or(0, |&hint| self.unrevealed(hint).count());
        if self.winner().is_some() || !(1..=words).contains(&guessing.number) {
            return Err(BoardError::NotGuessing(guessing));
        }
        Ok(Board { guessing: Some(guessing), ..self })
    }

    /// The places of the unrevealed cards of a hint, in rising order.
    pub(crate) fn unrevealed(&self, hint: CardSet) -> impl Iterator<Item = usize> {
        hint.iter().filter(|&card| self.cards[card].identity != Identity::Revealed)
    }

    /// The number of unrevealed agents of a team.
    pub fn agents(&self, team: Team) -> usize {
        self.cards.iter().filter(|card| card.identity == Identity::Agent(team)).count()
    }

    /// The team that has already won, if any: all its agents are revealed.
    pub fn winner(&self) -> Option<Team> {
        Team::BOTH.into_iter().find(|&team| self.agents(team) == 0)
    }

    /// The places of a team's unrevealed agents that no hint mentions. If there are any, the team wins only if the
    /// other team reveals an assassin or has no legal hint left.
    pub fn unmentioned_agents(&self, team: Team) -> Vec<usize> {
        let own = |&card: &usize| self.cards[card].identity == Identity::Agent(team);
        let mentioned = |card: usize| self.hints.iter().any(|hint| hint.contains(card));
        (0..self.cards.len()).filter(own).filter(|&card| !mentioned(card)).collect()
    }

    /// Whether the game can reach a position without a legal hint and without a winner. The team to move loses there.
    ///
    /// In this position every card that a hint mentions is revealed. So both teams must have an agent that no hint
    /// mentions, and no hint may mention an assassin, because a hint with an assassin always stays legal.
    pub fn can_get_stuck(&self) -> bool {
        let assassin = |card: usize| self.cards[card].identity == Identity::Assassin;
        Team::BOTH.iter().all(|&team| !self.unmentioned_agents(team).is_empty())
            && !self.hints.iter().any(|hint| hint.iter().any(assassin))
    }

    /// The board after a turn whose last guess is `card`: the card is revealed and the other team is to move.
    ///
    /// An error after an assassin: the game is over, but a board cannot show that it ended this way.
    pub fn after_last_guess(&self, card: usize) -> Result<Board, GuessError> {
        self.after_guess(card, None)
    }

    /// The board after a guess. If the team guesses on, `left` is the hint with the number of hits that are left.
    pub(super) fn after_guess(&self, card: usize, left: Option<Guessing>) -> Result<Board, GuessError> {
        if self.winner().is_some() {
            return Err(GuessError::Over);
        }
        match self.cards.get(card).map(Card::identity) {
            None => return Err(GuessError::NoCard(card)),
            Some(Identity::Revealed) => return Err(GuessError::Revealed(self.cards[card].word.clone())),
            Some(Identity::Assassin) => return Err(GuessError::Assassin(self.cards[card].word.clone())),
            Some(Identity::Agent(_) | Identity::Innocent) => (),
        }
        let mut board = self.clone();
        board.cards[card].identity = Identity::Revealed;
        board.guessing = left;
        if left.is_none() {
            board.to_move = self.to_move.other();
        }
        Ok(board)
    }
}

/// Checks every word, and that no two cards have the same word.
pub(crate) fn check_words<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Result<(), BoardError> {
    for (place, word) in words.clone().enumerate() {
        check_word(word)?;
        if words.clone().take(place).any(|other| other == word) {
            return Err(BoardError::WordTwice(word.to_owned()));
        }
    }
    Ok(())
}

/// Checks a word. In the text format, words are separated by white space.
fn check_word(word: &str) -> Result<(), BoardError> {
    if word.is_empty() || word.contains([' ', '\t', '\n', '\r']) {
        return Err(BoardError::NotAWord(word.to_owned()));
    }
    if word.len() > MAX_WORD_BYTES {
        return Err(BoardError::LongWord(word.to_owned()));
    }
    Ok(())
}

/// Why a board is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// There are not 1 to [`MAX_CARDS`] cards.
    CardCount(usize),
    /// There are not 1 to [`MAX_HINTS`] hints.
    HintCount(usize),
    /// A word is empty or has white space in it.
    NotAWord(String),
    /// A word is longer than [`MAX_WORD_BYTES`].
    LongWord(String),
    /// Two cards have the same word.
    WordTwice(String),
    /// A team has no agent and no card is revealed.
    NoAgent(Team),
    /// Neither team has an unrevealed agent, but the game ends when the first team has none.
    BothWon,
    /// A hint has no words.
    EmptyHint,
    /// A word of a hint is on no card.
    UnknownWord(String),
    /// A hint has the same word twice.
    WordTwiceInHint(String),
    /// The team cannot be guessing: there is no such hint, it has fewer unrevealed words, or the game is over.
    NotGuessing(Guessing),
}

impl BoardError {
    /// What was found.
    pub fn found(&self) -> String {
        let quote = |word: &str| quote(word.as_bytes());
        match self {
            BoardError::CardCount(count) => format!("{count} cards"),
            BoardError::HintCount(count) => format!("{count} hints"),
            BoardError::NotAWord(word) => format!("{} is not a word", quote(word)),
            BoardError::LongWord(word) => format!("{} is a word of {} bytes", quote(word), word.len()),
            BoardError::WordTwice(word) => format!("{} is twice on the board", quote(word)),
            BoardError::NoAgent(team) => format!("the {team} team has no agent"),
            BoardError::BothWon => String::from("neither team has an unrevealed agent"),
            BoardError::EmptyHint => String::from("a hint without words"),
            BoardError::UnknownWord(word) => format!("{} is not on the board", quote(word)),
            BoardError::WordTwiceInHint(word) => format!("{} is twice in the hint", quote(word)),
            BoardError::NotGuessing(guessing) => format!("no team can be guessing {guessing}"),
        }
    }

    /// What to write instead.
    pub fn remedy(&self) -> String {
        match self {
            BoardError::CardCount(_) => format!("give the board 1 to {MAX_CARDS} cards"),
            BoardError::HintCount(_) => format!("give the board 1 to {MAX_HINTS} hints"),
            BoardError::NotAWord(_) => String::from("write a word without white space"),
            BoardError::LongWord(_) => format!("write a word of at most {MAX_WORD_BYTES} bytes"),
            BoardError::WordTwice(_) => String::from("give each card a word of its own"),
            BoardError::NoAgent(team) => format!("give at least one card the identity {}", team.letter()),
            BoardError::BothWon => {
                String::from("give at least one card the identity R or B: the game ends with one winner")
            }
            BoardError::EmptyHint | BoardError::UnknownWord(_) | BoardError::WordTwiceInHint(_) => {
                String::from(HINT_FORMAT)
            }
            BoardError::NotGuessing(_) => {
                String::from("name a hint and at most as many hits as it has unrevealed words, or leave the line out")
            }
        }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.found(), self.remedy())
    }
}

impl std::error::Error for BoardError {}

/// Why there is no board after a guess.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuessError {
    /// The game is over.
    #[error("the game is over, start from a board on which it goes on")]
    Over,
    /// The board has no card at this place.
    #[error("there is no card at place {0}, count the places from 0")]
    NoCard(usize),
    /// The card is already revealed.
    #[error("{} is revealed, point at another card", quote(.0.as_bytes()))]
    Revealed(String),
    /// The card is an assassin: the guess ends the game.
    #[error("{} is an assassin and ends the game, nothing follows", quote(.0.as_bytes()))]
    Assassin(String),
}
