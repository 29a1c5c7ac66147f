//! Balda's points by language and board size, and by the time for a game.

use std::collections::BTreeMap;

use super::markdown::{ratio, table};
use super::plot::{Axes, Baseline, Series, SeriesLabelPosition, lines};
use super::{Bench, Section};
use tabletop_measure::balda::{Start, mean, points, starts};

const LANGUAGES: [&str; 3] = ["en", "ru", "tr"];
/// The first start of each of these sides is played with every budget.
const SIDES: [usize; 4] = [5, 7, 9, 11];

pub fn section(bench: &Bench) -> Section {
    Ok(format!("## Balda\n{}\n{}", by_size(bench), by_time(bench)?))
}

fn by_size(bench: &Bench) -> String {
    let options: &[&str] = bench.effort.choose(&["--time", "0.1"], &[]);
    let mut found: BTreeMap<(usize, &str), Vec<u64>> = BTreeMap::new();
    for start in starts() {
        found.entry((start.side(), start.language)).or_default().push(points(&bench.program, start, options));
    }
    let mut sides: Vec<usize> = found.keys().map(|&(side, _)| side).collect();
    sides.dedup();
    let mean_of = |side: usize, language| found.get(&(side, language)).map(|points| mean(points));
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut before: Option<f64> = None;
    for side in sides {
        let mut row = vec![board(side)];
        row.extend(
            LANGUAGES.map(|language| mean_of(side, language).map_or(String::from("–"), |mean| format!("{mean:.0}"))),
        );
        let all: Vec<u64> =
            LANGUAGES.iter().filter_map(|&language| found.get(&(side, language))).flatten().copied().collect();
        let mean = mean(&all);
        row.push(format!("{mean:.0}"));
        row.push(before.map_or(String::from("–"), |before| ratio(mean / before)));
        before = Some(mean);
        rows.push(row);
    }
    let all: Vec<u64> = found.into_values().flatten().collect();
    let seconds = bench.effort.choose("0.1 s", "the default 2.75 s of the contest's 3");
    format!(
        "Mean points of one game from each start of `gen/words/balda_starts.tsv`, one thread, {seconds}, through the query \
         binary; {:.0} in the mean of all {} games.\n\n{}",
        mean(&all),
        all.len(),
        table(&["board", "en", "ru", "tr", "all", "times the row above"], &rows)
    )
}

fn by_time(bench: &Bench) -> Result<String, Box<dyn std::error::Error>> {
    let games = Games::play(bench);
    games.draw(bench)?;
    let boards = SIDES.map(board);
    let mut head = vec!["time"];
    head.extend(boards.iter().map(String::as_str));
    head.extend(["all", "times the first row"]);
    Ok(format!(
        "Points by the time for a game, in the mean of the first start of each language and size.\n\n{}\n\
         ![Balda: points by time](benches/plots/balda.svg)\n",
        table(&head, &games.rows())
    ))
}

/// The points of games, with every start played with every budget.
struct Games {
    /// Seconds for a game.
    budgets: &'static [&'static str],
    starts: Vec<Start>,
    /// By budget, then by start.
    points: Vec<Vec<u64>>,
}

impl Games {
    fn play(bench: &Bench) -> Games {
        let budgets: &[&str] = bench.effort.choose(&["0.03", "0.1"], &["0.1", "0.3", "1", "3", "10"]);
        let first = |language, side| starts().find(|start| start.language == language && start.side() == side);
        let starts: Vec<Start> =
            LANGUAGES.iter().flat_map(|&language| SIDES.map(|side| first(language, side))).flatten().collect();
        let play =
            |seconds: &&str| starts.iter().map(|&start| points(&bench.program, start, &["--time", seconds])).collect();
        let points = budgets.iter().map(play).collect();
        Games { budgets, starts, points }
    }

    fn mean_of_side(&self, budget: usize, side: usize) -> f64 {
        let of_starts = self.starts.iter().zip(&self.points[budget]);
        let of_side = of_starts.filter(|(start, _)| start.side() == side);
        mean(&of_side.map(|(_, &points)| points).collect::<Vec<u64>>())
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let first = mean(&self.points[0]);
        let row = |budget: usize| {
            let mut row = vec![format!("{} s", self.budgets[budget])];
            row.extend(SIDES.map(|side| format!("{:.0}", self.mean_of_side(budget, side))));
            let all = mean(&self.points[budget]);
            row.push(format!("{all:.0}"));
            row.push(ratio(all / first));
            row
        };
        (0..self.budgets.len()).map(row).collect()
    }

    fn draw(&self, bench: &Bench) -> Result<(), Box<dyn std::error::Error>> {
        let places: Vec<String> = self.budgets.iter().map(|&seconds| seconds.to_owned()).collect();
        let gain = |budget, side| self.mean_of_side(budget, side) / self.mean_of_side(0, side);
        let series = SIDES.map(|side| Series {
            name: board(side),
            values: (0..self.budgets.len()).map(|budget| gain(budget, side)).collect(),
        });
        let axes = Axes {
            title: "Balda: points by time",
            x: "seconds for a game (evenly spaced)",
            y: "points, times those in the shortest time",
            legend: SeriesLabelPosition::UpperLeft,
        };
        lines(&bench.plot("balda.svg"), axes, &places, &series, Baseline::Lowest)
    }
}

fn board(side: usize) -> String {
    format!("{side} x {side}")
}
