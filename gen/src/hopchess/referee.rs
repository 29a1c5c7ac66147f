//! Hop chess for the kit's plain solver: boards as text, in exact rational arithmetic.
//!
//! It shares nothing with the solver, not even the rules: cells are letters, and every chance is a fraction.

use num_rational::BigRational;
use tabletop::hopchess::{Board, Case, Chance};
use tabletop::kit::{Goal, Node, Plain, Rules};

/// The game as its rules say; the value is the probability that Justin wins.
///
/// A position is a text: the player to move, Justin's error factor, Donald's error factor, the number of columns, and
/// the cells row by row, with `.` for an empty one.
pub struct HopChess;

impl Rules for HopChess {
    type Position = String;
    type Move = String;

    fn name(&self) -> &str {
        "hop-chess"
    }

    fn about(&self) -> &str {
        "Hop chess on a board of 2x3 cells: the probability that Justin wins"
    }

    fn starts(&self) -> Vec<String> {
        vec![String::from("J 2 1 3 JDJDJD")]
    }

    fn node(&self, position: &String) -> Node<HopChess> {
        let words: Vec<&str> = position.split(' ').collect();
        let [to_move, justin, donald, columns, cells] = words[..] else { unreachable!("a position has five words") };
        let number = |text: &str| -> usize { text.parse().expect("a number") };
        let (goal, factor, opponent) = match to_move {
            "J" => (Goal::Max, number(justin), "D"),
            _ => (Goal::Min, number(donald), "J"),
        };
        let (own, cells) = (to_move.as_bytes()[0], cells.as_bytes());
        let mut moves = Vec::new();
        for from in 0..cells.len() {
            for to in 0..cells.len() {
                if cells[from] == own && cells[to] != b'.' && are_neighbours(number(columns), from, to) {
                    let mut after = cells.to_vec();
                    after[to] = own;
                    after[from] = b'.';
                    let after = String::from_utf8(after).expect("letters");
                    let next = Node::go(format!("{opponent} {justin} {donald} {columns} {after}"));
                    moves.push((format!("{from} to {to}"), next));
                }
            }
        }
        // A player who cannot move has lost.
        if moves.is_empty() { Node::over(i64::from(own == b'D')) } else { Node::proposal(goal, factor, moves) }
    }
}

fn are_neighbours(columns: usize, one: usize, two: usize) -> bool {
    (one / columns).abs_diff(two / columns) + (one % columns).abs_diff(two % columns) == 1
}

/// Solves positions on boards of one width with one pair of error factors, by the kit's plain solver.
pub struct Referee {
    columns: usize,
    justin: usize,
    donald: usize,
    plain: Plain<'static, HopChess, BigRational>,
}

impl Referee {
    /// A referee with an empty memo.
    pub fn new(columns: usize, justin: usize, donald: usize) -> Referee {
        Referee { columns, justin, donald, plain: Plain::new(&HopChess) }
    }

    /// The probability that Justin wins a case, by a new referee.
    pub fn judge(case: Case) -> BigRational {
        let Case { position, factors } = case;
        let columns = position.board.shape().columns();
        let mut referee = Referee::new(columns, factors.justin.moves(), factors.donald.moves());
        referee.solve(&cells(position.board), position.to_move.letter() as u8)
    }

    /// The probability that Justin wins from these cells, given row by row.
    pub fn solve(&mut self, cells: &[u8], to_move: u8) -> BigRational {
        let Referee { columns, justin, donald, .. } = self;
        let cells = String::from_utf8_lossy(cells);
        let position = format!("{} {justin} {donald} {columns} {cells}", char::from(to_move));
        self.plain.value(&position).expect("the rules are valid")
    }
}

/// The letters of a board, row by row.
pub fn cells(board: Board) -> Vec<u8> {
    board.to_string().bytes().filter(|byte| *byte != b'\n').collect()
}

/// Whether a chance is exact enough: a short fraction must be exact and its double the nearest one, any other must be
/// within 1e-16.
pub fn is_exact_enough(chance: Chance, exact: &BigRational) -> bool {
    let stored = BigRational::new(chance.numerator().into(), chance.denominator().into());
    let within = |bound: f64| {
        let (Some(double), Some(bound)) = (BigRational::from_float(chance.to_f64()), BigRational::from_float(bound))
        else {
            return false;
        };
        let difference = double - exact;
        -&bound <= difference && difference <= bound
    };
    let is_short = exact.denom() < &Chance::SHORT.into() && has_small_primes(exact);
    let short_is_exact = !is_short || stored == *exact && within(chance.to_f64() * f64::EPSILON / 2.0);
    short_is_exact && within(1e-16)
}

/// Whether no prime above 13 divides the denominator. Only error factors above 13 can lead to such a prime.
fn has_small_primes(fraction: &BigRational) -> bool {
    let Ok(mut denominator) = u64::try_from(fraction.denom()) else { return false };
    for prime in [2, 3, 5, 7, 11, 13] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}
