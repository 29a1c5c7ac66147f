//! The examples that are large: their rules, their ranks, and small versions of them.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use tabletop::kit::{Node, Precision, Rules, solve};
use tempfile::TempDir;

use self::connect_four_rules::ConnectFour;
use self::dobutsu_shogi_rules::DobutsuShogi;
use self::quixo_rules::Quixo;
use self::royal_game_of_ur_rules::Ur;
use self::six_mens_morris_rules::Morris;
use crate::support::{Program, ROYAL_GAME_OF_UR, SHUT_THE_BOX, SIX_MENS_MORRIS, TIC_TAC_TOE};

#[allow(dead_code)]
#[path = "../../src/bin/connect-four.rs"]
mod connect_four_rules;
#[allow(dead_code)]
#[path = "../../src/bin/dobutsu-shogi.rs"]
mod dobutsu_shogi_rules;
#[allow(dead_code)]
#[path = "../../src/bin/quixo.rs"]
mod quixo_rules;
#[allow(dead_code)]
#[path = "../../src/bin/royal-game-of-ur.rs"]
mod royal_game_of_ur_rules;
#[allow(dead_code)]
#[path = "../../src/bin/six-mens-morris.rs"]
mod six_mens_morris_rules;

/// The positions that a node leads to.
fn successors<R: Rules>(node: Node<R>, found: &mut Vec<R::Position>) {
    match node {
        Node::Go(next) | Node::Turn(next) => found.push(next),
        Node::Cost(_, then) => successors(*then, found),
        Node::Choice { moves, .. } => moves.into_iter().for_each(|step| successors(step.then, found)),
        Node::Chance(outcomes) => outcomes.into_iter().for_each(|outcome| successors(outcome.then, found)),
        _ => {}
    }
}

/// The number of new positions after each move from the start. Every rank is checked.
fn new_positions<R: Rules<Position: Clone>>(rules: &R, moves: usize) -> Vec<usize> {
    let ranks = rules.ranks().unwrap();
    let mut known = HashSet::new();
    let mut last: Vec<R::Position> = rules.starts();
    let mut counts = Vec::new();
    for _ in 0..=moves {
        let mut next = Vec::new();
        last.retain(|position| {
            let canonical = rules.canonical(position.clone());
            let rank = rules.rank(&canonical);
            assert!(rank < ranks, "{position}");
            assert_eq!(rules.unrank(rank).to_string(), canonical.to_string(), "rank {rank}");
            known.insert(rank)
        });
        counts.push(last.len());
        last.iter().for_each(|position| successors(rules.node(position), &mut next));
        last = next;
    }
    counts
}

/// Every rank is the rank of its position.
fn all_ranks<R: Rules>(rules: &R) {
    for rank in 0..rules.ranks().unwrap() {
        assert_eq!(rules.rank(&rules.unrank(rank)), rank);
    }
}

#[test]
fn dobutsu_shogi_grows_as_a_search_with_other_code_found() {
    // A program that only shares the rules of the game counted these positions, and 246,803,167 of them in all.
    assert_eq!(new_positions(&DobutsuShogi::default(), 7), [1, 4, 17, 82, 447, 1960, 7714, 28583]);
    assert_eq!(DobutsuShogi::default().ranks(), Some(72 * 11_878_227));
}

#[test]
fn dobutsu_shogi_ends_when_a_lion_is_taken_or_stays_on_the_last_row() {
    let rules = DobutsuShogi::default();
    let node = |text: &str| rules.node(&text.parse().unwrap());
    // The lion takes the other lion, and that is the only move.
    assert!(matches!(node("gle/.LC/.../E.G c"), Node::Choice { moves, .. } if moves.len() == 1));
    // The other lion has reached the last row, and no piece attacks it.
    assert!(matches!(node("g.e/.C./L../E.l Gc"), Node::Over(_)));
    // The giraffe takes it.
    assert!(matches!(node("g.e/.C./L../EGl c"), Node::Choice { moves, .. } if moves.len() == 1));
    for bad in ["gle/.c./.C./ELG", "gle/.c./.C./ELG C", "gle/.c./.C./EGG -", "gle/.c./.C./EL -"] {
        assert!(bad.parse::<dobutsu_shogi_rules::Board>().is_err(), "{bad}");
    }
}

#[test]
fn every_placement_of_ur_has_one_rank() {
    // The finished games are not positions: 137,913,936 placements are these and 43,839 more.
    let ranks = [1, 2, 3, 4, 5, 7].map(|pieces| Ur::new(pieces).ranks().unwrap());
    assert_eq!(ranks, [217, 12_869, 263_121, 2_602_822, 14_669_769, 137_870_097]);
    all_ranks(&Ur::new(2));
    new_positions(&Ur::new(7), 5);
}

/// The probability that the player to move wins with one piece each, by plain iteration. A place is 0 before the piece
/// enters and 15 when it is off.
fn ur_with_one_piece() -> f64 {
    let mut wins: HashMap<(u32, u32), f64> = HashMap::new();
    let value = |wins: &HashMap<(u32, u32), f64>, own: u32, other: u32| wins.get(&(own, other)).copied().unwrap_or(0.5);
    for _ in 0..2_000 {
        for own in 0..15 {
            for other in 0..15 {
                let pass = 1.0 - value(&wins, other, own);
                let mut mean = 0.0;
                for (dots, ways) in [(0, 1.0), (1, 4.0), (2, 6.0), (3, 4.0), (4, 1.0)] {
                    let to = own + dots;
                    let meets = to == other && (5..=12).contains(&to);
                    mean += ways / 16.0
                        * match to {
                            _ if dots == 0 || to > 15 || meets && to == 8 => pass,
                            15 => 1.0,
                            4 | 8 | 14 => value(&wins, to, other),
                            _ => 1.0 - value(&wins, if meets { 0 } else { other }, to),
                        };
                }
                wins.insert((own, other), mean);
            }
        }
    }
    value(&wins, 0, 0)
}

#[test]
fn ur_has_the_values_of_plain_iteration() {
    let rules = Ur::new(1);
    let solution = solve(&rules, Precision::Doubles).unwrap();
    assert_eq!(solution.positions(), 217);
    let start = solution.value(&rules, &rules.starts()[0]).unwrap().worth.to_f64();
    assert!((start - ur_with_one_piece()).abs() < 1e-6, "{start}");
}

#[test]
fn ur_is_checked_and_a_wrong_number_of_pieces_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let solve = ROYAL_GAME_OF_UR.run_in(directory.path(), &[("UR_PIECES", "2")], &["solve"]);
    assert!(solve.out.starts_with("tables/royal-game-of-ur-2.tbl: 12,869 positions, "), "{solve:?}");
    let check = ROYAL_GAME_OF_UR.run_in(directory.path(), &[("UR_PIECES", "2")], &["check"]);
    assert_eq!(check.code, Some(0), "{check:?}");
    let other = ROYAL_GAME_OF_UR.run_in(directory.path(), &[("UR_PIECES", "2")], &["ask", "3 - 0 / 3 - 0"]);
    assert!(other.code == Some(2) && other.error.contains("is not reached from the start"), "{other:?}");
    let bad = ROYAL_GAME_OF_UR.run_in(directory.path(), &[("UR_PIECES", "8")], &["solve"]);
    assert_eq!(bad.error, "royal-game-of-ur: UR_PIECES=\"8\" is not a number of pieces, choose from 1 to 7\n");
    assert_eq!(bad.code, Some(2));
}

/// The lines of `solve --list` with this state.
fn stages(program: &Program, directory: &Path, state: &str) -> Vec<String> {
    let listed = program.answer(directory, &["solve", "--list"]);
    let stages = listed.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    stages.filter(|stage| stage["state"] == state).map(|stage| stage["stage"].to_string()).collect()
}

/// Solves all stages of a game, each with a process of its own.
fn solve_one_by_one(program: &Program, directory: &Path) {
    while let Some(stage) = stages(program, directory, "ready").pop() {
        program.answer(directory, &["solve", "--only", &stage]);
    }
}

#[test]
fn stages_without_ranks_are_solved_one_by_one_to_the_same_bytes() {
    let [whole, single] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let table = |directory: &TempDir| fs::read(directory.path().join("tables/tic-tac-toe.tbl")).unwrap();
    TIC_TAC_TOE.answer(whole.path(), &["solve"]);
    solve_one_by_one(&TIC_TAC_TOE, single.path());
    assert_eq!(stages(&TIC_TAC_TOE, single.path(), "solved").len(), 10);
    // A damaged file of keys is made again.
    fs::write(single.path().join("tables/tic-tac-toe.stages/keys-3"), "damaged").unwrap();
    TIC_TAC_TOE.answer(single.path(), &["solve"]);
    assert!(table(&single) == table(&whole));
    assert!(!single.path().join("tables/tic-tac-toe.stages").exists());
}

#[test]
fn stages_are_solved_one_by_one_and_after_a_kill_to_the_same_bytes() {
    let [whole, single, killed] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let table = |directory: &TempDir| fs::read(directory.path().join("tables/royal-game-of-ur-3.tbl")).unwrap();
    let solve = ROYAL_GAME_OF_UR.answer(whole.path(), &["solve"]);
    assert!(solve.starts_with("tables/royal-game-of-ur-3.tbl: 263,121 positions, "), "{solve}");
    assert!(!whole.path().join("tables/royal-game-of-ur-3.stages").exists());
    let value = ROYAL_GAME_OF_UR.answer(whole.path(), &["ask", "start"]);
    assert!(value.starts_with("0.516201 ± "), "{value}");

    let missing = ROYAL_GAME_OF_UR.run(single.path(), &["solve", "--merge"]);
    assert_eq!(missing.error, "royal-game-of-ur: --merge: stage 33 is not solved, run `solve --only 33` first\n");
    let waiting = ROYAL_GAME_OF_UR.run(single.path(), &["solve", "--only", "99"]);
    assert!(waiting.code == Some(2) && waiting.error.contains("must be solved before"), "{waiting:?}");
    solve_one_by_one(&ROYAL_GAME_OF_UR, single.path());
    assert_eq!(stages(&ROYAL_GAME_OF_UR, single.path(), "solved"), ["33", "49", "65", "66", "82", "99"]);
    ROYAL_GAME_OF_UR.answer(single.path(), &["solve", "--merge"]);
    assert!(table(&single) == table(&whole));

    let mut solver = Command::new(ROYAL_GAME_OF_UR.0).arg("solve").current_dir(killed.path()).spawn().unwrap();
    let first = killed.path().join("tables/royal-game-of-ur-3.stages/stage-33");
    while !first.exists() {
        assert!(solver.try_wait().unwrap().is_none(), "the first stage has a file before the end");
        thread::sleep(Duration::from_millis(1));
    }
    solver.kill().unwrap();
    solver.wait().unwrap();
    let written = fs::metadata(&first).unwrap().modified().unwrap();
    assert_eq!(stages(&ROYAL_GAME_OF_UR, killed.path(), "solved")[0], "33");
    assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), written);
    ROYAL_GAME_OF_UR.answer(killed.path(), &["solve"]);
    assert!(table(&killed) == table(&whole));
}

#[test]
fn games_without_stages_are_not_solved_by_stages() {
    let directory = tempfile::tempdir().unwrap();
    let refused = SHUT_THE_BOX.run(directory.path(), &["solve", "--list"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.error.contains("give it 2 to 1,024 stages"), "{refused:?}");
}

#[test]
fn rounded_values_have_the_error_of_the_table_and_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let bytes = || fs::metadata(directory.path().join("tables/shut-the-box.tbl")).unwrap().len();
    SHUT_THE_BOX.answer(directory.path(), &["solve"]);
    let (exact, exact_bytes) = (SHUT_THE_BOX.answer(directory.path(), &["ask", "start"]), bytes());
    SHUT_THE_BOX.answer(directory.path(), &["solve", "--digits", "3"]);
    assert!(2 * bytes() < exact_bytes, "{} and {exact_bytes} bytes", bytes());
    let rounded = SHUT_THE_BOX.answer(directory.path(), &["ask", "start"]);
    let (value, error) = rounded.trim().split_once(" ± ").unwrap();
    let [value, error, exact]: [f64; 3] = [value, error, exact.trim()].map(|number| number.parse().unwrap());
    assert!((value - exact).abs() <= error && error < 0.0006, "{rounded}");
    SHUT_THE_BOX.answer(directory.path(), &["ask", "start", "--explain"]);
    SHUT_THE_BOX.answer(directory.path(), &["check"]);
    let refused = SHUT_THE_BOX.run(directory.path(), &["solve", "--digits", "3", "--exact"]);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn six_mens_morris_grows_as_a_search_with_other_code_found() {
    assert_eq!(new_positions(&Morris::new(6), 4), [1, 16, 240, 1680, 10920]);
    assert_eq!(Morris::new(6).ranks(), Some(52_766_653));
}

#[test]
fn a_small_morris_is_solved_and_checked() {
    let directory = tempfile::tempdir().unwrap();
    let solve = SIX_MENS_MORRIS.answer(directory.path(), &["solve"]);
    assert!(solve.starts_with("tables/three-men.tbl: 212,265 positions, "), "{solve}");
    assert!(SIX_MENS_MORRIS.answer(directory.path(), &["ask", "start"]).starts_with("0, "));
    SIX_MENS_MORRIS.answer(directory.path(), &["check"]);
}

#[test]
fn connect_four_has_the_positions_that_tromp_counted() {
    let rules = ConnectFour::new(4, 4).unwrap();
    let solution = solve(&rules, Precision::Doubles).unwrap();
    assert_eq!(solution.positions(), 161_029);
    assert_eq!(solution.value(&rules, &rules.starts()[0]).unwrap().to_string(), "0 in 16 moves");
    all_ranks(&ConnectFour::new(3, 4).unwrap());
    assert!(ConnectFour::new(9, 4).is_none() && ConnectFour::new(4, 8).is_none() && ConnectFour::new(7, 6).is_none());
}

#[test]
fn every_board_of_quixo_has_one_rank() {
    all_ranks(&Quixo::new(3));
    assert_eq!(Quixo::new(4).ranks(), Some(86_093_442));
    new_positions(&Quixo::new(4), 4);
    new_positions(&Quixo::symmetric(4), 4);
}
