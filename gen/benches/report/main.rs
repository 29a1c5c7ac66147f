//! Measures all of tabletop in one run, and rewrites `BENCHMARKS.md` and its plots. Run it with `benches/report`.
//!
//! Machines differ and are rarely idle. So what is compared takes turns, figures are medians, and ratios are in bold.

mod balda;
mod boards;
mod codenames;
mod doors;
mod generation;
mod growth;
mod large;
mod machine;
mod markdown;
mod page;
mod plain;
mod plot;
mod size;
mod speed;

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Parser;
use tempfile::TempDir;

use tabletop_measure::Program;

/// The file of the report, and the directory of its plots.
const REPORT: &str = "BENCHMARKS.md";
const PLOTS: &str = "benches/plots";
const HEADER: &str = "\
# Benchmarks

Written whole by `benches/report`, which measures everything in one run; do not edit it by hand. Where a section speaks of
rounds, what is compared takes turns and figures are medians; of Codenames and the growth of costs, a process of less
than half a second is run five times and the median counts, a longer one once; Balda's points are means of single games.
**Ratios** are what to compare between machines.
";
const QUICK: &str = "\nA quick run, to try the command out: too short for figures that mean anything.\n";

/// A section of the report, or why it could not be measured.
type Section = Result<String, Box<dyn Error>>;

/// A part of the report.
struct Part {
    name: &'static str,
    measure: fn(&Bench) -> Section,
}

const PARTS: [Part; 13] = [
    Part { name: "cold start", measure: speed::cold_start },
    Part { name: "warm lookups", measure: speed::warm_lookups },
    Part { name: "table sizes", measure: size::section },
    Part { name: "generation", measure: generation::section },
    Part { name: "plain solvers", measure: plain::section },
    Part { name: "Codenames", measure: codenames::section },
    Part { name: "Balda", measure: balda::section },
    Part { name: "Balda's boards", measure: boards::section },
    Part { name: "growth", measure: growth::section },
    Part { name: "growth of Codenames", measure: codenames::growth },
    Part { name: "tester, kit and server", measure: doors::section },
    Part { name: "large games", measure: large::section },
    Part { name: "page", measure: page::section },
];

/// Measure everything and write BENCHMARKS.md
#[derive(Parser)]
#[command(name = "benches/report")]
struct Arguments {
    /// Try everything out in a minute or two, for figures that mean nothing
    #[arg(long, requires = "out")]
    quick: bool,
    /// Measure only these parts, for a report that is not complete
    #[arg(long, value_name = "NAME", requires = "out", value_parser = PARTS.map(|part| part.name))]
    part: Vec<String>,
    /// The directory of the report [default: the repository]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The directory that --out is relative to: Cargo runs a benchmark in that of its package
    #[arg(long, value_name = "DIR", hide = true, default_value = "")]
    from: PathBuf,
    /// A Python that has OpenSpiel, to compare the kit with it
    #[arg(long, value_name = "PROGRAM")]
    open_spiel: Option<PathBuf>,
    /// Cargo passes this to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// How long to measure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Quick,
    Full,
}

impl Effort {
    /// Chooses the amount of work.
    fn choose<T>(self, quick: T, full: T) -> T {
        match self {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }
}

/// What is measured, how long, and where the report goes.
struct Bench {
    program: Program,
    generator: PathBuf,
    repository: PathBuf,
    effort: Effort,
    /// A Python that has OpenSpiel.
    open_spiel: Option<PathBuf>,
    out: PathBuf,
    scratch: TempDir,
}

impl Bench {
    fn new(arguments: Arguments) -> Result<Bench, Box<dyn Error>> {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let programs = repository.join("target/release");
        let (binary, generator) = (programs.join("tabletop"), programs.join("tabletop-gen"));
        if !binary.exists() || !generator.exists() {
            return Err("the programs are not built, run `benches/report`".into());
        }
        let bench = Bench {
            program: Program { binary, tables: repository.join("tables") },
            generator,
            effort: if arguments.quick { Effort::Quick } else { Effort::Full },
            open_spiel: arguments.open_spiel.map(|python| arguments.from.join(python)),
            out: arguments.out.map_or_else(|| repository.clone(), |out| arguments.from.join(out)),
            repository,
            scratch: tempfile::tempdir()?,
        };
        fs::create_dir(bench.scratch.path().join("plots"))?;
        Ok(bench)
    }

    /// The temporary file of a plot, until the report is published.
    fn plot(&self, name: &str) -> PathBuf {
        self.scratch.path().join("plots").join(name)
    }

    /// Writes the report and its plots at the end of the run. A stopped run leaves the last report unchanged.
    fn publish(&self, report: &str) -> io::Result<()> {
        let plots = self.out.join(PLOTS);
        fs::create_dir_all(&plots)?;
        for plot in fs::read_dir(self.scratch.path().join("plots"))? {
            let plot = plot?;
            fs::copy(plot.path(), plots.join(plot.file_name()))?;
        }
        fs::write(self.out.join(REPORT), report)
    }

    /// Writes an input into a file, and returns its path.
    fn input(&self, name: &str, text: &str) -> Result<PathBuf, Box<dyn Error>> {
        let file = self.scratch.path().join(name);
        fs::write(&file, text)?;
        Ok(file)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let wanted = arguments.part.clone();
    let bench = Bench::new(arguments)?;
    let mut report = String::from(HEADER);
    report.push_str(bench.effort.choose(QUICK, ""));
    report.push_str(&machine::section()?);
    let is_wanted = |part: &&Part| wanted.is_empty() || wanted.iter().any(|name| name == part.name);
    for Part { name, measure } in PARTS.iter().filter(is_wanted) {
        eprintln!("measuring {name}");
        report.push('\n');
        report.push_str(&measure(&bench)?);
    }
    Ok(bench.publish(&report)?)
}
