//! The cost of generating the tables, by number of threads.

use std::process::{Command, Stdio};

use tabletop::balda::Language;
use tabletop::balda::index::WordTable;
use tabletop::dice::index::HAND_COUNT;
use tabletop::game::tables;
use tabletop::hopchess::index::BOARD_COUNT;
use tabletop::hopchess::matrix::LARGEST_FACTOR;
use tabletop::jenga::index::RECORDS;
use tabletop::table::{Places, Remedy};

use super::markdown::{mebibytes, ratio, rounds_of, significant, table, whole};
use super::plot::{Axes, Baseline, Series, SeriesLabelPosition, lines};
use super::{Bench, Section};
use tabletop_measure::{Cost, cost, median_cost};

const THREADS: [usize; 2] = [1, 2];

/// A target of the generator, and the number of answers it computes.
struct Target {
    name: &'static str,
    unit: &'static str,
    answers: usize,
}

/// The cost of a target for each number of threads.
type Costs = [Cost; THREADS.len()];

pub fn section(bench: &Bench) -> Section {
    let rounds = bench.effort.choose(1, 3);
    let targets = targets(&Places::only(&bench.program.tables))?;
    let targets = &targets[..bench.effort.choose(1, targets.len())];
    let costs = median_costs(bench, targets, rounds)?;
    draw(bench, targets, &costs)?;
    let row = |(target, [one, two]): (&Target, &Costs)| {
        vec![
            format!("{}, {}", target.name, target.unit),
            whole(target.answers as u64),
            format!("{:.2} s", one.seconds),
            format!("{:.2} s", two.seconds),
            ratio(one.seconds / two.seconds),
            significant(target.answers as f64 / one.seconds),
            significant(target.answers as f64 / two.seconds),
            mebibytes(two.peak_mebibytes),
        ]
    };
    let rows: Vec<Vec<String>> = targets.iter().zip(&costs).map(row).collect();
    let head =
        ["target, answers", "number", "1 thread", "2 threads", "1 / 2", "per second, 1", "per second, 2", "peak, 2"];
    Ok(format!(
        "## Generation\n`tabletop-gen`, from its start to the written tables, compression included, with one and with two threads; medians of {}.\n\n{}\n\
         ![Generation by number of threads](benches/plots/generation.svg)\n",
        rounds_of(rounds),
        table(&head, &rows)
    ))
}

/// The median cost of each target. The targets take turns.
fn median_costs(bench: &Bench, targets: &[Target], rounds: usize) -> Result<Vec<Costs>, Box<dyn std::error::Error>> {
    let mut costs = vec![THREADS.map(|_| Vec::new()); targets.len()];
    for _ in 0..rounds {
        for (target, costs) in targets.iter().zip(&mut costs) {
            for (threads, costs) in THREADS.into_iter().zip(costs) {
                costs.push(generate(bench, target, threads)?);
            }
        }
    }
    Ok(costs.into_iter().map(|of_target| of_target.map(median_cost)).collect())
}

fn draw(bench: &Bench, targets: &[Target], costs: &[Costs]) -> Result<(), Box<dyn std::error::Error>> {
    let line = |(target, costs): (&Target, &Costs)| Series {
        name: target.name.to_owned(),
        values: costs.iter().map(|cost| cost.seconds).collect(),
    };
    let series: Vec<Series> = targets.iter().zip(costs).map(line).collect();
    let places: Vec<String> = THREADS.iter().map(ToString::to_string).collect();
    let axes = Axes {
        title: "Generation by number of threads",
        x: "threads",
        y: "seconds",
        legend: SeriesLabelPosition::UpperRight,
    };
    lines(&bench.plot("generation.svg"), axes, &places, &series, Baseline::Zero)
}

/// Every target of the generator that `all` stands for.
fn targets(places: &Places) -> Result<Vec<Target>, Box<dyn std::error::Error>> {
    tabletop_gen::cli::targets().map(|name| target(name, places)).collect()
}

/// A target with its number of answers. For an unknown target these are the records of its tables.
fn target(name: &'static str, places: &Places) -> Result<Target, Box<dyn std::error::Error>> {
    let (unit, answers) = match name {
        "dice" => ("pairs", HAND_COUNT * HAND_COUNT),
        "jenga" => ("towers", RECORDS as usize),
        "hopchess" => ("chances", BOARD_COUNT as usize * LARGEST_FACTOR * LARGEST_FACTOR),
        "words" => ("words", words(places)?),
        _ => {
            let written = tables().filter(|spec| spec.remedy == Remedy::Generate(name));
            ("records", written.filter_map(|spec| spec.positions).sum::<u64>() as usize)
        }
    };
    Ok(Target { name, unit, answers })
}

fn words(places: &Places) -> Result<usize, Box<dyn std::error::Error>> {
    let mut words = 0;
    for language in Language::ALL {
        words += WordTable::open(places, language)?.count;
    }
    Ok(words)
}

fn generate(bench: &Bench, target: &Target, threads: usize) -> Result<Cost, Box<dyn std::error::Error>> {
    let mut command = Command::new(&bench.generator);
    command.args([target.name, "--jobs", &threads.to_string(), "--out"]).arg(bench.scratch.path().join("tables"));
    Ok(cost(command.stdout(Stdio::null()))?)
}
