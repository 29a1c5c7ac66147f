//! What a hint is worth, in closed form.
//!
//! Of a hint's `s` unrevealed words, the first `t` guesses are exactly a given set of `t` own cards with probability
//! `1/C(s, t)`, and then each other word is the next guess with probability `1/(s - t)`. So with
//!
//! ```text
//! pass(t) = the sum, over the sets T of t own cards of the hint, of the standing after T
//! miss(t) = the sum, over these T and the cards x of the hint that are not own, of the standing after T and x
//! ```
//!
//! the hint with the number K is worth `pass(K)/C(s, K)` plus the sum of `miss(t)/(C(s, t)(s - t))` over all `t < K`:
//! one visit to the subsets of the own cards serves every K. An assassin adds nothing to a sum, only a word to `s`.
//!
//! Where the hint holds the last own cards, the formula would have the team guess on after its victory when K is larger
//! than their number. That is never worth more than the victory, so the largest value over K is right all the same;
//! [`Turn::values`] puts the other values right.

use super::blocks::{OpenBlock, STRIP_SETS, Standings, Strip};
use super::live::{LiveBoard, LiveHint, LiveSet, MAX_LIVE};
use crate::codenames::rules::{MAX_CARDS, Team};

/// Numbers of own cards that a hint can have, from none to all.
const LEVELS: usize = MAX_LIVE + 1;

/// Hits that a hint can bring, from none to all its words.
const HIT_COUNTS: usize = MAX_CARDS + 1;

/// The numbers and probabilities of the closed form.
#[derive(Debug)]
pub struct Chances {
    /// `[s][t]`: the sets of `t` cards among `s`.
    sets: Vec<[f64; HIT_COUNTS]>,
    /// `[s][t]`: the first `t` guesses are a given set.
    hits: Vec<[f64; HIT_COUNTS]>,
    /// `[s][t]`: the first `t` guesses are a given set, and then comes a given other card.
    miss: Vec<[f64; HIT_COUNTS]>,
}

impl Chances {
    /// The probabilities for hints of up to `largest` words, which are at most [`MAX_CARDS`].
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

    /// The values with the numbers 1, 2, …, own cards + 1, from the sums for each number of hits.
    #[inline(always)]
    pub fn tell_values<V: Value>(&self, size: usize, pass: &[V], miss: &[V], mut tell: impl FnMut(V)) {
        let (hit_chance, miss_chance) = (&self.hits[size], &self.miss[size]);
        let mut ended = V::ZERO;
        ended.add(&miss[0], miss_chance[0]);
        for count in 1..pass.len() {
            let mut value = ended;
            value.add(&pass[count], hit_chance[count]);
            tell(value);
            ended.add(&miss[count], miss_chance[count]);
        }
        tell(ended);
    }

    /// The probability that a given word of `size` is the first guess; 0 where there is no word.
    #[inline(always)]
    pub fn of_guess(&self, size: usize) -> f64 {
        self.miss[size][0]
    }
}

/// A hint given by a team while a set is unrevealed.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    set: LiveSet,
    team: Team,
    /// The hint's unrevealed cards that are the team's own.
    own: LiveSet,
    /// Its other unrevealed cards, without assassins.
    other: LiveSet,
    /// Its unrevealed words.
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

    /// How many unrevealed words of the hint are the team's own.
    #[inline(always)]
    pub fn own(&self) -> usize {
        self.own.len()
    }

    /// The value with the best number.
    #[inline(always)]
    pub fn best(&self, standings: &impl Standings, chances: &Chances) -> f64 {
        let mut best = 0.0;
        let read = |left| standings.standing(left, self.team);
        self.tell_values(chances, read, |value| best.raise(&value));
        best
    }

    /// The values with the best numbers for all sets of a strip, where the hint has no card that tells them apart.
    #[inline(always)]
    pub fn best_of_strip(&self, block: &OpenBlock, chances: &Chances) -> Strip {
        let mut best = Strip::ZERO;
        let read = |left| *block.strip(left, self.team);
        self.tell_values(chances, read, |value| best.raise(&value));
        best
    }

    /// The values with the numbers 1, 2, … up to the unrevealed words of the hint.
    pub fn values(&self, board: &LiveBoard, standings: &dyn Standings, chances: &Chances) -> Vec<f64> {
        let mut values = Vec::new();
        let read = |left| standings.standing(left, self.team);
        self.tell_values(chances, read, |value| values.push(value));
        let wins = board.finished(self.team, self.set.minus(self.own));
        by_number(values, self.own(), wins, self.size)
    }

    /// Hands over the values with the numbers 1, 2, …, own cards + 1, as the formula has them. Most hints have few own
    /// cards, and for those no more sums are set up than they need.
    #[inline(always)]
    fn tell_values<V: Value>(&self, chances: &Chances, read: impl Fn(LiveSet) -> V, tell: impl FnMut(V)) {
        match self.own() {
            0 => self.walk::<V, 1>(chances, read, tell),
            1 => self.walk::<V, 2>(chances, read, tell),
            2 => self.walk::<V, 3>(chances, read, tell),
            3 => self.walk::<V, 4>(chances, read, tell),
            _ => self.walk::<V, LEVELS>(chances, read, tell),
        }
    }

    /// The work of [`Turn::tell_values`] for fewer than `OWN` own cards.
    #[inline(always)]
    fn walk<V: Value, const OWN: usize>(&self, chances: &Chances, read: impl Fn(LiveSet) -> V, tell: impl FnMut(V)) {
        let (mut pass, mut miss) = ([V::ZERO; OWN], [V::ZERO; OWN]);
        miss[0] = self.misses(self.set, &read);
        for hits in self.own.nonempty_subsets() {
            let left = self.set.minus(hits);
            let count = hits.len();
            pass[count].add(&read(left), 1.0);
            miss[count].add(&self.misses(left, &read), 1.0);
        }
        let levels = 1 + self.own.len();
        chances.tell_values(self.size, &pass[..levels], &miss[..levels], tell);
    }

    /// The sum of the standings after each miss that is not an assassin.
    #[inline(always)]
    fn misses<V: Value>(&self, left: LiveSet, read: impl Fn(LiveSet) -> V) -> V {
        let mut sum = V::ZERO;
        for card in self.other.cards() {
            sum.add(&read(left.minus(card)), 1.0);
        }
        sum
    }
}

/// The values with the numbers 1 to `size`, from those of the closed form for the numbers up to `own + 1`. Larger
/// numbers change nothing; where all own cards are the team's last ones (`wins`), neither does `own + 1`.
pub fn by_number(mut values: Vec<f64>, own: usize, wins: bool, size: usize) -> Vec<f64> {
    if wins {
        values.truncate(own);
    }
    let last = values.last().copied().unwrap_or_default();
    values.resize(size, last);
    values
}

/// What the closed form is worked out in: the value of one set, or those of a strip side by side.
pub trait Value: Copy {
    /// Nothing yet.
    const ZERO: Self;

    /// Adds `weight` times `other`.
    fn add(&mut self, other: &Self, weight: f64);

    /// Takes over what is larger in `other`.
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

/// Each operation works on a copy: the compiler then knows that its operands do not overlap, and uses vectors.
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
