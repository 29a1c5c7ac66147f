//! The report at the end of a test, as text and as JSON.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;

use serde::Serialize;
use tabletop::game::Points;
use tabletop::text::visible_lines;

use crate::stress::{Outcome, Record, Test};
use crate::verdict::Verdict;

/// Maximum number of printed lines of an input, an output or a message.
const SHOWN_LINES: usize = 24;
/// Maximum number of printed characters of a line.
const SHOWN_COLUMNS: usize = 200;

/// The report of a test.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The name of the game.
    pub game: String,
    /// Accepted if every run was accepted, otherwise the verdict of the first run that was not.
    pub verdict: Verdict,
    /// The number of judged inputs.
    pub inputs: u64,
    /// The number of planned inputs.
    pub planned: u64,
    /// The number of inputs per verdict.
    pub counts: BTreeMap<&'static str, u64>,
    /// The number of answers that were the other rounding of an exact tie.
    pub ties: u64,
    /// The slowest run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Slowest>,
    /// The peak memory of a process of the command, in bytes.
    pub peak_memory: u64,
    /// The sum of the command's points, and of ours in the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// The input files on which the command failed.
    pub refused: Vec<Refused>,
    /// The drawn input on which the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Counterexample>,
    /// The signal that ended the test early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
}

/// The slowest run.
#[derive(Debug, Serialize)]
pub struct Slowest {
    /// The name of the input.
    pub input: String,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// An input file on which the command failed.
#[derive(Debug, Serialize)]
pub struct Refused {
    /// The file.
    pub input: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason for the verdict.
    pub reason: String,
}

/// A shrunk input on which the command fails.
#[derive(Debug, Serialize)]
pub struct Counterexample {
    /// The number of the original input, from 1.
    pub number: u64,
    /// The kind of the original input.
    pub kind: &'static str,
    /// The seed of the original input.
    pub seed: u64,
    /// The reason for the verdict.
    pub reason: String,
    /// A short description of the input.
    pub about: String,
    /// The input.
    pub input: String,
    /// Our answer.
    pub expected: String,
    /// The beginning of the command's standard output.
    pub found: String,
    /// The beginning of the command's standard error.
    pub errors: String,
    /// The number of inputs tried while shrinking.
    pub tried: u64,
    /// Whether shrinking finished: no smaller candidate gets the same verdict.
    pub is_smallest: bool,
    /// The file of the saved input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The command line that judges the saved input again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl Report {
    /// Summarises the records of a test.
    pub fn new(test: &Test<'_>, outcome: &Outcome) -> Report {
        let records = &outcome.records;
        let name = |record: &Record| test.input_name(record.number);
        let mut counts: BTreeMap<&'static str, u64> = Verdict::ALL.map(|verdict| (verdict.name(), 0)).into();
        let mut points: Option<Points> = None;
        for record in records {
            *counts.entry(record.judgement.verdict.name()).or_default() += 1;
            if let Some(more) = record.judgement.points {
                let sum = points.get_or_insert_default();
                sum.command += more.command;
                sum.ours += more.ours;
            }
        }
        let refused = records.iter().filter(|record| !record.judgement.is_accepted());
        let verdict = refused.clone().next().map_or(Verdict::Accepted, |record| record.judgement.verdict);
        let refused = refused.map(|record| {
            let (verdict, reason) = (record.judgement.verdict, record.judgement.reason.clone());
            Refused { input: name(record), verdict, reason }
        });
        let slowest = records.iter().max_by_key(|record| record.time);
        Report {
            game: test.game.profile().name.to_owned(),
            verdict,
            inputs: records.len() as u64,
            planned: test.source.inputs(),
            counts,
            ties: records.iter().map(|record| record.judgement.ties).sum(),
            slowest: slowest.map(|slow| Slowest { input: name(slow), seconds: slow.time.as_secs_f64() }),
            peak_memory: records.iter().map(|record| record.memory).max().unwrap_or(0),
            points,
            refused: if outcome.failing.is_some() { Vec::new() } else { refused.collect() },
            failure: None,
            signal: outcome.signal,
        }
    }

    /// The report as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for Refused { input, verdict, reason } in &self.refused {
            line(&mut text, format_args!("{verdict} on {input}: {reason}"));
        }
        if let Some(failure) = &self.failure {
            self.write_failure(failure, &mut text);
        }
        let counts: Vec<String> = Verdict::ALL
            .iter()
            .filter_map(|verdict| Some((verdict.name(), *self.counts.get(verdict.name())?)))
            .filter(|&(_, count)| count > 0)
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        let counts = if counts.is_empty() { String::from("none judged") } else { counts.join(", ") };
        line(&mut text, format_args!("{}: {counts}, of {} inputs", self.game, self.planned));
        if self.signal.is_some() {
            line(&mut text, format_args!("ended by a signal after {} inputs", self.inputs));
        }
        if let Some(Slowest { input, seconds }) = &self.slowest {
            line(&mut text, format_args!("slowest: {seconds:.3} s on {input}"));
        }
        if self.peak_memory > 0 {
            line(&mut text, format_args!("peak memory: {:.1} MiB", self.peak_memory as f64 / f64::from(1 << 20)));
        }
        if self.ties > 0 {
            line(&mut text, format_args!("ties: {} answers are the other rounding of an exact tie", self.ties));
        }
        if let Some(Points { command, ours }) = self.points {
            line(&mut text, format_args!("points: {command}, ours in the same time {ours}"));
        }
        text
    }

    fn write_failure(&self, failure: &Counterexample, text: &mut String) {
        line(text, format_args!("{}: {}", self.verdict, failure.reason));
        let about = if failure.about.is_empty() { String::new() } else { format!(" ({})", failure.about) };
        let Counterexample { number, kind, seed, tried, .. } = failure;
        let until = if failure.is_smallest { "" } else { ", until its time was over" };
        line(
            text,
            format_args!("found on input {number} ({kind}, seed {seed}), made smaller in {tried} runs{until}{about}:"),
        );
        block(text, &failure.input);
        line(text, format_args!("expected:"));
        block(text, &failure.expected);
        line(text, format_args!("found:"));
        block(text, &failure.found);
        if !failure.errors.is_empty() {
            line(text, format_args!("on standard error:"));
            block(text, &failure.errors);
        }
        if let Some(file) = &failure.file {
            line(text, format_args!("saved as {file}"));
        }
        if let Some(command) = &failure.command {
            line(text, format_args!("judge it again: {command}"));
        }
        text.push('\n');
    }
}

/// Quotes a command line for a shell.
pub fn shell_line(words: impl IntoIterator<Item = OsString>) -> String {
    let quoted = words.into_iter().map(|word| {
        let word = word.to_string_lossy();
        shlex::try_quote(&word).map(|quoted| quoted.into_owned()).unwrap_or_else(|_| word.into_owned())
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Escapes control characters in the command's output, which could change the terminal.
    writeln!(text, "{}", visible_lines(&line.to_string())).expect("writing to a string cannot fail");
}

/// Appends the first lines of a text, indented.
fn block(text: &mut String, block: &str) {
    let lines: Vec<&str> = block.lines().collect();
    for shown in lines.iter().take(SHOWN_LINES) {
        let cut: String = shown.chars().take(SHOWN_COLUMNS).collect();
        let dots = if cut.len() < shown.len() { "…" } else { "" };
        line(text, format_args!("  {cut}{dots}"));
    }
    if lines.len() > SHOWN_LINES {
        line(text, format_args!("  … and {} lines more", lines.len() - SHOWN_LINES));
    }
}
