//! The command line of the generator.

use std::path::{self, Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use tabletop::bars::Bars;
use tabletop::door::show;

use crate::boards::{Boards, Shard};
use crate::check::check;
use crate::dice::Dice;
use crate::generator::{Failure, Generator};
use crate::hopchess::Hopchess;
use crate::install::install;
use crate::jenga::Jenga;
use crate::publish::{publish, require_writable_out};
use crate::report::report;
use crate::uninstall::uninstall;
use crate::words::WordTables;

/// A target that is solved from the beginning in every run.
struct Target {
    about: &'static str,
    generator: &'static dyn Generator,
}

/// Every target that `all` stands for, in the order in which they are solved.
const TARGETS: &[Target] = &[
    Target { about: "Dice poker", generator: &Dice },
    Target { about: "Coloured Jenga", generator: &Jenga },
    Target { about: "Hop chess", generator: &Hopchess },
    Target { about: "The words of Balda", generator: &WordTables },
];

/// The names of the targets that `all` stands for.
pub fn targets() -> impl Iterator<Item = &'static str> {
    TARGETS.iter().map(|target| target.generator.game())
}

const PROGRAM: &str = "tabletop-gen";
const ALL: &str = "all";
const BOARDS: &str = "boards";
const INSTALL: &str = "install";
const UNINSTALL: &str = "uninstall";

const EXAMPLES: &str = "Examples:
  tabletop-gen all                 write every table into tables/
  tabletop-gen install             write every table where tabletop finds it from everywhere
  tabletop-gen uninstall           remove these tables again
  tabletop-gen dice --out /tmp/t   write the tables of one game elsewhere
  tabletop-gen all --check         prove that tables/ holds what would be written, and that it is right
  tabletop-gen boards              breed the boards of Balda: takes hours, goes on where it was stopped
  tabletop-gen boards --shard 1/2  breed the first half of them, on one of two machines, and write no table
  tabletop-gen boards --merge      write the tables of the boards that are finished";

/// The number of threads.
#[derive(Args)]
struct ThreadArguments {
    /// Threads to solve with [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The arguments of every target.
#[derive(Args)]
struct TargetArguments {
    /// The directory of the tables
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Write nothing: solve in memory, compare with the tables byte for byte, prove the result
    #[arg(long)]
    check: bool,
    /// Write nothing: print facts about the solved game
    #[arg(long)]
    stats: bool,
}

impl TargetArguments {
    /// Whether tables are written.
    fn writes(&self) -> bool {
        !self.check && !self.stats
    }
}

/// The arguments of `boards`.
#[derive(Args)]
#[command(mut_arg("check", |check| check.help("Write nothing: replay the boards of the tables, breed some again")))]
struct BoardsArguments {
    #[command(flatten)]
    target: TargetArguments,
    /// Where boards are kept, begun or finished, so that another run goes on with them
    #[arg(long, value_name = "DIR", default_value = "gen/boards")]
    work: PathBuf,
    /// Breed only share I of N, from 1, and write no table; a run without it writes the tables of all
    #[arg(long, value_name = "I/N", conflicts_with_all = ["check", "stats"])]
    shard: Option<Shard>,
    /// Print each board as a line of JSON with its state: missing, half or done
    #[arg(long, conflicts_with_all = ["check", "stats", "shard"])]
    list: bool,
    /// Go on with this board, and write no table
    #[arg(long, value_name = "NAME", conflicts_with_all = ["check", "stats", "shard", "list"])]
    only: Option<String>,
    /// Stop after this number of the board's 60 start words
    #[arg(long, value_name = "N", requires = "only")]
    turns: Option<u16>,
    /// Write the tables of the boards that are finished, and breed none
    #[arg(long, conflicts_with_all = ["check", "stats", "shard", "list", "only"])]
    merge: bool,
    /// Make this number of proposals for each board [default: from 40,000,000 to 1,000,000,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    effort: Option<u64>,
}

/// The arguments of `install`.
#[derive(Args)]
struct InstallArguments {
    /// Install to DIR/share/tabletop/tables, for a program in DIR/bin, instead of your data directory
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArguments,
}

/// The arguments of `uninstall`.
#[derive(Args)]
struct UninstallArguments {
    /// Remove from DIR/share/tabletop/tables instead of your data directory
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
}

/// What the command line asks for.
enum Task {
    Install(InstallArguments),
    Uninstall(UninstallArguments),
    Solve(Vec<&'static dyn Generator>, TargetArguments),
    BreedBoards(BoardsArguments),
}

impl Task {
    fn from_matches(matches: &ArgMatches) -> Result<Task, clap::Error> {
        let (name, matches) = matches.subcommand().expect("clap requires a target");
        if name == BOARDS {
            return BoardsArguments::from_arg_matches(matches)?.checked().map(Task::BreedBoards);
        }
        if name == INSTALL {
            return InstallArguments::from_arg_matches(matches).map(Task::Install);
        }
        if name == UNINSTALL {
            return UninstallArguments::from_arg_matches(matches).map(Task::Uninstall);
        }
        let asked = generators().filter(|generator| name == ALL || name == generator.game()).collect();
        Ok(Task::Solve(asked, TargetArguments::from_arg_matches(matches)?))
    }

    fn jobs(&self) -> usize {
        let threads = match self {
            Task::Install(install) => &install.threads,
            Task::Uninstall(_) => return 1,
            Task::Solve(_, target) | Task::BreedBoards(BoardsArguments { target, .. }) => &target.threads,
        };
        threads.jobs.map_or(0, usize::from)
    }

    fn run(&self) -> Result<(), Failure> {
        match self {
            Task::Install(arguments) => install(generators(), arguments.prefix.as_deref()),
            Task::Uninstall(arguments) => uninstall(arguments.prefix.as_deref()),
            Task::Solve(generators, arguments) => {
                if arguments.writes() {
                    require_writable_out(&arguments.out)?;
                }
                generators.iter().try_for_each(|generator| solve(*generator, arguments))
            }
            Task::BreedBoards(arguments) => breed_boards(arguments),
        }
    }
}

fn generators() -> impl Iterator<Item = &'static dyn Generator> {
    TARGETS.iter().map(|target| target.generator)
}

impl BoardsArguments {
    fn checked(self) -> Result<BoardsArguments, clap::Error> {
        // Publishing a table removes the temporary files in its directory, and a running shard may still need its own.
        if is_same_directory(&self.work, &self.target.out) {
            let message = "--work and --out are the same directory, choose another one for --work";
            return Err(command_line().error(ErrorKind::ValueValidation, message));
        }
        Ok(self)
    }
}

/// Whether two paths lead to one directory, whether it exists or not.
fn is_same_directory(left: &Path, right: &Path) -> bool {
    canonical(left) == canonical(right)
}

/// The path without links, as far as it exists.
fn canonical(path: &Path) -> PathBuf {
    let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(existing), _, _) => existing,
        (Err(_), Some(parent), Some(name)) => canonical(parent).join(name),
        (Err(_), _, _) => path,
    }
}

/// The whole command line.
pub fn command_line() -> Command {
    // Without `about`, clap would show the doc comment of the derived struct.
    let target =
        |name: &'static str, about: &'static str| TargetArguments::augment_args(Command::new(name)).about(about);
    let boards =
        BoardsArguments::augment_args(Command::new(BOARDS)).about("Strong boards for Balda to start from: takes long");
    let install = InstallArguments::augment_args(Command::new(INSTALL))
        .about("Everything that tabletop needs, into your data directory, proved to be the shipped tables");
    let uninstall = UninstallArguments::augment_args(Command::new(UNINSTALL))
        .about("Remove the tables that install wrote, and no other file");
    Command::new(PROGRAM)
        .about("Solve games and write their tables")
        .version(env!("CARGO_PKG_VERSION"))
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommand_value_name("TARGET")
        .subcommand_help_heading("Targets")
        .subcommands(TARGETS.iter().map(|listed| target(listed.generator.game(), listed.about)))
        .subcommand(target(ALL, "Every target above"))
        .subcommand(boards)
        .subcommand(install)
        .subcommand(uninstall)
        .after_help(EXAMPLES)
}

/// Runs the generator with the arguments of this process.
pub fn main() -> ExitCode {
    let task = match command_line().try_get_matches().and_then(|matches| Task::from_matches(&matches)) {
        Ok(task) => task,
        Err(message) => return show(&message).unwrap_or_else(|failure| failure.report(PROGRAM)),
    };
    let threads = task.jobs();
    let outcome = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::new(format!("cannot start {threads} threads: {error}, ask for fewer with --jobs")))
        .and_then(|pool| pool.install(|| task.run()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(PROGRAM),
    }
}

fn solve(generator: &dyn Generator, arguments: &TargetArguments) -> Result<(), Failure> {
    let tables = generator.generate(&Bars::new(generator.game()))?;
    if arguments.check {
        check(generator, &tables, &arguments.out)?;
    }
    if arguments.stats {
        report(generator.stats(&tables)?.trim_end())?;
    }
    if arguments.writes() {
        publish(&tables, &arguments.out)?;
    }
    Ok(())
}

fn breed_boards(arguments: &BoardsArguments) -> Result<(), Failure> {
    let directory = &arguments.target.out;
    let boards = Boards::shipped(&arguments.work).with_effort(arguments.effort);
    let bars = Bars::new(BOARDS);
    if arguments.target.check {
        boards.check(directory)?.iter().try_for_each(report)?;
    }
    if arguments.target.stats {
        report(boards.stats(directory)?.trim_end())?;
    }
    if !arguments.target.writes() {
        return Ok(());
    }
    if arguments.list {
        return boards.list()?.iter().try_for_each(report);
    }
    if let Some(name) = &arguments.only {
        return report(boards.breed_only(name, arguments.turns.map(usize::from))?);
    }
    if let Some(shard) = arguments.shard {
        return report(boards.breed_shard(shard, &bars)?);
    }
    require_writable_out(directory)?;
    if !arguments.merge {
        boards.breed_all(&bars)?;
    }
    let merged = boards.merge()?;
    boards.require_no_loss(&merged, directory)?;
    publish(&merged.tables, directory)?;
    report(format_args!("{}: {}", arguments.work.display(), merged.summary()))
}
