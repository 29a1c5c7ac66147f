//! Games that are programs. `docs/game-programs.md` describes the protocol.

#[cfg(feature = "programs")]
mod guard;
mod process;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::position_line::PositionLine;
use super::text::{AnswerError, Form, Input, SampleError, TestGame, TestInput, TextGame, TextLines};
use super::verdict::accepts_number;
use super::{Error, FaultKind, Judgement, Judging, Kind, Load, Profile, Reply, ReplyError, Run, Size, Sizes};
use crate::input::InputError;
use crate::{program, text};

#[cfg(feature = "programs")]
pub use guard::become_program;
#[cfg(feature = "solved")]
pub(crate) use process::SPEAK;
use process::{Fault, Processes};

/// The version of the protocol that this library speaks.
pub(crate) const PROTOCOL: u64 = 1;

/// A reply of the protocol: a JSON object.
type Fields = Map<String, Value>;

/// A game that answers by the protocol of game programs. Its inputs are positions, one on a line.
pub struct ProgramGame {
    /// The program's name in messages.
    program: String,
    processes: Processes,
    about: Description,
    line: PositionLine,
}

/// How a game program describes itself.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Description {
    #[serde(skip_serializing)]
    protocol: u64,
    /// The name of the game: small letters, digits and '-'.
    pub name: String,
    /// The game in one line.
    pub about: String,
    /// The rules in words.
    #[serde(default)]
    pub rules: String,
    /// The unit of a value, such as "points".
    #[serde(default)]
    pub unit: String,
    /// The number of players.
    #[serde(default = "one")]
    pub players: u32,
    /// The starting positions.
    pub starts: Vec<String>,
    /// Other positions worth a look.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// The sum of both players' values, if a value is that of the player to move.
    #[serde(default)]
    pub sum: f64,
    /// The number of decimals of a value on a page, if it is fixed.
    #[serde(default)]
    pub decimals: Option<u32>,
    /// The players' names.
    #[serde(default)]
    pub names: Vec<String>,
    /// How the characters of a board look.
    #[serde(default)]
    pub look: Vec<CharacterLook>,
}

/// A position worth a look.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "WrittenExample")]
#[non_exhaustive]
pub struct Example {
    /// Why it is worth a look, such as "longest"; may be empty.
    pub name: String,
    /// The position.
    pub position: String,
}

/// An example as a program writes it.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenExample {
    Position(String),
    Named { name: String, position: String },
}

impl From<WrittenExample> for Example {
    fn from(written: WrittenExample) -> Example {
        match written {
            WrittenExample::Position(position) => Example { name: String::new(), position },
            WrittenExample::Named { name, position } => Example { name, position },
        }
    }
}

/// How a character of a board looks on a page. The page knows the names of colours and shapes.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[non_exhaustive]
pub struct CharacterLook {
    /// The character.
    pub glyph: String,
    /// Its name, such as "cross".
    #[serde(default)]
    pub name: String,
    /// Its colour: red, green, blue, yellow, black or white.
    #[serde(default)]
    pub colour: String,
    /// Its shape: disc, block, tile or text.
    #[serde(default)]
    pub shape: String,
}

fn one() -> u32 {
    1
}

/// A reply that is not an answer.
#[derive(Debug, Deserialize)]
struct Refusal {
    what: String,
    remedy: String,
}

/// The value of a position.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Worth {
    value: f64,
    fraction: Option<String>,
}

/// Why a program has no answer to a question.
enum NoAnswer {
    Refused(Refusal),
    Fault(Fault),
}

impl ProgramGame {
    /// Starts a program and asks it to describe itself. A name without a slash is the program `tabletop-NAME` beside this
    /// program or on PATH. A file that ends in `.py` is run by `python3`.
    pub fn open(name: &Path) -> Result<ProgramGame, Error> {
        ProgramGame::start(Vec::new(), name, None)
    }

    /// Like [`ProgramGame::open`], but a program made with the kit looks for its table only in `tables`, if it is
    /// given. On Linux the processes of the game are killed when this process dies in any way. Only for a program that
    /// calls [`become_program`](super::become_program) first of all.
    #[cfg(feature = "programs")]
    pub fn open_guarded(name: &Path, tables: Option<&Path>) -> Result<ProgramGame, Error> {
        ProgramGame::start(guard::prefix(), name, tables)
    }

    /// Starts a program by a command that begins with `command`.
    fn start(mut command: Vec<OsString>, name: &Path, tables: Option<&Path>) -> Result<ProgramGame, Error> {
        let shown = text::visible_path(name);
        let file = program_file(name).ok_or_else(|| {
            let remedy = match has_directory(name) {
                true => String::from("name a file that exists"),
                false => format!("name a file with a slash, or install `tabletop-{shown}`"),
            };
            Error::Program { program: shown.clone(), reason: String::from("is no program"), remedy }
        })?;
        if file.extension().is_some_and(|extension| extension == "py") {
            command.push("python3".into());
        }
        command.push(file.into());
        ProgramGame::of(shown, Processes::new(command, tables.map(Path::to_owned)))
    }

    /// The game that a program describes. `program` is its name in messages.
    fn of(program: String, processes: Processes) -> Result<ProgramGame, Error> {
        let failed = |fault| program_error(&program, &fault);
        let reply = answer(&processes, &json!({ "ask": "describe" })).map_err(|no_answer| match no_answer {
            NoAnswer::Refused(Refusal { what: reason, remedy }) => {
                Error::Program { program: program.clone(), reason, remedy }
            }
            NoAnswer::Fault(fault) => failed(fault),
        })?;
        let about: Description =
            serde_json::from_value(reply.into()).map_err(|error| failed(Fault::Malformed(error.to_string())))?;
        check(&about).map_err(|what| failed(Fault::Malformed(what)))?;
        let line = PositionLine::new(&about.rules, &about.starts[0]);
        Ok(ProgramGame { program, processes, about, line })
    }

    fn ask(&self, request: &Value) -> Result<Fields, NoAnswer> {
        answer(&self.processes, request)
    }

    /// A field of the reply to a request.
    fn ask_for<T: serde::de::DeserializeOwned>(&self, request: &Value, field: &str) -> Result<T, Error> {
        let mut reply = self.ask(request).map_err(|no_answer| self.error(no_answer))?;
        serde_json::from_value(reply.remove(field).unwrap_or_default())
            .map_err(|error| program_error(&self.program, &Fault::Malformed(format!("{field}: {error}"))))
    }

    fn worth(&self, position: &str) -> Result<Worth, NoAnswer> {
        let reply = self.ask(&json!({ "ask": "value", "position": position }))?;
        let worth: Result<Worth, _> = serde_json::from_value(reply.into());
        worth.map_err(|error| NoAnswer::Fault(Fault::Malformed(error.to_string())))
    }

    fn error(&self, no_answer: NoAnswer) -> Error {
        match no_answer {
            NoAnswer::Refused(Refusal { what, remedy }) => Error::Limit { reason: what, remedy, setting: None },
            NoAnswer::Fault(fault) => program_error(&self.program, &fault),
        }
    }

    fn position(self: &Arc<Self>, line: u64, text: String) -> Position {
        Position { game: Arc::clone(self), line, text, worth: OnceLock::new() }
    }

    /// A position that the program has given.
    fn given(self: &Arc<Self>, text: String) -> Result<Arc<dyn TestInput>, Error> {
        if !is_line(&text) {
            let what = format!("the position '{}', give one line", text::visible(&text));
            return Err(program_error(&self.program, &Fault::Malformed(what)));
        }
        Ok(Arc::new(self.position(1, text)))
    }
}

/// The reply to a request, if it is an answer.
fn answer(processes: &Processes, request: &Value) -> Result<Fields, NoAnswer> {
    let mut reply = processes.ask(request).map_err(NoAnswer::Fault)?;
    match reply.remove("error") {
        None => Ok(reply),
        Some(error) => Err(match serde_json::from_value(error) {
            Ok(refusal) => NoAnswer::Refused(refusal),
            Err(error) => NoAnswer::Fault(Fault::Malformed(error.to_string())),
        }),
    }
}

/// The file of a program: the name itself if it has a slash, otherwise `tabletop-NAME` beside this program or on PATH.
fn program_file(name: &Path) -> Option<PathBuf> {
    if has_directory(name) {
        return name.is_file().then(|| name.to_owned());
    }
    program::find(&format!("tabletop-{}", name.to_str()?))
}

/// Whether a name has a slash, so that it is a file.
fn has_directory(name: &Path) -> bool {
    name.components().count() > 1
}

fn program_error(program: &str, fault: &Fault) -> Error {
    let remedy = match fault {
        Fault::Stopped => return Error::cancelled(),
        Fault::Late(_) => String::from("ask for something smaller"),
        Fault::Ended => String::from("mend the program, or do what its own message says"),
        _ => String::from("mend the program, its protocol is described in docs/game-programs.md"),
    };
    Error::Program { program: program.to_owned(), reason: fault.reason(), remedy }
}

/// Checks what the doors rely on. The error says what is wrong.
fn check(about: &Description) -> Result<(), String> {
    if about.protocol != PROTOCOL {
        return Err(format!("version {} instead of {PROTOCOL}", about.protocol));
    }
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if about.name.is_empty() || about.name.len() > 40 || !about.name.bytes().all(is_plain) {
        return Err(format!("the name '{}', use small letters, digits and '-'", text::visible(&about.name)));
    }
    if super::PROFILES.iter().any(|profile| profile.name == about.name) {
        return Err(format!("the name '{}' is taken by a game of ours", about.name));
    }
    if about.starts.is_empty()
        || !about.starts.iter().chain(about.examples.iter().map(|example| &example.position)).all(|text| is_line(text))
    {
        return Err(String::from("the starts, give at least one, each on one line"));
    }
    Ok(())
}

/// Whether a text can be a position.
fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains('\n')
}

impl fmt::Debug for ProgramGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramGame").field("program", &self.program).finish_non_exhaustive()
    }
}

impl TextGame for ProgramGame {
    fn description(&self) -> Option<&Description> {
        Some(&self.about)
    }

    fn profile(&self) -> Profile<'_> {
        self.line.profile(&self.about.name, &self.about.about)
    }

    fn stop(&self) {
        self.processes.stop();
    }

    fn ready(&self) -> Result<(), Error> {
        self.worth(&self.about.starts[0]).map(|_| ()).map_err(|no_answer| self.error(no_answer))
    }

    fn read_next(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn Input>>, InputError> {
        Ok(self.read_test(lines)?.map(|input| input as Arc<dyn Input>))
    }

    fn skip_next(&self, lines: &mut TextLines<'_>) -> Result<(), InputError> {
        lines.require_line(PositionLine::FORMAT).map(|_| ())
    }

    fn answer_next(
        &self,
        lines: &mut TextLines<'_>,
        form: Form,
        _run: &Run<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<String>, AnswerError> {
        let line = lines.require_line(PositionLine::FORMAT)?;
        let (number, position) = (line.number, line.text()?);
        append_answer(self, position, form, out).map_err(|error| AnswerError::Game { line: number, error })?;
        Ok(None)
    }
}

/// Appends the value of a position, or its explanation.
fn append_answer(game: &ProgramGame, position: &str, form: Form, out: &mut Vec<u8>) -> Result<(), Error> {
    let failed = |no_answer| game.error(no_answer);
    match form {
        Form::Judge => {
            let worth = game.worth(position).map_err(failed)?;
            out.extend_from_slice(worth.fraction.unwrap_or_else(|| worth.value.to_string()).as_bytes());
            out.push(b'\n');
        }
        Form::Explain(_) => {
            let explanation: String =
                game.ask_for(&json!({ "ask": "explain", "position": position, "form": "text" }), "text")?;
            out.extend_from_slice(text::visible_lines(&explanation).as_bytes());
        }
        Form::Json => {
            let reply = game.ask(&json!({ "ask": "explain", "position": position })).map_err(failed)?;
            text::json(&reply, out);
        }
    }
    Ok(())
}

impl TestGame for ProgramGame {
    fn sizes(&self) -> Vec<Size> {
        Vec::new()
    }

    fn sample(self: Arc<Self>, kind: Kind, sizes: &Sizes, seed: u64) -> Result<Arc<dyn TestInput>, SampleError> {
        sizes.check(&[]).map_err(SampleError::Sizes)?;
        let request = json!({ "ask": "sample", "kind": kind.name(), "seed": seed });
        let position = self.ask_for(&request, "position").and_then(|position| self.given(position));
        position.map_err(SampleError::Game)
    }

    fn sample_load(&self) -> Load {
        Load::Program
    }

    fn read_test(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn TestInput>>, InputError> {
        // The program is not asked yet: a server reads inputs where nothing may wait.
        let Some(line) = lines.next_line()? else { return Ok(None) };
        Ok(Some(Arc::new(self.position(line.number, line.text()?.to_owned()))))
    }
}

/// A position of a game program.
struct Position {
    game: Arc<ProgramGame>,
    line: u64,
    text: String,
    /// The value, once it is known.
    worth: OnceLock<Worth>,
}

impl Position {
    fn worth(&self) -> Result<&Worth, Error> {
        if let Some(worth) = self.worth.get() {
            return Ok(worth);
        }
        let worth = self.game.worth(&self.text).map_err(|no_answer| self.game.error(no_answer))?;
        Ok(self.worth.get_or_init(|| worth))
    }
}

impl Input for Position {
    fn cases(&self) -> usize {
        1
    }

    fn line(&self, _case: usize) -> u64 {
        self.line
    }

    fn remark(&self, _case: usize) -> Option<String> {
        None
    }

    fn load(&self, _patience: Duration) -> Result<Load, Error> {
        // A program may take its time, so no request may wait for it outside of a pool.
        Ok(Load::Program)
    }

    fn answer(&self, _case: usize, form: Form, _run: &Run<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        append_answer(&self.game, &self.text, form, out)
    }

    fn view(&self, view: &str, _run: &Run<'_>) -> Result<Box<dyn Reply>, ReplyError> {
        Err(ReplyError::Value(self.game.profile().lacks("view", view)))
    }
}

impl TestInput for Position {
    fn text(&self) -> Vec<u8> {
        format!("{}\n", self.text).into_bytes()
    }

    fn describe(&self) -> String {
        String::new()
    }

    fn judge(&self, output: &[u8], judging: &Judging) -> Result<Judgement, Error> {
        let worth = self.worth()?;
        let expected = worth.fraction.clone().unwrap_or_else(|| worth.value.to_string());
        let output = String::from_utf8_lossy(output);
        let mut words = output.split_ascii_whitespace();
        let (Some(found), None) = (words.next(), words.next()) else {
            return Ok(Judgement::refused(
                FaultKind::Malformed,
                format!("expected {expected}, found no single number"),
            ));
        };
        let verdict = accepts_number(worth.value, worth.fraction.as_deref(), found, judging.tolerance);
        Ok(Judgement::of(verdict, &expected, found, judging))
    }

    fn smaller(&self, _case: Option<usize>) -> Vec<Arc<dyn TestInput>> {
        let request = json!({ "ask": "smaller", "position": self.text });
        // Without smaller positions the test still has its result.
        let positions: Vec<String> = self.game.ask_for(&request, "positions").unwrap_or_default();
        positions.into_iter().filter_map(|text| self.game.given(text).ok()).collect()
    }
}
