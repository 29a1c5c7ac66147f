//! `tabletop-sample`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Command};
use tabletop::door::print;
use tabletop::game::{Kind, TestGame, games};
use tabletop::table::Places;

use super::{InputArguments, run};
use crate::data;
use crate::failure::Failure;
use crate::plan::{Plan, Recipe};

const PROGRAM: &str = "tabletop-sample";

const KINDS: &str = "\
Kinds: tiny, ordinary, worst (as large as the contest allows) and edge (what
programs get wrong). Without --kind an input is ordinary, and several inputs are
of all kinds.";

const EXAMPLES: &str = "\
Examples:
  tabletop sample jenga --kind worst --seed 3
  tabletop sample codenames --shape cards=10,hints=12,words=2-4
  tabletop sample dice --count 40 --out data/secret
  tabletop sample --game ./my_game --seed 3";

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
    let line = |game: Arc<dyn TestGame>| {
        let sizes: Vec<&str> = game.sizes().iter().map(|size| size.name).collect();
        format!("  {:<10} {}\n", game.profile().name, sizes.join(", "))
    };
    games(&Places::only(".")).into_iter().map(line).collect()
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    run(PROGRAM, command_line(), |arguments: SampleArguments| arguments.write())
}

impl SampleArguments {
    fn write(&self) -> Result<ExitCode, Failure> {
        let game = self.input.game()?;
        let InputArguments { kind, seed, .. } = &self.input;
        let shape = self.input.shape_of(&*game)?;
        let plan = Plan { inputs: self.count, seed: *seed, kinds: kind.clone() };
        if let Some(directory) = &self.out {
            game.ready()?;
            data::write(&game, &plan, &shape, directory)?;
            return Ok(ExitCode::SUCCESS);
        }
        for number in 0..self.count {
            let recipe = match (self.count, &kind[..]) {
                // A single input uses the seed directly, so that a seed from a report gives the same input.
                (1, []) => Recipe { kind: Kind::Ordinary, seed: *seed },
                (1, [kind, ..]) => Recipe { kind: *kind, seed: *seed },
                _ => plan.recipe(number),
            };
            print(&data::draw(&game, recipe, &shape)?.text())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
