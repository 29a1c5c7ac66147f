//! Points of Balda by language and size, and by the time that it has.

use std::collections::BTreeMap;

use super::markdown::{ratio, table};
use super::measure::balda::{Start, mean, points, starts};
use super::plot::{Axes, Baseline, Series, SeriesLabelPosition, lines};
use super::{Bench, Section};

const LANGUAGES: [&str; 3] = ["en", "ru", "tr"];
/// Of the starts so many are played with every budget, the first of each size.
const SIDES: [usize; 3] = [5, 7, 9];

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
        let mut row = vec![format!("{side} x {side}")];
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
    let seconds = bench.effort.choose("0.1 s", "the contest's 3 s");
    format!(
        "Mean points of one game from each start of `benches/balda_starts.tsv`, one thread, {seconds}, through the query \
         binary; {:.0} in the mean of all {} games.\n\n{}",
        mean(&all),
        all.len(),
        table(&["board", "en", "ru", "tr", "all", "times the row above"], &rows)
    )
}

fn by_time(bench: &Bench) -> Result<String, Box<dyn std::error::Error>> {
    let budgets: &[&str] = bench.effort.choose(&["0.03", "0.1"], &["0.1", "0.3", "1", "3", "10"]);
    let chosen: Vec<Start> = LANGUAGES
        .iter()
        .flat_map(|&language| {
            SIDES.map(|side| starts().find(|start| start.language == language && start.side() == side))
        })
        .flatten()
        .collect();
    let mut found: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for (budget, seconds) in budgets.iter().enumerate() {
        for (number, &start) in chosen.iter().enumerate() {
            found.insert((budget, number), points(&bench.program, start, &["--time", seconds]));
        }
    }
    let mean_of = |budget: usize, wanted: &dyn Fn(&Start) -> bool| {
        let of_wanted = (0..chosen.len()).filter(|&number| wanted(&chosen[number]));
        mean(&of_wanted.map(|number| found[&(budget, number)]).collect::<Vec<u64>>())
    };
    let mut rows = Vec::new();
    let first = mean_of(0, &|_| true);
    for (budget, seconds) in budgets.iter().enumerate() {
        let mut row = vec![format!("{seconds} s")];
        row.extend(SIDES.map(|side| format!("{:.0}", mean_of(budget, &|start| start.side() == side))));
        let all = mean_of(budget, &|_| true);
        row.push(format!("{all:.0}"));
        row.push(ratio(all / first));
        rows.push(row);
    }
    let places: Vec<String> = budgets.iter().map(|&seconds| seconds.to_owned()).collect();
    let series = SIDES.map(|side| Series {
        name: format!("{side} x {side}"),
        values: (0..budgets.len())
            .map(|budget| mean_of(budget, &|start| start.side() == side) / mean_of(0, &|start| start.side() == side))
            .collect(),
    });
    let axes = Axes {
        title: "Balda: points by time",
        x: "seconds for a game (evenly spaced)",
        y: "points, times those in the shortest time",
        legend: SeriesLabelPosition::LowerRight,
    };
    lines(&bench.plot("balda.svg"), axes, &places, &series, Baseline::Lowest)?;
    Ok(format!(
        "Points by the time for a game, in the mean of the first start of each language and size.\n\n{}\n\
         ![Balda: points by time](benches/plots/balda.svg)\n",
        table(&["time", "5 x 5", "7 x 7", "9 x 9", "all", "times the first row"], &rows)
    ))
}
