//! How the cost of a query grows with its input.

use std::time::Instant;

use tabletop::hopchess::{Board, Cells, ErrorFactor, Factors, Player, Position, Shape};
use tabletop::internal::hopchess::Search;
use tabletop::jenga::Tower;

use super::markdown::{mebibytes, ratio, significant, table, time, whole};
use super::plain::start;
use super::{Bench, Section};
use tabletop_gen::jenga::referee::Referee;
use tabletop_measure::balda::starts;
use tabletop_measure::{Cost, typical_cost};

pub fn section(bench: &Bench) -> Section {
    let parts = [jenga_by_levels(bench)?, hopchess_by_cells(bench)?, balda_by_cells(bench)?];
    Ok(format!(
        "## Growth\nA process that takes less than half a second is run five times, and the median counts; of one that ends at once the \
         memory is not seen.\n\n{}",
        parts.join("\n")
    ))
}

fn jenga_by_levels(bench: &Bench) -> Section {
    let (most_plain, most) = bench.effort.choose((4, 7), (5, 8));
    let mut rows = Vec::new();
    for levels in 2..=most {
        let tower = start(levels);
        let Cost { seconds, peak_mebibytes } = jenga_query(bench, &tower)?;
        let (towers, plain) =
            if levels <= most_plain { plain_jenga(&tower) } else { (String::from("–"), String::from("–")) };
        rows.push(vec![levels.to_string(), time(seconds), mebibytes(peak_mebibytes), towers, plain]);
    }
    Ok(format!(
        "### Jenga by levels\nA query process: up to six levels are looked up, more are searched down to the table. Beside \
         it what the plain solver has to do.\n\n{}",
        table(&["levels", "query", "peak", "plain solver's towers", "plain solver"], &rows)
    ))
}

fn jenga_query(bench: &Bench, tower: &Tower) -> Result<Cost, Box<dyn std::error::Error>> {
    let levels: Vec<String> = tower.levels().iter().map(|level| format!("{level}\n")).collect();
    let file = bench.input("jenga tower", &format!("{}\n{}", levels.len(), levels.concat()))?;
    Ok(typical_cost(bench.program.query("jenga").arg(file))?)
}

/// The number of towers that the plain solver visits, and its time.
fn plain_jenga(tower: &Tower) -> (String, String) {
    let begin = Instant::now();
    let mut referee = Referee::default();
    referee.minutes(tower);
    (whole(referee.towers() as u64), time(begin.elapsed().as_secs_f64()))
}

fn hopchess_by_cells(bench: &Bench) -> Section {
    let shapes = [(2, 4), (3, 3), (2, 5), (3, 4), (1, 13), (2, 7), (3, 5), (4, 4)];
    let shapes = &shapes[..bench.effort.choose(5, shapes.len())];
    let factor = |moves| ErrorFactor::new(moves).expect("a positive number");
    // Larger than in any table, so that every board has to be searched.
    let factors = Factors { justin: factor(20), donald: factor(15) };
    let mut rows = Vec::new();
    for &(row_count, columns) in shapes {
        let shape = Shape::new(row_count, columns).expect("a shape of at most 16 cells");
        let board = checkered(shape);
        let text = format!("{row_count} {columns}\n{board}\n{} {}\n", factors.justin.moves(), factors.donald.moves());
        let file = bench.input("hopchess board", &text)?;
        let Cost { seconds, peak_mebibytes } = typical_cost(bench.program.query("hopchess").arg(file))?;
        let mut search = Search::new(shape, factors);
        search.chance(Position { board, to_move: Player::Justin });
        rows.push(vec![
            format!("{shape}, {} cells", shape.cells()),
            whole(search.positions() as u64),
            time(seconds),
            significant(seconds / search.positions() as f64 * 1e6),
            mebibytes(peak_mebibytes),
        ]);
    }
    Ok(format!(
        "### Hop chess by cells\nCheckered boards, with error factors beyond the tables: a query process that searches.\n\n{}",
        table(&["board", "positions", "query", "µs per position", "peak"], &rows)
    ))
}

/// What a proposal costs by board size. Balda's points have their own section.
fn balda_by_cells(bench: &Bench) -> Section {
    let proposals: u32 = bench.effort.choose(10_000, 2_000_000);
    let mut starts: Vec<_> = starts().filter(|start| start.language == "en").collect();
    starts.dedup_by_key(|start| start.side());
    let mut rows = Vec::new();
    let mut before: Option<f64> = None;
    for start in starts {
        let mut command = bench.program.query("balda");
        command.args(["--lang", start.language, "--word", start.word, "--nodes", &proposals.to_string()]);
        let Cost { seconds, peak_mebibytes } = typical_cost(&mut command)?;
        rows.push(vec![
            format!("{0} x {0}, from {1}", start.side(), start.word),
            time(seconds),
            time(seconds / f64::from(proposals)),
            before.map_or(String::from("–"), |before| ratio(seconds / before)),
            mebibytes(peak_mebibytes),
        ]);
        before = Some(seconds);
    }
    Ok(format!(
        "### Balda by board\nA query process that makes {} proposals, English.\n\n{}",
        whole(u64::from(proposals)),
        table(&["board", "query", "per proposal", "times the row above", "peak"], &rows)
    ))
}

/// The board on which all neighbours belong to different players.
fn checkered(shape: Shape) -> Board {
    let is_justins = |cell: usize| (cell / shape.columns() + cell % shape.columns()).is_multiple_of(2);
    let justin = (0..shape.cells()).filter(|&cell| is_justins(cell)).map(|cell| 1 << cell).sum();
    Board::full(shape, Cells(justin))
}
