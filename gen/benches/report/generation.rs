//! What it takes to generate the tables, by the number of threads.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use tabletop::balda::Language;
use tabletop::balda::index::Words;
use tabletop::dice::index::HAND_COUNT;
use tabletop::hopchess::index::BOARD_COUNT;
use tabletop::hopchess::row::LARGEST_FACTOR;
use tabletop::jenga::index::RECORDS;
use tabletop::table::Places;

use super::markdown::{mebibytes, ratio, rounds_of, significant, table, whole};
use super::measure::{Cost, cost, median_cost};
use super::plot::{Axes, Baseline, Series, SeriesLabelPosition, lines};
use super::{Bench, Section};

const THREADS: [usize; 2] = [1, 2];

/// A target of the generator, and how many answers it works out.
struct Target {
    name: &'static str,
    unit: &'static str,
    answers: usize,
}

pub fn section(bench: &Bench) -> Section {
    let rounds = bench.effort.choose(1, 3);
    let targets = targets(&Places::only(&bench.program.tables))?;
    let targets = &targets[..bench.effort.choose(1, targets.len())];
    let mut costs: BTreeMap<(usize, usize), Vec<Cost>> = BTreeMap::new();
    for _ in 0..rounds {
        for (number, target) in targets.iter().enumerate() {
            for threads in THREADS {
                costs.entry((number, threads)).or_default().push(generate(bench, target, threads)?);
            }
        }
    }
    let median = |number: usize, threads: usize| median_cost(costs[&(number, threads)].clone());
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let [one, two] = THREADS.map(|threads| median(number, threads));
        rows.push(vec![
            format!("{}, {}", target.name, target.unit),
            whole(target.answers as u64),
            format!("{:.2} s", one.seconds),
            format!("{:.2} s", two.seconds),
            ratio(one.seconds / two.seconds),
            significant(target.answers as f64 / one.seconds),
            significant(target.answers as f64 / two.seconds),
            mebibytes(two.peak_mebibytes),
        ]);
        series.push(Series { name: target.name.to_owned(), values: vec![one.seconds, two.seconds] });
    }
    let axes = Axes {
        title: "Generation by number of threads",
        x: "threads",
        y: "seconds",
        legend: SeriesLabelPosition::UpperRight,
    };
    let places: Vec<String> = THREADS.iter().map(ToString::to_string).collect();
    lines(&bench.plot("generation.svg"), axes, &places, &series, Baseline::Zero)?;
    let head =
        ["target, answers", "number", "1 thread", "2 threads", "1 / 2", "per second, 1", "per second, 2", "peak, 2"];
    Ok(format!(
        "## Generation\n`tabletop-gen`, from its start to the written tables, compression included, with one and with two threads; medians of {}.\n\n{}\n\
         ![Generation by number of threads](benches/plots/generation.svg)\n",
        rounds_of(rounds),
        table(&head, &rows)
    ))
}

fn targets(places: &Places) -> Result<Vec<Target>, Box<dyn std::error::Error>> {
    let mut words = 0;
    for language in Language::ALL {
        words += Words::open(places, language)?.count;
    }
    let chances = BOARD_COUNT as usize * LARGEST_FACTOR * LARGEST_FACTOR;
    Ok(vec![
        Target { name: "dice", unit: "pairs", answers: HAND_COUNT * HAND_COUNT },
        Target { name: "words", unit: "words", answers: words },
        Target { name: "jenga", unit: "towers", answers: RECORDS as usize },
        Target { name: "hopchess", unit: "chances", answers: chances },
    ])
}

fn generate(bench: &Bench, target: &Target, threads: usize) -> Result<Cost, Box<dyn std::error::Error>> {
    let mut command = Command::new(&bench.generator);
    command.args([target.name, "--jobs", &threads.to_string(), "--out"]).arg(bench.scratch.path().join("tables"));
    Ok(cost(command.stdout(Stdio::null()))?)
}
