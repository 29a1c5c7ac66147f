//! Tests of answers, checks and remarks, with small games and tables in temporary directories.

use std::cell::RefCell;

use indicatif::ProgressBar;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::check::check;
use super::command::run;
use super::explain::{Detail, Explanation, explain};
use super::explore::{Watch, explore};
use super::file::{Answers, spec};
use super::number::{Bounds, Number};
use super::play::{Setup, Side, play};
use super::ranked::tests::solve_ranked;
use super::rules::{Cycles, Goal, Node};
use super::solve::{Precision, Solution, Values, solve};
use super::toy::{NUMBERS, Toy};
use crate::door::table_message;
use crate::publish;
use crate::table::{Places, Table, TableError, encode};

/// Writes a table and opens it.
fn open<'a>(rules: &'a Toy, solution: &Solution, directory: &TempDir) -> Answers<'a, Toy> {
    publish::replace(directory.path(), spec(rules).file_name(), &solution.encode(rules).unwrap()).unwrap();
    Answers::open(rules, &Places::only(directory.path())).unwrap()
}

fn explained(node: fn(u32) -> Node<Toy>, precision: Precision, position: u32) -> Explanation {
    let rules = Toy::new(node);
    let directory = tempfile::tempdir().unwrap();
    let solution = solve(&rules, precision).unwrap();
    let answers = open(&rules, &solution, &directory);
    explain(&rules, &answers, &position, Detail::Moves).unwrap().unwrap()
}

fn text(node: fn(u32) -> Node<Toy>, position: u32) -> String {
    explained(node, Precision::Doubles, position).text()
}

fn json(explanation: &Explanation) -> Json {
    serde_json::from_str(&explanation.to_json()).unwrap()
}

/// The error of `check`, without the path of the table.
fn refused(rules: &Toy, solution: &Solution) -> String {
    let directory = tempfile::tempdir().unwrap();
    let answers = open(rules, solution, &directory);
    let failure = check(rules, &answers, &Watch::SILENT).err().expect("a wrong table");
    failure.message("toy").replace(&directory.path().display().to_string(), "tables")
}

#[test]
fn the_first_of_equal_moves_leads_to_the_end_of_a_game_with_cycles() {
    // Both moves are worth 1 everywhere, and only one of them comes nearer to the end.
    fn walk(position: u32) -> Node<Toy> {
        match position {
            0 | 10 => Node::over(1),
            _ => Node::max([("back", Node::go(position.abs_diff(1).max(1))), ("on", Node::go(position + 1))]),
        }
    }
    for position in 1..10 {
        assert_eq!(json(&explained(walk, Precision::Doubles, position))["moves"][0]["move"], "on", "at {position}");
    }
    // Chance mostly turns the player back, but the other move never leads on.
    fn dice(position: u32) -> Node<Toy> {
        match position {
            0 => Node::over(1),
            _ => {
                let throw = Node::chance([(1, Node::go(position - 1)), (5, Node::go((position + 1).min(9)))]);
                Node::max([("stay", Node::go(position)), ("throw", throw)])
            }
        }
    }
    assert_eq!(json(&explained(dice, Precision::Doubles, 5))["moves"][0]["move"], "throw");
}

#[test]
fn the_first_move_leads_to_the_end_of_a_long_game_without_chance() {
    fn walk(position: u32) -> Node<Toy> {
        match position {
            0 => Node::over(0),
            5_000 => Node::over(1),
            _ => Node::max([("back", Node::go(position - 1)), ("on", Node::go(position + 1))]),
        }
    }
    let answer = json(&explained(walk, Precision::Doubles, 5));
    assert_eq!([&answer["moves"][0]["move"], &answer["moves_to_end"]], [&json!("on"), &json!(4995)]);
}

#[test]
fn the_first_of_equal_moves_leads_to_the_end_against_any_answer() {
    // Numbers below 10 belong to the first player, who can take one or go round. The second player can only go round
    // from 13, so the way over 12 is shorter against any answer.
    fn game(position: u32) -> Node<Toy> {
        match position {
            5 => Node::max([("round", Node::go(13)), ("on", Node::go(12))]),
            6 => Node::max([("end", Node::over(1))]),
            12 => Node::min([("on", Node::go(6))]),
            13 => Node::min([("round", Node::go(5)), ("on", Node::go(6))]),
            _ => unreachable!(),
        }
    }
    let answer = json(&explained(game, Precision::Doubles, 5));
    assert_eq!([&answer["moves"][0]["move"], &answer["moves"][1]["move"]], ["on", "round"]);
}

#[test]
fn waiting_is_the_last_of_equal_moves() {
    fn wait(_: u32) -> Node<Toy> {
        let choice = Node::min([("wait", Node::again()), ("pay", Node::over(2))]);
        Node::chance([(1, choice), (1, Node::over(0))]).costing(1)
    }
    let expected = "2 (1 now)\n  1 of 2  2\n    pay   2, the game is over\n    wait  2, the same position again\n  \
                    1 of 2  0, the game is over\n";
    assert_eq!(text(wait, 5), expected);
}

#[test]
fn costs_forced_steps_ends_and_proposals_are_explained() {
    let forced = |position| match position {
        5 => Node::go(4).costing(2),
        4 => Node::max([("stop", Node::over(1).scoring(2)), ("go", Node::go(3).scoring(1))]),
        3 => Node::proposal(Goal::Max, 2, [("a", Node::over(1)), ("b", Node::over(2)), ("c", Node::over(0))]),
        _ => unreachable!(),
    };
    assert_eq!(text(forced, 5), "5 (2 now) -> 4\n");
    assert_eq!(text(forced, 4), "3\n  stop  3 (2 now), the game is over\n  go    2.5 (1 now) -> 3\n");
    let proposal = "1.5, one of the best 2 moves happens\n  b  2, the game is over\n  a  1, the game is over\n  \
                    c  0, the game is over\n";
    assert_eq!(text(forced, 3), proposal);
    let two_players = |position| match position {
        0 => Node::over(-1),
        _ => Node::max([("one", Node::turn(position - 1))]),
    };
    assert_eq!(text(two_players, 0), "-1, the game is over\n");
    assert_eq!(text(two_players, 1), "1 in 1 move\n  one  1, the game is over -> 0\n");
}

#[test]
fn a_long_fraction_has_a_decimal_beside_it() {
    let game = |position| match position {
        5 => Node::chance([(1_000_003, Node::go(4)), (3_000_000, Node::over(0))]),
        _ => Node::chance([(1, Node::over(1)), (2, Node::over(0))]),
    };
    let answer = explained(game, Precision::Fractions, 5);
    assert_eq!(answer.value_line(), "1000003/12000009\n");
    assert!(answer.text().starts_with("1000003/12000009 ≈ 0.08333"), "{}", answer.text());
    assert!(answer.text().contains("  1/3 -> 4\n"), "{}", answer.text());
    assert_eq!(json(&answer)["fraction"], json!("1000003/12000009"));
}

#[test]
fn wide_bounds_that_follow_from_themselves_are_refused() {
    let rules = Toy::new(|position| match position {
        0 => Node::over(0),
        10 => Node::over(1),
        _ => Node::chance([(1, Node::go(position - 1)), (1, Node::go(position + 1))]),
    });
    let mut solution = solve(&rules, Precision::Doubles).unwrap();
    let directory = tempfile::tempdir().unwrap();
    check(&rules, &open(&rules, &solution, &directory), &Watch::SILENT).unwrap_or_else(|error| panic!("{error:?}"));
    solution.values = Values::Bounds(vec![Bounds { lower: 0.0, upper: 1.0 }; solution.positions()]);
    let error = refused(&rules, &solution);
    assert!(error.contains("which is not exact enough, run `toy solve --out tables` to write it anew"), "{error}");
}

#[test]
fn the_plain_solver_knows_that_a_free_cycle_is_left() {
    let rules = Toy::new(|position| match position {
        5 => Node::min([("on", Node::go(4)), ("end", Node::over(5))]),
        _ => Node::min([("back", Node::go(5)), ("end", Node::over(6).costing(1))]),
    });
    let mut solution = solve(&rules, Precision::Doubles).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let proof = check(&rules, &open(&rules, &solution, &directory), &Watch::SILENT);
    assert_eq!(proof.unwrap_or_else(|error| panic!("{error:?}")).sampled, 2);
    // Zero follows from itself, but no play costs nothing.
    solution.values = Values::Bounds(vec![Bounds { lower: 0.0, upper: 1e-9 }; solution.positions()]);
    let error = refused(&rules, &solution);
    assert!(error.contains("'4' is worth 0.0000000005 ± 5.3e-10 there, and 5 by the plain solver"), "{error}");
}

#[test]
fn tables_with_numbers_that_are_no_doubles_and_of_long_games_are_right() {
    // Doubles around 2^53 + 1 are 2 apart.
    let wide = Toy {
        cycles: Cycles::Iterate { tolerance: 64.0 },
        ..Toy::new(|position| Node::chance([(1, Node::go(9 - position)), (1, Node::over((1_i64 << 53) + 1))]))
    };
    let games: [fn(u32) -> Node<Toy>; 3] = [
        |position| Node::chance([(1, Node::go(9 - position)), (1, Node::over(Number::fraction(1, 3)))]),
        |position| match position {
            30 => Node::over(1),
            _ => Node::chance([(1, Node::go(position + 1)), (1, Node::go(5))]).costing(1),
        },
        |position| match position {
            0 | 300 => Node::over(position),
            _ => Node::chance([(1, Node::go(position - 1)), (1, Node::go(position + 1))]),
        },
    ];
    for (rules, positions) in games.map(Toy::new).into_iter().chain([wide]).zip([2, 26, 100, 2]) {
        let solution = solve(&rules, Precision::Doubles).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let proof = check(&rules, &open(&rules, &solution, &directory), &Watch::SILENT);
        assert_eq!(proof.unwrap_or_else(|error| panic!("{error:?}")).sampled, positions);
    }
}

#[test]
fn the_deepest_node_is_explained() {
    fn deep(_: u32) -> Node<Toy> {
        (1..50).fold(Node::over(1), |node, _| Node::max([("on", node)]))
    }
    assert_eq!(text(deep, 5).lines().count(), 50);
    assert_eq!(json(&explained(deep, Precision::Fractions, 5))["value"], 1.0);
}

#[test]
fn a_false_symmetry_is_a_fault_of_the_rules_and_not_of_the_table() {
    let rules = Toy {
        canonical: |position| if position == 1 { 0 } else { position },
        ..Toy::new(|position| match position {
            0 | 1 => Node::over(position),
            _ => Node::max([("one", Node::go(position - 1)), ("two", Node::go(position - 2))]),
        })
    };
    let solution = solve(&rules, Precision::Doubles).unwrap();
    assert_eq!(
        refused(&rules, &solution),
        "tables/toy.tbl: '2' is worth 0 there, and 1 by the plain solver, mend the rules: \
         is `canonical` right? does `node` depend on more than the position?"
    );
}

#[test]
fn many_positions_call_for_remarks_and_can_be_limited() {
    let rules = Toy::new(|position| Node::max([("up", Node::go(position + 1))]));
    let remarks = RefCell::new(Vec::new());
    let watch = Watch {
        progress: &|_, _| ProgressBar::hidden(),
        most: Some(2_000),
        memory: u64::MAX,
        many: 500,
        remark: &|line| remarks.borrow_mut().push(line),
    };
    let error = explore(&rules, &watch).err().expect("too many positions");
    let expected = "more than 2000 positions, such as '2005', limit the game or pass a larger --max-positions";
    assert_eq!(error.to_string(), expected);
    let remark = |count: &str, position: u32| {
        format!("{count} positions so far, such as '{position}', stop here if the game should have fewer")
    };
    assert_eq!(remarks.into_inner(), [remark("500", 504), remark("1,000", 1004), remark("2,000", 2004)]);
}

/// Players subtract one or two from a number.
fn ranked(start: u32, renumber: fn(u64) -> u64) -> Toy {
    let node = |left: u32| match left {
        0 => Node::over(-1),
        _ => Node::max((1..=2.min(left)).map(|step| (NUMBERS[step as usize], Node::turn(left - step)))),
    };
    let ranks = |rules: &Toy| Some(u64::from(rules.start) + 1);
    Toy { name: "ranked", start, cycles: Cycles::Refuse, ranks, renumber, ..Toy::new(node) }
}

/// The tables of a game by both solvers: the one of the whole game, and the one by ranks.
const SOLVERS: [fn(&Toy) -> Vec<u8>; 2] = [
    |rules| solve(rules, Precision::Doubles).unwrap().encode(rules).unwrap(),
    |rules| {
        solve_ranked(rules, &Watch::SILENT)
            .unwrap()
            .expect("a game with ranks")
            .encode(rules, None, &Watch::SILENT)
            .unwrap()
    },
];

/// The values of positions by a table that was made with the identity as ranks, or the first error.
fn values_with_ranks(
    solved: fn(&Toy) -> Vec<u8>,
    start: u32,
    renumber: fn(u64) -> u64,
    positions: &[u32],
) -> Result<Vec<f64>, TableError> {
    let directory = tempfile::tempdir().unwrap();
    let bytes = solved(&ranked(start, |rank| rank));
    publish::replace(directory.path(), "ranked.tbl", &bytes).unwrap();
    let asked = ranked(start, renumber);
    let answers = Answers::open(&asked, &Places::only(directory.path()))?;
    positions.iter().map(|position| Ok(answers.value(position)?.unwrap().worth.to_f64())).collect()
}

#[test]
fn a_table_with_ranks_is_refused_under_other_ranks() {
    let refusal = "made with other ranks, keys or texts of positions, solve the game again";
    let positions: Vec<u32> = (0..=10).collect();
    let expected = positions.iter().map(|left| if left % 3 == 0 { -1.0 } else { 1.0 }).collect::<Vec<f64>>();
    // Under some of these, the wrong values still follow from each other.
    let others: [fn(u64) -> u64; 4] = [
        |rank| 10 - rank,
        |rank| (11 - rank) % 11,
        |rank| (5 - rank as i64).rem_euclid(11) as u64,
        |rank| {
            if rank < 10 { rank ^ 1 } else { rank }
        },
    ];
    for solved in SOLVERS {
        assert_eq!(values_with_ranks(solved, 10, |rank| rank, &positions).unwrap(), expected);
        for other in others {
            let error = table_message(&values_with_ranks(solved, 10, other, &[]).unwrap_err());
            assert!(error.ends_with(refusal), "{error}");
        }
    }
}

#[test]
fn two_exchanged_ranks_of_a_large_table_are_noticed_where_they_matter() {
    let exchange = |rank: u64| match rank {
        4_711 => 8_150,
        8_150 => 4_711,
        other => other,
    };
    for solved in SOLVERS {
        assert_eq!(values_with_ranks(solved, 9_999, exchange, &[3, 4, 9_998]).unwrap(), [-1.0, 1.0, 1.0]);
        for position in [4_711, 8_150] {
            let error = values_with_ranks(solved, 9_999, exchange, &[position]).unwrap_err().to_string();
            assert!(error.contains("made with other ranks"), "{position}: {error}");
        }
    }
}

#[test]
fn a_table_by_key_is_refused_under_another_canonical_form() {
    fn down(position: u32) -> Node<Toy> {
        if position == 0 { Node::over(1) } else { Node::max([("down", Node::go(position - 1))]) }
    }
    let directory = tempfile::tempdir().unwrap();
    let rules = Toy::new(down);
    open(&rules, &solve(&rules, Precision::Doubles).unwrap(), &directory);
    let changed = Toy { canonical: |position| position.min(3), ..Toy::new(down) };
    let error = Answers::open(&changed, &Places::only(directory.path())).expect_err("another canonical form");
    assert!(error.to_string().contains("made with other ranks, keys or texts of positions"), "{error}");
}

#[test]
fn a_table_of_an_older_kit_is_refused() {
    let rules = Toy::new(|_| Node::over(1));
    let directory = tempfile::tempdir().unwrap();
    let bytes = solve(&rules, Precision::Doubles).unwrap().encode(&rules).unwrap();
    let mut records = Table::<_, u8>::open(bytes, spec(&rules), "toy.tbl".as_ref()).unwrap().records().unwrap();
    // The version of the kit's format.
    records[15] = 0;
    publish::replace(directory.path(), "toy.tbl", &encode(spec(&rules), "tabletop kit 0.1.0", &records)).unwrap();
    let error = table_message(&Answers::open(&rules, &Places::only(directory.path())).expect_err("an old table"));
    assert!(error.ends_with("made by another version of the kit, solve the game again"), "{error}");
}

#[test]
fn the_limit_of_positions_is_looked_at_before_a_whole_batch_is_expanded() {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static SUCCESSORS: AtomicU32 = AtomicU32::new(0);
    // 900 positions after the start, each with 40,000 others after it.
    let rules = Toy::new(|position| {
        let (first, many) = if position == 5 { (10_000, 900) } else { (position * 40_000, 40_000) };
        SUCCESSORS.fetch_add(many, Relaxed);
        Node::max((first..first + many).map(|next| ("step", Node::go(next))))
    });
    let watch = Watch { most: Some(1_000), ..Watch::SILENT };
    let error = explore(&rules, &watch).err().expect("too many positions").to_string();
    assert!(error.starts_with("more than 1000 positions"), "{error}");
    let successors = SUCCESSORS.load(Relaxed);
    assert!(successors < 2_000_000, "{successors} successors of 36,000,000");
}

#[test]
fn positions_with_many_successors_are_all_found() {
    fn node(position: u32) -> Node<Toy> {
        match position {
            0 => Node::over(0),
            5 => Node::max((0..2_000).map(|step| ("step", Node::go(10_000 + step)))),
            _ => Node::max((0..1_000).map(|step| ("step", Node::go(20_000 + step)))),
        }
    }
    let rules = Toy { canonical: |position| if position >= 20_000 { 0 } else { position }, ..Toy::new(node) };
    let graph = explore(&rules, &Watch::SILENT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((graph.len(), graph.edges.len()), (2_002, 2_000 + 2_000 * 1_000));
}

#[test]
fn control_characters_in_names_are_escaped() {
    let game = |position| match position {
        5 => Node::max([("a\u{1b}[31mb", Node::chance_of([("\u{202e}up", 1, Node::go(4))]))]),
        _ => Node::over(1),
    };
    let answer = explained(game, Precision::Doubles, 5);
    let expected = "1\n  a\\u{1b}[31mb  1\n    \\u{202e}up, 1 of 1  1 -> 4\n";
    assert_eq!(answer.text(), expected);
    assert!(!answer.to_json().contains(['\u{1b}', '\u{202e}']), "{}", answer.to_json());
    assert_eq!(json(&answer)["moves"][0]["move"], "a\u{1b}[31mb");
}

/// What a game from 5 shows with this input.
fn played(node: fn(u32) -> Node<Toy>, side: Side, input: &str) -> String {
    let rules = Toy::new(node);
    let directory = tempfile::tempdir().unwrap();
    let answers = open(&rules, &solve(&rules, Precision::Doubles).unwrap(), &directory);
    let setup = Setup { side, seed: Some(1), has_prompt: false };
    let mut out = Vec::new();
    let played = play(&rules, &answers, &5, setup, input.as_bytes(), &mut out);
    assert_eq!(played.unwrap_or_else(|error| panic!("{error:?}")), Some(()));
    // Without the greeting.
    String::from_utf8(out).unwrap().split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn proposals_and_points_are_played() {
    fn game(position: u32) -> Node<Toy> {
        let last = [("a", Node::over(1)), ("b", Node::over(2).scoring(10)), ("c", Node::over(0))];
        if position == 5 { Node::max([("on", Node::go(4).scoring(3))]) } else { Node::proposal(Goal::Max, 2, last) }
    }
    let choice = "position 5\nyou choose a move:\n  1  on (3 now) -> 4\nyou play on (3 now) -> 4\n\n\
                  position 4, 3 so far\nyou propose 2 moves, one per line, and one of them happens:\n  \
                  1  a, the game is over\n  2  b (10 now), the game is over\n  3  c, the game is over\n";
    let end = "\nthe game is over: 15\nbest play from '5' is worth 9.5\n";
    let proposed = "proposed already, propose another move\n\
                    you propose a, b; b happens (10 now), the game is over\n";
    assert_eq!(played(game, Side::First, "on\n1\na\nb\n"), format!("{choice}{proposed}{end}"));
    let alone = "position 5\nthe table plays on (3 now) -> 4\n\nposition 4, 3 so far\n\
                 the table proposes b, a; a happens, the game is over\n\n\
                 the game is over: 4\nbest play from '5' is worth 9.5\n";
    assert_eq!(played(game, Side::None, ""), alone);
}

#[test]
fn waiting_is_played() {
    fn wait(_: u32) -> Node<Toy> {
        let choice = Node::min([("wait", Node::again()), ("pay", Node::over(2))]);
        Node::chance([(1, choice), (1, Node::over(0))]).costing(1)
    }
    // The throws of this seed are 1, 1, 0: the first one ends the game.
    let shown = "position 5\nchance: 1 of 2, the game is over\n\nthe game is over: 1\nbest play from '5' is worth 2\n";
    assert_eq!(played(wait, Side::First, ""), shown);
    fn other(position: u32) -> Node<Toy> {
        if position == 4 { wait(4) } else { Node::chance([(1, Node::over(9)), (1, Node::go(4))]).costing(5) }
    }
    let shown = "position 5\nchance: 1 of 2 -> 4\n\nposition 4, 5 so far\nchance: 1 of 2, the game is over\n\n\
                 the game is over: 6\nbest play from '5' is worth 10.5\n";
    assert_eq!(played(other, Side::First, ""), shown);
    fn again(_: u32) -> Node<Toy> {
        Node::min([("wait", Node::again().costing(1)), ("pay", Node::over(2))])
    }
    let waited = "nothing happens, the same position again\n\nposition 5, 1 so far\n";
    let shown = played(again, Side::First, "wait\nundo\nwait\npay\n");
    assert_eq!(shown.matches(waited).count(), 2, "{shown}");
    assert!(shown.ends_with("\nthe game is over: 3\nbest play from '5' is worth 2\n"), "{shown}");
}

#[test]
fn the_smallest_value_is_the_second_players_only_if_there_is_a_first() {
    fn game(position: u32) -> Node<Toy> {
        let last = [("one", Node::over(1)), ("two", Node::over(2))];
        if position == 5 { Node::max([("on", Node::go(4))]) } else { Node::min(last) }
    }
    let shown = played(game, Side::First, "on\n");
    let end = "the table plays one, the game is over\n\nthe game is over: the table wins, 1 for the first player\n\
               best play from '5' is worth 1 in 2 moves\n";
    assert!(shown.ends_with(end), "{shown}");
}

#[test]
fn a_panic_anywhere_in_the_rules_is_an_error() {
    let rules = Toy { ranks: |_| panic!("a panic that the test expects"), ..Toy::new(|_| Node::over(0)) };
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["panicking", "solve", "--out", directory.path().to_str().unwrap()];
    let failure = run(&rules, "panicking", arguments.map(Into::into).to_vec()).expect_err("a panic");
    let expected = "a function of the rules panicked with the message above, mend it for every position";
    assert_eq!(failure.message("panicking"), expected);
}

#[test]
fn tables_with_short_and_long_codes_and_keys_return_the_solved_values() {
    // Up to 127 a key has one byte, above that two. The second game has more than 255 different numbers of moves.
    fn short(position: u32) -> Node<Toy> {
        corridor(position, 100)
    }
    fn long(position: u32) -> Node<Toy> {
        corridor(position, 1_000)
    }
    fn corridor(position: u32, end: u32) -> Node<Toy> {
        match position {
            0 => Node::over(-1),
            _ if position == end => Node::over(1),
            _ => Node::max([("back", Node::go(position - 1)), ("on", Node::go(position + 1))]),
        }
    }
    for (node, end, most_bytes) in [(short as fn(u32) -> Node<Toy>, 100, 1_300), (long, 1_000, 6_000)] {
        let rules = Toy::new(node);
        let directory = tempfile::tempdir().unwrap();
        let solution = solve(&rules, Precision::Doubles).unwrap();
        let answers = open(&rules, &solution, &directory);
        for position in 0..=end + 1 {
            assert_eq!(answers.value(&position).unwrap(), solution.value(&rules, &position), "{position}");
        }
        check(&rules, &answers, &Watch::SILENT).unwrap_or_else(|error| panic!("{error:?}"));
        assert!(answers.file_bytes() < most_bytes, "{end}: {} bytes", answers.file_bytes());
    }
}

/// A game in which an endless game is a draw.
fn round(node: fn(u32) -> Node<Toy>) -> Toy {
    Toy { name: "round", cycles: Cycles::Draw, ..Toy::new(node) }
}

/// The result of `check` for a solution that may have been changed.
fn checked(rules: &Toy, change: impl FnOnce(&mut Solution)) -> Result<usize, String> {
    let directory = tempfile::tempdir().unwrap();
    let mut solution = solve(rules, Precision::Doubles).unwrap();
    change(&mut solution);
    publish::replace(directory.path(), spec(rules).file_name(), &solution.encode(rules).unwrap()).unwrap();
    let answers = Answers::open(rules, &Places::only(directory.path())).unwrap();
    let proof = check(rules, &answers, &Watch::SILENT).map(|proof| proof.sampled);
    let path = answers.path().display().to_string();
    proof.map_err(|failure| failure.message("round").replace(&path, "table").split(", run").next().unwrap().to_owned())
}

/// Sets the value and the moves to the end of the positions with some numbers.
fn set<'a>(numbers: &'a [usize], value: f64, moves: &'a [u32]) -> impl FnOnce(&mut Solution) + 'a {
    move |solution| {
        let (Values::Doubles(values), Some(lengths)) = (&mut solution.values, &mut solution.lengths) else { panic!() };
        for (&number, &moves) in numbers.iter().zip(moves) {
            (values[number], lengths[number]) = (value, moves);
        }
    }
}

#[test]
fn a_draw_by_repetition_is_explained() {
    fn game(position: u32) -> Node<Toy> {
        match position {
            5 => Node::max([("lose", Node::turn(7)), ("round", Node::turn(6)), ("wait", Node::again())]),
            6 => Node::max([("round", Node::turn(5)), ("tie", Node::turn(8))]),
            7 => Node::over(1),
            _ => Node::max([("stop", Node::over(0)), ("round", Node::turn(5))]),
        }
    }
    let rules = round(game);
    let directory = tempfile::tempdir().unwrap();
    let solution = solve(&rules, Precision::Doubles).unwrap();
    publish::replace(directory.path(), spec(&rules).file_name(), &solution.encode(&rules).unwrap()).unwrap();
    let answers = Answers::open(&rules, &Places::only(directory.path())).unwrap();
    let answer = |position| explain(&rules, &answers, &position, Detail::Moves).unwrap().unwrap();
    // A draw that ends comes before one that does not.
    let expected = "0 in 3 moves\n  round  0 in 2 moves -> 6\n  wait   0 in 3 moves, the same position again\n  \
                    lose   -1, the game is over -> 7\n";
    assert_eq!(answer(5).text(), expected);
    check(&rules, &answers, &Watch::SILENT).unwrap_or_else(|error| panic!("{error:?}"));
    let endless = round(|position| Node::max([("on", Node::turn(11 - position)), ("lose", Node::over(-1))]));
    let solution = solve(&endless, Precision::Doubles).unwrap();
    assert_eq!(solution.value(&endless, &5).unwrap().to_string(), "0, the game can go on for ever");
}

#[test]
fn values_that_rest_on_a_circle_are_refused() {
    // Nobody needs to stop: 5 and 6 are draws.
    let rules = round(|position| match position {
        5 => Node::max([("on", Node::go(6)), ("stop", Node::over(-1))]),
        _ => Node::max([("back", Node::go(5)), ("stop", Node::over(-1))]),
    });
    assert_eq!(checked(&rules, |_| ()), Ok(2));
    let error = |change| checked(&rules, change).unwrap_err();
    let wins = |moves| error(set(&[0, 1], 1.0, moves));
    assert_eq!(wins(&[8, 9]), "table: '5' ends in 8 moves there, and in 10 moves by what follows it");
    assert_eq!(wins(&[u32::MAX, u32::MAX]), "table: '5' is worth 1 there, and has no end");
    assert_eq!(error(set(&[0], 0.0, &[7])), "table: '5' ends in 7 moves there, and never by what follows it");
    let forgets = |solution: &mut Solution| solution.lengths = None;
    assert_eq!(checked(&rules, forgets).unwrap_err(), "table: the moves to the end are missing");
}

#[test]
fn values_that_rest_on_a_circle_of_forced_steps_are_refused() {
    let rules = round(|position| match position {
        5 => Node::go(6),
        6 => Node::chance([(1, Node::go(7))]),
        _ => Node::go(5),
    });
    assert_eq!(checked(&rules, |_| ()), Ok(3));
    let error = checked(&rules, set(&[0, 1, 2], 1.0, &[4, 4, 4])).unwrap_err();
    assert_eq!(error, "table: '5' ends there, and never by the rules");
}

/// A game from 6 with transient positions.
fn passing(cycles: Cycles, node: fn(u32) -> Node<Toy>) -> Toy {
    Toy { name: "passing", start: 6, cycles, is_transient: |position| position >= 100, ..Toy::new(node) }
}

/// Each turn is a throw, then points or another throw.
fn throws(position: u32) -> Node<Toy> {
    match position {
        0 => Node::over(0),
        1..100 => Node::chance([(1, Node::go(100 + position)), (2, Node::go(200 + position)), (1, Node::over(1))]),
        100..300 => {
            let (kind, left) = (position / 100, position % 100);
            Node::max([("stop", Node::go(left - 1).scoring(kind)), ("throw", Node::go(300 + left))])
        }
        _ => Node::chance([
            (1, Node::go(position - 301)),
            (1, Node::go((position - 300).saturating_sub(2))),
            (3, Node::over(2)),
        ]),
    }
}

/// Two players; a turn is two moves, of which only the second passes the turn.
fn double_moves(position: u32) -> Node<Toy> {
    match position {
        0 => Node::over(-1),
        1..100 => Node::max([("one", Node::go(99 + position)), ("pass", Node::turn(200 + position))]),
        100..200 => Node::max([("one", Node::turn(position - 100)), ("stay", Node::turn((position - 100) / 2))]),
        _ => Node::max([("back", Node::turn(position - 201)), ("one", Node::go(position - 201))]),
    }
}

#[test]
fn transient_positions_have_the_values_of_stored_ones() {
    for (node, precision) in
        [throws, throws, double_moves].into_iter().zip([Precision::Doubles, Precision::Fractions, Precision::Doubles])
    {
        let storing = Toy { is_transient: |_| false, ..passing(Cycles::Refuse, node) };
        let passing = passing(Cycles::Refuse, node);
        let few = solve(&passing, precision).unwrap();
        let many = solve(&storing, precision).unwrap();
        assert!(few.positions() == 7 && many.positions() > 12, "{} {}", few.positions(), many.positions());
        let [short, long] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let write = |rules: &Toy, solution: &Solution, directory: &TempDir| {
            publish::replace(directory.path(), "passing.tbl", &solution.encode(rules).unwrap()).unwrap();
        };
        write(&passing, &few, &short);
        write(&storing, &many, &long);
        let short = Answers::open(&passing, &Places::only(short.path())).unwrap();
        let long = Answers::open(&storing, &Places::only(long.path())).unwrap();
        for position in 0..310 {
            let value = many.value(&storing, &position);
            if value.is_none() {
                continue;
            }
            assert_eq!(few.value(&passing, &position), value, "{position}");
            let text = |explanation: Option<Explanation>| explanation.unwrap().text();
            let explained = explain(&passing, &short, &position, Detail::Moves).unwrap();
            assert_eq!(
                text(explained),
                text(explain(&storing, &long, &position, Detail::Moves).unwrap()),
                "{position}"
            );
        }
        assert!(explain(&passing, &short, &150, Detail::Moves).unwrap().is_none());
        assert_eq!(check(&passing, &short, &Watch::SILENT).unwrap().positions, 7);
    }
}

#[test]
fn transient_positions_that_cannot_be_solved_are_refused_by_name() {
    let error = |cycles: Cycles, node: fn(u32) -> Node<Toy>| {
        solve(&passing(cycles, node), Precision::Doubles).err().unwrap().to_string()
    };
    let circle = |position| Node::chance([(1, Node::over(1)), (1, Node::go(100 + (position + 1) % 3))]);
    let expected = "leads to itself through transient positions only, store one of them";
    assert_eq!(error(Cycles::Refuse, circle), format!("position '101': {expected}"));
    let waiting = |position| match position {
        6 => Node::go(100),
        _ => Node::chance([(1, Node::over(1)), (1, Node::again())]),
    };
    assert_eq!(error(Cycles::Refuse, waiting), format!("position '100': {expected}"));
    let long = |position: u32| Node::go(position.max(99) + 1);
    assert!(error(Cycles::Refuse, long).contains("more than 50 nodes inside of each other"));
    let cycles = Cycles::Iterate { tolerance: 1e-6 };
    let expected = "position '106': transient in a game that may repeat, choose `Cycles::Refuse` or store it";
    assert_eq!(error(cycles, throws), expected);
    assert_eq!(error(Cycles::Draw, double_moves), expected.replace("106", "105"));
    let start = Toy { start: 100, ..passing(Cycles::Refuse, |_| Node::over(0)) };
    let error = solve(&start, Precision::Doubles).err().unwrap().to_string();
    assert_eq!(error, "position '100': is a start and transient, let `is_transient` say no");
}
