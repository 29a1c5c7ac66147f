//! Games with cycles.

use tabletop::kit::{BadRules, Bounds, Cycles, Node, Precision, Rules, Worth, solve};

/// A game whose positions are numbers, and which may have cycles.
struct Loop(fn(i32) -> Node<Loop>);

impl Rules for Loop {
    const NAME: &'static str = "loop";
    const CYCLES: Cycles = Cycles::Iterate { tolerance: 1e-9 };
    type Position = i32;
    type Move = i32;

    fn starts(&self) -> Vec<i32> {
        vec![0]
    }

    fn node(&self, position: &i32) -> Node<Loop> {
        self.0(*position)
    }
}

fn bounds(game: fn(i32) -> Node<Loop>, position: i32) -> Bounds {
    let rules = Loop(game);
    let solution = solve(&rules, Precision::Doubles).unwrap();
    let Worth::Bounds(bounds) = solution.value(&rules, &position).unwrap().worth else { panic!("no bounds") };
    bounds
}

#[track_caller]
fn assert_encloses(bounds: Bounds, value: f64) {
    assert!(bounds.lower <= value && value <= bounds.upper, "{value} outside of {bounds:?}");
    assert!(bounds.width() <= 1e-9, "{bounds:?}");
}

#[test]
fn gamblers_ruin_has_the_probability_of_the_formula() {
    // Up with probability 2/3, down with 1/3, from 0 until -3 or 3: (1 - 1/8) / (1 - 1/64) = 8/9.
    let game = |position| match position {
        -3 => Node::over(0),
        3 => Node::over(1),
        _ => Node::chance([(2, Node::go(position + 1)), (1, Node::go(position - 1))]),
    };
    assert_encloses(bounds(game, 0), 8.0 / 9.0);
}

#[test]
fn expected_moves_in_a_cycle_have_lower_and_upper_bounds() {
    // A fair walk from 0 reaches -3 or 3 after 9 steps on average, and from 2 after 5.
    let game = |position: i32| match position {
        -3 | 3 => Node::over(0),
        _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(position - 1))]).costing(1),
    };
    assert_encloses(bounds(game, 0), 9.0);
    assert_encloses(bounds(game, 2), 5.0);
}

#[test]
fn waiting_and_positions_before_a_cycle_have_bounds_as_well() {
    let game = |position| match position {
        0 => Node::chance([(1, Node::again()), (1, Node::go(1))]),
        1 => Node::chance([(1, Node::go(2)), (1, Node::over(1))]),
        2 => Node::chance([(1, Node::go(1)), (1, Node::over(0))]),
        _ => unreachable!(),
    };
    assert_encloses(bounds(game, 0), 2.0 / 3.0);
}

#[test]
fn waiting_as_a_move_has_bounds_unless_it_is_free() {
    let game = |position| match position {
        0 => Node::chance([(1, Node::go(1)), (1, Node::over(0))]).costing(1),
        1 => Node::min([(0, Node::go(0)), (1, Node::go(2))]).costing(1),
        2 => Node::min([(0, Node::again().costing(1)), (1, Node::over(10))]),
        _ => unreachable!(),
    };
    assert_encloses(bounds(game, 2), 10.0);
    assert_encloses(bounds(game, 0), 3.0);
    let free = Loop(|position| match position {
        0 => Node::chance([(1, Node::go(1)), (1, Node::over(0))]).costing(1),
        1 => Node::min([(0, Node::go(0)), (1, Node::go(2))]).costing(1),
        _ => Node::min([(0, Node::again()), (1, Node::over(10))]),
    });
    let error = solve(&free, Precision::Doubles).err().unwrap();
    assert_eq!(error, BadRules::EndlessWait { position: "2".to_owned() });
}

#[test]
fn a_game_whose_bounds_do_not_converge_is_refused() {
    let rules = Loop(|position| match position {
        0 => Node::max([(1, Node::go(1)), (2, Node::over(0))]),
        1 => Node::min([(0, Node::go(0)), (2, Node::over(1))]),
        _ => unreachable!(),
    });
    let error = solve(&rules, Precision::Doubles).err().unwrap();
    assert!(matches!(&error, BadRules::Apart { lower, upper, .. } if (*lower, *upper) == (0.0, 1.0)), "{error}");
    let message = error.to_string();
    assert!(message.contains("bounds 0 and 1 do not come together, take out the moves by which"), "{message}");
}

#[test]
fn fractions_and_negative_costs_are_refused_in_a_cycle() {
    let walk = Loop(|position: i32| match position {
        2 => Node::over(0),
        _ => Node::chance([(1, Node::go(2)), (1, Node::go(1 - position))]),
    });
    let error = solve(&walk, Precision::Fractions).err().unwrap();
    assert!(matches!(error, BadRules::CyclesExactly { .. }), "{error}");
    let paid = Loop(|position: i32| match position {
        2 => Node::over(0),
        _ => Node::chance([(1, Node::go(2)), (1, Node::go(1 - position))]).costing(-1),
    });
    let error = solve(&paid, Precision::Doubles).err().unwrap();
    assert!(matches!(error, BadRules::CostsInCycles { .. }), "{error}");
    let remedy = "a cycle in a game with costs, let no cost and no value be below zero and use `Node::go`";
    assert!(error.to_string().contains(remedy), "{error}");
}

#[test]
fn bounds_have_no_digits_that_are_finer_than_their_error() {
    let shown = |lower: f64, upper: f64| Bounds { lower, upper }.to_string();
    assert_eq!(shown(0.530_591_520_9, 0.530_591_521_3), "0.5305915211 ± 2.1e-10");
    assert_eq!(shown(8.999_999_999_9, 9.000_000_000_1), "9 ± 1.1e-10");
    assert_eq!(shown(-0.000_000_1, 0.0), "-0.00000005 ± 5.3e-8");
    assert_eq!(shown(100.0, 500.0), "300 ± 2.1e2");
    assert_eq!(shown(0.25, 0.25), "0.25");
}
