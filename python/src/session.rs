//! The positions of a Python game. Python is asked for each node once, by the thread that holds the interpreter; the
//! solver's threads then need Python no more.

use std::cell::RefCell;
use std::fmt;
use std::panic::resume_unwind;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use rustc_hash::FxHashMap;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabletop::kit::{Cycles, Goal, Look, Number, Outcome, Raised, Rules, Step, Touch};

use crate::error;
use crate::node::{Node, Tree};
use crate::show;

/// The largest number of different forms from a position to its canonical one.
const MAX_FORMS: usize = 100;
/// The number of positions after which Ctrl-C is looked for.
const SIGNAL_POSITIONS: usize = 1024;
/// The number of positions whose text is read back.
const READ_BACK: usize = 1000;

/// A node with the numbers of positions.
enum Stored {
    Over(Number),
    Go(u32),
    Turn(u32),
    Again,
    Cost(Number, Box<Stored>),
    Choice { goal: Goal, proposed: usize, moves: Vec<(Arc<str>, Stored)> },
    Chance(Vec<(Option<String>, u64, Stored)>),
}

/// A position that was seen.
struct Entry {
    object: Py<PyAny>,
    key: Box<[u8]>,
    text: Arc<str>,
    canonical: u32,
    stage: Option<u32>,
    is_transient: bool,
    node: Option<Arc<Stored>>,
}

#[derive(Default)]
struct Seen {
    entries: Vec<Entry>,
    by_key: FxHashMap<Box<[u8]>, u32>,
    by_text: FxHashMap<Arc<str>, u32>,
}

/// The rules as Python wrote them.
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) rules: String,
    pub(crate) sum: i64,
    pub(crate) cycles: Cycles,
    pub(crate) unit: String,
    pub(crate) decimals: Option<u32>,
    pub(crate) digits: Option<u16>,
    pub(crate) players: [String; 2],
    pub(crate) look: Vec<Look>,
}

/// The game of a Python object.
pub(crate) struct Session {
    rules: Py<PyAny>,
    settings: Settings,
    has_key: bool,
    has_text: bool,
    has_canonical: bool,
    has_stage: bool,
    has_transient: bool,
    has_board: bool,
    has_touch: bool,
    seen: RwLock<Seen>,
}

/// A question to a game. Positions are read from keys and texts for it.
struct Question {
    session: Arc<Session>,
    /// The exception of the rules that ended the question.
    raised: Mutex<Option<PyErr>>,
}

thread_local! {
    /// The questions that this thread answers. Rules may ask another game, so the last one counts.
    static QUESTIONS: RefCell<Vec<Arc<Question>>> = const { RefCell::new(Vec::new()) };
}
/// The question of the program of a game, whose threads are the solver's own.
static PROGRAM: OnceLock<Arc<Question>> = OnceLock::new();

fn current() -> Option<Arc<Question>> {
    QUESTIONS.with_borrow(|questions| questions.last().cloned()).or_else(|| PROGRAM.get().cloned())
}

impl Question {
    fn new(session: &Arc<Session>) -> Arc<Question> {
        Arc::new(Question { session: Arc::clone(session), raised: Mutex::default() })
    }

    /// Answers this question in this thread.
    fn answered<T>(self: &Arc<Question>, work: impl FnOnce() -> T) -> T {
        struct Ends;
        impl Drop for Ends {
            fn drop(&mut self) {
                QUESTIONS.with_borrow_mut(Vec::pop);
            }
        }
        QUESTIONS.with_borrow_mut(|questions| questions.push(Arc::clone(self)));
        let _ends = Ends;
        work()
    }

    fn keep(&self, raised: PyErr) {
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
    }

    fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Answers a question to a game in this thread, without the interpreter, and gives the exception of the rules, if any.
pub(crate) fn asked<T: Send>(
    py: Python<'_>,
    session: &Arc<Session>,
    work: impl FnOnce() -> T + Send,
) -> (T, Option<PyErr>) {
    let question = Question::new(session);
    let done = py.detach(|| question.answered(work));
    (done, question.take_raised())
}

/// The same for a question that needs all cores. It must not hold the interpreter.
pub(crate) fn asked_on_all_cores<T: Send>(
    session: &Arc<Session>,
    work: impl FnOnce() -> T + Send,
) -> (T, Option<PyErr>) {
    let question = Question::new(session);
    let own = Arc::clone(&question);
    let begin = move |_| QUESTIONS.with_borrow_mut(|questions| questions.push(Arc::clone(&own)));
    let pool = rayon::ThreadPoolBuilder::new().start_handler(begin).build();
    let done = match pool {
        Ok(pool) => pool.install(work),
        // There is this thread at least.
        Err(_) => question.answered(work),
    };
    (done, question.take_raised())
}

/// The same for the program of a game, which begins its own threads.
pub(crate) fn asked_by_program<T: Send>(
    py: Python<'_>,
    session: &Arc<Session>,
    work: impl FnOnce() -> T + Send,
) -> (T, Option<PyErr>) {
    let question = PROGRAM.get_or_init(|| Question::new(session));
    let done = py.detach(work);
    (done, question.take_raised())
}

impl Session {
    pub(crate) fn new(rules: &Bound<'_, PyAny>) -> PyResult<Session> {
        let base = rules.py().import("tabletop.kit")?.getattr("Rules")?;
        let overrides = |name: &str| -> PyResult<bool> { Ok(!rules.get_type().getattr(name)?.is(base.getattr(name)?)) };
        let text = |name: &str| -> PyResult<String> { Ok(rules.getattr(name)?.str()?.to_string()) };
        let settings = Settings {
            name: text("name")?,
            about: text("about")?,
            rules: text("rules")?,
            sum: rules.getattr("sum")?.extract()?,
            cycles: cycles(&rules.getattr("cycles")?)?,
            unit: text("unit")?,
            decimals: rules.getattr("decimals")?.extract()?,
            digits: rules.getattr("digits")?.extract()?,
            players: rules.getattr("players")?.extract::<(String, String)>()?.into(),
            look: show::look(&rules.getattr("look")?)?,
        };
        Ok(Session {
            settings,
            has_key: overrides("key")?,
            has_text: overrides("text")?,
            has_canonical: overrides("canonical")?,
            has_stage: overrides("stage")?,
            has_transient: overrides("is_transient")?,
            has_board: overrides("board")?,
            has_touch: overrides("touch")?,
            rules: rules.clone().unbind(),
            seen: RwLock::default(),
        })
    }

    /// Asks for the nodes of all positions.
    pub(crate) fn explore(&self, py: Python<'_>) -> PyResult<()> {
        let mut queue = Vec::new();
        for start in self.starts(py)? {
            queue.push(self.canonical(start));
        }
        let mut count = 0;
        while let Some(number) = queue.pop() {
            if self.read(|seen| seen.entries[number as usize].node.is_some()) {
                continue;
            }
            let node = self.ask(py, number)?;
            each_next(&node, &mut |next| queue.push(self.canonical(next)));
            if count < READ_BACK {
                self.read_back(py, number)?;
            }
            count += 1;
            if count.is_multiple_of(SIGNAL_POSITIONS) {
                py.check_signals()?;
            }
        }
        Ok(())
    }

    fn read<T>(&self, read: impl FnOnce(&Seen) -> T) -> T {
        read(&self.seen.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn canonical(&self, number: u32) -> u32 {
        self.read(|seen| seen.entries[number as usize].canonical)
    }

    fn text(&self, number: u32) -> Arc<str> {
        self.read(|seen| Arc::clone(&seen.entries[number as usize].text))
    }

    fn starts(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let listed = || self.rules.bind(py).call_method0("starts")?.try_iter()?.collect::<PyResult<Vec<_>>>();
        let starts = listed().map_err(|cause| error::rules(py, &format!("starts: {cause}"), Some(cause)))?;
        starts.iter().map(|start| self.number(py, start)).collect()
    }

    /// The number of a position. A new one is noted, with its canonical form.
    fn number(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<u32> {
        let key = self.key(py, object)?;
        if let Some(number) = self.read(|seen| seen.by_key.get(&key).copied()) {
            return Ok(number);
        }
        let first = self.note(py, object, key)?;
        if !self.has_canonical {
            return Ok(first);
        }
        let (mut number, mut form) = (first, object.clone());
        for _ in 0..MAX_FORMS {
            let wrong = |cause: PyErr| self.failed(py, "canonical", number, cause);
            form = self.rules.bind(py).call_method1("canonical", (&form,)).map_err(wrong)?;
            let key = self.key(py, &form)?;
            let known = self.read(|seen| seen.by_key.get(&key).copied());
            let next = match known {
                Some(next) => next,
                None => self.note(py, &form, key)?,
            };
            self.seen.write().unwrap_or_else(PoisonError::into_inner).entries[number as usize].canonical = next;
            if known.is_some() {
                return Ok(first);
            }
            number = next;
        }
        let text = self.text(first);
        Err(error::rules(py, &format!("canonical('{text}'): its representative has a representative of its own"), None))
    }

    /// Notes a new position.
    fn note(&self, py: Python<'_>, object: &Bound<'_, PyAny>, key: Box<[u8]>) -> PyResult<u32> {
        let wrong = |cause: PyErr| error::rules(py, &format!("text({object}): {cause}"), Some(cause));
        let text = match object.extract::<u64>() {
            // What `Rules.text` would say.
            Ok(number) if !self.has_text && object.is_instance_of::<PyInt>() => number.to_string(),
            _ => self.rules.bind(py).call_method1("text", (object,)).and_then(|text| text.extract()).map_err(wrong)?,
        };
        let call = |function: &str| self.rules.bind(py).call_method1(function, (object,));
        let wrong =
            |function: &str, cause: PyErr| error::rules(py, &format!("{function}('{text}'): {cause}"), Some(cause));
        let stage = match self.has_stage {
            true => call("stage").and_then(|stage| stage.extract()).map_err(|cause| wrong("stage", cause))?,
            false => None,
        };
        let is_transient = match self.has_transient {
            true => call("is_transient").and_then(|is| is.extract()).map_err(|cause| wrong("is_transient", cause))?,
            false => false,
        };
        let text: Arc<str> = Arc::from(text);
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have noted it in the meantime.
        if let Some(number) = seen.by_key.get(&key) {
            return Ok(*number);
        }
        let number = seen.entries.len() as u32;
        seen.by_key.insert(key.clone(), number);
        if seen.by_text.insert(Arc::clone(&text), number).is_some() {
            return Err(error::rules(
                py,
                &format!("two positions have the text '{text}', let `text` tell them apart"),
                None,
            ));
        }
        let object = object.clone().unbind();
        seen.entries.push(Entry { object, key, text, canonical: number, stage, is_transient, node: None });
        Ok(number)
    }

    /// The key of a position: what `key` returns, or the bytes that Rust gives to a whole number, a text or bytes.
    fn key(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Box<[u8]>> {
        if self.has_key {
            let wrong = |cause: PyErr| error::rules(py, &format!("key({object}): {cause}"), Some(cause));
            let key = self.rules.bind(py).call_method1("key", (object,)).map_err(wrong)?;
            let key: Vec<u8> = key.extract().map_err(|cause: PyErr| wrong(cause))?;
            return Ok(key.into_boxed_slice());
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(bytes.as_bytes().into());
        }
        if object.is_instance_of::<PyInt>()
            && let Ok(number) = object.extract::<u64>()
        {
            return Ok(varint(number));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_string();
            return Ok([&*varint(text.len() as u64), text.as_bytes()].concat().into_boxed_slice());
        }
        let what = format!("the position {object} has no key, write `key`: only ints from 0, str and bytes have one");
        Err(error::rules(py, &what, None))
    }

    /// Checks that the text of a position reads back to it.
    fn read_back(&self, py: Python<'_>, number: u32) -> PyResult<()> {
        let (text, key) = self.read(|seen| {
            let entry = &seen.entries[number as usize];
            (Arc::clone(&entry.text), entry.key.clone())
        });
        let wrong = |cause: PyErr| self.failed(py, "parse", number, cause);
        let parsed = self.rules.bind(py).call_method1("parse", (&*text,)).map_err(wrong)?;
        if self.key(py, &parsed)? == key {
            return Ok(());
        }
        Err(error::rules(py, &format!("parse('{text}') is another position, let it read what `text` writes"), None))
    }

    fn failed(&self, py: Python<'_>, function: &str, number: u32, cause: PyErr) -> PyErr {
        error::rules(py, &format!("{function}('{}'): {cause}", self.text(number)), Some(cause))
    }

    /// Asks for the node of a position, and keeps it.
    fn ask(&self, py: Python<'_>, number: u32) -> PyResult<Arc<Stored>> {
        let object = self.read(|seen| seen.entries[number as usize].object.clone_ref(py));
        let failed = |cause: PyErr| self.failed(py, "node", number, cause);
        let node = self.rules.bind(py).call_method1("node", (object,)).map_err(failed)?;
        let no_node = || failed(PyTypeError::new_err(format!("{node} is not a tabletop.Node")));
        let tree = node.cast::<Node>().map_err(|_| no_node())?;
        let stored = Arc::new(self.stored(py, &tree.get().tree)?);
        self.seen.write().unwrap_or_else(PoisonError::into_inner).entries[number as usize].node =
            Some(Arc::clone(&stored));
        Ok(stored)
    }

    /// What the page shows of a position, by a function of the rules and what reads its result.
    fn shown<T>(
        &self,
        py: Python<'_>,
        function: &str,
        number: u32,
        more: Option<&str>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<T> {
        let object = self.read(|seen| seen.entries[number as usize].object.clone_ref(py));
        let rules = self.rules.bind(py);
        let called = match more {
            None => rules.call_method1(function, (object,)),
            Some(more) => rules.call_method1(function, (object, more)),
        };
        called.and_then(|result| read(&result)).map_err(|cause| self.failed(py, function, number, cause))
    }

    fn stored(&self, py: Python<'_>, tree: &Tree) -> PyResult<Stored> {
        Ok(match tree {
            Tree::Over(value) => Stored::Over(*value),
            Tree::Go(next) => Stored::Go(self.number(py, next.bind(py))?),
            Tree::Turn(next) => Stored::Turn(self.number(py, next.bind(py))?),
            Tree::Again => Stored::Again,
            Tree::Cost(cost, then) => Stored::Cost(*cost, Box::new(self.stored(py, then)?)),
            Tree::Choice { goal, proposed, moves } => {
                let step = |(name, then): &(String, Arc<Tree>)| Ok((Arc::from(&**name), self.stored(py, then)?));
                let moves = moves.iter().map(step).collect::<PyResult<_>>()?;
                Stored::Choice { goal: *goal, proposed: *proposed, moves }
            }
            Tree::Chance(outcomes) => {
                let outcome = |(name, weight, then): &(Option<String>, u64, Arc<Tree>)| {
                    Ok((name.clone(), *weight, self.stored(py, then)?))
                };
                Stored::Chance(outcomes.iter().map(outcome).collect::<PyResult<_>>()?)
            }
        })
    }

    /// Runs a function of the rules for the solver. An exception is kept and ends the question.
    fn called<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        Python::attach(call).unwrap_or_else(|raised| {
            let message = Python::attach(|py| raised.value(py).to_string());
            if let Some(question) = current() {
                question.keep(raised);
            }
            // The solver catches it. No message is printed, because the exception has one.
            resume_unwind(Box::new(Raised(message)))
        })
    }
}

/// The number as Rust's encoding of keys writes it: seven bits a byte, the lowest first.
fn varint(mut number: u64) -> Box<[u8]> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes.into_boxed_slice()
}

/// `None` refuses cycles, `"draw"` makes an endless game a draw, a number is the tolerance of an iteration.
fn cycles(value: &Bound<'_, PyAny>) -> PyResult<Cycles> {
    if value.is_none() {
        return Ok(Cycles::Refuse);
    }
    if let Ok(tolerance) = value.extract::<f64>() {
        return Ok(Cycles::Iterate { tolerance });
    }
    match value.extract::<String>().as_deref() {
        Ok("draw") => Ok(Cycles::Draw),
        _ => Err(error::rules(value.py(), "cycles is None, \"draw\" or a tolerance", None)),
    }
}

fn each_next(node: &Stored, visit: &mut impl FnMut(u32)) {
    match node {
        Stored::Over(_) | Stored::Again => {}
        Stored::Go(next) | Stored::Turn(next) => visit(*next),
        Stored::Cost(_, then) => each_next(then, visit),
        Stored::Choice { moves, .. } => moves.iter().for_each(|(_, then)| each_next(then, visit)),
        Stored::Chance(outcomes) => outcomes.iter().for_each(|(_, _, then)| each_next(then, visit)),
    }
}

/// The rules of a Python game for the solver.
#[derive(Clone)]
pub(crate) struct PythonRules(pub(crate) Arc<Session>);

/// A position of a Python game.
pub(crate) struct Position {
    session: Arc<Session>,
    number: u32,
}

impl PythonRules {
    fn position(&self, number: u32) -> Position {
        Position { session: Arc::clone(&self.0), number }
    }

    fn node_of(&self, node: &Stored) -> tabletop::kit::Node<PythonRules> {
        use tabletop::kit::Node;
        match node {
            Stored::Over(value) => Node::Over(*value),
            Stored::Go(next) => Node::Go(self.position(*next)),
            Stored::Turn(next) => Node::Turn(self.position(*next)),
            Stored::Again => Node::Again,
            Stored::Cost(cost, then) => Node::Cost(*cost, Box::new(self.node_of(then))),
            Stored::Choice { goal, proposed, moves } => {
                let step =
                    |(name, then): &(Arc<str>, Stored)| Step { name: Arc::clone(name), then: self.node_of(then) };
                Node::Choice { goal: *goal, proposed: *proposed, moves: moves.iter().map(step).collect() }
            }
            Stored::Chance(outcomes) => {
                let outcome = |(name, weight, then): &(Option<String>, u64, Stored)| Outcome {
                    name: name.clone(),
                    weight: *weight,
                    then: self.node_of(then),
                };
                Node::Chance(outcomes.iter().map(outcome).collect())
            }
        }
    }
}

impl Rules for PythonRules {
    type Position = Position;
    type Move = Arc<str>;

    fn name(&self) -> &str {
        &self.0.settings.name
    }

    fn about(&self) -> &str {
        &self.0.settings.about
    }

    fn rules(&self) -> &str {
        &self.0.settings.rules
    }

    fn sum(&self) -> i64 {
        self.0.settings.sum
    }

    fn cycles(&self) -> Cycles {
        self.0.settings.cycles
    }

    fn unit(&self) -> &str {
        &self.0.settings.unit
    }

    fn decimals(&self) -> Option<u32> {
        self.0.settings.decimals
    }

    fn digits(&self) -> Option<u16> {
        self.0.settings.digits
    }

    fn players(&self) -> [&str; 2] {
        self.0.settings.players.each_ref().map(String::as_str)
    }

    fn board(&self, position: &Position) -> Vec<String> {
        if !self.0.has_board {
            return Vec::new();
        }
        Session::called(|py| self.0.shown(py, "board", position.number, None, show::board))
    }

    fn touch(&self, position: &Position, step: &Arc<str>) -> Touch {
        if !self.0.has_touch {
            return Touch::button();
        }
        Session::called(|py| self.0.shown(py, "touch", position.number, Some(step), show::touch))
    }

    fn look(&self) -> Vec<Look> {
        self.0.settings.look.clone()
    }

    fn starts(&self) -> Vec<Position> {
        let starts = Session::called(|py| self.0.starts(py));
        starts.into_iter().map(|number| self.position(number)).collect()
    }

    fn node(&self, position: &Position) -> tabletop::kit::Node<PythonRules> {
        let known = self.0.read(|seen| seen.entries[position.number as usize].node.clone());
        let node = known.unwrap_or_else(|| Session::called(|py| self.0.ask(py, position.number)));
        self.node_of(&node)
    }

    fn canonical(&self, position: Position) -> Position {
        self.position(self.0.canonical(position.number))
    }

    fn is_transient(&self, position: &Position) -> bool {
        self.0.has_transient && self.0.read(|seen| seen.entries[position.number as usize].is_transient)
    }

    fn stage(&self, position: &Position) -> Option<u32> {
        self.0.read(|seen| seen.entries[position.number as usize].stage)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.session.text(self.number))
    }
}

impl FromStr for Position {
    type Err = String;

    fn from_str(text: &str) -> Result<Position, String> {
        let question = current().ok_or("no game is asked")?;
        let session = Arc::clone(&question.session);
        let known = session.read(|seen| seen.by_text.get(text).copied());
        let parse = |py: Python<'_>| {
            let parsed = session.rules.bind(py).call_method1("parse", (text,))?;
            session.number(py, &parsed)
        };
        let wrong = |py: Python<'_>, raised: PyErr| {
            let what = raised.to_string();
            if !error::is_of_rules(py, &raised) {
                question.keep(raised);
            }
            what
        };
        let number = match known {
            Some(number) => number,
            None => Python::attach(|py| parse(py).map_err(|raised| wrong(py, raised)))?,
        };
        Ok(Position { session, number })
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.session.read(|seen| {
            // A tuple of bytes has no length before it.
            let key = &seen.entries[self.number as usize].key;
            let mut tuple = serializer.serialize_tuple(key.len())?;
            key.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
            tuple.end()
        })
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        deserializer.deserialize_tuple(usize::MAX, AllBytes)
    }
}

/// Reads a key: all bytes that are left.
struct AllBytes;

impl<'de> Visitor<'de> for AllBytes {
    type Value = Position;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key of a position")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<Position, A::Error> {
        let mut key = Vec::new();
        // The end of the bytes is an error of the reader.
        while let Ok(Some(byte)) = bytes.next_element::<u8>() {
            key.push(byte);
        }
        let session = current().ok_or_else(|| A::Error::custom("no game is asked"))?.session.clone();
        let number = session.read(|seen| seen.by_key.get(&key[..]).copied());
        let number = number.ok_or_else(|| A::Error::custom("not the key of a position that was seen"))?;
        Ok(Position { session, number })
    }
}
