//! The program of a game: `solve`, `ask`, `check` and `stats`.

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::check::check;
use super::explain::{Detail, explain};
use super::failure::Failure;
use super::file::{Answers, spec};
use super::publish::{self, DirectoryLock};
use super::rules::Rules;
use super::solve::{Precision, solve_with_progress};
use super::stats::stats;
use crate::input::{InputError, Lines, quote};
use crate::table::Places;

/// The directory that `solve` writes to without `--out`. It is also one of the directories that are searched.
const DEFAULT_DIRECTORY: &str = "tables";
/// With `--many`, answers are printed when this many bytes are buffered, or before a read that may block.
const OUTPUT_BYTES: usize = 1 << 16;

/// Runs the program of a game with the arguments of this process.
pub fn main<R: Rules>(rules: R) -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let program = arguments.first().map(Path::new).and_then(Path::file_stem).and_then(|name| name.to_str());
    let program = program.unwrap_or(R::NAME).to_owned();
    match arguments.first_mut() {
        Some(first) => *first = OsString::from(&program),
        None => arguments.push(OsString::from(&program)),
    }
    let outcome = match command_line::<R>(&program).try_get_matches_from(arguments) {
        Ok(matches) => dispatch(&rules, &matches),
        Err(error) => show_clap_message(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&program),
    }
}

fn command_line<R: Rules>(program: &str) -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help).action(ArgAction::SetTrue);
    let directory = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("DIR").help(help).value_parser(value_parser!(PathBuf))
    };
    let jobs = Arg::new("jobs")
        .long("jobs")
        .value_name("N")
        .help("Use N threads [default: one per core]")
        .value_parser(value_parser!(u16).range(1..));
    let tables = directory("tables", "Look for the table in DIR and nowhere else");
    Command::new(R::NAME)
        .bin_name(program)
        .about(R::ABOUT)
        .subcommand_required(true)
        .subcommand(
            Command::new("solve")
                .about("Solve the game and write its table")
                .arg(directory("out", "Write the table into DIR").default_value(DEFAULT_DIRECTORY))
                .arg(flag("exact", "Work values out as fractions"))
                .arg(jobs.clone()),
        )
        .subcommand(
            Command::new("ask")
                .about("What a position is worth, and which moves are best")
                .arg(
                    Arg::new("position")
                        .value_name("POSITION")
                        .help("The position [default: a line of standard input]")
                        .allow_hyphen_values(true),
                )
                .arg(flag("many", "Answer every line of standard input as it comes").conflicts_with("position"))
                .arg(flag("explain", "The value, then every move with its value, best first"))
                .arg(flag("json", "The same as one JSON object per position").conflicts_with("explain"))
                .arg(tables.clone()),
        )
        .subcommand(
            Command::new("check")
                .about("Prove the table: every value follows from what follows the position")
                .arg(tables.clone())
                .arg(jobs.clone()),
        )
        .subcommand(Command::new("stats").about("Facts about the solved game, with examples").arg(tables).arg(jobs))
}

fn dispatch<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    match name {
        "solve" => in_pool(matches, || run_solve(rules, matches)),
        "ask" => run_ask(rules, matches),
        "check" => in_pool(matches, || run_check(rules, matches)),
        _ => in_pool(matches, || {
            let answers = Answers::open(rules, &places(matches))?;
            print(stats(rules, &answers, &show_progress::<R>)?.as_bytes())
        }),
    }
}

/// Runs `work` in a thread pool of `--jobs` threads.
fn in_pool(matches: &ArgMatches, work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    let jobs: u16 = matches.get_one("jobs").copied().unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(jobs)).build();
    let pool = pool.map_err(|error| Failure::Usage(format!("--jobs {jobs}: {error}, ask for fewer threads")))?;
    pool.install(work)
}

fn places(matches: &ArgMatches) -> Places {
    let directory: Option<&PathBuf> = matches.get_one("tables");
    directory.map_or_else(Places::from_environment, Places::only)
}

/// A progress bar on standard error, if that is a terminal.
fn show_progress<R: Rules>(what: &'static str, steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {msg} {bar:40} {human_pos}/{human_len} {per_sec} {eta}")
        .expect("the template is well-formed");
    ProgressBar::new(steps).with_style(style).with_prefix(R::NAME).with_message(what)
}

fn run_solve<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let directory: &PathBuf = matches.get_one("out").expect("it has a default");
    let precision = if matches.get_flag("exact") { Precision::Fractions } else { Precision::Doubles };
    let name = spec::<R>().file_name();
    let path = directory.join(&name);
    publish::require_writable(directory).map_err(Failure::output(path.display().to_string()))?;
    let solution = solve_with_progress(rules, precision, &show_progress::<R>)?;
    let bytes = solution.encode(rules)?;
    publish_table(directory, &name, &bytes).map_err(Failure::output(path.display().to_string()))?;
    let (positions, size) = (HumanCount(solution.positions() as u64), HumanCount(bytes.len() as u64));
    print_line(format_args!("{}: {positions} positions, {size} bytes", path.display()))
}

fn publish_table(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let lock = DirectoryLock::wait(directory)?;
    lock.remove_leftovers(|other| other == name)?;
    publish::replace(directory, name, bytes)
}

fn run_check<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let answers = Answers::open(rules, &places(matches))?;
    let proof = check(rules, &answers, &show_progress::<R>)?;
    let positions = HumanCount(proof.positions as u64);
    print_line(format_args!(
        "{}: {positions} positions: every value follows from what follows the position; the plain solver agrees on {} seeded positions",
        answers.path().display(),
        proof.sampled
    ))
}

/// The output format of an answer.
#[derive(Clone, Copy)]
enum Form {
    Value,
    Explanation,
    Json,
}

fn run_ask<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let form = match (matches.get_flag("json"), matches.get_flag("explain")) {
        (true, _) => Form::Json,
        (false, true) => Form::Explanation,
        (false, false) => Form::Value,
    };
    let asker = Asker { rules, form, answers: Answers::open(rules, &places(matches))? };
    if let Some(text) = matches.get_one::<String>("position") {
        let answer = asker.answer(text.trim()).map_err(|no_answer| match no_answer {
            NoAnswer::Text { found, expected } => Failure::Usage(format!("arguments: {found}, {expected}")),
            NoAnswer::Failure(failure) => failure,
        })?;
        return print(answer.as_bytes());
    }
    if io::stdin().is_terminal() {
        let lines = if matches.get_flag("many") { "positions, one per line" } else { "a position on one line" };
        let _ = writeln!(io::stderr(), "{}: reading {lines} from the terminal, {}", R::NAME, asker.expected());
    }
    if matches.get_flag("many") { asker.answer_many() } else { asker.answer_one() }
}

/// Why a position text has no answer.
enum NoAnswer {
    /// The text is not a position, or the position cannot be reached.
    Text {
        found: String,
        expected: String,
    },
    Failure(Failure),
}

impl<E: Into<Failure>> From<E> for NoAnswer {
    fn from(error: E) -> NoAnswer {
        NoAnswer::Failure(error.into())
    }
}

struct Asker<'a, R: Rules> {
    rules: &'a R,
    answers: Answers<'a, R>,
    form: Form,
}

impl<R: Rules> Asker<'_, R> {
    /// The remedy for a text that is not a position.
    fn expected(&self) -> String {
        let example = self.rules.starts().first().map_or_else(String::new, |start| format!(" such as '{start}'"));
        format!("write a position{example}")
    }

    fn answer(&self, text: &str) -> Result<String, NoAnswer> {
        let position: R::Position = text.parse().map_err(|error| NoAnswer::Text {
            found: format!("{} is not a position: {error}", quote(text.as_bytes())),
            expected: self.expected(),
        })?;
        let detail = if matches!(self.form, Form::Value) { Detail::Value } else { Detail::Moves };
        let Some(explanation) = explain(self.rules, &self.answers, &position, detail)? else {
            return Err(NoAnswer::Text {
                found: format!("{} is not reached from the start", quote(text.as_bytes())),
                expected: format!("{} that is", self.expected()),
            });
        };
        Ok(match self.form {
            Form::Value => explanation.value_line(),
            Form::Explanation => explanation.to_text(),
            Form::Json => explanation.to_json() + "\n",
        })
    }

    /// Answers the single line of standard input.
    fn answer_one(&self) -> Result<(), Failure> {
        let mut lines = Lines::new(io::stdin().lock());
        let input = |error| Failure::Input { case: None, error };
        let expected = self.expected();
        let line = lines.require_line(&expected).map_err(input)?;
        let number = line.number;
        let text = line.text().map_err(input)?.to_owned();
        lines.require_end("remove it, or pass --many to answer several positions").map_err(input)?;
        let answer = self.answer(&text).map_err(|no_answer| no_answer.at(number, None))?;
        print(answer.as_bytes())
    }

    /// Answers every line. The answers before a bad line are still printed.
    fn answer_many(&self) -> Result<(), Failure> {
        let mut lines = Lines::new(io::stdin().lock());
        let mut text = String::new();
        for case in 1.. {
            if lines.may_wait() || text.len() >= OUTPUT_BYTES {
                print(text.as_bytes())?;
                text.clear();
            }
            let answer = match lines.next_line() {
                Ok(None) => break,
                Err(error) => Err(Failure::Input { case: Some(case), error }),
                Ok(Some(line)) => match line.text() {
                    Err(error) => Err(Failure::Input { case: Some(case), error }),
                    Ok(position) => self.answer(position).map_err(|no_answer| no_answer.at(line.number, Some(case))),
                },
            };
            match answer {
                Ok(answer) => text.push_str(&answer),
                Err(failure) => {
                    print(text.as_bytes())?;
                    return Err(failure);
                }
            }
        }
        print(text.as_bytes())
    }
}

impl NoAnswer {
    fn at(self, line: u64, case: Option<u64>) -> Failure {
        match self {
            NoAnswer::Text { found, expected } => {
                Failure::Input { case, error: InputError::malformed(line, found, expected) }
            }
            NoAnswer::Failure(failure) => failure,
        }
    }
}

/// Help goes to standard output. Every other message of clap is a usage error.
fn show_clap_message(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp => print(text.as_bytes()),
        _ => Err(Failure::Usage(format!("arguments: {}", text.trim_start_matches("error: ").trim_end()))),
    }
}

/// Prints a line to standard output.
fn print_line(line: impl Display) -> Result<(), Failure> {
    print(format!("{line}\n").as_bytes())
}

/// Writes a complete answer to standard output.
fn print(answer: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(answer).and_then(|()| stdout.flush()).map_err(Failure::output("stdout"))
}
