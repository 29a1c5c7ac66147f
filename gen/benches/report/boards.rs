//! What Balda's stored boards are worth, by the effort of breeding them.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use super::markdown::{ratio, table, time};
use super::plot::{Axes, Baseline, Series, SeriesLabelPosition, lines};
use super::{Bench, Section};
use tabletop_measure::Program;
use tabletop_measure::balda::{mean, points, starts};

const LANGUAGE: &str = "en";
const SIDES: [usize; 2] = [9, 11];
/// Games from each start word.
const SEEDS: u64 = 6;

pub fn section(bench: &Bench) -> Section {
    // No proposal, no board: what the others are compared with.
    let efforts: &[u64] = bench.effort.choose(&[0, 20_000, 60_000], &[0, 3_000_000, 30_000_000, 300_000_000]);
    let mut rows = Vec::new();
    let mut series = SIDES.map(|side| Series { name: format!("{side} x {side}"), values: Vec::new() });
    let mut without = None;
    for &effort in efforts {
        let library = Library::breed(bench, effort)?;
        let means = SIDES.map(|side| library.play(bench, side));
        let without = *without.get_or_insert(means);
        let mut row = vec![millions(effort), time(library.seconds)];
        for ((mean, without), series) in means.into_iter().zip(without).zip(&mut series) {
            series.values.push(mean / without);
            row.extend([format!("{mean:.0}"), ratio(mean / without)]);
        }
        rows.push(row);
    }
    let axes = Axes {
        title: "Balda: points by the effort of breeding",
        x: "proposals per board (evenly spaced)",
        y: "points, times those without a board",
        legend: SeriesLabelPosition::UpperLeft,
    };
    let places: Vec<String> = efforts.iter().copied().map(millions).collect();
    lines(&bench.plot("boards.svg"), axes, &places, &series, Baseline::Lowest)?;
    Ok(format!(
        "### Points by the effort of breeding\nOne English board of each side, bred with this number of proposals on one \
         core; games of {} proposals from start words that it was not bred under, {SEEDS} seeds. The time is that of both \
         boards.\n\n{}\n![Balda: points by the effort of breeding](benches/plots/boards.svg)\n",
        proposals(bench),
        table(&["proposals per board", "time", "9 x 9", "times none", "11 x 11", "times none"], &rows)
    ))
}

fn millions(proposals: u64) -> String {
    if proposals == 0 { String::from("none") } else { format!("{} million", proposals as f64 / 1e6) }
}

fn proposals(bench: &Bench) -> &'static str {
    bench.effort.choose("20000", "1000000")
}

/// One board of each side, and the words.
struct Library {
    tables: PathBuf,
    /// Seconds that breeding took.
    seconds: f64,
}

impl Library {
    fn breed(bench: &Bench, effort: u64) -> Result<Library, Box<dyn Error>> {
        let tables = bench.scratch.path().join(format!("boards-{effort}"));
        let work = tables.join("work");
        fs::create_dir_all(&work)?;
        let words = format!("balda-{LANGUAGE}.tbl");
        fs::copy(bench.program.tables.join(&words), tables.join(&words))?;
        // The generator takes no effort of zero; nothing is bred then.
        let effort_text = effort.max(1).to_string();
        let generate = |arguments: &[&str]| -> Result<(), Box<dyn Error>> {
            let mut command = Command::new(&bench.generator);
            command.args(["boards", "--jobs", "1", "--effort", &effort_text, "--work"]).arg(&work).args(arguments);
            let output = command.output()?;
            if !output.status.success() {
                return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
            }
            Ok(())
        };
        let millions = effort / 1_000_000;
        let name = if millions * 1_000_000 == effort { format!("{millions}m") } else { effort_text.clone() };
        let began = Instant::now();
        for side in SIDES.into_iter().filter(|_| effort > 0) {
            generate(&["--only", &format!("{LANGUAGE}-{side}-{name}-1")])?;
        }
        let seconds = began.elapsed().as_secs_f64();
        generate(&["--merge", "--out", tables.to_str().ok_or("a path that is not text")?])?;
        Ok(Library { tables, seconds })
    }

    /// The mean points of games of a side.
    fn play(&self, bench: &Bench, side: usize) -> f64 {
        let program = Program { binary: bench.program.binary.clone(), tables: self.tables.clone() };
        let starts = starts().filter(|start| start.language == LANGUAGE && start.side() == side);
        let games = starts.flat_map(|start| (1..=SEEDS).map(move |seed| (start, seed.to_string())));
        let points =
            games.map(|(start, seed)| points(&program, start, &["--nodes", proposals(bench), "--seed", &seed]));
        mean(&points.collect::<Vec<u64>>())
    }
}
