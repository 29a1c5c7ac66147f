//! Answers the inputs of a game, for judge mode, `--many`, `--explain` and `--json`.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use tabletop::explain::Paint;
use tabletop::game::{Error, Game};
use tabletop::input::{InputError, Lines};
use tabletop::query::{Form, Writer};

use super::failure::{Failure, say};
use super::output::Output;
use super::stdout_paint;

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
            (false, true) => Form::Explain(if self.output.is_some() { Paint::Plain } else { stdout_paint() }),
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
        refuse_own_input(arguments)?;
        session.answer_many(Output::open(arguments.output())?)
    } else {
        session.answer_one(arguments.output())
    }
}

/// Opens the named input, or standard input. Returns its name for messages, and the reader.
pub(super) fn open_input(file: Option<&Path>, game: &str, format: &str) -> Result<(String, Box<dyn Read>), Failure> {
    match file {
        Some(path) if path != Path::new("-") => {
            let name = path.display().to_string();
            match File::open(path) {
                Ok(file) => Ok((name, Box::new(file))),
                Err(error) => Err(Failure::Input { source: name, case: None, error: InputError::Unreadable(error) }),
            }
        }
        _ => {
            if io::stdin().is_terminal() {
                say(format_args!("{game}: reading from the terminal, {format}, end with Ctrl-D"));
            }
            Ok((String::from("stdin"), Box::new(io::stdin().lock())))
        }
    }
}

/// Refuses an output that is also the input: after a bad case, the answers so far would replace the whole input.
fn refuse_own_input(arguments: &QueryArguments) -> Result<(), Failure> {
    let Some(output) = arguments.output().filter(|path| *path != Path::new("-")) else { return Ok(()) };
    let input = match &arguments.file {
        Some(path) if path != Path::new("-") => FileIdentity::of_path(path),
        _ => FileIdentity::of_stdin(),
    };
    match (input, FileIdentity::of_path(output)) {
        (Some(input), Some(other)) if input == other => {
            Err(Failure::Usage(format!("{}: is the input and the output, name another output", output.display())))
        }
        _ => Ok(()),
    }
}

/// Identifies a file independently of its name. Links to the same file are equal.
#[cfg(unix)]
#[derive(PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileIdentity {
    fn of_path(path: &Path) -> Option<FileIdentity> {
        FileIdentity::of(&path.metadata().ok()?)
    }

    fn of_stdin() -> Option<FileIdentity> {
        use std::os::fd::AsFd;
        let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
        FileIdentity::of(&File::from(stdin).metadata().ok()?)
    }

    /// `None` unless it is a regular file: other files, such as a terminal or the null device, may be input and output.
    fn of(metadata: &std::fs::Metadata) -> Option<FileIdentity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| FileIdentity { device: metadata.dev(), inode: metadata.ino() })
    }
}

/// Identifies a file by its full path.
#[cfg(not(unix))]
#[derive(PartialEq, Eq)]
struct FileIdentity(PathBuf);

#[cfg(not(unix))]
impl FileIdentity {
    fn of_path(path: &Path) -> Option<FileIdentity> {
        path.canonicalize().ok().map(FileIdentity)
    }

    fn of_stdin() -> Option<FileIdentity> {
        None
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
        let cases = self.read_one().map_err(|error| self.input_failure(None, error))?;
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

    fn read_one(&mut self) -> Result<Vec<Located<G::Case>>, InputError> {
        let count = G::read_count(&mut self.lines)?;
        let count = count.ok_or_else(|| InputError::malformed(1, "the input is empty", G::PROFILE.format))?;
        let mut cases = Vec::new();
        for _ in 0..count {
            cases.push(self.read_case()?);
        }
        self.lines.require_end("remove it, or pass --many to answer several inputs")?;
        Ok(cases)
    }

    fn read_case(&mut self) -> Result<Located<G::Case>, InputError> {
        let line = self.lines.next_number();
        Ok(Located { line, case: G::read(&mut self.lines)? })
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
        let Located { line, case } = self.read_case()?;
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

/// A case and the number of its first line.
struct Located<C> {
    line: u64,
    case: C,
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
