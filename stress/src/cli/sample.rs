//! `tabletop-sample`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};
use tabletop::game::{Game, Kind, Visitor, visit_all};
use tabletop::table::Places;

use super::{InputArguments, Work, print, run, with_subject};
use crate::balda::Balda;
use crate::data;
use crate::exact::{Exact, Ties};
use crate::failure::Failure;
use crate::plan::{Draw, Plan, Recipe};
use crate::subject::Subject;

const PROGRAM: &str = "tabletop-sample";

const KINDS: &str = "\
Kinds: tiny, ordinary, worst (as large as the contest allows) and edge (what
programs get wrong). Without --kind an input is ordinary, and several inputs are
of all kinds.";

const EXAMPLES: &str = "\
Examples:
  tabletop sample jenga --kind worst --seed 3
  tabletop sample codenames --shape cards=10,hints=12,words=2-4
  tabletop sample dice --count 40 --out data/secret";

/// The arguments of `tabletop-sample`.
#[derive(Args)]
struct SampleArguments {
    #[command(flatten)]
    input: InputArguments,
    /// How many inputs to draw
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    count: u64,
    /// Write 01.in, 01.ans, 01.desc and so on into DIR instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The whole command line.
pub fn command_line() -> Command {
    SampleArguments::augment_args(Command::new(PROGRAM))
        .about("Valid inputs of a game, and test data with answers")
        .version(env!("CARGO_PKG_VERSION"))
        .next_line_help(true)
        .after_help(format!("{KINDS}\n\nSizes, each a number or a range:\n{}\n{EXAMPLES}", sizes()))
}

/// One line per game with the names of its sizes.
fn sizes() -> String {
    struct Sizes;

    impl Visitor for Sizes {
        type Output = String;

        fn visit<G: Game>(&mut self) -> String {
            line(&Exact::<G>::at(&Places::only("."), Ties::Either))
        }
    }

    fn line(subject: &impl Subject) -> String {
        let sizes: Vec<&str> = subject.sizes().into_iter().map(|(name, _)| name).collect();
        format!("  {:<10} {}\n", subject.name(), sizes.join(", "))
    }

    let balda = line(&Balda::new(&Places::only(".")));
    visit_all(&mut Sizes).into_iter().chain([balda]).collect()
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    run(PROGRAM, command_line(), |arguments: SampleArguments| {
        with_subject(&arguments.input.game, &arguments.input.places(), Ties::Either, &arguments)
    })
}

impl Work for SampleArguments {
    fn on<S: Subject>(&self, subject: &S) -> Result<ExitCode, Failure> {
        let InputArguments { kind, seed, .. } = &self.input;
        let shape = self.input.shape_of(subject)?;
        let plan = Plan { inputs: self.count, seed: *seed, draws: kind.clone() };
        if let Some(directory) = &self.out {
            subject.ready()?;
            data::write(subject, &plan, &shape, directory)?;
            return Ok(ExitCode::SUCCESS);
        }
        for number in 0..self.count {
            let recipe = match (self.count, &kind[..]) {
                // A single input uses the seed directly, so that a seed from a report gives the same input.
                (1, []) => Recipe { draw: Draw::Kind(Kind::Ordinary), seed: *seed },
                (1, [draw, ..]) => Recipe { draw: *draw, seed: *seed },
                _ => plan.recipe(number),
            };
            print(&subject.text(&subject.draw(recipe, &shape)?))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
