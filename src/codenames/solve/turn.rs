//! The value of a hint, in closed form.
//!
//! The waiting win of a team is its value when the other team is to move, see [`super::blocks::WaitingWins`].
//!
//! A hint has `s` unrevealed words. The first `t` guesses are exactly a given set of `t` own cards with probability
//! `1/C(s, t)`, and then each other word is the next guess with probability `1/(s - t)`. So with
//!
//! ```text
//! pass(t) = the sum, over the sets T of t own cards of the hint, of the waiting win after T
//! miss(t) = the sum, over these T and the cards x of the hint that are not own, of the waiting win after T and x
//! ```
//!
//! the hint with the number K is worth `pass(K)/C(s, K)` plus the sum of `miss(t)/(C(s, t)(s - t))` over all `t < K`.
//! One enumeration of the subsets of own cards is enough for every K. An assassin adds one word to `s` and nothing to
//! the sums.
//!
//! If the hint has all the last own cards and K is larger than their number, the formula lets the team guess on after
//! it has won. That is never worth more than winning, so the maximum over K is still right. [`Turn::values`] corrects
//! the other values.

use super::blocks::{OpenBlock, STRIP_SETS, Strip, WaitingWins};
use super::live::{LiveBoard, LiveHint, LiveSet, MAX_LIVE};
use crate::codenames::rules::{MAX_CARDS, Team};

/// Number of different counts of own cards in a hint, from none to all.
const LEVELS: usize = MAX_LIVE + 1;

/// Number of different counts of hits with a hint, from none to all its words.
const HIT_COUNTS: usize = MAX_CARDS + 1;

/// The binomial coefficients and probabilities of the closed form.
#[derive(Debug)]
pub struct Chances {
    /// `[s][t]`: the number of sets of `t` cards among `s`.
    sets: Vec<[f64; HIT_COUNTS]>,
    /// `[s][t]`: the probability that the first `t` guesses are a given set.
    hits: Vec<[f64; HIT_COUNTS]>,
    /// `[s][t]`: the probability that the first `t` guesses are a given set and the next guess is a given other card.
    miss: Vec<[f64; HIT_COUNTS]>,
}

impl Chances {
    /// The probabilities for hints of up to `largest` words; `largest` is at most [`MAX_CARDS`].
    pub fn new(largest: usize) -> Chances {
        let mut chances = Chances { sets: Vec::new(), hits: Vec::new(), miss: Vec::new() };
        for size in 0..=largest {
            let [mut sets, mut hits, mut miss] = [[0.0; HIT_COUNTS]; 3];
            let mut ways = 1.0;
            for count in 0..=size {
                let left = (size - count) as f64;
                sets[count] = ways;
                hits[count] = 1.0 / ways;
                miss[count] = if count < size { 1.0 / (ways * left) } else { 0.0 };
                ways = ways * left / (count + 1) as f64;
            }
            chances.sets.push(sets);
            chances.hits.push(hits);
            chances.miss.push(miss);
        }
        chances
    }

    /// The number of sets of `count` cards among `size`.
    #[inline(always)]
    pub fn sets(&self, size: usize, count: usize) -> f64 {
        self.sets[size][count]
    }

    /// Calls `visit` with the values for the numbers 1, 2, …, own cards + 1, given the sums for each number of hits.
    #[inline(always)]
    pub fn each_value<V: Value>(&self, size: usize, pass: &[V], miss: &[V], mut visit: impl FnMut(V)) {
        let (hit_chance, miss_chance) = (&self.hits[size], &self.miss[size]);
        let mut ended = V::ZERO;
        ended.add(&miss[0], miss_chance[0]);
        for count in 1..pass.len() {
            let mut value = ended;
            value.add(&pass[count], hit_chance[count]);
            visit(value);
            ended.add(&miss[count], miss_chance[count]);
        }
        visit(ended);
    }

    /// The probability that a given word of a hint of `size` words is the first guess; 0 if `size` is 0.
    #[inline(always)]
    pub fn of_guess(&self, size: usize) -> f64 {
        self.miss[size][0]
    }
}

/// A hint given by a team when a set of cards is unrevealed.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    set: LiveSet,
    team: Team,
    /// The hint's unrevealed cards that are the team's own.
    own: LiveSet,
    /// The hint's other unrevealed cards, without assassins.
    other: LiveSet,
    /// The number of unrevealed words.
    size: usize,
}

impl Turn {
    /// The turn of `team` with `hint`.
    #[inline(always)]
    pub fn new(board: &LiveBoard, set: LiveSet, team: Team, hint: LiveHint) -> Turn {
        let words = hint.words.and(set);
        let own = board.own(team);
        Turn { set, team, own: words.and(own), other: words.minus(own), size: hint.size(set) }
    }

    /// The number of unrevealed words of the hint that are the team's own.
    #[inline(always)]
    pub fn own(&self) -> usize {
        self.own.len()
    }

    /// The value with the best number.
    #[inline(always)]
    pub fn best(&self, wins: &impl WaitingWins, chances: &Chances) -> f64 {
        let mut best = 0.0;
        let read = |left| wins.waiting_win(left, self.team);
        self.each_value(chances, read, |value| best.raise(&value));
        best
    }

    /// The values with the best number for each set of a strip. The hint must not have any low card.
    #[inline(always)]
    pub fn best_of_strip(&self, block: &OpenBlock, chances: &Chances) -> Strip {
        let mut best = Strip::ZERO;
        let read = |left| *block.strip(left, self.team);
        self.each_value(chances, read, |value| best.raise(&value));
        best
    }

    /// The values with the numbers 1, 2, … up to the number of unrevealed words of the hint.
    pub fn values(&self, board: &LiveBoard, wins: &dyn WaitingWins, chances: &Chances) -> Vec<f64> {
        let mut values = Vec::new();
        let read = |left| wins.waiting_win(left, self.team);
        self.each_value(chances, read, |value| values.push(value));
        let finishes = board.finished(self.team, self.set.minus(self.own));
        by_number(values, self.own() + usize::from(!finishes), self.size)
    }

    /// Calls `visit` with the values for the numbers 1, 2, …, own cards + 1, by the formula. Most hints have few own
    /// cards; for those the arrays of sums are short.
    #[inline(always)]
    fn each_value<V: Value>(&self, chances: &Chances, read: impl Fn(LiveSet) -> V, visit: impl FnMut(V)) {
        match self.own() {
            0 => self.each_value_sized::<V, 1>(chances, read, visit),
            1 => self.each_value_sized::<V, 2>(chances, read, visit),
            2 => self.each_value_sized::<V, 3>(chances, read, visit),
            3 => self.each_value_sized::<V, 4>(chances, read, visit),
            _ => self.each_value_sized::<V, LEVELS>(chances, read, visit),
        }
    }

    /// [`Turn::each_value`] for fewer than `LEN` own cards.
    #[inline(always)]
    fn each_value_sized<V: Value, const LEN: usize>(
        &self,
        chances: &Chances,
        read: impl Fn(LiveSet) -> V,
        visit: impl FnMut(V),
    ) {
        let (mut pass, mut miss) = ([V::ZERO; LEN], [V::ZERO; LEN]);
        miss[0] = self.misses(self.set, &read);
        for hits in self.own.nonempty_subsets() {
            let left = self.set.minus(hits);
            let count = hits.len();
            pass[count].add(&read(left), 1.0);
            miss[count].add(&self.misses(left, &read), 1.0);
        }
        let levels = 1 + self.own.len();
        chances.each_value(self.size, &pass[..levels], &miss[..levels], visit);
    }

    /// The sum of the waiting wins after each miss that is not an assassin.
    #[inline(always)]
    fn misses<V: Value>(&self, left: LiveSet, read: impl Fn(LiveSet) -> V) -> V {
        let mut sum = V::ZERO;
        for card in self.other.cards() {
            sum.add(&read(left.minus(card)), 1.0);
        }
        sum
    }
}

/// The values with the numbers 1 to `size`, given the values of the closed form. Numbers above `last_number` change
/// nothing: it is the number of own cards if hitting all of them wins the game, else one more.
pub fn by_number(mut values: Vec<f64>, last_number: usize, size: usize) -> Vec<f64> {
    values.truncate(last_number);
    let last = values.last().copied().unwrap_or_default();
    values.resize(size, last);
    values
}

/// The type of numbers in the closed form: the value of one set, or the values of all sets of a strip.
pub trait Value: Copy {
    /// Zero.
    const ZERO: Self;

    /// Adds `weight` times `other`.
    fn add(&mut self, other: &Self, weight: f64);

    /// Replaces each number by that of `other` if it is larger.
    fn raise(&mut self, other: &Self);
}

impl Value for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn add(&mut self, other: &f64, weight: f64) {
        *self += other * weight;
    }

    #[inline(always)]
    fn raise(&mut self, other: &f64) {
        *self = self.max(*other);
    }
}

/// Each operation works on a copy, so that the compiler knows that the operands do not overlap and uses vectors.
impl Value for Strip {
    const ZERO: Strip = [0.0; STRIP_SETS];

    #[inline(always)]
    fn add(&mut self, other: &Strip, weight: f64) {
        let mut sums = *self;
        for (sum, other) in sums.iter_mut().zip(other) {
            *sum += other * weight;
        }
        *self = sums;
    }

    #[inline(always)]
    fn raise(&mut self, other: &Strip) {
        let mut larger = *self;
        for (larger, &other) in larger.iter_mut().zip(other) {
            *larger = if other > *larger { other } else { *larger };
        }
        *self = larger;
    }
}
