//! Games that repeat: an endless game is a draw.

use tabletop::kit::{Cycles, Fault, Goal, Node, Number, Precision, Rules, Value, Worth, solve};

use self::king_rook_king_rules::{Board, KingRookKing};
use self::l_game_rules::LGame;
use crate::support::{KING_ROOK_KING, MU_TORERE, QUIXO, THREE_MENS_MORRIS, Toy, solved};

#[allow(dead_code)]
#[path = "../../src/bin/king-rook-king.rs"]
mod king_rook_king_rules;
#[allow(dead_code)]
#[path = "../../src/bin/l-game.rs"]
mod l_game_rules;

/// A game in which an endless game is a draw.
fn round(game: impl Fn(i32) -> Node<Toy> + Sync + 'static) -> Toy {
    Toy { cycles: Cycles::Draw, ..Toy::new(game) }
}

fn values<const N: usize>(game: fn(i32) -> Node<Toy>, positions: [i32; N]) -> [String; N] {
    let rules = round(game);
    let solution = solve(&rules, Precision::Doubles).unwrap();
    positions.map(|position| solution.value(&rules, &position).unwrap().to_string())
}

#[test]
fn scores_other_than_win_and_loss_are_solved() {
    // The first player can take 3, or let the second choose between paying 5 and going back.
    let game = |position| match position {
        0 => Node::max([(0, Node::over(3)), (1, Node::go(1))]),
        1 => Node::min([(0, Node::over(5)), (1, Node::go(0))]),
        _ => unreachable!(),
    };
    assert_eq!(values(game, [0, 1]), ["3 in 1 move", "3 in 2 moves"]);
    // Taking -3 is worse than going round, and the second player must not pay 5.
    let game = |position| match position {
        0 => Node::max([(0, Node::over(-3)), (1, Node::go(1))]),
        1 => Node::min([(0, Node::over(5)), (1, Node::go(0))]),
        _ => unreachable!(),
    };
    assert_eq!(values(game, [0, 1]), ["0, the game can go on for ever", "0, the game can go on for ever"]);
}

#[test]
fn choices_in_choices_forced_steps_and_waiting_are_solved() {
    // The second player answers within the same node.
    let game = |position| match position {
        0 => Node::max([
            (0, Node::min([(0, Node::over(2)), (1, Node::go(1))])),
            (1, Node::min([(0, Node::go(0)), (1, Node::over(4))])),
            (2, Node::again()),
        ]),
        1 => Node::chance([(1, Node::go(2)), (0, Node::over(9))]),
        2 => Node::go(3).costing(0),
        _ => Node::max([(0, Node::over(1)), (1, Node::go(0))]),
    };
    assert_eq!(values(game, [0, 1, 2, 3]), ["1 in 3 moves", "1 in 1 move", "1 in 1 move", "1 in 1 move"]);
}

#[test]
fn one_player_finds_the_shortest_way() {
    let game = |position: i32| match position {
        7 => Node::over(1),
        _ => Node::max([(0, Node::go((position + 1) % 12)), (1, Node::go((position + 11) % 12))]),
    };
    assert_eq!(values(game, [0, 3]), ["1 in 5 moves", "1 in 4 moves"]);
}

#[test]
fn chance_costs_in_a_cycle_and_inexact_values_are_refused() {
    let error = |game: fn(i32) -> Node<Toy>| solve(&round(game), Precision::Doubles).err().unwrap().to_string();
    let chance = |position| match position {
        0 => Node::max([(0, Node::go(7))]),
        _ => Node::chance([(1, Node::go(0)), (1, Node::over(1))]),
    };
    assert_eq!(error(chance), "position '7': chance in a game with `Cycles::Draw`, choose `Cycles::Iterate`");
    let proposal = |_| Node::proposal(Goal::Max, 2, [(0, Node::over(1)), (1, Node::over(2))]);
    assert!(error(proposal).starts_with("position '0': chance in a game"));
    let costs = |position: i32| Node::max([(0, Node::go(1 - position).costing(1)), (1, Node::over(1))]);
    let expected = "a cycle in a game with costs and `Cycles::Draw`, leave out the costs or choose `Cycles::Iterate`";
    assert!(error(costs).ends_with(expected), "{}", error(costs));
    // Costs without a cycle are allowed.
    assert_eq!(values(|_| Node::max([(0, Node::over(1).costing(2)), (1, Node::over(2))]), [0]), ["3"]);
    let thirds = |position: i32| Node::max([(0, Node::go(1 - position)), (1, Node::over(Number::fraction(1, 3)))]);
    let expected = "position '0': leads to values that are no doubles, pass --exact or use whole numbers";
    assert_eq!(error(thirds), expected);
    let rules = round(thirds);
    let solution = solve(&rules, Precision::Fractions).unwrap();
    assert_eq!(solution.value(&rules, &0).unwrap().to_string(), "1/3 in 1 move");
}

const POSITIONS: i32 = 12;

/// What follows a move.
enum Then {
    Over(i64),
    Go(i32),
    Turn(i32),
}

/// The goal and the moves of a position, in a game of probabilities that is drawn from a seed. The turn passes with
/// some moves.
fn moves(seed: u64, position: i32) -> (Goal, Vec<Then>) {
    let mut state = seed * 1_000 + position as u64;
    let mut draw = |below: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as i32
    };
    draw(2);
    let goal = if draw(2) == 0 { Goal::Max } else { Goal::Min };
    let count = 1 + draw(3);
    let one = |draw: &mut dyn FnMut(i32) -> i32| match draw(10) {
        0 | 1 => Then::Over(i64::from(draw(4)) - 1),
        2..6 => Then::Turn(draw(POSITIONS)),
        _ => Then::Go(draw(POSITIONS)),
    };
    (goal, (0..count).map(|_| one(&mut draw)).collect())
}

/// The game of a seed.
fn drawn(seed: u64) -> Toy {
    let node = |then: Then| match then {
        Then::Over(value) => Node::over(value),
        Then::Turn(next) => Node::turn(next),
        Then::Go(next) => Node::go(next),
    };
    let game = round(move |position| {
        let (goal, moves) = moves(seed, position);
        Node::proposal(goal, 1, (0..).zip(moves.into_iter().map(node)))
    });
    Toy { sum: 1, ..game }
}

#[test]
fn random_games_have_the_values_of_long_games_that_are_cut_off() {
    let mut counts = [0; 3];
    for seed in 0..500 {
        let rules = drawn(seed);
        let solution = solve(&rules, Precision::Doubles).unwrap();
        // Values of games that are a draw after some number of moves.
        let mut cut_off = [0.5; POSITIONS as usize];
        for _ in 0..200 {
            let before = cut_off;
            for position in 0..POSITIONS {
                let (goal, moves) = moves(seed, position);
                let value = |then: &Then| match *then {
                    Then::Over(value) => value as f64,
                    Then::Turn(next) => 1.0 - before[next as usize],
                    Then::Go(next) => before[next as usize],
                };
                let best = if goal == Goal::Max { f64::max } else { f64::min };
                cut_off[position as usize] = moves.iter().map(value).reduce(best).unwrap();
            }
        }
        for position in 0..POSITIONS {
            let Some(Value { worth: Worth::Double(value), moves }) = solution.value(&rules, &position) else {
                continue;
            };
            assert_eq!(value, cut_off[position as usize], "seed {seed}, position {position}");
            counts[0] += usize::from(value != 0.5);
            counts[1] += usize::from(moves == Some(Value::ENDLESS));
            counts[2] += 1;
        }
    }
    assert!(counts[0] > 1_000 && counts[1] > 500 && counts[2] < 6_000, "{counts:?}");
}

#[test]
fn king_and_rook_against_king_have_the_published_depths() {
    // Lost in 0 to 16 moves of White.
    let published = [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    let mut boards: Vec<Board> =
        Board::all_with_black_to_move().into_iter().map(|board| KingRookKing.canonical(board)).collect();
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 28_056);
    let solution = solve(&KingRookKing, Precision::Doubles).unwrap();
    let (mut depths, mut draws) = ([0; 17], 0);
    for board in &boards {
        let value = solution.value(&KingRookKing, board).unwrap();
        match (value.worth.to_f64(), value.moves) {
            (-1.0, Some(moves)) if moves % 2 == 0 => depths[moves as usize / 2] += 1,
            (0.0, Some(_)) => draws += 1,
            other => panic!("{board}: {other:?}"),
        }
    }
    assert_eq!((depths, draws), (published, 2796));
}

#[test]
fn white_mates_by_taking_the_first_move() {
    static DIRECTORY: std::sync::OnceLock<tempfile::TempDir> = std::sync::OnceLock::new();
    let directory = solved(KING_ROOK_KING, &[], &DIRECTORY);
    for start in ["Ka1 Rb2 kf3 black", "Kd4 Rh1 ke7 black", "Kc3 Rc8 kd1 black"] {
        let mut position = start.to_owned();
        for _ in 0..=32 {
            let answer = KING_ROOK_KING.answer(&directory, &["ask", &position, "--json"]);
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            let Some(best) = answer["moves"].get(0) else { break };
            assert_eq!(best["moves_to_end"].as_u64().unwrap() + 1, answer["moves_to_end"].as_u64().unwrap());
            position = best["next"].as_str().unwrap().to_owned();
        }
        assert_eq!(KING_ROOK_KING.answer(&directory, &["ask", &position]), "-1, the game is over\n", "{position}");
    }
    let check = KING_ROOK_KING.answer(&directory, &["check"]);
    let expected = "tables/king-rook-king.tbl: 50,015 positions: every value follows from what follows the position; \
                    the plain solver agrees on ";
    let compared: u32 =
        check.strip_prefix(expected).unwrap_or_else(|| panic!("{check}")).split_once(' ').unwrap().0.parse().unwrap();
    assert!(compared >= 50, "{check}");
}

#[test]
fn the_l_game_has_29_lost_arrangements() {
    let rules = LGame::default();
    let solution = solve(&rules, Precision::Doubles).unwrap();
    assert_eq!(solution.positions(), 2296);
    let mut lost = [0, 0];
    for board in rules.arrangements() {
        let value = solution.value(&rules, &board).unwrap();
        if value.worth.to_f64() < 0.0 {
            lost[usize::from(value.moves != Some(0))] += 1;
        }
    }
    // Each arrangement has eight images.
    assert_eq!(lost, [8 * 15, 8 * 14]);
    let start = solution.value(&rules, &rules.starts()[0]).unwrap();
    assert_eq!(start.to_string(), "0, the game can go on for ever");
}

#[test]
fn the_centre_wins_in_three_mens_morris() {
    let directory = tempfile::tempdir().unwrap();
    THREE_MENS_MORRIS.answer(directory.path(), &["solve"]);
    let answer = THREE_MENS_MORRIS.answer(directory.path(), &["ask", ".../.../...", "--explain"]);
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines[1], "  b2  1 in 8 moves -> .../.o./...");
    assert_eq!(lines[2], "  a3  0, the game can go on for ever -> o../.../...");
    assert_eq!(lines.iter().filter(|line| line.contains("  1 in")).count(), 1, "{answer}");
    assert!(THREE_MENS_MORRIS.answer(directory.path(), &["check"]).contains("agrees on 100 seeded positions"));
}

#[test]
fn mu_torere_has_46_arrangements_and_is_a_draw() {
    let directory = tempfile::tempdir().unwrap();
    let solve = MU_TORERE.answer(directory.path(), &["solve"]);
    assert!(solve.starts_with("tables/mu-torere.tbl: 46 positions, "), "{solve}");
    let answer = MU_TORERE.answer(directory.path(), &["ask", "xxxxoooo/."]);
    assert_eq!(answer, "0, the game can go on for ever\n");
    MU_TORERE.answer(directory.path(), &["check"]);
}

#[test]
fn the_first_player_wins_quixo_on_three_by_three() {
    let directory = tempfile::tempdir().unwrap();
    let solve = QUIXO.answer(directory.path(), &["solve"]);
    assert!(solve.starts_with("tables/quixo.tbl: 32,027 positions, "), "{solve}");
    let answer = QUIXO.answer(directory.path(), &["ask", ".../.../... x"]);
    assert!(answer.starts_with("1 in "), "{answer}");
    assert!(QUIXO.answer(directory.path(), &["check"]).contains("agrees on 100 seeded positions"));
}

#[test]
fn a_cycle_is_refused_with_both_remedies() {
    let error = Fault::Cycle { positions: vec!["1".into(), "2".into()], shortest: true }.to_string();
    let remedy = "choose `Cycles::Draw` if an endless game is a draw, or `Cycles::Iterate` if chance ends it";
    assert!(error.ends_with(remedy), "{error}");
}
