//! The value of a board, its hints ranked, and what the best one leads to.

use std::fmt;

use super::rules::{Board, Identity, Team};
use super::solve::Solution;
use crate::ranked::ranked;

/// Decimals of the contest's answer.
pub const DIGITS: usize = 4;

/// Values that differ by less are equal: the solver's rounding errors stay far below.
const EQUAL: f64 = 1e-12;

/// The probability that the team to move wins.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Probability(f64);

impl Probability {
    /// Rounding may leave a value just outside 0 to 1.
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

    /// Whether two probabilities are the same but for rounding errors.
    pub fn equals(self, other: Probability) -> bool {
        (self.0 - other.0).abs() < EQUAL
    }

    /// A key that sorts the higher one first and does not tell equal ones apart.
    fn falling(self) -> i64 {
        -((self.0 / EQUAL).round() as i64)
    }
}

impl fmt::Display for Probability {
    /// Writes four decimals if the format does not say how many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", f.precision().unwrap_or(DIGITS), self.0)
    }
}

/// A hint with its best number.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The place of the hint in the input, from 0.
    pub hint: usize,
    /// The best number of hits to ask for; of equally good ones, the smallest.
    pub number: usize,
    /// The probability with this number.
    pub win: Probability,
}

impl fmt::Display for Move {
    /// Counts the hints from 1, as people do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hint {} with number {}", self.hint + 1, self.number)
    }
}

/// What a first guess brings about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It reveals the team's last agent.
    Wins,
    /// It is a hit, and the team guesses on.
    GuessesOn,
    /// It is the last hit that was asked for.
    Stops,
    /// It is a miss.
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

/// A card that the first guess may point at.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The place of the card on the board.
    pub card: usize,
    /// What happens.
    pub outcome: Outcome,
    /// The probability from then on.
    pub win: Probability,
    /// The board after it, where it is the last guess of the turn. There is none where the team guesses on, nor after an
    /// assassin: the game is then over, which a board cannot say.
    pub next: Option<Board>,
}

/// The best hint in detail.
#[derive(Debug, Clone, PartialEq)]
pub struct BestMove {
    /// The probabilities with the numbers 1, 2, … up to the unrevealed words.
    pub numbers: Vec<Probability>,
    /// Its unrevealed cards as first guesses after the hint with its best number, in the order of the board.
    pub guesses: Vec<Guess>,
}

/// What the team to move may do, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The probability with the best hint; 0 if there is no legal one. If the game is over, 1 for the winner, else 0.
    pub win: Probability,
    /// The team that has won already. Then there are no moves.
    pub winner: Option<Team>,
    /// If the team to move cannot win: the places of its agents that no hint mentions, which is why. Empty if it can win,
    /// and where it loses for another reason.
    pub blocked_by: Vec<usize>,
    /// All legal hints, the best first, equal ones in the order of the input.
    pub moves: Vec<Move>,
    /// The first of them, if there is one.
    pub best: Option<BestMove>,
}

impl Solution<'_> {
    /// The probability that the team to move wins. If the game is over, 1 for the winner, else 0.
    pub fn win(&self) -> Probability {
        Probability::new(1.0 - self.standing(None, self.board().to_move().other()))
    }

    /// Every legal hint of the team to move, and the best one in detail.
    pub fn advise(&self) -> Advice {
        let board = self.board();
        let win = self.win();
        // The moves come in the order of the hints.
        let moves = (0..board.hints().len()).filter_map(|hint| self.best_number(hint)).collect();
        let moves = ranked(moves, |choice: &Move| choice.win.falling());
        let best =
            moves.first().map(|best| BestMove { numbers: self.by_number(best.hint), guesses: self.guesses(best) });
        let cannot_win = board.winner().is_none() && win.equals(Probability(0.0));
        let blocked_by = if cannot_win { board.unmentioned_agents(board.to_move()) } else { Vec::new() };
        Advice { win, winner: board.winner(), blocked_by, moves, best }
    }

    /// The probabilities of a hint with the numbers 1, 2, … up to its unrevealed words.
    fn by_number(&self, hint: usize) -> Vec<Probability> {
        self.values(None, self.board().to_move(), hint).into_iter().map(Probability::new).collect()
    }

    /// The hint with its best number, or `None` if all its words are revealed.
    fn best_number(&self, hint: usize) -> Option<Move> {
        let values = self.by_number(hint).into_iter().zip(1..);
        let (win, number) = values.min_by_key(|&(win, number)| (win.falling(), number))?;
        Some(Move { hint, number, win })
    }

    fn guesses(&self, best: &Move) -> Vec<Guess> {
        let board = self.board();
        let unrevealed = |&card: &usize| board.cards()[card].identity() != Identity::Revealed;
        board.hints()[best.hint].iter().filter(unrevealed).map(|card| self.guess(best, card)).collect()
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
            Outcome::Stops | Outcome::EndsTurn => self.standing(Some(card), team),
            Outcome::GuessesOn => self.values(Some(card), team, best.hint)[best.number - 2],
        };
        let next = if outcome == Outcome::GuessesOn { None } else { board.after_last_guess(card).ok() };
        Guess { card, outcome, win: Probability::new(win), next }
    }
}

fn won_by(owner: Team, team: Team) -> Outcome {
    if owner == team { Outcome::Wins } else { Outcome::Loses }
}
