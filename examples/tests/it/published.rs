//! Compares the examples with published numbers.

use std::path::PathBuf;
use std::sync::OnceLock;

use tabletop::kit::{Precision, solve};
use tempfile::TempDir;

use self::tic_tac_toe_rules::{Symmetry, TicTacToe};
use crate::support::{PIG, TIC_TAC_TOE, solved};

#[allow(dead_code)]
#[path = "../../src/bin/tic-tac-toe.rs"]
mod tic_tac_toe_rules;

pub fn tic_tac_toe() -> PathBuf {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    solved(TIC_TAC_TOE, &[], &DIRECTORY)
}

pub fn pig() -> PathBuf {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    solved(PIG, &[], &DIRECTORY)
}

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn tic_tac_toe_has_765_positions_and_is_a_draw() {
    let directory = tic_tac_toe();
    let stats = TIC_TAC_TOE.answer(&directory, &["stats"]);
    assert!(stats.starts_with("tic-tac-toe: 765 positions, "), "{stats}");
    assert_eq!(TIC_TAC_TOE.answer(&directory, &["ask", ".../.../..."]), "0 in 9 moves\n");
}

#[test]
fn tic_tac_toe_has_5478_positions_without_symmetry_and_the_same_value() {
    let rules = TicTacToe { symmetry: Symmetry::Ignored };
    let solution = solve(&rules, Precision::Doubles).unwrap();
    assert_eq!(solution.positions(), 5478);
    let start = solution.value(&rules, &".../.../...".parse().unwrap()).unwrap();
    assert_eq!((start.worth.to_f64(), start.moves), (0.0, Some(9)));
}

#[test]
fn tic_tac_toe_is_explained_with_the_best_move_first() {
    let expected = "1 in 1 move\n  c3  1, the game is over -> xxx/oo./...\n  c2  0 in 4 moves -> xx./oox/...\n  \
                    a1  -1 in 1 move -> xx./oo./x..\n  b1  -1 in 1 move -> xx./oo./.x.\n  c1  -1 in 1 move -> xx./oo./..x\n";
    assert_eq!(TIC_TAC_TOE.answer(&tic_tac_toe(), &["ask", "xx./oo./...", "--explain"]), expected);
}

#[test]
fn the_check_of_tic_tac_toe_passes() {
    let output = TIC_TAC_TOE.answer(&tic_tac_toe(), &["check"]);
    assert_eq!(
        output,
        "tables/tic-tac-toe.tbl: 765 positions: every value follows from what follows the position; \
         the plain solver agrees on 100 seeded positions\n"
    );
}

#[test]
fn pig_is_worth_0_5306_to_the_first_player() {
    let answer = json(&PIG.answer(&pig(), &["ask", "0 0 0", "--json"]));
    let (lower, upper) = (answer["lower"].as_f64().unwrap(), answer["upper"].as_f64().unwrap());
    assert!(lower <= upper && upper - lower <= 1e-9, "{lower} {upper}");
    assert_eq!(format!("{lower:.4} {upper:.4}"), "0.5306 0.5306");
}

#[test]
fn pig_holds_at_the_same_points_as_neller_and_presser() {
    // "Optimal Play of the Dice Game Pig": with no points on either side, hold at 21 (their figure 3 and the rule that
    // follows it, 21 + (other - own) / 8, rounded).
    let best = |turn: u8| {
        let position = format!("0 0 {turn}");
        json(&PIG.answer(&pig(), &["ask", &position, "--json"]))["moves"][0]["move"].as_str().unwrap().to_owned()
    };
    assert_eq!([20, 21].map(best), ["roll", "hold"]);
}
