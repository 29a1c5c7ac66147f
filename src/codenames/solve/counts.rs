//! Solves boards with interchangeable cards: the value of every position of [`super::classes`].
//!
//! The closed form of [`super::turn`] visits each number of hits per own class once, and multiplies it by the number of
//! sets of cards with these hits. The bound that excludes hints is the one of [`super::strips`].

use super::SolveError;
use super::classes::{ClassBoard, ClassHint};
use super::memory::reserved;
use super::stop::Stop;
use super::turn::{Chances, Value, by_number};
use crate::codenames::rules::{MAX_CARDS, Team};
use crate::game::Progress;

/// Number of different counts of own cards in a hint, from none to all.
const LEVELS: usize = MAX_CARDS + 1;
/// Positions between two checks of the clock.
const POSITIONS_PER_CHECK: usize = 64;
/// About how many times a run reports its progress.
const PARTS: usize = 256;
/// Boards with fewer positions are solved so fast that they report no progress.
const WATCHED_POSITIONS: usize = 1 << 18;

/// The waiting wins of both teams in every position.
#[derive(Debug)]
pub struct CountWins {
    wins: Vec<[f64; 2]>,
}

impl CountWins {
    /// The probability that `team` wins when the other team is to move.
    #[inline(always)]
    pub fn waiting_win(&self, index: usize, team: Team) -> f64 {
        self.wins[index][team as usize]
    }
}

/// Solves a board, in rising order of its positions.
pub fn solve(
    board: &ClassBoard,
    chances: &Chances,
    stop: Stop,
    watch: &dyn Fn(Progress),
) -> Result<CountWins, SolveError> {
    let positions = board.positions.ok_or(SolveError::OutOfMemory)?;
    let mut solved = CountWins { wins: reserved(positions)? };
    let mut worker = Worker::new(board, chances, stop);
    let mut position = Position::empty(board);
    let part = positions.div_ceil(PARTS);
    let total = positions.div_ceil(part) as u64;
    for index in 0..positions {
        if index % POSITIONS_PER_CHECK == 0 {
            stop.check()?;
        }
        let wins = worker.waiting_wins(&solved, &position)?;
        solved.wins.push(wins);
        position.advance(board);
        if positions >= WATCHED_POSITIONS && (index + 1) % part == 0 {
            watch(Progress { done: ((index + 1) / part) as u64, total });
        }
    }
    if positions >= WATCHED_POSITIONS && positions % part != 0 {
        watch(Progress { done: total, total });
    }
    Ok(solved)
}

/// A position: the number of unrevealed cards of each class.
#[derive(Debug, Clone)]
pub struct Position {
    index: usize,
    counts: Vec<usize>,
    /// The number of unrevealed agents of each team that hints mention.
    own: [usize; 2],
}

impl Position {
    fn empty(board: &ClassBoard) -> Position {
        Position { index: 0, counts: vec![0; board.classes.len()], own: [0; 2] }
    }

    /// The start position: all cards are unrevealed.
    pub fn root(board: &ClassBoard) -> Position {
        let mut position = Position::empty(board);
        for (class, count) in board.classes.iter().zip(&mut position.counts) {
            *count = class.size();
            position.index += class.stride * class.size();
            if let Some(owner) = class.owner {
                position.own[owner as usize] += class.size();
            }
        }
        position
    }

    /// The position after a card of `class` is revealed; an unrevealed one must be left.
    pub fn without(&self, board: &ClassBoard, class: usize) -> Position {
        let mut position = self.clone();
        position.counts[class] -= 1;
        position.index -= board.classes[class].stride;
        if let Some(owner) = board.classes[class].owner {
            position.own[owner as usize] -= 1;
        }
        position
    }

    /// The index of the position.
    pub fn index(&self) -> usize {
        self.index
    }

    fn advance(&mut self, board: &ClassBoard) {
        self.index += 1;
        for (class, count) in board.classes.iter().zip(&mut self.counts) {
            let wraps = *count == class.size();
            if let Some(owner) = class.owner {
                let own = &mut self.own[owner as usize];
                *own = if wraps { *own - *count } else { *own + 1 };
            }
            *count = if wraps { 0 } else { *count + 1 };
            if !wraps {
                return;
            }
        }
    }

    fn finished(&self, board: &ClassBoard, team: Team) -> bool {
        self.own[team as usize] == 0 && !board.some_unmentioned[team as usize]
    }

    /// The number of unrevealed words of a hint.
    #[inline(always)]
    fn size(&self, hint: &ClassHint) -> usize {
        hint.assassins + hint.classes.iter().map(|&class| self.counts[class]).sum::<usize>()
    }
}

/// Computes the waiting wins, one position after the other.
struct Worker<'a> {
    board: &'a ClassBoard,
    chances: &'a Chances,
    stop: Stop<'a>,
    /// Per class: an upper bound on the sum of the values of its cards as first guesses.
    first_guesses: Vec<f64>,
    /// Per hint: an upper bound on its value.
    bounds: Vec<f64>,
    turn: Turn,
}

impl<'a> Worker<'a> {
    fn new(board: &'a ClassBoard, chances: &'a Chances, stop: Stop<'a>) -> Worker<'a> {
        Worker {
            board,
            chances,
            stop,
            first_guesses: vec![0.0; board.classes.len()],
            bounds: vec![0.0; board.hints.len()],
            turn: Turn::new(),
        }
    }

    fn waiting_wins(&mut self, solved: &CountWins, position: &Position) -> Result<[f64; 2], SolveError> {
        let finished = Team::BOTH.map(|team| position.finished(self.board, team));
        if finished != [false, false] {
            return Ok(finished.map(|finished| if finished { 1.0 } else { 0.0 }));
        }
        let red = self.best(solved, position, Team::Red)?;
        let blue = self.best(solved, position, Team::Blue)?;
        Ok([1.0 - blue, 1.0 - red])
    }

    /// The value of the best hint: computes the hint with the highest bound, then all hints whose bound could beat it.
    fn best(&mut self, solved: &CountWins, position: &Position, team: Team) -> Result<f64, SolveError> {
        self.bound_first_guesses(solved, position, team);
        let (mut highest, mut first) = (0.0, None);
        for (index, hint) in self.board.hints.iter().enumerate() {
            let (mut sum, mut size) = (0.0, hint.assassins);
            for &class in &hint.classes {
                sum += self.first_guesses[class];
                size += position.counts[class];
            }
            let bound = sum * self.chances.of_guess(size);
            self.bounds[index] = bound;
            if bound > highest {
                (highest, first) = (bound, Some(index));
            }
        }
        let Some(first) = first else { return Ok(0.0) };
        let mut best = self.value(solved, position, team, first)?;
        for hint in 0..self.bounds.len() {
            if self.bounds[hint] > best && hint != first {
                best = f64::max(best, self.value(solved, position, team, hint)?);
            }
        }
        Ok(best)
    }

    fn bound_first_guesses(&mut self, solved: &CountWins, position: &Position, team: Team) {
        let classes = self.board.classes.iter().zip(&position.counts);
        for ((class, &count), value) in classes.zip(&mut self.first_guesses) {
            *value = 0.0;
            if count > 0 {
                let left = position.index - class.stride;
                let mut win = solved.waiting_win(left, team);
                if class.is_own(team) {
                    win = win.max(1.0 - solved.waiting_win(left, team.other()));
                }
                *value = win * count as f64;
            }
        }
    }

    /// The value of a hint with its best number.
    fn value(&mut self, solved: &CountWins, position: &Position, team: Team, hint: usize) -> Result<f64, SolveError> {
        self.turn.set(self.board, position, team, &self.board.hints[hint]);
        self.stop.check_before(self.turn.own_cards)?;
        let mut best = 0.0;
        self.turn.each_value(solved, self.chances, |value| best.raise(&value));
        Ok(best)
    }
}

/// The values of a hint with the numbers 1, 2, … up to its number of unrevealed words.
pub fn values(
    board: &ClassBoard,
    solved: &CountWins,
    chances: &Chances,
    position: &Position,
    team: Team,
    hint: &ClassHint,
) -> Vec<f64> {
    let mut turn = Turn::new();
    turn.set(board, position, team, hint);
    let mut values = Vec::new();
    turn.each_value(solved, chances, |value| values.push(value));
    let finishes = turn.own_cards == position.own[team as usize] && !board.some_unmentioned[team as usize];
    by_number(values, turn.own_cards + usize::from(!finishes), turn.size)
}

/// The unrevealed cards of one class in a hint.
#[derive(Debug, Clone, Copy)]
struct Part {
    count: usize,
    stride: usize,
}

/// A hint given by a team in a position.
#[derive(Debug)]
struct Turn {
    index: usize,
    team: Team,
    /// The hint's unrevealed cards that are the team's own.
    own: Vec<Part>,
    /// The hint's other unrevealed cards, without assassins.
    other: Vec<Part>,
    /// The number of the team's own cards.
    own_cards: usize,
    /// The number of unrevealed words.
    size: usize,
}

impl Turn {
    fn new() -> Turn {
        Turn { index: 0, team: Team::Red, own: Vec::new(), other: Vec::new(), own_cards: 0, size: 0 }
    }

    /// Starts the turn of `team` with `hint`.
    fn set(&mut self, board: &ClassBoard, position: &Position, team: Team, hint: &ClassHint) {
        (self.index, self.team, self.own_cards, self.size) = (position.index, team, 0, position.size(hint));
        self.own.clear();
        self.other.clear();
        for &class in &hint.classes {
            let part = Part { count: position.counts[class], stride: board.classes[class].stride };
            if part.count == 0 {
                continue;
            }
            if board.classes[class].is_own(team) {
                self.own_cards += part.count;
                self.own.push(part);
            } else {
                self.other.push(part);
            }
        }
    }

    /// Calls `visit` with the values for the numbers 1, 2, …, own cards + 1, by the closed form.
    fn each_value(&self, solved: &CountWins, chances: &Chances, visit: impl FnMut(f64)) {
        let mut sums = Sums { pass: [0.0; LEVELS], miss: [0.0; LEVELS] };
        self.add_hits(solved, chances, &self.own, Hits { left: self.index, count: 0, sets: 1.0 }, &mut sums);
        let levels = ..=self.own_cards;
        chances.each_value(self.size, &sums.pass[levels], &sums.miss[levels], visit);
    }

    /// Adds the waiting wins after `hits` plus any number of further hits in the classes `own`.
    fn add_hits(&self, solved: &CountWins, chances: &Chances, own: &[Part], hits: Hits, sums: &mut Sums) {
        let Some((part, rest)) = own.split_first() else {
            if hits.count > 0 {
                sums.pass[hits.count] += hits.sets * solved.waiting_win(hits.left, self.team);
            }
            sums.miss[hits.count] += hits.sets * self.misses(solved, hits.left);
            return;
        };
        for more in 0..=part.count {
            let hits = Hits {
                left: hits.left - more * part.stride,
                count: hits.count + more,
                sets: hits.sets * chances.sets(part.count, more),
            };
            self.add_hits(solved, chances, rest, hits, sums);
        }
    }

    /// The sum of the waiting wins after each miss that is not an assassin.
    #[inline(always)]
    fn misses(&self, solved: &CountWins, left: usize) -> f64 {
        self.other.iter().map(|part| part.count as f64 * solved.waiting_win(left - part.stride, self.team)).sum()
    }
}

/// Hits of own cards, by their number per class.
#[derive(Debug, Clone, Copy)]
struct Hits {
    /// The index of the position after the hits.
    left: usize,
    /// The number of hits.
    count: usize,
    /// The number of sets of cards with these hits.
    sets: f64,
}

/// The sums of the closed form, by number of hits.
struct Sums {
    pass: [f64; LEVELS],
    miss: [f64; LEVELS],
}
