//! Sample boards from a seed: the same seed gives the same board on every machine.

use std::ops::RangeInclusive;

use super::rules::{Board, BoardError, Card, Identity, MAX_CARDS, MAX_HINTS, Team};
use crate::game::Size;
use crate::seeded::Seeded;

/// Words for the cards, within the contest's limits: at most 20 lower-case English letters.
const WORDS: [&str; MAX_CARDS] = [
    "apple", "arrow", "badge", "bark", "bat", "bell", "bridge", "button", "cave", "chest", "cloud", "comet", "copper",
    "crown", "dice", "dog", "dragon", "drum", "eagle", "engine", "fan", "field", "fork", "garden", "glass", "hammer",
    "harbor", "hook", "iron", "ivory", "jam", "java", "key", "knight", "ladder", "lemon", "mint", "mirror", "needle",
    "novel", "opera", "orbit", "palm", "pilot", "plate", "press", "queen", "ring", "robin", "rock", "saddle", "screen",
    "server", "sleep", "spring", "table", "ticket", "tower", "umbrella", "violin", "wave", "whistle", "wing", "yard",
];

/// The number of cards of each identity, and the number and size of the hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Agents of the red team.
    pub red: usize,
    /// Agents of the blue team.
    pub blue: usize,
    /// Innocent bystanders.
    pub innocent: usize,
    /// Assassins.
    pub assassins: usize,
    /// Hints.
    pub hints: usize,
    /// The number of words of a hint, limited by the number of cards.
    pub words: RangeInclusive<usize>,
}

impl Shape {
    /// The number of cards.
    pub fn cards(&self) -> usize {
        self.red + self.blue + self.innocent + self.assassins
    }

    /// A board of this shape with shuffled cards and random hints; an error if no board has this shape.
    pub fn board(&self, seeded: &mut Seeded) -> Result<Board, BoardError> {
        let (cards, hints) = self.deal(seeded)?;
        self.build(&cards, &hints, seeded)
    }

    /// As [`Shape::board`], but every agent is mentioned by a hint, so that no game gets stuck.
    fn finishable_board(&self, seeded: &mut Seeded) -> Board {
        self.try_finishable_board(seeded).expect("the shapes of samples are possible")
    }

    fn try_finishable_board(&self, seeded: &mut Seeded) -> Result<Board, BoardError> {
        let (cards, mut hints) = self.deal(seeded)?;
        for (place, card) in cards.iter().enumerate() {
            let is_agent = matches!(card.identity(), Identity::Agent(_));
            if is_agent && !hints.iter().any(|hint| hint.contains(&place)) {
                let hint = seeded.below(hints.len().max(1) as u64) as usize;
                hints.get_mut(hint).ok_or(BoardError::HintCount(0))?.push(place);
            }
        }
        self.build(&cards, &hints, seeded)
    }

    /// Random cards, and for each hint the places of its cards.
    fn deal(&self, seeded: &mut Seeded) -> Result<(Vec<Card>, Vec<Vec<usize>>), BoardError> {
        if !(1..=MAX_CARDS).contains(&self.cards()) {
            return Err(BoardError::CardCount(self.cards()));
        }
        let mut identities = vec![Identity::Agent(Team::Red); self.red];
        identities.extend(vec![Identity::Agent(Team::Blue); self.blue]);
        identities.extend(vec![Identity::Innocent; self.innocent]);
        identities.extend(vec![Identity::Assassin; self.assassins]);
        seeded.shuffle(&mut identities);
        let cards: Vec<Card> =
            WORDS.into_iter().zip(identities).map(|(word, identity)| Card::new(word, identity)).collect();
        let (fewest, most) = (*self.words.start(), *self.words.end());
        let hints = (0..self.hints).map(|_| {
            let size = fewest + seeded.below((most.saturating_sub(fewest) + 1) as u64) as usize;
            let mut places: Vec<usize> = (0..cards.len()).collect();
            seeded.shuffle(&mut places);
            places.truncate(size.max(1));
            places
        });
        let hints = hints.collect();
        Ok((cards, hints))
    }

    fn build(&self, cards: &[Card], hints: &[Vec<usize>], seeded: &mut Seeded) -> Result<Board, BoardError> {
        let hints = hints.iter().map(|hint| hint.iter().map(|&card| cards[card].word()));
        Board::new(Team::BOTH[seeded.below(2) as usize], cards.to_vec(), hints)
    }
}

/// A board of 3 to 5 cards with up to 3 hints.
pub fn tiny(seed: u64) -> Board {
    let seeded = &mut Seeded(seed);
    let cards = 3 + pick(seeded, 3);
    let assassins = pick(seeded, 2);
    let red = 1 + pick(seeded, cards - assassins - 1);
    let blue = 1 + pick(seeded, cards - assassins - red);
    let innocent = cards - assassins - red - blue;
    Shape { red, blue, innocent, assassins, hints: 1 + pick(seeded, 3), words: 1..=3 }.finishable_board(seeded)
}

/// A board of 8 to 12 cards with 8 to 20 hints of up to 4 words.
pub fn ordinary(seed: u64) -> Board {
    let seeded = &mut Seeded(seed);
    let [red, blue] = [3 + pick(seeded, 2), 3 + pick(seeded, 2)];
    let [innocent, assassins] = [1 + pick(seeded, 3), 1];
    Shape { red, blue, innocent, assassins, hints: 8 + pick(seeded, 13), words: 1..=4 }.finishable_board(seeded)
}

/// A board at the contest's limits: 15 cards and 50 hints, each of half the board. Without assassins misses cost least,
/// so bounds exclude the fewest hints.
pub fn worst(seed: u64) -> Board {
    let shape = Shape { red: 8, blue: 7, innocent: 0, assassins: 0, hints: 50, words: 7..=8 };
    shape.finishable_board(&mut Seeded(seed))
}

/// The sizes that can be chosen for a sample.
pub(super) const SIZES: &[Size] = &[
    Size { name: "cards", limits: 2..=MAX_CARDS as u32 },
    Size { name: "hints", limits: 1..=MAX_HINTS as u32 },
    Size { name: "words", limits: 1..=MAX_CARDS as u32 },
];
/// The contest's largest number of cards.
const CONTEST_CARDS: usize = 15;
/// The contest's largest number of hints.
const CONTEST_HINTS: usize = 50;
/// The number of random boards that are tried before the sizes are refused.
const ATTEMPTS: usize = 200;

/// The sizes asked for; those that are `None` are chosen.
pub(super) struct Sizes {
    pub cards: Option<usize>,
    pub hints: Option<usize>,
    /// Words per hint.
    pub words: Option<usize>,
}

/// A board of these sizes, on which no game gets stuck.
pub(super) fn sized(Sizes { cards, hints, words }: Sizes, seed: u64) -> Result<Board, String> {
    let seeded = &mut Seeded(seed);
    let cards = cards.unwrap_or_else(|| {
        let fewest = words.unwrap_or(2).max(2);
        fewest + pick(seeded, CONTEST_CARDS.saturating_sub(fewest) + 1)
    });
    let hints = hints.unwrap_or_else(|| (cards + pick(seeded, cards)).min(CONTEST_HINTS));
    let most = words.unwrap_or_else(|| cards.min(4));
    if most > cards {
        return Err(format!("hints of {most} words on a board of {cards} cards, ask for fewer words or more cards"));
    }
    for _ in 0..ATTEMPTS {
        let assassins = usize::from(cards > 3);
        let red = (2 * cards / 5).max(1);
        let blue = (red + pick(seeded, 2)).min(cards - red - assassins).max(1);
        let innocent = cards - red - blue - assassins;
        let [red, blue] = if pick(seeded, 2) == 0 { [red, blue] } else { [blue, red] };
        let shape = Shape { red, blue, innocent, assassins, hints, words: words.unwrap_or(1)..=most };
        let board = shape.board(seeded).map_err(|error| format!("{}, {}", error.found(), error.remedy()))?;
        if !board.can_get_stuck() {
            return Ok(board);
        }
    }
    Err(format!("with {hints} hints of up to {most} words the hints can run out, ask for more hints or words"))
}

/// A board of a kind that programs often get wrong: hints without an own card, hints that mention all cards, hints of
/// one word, many assassins, or agents that no hint mentions.
pub(super) fn edge(seed: u64) -> Board {
    let seeded = &mut Seeded(seed);
    let shape = match pick(seeded, 5) {
        0 => Shape { red: 1, blue: 1, innocent: pick(seeded, 3), assassins: pick(seeded, 2), hints: 1, words: 4..=4 },
        1 => Shape { red: 3, blue: 2, innocent: 2, assassins: 0, hints: 7, words: 1..=1 },
        2 => Shape { red: 1, blue: 2, innocent: 0, assassins: 3, hints: 4, words: 2..=6 },
        3 => Shape { red: 3, blue: 3, innocent: 1, assassins: 1, hints: 5, words: 5..=8 },
        _ => Shape { red: 2, blue: 2, innocent: 3, assassins: 1, hints: 3, words: 1..=3 },
    };
    let agents_may_be_unmentioned = pick(seeded, 2) == 0;
    match shape.board(seeded) {
        Ok(board) if agents_may_be_unmentioned && !board.can_get_stuck() => board,
        _ => shape.finishable_board(seeded),
    }
}

/// Smaller boards on which no game gets stuck: with fewer cards, hints or words in a hint, or with an innocent instead
/// of an assassin.
pub(super) fn smaller(board: &Board) -> Vec<Board> {
    let cards: Vec<usize> = (0..board.cards().len()).collect();
    let hints: Vec<Vec<usize>> = board.hints().iter().map(|hint| hint.iter().collect()).collect();
    let mut found = Vec::new();
    let half = hints.len() / 2;
    if half > 0 {
        found.push(rebuilt(board, &cards, &hints[..half]));
        found.push(rebuilt(board, &cards, &hints[half..]));
    }
    for left_out in &cards {
        let kept: Vec<usize> = cards.iter().copied().filter(|card| card != left_out).collect();
        found.push(rebuilt(board, &kept, &hints));
    }
    for left_out in 0..hints.len() {
        found.push(rebuilt(board, &cards, &[&hints[..left_out], &hints[left_out + 1..]].concat()));
    }
    for (number, hint) in hints.iter().enumerate().filter(|(_, hint)| hint.len() > 1) {
        for left_out in hint {
            let mut hints = hints.clone();
            hints[number].retain(|card| card != left_out);
            found.push(rebuilt(board, &cards, &hints));
        }
    }
    for (place, _) in board.cards().iter().enumerate().filter(|(_, card)| card.identity() == Identity::Assassin) {
        let mut cards = board.cards().to_vec();
        cards[place] = Card::new(cards[place].word(), Identity::Innocent);
        let words = hints.iter().map(|hint| hint.iter().map(|&card| board.cards()[card].word()));
        found.push(Board::new(board.to_move(), cards.clone(), words).ok());
    }
    found.into_iter().flatten().filter(|smaller| !smaller.can_get_stuck()).collect()
}

/// The board with only these cards and hints, without hints that have no card left; `None` if it is not valid.
fn rebuilt(board: &Board, kept: &[usize], hints: &[Vec<usize>]) -> Option<Board> {
    let cards = kept.iter().map(|&card| board.cards()[card].clone());
    let hints = hints.iter().map(|hint| hint.iter().filter(|card| kept.contains(card)).collect::<Vec<_>>());
    let hints = hints.filter(|hint| !hint.is_empty());
    let words = hints.map(|hint| hint.into_iter().map(|&card| board.cards()[card].word()).collect::<Vec<_>>());
    Board::new(board.to_move(), cards, words).ok()
}

/// A number below `bound`.
fn pick(seeded: &mut Seeded, bound: usize) -> usize {
    seeded.below(bound as u64) as usize
}
