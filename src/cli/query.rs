//! Answers the inputs of a game, for judge mode, `--many`, `--explain` and `--json`.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use tabletop::game::{Error, Game, Located};
use tabletop::input::{InputError, Lines};
use tabletop::query::{Form, Writer};

use super::failure::{Failure, say};
use super::input::{open_input, refuse_own_input};
use super::output::Output;

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
pub(super) fn run<G: Game>(game: G, arguments: &QueryArguments) -> Result<(), Failure> {
    let (source, reader) = open_input(arguments.file.as_deref(), G::PROFILE.name, G::PROFILE.format)?;
    let session = Session {
        game: &game,
        writer: Writer::new(&game, arguments.form()),
        source,
        lines: Lines::new(reader),
        text: Vec::new(),
        complete: 0,
    };
    if arguments.many {
        refuse_own_input(arguments.file.as_deref(), arguments.output())?;
        session.answer_many(Output::open(arguments.output())?)
    } else {
        session.answer_one(arguments.output())
    }
}

/// The state while the inputs of one source are answered.
struct Session<'g, G> {
    game: &'g G,
    writer: Writer<'g, G>,
    source: String,
    lines: Lines<Box<dyn Read>>,
    /// Answers that are not written yet.
    text: Vec<u8>,
    /// The length of the part of `text` that answers complete inputs, in bytes.
    complete: usize,
}

impl<G: Game> Session<'_, G> {
    /// Answers the only input. Nothing is written before the whole input is valid and every answer is known. If the
    /// answers exceed [`HELD_BYTES`], they are discarded and computed again while writing: then only writing can fail.
    fn answer_one(mut self, output: Option<&Path>) -> Result<(), Failure> {
        let remedy = "remove it, or pass --many to answer several inputs";
        let cases = Located::read_all::<G>(&mut self.lines, remedy);
        let cases = cases.map_err(|error| self.input_failure(None, error))?;
        let mut is_too_long = false;
        self.writer.begin(&mut self.text);
        for Located { line, case } in &cases {
            let answered = self.writer.answer(case, &mut self.text);
            answered.map_err(|error| self.game_failure(None, *line, error))?;
            self.remark(case, None);
            if self.text.len() > HELD_BYTES {
                self.text.clear();
                is_too_long = true;
            }
        }
        let mut output = Output::open(output)?;
        if is_too_long {
            self.text.clear();
            self.writer.begin(&mut self.text);
            for Located { case, .. } in &cases {
                self.writer.answer(case, &mut self.text)?;
                if self.text.len() >= OUTPUT_BYTES {
                    output.write(&mut self.text)?;
                }
            }
        }
        self.writer.end(&mut self.text);
        output.finish(&mut self.text)
    }

    /// Answers one input after another. The answers before a bad case are written.
    fn answer_many(mut self, mut output: Output) -> Result<(), Failure> {
        let mut case_number = 1;
        let outcome = self.stream(&mut output, &mut case_number);
        if self.writer.form() == Form::Json {
            // The incomplete JSON object of a bad input is not written.
            self.text.truncate(self.complete);
        }
        output.finish(&mut self.text)?;
        outcome.map_err(|stop| match stop {
            Stop::Input(error) => self.input_failure(Some(case_number), error),
            Stop::Failure(failure) => failure,
        })
    }

    fn stream(&mut self, output: &mut Output, case_number: &mut u64) -> Result<(), Stop> {
        loop {
            self.write_if_due(output)?;
            let Some(count) = G::read_count(&mut self.lines)? else { return Ok(()) };
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
        let Located { line, case } = Located::read::<G>(&mut self.lines)?;
        let answered = self.writer.answer(&case, &mut self.text);
        answered.map_err(|error| self.game_failure(Some(case_number), line, error))?;
        self.remark(&case, Some(case_number));
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
    fn remark(&self, case: &G::Case, number: Option<u64>) {
        if let Some(remark) = self.game.remark(case) {
            let number = number.map_or_else(String::new, |number| format!(", case {number}"));
            say(format_args!("{}{number}: {remark}", self.source));
        }
    }

    /// The failure for a case that cannot be answered. A limit is reported at the first line of the case; a table
    /// problem does not depend on the case.
    fn game_failure(&self, case: Option<u64>, line: u64, error: Error) -> Failure {
        match error {
            Error::Limit { reason, remedy } => self.input_failure(case, InputError::malformed(line, reason, remedy)),
            other => other.into(),
        }
    }

    fn input_failure(&self, case: Option<u64>, error: InputError) -> Failure {
        Failure::Input { source: self.source.clone(), case, error }
    }
}

/// Why a stream of inputs ended early.
enum Stop {
    Input(InputError),
    Failure(Failure),
}

impl From<InputError> for Stop {
    fn from(error: InputError) -> Stop {
        Stop::Input(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}
