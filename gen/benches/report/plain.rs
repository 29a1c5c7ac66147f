//! What the tables save: plain solvers that start from nothing, against the answers of `tabletop`.

use std::hint::black_box;

use tabletop::balda;
use tabletop::game::PROFILES;
use tabletop::hopchess::{Board, Case, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::jenga::Tower;
use tabletop::seeded::Seeded;

use super::markdown::{ratio, rounds_of, table, time};
use super::{Bench, Section};
use tabletop_measure::codenames::{JUDGE_WORST, Recursion, win};
use tabletop_measure::{Contestant, lookup, medians};

/// A plain solver with its question, and the game that it is compared with.
struct Question<'a> {
    game: &'static str,
    solver: Contestant<'a>,
}

impl<'a> Question<'a> {
    fn new(game: &'static str, question: &str, solve: impl FnMut() + 'a) -> Question<'a> {
        Question { game, solver: Contestant::new(format!("{game}, {question}"), "", 1, solve) }
    }
}

pub fn section(bench: &Bench) -> Section {
    let rounds = bench.effort.choose(1, 3);
    let shape = match bench.effort {
        super::Effort::Quick => {
            tabletop::codenames::sample::Shape { red: 5, blue: 4, hints: 20, words: 4..=5, ..JUDGE_WORST }
        }
        super::Effort::Full => JUDGE_WORST,
    };
    let board = shape.board(&mut Seeded(1))?;
    let tower = start(bench.effort.choose(4, 5));
    let case = wide_board();
    let questions = vec![
        Question::new("dice", "a pair of hands", || {
            black_box(tabletop_gen::dice::referee::Referee::default().ways([1, 1, 1, 2, 3], [1, 2, 3, 4, 5]));
        }),
        Question::new("jenga", &format!("a start of {} levels", tower.levels().len()), || {
            black_box(tabletop_gen::jenga::referee::Referee::default().minutes(&tower));
        }),
        Question::new("hopchess", "a board of 1x13 cells", || {
            black_box(tabletop_gen::hopchess::referee::Referee::judge(case));
        }),
        Question::new("codenames", &format!("{} cards and {} hints", shape.cards(), shape.hints), || {
            black_box(Recursion::new(&board).win(0, board.to_move()));
        }),
    ];
    let mut ours = lookup::calls(&bench.program);
    // Codenames is solved, not looked up, so both solve the same board.
    ours.retain(|contestant| contestant.name != "codenames");
    ours.push(Contestant::new("codenames", "", 1, || {
        black_box(win(&board));
    }));
    Ok(format!(
        "## Plain solvers\nPlain solvers, which start from nothing, on one question, against a call of the library in the \
         mean over all pairs of hands, all starts of six levels and all full boards; for Codenames the solver on the \
         same board. Medians of {}.\n\n{}",
        rounds_of(rounds),
        table(&["question", "plain solver", "tabletop", "plain / tabletop"], &rows(rounds, questions, ours))
    ))
}

/// Times each plain solver, and our answer of the same game.
fn rows(rounds: usize, questions: Vec<Question<'_>>, ours: Vec<Contestant<'_>>) -> Vec<Vec<String>> {
    let asked: Vec<&str> = questions.iter().map(|question| question.game).collect();
    let mut contestants: Vec<Contestant> = questions.into_iter().map(|question| question.solver).chain(ours).collect();
    let medians = medians(rounds, &mut contestants);
    let row = |game: &str| {
        let answerer = contestants.iter().position(|contestant| contestant.name == game).expect("every game answers");
        let ours = medians[answerer] / contestants[answerer].count as f64;
        // A game without a plain solver has a row too, which shows that it is missing.
        let Some(solver) = asked.iter().position(|&asked| asked == game) else {
            return vec![format!("{game}, no plain solver"), String::from("–"), time(ours), String::from("–")];
        };
        vec![contestants[solver].name.clone(), time(medians[solver]), time(ours), ratio(medians[solver] / ours)]
    };
    PROFILES.iter().filter(|profile| profile.name != balda::PROFILE.name).map(|profile| row(profile.name)).collect()
}

/// A start of `levels` different levels.
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
