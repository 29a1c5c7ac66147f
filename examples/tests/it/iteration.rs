//! Games with cycles.

use tabletop::kit::{Bounds, Cycles, Fault, Goal, Node, Number, Precision, Worth, solve};

use crate::support::Toy;

/// A game that may have cycles.
fn looping(game: fn(i32) -> Node<Toy>) -> Toy {
    Toy { cycles: Cycles::Iterate { tolerance: 1e-9 }, ..Toy::new(game) }
}

fn bounds(game: fn(i32) -> Node<Toy>, position: i32) -> Bounds {
    let rules = looping(game);
    let solution = solve(&rules, Precision::Doubles).unwrap();
    match solution.value(&rules, &position).unwrap().worth {
        Worth::Bounds(bounds) => bounds,
        // Without chance the value is exact.
        exact => Bounds { lower: exact.to_f64(), upper: exact.to_f64() },
    }
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
    let free = looping(|position| match position {
        0 => Node::chance([(1, Node::go(1)), (1, Node::over(0))]).costing(1),
        1 => Node::min([(0, Node::go(0)), (1, Node::go(2))]).costing(1),
        _ => Node::min([(0, Node::again()), (1, Node::over(10))]),
    });
    let error = solve(&free, Precision::Doubles).err().unwrap();
    assert_eq!(error, Fault::EndlessWait.at("2"));
}

#[track_caller]
fn refused(game: fn(i32) -> Node<Toy>, expected: &str) {
    let error = solve(&looping(game), Precision::Doubles).expect_err("bad rules").to_string();
    assert_eq!(error, expected);
}

#[test]
fn two_players_who_can_repeat_positions_are_refused_with_the_cycle() {
    refused(
        |position| match position {
            0 => Node::max([(1, Node::go(1)), (2, Node::over(0))]),
            1 => Node::min([(0, Node::go(0)), (2, Node::over(1))]),
            _ => unreachable!(),
        },
        "the players may go round for ever by '0' -> '1' -> '0', and values depend on it, \
         count the repetitions in the position or end the game after a number of moves",
    );
    // With costs as well: every value of 0 from 3 to 5 solves the equations.
    refused(
        |position| match position {
            0 => Node::min([(1, Node::go(1)), (2, Node::over(4).costing(1))]),
            1 => Node::max([(0, Node::go(0)), (2, Node::over(3))]),
            _ => unreachable!(),
        },
        "the players may go round for ever by '0' -> '1' -> '0', and values depend on it, \
         count the repetitions in the position or end the game after a number of moves",
    );
}

#[test]
fn two_players_who_do_not_want_to_repeat_positions_have_bounds() {
    // The second player ends the game at 1, whatever an endless game is worth.
    let game = |position| match position {
        0 => Node::max([(1, Node::go(1)), (2, Node::over(2))]),
        1 => Node::min([(0, Node::go(0)), (2, Node::over(1))]),
        _ => unreachable!(),
    };
    assert_encloses(bounds(game, 0), 2.0);
    assert_encloses(bounds(game, 1), 1.0);
    let with_costs = |position| match position {
        0 => Node::max([(1, Node::go(1)), (2, Node::over(1).costing(1))]),
        1 => Node::min([(0, Node::go(0)), (2, Node::over(1))]),
        _ => unreachable!(),
    };
    assert_encloses(bounds(with_costs, 0), 2.0);
    assert_encloses(bounds(with_costs, 1), 1.0);
}

#[test]
fn waiting_of_two_players_has_the_same_result_with_and_without_iteration() {
    let game = |position| match position {
        0 => Node::chance([(1, Node::go(0)), (1, Node::go(1))]),
        _ => Node::min([(0, Node::max([(0, Node::again()), (1, Node::over(5))])), (1, Node::over(3))]),
    };
    assert_encloses(bounds(game, 1), 3.0);
    assert_encloses(bounds(game, 0), 3.0);
    let alone = Toy::new(|_| Node::min([(0, Node::max([(0, Node::again()), (1, Node::over(5))])), (1, Node::over(3))]));
    assert_eq!(solve(&alone, Precision::Doubles).unwrap().value(&alone, &0).unwrap().to_string(), "3");
    let with_costs = |position| match position {
        0 => Node::chance([(1, Node::go(0)), (1, Node::go(1))]).costing(1),
        _ => Node::min([(0, Node::max([(0, Node::again()), (1, Node::over(5))])), (1, Node::over(3))]),
    };
    assert_encloses(bounds(with_costs, 0), 5.0);
    // Every value from 3 to 5 solves the equation.
    refused(
        |position| match position {
            0 => Node::chance([(1, Node::go(0)), (1, Node::go(1))]),
            _ => Node::max([(0, Node::min([(0, Node::again()), (1, Node::over(5))])), (1, Node::over(3))]),
        },
        "position '1': the best play may wait there for ever, let waiting cost something or end by chance",
    );
}

#[test]
fn a_player_who_can_go_round_for_free_takes_the_best_way_out() {
    let pays = |position| match position {
        0 => Node::min([(0, Node::go(1)), (1, Node::over(5))]),
        _ => Node::min([(0, Node::go(0)), (1, Node::over(6).costing(1))]),
    };
    assert_encloses(bounds(pays, 0), 5.0);
    assert_encloses(bounds(pays, 1), 5.0);
    let wins = |position| match position {
        0 => Node::max([(0, Node::go(1)), (1, Node::over(-5))]),
        1 => Node::max([(0, Node::chance([(1, Node::go(0)), (2, Node::go(1))])), (1, Node::go(2))]),
        // A way out that may lead back: v = 1/2 v + 1/2 (-2).
        _ => Node::chance([(1, Node::go(0)), (1, Node::over(-2))]),
    };
    assert_encloses(bounds(wins, 0), -2.0);
    // One of two proposed moves happens. A player who proposes one way out after the other takes the best one.
    let proposes = |position| match position {
        0 => Node::proposal(Goal::Max, 2, [(0, Node::go(1)), (1, Node::go(0)), (2, Node::over(3)), (3, Node::over(4))]),
        _ => Node::go(0),
    };
    assert_encloses(bounds(proposes, 0), 4.0);
}

#[test]
fn a_position_that_no_play_leaves_is_refused() {
    let remedy = "let a move or an outcome lead out, or say with `Node::over` what it is worth";
    refused(
        |position| if position == 0 { Node::max([(0, Node::go(1)), (1, Node::over(5))]) } else { Node::go(1) },
        &format!("no play ends that goes round by '1' -> '1', {remedy}"),
    );
    refused(
        |position| match position {
            0 => Node::max([(0, Node::go(1)), (1, Node::over(5))]),
            _ => Node::min([(0, Node::go(3 - position))]).costing(1),
        },
        &format!("no play ends that goes round by '1' -> '2' -> '1', {remedy}"),
    );
}

#[test]
fn a_player_who_can_score_for_ever_is_refused() {
    refused(
        |position| match position {
            0 => Node::max([(0, Node::go(1)), (1, Node::over(5))]),
            _ => Node::max([(0, Node::go(0).scoring(1)), (1, Node::over(6))]),
        },
        "the player may score for ever and go round by '0' -> '1' -> '0', \
         let going round score nothing or end by chance",
    );
}

#[test]
fn bounds_enclose_numbers_that_are_no_doubles() {
    let third = |position: i32| Node::chance([(1, Node::go(1 - position)), (1, Node::over(Number::fraction(1, 3)))]);
    // The double nearest to 1/3 is below it.
    let found = bounds(third, 0);
    assert!(found.lower <= 1.0 / 3.0 && found.upper > 1.0 / 3.0, "{found:?}");
    let odd = |position: i32| Node::chance([(1, Node::go(1 - position)), (1, Node::over((1_i64 << 53) + 1))]);
    let rules = Toy { cycles: Cycles::Iterate { tolerance: 64.0 }, ..Toy::new(odd) };
    let solution = solve(&rules, Precision::Doubles).unwrap();
    let Worth::Bounds(found) = solution.value(&rules, &0).unwrap().worth else { panic!("no bounds") };
    assert!(found.lower <= 9_007_199_254_740_992.0 && found.upper >= 9_007_199_254_740_994.0, "{found:?}");
}

#[test]
fn a_long_game_of_chance_is_solved() {
    // A fair walk between 0 and 1000, from 1 in 1000: it ends after 250,000 steps on average from the middle.
    let ruin = |position: i32| match position + 1 {
        1000 => Node::over(1),
        0 => Node::over(0),
        _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(position - 1))]),
    };
    for position in [0, 499, 998] {
        assert_encloses(bounds(ruin, position), f64::from(position + 1) / 1000.0);
    }
    let steps = |position: i32| match position + 1 {
        0 | 1000 => Node::over(0),
        _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(position - 1))]).costing(1),
    };
    assert_encloses(bounds(steps, 499), 250_000.0);
    // Forty times a step up with probability 1/2, or back to the ground: 2^41 - 2 steps on average.
    let climb = |position: i32| match position {
        40 => Node::over(7),
        _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(0))]),
    };
    assert_encloses(bounds(climb, 0), 7.0);
    // The same after a choice of two players.
    let after_choices = |position: i32| match position {
        0 => Node::max([(0, Node::min([(0, Node::go(1)), (1, Node::over(9))])), (1, Node::over(5))]),
        41 => Node::over(7),
        _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(1))]),
    };
    assert_encloses(bounds(after_choices, 0), 7.0);
    let climb_steps = |position: i32| match position {
        40 => Node::over(0),
        _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(0))]).costing(1),
    };
    assert_encloses(bounds(climb_steps, 0), (1_i64 << 41) as f64 - 2.0);
}

#[test]
fn a_long_game_of_one_player_is_solved() {
    // The player may rest at any height, or go back to the ground for nothing: 2^31 - 2 steps.
    let climb = |position: i32| match position {
        30 => Node::over(0),
        _ => {
            let throw = Node::chance([(1, Node::go(position + 1)), (1, Node::go(0))]).costing(1);
            Node::min([(0, Node::go(0)), (1, throw), (2, Node::go(position))])
        }
    };
    assert_encloses(bounds(climb, 0), (1_i64 << 31) as f64 - 2.0);
}

#[test]
fn a_player_knows_how_far_the_only_end_is() {
    let corridor = |position: i32| match position {
        5_000 => Node::over(1),
        _ => Node::max([(0, Node::go((position - 1).max(0))), (1, Node::go(position + 1))]),
    };
    let rules = looping(corridor);
    assert_eq!(solve(&rules, Precision::Doubles).unwrap().value(&rules, &0).unwrap().to_string(), "1 in 5000 moves");
}

#[test]
fn a_game_that_is_too_slow_is_refused_as_such() {
    // Two players who pass the turn, and a loop that ends once in 2^50 times.
    let error = solve(
        &looping(|position: i32| match position {
            50 => Node::over(1),
            _ => Node::chance([(1, Node::go(position + 1)), (1, Node::turn(0))]),
        }),
        Precision::Doubles,
    );
    let error = error.expect_err("slow").to_string();
    assert!(error.contains(" converge too slowly, allow a larger tolerance or let the game end sooner"), "{error}");
}

#[test]
fn fractions_and_negative_costs_are_refused_in_a_cycle() {
    let walk = looping(|position: i32| match position {
        2 => Node::over(0),
        _ => Node::chance([(1, Node::go(2)), (1, Node::go(1 - position))]),
    });
    let error = solve(&walk, Precision::Fractions).err().unwrap();
    assert!(matches!(error.fault, Fault::CyclesExactly), "{error}");
    let paid = looping(|position: i32| match position {
        2 => Node::over(0),
        _ => Node::chance([(1, Node::go(2)), (1, Node::go(1 - position))]).costing(-1),
    });
    let error = solve(&paid, Precision::Doubles).err().unwrap();
    assert!(matches!(error.fault, Fault::CostsInCycles), "{error}");
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
