//! A Python game for the solver: its positions that were found, and those that somebody asks about.

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
use tabletop::kit::{Cycles, Explored, Fault, Look, Raised, Rules, Touch};

use crate::error;
use crate::node::{Name, Node, Reader};
use crate::search::{Found, Search};
use crate::show;

/// A position that was asked about and is not among those that were found.
struct Asked {
    object: Py<PyAny>,
    key: Box<[u8]>,
}

#[derive(Default)]
struct AllAsked {
    positions: Vec<Asked>,
    by_key: FxHashMap<Box<[u8]>, u32>,
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
    pub(crate) rules: Py<PyAny>,
    settings: Settings,
    pub(crate) has_key: bool,
    has_text: bool,
    pub(crate) has_canonical: bool,
    has_stage: bool,
    has_transient: bool,
    has_board: bool,
    has_touch: bool,
    found: OnceLock<Found>,
    asked: RwLock<AllAsked>,
}

/// What a question needs of nodes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Needs {
    /// The names of moves as well, so Python is asked for a node again.
    Names,
    /// What was found is enough.
    Values,
}

/// A question to a game. Positions are read from keys and texts for it.
struct Question {
    session: Arc<Session>,
    needs: Needs,
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
    fn new(session: &Arc<Session>, needs: Needs) -> Arc<Question> {
        Arc::new(Question { session: Arc::clone(session), needs, raised: Mutex::default() })
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
    let question = Question::new(session, Needs::Names);
    let done = py.detach(|| question.answered(work));
    (done, question.take_raised())
}

/// The same for a question that needs all cores. It must not hold the interpreter.
pub(crate) fn asked_on_all_cores<T: Send>(
    session: &Arc<Session>,
    work: impl FnOnce() -> T + Send,
) -> (T, Option<PyErr>) {
    let question = Question::new(session, Needs::Values);
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
    needs: Needs,
    work: impl FnOnce() -> T + Send,
) -> (T, Option<PyErr>) {
    let question = PROGRAM.get_or_init(|| Question::new(session, needs));
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
            found: OnceLock::new(),
            asked: RwLock::default(),
        })
    }

    /// Finds all positions, and asks for their nodes.
    pub(crate) fn explore(&self, py: Python<'_>) -> PyResult<()> {
        if self.found.get().is_none() {
            // Another thread may have found them in the meantime. They are the same.
            let _ = self.found.set(Search::run(self, py)?);
        }
        Ok(())
    }

    /// Checks that the texts of all positions that were found read back to them.
    pub(crate) fn read_all_back(&self, py: Python<'_>) -> PyResult<()> {
        let Some(found) = self.found.get() else { return Ok(()) };
        (0..).zip(&found.objects).try_for_each(|(number, object)| {
            py.check_signals()?;
            self.read_back(py, object.bind(py), found.explored.key(number))
        })
    }

    pub(crate) fn starts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let listed = || self.rules.bind(py).call_method0("starts")?.try_iter()?.collect::<PyResult<Vec<_>>>();
        listed().map_err(|cause| error::rules(py, &format!("starts: {cause}"), Some(cause)))
    }

    /// Calls a function of the rules with a position.
    fn call<'py>(&self, py: Python<'py>, function: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let called = self.rules.bind(py).call_method1(function, (object,));
        called.map_err(|cause| self.failed(py, function, object, cause))
    }

    pub(crate) fn canonical<'py>(&self, py: Python<'py>, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.has_canonical { self.call(py, "canonical", object) } else { Ok(object.clone()) }
    }

    pub(crate) fn stage(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        if !self.has_stage {
            return Ok(None);
        }
        self.call(py, "stage", object)?.extract().map_err(|cause| self.failed(py, "stage", object, cause))
    }

    pub(crate) fn is_transient(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        if !self.has_transient {
            return Ok(false);
        }
        self.call(py, "is_transient", object)?.extract().map_err(|cause| self.failed(py, "is_transient", object, cause))
    }

    pub(crate) fn text(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<String> {
        // What `Rules.text` would say.
        if !self.has_text && object.is_exact_instance_of::<PyInt>() {
            return Ok(object.to_string());
        }
        let text = self.rules.bind(py).call_method1("text", (object,)).and_then(|text| text.extract());
        text.map_err(|cause| error::rules(py, &format!("text({object}): {cause}"), Some(cause)))
    }

    /// The place of a position that somebody asks about.
    fn place(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Place> {
        let key = self.key(py, object)?;
        if let Some(number) = self.found.get().and_then(|found| found.number(&key)) {
            return Ok(Place::Found(number));
        }
        let mut asked = self.asked.write().unwrap_or_else(PoisonError::into_inner);
        let new = asked.positions.len() as u32;
        let number = *asked.by_key.entry(key.clone()).or_insert(new);
        if number == new {
            asked.positions.push(Asked { object: object.clone().unbind(), key });
        }
        Ok(Place::Asked(number))
    }

    fn asked<T>(&self, number: u32, read: impl FnOnce(&Asked) -> T) -> T {
        read(&self.asked.read().unwrap_or_else(PoisonError::into_inner).positions[number as usize])
    }

    fn object<'py>(&self, py: Python<'py>, place: Place) -> Bound<'py, PyAny> {
        match place {
            Place::Found(number) => self.found().objects[number as usize].bind(py).clone(),
            Place::Asked(number) => self.asked(number, |asked| asked.object.clone_ref(py)).into_bound(py),
        }
    }

    /// All positions, once a place names one of them.
    fn found(&self) -> &Found {
        self.found.get().expect("a position was found")
    }

    /// The key of a position: what `key` returns, or the bytes that Rust gives to a whole number, a text or bytes.
    pub(crate) fn key(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Box<[u8]>> {
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

    /// Checks that the text of a position is one line that reads back to it.
    pub(crate) fn read_back(&self, py: Python<'_>, object: &Bound<'_, PyAny>, key: &[u8]) -> PyResult<()> {
        let text = self.text(py, object)?;
        if text.is_empty() || text.trim() != text || text.contains(char::is_control) {
            return Err(error::rules(py, &Fault::Text.at(text.escape_debug()).to_string(), None));
        }
        let wrong = |cause: PyErr| self.failed(py, "parse", object, cause);
        let parsed = self.rules.bind(py).call_method1("parse", (&*text,)).map_err(wrong)?;
        if *self.key(py, &parsed)? == *key {
            return Ok(());
        }
        Err(error::rules(py, &format!("parse('{text}') is another position, let it read what `text` writes"), None))
    }

    /// The exception for a function of the rules that failed at a position.
    pub(crate) fn failed(&self, py: Python<'_>, function: &str, object: &Bound<'_, PyAny>, cause: PyErr) -> PyErr {
        match self.text(py, object) {
            Ok(text) => error::rules(py, &format!("{function}('{text}'): {cause}"), Some(cause)),
            Err(raised) => raised,
        }
    }

    /// Asks for the node of a position, with the names of its moves.
    fn ask(self: &Arc<Session>, py: Python<'_>, place: Place) -> PyResult<tabletop::kit::Node<PythonRules>> {
        let object = self.object(py, place);
        let node = self.node(py, &self.rules.bind(py).getattr("node")?, &object)?;
        node.get().read(py, &mut WithNames { session: self, object: &object })
    }

    /// The node of a position, by the function of the rules.
    pub(crate) fn node<'py>(
        &self,
        py: Python<'py>,
        function: &Bound<'py, PyAny>,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Node>> {
        let failed = |cause: PyErr| self.failed(py, "node", object, cause);
        let node = function.call1((object,)).map_err(failed)?;
        node.cast_into()
            .map_err(|refused| failed(PyTypeError::new_err(format!("{} is not a tabletop.Node", refused.into_inner()))))
    }

    /// What the page shows of a position, by a function of the rules and what reads its result.
    fn shown<T>(
        &self,
        py: Python<'_>,
        function: &str,
        place: Place,
        more: Option<&str>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<T> {
        let object = self.object(py, place);
        let rules = self.rules.bind(py);
        let called = match more {
            None => rules.call_method1(function, (&object,)),
            Some(more) => rules.call_method1(function, (&object, more)),
        };
        called.and_then(|result| read(&result)).map_err(|cause| self.failed(py, function, &object, cause))
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

/// The rules of a Python game for the solver.
#[derive(Clone)]
pub(crate) struct PythonRules(pub(crate) Arc<Session>);

/// Where a position is kept.
#[derive(Clone, Copy)]
enum Place {
    /// Among all positions of the game.
    Found(u32),
    /// Among those that somebody asked about.
    Asked(u32),
}

/// A position of a Python game.
pub(crate) struct Position {
    session: Arc<Session>,
    place: Place,
}

impl Position {
    fn of(session: &Arc<Session>, place: Place) -> Position {
        Position { session: Arc::clone(session), place }
    }
}

/// Reads nodes with the names of moves.
struct WithNames<'a, 'py> {
    session: &'a Arc<Session>,
    /// The position of the node.
    object: &'a Bound<'py, PyAny>,
}

impl<'py> Reader<'py, PythonRules> for WithNames<'_, 'py> {
    fn position(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Position> {
        Ok(Position::of(self.session, self.session.place(object.py(), object)?))
    }

    fn name(&mut self, name: Name<'_, 'py>) -> PyResult<Arc<str>> {
        let named = match name {
            Name::Given(name) => name.str()?,
            Name::To(next) => {
                let rules = self.session.rules.bind(next.py());
                rules.call_method1("move_name", (self.object, next))?.str()?
            }
        };
        Ok(Arc::from(named.to_string()))
    }

    fn outcome(&mut self, name: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        Ok(Some(name.str()?.to_string()))
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
        Session::called(|py| self.0.shown(py, "board", position.place, None, show::board))
    }

    fn touch(&self, position: &Position, step: &Arc<str>) -> Touch {
        if !self.0.has_touch {
            return Touch::button();
        }
        Session::called(|py| self.0.shown(py, "touch", position.place, Some(step), show::touch))
    }

    fn look(&self) -> Vec<Look> {
        self.0.settings.look.clone()
    }

    fn starts(&self) -> Vec<Position> {
        Session::called(|py| {
            let starts = self.0.starts(py)?;
            starts.iter().map(|start| Ok(Position::of(&self.0, self.0.place(py, start)?))).collect()
        })
    }

    fn node(&self, position: &Position) -> tabletop::kit::Node<PythonRules> {
        match position.place {
            Place::Found(number) if current().is_some_and(|question| question.needs == Needs::Values) => {
                self.0.found().explored.node(number, |next| Position::of(&self.0, Place::Found(next)))
            }
            place => Session::called(|py| self.0.ask(py, place)),
        }
    }

    fn canonical(&self, position: Position) -> Position {
        match position.place {
            // Only representatives are found.
            Place::Found(_) => position,
            place => Session::called(|py| {
                let canonical = self.0.canonical(py, &self.0.object(py, place))?;
                Ok(Position::of(&self.0, self.0.place(py, &canonical)?))
            }),
        }
    }

    fn is_transient(&self, position: &Position) -> bool {
        match position.place {
            _ if !self.0.has_transient => false,
            Place::Found(number) => {
                self.0.found().transient.get(number as usize).is_some_and(|is_transient| *is_transient)
            }
            place => Session::called(|py| self.0.is_transient(py, &self.0.object(py, place))),
        }
    }

    fn stage(&self, position: &Position) -> Option<u32> {
        match position.place {
            _ if !self.0.has_stage => None,
            Place::Found(number) => self.0.found().explored.stage(number),
            place => Session::called(|py| self.0.stage(py, &self.0.object(py, place))),
        }
    }

    fn explored(&self) -> Option<&Explored> {
        // Transient positions need the search that knows them.
        self.0.found.get().filter(|found| found.transient.is_empty()).map(|found| &found.explored)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Session::called(|py| self.session.text(py, &self.session.object(py, self.place)));
        f.pad(&text)
    }
}

impl FromStr for Position {
    type Err = String;

    fn from_str(text: &str) -> Result<Position, String> {
        let question = current().ok_or("no game is asked")?;
        let session = Arc::clone(&question.session);
        let parse = |py: Python<'_>| {
            let parsed = session.rules.bind(py).call_method1("parse", (text,))?;
            Ok(Position::of(&session, session.place(py, &parsed)?))
        };
        let wrong = |py: Python<'_>, raised: PyErr| {
            let what = raised.to_string();
            if !error::is_of_rules(py, &raised) {
                question.keep(raised);
            }
            what
        };
        Python::attach(|py| parse(py).map_err(|raised| wrong(py, raised)))
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A tuple of bytes has no length before it.
        let bytes = |key: &[u8]| {
            let mut tuple = serializer.serialize_tuple(key.len())?;
            key.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
            tuple.end()
        };
        match self.place {
            Place::Found(number) => bytes(self.session.found().explored.key(number)),
            Place::Asked(number) => self.session.asked(number, |asked| bytes(&asked.key)),
        }
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
        let found = session.found.get().and_then(|found| found.number(&key)).map(Place::Found);
        let asked = || session.asked.read().unwrap_or_else(PoisonError::into_inner).by_key.get(&key[..]).copied();
        let place = found.or_else(|| asked().map(Place::Asked));
        let place = place.ok_or_else(|| A::Error::custom("not the key of a position that was seen"))?;
        Ok(Position { session, place })
    }
}
