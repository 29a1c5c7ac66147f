//! The value of a board, its hints ranked, and what the best one leads to.

use super::rules::{Board, Identity, Team};
use super::solve::Solution;

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

    /// The probability with so many decimals.
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

/// A card that the first guess may point at.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The place of the card on the board.
    pub card: usize,
    /// What happens.
    pub outcome: Outcome,
    /// The probability from then on.
    pub win: Probability,
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
    /// The probability with the best hint; 0 if there is no legal one.
    pub win: Probability,
    /// All legal hints, the best first, equal ones in the order of the input.
    pub moves: Vec<Move>,
    /// The first of them, if there is one.
    pub best: Option<BestMove>,
}

/// The probability that the team to move wins.
pub fn win(board: &Board, solution: &Solution) -> Probability {
    Probability::new(solution.value(solution.board().root(), board.to_move))
}

/// Every legal hint of the team to move, and the best one in detail.
pub fn advise(board: &Board, solution: &Solution) -> Advice {
    let mut moves: Vec<Move> = (0..board.hints.len()).filter_map(|hint| best_number(board, solution, hint)).collect();
    moves.sort_by_key(|choice| (choice.win.falling(), choice.hint));
    let best = moves
        .first()
        .map(|best| BestMove { numbers: values(board, solution, best.hint), guesses: guesses(board, solution, best) });
    Advice { win: win(board, solution), moves, best }
}

fn values(board: &Board, solution: &Solution, hint: usize) -> Vec<Probability> {
    let live = solution.board();
    let values = solution.values(live.root(), board.to_move, live.hint(board, board.hints[hint]));
    values.into_iter().map(Probability::new).collect()
}

/// The hint with its best number, or `None` if all its words are revealed.
fn best_number(board: &Board, solution: &Solution, hint: usize) -> Option<Move> {
    let values = values(board, solution, hint).into_iter().zip(1..);
    let (win, number) = values.min_by_key(|&(win, number)| (win.falling(), number))?;
    Some(Move { hint, number, win })
}

fn guesses(board: &Board, solution: &Solution, best: &Move) -> Vec<Guess> {
    let cards = board.hints[best.hint].iter();
    let unrevealed = cards.filter(|&card| board.cards[card].identity != Identity::Revealed);
    unrevealed.map(|card| guess(board, solution, best, card)).collect()
}

fn guess(board: &Board, solution: &Solution, best: &Move, card: usize) -> Guess {
    let (live, team) = (solution.board(), board.to_move);
    let left = live.root().minus(live.single(card));
    let outcome = match board.cards[card].identity {
        Identity::Assassin => Outcome::Loses,
        Identity::Agent(owner) if live.finished(owner, left) => won_by(owner, team),
        Identity::Agent(owner) if owner == team && best.number > 1 => Outcome::GuessesOn,
        Identity::Agent(owner) if owner == team => Outcome::Stops,
        _ => Outcome::EndsTurn,
    };
    let win = match outcome {
        Outcome::Wins => 1.0,
        Outcome::Loses => 0.0,
        Outcome::Stops | Outcome::EndsTurn => solution.standing(left, team),
        Outcome::GuessesOn => {
            let hint = live.hint(board, board.hints[best.hint]);
            solution.values(left, team, hint)[best.number - 2]
        }
    };
    Guess { card, outcome, win: Probability::new(win) }
}

fn won_by(owner: Team, team: Team) -> Outcome {
    if owner == team { Outcome::Wins } else { Outcome::Loses }
}
