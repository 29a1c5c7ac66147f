//! `tabletop-stress`.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, Args, Command};
use indicatif::ProgressBar;
use tabletop::bars::Bars;
use tabletop::door::print;
use tabletop::game::{Contest, Judging, PROFILES, Profile, TestGame, Ties};

use super::{InputArguments, run};
use crate::data;
use crate::failure::{Failure, NOT_ACCEPTED};
use crate::plan::Plan;
use crate::report::{Counterexample, Report, shell_line};
use crate::runner::{self, Interrupt, Job, Limits, Namespace, Orphans};
use crate::shrink::shrink;
use crate::stress::{Failing, Source, Test};
use crate::verdict::Verdict;

const PROGRAM: &str = "tabletop-stress";
/// Maximum number of bytes of a wrong output in the report.
const SHOWN_OUTPUT: usize = 1 << 13;

const EXAMPLES: &str = "\
The command reads an input from standard input and prints its answer. The first
input that it fails on is made smaller, printed and saved.

Exit code: 0 accepted, 3 not accepted, 1 a table or file problem, 2 bad usage.

Examples:
  tabletop stress jenga -- ./my_solution
  tabletop stress codenames --cases 5000 --seed 7 --jobs 2 -- python3 sol.py
  tabletop stress dice --data data/secret -- ./my_solution
  tabletop stress --game ./my_game -- ./my_solution";

/// The arguments of `tabletop-stress`.
#[derive(Args)]
struct StressArguments {
    #[command(flatten)]
    input: InputArguments,
    /// How many inputs to feed to the command
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    cases: Option<u64>,
    /// Judge the command on the inputs of a directory, or on one input
    #[arg(long, value_name = "PATH", conflicts_with_all = ["cases", "kind", "seed", "shape"])]
    data: Option<PathBuf>,
    /// Wall clock that a run may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Memory that the command may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    memory_limit: u64,
    /// What a run may print, in KiB
    #[arg(long, value_name = "KIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    output_limit: u64,
    /// Run the command among the tester's processes, not in a pid namespace
    #[arg(long)]
    no_namespace: bool,
    /// How many commands run at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Accept only our rounding of a value halfway between two
    #[arg(long)]
    strict_ties: bool,
    /// Largest error of a number, absolute or relative, in a game of --game
    #[arg(long, value_name = "ERROR", default_value_t = 1e-6, value_parser = tolerance, allow_negative_numbers = true)]
    tolerance: f64,
    /// Time for making the failing input smaller
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds_or_none)]
    shrink_time: Duration,
    /// Save the failing input as FILE [default: GAME-SEED-NUMBER.in]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The whole command line.
pub fn command_line() -> Command {
    StressArguments::augment_args(Command::new(PROGRAM))
        .mut_arg("cases", |cases| with_default(cases, |contest| contest.inputs))
        .mut_arg("time_limit", |limit| with_default(limit, |contest| contest.seconds))
        .about("Find the input on which a program is wrong")
        .version(env!("CARGO_PKG_VERSION"))
        .next_line_help(true)
        .after_help(EXAMPLES)
}

/// Adds the default of an argument to its help, and the games that have another one.
fn with_default(argument: Arg, value: impl Fn(&Contest) -> u64) -> Arg {
    let usual = value(&Contest::USUAL);
    let mut default = format!("[default: {usual}");
    for Profile { name, contest, .. } in PROFILES.iter().filter(|profile| value(&profile.contest) != usual) {
        default += &format!(", for {name} {}", value(contest));
    }
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    argument.help(format!("{help} {default}]"))
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == runner::ARGUMENT) {
        return runner::serve(arguments);
    }
    run(PROGRAM, command_line(), |arguments: StressArguments| arguments.test_command())
}

/// Watches for signals. A signal also stops a game that is a program, which may take long to answer.
fn interrupt_stopping(game: &Arc<dyn TestGame>) -> io::Result<Interrupt> {
    let interrupt = Interrupt::watch()?;
    let game = Arc::clone(game);
    interrupt.on_arrival(move || game.stop())?;
    Ok(interrupt)
}

impl StressArguments {
    fn test_command(&self) -> Result<ExitCode, Failure> {
        let game = self.input.game()?;
        game.ready()?;
        let Profile { name, contest, .. } = game.profile();
        let source = match &self.data {
            Some(path) => Source::Files(data::read(&game, path)?),
            None => {
                let InputArguments { kind, seed, .. } = &self.input;
                let inputs = self.cases.unwrap_or(contest.inputs);
                let plan = Plan { inputs, seed: *seed, kinds: kind.clone() };
                Source::Drawn { plan, shape: self.input.shape_of(&*game)? }
            }
        };
        let limits = Limits {
            time: self.time_limit.unwrap_or(Duration::from_secs(contest.seconds)),
            output: self.output_limit << 10,
            memory: self.memory_limit << 20,
        };
        let failed =
            |error: io::Error| Failure::new(format!("this program cannot be found: {error}, install it again"));
        let program = env::current_exe().map_err(failed)?;
        let interrupt =
            interrupt_stopping(&game).map_err(|error| Failure::new(format!("signals: {error}, run it again")))?;
        let _orphans = Orphans::adopt().map_err(|error| Failure::new(format!("processes: {error}, run it again")))?;
        let namespace = if self.no_namespace { Namespace::Shared } else { Namespace::Own };
        let bar = Bars::new(name).steps("", source.inputs());
        let ties = if self.strict_ties { Ties::Strict } else { Ties::Either };
        let test = Test {
            game: &game,
            judging: Judging { ties, tolerance: self.tolerance, ..Judging::default() },
            source,
            job: Job { command: self.command.clone(), limits, namespace },
            jobs: usize::from(self.jobs),
            program: &program,
            interrupt: &interrupt,
            progress: &|done| bar.set_position(done),
        };
        self.test(&test, &bar).map_err(|failure| interrupt.signal().map_or(failure, Failure::Interrupted))
    }

    fn test(&self, test: &Test<'_>, bar: &ProgressBar) -> Result<ExitCode, Failure> {
        let mut outcome = test.run()?;
        let mut report = Report::new(test, &outcome);
        if let Some(failing) = outcome.failing.take() {
            bar.set_message("making it smaller");
            report.failure = Some(self.counterexample(test, failing)?);
        }
        bar.finish_and_clear();
        if self.json {
            let mut json = tabletop::text::to_json(&report);
            json.push(b'\n');
            print(&json)?;
        } else {
            print(report.to_text().as_bytes())?;
        }
        match (report.verdict, test.interrupt.signal()) {
            (Verdict::Accepted, None) => Ok(ExitCode::SUCCESS),
            (Verdict::Accepted, Some(signal)) => Err(Failure::Interrupted(signal)),
            _ => Ok(ExitCode::from(NOT_ACCEPTED)),
        }
    }

    /// Shrinks the failing input and saves it.
    fn counterexample(&self, test: &Test<'_>, failing: Failing) -> Result<Counterexample, Failure> {
        let shrunk = shrink(test, failing, self.shrink_time)?;
        let Failing { number, input, judgement, run } = shrunk.failing;
        let recipe = test.recipe(number).expect("the failing input was drawn");
        let (game, text) = (test.game.profile().name, input.text());
        let file =
            self.save.clone().unwrap_or_else(|| PathBuf::from(format!("{game}-{}-{}.in", self.input.seed, number + 1)));
        let file = match data::write_file(&file, &text) {
            Ok(()) => Some(file),
            Err(failure) => {
                // The report is still printed, and it contains the input.
                failure.report(PROGRAM);
                None
            }
        };
        let visible = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Counterexample {
            number: number + 1,
            kind: recipe.kind.name(),
            seed: recipe.seed,
            reason: judgement.reason,
            about: input.describe(),
            input: visible(&text),
            expected: visible(&data::answer(test.game, &text)?),
            found: visible(&run.output[..run.output.len().min(SHOWN_OUTPUT)]),
            errors: visible(&run.errors),
            tried: shrunk.tried,
            is_smallest: shrunk.is_smallest,
            command: file.as_deref().map(|file| self.judge_again(game, file)),
            file: file.map(|file| file.display().to_string()),
        })
    }

    /// The command that judges a saved input.
    fn judge_again(&self, game: &str, file: &Path) -> String {
        let mut words: Vec<OsString> = ["tabletop", "stress"].map(OsString::from).into();
        match &self.input.program {
            Some(program) => words.extend(["--game".into(), program.into()]),
            None => words.push(game.into()),
        }
        words.extend(["--data".into(), file.into()]);
        if let Some(limit) = self.time_limit {
            words.extend(["--time-limit".into(), limit.as_secs_f64().to_string().into()]);
        }
        if self.tolerance != Judging::default().tolerance {
            words.extend(["--tolerance".into(), self.tolerance.to_string().into()]);
        }
        if self.strict_ties {
            words.push("--strict-ties".into());
        }
        words.push("--".into());
        words.extend(self.command.iter().cloned());
        shell_line(words)
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().ok().filter(|tolerance: &f64| *tolerance >= 0.0 && tolerance.is_finite());
    tolerance.ok_or_else(|| String::from("write a number from 0, such as 1e-6"))
}

/// Parses a time above zero.
fn seconds(text: &str) -> Result<Duration, String> {
    seconds_or_none(text)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| String::from("write a number of seconds above 0"))
}

fn seconds_or_none(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| String::from("write a number of seconds, at most 86400"))
}
