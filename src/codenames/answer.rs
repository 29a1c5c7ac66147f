//! The value of a board, its ranked hints, and the first guesses after the best one.

use std::fmt;

use super::rules::{Board, Guessing, Identity, Team};
use super::solve::Solution;
use crate::ranked::ranked;

/// Decimals of the contest's answer.
pub const DIGITS: usize = 4;

/// Values that differ by less than this are equal. The solver's rounding errors are far smaller.
const EQUAL: f64 = 1e-12;

/// The probability that the team to move wins.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Probability(f64);

impl Probability {
    /// Clamps the value to 0..1, because rounding may leave it just outside.
    fn new(value: f64) -> Probability {
        Probability(value.clamp(0.0, 1.0))
    }

    /// The probability as a double.
    pub fn to_f64(self) -> f64 {
        self.0
    }

    /// The probability with `digits` decimals.
    pub fn with_digits(self, digits: usize) -> String {
        format!("{:.*}", digits, self.0)
    }

    /// Whether two probabilities are equal up to rounding errors.
    pub fn equals(self, other: Probability) -> bool {
        (self.0 - other.0).abs() < EQUAL
    }

    /// A sort key: higher probabilities come first, and equal ones have the same key.
    fn descending_key(self) -> i64 {
        -((self.0 / EQUAL).round() as i64)
    }
}

impl fmt::Display for Probability {
    /// Writes four decimals, or the precision of the format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", f.precision().unwrap_or(DIGITS), self.0)
    }
}

/// A hint with its best number.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The number of the hint in the input, from 0.
    pub hint: usize,
    /// The best number of hits to ask for; the smallest if several are equally good. In the middle of a turn, the number
    /// that is left.
    pub number: usize,
    /// The probability to win with this number.
    pub win: Probability,
}

impl fmt::Display for Move {
    /// Counts the hints from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Guessing { hint: self.hint, number: self.number }.fmt(f)
    }
}

/// The result of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It reveals the team's last agent.
    Wins,
    /// It is a hit, and the team guesses again.
    GuessesOn,
    /// It is the last hit that was asked for.
    Stops,
    /// It is a miss, which ends the turn.
    EndsTurn,
    /// It reveals an assassin, or the other team's last agent.
    Loses,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Wins => "wins the game",
            Outcome::GuessesOn => "guesses on",
            Outcome::Stops => "stops",
            Outcome::EndsTurn => "ends the turn",
            Outcome::Loses => "loses the game",
        })
    }
}

/// A possible next guess.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The place of the card on the board, from 0.
    pub card: usize,
    /// The result of the guess.
    pub outcome: Outcome,
    /// The probability to win after the guess.
    pub win: Probability,
    /// The board after the guess; `None` after an assassin, because a board cannot show this end.
    pub next: Option<Board>,
}

/// The best hint in detail.
#[derive(Debug, Clone, PartialEq)]
pub struct BestMove {
    /// The probabilities with the numbers 1, 2, … up to the number of unrevealed words. Empty in the middle of a turn.
    pub numbers: Vec<Probability>,
    /// The first guesses after the hint with its best number: one per unrevealed card, in the order of the board.
    pub guesses: Vec<Guess>,
}

/// The legal hints of the team to move, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The probability to win with the best hint; 0 if no hint is legal. If the game is over: 1 for the winner, else 0.
    pub win: Probability,
    /// The team that has already won, if any. Then there are no moves.
    pub winner: Option<Team>,
    /// If the team to move cannot win because no hint mentions some of its agents: their places. Else empty.
    pub blocked_by: Vec<usize>,
    /// All legal hints, the best first; equal ones are in the order of the input. In the middle of a turn, only the hint
    /// that the team follows.
    pub moves: Vec<Move>,
    /// The first of these hints in detail.
    pub best: Option<BestMove>,
}

impl Solution<'_> {
    /// The probability that the team to move wins. If the game is over: 1 if it has won, else 0.
    pub fn win(&self) -> Probability {
        match self.board().guessing() {
            Some(Guessing { hint, number }) => self.by_number(hint)[number - 1],
            None => Probability::new(1.0 - self.waiting_win(None, self.board().to_move().other())),
        }
    }

    /// Every legal hint of the team to move, and the best one in detail.
    pub fn advise(&self) -> Advice {
        let board = self.board();
        let win = self.win();
        let moves = match board.guessing() {
            Some(Guessing { hint, number }) => vec![Move { hint, number, win }],
            None => self.hints(),
        };
        let numbers = |best: &Move| if board.guessing().is_some() { Vec::new() } else { self.by_number(best.hint) };
        let best = moves.first().map(|best| BestMove { numbers: numbers(best), guesses: self.guesses(best) });
        let cannot_win = board.winner().is_none() && win.equals(Probability(0.0));
        let blocked_by = if cannot_win { board.unmentioned_agents(board.to_move()) } else { Vec::new() };
        Advice { win, winner: board.winner(), blocked_by, moves, best }
    }

    /// Every legal hint with its best number, the best hint first.
    fn hints(&self) -> Vec<Move> {
        // In the order of the input, which the ranking keeps for equal hints.
        let moves = (0..self.board().hints().len()).filter_map(|hint| self.best_number(hint)).collect();
        ranked(moves, |choice: &Move| choice.win.descending_key())
    }

    /// The probabilities of a hint with the numbers 1, 2, … up to its number of unrevealed words.
    fn by_number(&self, hint: usize) -> Vec<Probability> {
        self.values(None, self.board().to_move(), hint).into_iter().map(Probability::new).collect()
    }

    /// The hint with its best number, or `None` if all its words are revealed.
    fn best_number(&self, hint: usize) -> Option<Move> {
        let values = self.by_number(hint).into_iter().zip(1..);
        let (win, number) = values.min_by_key(|&(win, number)| (win.descending_key(), number))?;
        Some(Move { hint, number, win })
    }

    fn guesses(&self, best: &Move) -> Vec<Guess> {
        let board = self.board();
        board.unrevealed(board.hints()[best.hint]).map(|card| self.guess(best, card)).collect()
    }

    fn guess(&self, best: &Move, card: usize) -> Guess {
        let (board, team) = (self.board(), self.board().to_move());
        let outcome = match board.cards()[card].identity() {
            Identity::Assassin => Outcome::Loses,
            Identity::Agent(owner) if board.agents(owner) == 1 => won_by(owner, team),
            Identity::Agent(owner) if owner == team && best.number > 1 => Outcome::GuessesOn,
            Identity::Agent(owner) if owner == team => Outcome::Stops,
            _ => Outcome::EndsTurn,
        };
        let win = match outcome {
            Outcome::Wins => 1.0,
            Outcome::Loses => 0.0,
            Outcome::Stops | Outcome::EndsTurn => self.waiting_win(Some(card), team),
            Outcome::GuessesOn => self.values(Some(card), team, best.hint)[best.number - 2],
        };
        let left = Guessing { hint: best.hint, number: best.number - 1 };
        let left = (outcome == Outcome::GuessesOn).then_some(left);
        Guess { card, outcome, win: Probability::new(win), next: board.after_guess(card, left).ok() }
    }
}

fn won_by(owner: Team, team: Team) -> Outcome {
    if owner == team { Outcome::Wins } else { Outcome::Loses }
}
