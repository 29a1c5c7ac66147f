//! A table by rank has the same values as a table by key, and is smaller.

use tabletop::kit::{Cycles, Goal, Node, Number, Rules};
use tabletop::kit::{Precision, solve};

/// Nine coins show heads, as bits. Each move turns one of two proposed coins over, at the cost of a tenth.
struct Coins {
    by_rank: bool,
}

impl Rules for Coins {
    type Position = u32;
    type Move = u32;

    fn name(&self) -> &str {
        "coins"
    }

    fn cycles(&self) -> Cycles {
        Cycles::Refuse
    }

    fn starts(&self) -> Vec<u32> {
        vec![511]
    }

    fn node(&self, position: &u32) -> Node<Coins> {
        if *position == 0 {
            return Node::over(0);
        }
        let coins = (0..9).filter(|coin| position >> coin & 1 == 1);
        let cost = Number::fraction(1, 10);
        Node::proposal(Goal::Min, 2, coins.map(|coin| (coin, Node::go(position & !(1 << coin)).costing(cost))))
    }

    fn ranks(&self) -> Option<u64> {
        self.by_rank.then_some(512)
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position)
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

#[test]
fn a_table_by_rank_is_smaller_and_has_the_same_values() {
    let sizes = [true, false].map(|by_rank| {
        let rules = Coins { by_rank };
        let solution = solve(&rules, Precision::Fractions).unwrap();
        assert_eq!(solution.value(&rules, &511).unwrap().to_string(), "9/10");
        solution.encode(&rules).unwrap().len()
    });
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}
