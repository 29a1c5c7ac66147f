//! Ranks of sets of numbers, without gaps: the combinatorial number system.
//!
//! ```text
//!   the set 1 < 2 < 5   rank = C(1,1) + C(2,2) + C(5,3) = 1 + 1 + 10 = 12
//! ```
//!
//! The sets of `size` numbers below `bound` have the ranks from 0 to `C(bound, size) - 1`. To rank a multiset, sort its
//! members and add 0, 1, 2, … to them: the result is a set.

/// Exceeds every number in a set of any game.
const BOUND: usize = 15;
/// Exceeds the size of every set of any game.
const SIZE_BOUND: usize = 8;

/// Pascal's triangle: `CHOOSE[n][k]` is the number of sets of `k` numbers below `n`.
const CHOOSE: [[u32; SIZE_BOUND]; BOUND] = {
    let mut choose = [[0; SIZE_BOUND]; BOUND];
    let mut n = 0;
    while n < BOUND {
        choose[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < SIZE_BOUND {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The number of sets of `size` numbers below `bound`.
pub(crate) const fn count(bound: usize, size: usize) -> u32 {
    CHOOSE[bound][size]
}

/// The rank of a set among the sets of its size. The members are given in ascending order.
pub(crate) fn rank(ascending: impl IntoIterator<Item = usize>) -> u32 {
    ascending.into_iter().zip(1..).map(|(member, size)| count(member, size)).sum()
}

/// The members, in descending order, of the set with this rank among the sets of `size` numbers below `bound`.
pub(crate) fn unrank(mut rank: u32, size: usize, mut bound: usize) -> impl Iterator<Item = usize> {
    (1..=size).rev().map(move |size| {
        let member = (0..bound).rev().find(|&member| count(member, size) <= rank).unwrap_or(0);
        rank -= count(member, size);
        bound = member;
        member
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_round_trips_through_its_rank() {
        for bound in 0..BOUND {
            for size in 0..SIZE_BOUND.min(bound + 1) {
                for number in 0..count(bound, size) {
                    let mut set: Vec<usize> = unrank(number, size, bound).collect();
                    assert!(set.is_sorted_by(|larger, smaller| larger > smaller) && set.iter().all(|&n| n < bound));
                    set.reverse();
                    assert_eq!((set.len(), rank(set)), (size, number));
                }
            }
        }
    }

    #[test]
    fn the_documented_example_holds() {
        assert_eq!(rank([1, 2, 5]), 12);
        assert!(unrank(12, 3, 7).eq([5, 2, 1]));
    }
}
