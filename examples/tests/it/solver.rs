//! Compares the fast solver with the plain one, and with values computed by hand.

use tabletop::kit::{BadRules, Fault, Goal, Node, Number, Plain, Precision, Rules, Worth, solve};

use crate::support::Toy;

/// The value of the start as a fraction.
fn exact(game: fn(i32) -> Node<Toy>) -> String {
    let rules = Toy::new(game);
    let solution = solve(&rules, Precision::Fractions).unwrap();
    let Worth::Fraction(value) = solution.value(&rules, &0).unwrap().worth else { panic!("not a fraction") };
    let plain: Worth = Worth::Fraction(Plain::new(&rules).value(&0).unwrap());
    assert_eq!(plain, Worth::Fraction(value.clone()), "the plain solver");
    let double = solve(&rules, Precision::Doubles).unwrap().value(&rules, &0).unwrap().worth.to_f64();
    assert!((double - Worth::Fraction(value.clone()).to_f64()).abs() <= 1e-12, "{double} instead of {value}");
    value.to_string()
}

#[test]
fn chance_is_a_weighted_mean_without_the_outcomes_of_weight_zero() {
    let game =
        |_| Node::chance([(1, Node::over(10)), (2, Node::over(Number::fraction(1, 2))), (0, Node::over(f64::NAN))]);
    assert_eq!(exact(game), "11/3");
}

#[test]
fn nodes_nest_and_the_players_have_opposite_goals() {
    let game = |position| match position {
        0 => Node::chance([
            (1, Node::max([(0, Node::over(1)), (1, Node::go(1))])),
            (1, Node::min([(0, Node::go(2)), (1, Node::over(3))])),
        ]),
        1 => Node::max([(0, Node::chance([(1, Node::over(4)), (2, Node::over(1))]))]),
        _ => Node::min([(0, Node::over(5)), (1, Node::over(7))]),
    };
    assert_eq!(exact(game), "5/2");
}

#[test]
fn a_count_can_be_a_value() {
    assert_eq!(exact(|_| Node::over([1, 2, 3].len()).costing(4_u64)), "7");
}

#[test]
fn costs_are_added() {
    assert_eq!(exact(|position| if position == 9 { Node::over(0) } else { Node::go(position + 1).costing(2) }), "18");
}

#[test]
fn a_proposal_is_the_mean_of_the_best_moves_in_any_order() {
    fn of(goal: Goal, proposed: usize) -> Node<Toy> {
        Node::proposal(goal, proposed, [3, 9, 1, 9].map(|value| (value, Node::over(value))))
    }
    assert_eq!(exact(|_| of(Goal::Max, 1)), "9");
    assert_eq!(exact(|_| of(Goal::Max, 3)), "7");
    assert_eq!(exact(|_| of(Goal::Min, 2)), "2");
    assert_eq!(exact(|_| of(Goal::Min, 99)), "11/2");
}

#[test]
fn waiting_is_solved_in_closed_form() {
    // One throw per minute until a six.
    assert_eq!(exact(|_| Node::chance([(5, Node::again()), (1, Node::over(0))]).costing(1)), "6");
    // Two steps, with an expected 2 and 3 minutes.
    let game = |position| match position {
        0 => Node::chance([(1, Node::again()), (1, Node::go(1))]).costing(1),
        1 => Node::chance([(2, Node::again()), (1, Node::over(0))]).costing(1),
        _ => unreachable!(),
    };
    assert_eq!(exact(game), "5");
}

#[test]
fn waiting_below_a_choice_is_solved_for_every_best_move() {
    // A throw costs 1 and wins 10 with probability 1/2, so waiting is worth 8. Giving up pays 9, 8 or 7.
    fn give_up(pays: i64) -> Node<Toy> {
        let wait = Node::chance([(1, Node::over(10)), (1, Node::again())]).costing(-1);
        Node::chance([(1, Node::max([(0, wait), (1, Node::over(pays))])), (1, Node::again())])
    }
    assert_eq!(exact(|_| give_up(9)), "9");
    assert_eq!(exact(|_| give_up(7)), "8");
    // Both moves are equally good at the solution, and each is better on one side of it.
    assert_eq!(exact(|_| give_up(8)), "8");
    // One player waits and the other does not.
    let both = |_| {
        Node::chance([
            (1, Node::max([(0, Node::chance([(1, Node::again()), (3, Node::over(4))])), (1, Node::over(3))])),
            (1, Node::min([(0, Node::chance([(1, Node::again()), (1, Node::over(2))])), (1, Node::over(3))])),
        ])
    };
    assert_eq!(exact(both), "16/5");
}

#[test]
fn waiting_can_be_a_move_if_it_costs_something_or_ends_by_chance() {
    // Half of the time the game ends. Otherwise the player waits at a cost of 1 rather than pay 10: 1 + 1/2 + 1/4 + ...
    let wait_or_pay = |_| {
        let choice = Node::min([(0, Node::again()), (1, Node::over(10))]);
        Node::chance([(1, choice), (1, Node::over(0))]).costing(1)
    };
    assert_eq!(exact(wait_or_pay), "2");
    // Waiting costs 1 for ever, so the player pays.
    assert_eq!(exact(|_| Node::min([(0, Node::again().costing(1)), (1, Node::over(1_000_000_007))])), "1000000007");
    assert_eq!(exact(|_| Node::max([(0, Node::again().costing(-1)), (1, Node::over(-1_000_000_007))])), "-1000000007");
    // One player would wait for ever, and the other one would not.
    let both = |_| Node::max([(0, Node::min([(0, Node::again().costing(1)), (1, Node::over(5))])), (1, Node::over(3))]);
    assert_eq!(exact(both), "5");
    // One of the two best moves happens, and waiting is one of them: v = 1/2 (v - 1) + 1/2 (8).
    let proposed = |_| {
        let wait = Node::again().costing(-1);
        Node::proposal(Goal::Max, 2, [(0, wait), (1, Node::over(8)), (2, Node::over(1))])
    };
    assert_eq!(exact(proposed), "7");
    // Waiting is never among the two best moves: 1/2 (8) + 1/2 (7).
    let never = |_| {
        let wait = Node::again().costing(-1);
        Node::proposal(Goal::Max, 2, [(0, wait), (1, Node::over(8)), (2, Node::over(7))])
    };
    assert_eq!(exact(never), "15/2");
}

#[test]
fn waiting_is_solved_like_by_value_iteration() {
    // Random choices of waiting, stopping and chance.
    let mut solved = 0;
    for seed in 1..=400 {
        let rules = drawn(seed);
        let solution = match solve(&rules, Precision::Fractions) {
            Ok(solution) => solution,
            // The costs of waiting can sum to zero.
            Err(BadRules { fault: Fault::EndlessWait, .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        solved += 1;
        let Worth::Fraction(value) = solution.value(&rules, &0).unwrap().worth else { panic!("not a fraction") };
        assert_eq!(Plain::new(&rules).value(&0), Ok(value.clone()), "seed {seed}");
        let value = Worth::Fraction(value).to_f64();
        let mut swept = 0.0;
        for _ in 0..10_000 {
            swept = sweep(&rules.node(&0), swept);
        }
        assert!((swept - value).abs() < 1e-6, "seed {seed}: {swept} instead of {value}");
    }
    assert!(solved > 350, "{solved} games");
}

/// One position with a node that is drawn from a seed.
fn drawn(seed: u64) -> Toy {
    Toy::new(move |_| {
        let mut state = seed;
        Node::min([(0, Node::max([(0, part(&mut state, 3)), (1, Node::over(-20))])), (1, Node::over(20))])
    })
}

fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

fn part(state: &mut u64, depth: u32) -> Node<Toy> {
    let cost = draw(state, 7) as i64 - 3;
    let count = 2 + draw(state, 2) as i32;
    match draw(state, if depth == 0 { 2 } else { 5 }) {
        0 => Node::over(cost * 5),
        1 => Node::again().costing(if cost == 0 { 1 } else { cost }),
        2 => Node::chance((0..count).map(|_| (1 + draw(state, 3), part(state, depth - 1))).collect::<Vec<_>>()),
        3 => Node::max((0..count).map(|number| (number, part(state, depth - 1))).collect::<Vec<_>>()),
        _ => {
            let goal = if cost > 0 { Goal::Max } else { Goal::Min };
            Node::proposal(goal, 2, (0..count).map(|number| (number, part(state, depth - 1))).collect::<Vec<_>>())
        }
    }
}

/// The value of a node if waiting is worth `again`.
fn sweep(node: &Node<Toy>, again: f64) -> f64 {
    match node {
        Node::Over(value) => match value {
            Number::Whole(whole) => *whole as f64,
            _ => panic!("a whole number"),
        },
        Node::Go(_) | Node::Turn(_) => panic!("no other position"),
        Node::Again => again,
        Node::Cost(cost, then) => match cost {
            Number::Whole(whole) => *whole as f64 + sweep(then, again),
            _ => panic!("a whole number"),
        },
        Node::Choice { goal, proposed, moves } => {
            let mut values: Vec<f64> = moves.iter().map(|step| sweep(&step.then, again)).collect();
            values.sort_by(f64::total_cmp);
            if *goal == Goal::Max {
                values.reverse();
            }
            values[..*proposed].iter().sum::<f64>() / *proposed as f64
        }
        Node::Chance(outcomes) => {
            let total: u64 = outcomes.iter().map(|outcome| outcome.weight).sum();
            let sum: f64 = outcomes.iter().map(|outcome| outcome.weight as f64 * sweep(&outcome.then, again)).sum();
            sum / total as f64
        }
    }
}

/// Subtract one or two. Every value is the first player's, and the position says whose turn it is.
fn absolute(left: i32) -> Node<Toy> {
    // The second player's positions are negative. The player to move at the end has lost.
    let steps = |left: i32| (1..=2.min(left)).map(move |step| (step, left - step));
    match left {
        1000 => Node::over(-1),
        -1000 => Node::over(1),
        left if left > 0 => {
            Node::max(steps(left).map(|(step, rest)| (step, Node::go(if rest == 0 { -1000 } else { -rest }))))
        }
        left => Node::min(steps(-left).map(|(step, rest)| (step, Node::go(if rest == 0 { 1000 } else { rest })))),
    }
}

#[test]
fn the_winner_plays_for_a_short_game_and_the_loser_for_a_long_one() {
    let rules = Toy { starts: || vec![10], ..Toy::new(absolute) };
    let solution = solve(&rules, Precision::Doubles).unwrap();
    let ask = |left: i32| {
        let value = solution.value(&rules, &left)?;
        Some((value.worth.to_f64(), value.moves.unwrap()))
    };
    // Multiples of three lose. The loser takes one and the winner moves to the next multiple: two moves per three.
    assert_eq!([10, -8, -9, 7].map(ask), [Some((1.0, 7)), Some((-1.0, 5)), Some((1.0, 6)), Some((1.0, 5))]);
    assert_eq!(ask(11), None);
}

#[test]
fn a_deep_game_does_not_overflow_the_stack() {
    let game = |position| match position {
        200_000 => Node::over(1),
        _ => Node::max([(0, Node::go(position + 1))]),
    };
    assert_eq!(exact(game), "1");
}

#[test]
fn the_table_is_the_same_for_any_number_of_threads() {
    // About 5000 positions with chance, in heights of different sizes.
    let game = |position: i32| match position {
        5000.. => Node::over(position % 17),
        _ => Node::chance((1..6).map(|step| (step as u64, Node::go(position + step * (1 + position % 7))))),
    };
    let rules = Toy::new(game);
    let encoded = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&rules, Precision::Doubles).unwrap().encode(&rules).unwrap())
    };
    let one = encoded(1);
    assert_eq!(encoded(2), one);
    assert_eq!(encoded(5), one);
}
