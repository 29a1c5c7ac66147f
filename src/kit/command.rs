//! The program of a game: `solve`, `count`, `ask`, `play`, `check` and `stats`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use indicatif::HumanCount;

use super::ask::{self, START, expected, guarded};
use super::check::check;
use super::error::{BadRules, Fault};
use super::explain::{Detail, Explanation, explain};
use super::explore::{Watch, explore};
use super::failure::Failure;
use super::file::{Answers, MAX_DECIMALS, spec};
use super::no_answer::NoAnswer;
use super::play::{Setup, Side, play};
use super::ranked::{MaySolve, Solved, Staged, Work, count_ranked, has_many_ranks, not_by_stages};
use super::rules::{Cycles, Rules};
use super::solve::{Precision, check_name, solve_watched};
use super::speak::speak;
use super::stats::stats;
use crate::bars::Bars;
use crate::door;
use crate::game::program::SPEAK;
use crate::input::{Lines, quote};
use crate::publish::{self, DirectoryLock};
use crate::table::{Mismatch, Places, TableError};
use crate::text::{self, visible, visible_path};

/// The directory that `solve` writes to without `--out`. It is also the first directory that is searched.
const DEFAULT_DIRECTORY: &str = "tables";
/// The number of positions at which `solve` remarks on their number.
const MANY_POSITIONS: u64 = 50_000_000;
/// A game with stages and more positions is solved stage by stage, with files. It is more than a few seconds of work.
const MOST_AT_ONCE: u64 = 1 << 20;
/// With `--many`, answers are printed when this many bytes are buffered, or before a read that may block.
const OUTPUT_BYTES: usize = 1 << 16;

/// Runs the program of a game with the arguments of this process.
pub fn main<R: Rules>(rules: R) -> ExitCode {
    main_with(&rules, env::args_os().collect())
}

/// Runs the program of a game with these arguments. The first one is the name of the program.
pub fn main_with<R: Rules>(rules: &R, mut arguments: Vec<OsString>) -> ExitCode {
    let program = arguments.first().and_then(|first| program_name(Path::new(first)));
    let program = program.unwrap_or_else(|| rules.name().to_owned());
    match arguments.first_mut() {
        Some(first) => *first = OsString::from(&program),
        None => arguments.push(OsString::from(&program)),
    }
    match run(rules, &program, arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&program),
    }
}

/// How messages name a program: the command of a script in Python, and any other program without its directory.
fn program_name(path: &Path) -> Option<String> {
    match path.extension() {
        Some(extension) if extension == "py" => Some(format!("python3 {}", path.to_str()?)),
        _ => path.file_stem()?.to_str().map(str::to_owned),
    }
}

/// Runs the program with these arguments. The rules may panic wherever they are called.
pub(super) fn run<R: Rules>(rules: &R, program: &str, arguments: Vec<OsString>) -> Result<(), Failure> {
    let outcome = catch_unwind(AssertUnwindSafe(|| run_or_panic(rules, program, arguments)));
    outcome.unwrap_or(Err(Failure::panicked()))
}

fn run_or_panic<R: Rules>(rules: &R, program: &str, arguments: Vec<OsString>) -> Result<(), Failure> {
    let mut command = command_line(rules, program);
    if arguments.iter().any(|argument| is_mistyped_option::<R>(&command, argument)) {
        // Otherwise a mistyped option is a position, and the position after it is one too many.
        for name in WITH_POSITION {
            command = command.mut_subcommand(name, |subcommand| {
                subcommand.mut_arg("position", |position| position.allow_hyphen_values(false))
            });
        }
    }
    match command.try_get_matches_from(arguments) {
        Ok(matches) => dispatch(rules, &matches),
        Err(message) => door::show(&message).map(drop).map_err(Failure::Door),
    }
}

/// The commands that take a position, which may begin with a hyphen.
const WITH_POSITION: [&str; 2] = ["ask", "play"];

/// Whether an argument looks like an option, but is neither an option of a command with a position nor a position.
fn is_mistyped_option<R: Rules>(command: &Command, argument: &OsStr) -> bool {
    let Some(option) = argument.to_str().and_then(|text| text.strip_prefix("--")) else { return false };
    let name = option.split('=').next().unwrap_or(option);
    let mut known = WITH_POSITION.iter().filter_map(|name| command.find_subcommand(name));
    let is_known = ["", "help", "version"].contains(&name)
        || known.any(|command| command.get_arguments().any(|known| known.get_long() == Some(name)));
    !is_known && format!("--{option}").parse::<R::Position>().is_err()
}

fn command_line<R: Rules>(rules: &R, program: &str) -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help).action(ArgAction::SetTrue);
    let directory = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("DIR").help(help).value_parser(value_parser!(PathBuf))
    };
    let jobs = Arg::new("jobs")
        .long("jobs")
        .value_name("N")
        .help("Use N threads [default: one per core]")
        .value_parser(value_parser!(u16).range(1..));
    let memory = Arg::new("memory")
        .long("memory")
        .value_name("SIZE")
        .help("Use at most SIZE of memory, such as 8G or 500M [default: half of this machine's]")
        .value_parser(memory_size);
    let most = Arg::new("max-positions")
        .long("max-positions")
        .value_name("N")
        .help("Stop if the game has more than N positions")
        .value_parser(value_parser!(u64).range(1..));
    let tables = directory("tables", "Look for the table in DIR and nowhere else");
    let position =
        |help: &'static str| Arg::new("position").value_name("POSITION").help(help).allow_hyphen_values(true);
    Command::new(spec(rules).name)
        .bin_name(program)
        .about(rules.about().to_owned())
        .version(concat!("made with tabletop ", env!("CARGO_PKG_VERSION")))
        .subcommand_required(true)
        .subcommand(
            Command::new("solve")
                .about("Solve the game and write its table")
                .arg(directory("out", "Write the table into DIR").default_value(DEFAULT_DIRECTORY))
                .arg(flag("exact", "Work values out as fractions").conflicts_with("digits"))
                .arg(
                    Arg::new("digits")
                        .long("digits")
                        .value_name("N")
                        .help("Round values to N decimals, for a smaller table")
                        .value_parser(value_parser!(u16).range(..=i64::from(MAX_DECIMALS))),
                )
                .arg(flag("list", "Print the stages of the game as JSON lines, and solve none"))
                .arg(
                    Arg::new("only")
                        .long("only")
                        .value_name("STAGE")
                        .help("Solve one stage, after those that it depends on")
                        .value_parser(value_parser!(u32)),
                )
                .arg(flag("merge", "Write the table from the files of all stages"))
                .group(ArgGroup::new("stages").args(["list", "only", "merge"]).conflicts_with("exact"))
                .arg(most.clone())
                .arg(memory.clone())
                .arg(jobs.clone()),
        )
        .subcommand(
            Command::new("count")
                .about("Count the positions of the game without solving it")
                .arg(most)
                .arg(memory)
                .arg(jobs.clone()),
        )
        .subcommand(
            Command::new("ask")
                .about("What a position is worth, and which moves are best")
                .arg(position("The position, or `start` [default: a line of standard input, the start on a terminal]"))
                .arg(flag("many", "Answer every line of standard input as it comes").conflicts_with("position"))
                .arg(flag("explain", "The value, then every move with its value, best first"))
                .arg(flag("json", "The same as one JSON object per position"))
                .arg(tables.clone()),
        )
        .subcommand(
            Command::new("play")
                .about("Play against the table")
                .arg(position("The position to begin with [default: the start]"))
                .arg(
                    Arg::new("side")
                        .long("side")
                        .value_name("SIDE")
                        .help("The players for whom you choose; the table plays for the others")
                        .default_value("first")
                        .value_parser(PossibleValuesParser::new(Side::NAMES.map(|(name, _)| name)).map(side_of)),
                )
                .arg(
                    Arg::new("seed")
                        .long("seed")
                        .value_name("N")
                        .help("The same throws for the same number [default: new throws]")
                        .value_parser(value_parser!(u64)),
                )
                .arg(tables.clone()),
        )
        .subcommand(
            Command::new("check")
                .about("Prove the table: every value follows from what follows the position")
                .arg(tables.clone())
                .arg(jobs.clone()),
        )
        .subcommand(
            Command::new(SPEAK).about("Answer the doors of tabletop, by lines of JSON").hide(true).arg(tables.clone()),
        )
        .subcommand(Command::new("stats").about("Facts about the solved game, with examples").arg(tables).arg(jobs))
}

fn dispatch<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    match name {
        "solve" => in_pool(matches, || run_solve(rules, matches)),
        "count" => in_pool(matches, || run_count(rules, matches)),
        "ask" => run_ask(rules, matches),
        "play" => run_play(rules, matches),
        SPEAK => {
            let answers = Answers::open(rules, &places(rules, matches))?;
            speak(&answers).map_err(Failure::Door)
        }
        "check" => in_pool(matches, || run_check(rules, matches)),
        _ => in_pool(matches, || {
            let answers = Answers::open(rules, &places(rules, matches))?;
            print(watched(rules, Limits::NONE, |watch| stats(rules, &answers, watch))?.as_bytes())
        }),
    }
}

/// Runs `work` in a thread pool of `--jobs` threads.
fn in_pool(matches: &ArgMatches, work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    let jobs: u16 = matches.get_one("jobs").copied().unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(jobs)).build();
    let pool = pool.map_err(|error| Failure::usage(format!("--jobs {jobs}: {error}, ask for fewer threads")))?;
    pool.install(work)
}

fn places<R: Rules>(rules: &R, matches: &ArgMatches) -> Places {
    let directory: Option<&PathBuf> = matches.get_one("tables");
    directory.map_or_else(|| usual_places(rules), Places::only)
}

/// Where the table is looked for without `--tables`: first where `solve` writes it.
fn usual_places<R: Rules>(rules: &R) -> Places {
    Places::from_environment_with(Path::new(DEFAULT_DIRECTORY)).holding(&spec(rules).file_name())
}

/// What a program may use.
struct Limits {
    most: Option<u64>,
    memory: u64,
}

impl Limits {
    /// No limits but those of the machine.
    const NONE: Limits = Limits { most: None, memory: u64::MAX };

    fn of(matches: &ArgMatches) -> Limits {
        let memory = matches.get_one("memory").copied().unwrap_or_else(half_of_memory);
        Limits { most: matches.get_one("max-positions").copied(), memory }
    }
}

/// A number of bytes with an optional `K`, `M`, `G` or `T`.
fn memory_size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.char_indices().last() {
        Some((end, 'K' | 'k')) => (&text[..end], 10),
        Some((end, 'M' | 'm')) => (&text[..end], 20),
        Some((end, 'G' | 'g')) => (&text[..end], 30),
        Some((end, 'T' | 't')) => (&text[..end], 40),
        _ => (text, 0),
    };
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << shift));
    size.ok_or_else(|| String::from("write a whole number of bytes, or one with K, M, G or T, such as 8G"))
}

/// Half of the memory of the machine or of the container in bytes, or no limit where the system does not say it.
fn half_of_memory() -> u64 {
    let text = |path| std::fs::read_to_string(path).unwrap_or_default();
    let machine = text("/proc/meminfo");
    let total = machine.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let machine =
        total.and_then(|total| total.trim().trim_end_matches(" kB").parse::<u64>().ok()).map(|kib| kib * 1024);
    // "max" is no number.
    let container = text("/sys/fs/cgroup/memory.max").trim().parse::<u64>().ok();
    machine.into_iter().chain(container).min().map_or(u64::MAX, |bytes| bytes / 2)
}

/// Runs `work` with a watch that reports to standard error.
fn watched<R: Rules, T>(rules: &R, limits: Limits, work: impl FnOnce(&Watch<'_>) -> T) -> T {
    let bars = Bars::new(rules.name());
    let progress = |what: &'static str, steps: u64| bars.steps(what, steps);
    let remark = |line: String| remark(rules, line);
    let Limits { most, memory } = limits;
    work(&Watch { progress: &progress, most, memory, many: MANY_POSITIONS, remark: &remark })
}

/// Prints a line to standard error.
fn remark<R: Rules>(rules: &R, line: String) {
    door::say(rules.name(), visible(&line));
}

/// The side of one of its names.
fn side_of(name: String) -> Side {
    let side = Side::NAMES.into_iter().find(|(other, _)| *other == name);
    side.expect("clap accepts no other name").1
}

/// A count and its noun, such as "1 position" or "2,000 positions".
fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

fn run_solve<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let directory: &PathBuf = matches.get_one("out").expect("it has a default");
    let precision = if matches.get_flag("exact") { Precision::Fractions } else { Precision::Doubles };
    let name = spec(rules).file_name();
    let path = directory.join(&name);
    publish::require_writable(directory).map_err(Failure::output(path.display().to_string()))?;
    require_free(rules, directory, &path)?;
    let by_stages = precision == Precision::Doubles && rules.explored().is_none();
    let work = match by_stages && (rules.ranks().is_some() || has_stages(rules)) {
        true => Some(Work::beside_table(rules, directory).map_err(Failure::output(path.display().to_string()))?),
        false => None,
    };
    let settings = Settings { precision, digits: matches.get_one("digits").copied().or(rules.digits()), work };
    let limits = Limits::of(matches);
    if matches.get_flag("list") || matches.contains_id("only") {
        return watched(rules, limits, |watch| run_stages(rules, &settings, watch, matches.get_one("only").copied()));
    }
    let may_solve = if matches.get_flag("merge") { MaySolve::Nothing } else { MaySolve::Everything };
    let (positions, bytes) = watched(rules, limits, |watch| solved_table(rules, &settings, may_solve, watch))?;
    publish_table(rules, directory, &name, &bytes).map_err(Failure::output(path.display().to_string()))?;
    if let Some(work) = &settings.work {
        work.remove().map_err(Failure::output(work.directory.display().to_string()))?;
    }
    let (positions, size) = (counted(positions as u64, "position"), counted(bytes.len() as u64, "byte"));
    print_line(format_args!("{}: {positions}, {size}", visible_path(&path)))?;
    remark_other_table(rules, &path, directory);
    Ok(())
}

/// How a game is solved.
struct Settings {
    precision: Precision,
    /// The number of decimals of the values in the table.
    digits: Option<u16>,
    /// The files of finished stages.
    work: Option<Work>,
}

/// Lists the stages, or solves one of them.
fn run_stages<R: Rules>(rules: &R, settings: &Settings, watch: &Watch<'_>, only: Option<u32>) -> Result<(), Failure> {
    check_name(rules)?;
    let work = settings.work.as_ref().ok_or_else(not_by_stages)?;
    let staged = Staged::begin(rules, watch, Some(work))?.ok_or_else(not_by_stages)?;
    if let Some(number) = only {
        return staged.solve_only(number);
    }
    let mut lines = String::new();
    for stage in staged.list()? {
        lines += &serde_json::to_string(&stage).expect("numbers and words can be encoded");
        lines.push('\n');
    }
    print(lines.as_bytes())
}

/// Solves a game, or takes over its solved stages. Returns its number of positions and the bytes of its table.
fn solved_table<R: Rules>(
    rules: &R,
    settings: &Settings,
    may_solve: MaySolve,
    watch: &Watch<'_>,
) -> Result<(usize, Vec<u8>), Failure> {
    let Settings { precision, digits, work } = settings;
    let whole = |watch: &Watch<'_>| {
        let solution = solve_watched(rules, *precision, watch)?;
        Ok((solution.positions(), solution.encode_rounded(rules, *digits, watch)?))
    };
    let Some(work) = work else {
        return if may_solve == MaySolve::Nothing { Err(not_by_stages()) } else { Ok(whole(watch)?) };
    };
    // Bounds depend on how they are computed, so they are always computed in one way, whatever the memory.
    let has_bounds = matches!(rules.cycles(), Cycles::Iterate { .. });
    if !(has_many_ranks(rules) || has_bounds || may_solve == MaySolve::Nothing || work.has_positions()) {
        let most = watch.most.map_or(MOST_AT_ONCE, |most| most.min(MOST_AT_ONCE));
        let is_large = |fault: &Fault| match fault {
            Fault::MorePositions { most, .. } => watch.most.is_none_or(|allowed| *most < allowed),
            Fault::Memory { .. } => true,
            _ => false,
        };
        match whole(&Watch { most: Some(most), ..*watch }) {
            Err(BadRules { fault, .. }) if is_large(&fault) => {}
            solved => return Ok(solved?),
        }
    }
    check_name(rules)?;
    if let Some(staged) = Staged::begin(rules, watch, Some(work))? {
        match staged.finish(may_solve)? {
            Solved::Whole(ranked) => return Ok((ranked.positions(), ranked.encode(rules, *digits, watch)?)),
            Solved::Missing(stage) => {
                return Err(Failure::usage(format!(
                    "--merge: stage {stage} is not solved, run `solve --only {stage}` first"
                )));
            }
            Solved::Otherwise => {}
        }
    }
    if may_solve == MaySolve::Nothing {
        return Err(not_by_stages());
    }
    Ok(whole(watch)?)
}

/// Whether the rules divide the game into stages.
fn has_stages<R: Rules>(rules: &R) -> bool {
    let has_stage = |start: R::Position| rules.stage(&rules.canonical(start)).is_some();
    // A panic is reported when positions are searched.
    catch_unwind(AssertUnwindSafe(|| rules.starts().into_iter().next().is_some_and(has_stage))).unwrap_or(false)
}

fn run_count<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let count = watched(rules, Limits::of(matches), |watch| match has_many_ranks(rules) {
        true => count_ranked(rules, watch),
        false => explore(rules, watch).map(|graph| graph.len() as u64),
    })?;
    print_line(counted(count, "position"))
}

/// Refuses to replace a directory or the table of another game.
fn require_free<R: Rules>(rules: &R, directory: &Path, path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::output(path.display())(io::ErrorKind::IsADirectory.into()));
    }
    match Places::only(directory).open::<u8>(spec(rules)) {
        Err(TableError::Mismatched { mismatch: Mismatch::Table { found, .. }, .. }) => {
            Err(Failure::occupied(path, &found))
        }
        _ => Ok(()),
    }
}

/// Remarks on another table that `ask` finds before the one that was written.
fn remark_other_table<R: Rules>(rules: &R, written: &Path, directory: &Path) {
    let Some(found) = usual_places(rules).path_of(&spec(rules).file_name()) else { return };
    let same = |path: &Path| path.canonicalize().ok();
    if same(&found) != same(written) {
        let (found, written, directory) = (found.display(), written.display(), directory.display());
        remark(rules, format!("{found} is found before {written}, remove it or pass --tables {directory}"));
    }
}

fn publish_table<R: Rules>(rules: &R, directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let lock = DirectoryLock::wait(directory, |line| remark(rules, line))?;
    lock.remove_leftovers(|other| other == name)?;
    publish::replace(directory, name, bytes)
}

fn run_check<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let answers = Answers::open(rules, &places(rules, matches))?;
    let proof = watched(rules, Limits::NONE, |watch| check(rules, &answers, watch))?;
    print_line(format_args!(
        "{}: {}: every value follows from what follows the position; the plain solver agrees on {}",
        visible_path(answers.path()),
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
    let asker = Asker { rules, form, answers: Answers::open(rules, &places(rules, matches))? };
    let (text, is_many) = (matches.get_one::<String>("position"), matches.get_flag("many"));
    if text.is_some() || !is_many && has_no_input() {
        let answer = asker.answer(text.map(|text| text.trim())).map_err(NoAnswer::in_arguments)?;
        return print(answer.as_bytes());
    }
    if io::stdin().is_terminal() {
        remark(rules, format!("reading positions, one per line, from the terminal, {}", expected(rules)));
    }
    if is_many { asker.answer_many() } else { asker.answer_one() }
}

/// Whether standard input is a terminal, or ends at once. A blank line is an input, without a position.
fn has_no_input() -> bool {
    io::stdin().is_terminal() || io::stdin().lock().fill_buf().is_ok_and(|bytes| bytes.is_empty())
}

fn run_play<R: Rules>(rules: &R, matches: &ArgMatches) -> Result<(), Failure> {
    let answers = Answers::open(rules, &places(rules, matches))?;
    let text = matches.get_one::<String>("position");
    let start = position(rules, text.map(|text| text.trim())).map_err(NoAnswer::in_arguments)?;
    let setup = Setup {
        side: matches.get_one("side").copied().expect("it has a default"),
        seed: matches.get_one("seed").copied(),
        has_prompt: io::stdin().is_terminal(),
    };
    let played = play(rules, &answers, &start, setup, io::stdin().lock(), io::stdout().lock())?;
    played.ok_or_else(|| not_reached(rules, &start).in_arguments())
}

/// The position of a text, see [`ask::position`].
fn position<R: Rules>(rules: &R, text: Option<&str>) -> Result<R::Position, NoAnswer> {
    ask::position(rules, text, |line| remark(rules, line))
}

fn not_reached<R: Rules>(rules: &R, position: &R::Position) -> NoAnswer {
    let quoted = quote(position.to_string().as_bytes());
    NoAnswer::Text(format!("{quoted} is not reached from the start, {} that is", expected(rules)))
}

struct Asker<'a, R: Rules> {
    rules: &'a R,
    answers: Answers<'a, R>,
    form: Form,
}

impl<R: Rules> Asker<'_, R> {
    /// The answer to a text, or to the first start if there is none.
    fn answer(&self, text: Option<&str>) -> Result<String, NoAnswer> {
        guarded(text.unwrap_or(START), || self.answer_or_panic(text))
    }

    fn answer_or_panic(&self, text: Option<&str>) -> Result<String, NoAnswer> {
        let position = position(self.rules, text)?;
        let detail = if matches!(self.form, Form::Value) { Detail::Value } else { Detail::Moves };
        let Some(explanation) = explain(self.rules, &self.answers, &position, detail)? else {
            return Err(not_reached(self.rules, &position));
        };
        Ok(match self.form {
            Form::Value => explanation.value_line(),
            Form::Explanation => explanation.text(),
            Form::Json => explanation.to_json() + "\n",
        })
    }

    /// Answers the single line of standard input.
    fn answer_one(&self) -> Result<(), Failure> {
        let mut lines = Lines::new(io::stdin().lock());
        let input = Failure::input(None);
        let expected = expected(self.rules);
        let line = lines.require_line(&expected).map_err(&input)?;
        let number = line.number;
        let text = line.text().map_err(&input)?.to_owned();
        lines.require_end("remove it, or pass --many to answer several positions").map_err(input)?;
        let answer = self.answer(Some(&text)).map_err(|no_answer| no_answer.at(number, None))?;
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
                Err(error) => Err(Failure::input(Some(case))(error)),
                Ok(Some(line)) => match line.text() {
                    Err(error) => Err(Failure::input(Some(case))(error)),
                    Ok(text) => self.answer(Some(text)).map_err(|no_answer| no_answer.at(line.number, Some(case))),
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
            NoAnswer::Text(message) => {
                let case = case.map_or(String::new(), |case| format!("case {case}, "));
                Failure::usage(format!("stdin, {case}line {line}: {}", visible(&message)))
            }
            no_answer => no_answer.into(),
        }
    }

    fn in_arguments(self) -> Failure {
        match self {
            NoAnswer::Text(message) => Failure::usage(format!("arguments: {}", visible(&message))),
            no_answer => no_answer.into(),
        }
    }
}

impl Explanation {
    /// The value alone.
    pub(super) fn value_line(&self) -> String {
        format!("{}\n", self.root.value.whole)
    }

    /// One JSON object.
    pub(super) fn to_json(&self) -> String {
        String::from_utf8(text::to_json(self)).expect("JSON is UTF-8")
    }
}

/// Prints a line to standard output.
fn print_line(line: impl Display) -> Result<(), Failure> {
    print(format!("{line}\n").as_bytes())
}

/// Writes a complete answer to standard output.
fn print(answer: &[u8]) -> Result<(), Failure> {
    door::print(answer).map_err(Failure::Door)
}
