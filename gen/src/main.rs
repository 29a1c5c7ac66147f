//! Solves the games of tabletop and writes their tables.

#![forbid(unsafe_code)]

mod boards;
mod check;
mod dice;
mod generator;
mod hopchess;
mod jenga;
mod progress;
mod publish;
mod report;
mod seeded;
mod sums;
mod words;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};

use boards::{Boards, Shard};
use generator::{Failure, Generator};
use progress::Progress;
use report::report;

/// Solve games and write their tables
#[derive(Parser)]
#[command(name = "tabletop-gen", version, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  \
    tabletop-gen all                 write every table into tables/\n  \
    tabletop-gen dice --out /tmp/t   write the tables of one game elsewhere\n  \
    tabletop-gen all --check         prove that tables/ holds what would be written, and that it is right\n  \
    tabletop-gen boards              play the boards of Balda: takes long, goes on where it was stopped\n  \
    tabletop-gen boards --shard 1/2  play the first half of them, on one of two machines, and write no table")]
struct Arguments {
    /// The game to solve
    #[arg(value_enum)]
    game: Target,
    /// The directory of the tables
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Threads to solve with [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write nothing: solve in memory, compare with the tables byte for byte, prove the result; of boards, replay the tables
    #[arg(long)]
    check: bool,
    /// Write nothing: print facts about the solved game
    #[arg(long)]
    stats: bool,
    /// Of boards: where finished ones are kept, so that another run goes on with them [default: target/boards]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["check", "stats"])]
    work: Option<PathBuf>,
    /// Of boards: play only share I of N, from 1, and write no table; a run without it writes the tables of all
    #[arg(long, value_name = "I/N", conflicts_with_all = ["check", "stats"])]
    shard: Option<Shard>,
}

impl Arguments {
    fn parse_all() -> Result<Arguments, clap::Error> {
        let arguments = Arguments::try_parse()?;
        let for_boards = arguments.work.is_some() || arguments.shard.is_some();
        if for_boards && !matches!(arguments.game, Target::Boards) {
            let message = "--work and --shard are for boards, leave them out";
            return Err(Arguments::command().error(ErrorKind::ArgumentConflict, message));
        }
        // A table is published after the leftovers in its directory are removed; those of another share may live.
        if arguments.work.as_ref() == Some(&arguments.out) {
            let message = "--work and --out are the same directory, choose another one for --work";
            return Err(Arguments::command().error(ErrorKind::ArgumentConflict, message));
        }
        Ok(arguments)
    }
}

/// What can be generated.
#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// Dice poker
    Dice,
    /// Coloured Jenga
    Jenga,
    /// Hop chess
    Hopchess,
    /// The words of Balda
    Words,
    /// Strong boards for Balda to start from: takes long
    Boards,
    /// Every game that has tables, without the boards
    All,
}

impl Target {
    fn generators(self) -> &'static [&'static dyn Generator] {
        match self {
            Target::Dice => &[&dice::Dice],
            Target::Jenga => &[&jenga::Jenga],
            Target::Hopchess => &[&hopchess::Hopchess],
            Target::All => &[&dice::Dice, &jenga::Jenga, &hopchess::Hopchess, &words::WordLists],
            Target::Words => &[&words::WordLists],
            // Played for long, kept one by one, and checked without playing them all again.
            Target::Boards => &[],
        }
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse_all() {
        Ok(arguments) => arguments,
        Err(message) if message.use_stderr() => {
            let text = message.render().to_string();
            let _ =
                writeln!(io::stderr(), "tabletop-gen: arguments: {}", text.trim_start_matches("error: ").trim_end());
            return ExitCode::from(2);
        }
        Err(answer) => answer.exit(),
    };
    let threads = arguments.jobs.map_or(0, usize::from);
    let outcome = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::new(format!("cannot start {threads} threads: {error}, ask for fewer with --jobs")))
        .and_then(|pool| pool.install(|| run(&arguments)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "tabletop-gen: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Target::Boards = arguments.game {
        return run_boards(arguments);
    }
    for generator in arguments.game.generators() {
        let tables = generator.generate(&Progress::new(generator.game()))?;
        if arguments.check {
            check::check(*generator, &tables, &arguments.out)?;
        }
        if arguments.stats {
            report(generator.stats(&tables)?.trim_end())?;
        }
        if !arguments.check && !arguments.stats {
            publish::publish(&tables, &arguments.out)?;
        }
    }
    Ok(())
}

fn run_boards(arguments: &Arguments) -> Result<(), Failure> {
    let boards = Boards::shipped(arguments.work.as_deref().unwrap_or(Path::new("target/boards")));
    let progress = Progress::new("boards");
    if let Some(shard) = arguments.shard {
        return report(boards.play_shard(shard, &progress)?);
    }
    if arguments.check {
        boards.check(&arguments.out)?.iter().try_for_each(report)?;
    }
    if arguments.stats {
        report(boards.stats(&arguments.out)?.trim_end())?;
    }
    if !arguments.check && !arguments.stats {
        publish::publish(&boards.tables(&progress)?, &arguments.out)?;
    }
    Ok(())
}
