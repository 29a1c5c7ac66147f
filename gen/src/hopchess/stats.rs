//! Facts about hop chess.

use std::fmt::{self, Write as _};

use tabletop::hopchess::index::{BoardRank, canonical, shapes};
use tabletop::hopchess::matrix::LARGEST_FACTOR;
use tabletop::hopchess::{Board, Chance, ErrorFactor, Factors, Hopchess, Player, Shape};

use super::one_line;
use crate::generator::Failure;

/// The error factors, the same for both players, for which the extreme boards are listed.
const EXAMPLES: [usize; 3] = [1, 3, 13];
/// Chances with one of these denominators lie exactly between two answers.
const TIES: [u64; 4] = [16, 80, 400, 2000];

/// A board on which both players have pieces, with its chances for all pairs of error factors.
struct Solved {
    board: Board,
    /// Indexed by Justin's factor, then Donald's, each minus 1.
    chances: Vec<Chance>,
    /// Whether this board is the stored one of its reflections.
    canonical: bool,
}

impl Solved {
    fn new(answers: &Hopchess, rank: BoardRank) -> Result<Solved, Failure> {
        let board = rank.board();
        let row = answers.matrix(rank)?;
        let factors = || (1..=LARGEST_FACTOR as u64).filter_map(ErrorFactor::new);
        let pairs = factors().flat_map(|justin| factors().map(move |donald| Factors { justin, donald }));
        let chances = pairs.filter_map(|pair| row.chance(pair)).collect();
        Ok(Solved { board, chances, canonical: canonical(board) == board })
    }

    fn chance(&self, justin: usize, donald: usize) -> f64 {
        self.chances[(justin - 1) * LARGEST_FACTOR + donald - 1].to_f64()
    }
}

pub(super) fn stats(answers: &Hopchess) -> Result<String, Failure> {
    let both_play = |rank: &BoardRank| {
        [Player::Justin, Player::Donald].iter().all(|&player| !rank.board().pieces_of(player).is_empty())
    };
    let boards: Vec<Solved> =
        BoardRank::all().filter(both_play).map(|rank| Solved::new(answers, rank)).collect::<Result<_, Failure>>()?;
    let mut text = String::from("hop chess\n");
    write_facts(&mut text, &boards)
        .and_then(|()| write_extremes(&mut text, &boards))
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(text)
}

fn write_facts(text: &mut String, boards: &[Solved]) -> fmt::Result {
    let mut fact = |what: &str, value: String| writeln!(text, "  {what:<44} {value}");
    let canonical_boards = boards.iter().filter(|solved| solved.canonical).count();
    let inputs = boards.len() * LARGEST_FACTOR * LARGEST_FACTOR;
    fact("full boards with pieces of both players", format!("{}, {canonical_boards} up to symmetry", boards.len()))?;
    fact("inputs of the contest with R <= C", inputs.to_string())?;
    let all = || boards.iter().flat_map(|solved| &solved.chances);
    let is_tie = |chance: &&Chance| TIES.contains(&chance.denominator());
    fact("chances exactly between two answers", all().filter(is_tie).count().to_string())?;
    let nearest = all().filter(|chance| !is_tie(chance)).map(|chance| distance_to_tie(chance.to_f64()));
    fact("the nearest to such a tie without being one", format!("{:.2e}", nearest.fold(1.0, f64::min)))?;
    fact("exact as a short fraction", counted(all().filter(|chance| chance.fraction().is_some()).count(), inputs))?;
    let justin =
        Steps::count(boards, |solved, factor, other| (solved.chance(factor, other), solved.chance(factor + 1, other)));
    fact("Justin errs less by 1: it helps him", justin.to_string())?;
    let donald = Steps::count(boards, |solved, factor, other| {
        (1.0 - solved.chance(other, factor), 1.0 - solved.chance(other, factor + 1))
    });
    fact("Donald errs less by 1: it helps him", donald.to_string())
}

/// How far a probability is from the nearest odd multiple of 1/2000.
fn distance_to_tie(probability: f64) -> f64 {
    let tie = ((probability * 1000.0).floor() * 2.0 + 1.0) / 2000.0;
    (probability - tie).abs()
}

fn counted(count: usize, all: usize) -> String {
    format!("{count} of {all}, {:.2} %", 100.0 * count as f64 / all as f64)
}

/// The effect on a player's chance when that player's error factor falls by 1.
#[derive(Default)]
struct Steps {
    help: usize,
    all: usize,
    /// The first board on which it harms that player.
    harm: Option<String>,
}

impl Steps {
    /// Counts over all boards and pairs. `chances` returns the chance with the smaller and with the larger factor.
    fn count(boards: &[Solved], chances: impl Fn(&Solved, usize, usize) -> (f64, f64)) -> Steps {
        let mut steps = Steps::default();
        for solved in boards {
            for factor in 1..LARGEST_FACTOR {
                for other in 1..=LARGEST_FACTOR {
                    let (smaller, larger) = chances(solved, factor, other);
                    steps.all += 1;
                    steps.help += usize::from(smaller > larger);
                    if smaller < larger && steps.harm.is_none() {
                        let board = one_line(solved.board);
                        steps.harm = Some(format!("{board}, from {} to {factor} against {other}", factor + 1));
                    }
                }
            }
        }
        steps
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let harm = self.harm.as_deref().unwrap_or("never");
        write!(f, "{}; it harms him: {harm}", counted(self.help, self.all))
    }
}

fn write_extremes(text: &mut String, boards: &[Solved]) -> fmt::Result {
    writeln!(text, "  the boards best and worst for Justin, up to symmetry, and how many share that chance")?;
    writeln!(text, "    shape  J, D    best            chance  boards   worst           chance  boards")?;
    for shape in shapes() {
        for factor in EXAMPLES {
            write!(text, "    {:<5}  {:<6}", shape.to_string(), format!("{factor}, {factor}"))?;
            for (separator, best) in [("  ", f64::max as fn(f64, f64) -> f64), ("   ", f64::min)] {
                let (board, chance, count) = extreme(boards, shape, factor, best);
                write!(text, "{separator}{board:<14}  {chance}  {count:>6}")?;
            }
            writeln!(text)?;
        }
    }
    Ok(())
}

/// The first canonical board of a shape with the best chance, that chance, and how many boards share it.
fn extreme(boards: &[Solved], shape: Shape, factor: usize, best: fn(f64, f64) -> f64) -> (String, String, usize) {
    let of_shape = || boards.iter().filter(|solved| solved.canonical && solved.board.shape() == shape);
    let Some(chance) = of_shape().map(|solved| solved.chance(factor, factor)).reduce(best) else {
        return (String::from("none"), String::new(), 0);
    };
    let mut sharing = of_shape().filter(|solved| solved.chance(factor, factor) == chance).peekable();
    let board = sharing.peek().map_or(String::new(), |solved| one_line(solved.board));
    (board, format!("{chance:.4}"), sharing.count())
}
