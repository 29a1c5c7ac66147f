//! Asking a game: the one driver behind judge mode, `--many`, `--explain` and `--json`.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::mem;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tabletop::input::{InputError, Lines};

use super::failure::{Failure, say};
use super::paint::Paint;
use super::stdout_paint;

/// Answers wait until so many bytes have gathered or the input has to be waited for.
const OUTPUT_BYTES: usize = 1 << 16;
/// The answers to one input wait for its last one in memory up to so many bytes; a million explanations are gigabytes.
const HELD_BYTES: usize = 1 << 24;

/// What every game's command accepts.
#[derive(Args)]
pub(crate) struct QueryArguments {
    /// The judge's input [default: standard input]
    file: Option<PathBuf>,
    /// Answer any number of concatenated inputs as they come
    #[arg(long)]
    many: bool,
    /// The answer, then every legal move with its value, best first
    #[arg(long)]
    explain: bool,
    /// The answer and every legal move as one JSON object per input
    #[arg(long)]
    json: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The lines of a query's input.
pub(crate) type Source = Lines<Box<dyn Read>>;

/// Text before and after other text.
pub(crate) struct Around {
    pub before: &'static str,
    pub after: &'static str,
}

/// A game as the driver sees it: cases in, answers and explanations out.
pub(crate) trait Game {
    /// The game's name on the command line and in JSON.
    const NAME: &'static str;
    /// What an end of input is answered with where an input is expected.
    const FORMAT: &'static str;
    /// What stands around the cases of an input in its JSON object; the only case of an input is its object.
    const OBJECT: Around = Around { before: "", after: "" };
    /// A position with all that the answer depends on.
    type Case;
    /// The value of a case with its moves.
    type Explanation: Serialize + Explain;

    /// Starts the next input and returns how many cases it holds, or `None` where no input follows.
    fn begin(&mut self, lines: &mut Source) -> Result<Option<u32>, InputError>;

    /// Reads the next case of the input.
    fn read(&mut self, lines: &mut Source) -> Result<Self::Case, InputError>;

    /// Appends the judge's answer to a case.
    fn answer(&mut self, case: &Self::Case, out: &mut Vec<u8>) -> Result<(), Failure>;

    /// Explains a case.
    fn explain(&mut self, case: &Self::Case) -> Result<Self::Explanation, Failure>;

    /// What people should know about how a case was read, if anything; it is said on standard error.
    fn remark(&self, _case: &Self::Case) -> Option<String> {
        None
    }
}

/// Appends a JSON object.
pub(crate) fn write_object(object: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, object).expect("an explanation is plain data");
}

/// An explanation as text.
pub(crate) trait Explain {
    /// The judge's answer on a line of its own, then the moves.
    fn to_text(&self, paint: Paint) -> String;
}

/// How a case is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Judge,
    Explain(Paint),
    Json,
}

/// Answers what the arguments ask of a game.
pub(crate) fn run<G: Game>(game: G, arguments: &QueryArguments) -> Result<(), Failure> {
    let (name, reader) = open_input(arguments.file.as_deref(), G::NAME, G::FORMAT)?;
    let form = match (arguments.json, arguments.explain) {
        (true, _) => Form::Json,
        (false, true) => Form::Explain(if arguments.output.is_some() { Paint::Plain } else { stdout_paint() }),
        (false, false) => Form::Judge,
    };
    let session =
        Session { game, form, source: name, lines: Lines::new(reader), text: Vec::new(), whole: 0, is_first: true };
    if arguments.many {
        refuse_own_input(arguments)?;
        session.answer_many(Output::open(arguments.output.as_deref())?)
    } else {
        session.answer_one(arguments.output.as_deref())
    }
}

/// Opens the named input, or standard input, and returns it with the name that messages call it.
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

/// A stream that is written while it is read must not be written into what is still to be read.
fn refuse_own_input(arguments: &QueryArguments) -> Result<(), Failure> {
    let (Some(input), Some(output)) = (&arguments.file, &arguments.output) else { return Ok(()) };
    match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) if input == output => {
            Err(Failure::Usage(format!("{}: is the input and the output, name another output", output.display())))
        }
        _ => Ok(()),
    }
}

/// Where answers go.
pub(super) struct Output {
    path: String,
    writer: Box<dyn Write>,
}

impl Output {
    /// Creates the named file, or takes standard output.
    pub(super) fn open(file: Option<&Path>) -> Result<Output, Failure> {
        let Some(path) = file.filter(|path| *path != Path::new("-")) else {
            return Ok(Output { path: String::from("stdout"), writer: Box::new(io::stdout().lock()) });
        };
        let path_name = path.display().to_string();
        let file = File::create(path).map_err(Failure::output(path_name.clone()))?;
        Ok(Output { path: path_name, writer: Box::new(file) })
    }

    /// Writes the text out and empties it.
    pub(super) fn write(&mut self, text: &mut Vec<u8>) -> Result<(), Failure> {
        let written = self.writer.write_all(text).and_then(|()| self.writer.flush());
        text.clear();
        written.map_err(Failure::output(self.path.as_str()))
    }
}

/// One run over one source of inputs.
struct Session<G: Game> {
    game: G,
    form: Form,
    source: String,
    lines: Source,
    /// Answers that are not written yet.
    text: Vec<u8>,
    /// How much of the text is answers to inputs before the current one.
    whole: usize,
    /// Whether no case of the current input is in its JSON object yet.
    is_first: bool,
}

impl<G: Game> Session<G> {
    /// Answers the only input, once all of it has proved valid and every answer is known. Answers that are too long to
    /// be held are forgotten and worked out again to be written: by then nothing can fail but the writing.
    fn answer_one(mut self, output: Option<&Path>) -> Result<(), Failure> {
        let cases = self.read_one().map_err(|error| self.input_failure(None, error))?;
        let mut too_long = false;
        self.begin_object();
        for case in &cases {
            self.remark(case, None);
            self.answer(case)?;
            if self.text.len() > HELD_BYTES {
                self.text.clear();
                too_long = true;
            }
        }
        let mut output = Output::open(output)?;
        if too_long {
            self.text.clear();
            self.begin_object();
            for case in &cases {
                self.answer(case)?;
                if self.text.len() >= OUTPUT_BYTES {
                    output.write(&mut self.text)?;
                }
            }
        }
        self.end_object();
        output.write(&mut self.text)
    }

    fn read_one(&mut self) -> Result<Vec<G::Case>, InputError> {
        let count = self.game.begin(&mut self.lines)?;
        let count = count.ok_or_else(|| InputError::malformed(1, "the input is empty", G::FORMAT))?;
        let mut cases = Vec::new();
        for _ in 0..count {
            cases.push(self.game.read(&mut self.lines)?);
        }
        self.lines.require_end("remove it, or pass --many to answer several inputs")?;
        Ok(cases)
    }

    /// Answers input after input; those before a bad case stand.
    fn answer_many(mut self, mut output: Output) -> Result<(), Failure> {
        let mut case_number = 1;
        let outcome = self.stream(&mut output, &mut case_number);
        if self.form == Form::Json {
            // An object is written whole or, after a bad case, not at all.
            self.text.truncate(self.whole);
        }
        output.write(&mut self.text)?;
        outcome.map_err(|stop| match stop {
            Stop::Input(error) => self.input_failure(Some(case_number), error),
            Stop::Failure(failure) => failure,
        })
    }

    fn stream(&mut self, output: &mut Output, case_number: &mut u64) -> Result<(), Stop> {
        loop {
            self.write_if_due(output)?;
            let Some(count) = self.game.begin(&mut self.lines)? else { return Ok(()) };
            self.begin_object();
            for _ in 0..count {
                self.answer_next(output, *case_number)?;
                *case_number += 1;
            }
            self.end_object();
            self.whole = self.text.len();
        }
    }

    fn answer_next(&mut self, output: &mut Output, case_number: u64) -> Result<(), Stop> {
        if self.form != Form::Json {
            self.write_if_due(output)?;
        }
        let case = self.game.read(&mut self.lines)?;
        self.remark(&case, Some(case_number));
        Ok(self.answer(&case)?)
    }

    /// Answers do not wait for an input that may take its time, nor for more of themselves than is worth a write.
    fn write_if_due(&mut self, output: &mut Output) -> Result<(), Failure> {
        if self.lines.may_wait() || self.text.len() >= OUTPUT_BYTES {
            self.whole = 0;
            output.write(&mut self.text)?;
        }
        Ok(())
    }

    /// Says what people should know of a case, which has a number among many inputs.
    fn remark(&self, case: &G::Case, number: Option<u64>) {
        if let Some(remark) = self.game.remark(case) {
            let number = number.map_or_else(String::new, |number| format!(", case {number}"));
            say(format_args!("{}{number}: {remark}", self.source));
        }
    }

    /// Appends the answer to a case.
    fn answer(&mut self, case: &G::Case) -> Result<(), Failure> {
        if self.form == Form::Judge {
            return self.game.answer(case, &mut self.text);
        }
        let explanation = self.game.explain(case)?;
        match self.form {
            Form::Explain(paint) => self.text.extend_from_slice(explanation.to_text(paint).as_bytes()),
            _ => {
                if !mem::take(&mut self.is_first) {
                    self.text.push(b',');
                }
                write_object(&explanation, &mut self.text);
            }
        }
        Ok(())
    }

    fn begin_object(&mut self) {
        self.is_first = true;
        if self.form == Form::Json {
            self.text.extend_from_slice(G::OBJECT.before.as_bytes());
        }
    }

    fn end_object(&mut self) {
        if self.form == Form::Json {
            self.text.extend_from_slice(G::OBJECT.after.as_bytes());
            self.text.push(b'\n');
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
