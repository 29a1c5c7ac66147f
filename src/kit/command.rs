//! The program of a game: `solve`, `ask`, `check` and `stats`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use super::check::check;
use super::error::BadRules;
use super::explain::{Detail, explain};
use super::explore::Watch;
use super::failure::Failure;
use super::file::{Answers, spec};
use super::publish::{self, DirectoryLock};
use super::rules::Rules;
use super::solve::{Precision, solve_watched};
use super::stats::stats;
use crate::input::{Lines, quote};
use crate::table::Places;

/// The directory that `solve` writes to without `--out`. It is also the first directory that is searched.
const DEFAULT_DIRECTORY: &str = "tables";
/// The number of positions at which `solve` remarks on their number.
const MANY_POSITIONS: u64 = 50_000_000;
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
    let mut command = command_line::<R>(&program);
    if arguments.iter().any(|argument| is_mistyped_option::<R>(&command, argument)) {
        // Otherwise a mistyped option is a position, and the position after it is one too many.
        command = command
            .mut_subcommand("ask", |ask| ask.mut_arg("position", |position| position.allow_hyphen_values(false)));
    }
    let outcome = match command.try_get_matches_from(arguments) {
        Ok(matches) => dispatch(&rules, &matches),
        Err(error) => show_clap_message(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&program),
    }
}

/// Whether an argument looks like an option, but is neither an option of `ask` nor a position.
fn is_mistyped_option<R: Rules>(command: &Command, argument: &OsStr) -> bool {
    let Some(option) = argument.to_str().and_then(|text| text.strip_prefix("--")) else { return false };
    let name = option.split('=').next().unwrap_or(option);
    let ask = command.find_subcommand("ask").expect("the command line has `ask`");
    let is_known =
        ["", "help", "version"].contains(&name) || ask.get_arguments().any(|known| known.get_long() == Some(name));
    !is_known && format!("--{option}").parse::<R::Position>().is_err()
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
        .version(concat!("made with tabletop ", env!("CARGO_PKG_VERSION")))
        .subcommand_required(true)
        .subcommand(
            Command::new("solve")
                .about("Solve the game and write its table")
                .arg(directory("out", "Write the table into DIR").default_value(DEFAULT_DIRECTORY))
                .arg(flag("exact", "Work values out as fractions"))
                .arg(
                    Arg::new("max-positions")
                        .long("max-positions")
                        .value_name("N")
                        .help("Stop if the game has more than N positions")
                        .value_parser(value_parser!(u64).range(1..)),
                )
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
                .arg(flag("json", "The same as one JSON object per position"))
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
            let answers = Answers::open(rules, &places::<R>(matches))?;
            print(stats(rules, &answers, &watch::<R>(None))?.as_bytes())
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

fn places<R: Rules>(matches: &ArgMatches) -> Places {
    let directory: Option<&PathBuf> = matches.get_one("tables");
    directory.map_or_else(usual_places::<R>, Places::only)
}

/// Where the table is looked for without `--tables`: first where `solve` writes it.
fn usual_places<R: Rules>() -> Places {
    Places::from_environment_with(Path::new(DEFAULT_DIRECTORY)).holding(&spec::<R>().file_name())
}

/// Reports to standard error.
fn watch<'a, R: Rules + 'a>(most: Option<u64>) -> Watch<'a> {
    Watch { progress: &show_progress::<R>, most, many: MANY_POSITIONS, remark: &remark::<R> }
}

/// Prints a line to standard error. If that is closed, there is nowhere to report it.
fn remark<R: Rules>(line: String) {
    let _ = writeln!(io::stderr(), "{}: {line}", R::NAME);
}

/// A progress bar on standard error, if that is a terminal. While the number of steps is not known, it shows the number
/// and the rate alone.
fn show_progress<R: Rules>(what: &'static str, steps: u64) -> ProgressBar {
    let (bar, template) = match steps {
        0 => (ProgressBar::new_spinner(), "{prefix} {msg} {spinner} {human_pos} {rate}"),
        _ => (ProgressBar::new(steps), "{prefix} {msg} {bar:40} {human_pos}/{human_len} {rate} {eta}"),
    };
    let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
        write!(out, "{}/s", HumanCount(state.per_sec() as u64)).expect("writing to a string cannot fail");
    };
    let style = ProgressStyle::with_template(template).expect("the template is well-formed").with_key("rate", rate);
    bar.with_style(style).with_prefix(R::NAME).with_message(what)
}

/// A count and its noun, such as "1 position" or "2,000 positions".
fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

fn run_solve<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let directory: &PathBuf = matches.get_one("out").expect("it has a default");
    let precision = if matches.get_flag("exact") { Precision::Fractions } else { Precision::Doubles };
    let most = matches.get_one("max-positions").copied();
    let name = spec::<R>().file_name();
    let path = directory.join(&name);
    publish::require_writable(directory).map_err(Failure::output(path.display().to_string()))?;
    let solution = solve_watched(rules, precision, &watch::<R>(most))?;
    let bytes = solution.encode(rules)?;
    publish_table(directory, &name, &bytes).map_err(Failure::output(path.display().to_string()))?;
    let (positions, size) = (counted(solution.positions() as u64, "position"), counted(bytes.len() as u64, "byte"));
    print_line(format_args!("{}: {positions}, {size}", path.display()))?;
    remark_other_table::<R>(&path, directory);
    Ok(())
}

/// Remarks on another table that `ask` finds before the one that was written.
fn remark_other_table<R: Rules>(written: &Path, directory: &Path) {
    let Some(found) = usual_places::<R>().path_of(&spec::<R>().file_name()) else { return };
    let same = |path: &Path| path.canonicalize().ok();
    if same(&found) != same(written) {
        let (found, written, directory) = (found.display(), written.display(), directory.display());
        remark::<R>(format!("{found} is found before {written}, remove it or pass --tables {directory}"));
    }
}

fn publish_table(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let lock = DirectoryLock::wait(directory)?;
    lock.remove_leftovers(|other| other == name)?;
    publish::replace(directory, name, bytes)
}

fn run_check<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let answers = Answers::open(rules, &places::<R>(matches))?;
    let proof = check(rules, &answers, &watch::<R>(None))?;
    print_line(format_args!(
        "{}: {}: every value follows from what follows the position; the plain solver agrees on {}",
        answers.path().display(),
        counted(proof.positions as u64, "position"),
        counted(proof.sampled as u64, "seeded position")
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
    let asker = Asker { rules, form, answers: Answers::open(rules, &places::<R>(matches))? };
    if let Some(text) = matches.get_one::<String>("position") {
        let answer = asker.answer(text.trim()).map_err(|no_answer| match no_answer {
            NoAnswer::Text(message) => Failure::Usage(format!("arguments: {message}")),
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
    Text(String),
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
    /// The first start, as an example of a position.
    fn example(&self) -> String {
        self.rules.starts().first().map_or_else(String::new, |start| start.to_string())
    }

    /// The remedy for a text that is not a position.
    fn expected(&self) -> String {
        format!("write a position such as '{}'", self.example())
    }

    fn answer(&self, text: &str) -> Result<String, NoAnswer> {
        // Rules may panic at a position that they never lead to.
        catch_unwind(AssertUnwindSafe(|| self.answer_or_panic(text))).unwrap_or_else(|_| {
            let position = text.escape_debug().to_string();
            Err(BadRules::Panicked { position, function: "the rules" }.into())
        })
    }

    fn answer_or_panic(&self, text: &str) -> Result<String, NoAnswer> {
        let quoted = quote(text.as_bytes());
        // The error of `FromStr` may be a remedy itself.
        let position: R::Position = text.parse().map_err(|error| {
            NoAnswer::Text(format!("{quoted} is not a position: {error}; for example '{}'", self.example()))
        })?;
        let detail = if matches!(self.form, Form::Value) { Detail::Value } else { Detail::Moves };
        let Some(explanation) = explain(self.rules, &self.answers, &position, detail)? else {
            let remedy = format!("{} that is", self.expected());
            return Err(NoAnswer::Text(format!("{quoted} is not reached from the start, {remedy}")));
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
            NoAnswer::Text(message) => Failure::Position { case, line, message },
            NoAnswer::Failure(failure) => failure,
        }
    }
}

/// Help and the version go to standard output. Every other message of clap is a usage error.
fn show_clap_message(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print(text.as_bytes()),
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
