//! Every error in the rules is reported with a position that shows it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{Goal, Node, Number, Plain, Precision, Rules, solve};

use crate::support::Toy;

#[track_caller]
fn refused<R: Rules>(rules: &R, expected: &str) {
    let error = solve(rules, Precision::Doubles).expect_err("bad rules").to_string();
    assert_eq!(error, expected);
}

/// The rules are right at 0 and wrong at 7.
#[track_caller]
fn refused_at_7(wrong: fn(i32) -> Node<Toy>, expected: &str) {
    let rules = Toy::new(wrong);
    refused(&rules, &format!("position '7': {expected}"));
    let error = Plain::<Toy, f64>::new(&rules).value(&0).expect_err("bad rules").to_string();
    assert_eq!(error, format!("position '7': {expected}"), "the plain solver");
}

fn to_7(position: i32, wrong: fn() -> Node<Toy>) -> Node<Toy> {
    if position == 0 { Node::max([(1, Node::go(7))]) } else { wrong() }
}

#[test]
fn no_moves_and_not_over() {
    let expected = "no moves and not over, say with `Node::over` what it is worth";
    refused_at_7(|position| to_7(position, || Node::max([])), expected);
    refused_at_7(|position| to_7(position, || Node::chance([])), expected);
    refused_at_7(|position| to_7(position, || Node::chance([(1, Node::min([]))])), expected);
}

#[test]
fn weights_that_sum_to_zero_or_to_too_much() {
    fn zero() -> Node<Toy> {
        Node::chance([(0, Node::over(1)), (0, Node::over(2))])
    }
    refused_at_7(|position| to_7(position, zero), "weights that sum to zero, give some outcome a weight");
    fn much() -> Node<Toy> {
        Node::chance([(u64::MAX, Node::over(1)), (1, Node::over(2))])
    }
    refused_at_7(|position| to_7(position, much), "weights that sum to more than 2^53, divide them");
}

#[test]
fn a_value_that_is_not_a_number() {
    let expected = "a value or a cost that is not a number, mend its calculation";
    refused_at_7(|position| to_7(position, || Node::over(f64::NAN)), expected);
    refused_at_7(|position| to_7(position, || Node::over(Number::fraction(1, 0))), expected);
    refused_at_7(|position| to_7(position, || Node::over(1).costing(f64::NAN)), expected);
    let expected = "a value or a cost that is infinite, mend its calculation";
    refused_at_7(|position| to_7(position, || Node::over(f64::NEG_INFINITY)), expected);
    refused_at_7(|position| to_7(position, || Node::over(1).costing(f64::INFINITY)), expected);
    refused_at_7(|position| to_7(position, || Node::over(u64::MAX)), expected);
}

#[test]
fn a_value_that_is_too_large_for_doubles() {
    let expected = "a value or a cost beyond 1e290, measure in larger units";
    refused_at_7(|position| to_7(position, || Node::over(1e308)), expected);
    refused_at_7(|position| to_7(position, || Node::over(1).costing(-1e291)), expected);
    // Chance takes long to end the game, twice.
    fn long(then: fn() -> Node<Toy>) -> Node<Toy> {
        Node::chance([(1 << 52, Node::again()), (1, then())]).costing(1e290)
    }
    let rules = Toy::new(|position| match position {
        0 => Node::chance([(1 << 52, Node::go(7)), (1, Node::over(0))]),
        _ => long(|| Node::over(0)),
    });
    refused(&rules, &format!("position '0': {expected}"));
}

#[test]
fn nodes_that_are_nested_too_deeply() {
    let expected = "more than 50 nodes inside of each other, let `Node::go` lead to a position in between";
    fn nested(depth: u32, wrap: fn(Node<Toy>) -> Node<Toy>) -> Node<Toy> {
        (1..depth).fold(Node::over(1), |node, _| wrap(node))
    }
    refused_at_7(|position| to_7(position, || nested(100_000, |node| Node::max([(0, node)]))), expected);
    refused_at_7(|position| to_7(position, || nested(100_000, |node| Node::chance([(1, node)]))), expected);
    refused_at_7(|position| to_7(position, || nested(51, |node| node.costing(1))), expected);
    let rules = Toy::new(|position| to_7(position, || nested(50, |node| node.costing(1))));
    assert_eq!(solve(&rules, Precision::Doubles).unwrap().value(&rules, &0).unwrap().to_string(), "50");
}

#[test]
fn waiting_for_ever() {
    let expected = "the best play may wait there for ever, let waiting cost something or end by chance";
    refused_at_7(|position| to_7(position, Node::again), expected);
    refused_at_7(|position| to_7(position, || Node::chance([(2, Node::again()), (0, Node::over(1))])), expected);
    refused_at_7(|position| to_7(position, || Node::max([(1, Node::over(1)), (2, Node::again())])), expected);
    // Waiting pays for ever.
    refused_at_7(
        |position| to_7(position, || Node::max([(1, Node::over(9)), (2, Node::again().scoring(1))])),
        expected,
    );
    refused_at_7(
        |position| to_7(position, || Node::min([(1, Node::over(9)), (2, Node::again().costing(-1))])),
        expected,
    );
    // Neither player wants to end the waiting: every value from 3 to 5 is a solution.
    fn stalemate() -> Node<Toy> {
        Node::max([(0, Node::min([(0, Node::again()), (1, Node::over(5))])), (1, Node::over(3))])
    }
    refused_at_7(|position| to_7(position, stalemate), expected);
    // The proposed moves all wait.
    fn proposed() -> Node<Toy> {
        Node::proposal(Goal::Max, 2, [(0, Node::again()), (1, Node::again()), (2, Node::over(3))])
    }
    refused_at_7(|position| to_7(position, proposed), expected);
}

#[test]
fn a_proposal_of_no_moves() {
    fn none() -> Node<Toy> {
        Node::proposal(Goal::Max, 0, [(1, Node::over(1))])
    }
    refused_at_7(|position| to_7(position, none), "a proposal of no moves, propose at least one");
}

#[test]
fn the_shortest_cycle_is_reported() {
    let game = |position| match position {
        0 => Node::max([(0, Node::go(1)), (1, Node::over(1))]),
        1 => Node::max([(0, Node::go(2)), (1, Node::go(5))]),
        2 => Node::chance([(1, Node::go(3)), (1, Node::over(0))]),
        3 => Node::min([(0, Node::go(0)), (1, Node::go(4))]),
        4 => Node::max([(0, Node::go(2))]),
        _ => Node::over(1),
    };
    refused(
        &Toy::new(game),
        "the game may come back to where it was, the shortest cycle is '2' -> '3' -> '4' -> '2', \
         choose `Cycles::Draw` if an endless game is a draw, or `Cycles::Iterate` if chance ends it",
    );
    refused(
        &Toy::new(|_| Node::chance([(1, Node::go(0)), (1, Node::over(1))])),
        "the game may come back to where it was, the shortest cycle is '0' -> '0', \
         write `Node::again()` if nothing happens there, or choose `Cycles::Draw` if an endless game is a draw, \
         or `Cycles::Iterate` if chance ends it",
    );
}

#[test]
fn rules_that_depend_on_more_than_the_position() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    refused(
        &Toy::new(|position| match position {
            0 if ASKED.fetch_add(1, Ordering::Relaxed) == 0 => Node::max([(0, Node::go(1)), (1, Node::go(2))]),
            0 => Node::max([(0, Node::go(1))]),
            _ => Node::over(1),
        }),
        "position '0': something else when asked again, let `node` depend on nothing but it",
    );
}

#[test]
fn a_value_that_changes_is_found_before_the_table_is_written() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    refused(
        &Toy::new(|position| match position {
            0 => Node::go(7),
            _ => Node::over(ASKED.fetch_add(1, Ordering::Relaxed)),
        }),
        "position '7': something else when asked again, let `node` depend on nothing but it",
    );
}

#[test]
fn a_panic_is_reported_with_its_position() {
    let remedy = "panicked with the message above, mend it for this position and those that follow it";
    refused(
        &Toy::new(|position| to_7(position, || panic!("a panic that the test expects"))),
        &format!("position '7': `node` {remedy}"),
    );
    refused(&Faulty { second: 13, ..Faulty::default() }, &format!("position '1': `canonical` {remedy}"));
    refused(&Faulty { first: 13, ..Faulty::default() }, &format!("position '13': `canonical` {remedy}"));
}

/// A position whose text is wrong for some numbers.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place {
    number: u32,
    hidden: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            8 => write!(f, "8\n8"),
            9 => write!(f, "nine"),
            number => write!(f, "{number}"),
        }
    }
}

impl FromStr for Place {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Place, Self::Err> {
        Ok(Place { number: text.parse()?, hidden: 0 })
    }
}

/// Two positions. The fields choose what is wrong with the second one.
#[derive(Default)]
struct Faulty {
    /// 0 stands for 1.
    first: u32,
    second: u32,
    hidden: u32,
    canonical_changes: bool,
    ranks: Option<u64>,
    stages: Option<fn(u32) -> Option<u32>>,
    predecessors: Option<fn(u32) -> Vec<u32>>,
}

impl Rules for Faulty {
    type Position = Place;
    type Move = u32;

    fn name(&self) -> &str {
        "faulty"
    }

    fn starts(&self) -> Vec<Place> {
        vec![Place { number: self.first.max(1), hidden: 0 }]
    }

    fn node(&self, place: &Place) -> Node<Faulty> {
        if place.number != 1 {
            return Node::over(0);
        }
        Node::max([(0, Node::go(Place { number: self.second, hidden: self.hidden })), (1, Node::over(1))])
    }

    fn canonical(&self, place: Place) -> Place {
        assert!(place.number != 13, "a panic that the test expects");
        let changes = self.canonical_changes && place.number > 1;
        if changes { Place { number: place.number + 1, ..place } } else { place }
    }

    fn ranks(&self) -> Option<u64> {
        self.ranks
    }

    fn rank(&self, place: &Place) -> u64 {
        if place.number == 1 { 0 } else { u64::from(place.number - 2) }
    }

    fn unrank(&self, rank: u64) -> Place {
        Place { number: if rank == 0 { 1 } else { rank as u32 + 2 }, hidden: 0 }
    }

    fn stage(&self, place: &Place) -> Option<u32> {
        self.stages.and_then(|stages| stages(place.number))
    }

    fn predecessors(&self, place: &Place) -> Option<Vec<Place>> {
        let before = self.predecessors?(place.number);
        Some(before.into_iter().map(|number| Place { number, hidden: 0 }).collect())
    }
}

#[test]
fn a_canonical_form_that_is_not_idempotent() {
    refused(
        &Faulty { second: 5, canonical_changes: true, ..Faulty::default() },
        "position '6': stands for others, but '7' stands for it, let `canonical` return its own results unchanged",
    );
}

#[test]
fn two_positions_with_the_same_rank_and_ranks_that_are_too_large() {
    refused(
        &Faulty { second: 2, ranks: Some(10), ..Faulty::default() },
        "position '2': its rank 0 is the one of '1' by `unrank`, \
         give each position a rank of its own and let `unrank` return the position",
    );
    refused(
        &Faulty { second: 5, ranks: Some(3), ..Faulty::default() },
        "position '5': its rank is 3, and there are 3, mend `rank` or `ranks`",
    );
    assert!(solve(&Faulty { second: 5, ranks: Some(4), ..Faulty::default() }, Precision::Doubles).is_ok());
}

#[test]
fn ranks_that_do_not_fit_in_memory() {
    for ranks in [u64::MAX, 1 << 40] {
        refused(
            &Faulty { second: 5, ranks: Some(ranks), ..Faulty::default() },
            &format!("{ranks} ranks do not fit in memory, let `ranks` be smaller or leave it out"),
        );
    }
}

/// Rules with nothing but what rules must have.
struct Bare;

impl Rules for Bare {
    type Position = u8;
    type Move = u8;

    fn name(&self) -> &str {
        "bare"
    }

    fn starts(&self) -> Vec<u8> {
        vec![0]
    }

    fn node(&self, _: &u8) -> Node<Bare> {
        Node::over(0)
    }
}

/// Ranks without `rank` and `unrank`.
struct Unranked {
    has_rank: bool,
}

impl Rules for Unranked {
    type Position = u8;
    type Move = u8;

    fn name(&self) -> &str {
        "unranked"
    }

    fn starts(&self) -> Vec<u8> {
        vec![1]
    }

    fn node(&self, position: &u8) -> Node<Unranked> {
        if *position == 0 { Node::over(0) } else { Node::go(position - 1) }
    }

    fn ranks(&self) -> Option<u64> {
        Some(2)
    }

    fn rank(&self, position: &u8) -> u64 {
        if self.has_rank { u64::from(*position) } else { Bare.rank(position) }
    }
}

#[test]
fn ranks_without_their_functions() {
    refused(
        &Unranked { has_rank: false },
        "position '1': it has no rank, implement `rank` and `unrank` or leave out `ranks`",
    );
    refused(
        &Unranked { has_rank: true },
        "position '0': its rank 0 is the one of '1' by `unrank`, \
         give each position a rank of its own and let `unrank` return the position",
    );
}

#[test]
fn text_that_does_not_read_back() {
    refused(
        &Faulty { second: 8, ..Faulty::default() },
        "position '8\\n8': its text is not one line, let `Display` write one, without blanks around it",
    );
    refused(
        &Faulty { second: 9, ..Faulty::default() },
        "position 'nine': its text does not read back (invalid digit found in string), let `FromStr` read it",
    );
    refused(
        &Faulty { second: 5, hidden: 1, ..Faulty::default() },
        "position '5': its text reads back as another position, '5', let `Display` write all of it",
    );
}

#[test]
fn stages_that_rise_or_are_missing() {
    refused(
        &Faulty { second: 5, stages: Some(Some), ..Faulty::default() },
        "position '1': a move leads to '5', whose stage is higher, mend `stage`",
    );
    let some = |number| if number == 1 { Some(1) } else { None };
    refused(
        &Faulty { second: 5, stages: Some(some), ..Faulty::default() },
        "position '5': has no stage though others have one, let `stage` say it for all or none",
    );
}

#[test]
fn predecessors_that_do_not_match_the_moves() {
    let is_same = |number| if number == 5 { vec![1] } else { vec![] };
    assert!(solve(&Faulty { second: 5, predecessors: Some(is_same), ..Faulty::default() }, Precision::Doubles).is_ok());
    refused(
        &Faulty { second: 5, predecessors: Some(|_| vec![]), ..Faulty::default() },
        "position '1': a move leads to '5', let its `predecessors` name this position",
    );
    let too_many = |number| if number == 5 { vec![1, 6] } else { vec![] };
    refused(
        &Faulty { second: 5, predecessors: Some(too_many), ..Faulty::default() },
        "position '5': no move leads there from '6', let `predecessors` leave it out",
    );
}

#[test]
fn a_game_without_a_start_or_with_a_bad_name() {
    let game = |name, starts| Toy { name, starts, ..Toy::new(|_| Node::over(0)) };
    refused(&game("nothing", Vec::new), "there is no position to start from, let `starts` name one");
    let called = |name| game(name, || vec![0]);
    refused(&called("../named"), "the name '../named' of the game, use small letters, digits and '-' only");
    refused(&called("dice"), "the name 'dice' of the game belongs to a game of tabletop, choose another");
    refused(&called("dice-hands"), "the name 'dice-hands' of the game belongs to a game of tabletop, choose another");
    let panicking = game("panicking", || panic!("a panic that the test expects"));
    refused(&panicking, "`starts` panicked with the message above, mend it");
}
