//! The plain solver of hop chess: recursion over boards as text, in exact rational arithmetic.
//!
//! It shares nothing with the solver, not even the rules: cells are letters, and every chance is a fraction.

use std::collections::HashMap;

use num_rational::BigRational;
use tabletop::hopchess::{Board, Case, Chance};

/// Solves positions on boards of one width with one pair of error factors.
pub struct Referee {
    columns: usize,
    justin: usize,
    donald: usize,
    solved: HashMap<(Vec<u8>, u8), BigRational>,
}

impl Referee {
    /// Knows nothing yet.
    pub fn new(columns: usize, justin: usize, donald: usize) -> Referee {
        Referee { columns, justin, donald, solved: HashMap::new() }
    }

    /// The probability that Justin wins a case, by a referee of its own.
    pub fn judge(case: Case) -> BigRational {
        let Case { position, factors } = case;
        let columns = position.board.shape().columns();
        let mut referee = Referee::new(columns, factors.justin.moves(), factors.donald.moves());
        referee.solve(&cells(position.board), position.to_move.letter() as u8)
    }

    /// The probability that Justin wins from these cells, row after row.
    pub fn solve(&mut self, cells: &[u8], to_move: u8) -> BigRational {
        let key = (cells.to_vec(), to_move);
        if let Some(value) = self.solved.get(&key) {
            return value.clone();
        }
        let opponent = if to_move == b'J' { b'D' } else { b'J' };
        let mut values = Vec::new();
        for from in 0..cells.len() {
            for to in 0..cells.len() {
                if cells[from] == to_move && cells[to] != b'.' && self.are_neighbours(from, to) {
                    let mut after = cells.to_vec();
                    after[to] = to_move;
                    after[from] = b'.';
                    values.push(self.solve(&after, opponent));
                }
            }
        }
        let value = self.choose(values, to_move);
        self.solved.insert(key, value.clone());
        value
    }

    fn are_neighbours(&self, one: usize, two: usize) -> bool {
        let rows = (one / self.columns).abs_diff(two / self.columns);
        let columns = (one % self.columns).abs_diff(two % self.columns);
        rows + columns == 1
    }

    fn choose(&self, mut values: Vec<BigRational>, to_move: u8) -> BigRational {
        let whole = |number: usize| BigRational::from_integer(number.into());
        if values.is_empty() {
            return whole(usize::from(to_move == b'D'));
        }
        values.sort();
        let factor = if to_move == b'J' {
            values.reverse();
            self.justin
        } else {
            self.donald
        };
        values.truncate(factor);
        let size = whole(values.len());
        values.into_iter().sum::<BigRational>() / size
    }
}

/// The letters of a board, row after row.
pub fn cells(board: Board) -> Vec<u8> {
    board.to_string().bytes().filter(|byte| *byte != b'\n').collect()
}

/// Whether a chance keeps its promise: a short fraction is exact, and its double the nearest; others are within 1e-16.
pub fn keeps_its_promise(chance: Chance, exact: &BigRational) -> bool {
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

/// Whether no prime above 13 divides the denominator; only error factors above 13 can bring one in.
fn has_small_primes(fraction: &BigRational) -> bool {
    let Ok(mut denominator) = u64::try_from(fraction.denom()) else { return false };
    for prime in [2, 3, 5, 7, 11, 13] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}
