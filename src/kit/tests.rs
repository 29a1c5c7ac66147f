//! Tests of answers, checks and remarks, with small games and tables in temporary directories.

use std::cell::RefCell;

use indicatif::ProgressBar;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::check::check;
use super::explain::{Detail, Explanation, explain};
use super::explore::{Watch, explore};
use super::file::{Answers, spec};
use super::number::Bounds;
use super::publish;
use super::rules::{Cycles, Goal, Node, Rules};
use super::solve::{Precision, Solution, Values, solve};
use crate::table::Places;

/// A game whose positions are numbers, whose moves are texts and whose rules are functions.
struct Toy {
    node: fn(u32) -> Node<Toy>,
    canonical: fn(u32) -> u32,
}

impl Toy {
    fn new(node: fn(u32) -> Node<Toy>) -> Toy {
        Toy { node, canonical: |position| position }
    }
}

impl Rules for Toy {
    const NAME: &'static str = "toy";
    const CYCLES: Cycles = Cycles::Iterate { tolerance: 1e-6 };
    type Position = u32;
    type Move = &'static str;

    fn starts(&self) -> Vec<u32> {
        vec![5]
    }

    fn node(&self, position: &u32) -> Node<Toy> {
        (self.node)(*position)
    }

    fn canonical(&self, position: u32) -> u32 {
        (self.canonical)(position)
    }
}

/// Writes a table and opens it.
fn open<'a>(rules: &'a Toy, solution: &Solution, directory: &TempDir) -> Answers<'a, Toy> {
    publish::replace(directory.path(), &spec::<Toy>().file_name(), &solution.encode(rules).unwrap()).unwrap();
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
    explained(node, Precision::Doubles, position).to_text()
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
    assert!(answer.to_text().starts_with("1000003/12000009 ≈ 0.08333"), "{}", answer.to_text());
    assert!(answer.to_text().contains("  1/3 -> 4\n"), "{}", answer.to_text());
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
fn a_false_symmetry_is_a_fault_of_the_rules_and_not_of_the_table() {
    let rules = Toy {
        node: |position| match position {
            0 | 1 => Node::over(position),
            _ => Node::max([("one", Node::go(position - 1)), ("two", Node::go(position - 2))]),
        },
        canonical: |position| if position == 1 { 0 } else { position },
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
