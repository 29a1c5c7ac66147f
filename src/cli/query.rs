//! Answers the inputs of a game, for judge mode, `--many`, `--explain` and `--json`.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tabletop::door::Failure;
use tabletop::game::{self, AnswerError, Error, Form, Input, Profile, Run, TextGame, TextLines, Writer};
use tabletop::input::{InputError, Lines};

use super::failure::{input_failure, limit_failure, limit_message, say};
use super::input::{open_input, refuse_own_input};
use super::output::Output;
use super::split;

/// Answers are written when at least this many bytes are buffered, or when reading the next input may block.
const OUTPUT_BYTES: usize = 1 << 16;
/// The most bytes of answers to one input that are kept in memory: a million explanations would take gigabytes.
const HELD_BYTES: usize = 1 << 24;

/// What every game's command accepts.
#[derive(Args)]
pub(crate) struct QueryArguments {
    /// The judge's input [default: standard input]
    file: Option<PathBuf>,
    /// Answer any number of concatenated inputs as they come
    #[arg(long)]
    many: bool,
    /// Print where to cut many inputs into parts of N cases
    #[arg(long, value_name = "N", conflicts_with_all = ["many", "explain", "json"])]
    split: Option<u64>,
    /// The answer, then every move with its value, best first
    #[arg(long)]
    explain: bool,
    /// The same as one JSON object per input
    #[arg(long)]
    json: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say how far a long answer has got, also in a pipe
    #[arg(long)]
    progress: bool,
}

impl QueryArguments {
    /// The output file; `None` for standard output.
    pub(super) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Whether answers are JSON.
    pub(super) fn wants_json(&self) -> bool {
        self.json
    }

    /// Whether long computations report their progress: on a terminal, or with `--progress`.
    pub(super) fn shows_progress(&self) -> bool {
        self.progress || io::stderr().is_terminal()
    }

    fn form(&self) -> Form {
        match (self.json, self.explain) {
            (true, _) => Form::Json,
            (false, true) => Form::Explain(Output::paint(self.output())),
            (false, false) => Form::Judge,
        }
    }
}

/// Answers the inputs that the arguments name.
pub(super) fn run(game: &Arc<dyn TextGame>, arguments: &QueryArguments, run: &Run<'_>) -> Result<(), Failure> {
    let (source, lines) = open(game, arguments)?;
    let mut session = Session {
        game,
        run,
        writer: Writer::new(game.profile(), arguments.form()),
        source,
        lines,
        text: Vec::new(),
        complete: 0,
    };
    if !arguments.many && arguments.split.is_none() {
        return session.answer_one(arguments.output());
    }
    refuse_own_input(arguments.file.as_deref(), arguments.output())?;
    let output = Output::open(arguments.output())?;
    match arguments.split {
        Some(size) => session.split(size, output),
        None => session.answer_many(output),
    }
}

/// The input that the arguments name, and its name for messages.
pub(super) fn read_only(
    game: &Arc<dyn TextGame>,
    arguments: &QueryArguments,
) -> Result<(String, Arc<dyn Input>), Failure> {
    let (source, mut lines) = open(game, arguments)?;
    let input = game::read_only(game, &mut lines, "remove it");
    let input = input.map_err(|error| input_failure(&source, None, &error))?;
    Ok((source, input))
}

fn open(game: &Arc<dyn TextGame>, arguments: &QueryArguments) -> Result<(String, TextLines<'static>), Failure> {
    let Profile { name, format, .. } = game.profile();
    let (source, reader) = open_input(arguments.file.as_deref(), name, format)?;
    Ok((source, Lines::new(reader)))
}

/// The state while the inputs of one source are answered.
struct Session<'g> {
    game: &'g Arc<dyn TextGame>,
    run: &'g Run<'g>,
    writer: Writer<'g>,
    source: String,
    lines: TextLines<'static>,
    /// Answers that are not written yet.
    text: Vec<u8>,
    /// The length of the part of `text` that answers complete inputs, in bytes.
    complete: usize,
}

impl Session<'_> {
    /// Answers the only input. Nothing is written before the whole input is valid and every answer is known. If the
    /// answers exceed [`HELD_BYTES`], they are discarded and computed again while writing: then only writing can fail.
    fn answer_one(mut self, output: Option<&Path>) -> Result<(), Failure> {
        let remedy = "remove it, or pass --many to answer several inputs";
        let input = game::read_only(self.game, &mut self.lines, remedy);
        let input = input.map_err(|error| input_failure(&self.source, None, &error))?;
        let mut is_too_long = false;
        self.writer.begin(&mut self.text);
        for case in 0..input.cases() {
            self.writer.separate(&mut self.text);
            let answered = input.answer(case, self.writer.form(), self.run, &mut self.text);
            answered.map_err(|error| game_failure(&self.source, None, input.line(case), error))?;
            self.remark(input.remark(case), None);
            if self.text.len() > HELD_BYTES {
                self.text.clear();
                is_too_long = true;
            }
        }
        let mut output = Output::open(output)?;
        if is_too_long {
            self.text.clear();
            self.writer.begin(&mut self.text);
            for case in 0..input.cases() {
                self.writer.separate(&mut self.text);
                input.answer(case, self.writer.form(), self.run, &mut self.text).map_err(limit_failure)?;
                if self.text.len() >= OUTPUT_BYTES {
                    output.write(&mut self.text)?;
                }
            }
        }
        self.writer.end(&mut self.text);
        output.finish(&mut self.text)
    }

    /// Prints where the inputs can be cut.
    fn split(&mut self, size: u64, mut output: Output) -> Result<(), Failure> {
        if size == 0 {
            return Err(Failure::Usage(String::from("--split: a part has at least one case, write a number from 1")));
        }
        let bad = split::run(&**self.game, &mut self.lines, size, &mut output)?;
        let outcome = bad.map_or(Ok(()), |bad| Err(input_failure(&self.source, Some(bad.case), &bad.error)));
        output.finish_after(outcome, &mut self.text)
    }

    /// Answers one input after another. The answers before a bad case are written, unless they go to a
    /// regular file: that would look complete.
    fn answer_many(mut self, mut output: Output) -> Result<(), Failure> {
        let mut case_number = 1;
        let outcome = self.stream(&mut output, &mut case_number);
        if self.writer.form() == Form::Json {
            // The incomplete JSON object of a bad input is not written.
            self.text.truncate(self.complete);
        }
        let outcome = outcome.map_err(|stop| match stop {
            Stop::Answer(AnswerError::Input(error)) => input_failure(&self.source, Some(case_number), &error),
            Stop::Answer(AnswerError::Game { line, error }) => {
                game_failure(&self.source, Some(case_number), line, error)
            }
            Stop::Failure(failure) => failure,
        });
        output.finish_after(outcome, &mut self.text)
    }

    fn stream(&mut self, output: &mut Output, case_number: &mut u64) -> Result<(), Stop> {
        loop {
            self.write_if_due(output)?;
            let Some(count) = self.game.read_count(&mut self.lines)? else { return Ok(()) };
            self.writer.begin(&mut self.text);
            for _ in 0..count {
                self.answer_next(output, *case_number)?;
                *case_number += 1;
            }
            self.writer.end(&mut self.text);
            self.complete = self.text.len();
        }
    }

    fn answer_next(&mut self, output: &mut Output, case_number: u64) -> Result<(), Stop> {
        if self.writer.form() != Form::Json {
            self.write_if_due(output)?;
        }
        self.writer.separate(&mut self.text);
        let remark = self.game.answer_next(&mut self.lines, self.writer.form(), self.run, &mut self.text)?;
        self.remark(remark, Some(case_number));
        Ok(())
    }

    /// Writes the buffered answers if reading may block, or if they reach [`OUTPUT_BYTES`].
    fn write_if_due(&mut self, output: &mut Output) -> Result<(), Failure> {
        if self.lines.may_wait() || self.text.len() >= OUTPUT_BYTES {
            self.complete = 0;
            output.write(&mut self.text)?;
        }
        Ok(())
    }

    /// Prints the game's remark on a case, if there is one. `number` is the number of the case with `--many`.
    fn remark(&self, remark: Option<String>, number: Option<u64>) {
        if let Some(remark) = remark {
            let number = number.map_or_else(String::new, |number| format!(", case {number}"));
            say(format_args!("{}{number}: {remark}", self.source));
        }
    }
}

/// The failure for a case that cannot be answered. A limit is reported at the first line of the case; a table problem
/// does not depend on the case.
#[cold]
pub(super) fn game_failure(source: &str, case: Option<u64>, line: u64, error: Error) -> Failure {
    match error {
        Error::Table(error) => error.into(),
        other => {
            let (reason, remedy) = limit_message(other);
            input_failure(source, case, &InputError::malformed(line, reason, remedy))
        }
    }
}

/// Why a stream of inputs ended early.
enum Stop {
    Answer(AnswerError),
    Failure(Failure),
}

impl<E: Into<AnswerError>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Answer(error.into())
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}
