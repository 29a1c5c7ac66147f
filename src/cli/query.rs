//! Asking a game: the one driver behind judge mode, `--many`, `--explain` and `--json`.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tabletop::input::{InputError, Lines};

use super::failure::{Failure, say};
use super::paint::Paint;
use super::stdout_paint;

/// Answers wait until so many bytes have gathered or the input has to be waited for.
const OUTPUT_BYTES: usize = 1 << 16;

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

/// A game as the driver sees it: cases in, answers and explanations out.
pub(crate) trait Game {
    /// The game's name on the command line and in JSON.
    const NAME: &'static str;
    /// What an end of input is answered with where an input is expected.
    const FORMAT: &'static str;
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

    /// Appends the JSON object of one input; the only case of an input is its object, unless a game says otherwise.
    fn write_json(explanations: &[Self::Explanation], out: &mut Vec<u8>) {
        for explanation in explanations {
            write_object(explanation, out);
        }
    }
}

/// Appends a JSON object and the end of its line.
pub(crate) fn write_object(object: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, object).expect("an explanation is plain data");
    out.push(b'\n');
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
        Session { game, form, source: name, lines: Lines::new(reader), text: Vec::new(), explanations: Vec::new() };
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
    /// The cases of the current input that wait for its JSON object.
    explanations: Vec<G::Explanation>,
}

impl<G: Game> Session<G> {
    /// Answers the only input, once all of it has proved valid and every answer is known.
    fn answer_one(mut self, output: Option<&Path>) -> Result<(), Failure> {
        let cases = self.read_one().map_err(|error| self.input_failure(None, error))?;
        for case in &cases {
            self.answer(case, None)?;
        }
        self.finish_input();
        Output::open(output)?.write(&mut self.text)
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
        output.write(&mut self.text)?;
        outcome.map_err(|stop| match stop {
            Stop::Input(error) => self.input_failure(Some(case_number), error),
            Stop::Failure(failure) => failure,
        })
    }

    fn stream(&mut self, output: &mut Output, case_number: &mut u64) -> Result<(), Stop> {
        while let Some(count) = self.begin_next(output)? {
            for _ in 0..count {
                self.answer_next(output, *case_number)?;
                *case_number += 1;
            }
            self.finish_input();
        }
        Ok(())
    }

    fn begin_next(&mut self, output: &mut Output) -> Result<Option<u32>, Stop> {
        if self.lines.may_wait() {
            output.write(&mut self.text)?;
        }
        Ok(self.game.begin(&mut self.lines)?)
    }

    fn answer_next(&mut self, output: &mut Output, case_number: u64) -> Result<(), Stop> {
        if self.lines.may_wait() || self.text.len() >= OUTPUT_BYTES {
            output.write(&mut self.text)?;
        }
        let case = self.game.read(&mut self.lines)?;
        Ok(self.answer(&case, Some(case_number))?)
    }

    /// Answers a case, which has a number among many inputs.
    fn answer(&mut self, case: &G::Case, number: Option<u64>) -> Result<(), Failure> {
        if let Some(remark) = self.game.remark(case) {
            let number = number.map_or_else(String::new, |number| format!(", case {number}"));
            say(format_args!("{}{number}: {remark}", self.source));
        }
        match self.form {
            Form::Judge => self.game.answer(case, &mut self.text)?,
            Form::Explain(paint) => {
                let explanation = self.game.explain(case)?;
                self.text.extend_from_slice(explanation.to_text(paint).as_bytes());
            }
            Form::Json => {
                let explanation = self.game.explain(case)?;
                self.explanations.push(explanation);
            }
        }
        Ok(())
    }

    /// An input's JSON object is written whole or, after a bad case, not at all.
    fn finish_input(&mut self) {
        if self.form == Form::Json {
            G::write_json(&self.explanations, &mut self.text);
            self.explanations.clear();
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
