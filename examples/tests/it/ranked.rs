//! A table by rank has the same values as a table by key, and is smaller.

use tabletop::kit::{Goal, Node, Number, Precision, solve};

use crate::support::Toy;

/// Nine coins show heads, as bits. Each move turns one of two proposed coins over, at the cost of a tenth.
fn coins(position: i32) -> Node<Toy> {
    if position == 0 {
        return Node::over(0);
    }
    let coins = (0..9).filter(|coin| position >> coin & 1 == 1);
    let cost = Number::fraction(1, 10);
    Node::proposal(Goal::Min, 2, coins.map(|coin| (coin, Node::go(position & !(1 << coin)).costing(cost))))
}

#[test]
fn a_table_by_rank_is_smaller_and_has_the_same_values() {
    let sizes = [Some(512), None].map(|ranks| {
        let rules = Toy { starts: || vec![511], ranks, ..Toy::new(coins) };
        let solution = solve(&rules, Precision::Fractions).unwrap();
        assert_eq!(solution.value(&rules, &511).unwrap().to_string(), "9/10");
        solution.encode(&rules).unwrap().len()
    });
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}
