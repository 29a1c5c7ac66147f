//! Solves the linear equations of a component directly, by eliminating one variable after the other.
//!
//! Iteration is slow if chance takes long to end the game. Elimination is not. A row `v = constant + Σ share·v'` has
//! shares that are probabilities, and what they lack of one is the probability to leave the component. That is kept as
//! a number of its own, so nothing is ever subtracted (Grassmann, Taksar and Heyman 1985). Bounds therefore stay narrow
//! even if leaving is unlikely.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Debug;

use num_rational::BigRational;

use super::number::{Arithmetic, Bounds, Number};

/// An arithmetic for the coefficients of linear equations.
pub(super) trait Coefficient: Arithmetic {
    /// The product with a probability.
    fn product(&self, probability: &Self) -> Self;

    /// The quotient by a probability. `None` if that may be zero.
    fn quotient(&self, probability: &Self) -> Option<Self>;

    /// The effort of an operation with this number, in units of one double.
    fn effort(&self) -> u64;
}

impl Bounds {
    /// Bounds of the results of an operation with a positive number, of which two extreme results are given.
    fn scaled(self, results: impl Fn(f64) -> [f64; 2]) -> Bounds {
        let (lower, upper) = (results(self.lower), results(self.upper));
        Bounds::rounded(lower[0].min(lower[1]), upper[0].max(upper[1]))
    }
}

impl Coefficient for Bounds {
    fn product(&self, probability: &Bounds) -> Bounds {
        self.scaled(|bound| [bound * probability.lower, bound * probability.upper])
    }

    fn quotient(&self, probability: &Bounds) -> Option<Bounds> {
        let is_positive = probability.lower > 0.0;
        is_positive.then(|| self.scaled(|bound| [bound / probability.upper, bound / probability.lower]))
    }

    fn effort(&self) -> u64 {
        1
    }
}

impl Coefficient for BigRational {
    fn product(&self, probability: &BigRational) -> BigRational {
        self * probability
    }

    fn quotient(&self, probability: &BigRational) -> Option<BigRational> {
        Some(self / probability)
    }

    fn effort(&self) -> u64 {
        // Reducing a fraction takes a time that grows with the square of its length.
        let words = (self.numer().bits() + self.denom().bits()) / 64 + 1;
        50 + words * words
    }
}

/// The value of a variable as a linear function of the variables of a component.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row<T> {
    /// The value at the current guess. Choices compare it.
    here: T,
    constant: T,
    /// The probability to leave the component, if it is possible.
    leaving: Option<T>,
    /// The variables with their shares, sorted by variable.
    shares: Vec<(u32, T)>,
}

impl<T: Coefficient> Row<T> {
    /// The value of a position outside of the component.
    pub(super) fn constant(constant: T) -> Row<T> {
        Row { here: constant.clone(), constant, leaving: Some(T::of(Number::Whole(1))), shares: Vec::new() }
    }

    /// A variable, whose value is guessed.
    pub(super) fn variable(variable: u32, here: T) -> Row<T> {
        let shares = vec![(variable, T::of(Number::Whole(1)))];
        Row { here, constant: T::of(Number::Whole(0)), leaving: None, shares }
    }

    fn map(&self, change: impl Fn(&T) -> Option<T>) -> Option<Row<T>> {
        Some(Row {
            here: self.here.clone(),
            constant: change(&self.constant)?,
            leaving: self.leaving.as_ref().map(&change).map_or(Some(None), |changed| changed.map(Some))?,
            shares: self
                .shares
                .iter()
                .map(|(variable, share)| Some((*variable, change(share)?)))
                .collect::<Option<_>>()?,
        })
    }

    /// Removes the share of a variable.
    fn take(&mut self, variable: u32) -> Option<T> {
        let place = self.shares.binary_search_by_key(&variable, |(variable, _)| *variable).ok()?;
        Some(self.shares.remove(place).1)
    }

    /// The row of a variable without the variable itself. `None` if the game never leaves the variable.
    fn without(mut self, variable: u32) -> Option<Row<T>> {
        let own = self.take(variable);
        let others = self.shares.iter().map(|(_, share)| share).chain(&self.leaving);
        let rest = others.cloned().reduce(|sum, share| sum.plus(&share))?;
        if own.is_none() { Some(self) } else { self.map(|number| number.quotient(&rest)) }
    }

    fn effort(&self) -> u64 {
        self.constant.effort() + self.shares.iter().map(|(_, share)| share.effort()).sum::<u64>()
    }
}

impl<T: Coefficient> Arithmetic for Row<T> {
    fn of(number: Number) -> Row<T> {
        Row::constant(T::of(number))
    }

    fn plus(&self, other: &Row<T>) -> Row<T> {
        let leaving = match (&self.leaving, &other.leaving) {
            (Some(one), Some(other)) => Some(one.plus(other)),
            (one, other) => one.as_ref().or(other.as_ref()).cloned(),
        };
        let mut shares = Vec::with_capacity(self.shares.len() + other.shares.len());
        let (mut left, mut right) = (self.shares.iter().peekable(), other.shares.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((one, _)), Some((other, _))) => one.cmp(other),
            };
            let one = left.next_if(|_| next.is_le());
            let other = right.next_if(|_| next.is_ge());
            shares.push(match (one, other) {
                (Some((variable, one)), Some((_, other))) => (*variable, one.plus(other)),
                (one, other) => one.or(other).expect("one of them is next").clone(),
            });
        }
        Row { here: self.here.plus(&other.here), constant: self.constant.plus(&other.constant), leaving, shares }
    }

    fn raised(&self, cost: Number) -> Row<T> {
        Row { here: self.here.raised(cost), constant: self.constant.raised(cost), ..self.clone() }
    }

    /// Called only for the value of a position outside of the component.
    fn seen_from_other(&self, sum: i64) -> Row<T> {
        Row::constant(self.constant.seen_from_other(sum))
    }

    fn times(&self, weight: u64) -> Row<T> {
        let scaled = self.map(|number| Some(number.times(weight))).expect("a product");
        Row { here: self.here.times(weight), ..scaled }
    }

    fn divided(&self, parts: u64) -> Row<T> {
        let scaled = self.map(|number| Some(number.divided(parts))).expect("a quotient");
        Row { here: self.here.divided(parts), ..scaled }
    }

    fn order(&self, other: &Row<T>) -> Ordering {
        self.here.order(&other.here)
    }
}

/// The values of all variables. `None` if that takes more than `most` effort, or if the game may never leave.
pub(super) fn eliminate<T: Coefficient>(mut rows: Vec<Row<T>>, most: u64) -> Option<Vec<T>> {
    // The variables whose rows have a share of each variable.
    let mut users: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); rows.len()];
    for (number, row) in (0..).zip(&rows) {
        for (variable, _) in &row.shares {
            users[*variable as usize].insert(number);
        }
    }
    let weight = |rows: &[Row<T>], users: &[BTreeSet<u32>], variable: u32| {
        (rows[variable as usize].shares.len() * users[variable as usize].len(), variable)
    };
    // The next variable is the one that makes the fewest new shares (Markowitz 1957).
    let mut weights: Vec<(usize, u32)> =
        (0..rows.len() as u32).map(|variable| weight(&rows, &users, variable)).collect();
    let mut queue: BTreeSet<(usize, u32)> = weights.iter().copied().collect();
    let mut eliminated = Vec::with_capacity(rows.len());
    let mut effort = 0;
    while let Some((_, variable)) = queue.pop_first() {
        let row = std::mem::replace(&mut rows[variable as usize], Row::of(Number::Whole(0))).without(variable)?;
        let mut changed: BTreeSet<u32> = row.shares.iter().map(|(other, _)| *other).collect();
        for other in &changed {
            users[*other as usize].remove(&variable);
        }
        let users_of_it = std::mem::take(&mut users[variable as usize]);
        for user in users_of_it.into_iter().filter(|&user| user != variable) {
            let share = rows[user as usize].take(variable)?;
            effort += row.effort() + share.effort() + rows[user as usize].effort();
            rows[user as usize] = rows[user as usize].plus(&row.map(|number| Some(number.product(&share)))?);
            for (other, _) in &row.shares {
                users[*other as usize].insert(user);
            }
            changed.insert(user);
        }
        if effort > most {
            return None;
        }
        for other in changed {
            let old = std::mem::replace(&mut weights[other as usize], weight(&rows, &users, other));
            queue.remove(&old);
            queue.insert(weights[other as usize]);
        }
        rows[variable as usize] = row;
        eliminated.push(variable);
    }
    let mut values: Vec<Option<T>> = vec![None; rows.len()];
    for variable in eliminated.into_iter().rev() {
        let row = &rows[variable as usize];
        let mut known = row.shares.iter().map(|(other, share)| Some(values[*other as usize].as_ref()?.product(share)));
        let value = known.try_fold(row.constant.clone(), |sum, value| Some(sum.plus(&value?)));
        values[variable as usize] = Some(value?);
    }
    values.into_iter().collect()
}
