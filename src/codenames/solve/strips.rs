//! Solves large boards: the sixteen sets of a strip at once, with a bound that excludes most hints.
//!
//! A hint without any of the four low cards has the same unrevealed words in all sets of a strip, so its closed form is
//! computed for all of them with vector instructions. That pays off if the hint has few own cards. For the other hints,
//! a bound comes first. A team that guesses again after a hit could also start a new turn there and give the same hint,
//! so it gets at most the value of being to move there. So a hint is worth at most
//!
//! ```text
//! the mean, over its unrevealed words x, of
//!   max(waiting win at set - x, value of being to move at set - x)   if x is own
//!   waiting win at set - x                                           if it is another card
//!   0                                                                if it is an assassin
//! ```
//!
//! and its closed form is computed only if that could beat the best hint so far. The part of the sum for higher cards
//! is computed for all sets of a strip at once. The part for low cards depends on sets of the same strip, so it is
//! added set by set.

use super::SolveError;
use super::blocks::{Block, Blocks, OpenBlock, STRIP_CARDS, STRIP_SETS, Strip, WaitingWins, place};
use super::live::{LiveBoard, LiveHint, LiveSet, MAX_LIVE};
use super::stop::Stop;
use super::turn::{Chances, Turn, Value};
use crate::codenames::rules::Team;

/// Hints with fewer own cards are computed for a whole strip at once. Measured: 3 and 4 are equally fast.
const FEW_OWN: usize = 4;
const LOW_CARDS: LiveSet = LiveSet(STRIP_SETS as u32 - 1);
/// The number of cards in each set of low cards. On targets without an instruction for it, counting would take a tenth
/// of the whole time.
const LOW_COUNTS: [usize; STRIP_SETS] = {
    let mut counts = [0; STRIP_SETS];
    let mut set = 1;
    while set < STRIP_SETS {
        counts[set] = counts[set / 2] + set % 2;
        set += 1;
    }
    counts
};

/// Solves a block; all blocks with fewer cards in their numbers must be solved.
pub fn solve_block(
    board: &LiveBoard,
    chances: &Chances,
    solved: &Blocks,
    number: usize,
    stop: Stop,
) -> Result<Block, SolveError> {
    let mut block = OpenBlock::new(solved, number)?;
    let mut strips = Strips::new(board, chances, stop);
    for strip in 0..solved.layout().strips() {
        stop.check()?;
        strips.fill(&mut block, solved.layout().base(number, strip))?;
    }
    Ok(block.into_block())
}

/// Solves one strip after the other.
struct Strips<'a> {
    board: &'a LiveBoard,
    chances: &'a Chances,
    stop: Stop<'a>,
    /// The hints, restricted to cards that some set of the strip has, without duplicates.
    hints: Vec<LiveHint>,
    /// Per team and higher card: an upper bound on the value of this card as the first guess.
    first_guesses: [[Strip; MAX_LIVE]; 2],
    /// Per team: the hints that are not computed for the whole strip.
    bounded: [Vec<Bounded>; 2],
}

/// A hint and the part of its bound that is computed for the whole strip.
struct Bounded {
    hint: LiveHint,
    /// The number of its words that are unrevealed in every set of the strip.
    size: usize,
    /// The sum of the upper bounds of these words as first guesses.
    sum: Strip,
    /// The whole bound for the current set.
    bound: f64,
}

impl<'a> Strips<'a> {
    fn new(board: &'a LiveBoard, chances: &'a Chances, stop: Stop<'a>) -> Strips<'a> {
        Strips {
            board,
            chances,
            stop,
            hints: Vec::new(),
            first_guesses: [[Strip::ZERO; MAX_LIVE]; 2],
            bounded: [Vec::new(), Vec::new()],
        }
    }

    /// Appends the strip whose smallest set is `base`.
    fn fill(&mut self, block: &mut OpenBlock, base: LiveSet) -> Result<(), SolveError> {
        self.merge_hints(base);
        for card in base.cards() {
            for team in Team::BOTH {
                self.first_guesses[team as usize][card.lowest()] = self.bound_first_guess(block, base, card, team);
            }
        }
        let floors = Team::BOTH.map(|team| self.split_hints(block, base, team));
        block.open_strip();
        for set in (0..=LOW_CARDS.0).map(|low| LiveSet(base.0 | low)) {
            let wins = match self.board.final_wins(set) {
                Some(wins) => wins,
                None => {
                    let red = self.best(block, set, Team::Red, floors[0][place(set)])?;
                    let blue = self.best(block, set, Team::Blue, floors[1][place(set)])?;
                    [1.0 - blue, 1.0 - red]
                }
            };
            block.write(place(set), wins);
        }
        Ok(())
    }

    fn merge_hints(&mut self, base: LiveSet) {
        let present = LiveSet(base.0 | LOW_CARDS.0);
        let restricted = self.board.hints.iter().map(|hint| LiveHint { words: hint.words.and(present), ..*hint });
        self.hints.clear();
        self.hints.extend(restricted.filter(|hint| hint.is_usable()));
        self.hints.sort_unstable();
        self.hints.dedup();
    }

    fn bound_first_guess(&self, block: &OpenBlock, base: LiveSet, card: LiveSet, team: Team) -> Strip {
        let left = base.minus(card);
        let mut value = *block.strip(left, team);
        if self.board.is_own(team, card) {
            value.raise(&block.strip(left, team.other()).map(|win| 1.0 - win));
        }
        value
    }

    /// Computes the hints that can be computed for the whole strip, and starts the bounds of the others. Returns the
    /// best value per set so far.
    fn split_hints(&mut self, block: &OpenBlock, base: LiveSet, team: Team) -> Strip {
        let mut best = Strip::ZERO;
        let bounded = &mut self.bounded[team as usize];
        bounded.clear();
        for &hint in &self.hints {
            let turn = Turn::new(self.board, base, team, hint);
            if hint.words.and(LOW_CARDS).is_empty() && turn.own() < FEW_OWN {
                best.raise(&turn.best_of_strip(block, self.chances));
                continue;
            }
            let mut sum = Strip::ZERO;
            for card in hint.words.and(base).cards() {
                sum.add(&self.first_guesses[team as usize][card.lowest()], 1.0);
            }
            bounded.push(Bounded { hint, size: hint.size(base), sum, bound: 0.0 });
        }
        best
    }

    /// The value of the best hint for a set; it is at least `floor`. Computes the hint with the highest bound, then all
    /// hints whose bound could beat it. A hint that is better only by a rounding error may be missed, which changes the
    /// value by no more than this error.
    fn best(&mut self, block: &OpenBlock, set: LiveSet, team: Team, floor: f64) -> Result<f64, SolveError> {
        let low_guesses = self.low_guesses(block, set, team);
        let (board, chances) = (self.board, self.chances);
        let bounded = &mut self.bounded[team as usize];
        let (mut highest, mut first) = (floor, None);
        for (index, hint) in bounded.iter_mut().enumerate() {
            let low = hint.hint.words.and(set).and(LOW_CARDS).index();
            hint.bound = (hint.sum[place(set)] + low_guesses[low]) * chances.of_guess(hint.size + LOW_COUNTS[low]);
            if hint.bound > highest {
                (highest, first) = (hint.bound, Some(index));
            }
        }
        let Some(first) = first else { return Ok(floor) };
        let stop = self.stop;
        let value = |hint: &Bounded| {
            let turn = Turn::new(board, set, team, hint.hint);
            stop.check_before(turn.own())?;
            Ok(turn.best(block, chances))
        };
        let mut best = floor.max(value(&bounded[first])?);
        for (index, hint) in bounded.iter().enumerate() {
            if hint.bound > best && index != first {
                best = best.max(value(hint)?);
            }
        }
        Ok(best)
    }

    /// For every set of low cards, the sum of their upper bounds as first guesses; revealed cards count 0.
    fn low_guesses(&self, block: &OpenBlock, set: LiveSet, team: Team) -> Strip {
        let mut sums = Strip::ZERO;
        for card in (0..STRIP_CARDS).map(|bit| LiveSet(1 << bit)) {
            let mut value = 0.0;
            if !card.and(set).is_empty() {
                let left = set.minus(card);
                value = block.waiting_win(left, team);
                if self.board.is_own(team, card) {
                    value = value.max(1.0 - block.waiting_win(left, team.other()));
                }
            }
            for without in 0..card.index() {
                sums[without + card.index()] = sums[without] + value;
            }
        }
        sums
    }
}
