//! Finds all positions of a Python game. Python is asked for each node once, by the thread that holds the interpreter; the
//! solver's threads then need Python no more.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use rustc_hash::{FxBuildHasher, FxHashMap};
use tabletop::kit::{BadRules, Explored, Fault, Numbers};

use crate::error;
use crate::node::{Name, Reader};
use crate::session::Session;

/// Ctrl-C is looked for at positions with numbers divisible by this.
const SIGNAL_EVERY: u32 = 1024;
/// The texts of the positions with numbers below this are read back.
const READ_BACK: u32 = 1000;
/// What is checked of all positions in `check` is checked of one of this number of positions while solving.
const SAMPLE_EVERY: u32 = 64;

/// All positions of a game with their nodes.
pub(crate) struct Found {
    pub(crate) explored: Explored,
    pub(crate) objects: Vec<Py<PyAny>>,
    /// Whether each position is transient; empty if none is.
    pub(crate) transient: Vec<bool>,
    index: OnceLock<Index>,
}

/// The numbers of positions by the hashes of their keys.
#[derive(Default)]
struct Index {
    numbers: FxHashMap<u64, u32>,
    /// Positions whose keys have the hash of another key.
    others: Vec<u32>,
}

impl Found {
    /// The number of the position with this key.
    pub(crate) fn number(&self, key: &[u8]) -> Option<u32> {
        let hash = |key: &[u8]| FxBuildHasher.hash_one(key);
        let index = self.index.get_or_init(|| {
            let mut index = Index::default();
            index.numbers.reserve(self.objects.len());
            for number in 0..self.objects.len() as u32 {
                let first = *index.numbers.entry(hash(self.explored.key(number))).or_insert(number);
                if first != number {
                    index.others.push(number);
                }
            }
            index
        });
        let is_it = |number: &u32| self.explored.key(*number) == key;
        let first = index.numbers.get(&hash(key)).copied()?;
        Some(first).filter(is_it).or_else(|| index.others.iter().copied().find(is_it))
    }

    /// Two positions with the same key, if there are any.
    fn same_key(&self) -> Option<(u32, u32)> {
        (0..self.objects.len() as u32).find_map(|number| {
            let first = self.number(self.explored.key(number))?;
            (first != number).then_some((first, number))
        })
    }
}

/// The search for all positions.
pub(crate) struct Search<'a, 'py> {
    session: &'a Session,
    py: Python<'py>,
    /// The numbers of positions that are ints.
    ints: FxHashMap<i64, u32>,
    /// The numbers of other positions that can be keys of a dictionary.
    hashed: Bound<'py, PyDict>,
    /// The numbers of positions by their keys, if the rules have `key` or some position has no hash.
    keyed: FxHashMap<Box<[u8]>, u32>,
    /// Whether all positions so far can be keys of a dictionary.
    can_hash: bool,
    explored: Explored,
    /// The positions by number: the representatives, if the rules have them.
    objects: Vec<Py<PyAny>>,
    transient: Vec<bool>,
    /// The number of times that a position was found in the dictionary.
    hits: u32,
}

/// The number of a position that is an int.
fn whole(object: &Bound<'_, PyAny>) -> Option<i64> {
    if object.is_instance_of::<PyInt>() { object.extract().ok() } else { None }
}

impl<'a, 'py> Search<'a, 'py> {
    pub(crate) fn run(session: &'a Session, py: Python<'py>) -> PyResult<Found> {
        let mut search = Search {
            session,
            py,
            ints: FxHashMap::default(),
            hashed: PyDict::new(py),
            keyed: FxHashMap::default(),
            can_hash: true,
            explored: Explored::default(),
            objects: Vec::new(),
            transient: Vec::new(),
            hits: 0,
        };
        for start in session.starts(py)? {
            let number = search.position(&start)?;
            search.explored.start(number);
        }
        let node = session.rules.bind(py).getattr("node")?;
        let mut number = 0;
        while (number as usize) < search.objects.len() {
            search.describe(&node, number)?;
            number += 1;
        }
        let transient = if search.transient.contains(&true) { search.transient } else { Vec::new() };
        let found = Found { explored: search.explored, objects: search.objects, transient, index: OnceLock::new() };
        // What `key` returns is compared when a position is noted.
        if !session.has_key
            && let Some((one, other)) = found.same_key()
        {
            let [one, other] = [one, other].map(|number| &found.objects[number as usize]);
            return Err(error::rules(
                py,
                &format!("the positions {one} and {other} have the same key, write `key`"),
                None,
            ));
        }
        Ok(found)
    }

    /// The number of a position that was seen.
    fn seen(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<u32>> {
        if let Some(int) = whole(object) {
            return Ok(self.ints.get(&int).copied());
        }
        if !self.can_hash {
            return Ok(None);
        }
        let number = match self.hashed.get_item(object) {
            Ok(Some(number)) => number.extract()?,
            Ok(None) => return Ok(None),
            Err(raised) if raised.is_instance_of::<PyTypeError>(self.py) => {
                // From now on positions are found by their keys.
                self.can_hash = false;
                for number in 0..self.explored.len() as u32 {
                    self.keyed.entry(self.explored.key(number).into()).or_insert(number);
                }
                return Ok(None);
            }
            Err(raised) => return Err(raised),
        };
        self.hits = self.hits.wrapping_add(1);
        if self.session.has_key && self.hits.is_multiple_of(SAMPLE_EVERY) {
            let key = self.session.key(self.py, object)?;
            if self.keyed.get(&key) != Some(&number) {
                let what = format!("key({object}): it has another key than a position that is equal to it");
                return Err(error::rules(self.py, &what, None));
            }
        }
        Ok(Some(number))
    }

    /// Remembers the number of a position.
    fn note(&mut self, object: &Bound<'py, PyAny>, key: Box<[u8]>, number: u32) -> PyResult<()> {
        if self.session.has_key || !self.can_hash {
            self.keyed.insert(key, number);
        }
        match whole(object) {
            Some(int) => {
                self.ints.insert(int, number);
            }
            None if self.can_hash => self.hashed.set_item(object, number)?,
            None => {}
        }
        Ok(())
    }

    /// Adds a position that is its own representative.
    fn add(&mut self, object: &Bound<'py, PyAny>, key: &[u8], is_transient: bool) -> PyResult<u32> {
        self.objects.push(object.clone().unbind());
        self.transient.push(is_transient);
        self.explored.add(key).map_err(|bad| error::rules(self.py, &bad.to_string(), None))
    }

    /// Adds a position, or its representative if that is new.
    fn add_new(&mut self, object: &Bound<'py, PyAny>, key: Box<[u8]>) -> PyResult<u32> {
        let (py, session) = (self.py, self.session);
        let is_transient = session.is_transient(py, object)?;
        if is_transient || !session.has_canonical {
            let number = self.add(object, &key, is_transient)?;
            self.note(object, key, number)?;
            return Ok(number);
        }
        let form = session.canonical(py, object)?;
        let form_key = session.key(py, &form)?;
        if form_key == key {
            let number = self.add(object, &key, false)?;
            self.note(object, key, number)?;
            return Ok(number);
        }
        let known = self.seen(&form)?.or_else(|| self.keyed.get(&form_key).copied());
        let is_own = match known {
            Some(number) => *self.explored.key(number) == *form_key,
            None => session.key(py, &session.canonical(py, &form)?)? == form_key,
        };
        if !is_own {
            let instead = session.text(py, &session.canonical(py, &form)?)?;
            let bad = Fault::Canonical { instead }.at(session.text(py, &form)?);
            return Err(error::rules(py, &bad.to_string(), None));
        }
        let number = match known {
            Some(number) => number,
            None => {
                let number = self.add(&form, &form_key, false)?;
                self.note(&form, form_key, number)?;
                number
            }
        };
        self.note(object, key, number)?;
        Ok(number)
    }

    /// Asks for the node of a position.
    fn describe(&mut self, node: &Bound<'py, PyAny>, number: u32) -> PyResult<()> {
        let (py, session) = (self.py, self.session);
        let object = self.objects[number as usize].bind(py).clone();
        let node = session.node(py, node, &object)?;
        let node = node.get().read::<Numbers>(py, self)?;
        let stage = session.stage(py, &object)?;
        let bad = |bad: BadRules| match session.text(py, &object) {
            Ok(text) => error::rules(py, &bad.fault.at(text).to_string(), None),
            Err(raised) => raised,
        };
        self.explored.describe(node, stage).map_err(bad)?;
        if number < READ_BACK || number.is_multiple_of(SAMPLE_EVERY) {
            session.read_back(py, &object, self.explored.key(number))?;
        }
        if number.is_multiple_of(SIGNAL_EVERY) { py.check_signals() } else { Ok(()) }
    }
}

impl<'py> Reader<'py, Numbers> for Search<'_, 'py> {
    fn position(&mut self, object: &Bound<'py, PyAny>) -> PyResult<u32> {
        if let Some(number) = self.seen(object)? {
            return Ok(number);
        }
        let key = self.session.key(self.py, object)?;
        match self.keyed.get(&key) {
            Some(number) => Ok(*number),
            None => self.add_new(object, key),
        }
    }

    fn name(&mut self, _name: Name<'_, 'py>) -> PyResult<&'static str> {
        Ok("")
    }

    fn outcome(&mut self, _name: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        Ok(None)
    }
}
