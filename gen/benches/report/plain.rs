//! What the tables save: a plain solver that starts from nothing, against the answer that `tabletop` has.

#[path = "../../src/dice/referee.rs"]
#[allow(dead_code)]
mod dice;
#[path = "../../src/hopchess/referee.rs"]
#[allow(dead_code)]
mod hopchess;
#[path = "../../src/jenga/referee.rs"]
#[allow(dead_code)]
pub mod jenga;

use std::hint::black_box;

use tabletop::hopchess::{Board, Case, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::jenga::Tower;

use super::markdown::{ratio, rounds_of, table, time};
use super::measure::codenames::{JUDGE_WORST, Recursion, boards, win};
use super::measure::{Contestant, Seeded, lookup, medians};
use super::{Bench, Section};

pub fn section(bench: &Bench) -> Section {
    let rounds = bench.effort.choose(1, 3);
    let shape = match bench.effort {
        super::Effort::Quick => boards::Shape { red: 5, blue: 4, hints: 20, words: [4, 5], ..JUDGE_WORST },
        super::Effort::Full => JUDGE_WORST,
    };
    let board = shape.board(&mut Seeded(1));
    let tower = start(bench.effort.choose(4, 5));
    let case = wide_board();
    let mut contestants = vec![
        Contestant::new("dice, a pair of hands", "", 1, || {
            black_box(dice::Referee::default().ways([1, 1, 1, 2, 3], [1, 2, 3, 4, 5]));
        }),
        Contestant::new(format!("jenga, a start of {} levels", tower.levels().len()), "", 1, || {
            black_box(jenga::Referee::default().minutes(&tower));
        }),
        Contestant::new("hopchess, a board of 1x13 cells", "", 1, || {
            black_box(hopchess::Referee::judge(case));
        }),
        Contestant::new(format!("codenames, {} cards and {} hints", shape.cards(), shape.hints), "", 1, || {
            black_box(Recursion::new(&board).win(0, board.to_move));
        }),
    ];
    let games = contestants.len();
    contestants.extend(lookup::calls(&bench.program).into_iter().take(games - 1));
    contestants.push(Contestant::new("codenames", "", 1, || {
        black_box(win(&board));
    }));
    let medians = medians(rounds, &mut contestants);
    let rows: Vec<Vec<String>> = (0..games)
        .map(|game| {
            let (plain, ours) = (medians[game], medians[games + game] / contestants[games + game].count as f64);
            vec![contestants[game].name.clone(), time(plain), time(ours), ratio(plain / ours)]
        })
        .collect();
    Ok(format!(
        "## Plain solvers\nThe referees, which are recursions over hash maps, from nothing to one answer, against a call of \
         the library: a warm lookup, for Codenames the solver. Medians of {}.\n\n{}",
        rounds_of(rounds),
        table(&["question", "plain solver", "tabletop", "plain / tabletop"], &rows)
    ))
}

/// A start of so many levels, no two of them alike for long.
pub fn start(levels: usize) -> Tower {
    let kinds = ["RGB", "GRB", "BGR", "GGR", "BRB", "RBG", "BBG", "GRG"];
    let levels = kinds.iter().take(levels).map(|level| level.parse().expect("three letters are a level"));
    Tower::new(levels.collect()).expect("full levels are a tower")
}

fn wide_board() -> Case {
    let shape = Shape::new(1, 13).expect("a shape of at most 16 cells");
    let board = Board::full(shape, Cells(0b1_0110_1011_0010));
    let factor = |moves| ErrorFactor::new(moves).expect("a positive number");
    let factors = Factors { justin: factor(3), donald: factor(2) };
    Case { position: Position { board, to_move: Player::Justin }, factors }
}
