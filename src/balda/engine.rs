//! The engine with what it needs from the tables: the shipped words and the stored boards, loaded at first use.

use std::sync::{Arc, Mutex, PoisonError};

use super::alphabet::Language;
use super::anneal::{Annealing, OtherAlphabet, WarmBoard};
use super::clock::Clock;
use super::dictionary::Dictionary;
use super::gaddag::{Gaddag, NotEnoughMemory};
use super::index::WordTable;
use super::judge::Input;
use super::library::{self, Library};
use super::rules::Start;
use crate::table::{Places, TableError};

/// Balda with the tables in these places.
#[derive(Debug)]
pub struct Balda {
    places: Places,
    words: PerLanguage<Shipped>,
    gaddags: PerLanguage<Gaddag>,
    boards: PerLanguage<Library>,
}

/// A value for each language. Loading one language does not delay the others.
#[derive(Debug)]
struct PerLanguage<T>([Mutex<Option<Arc<T>>>; Language::ALL.len()]);

impl<T> PerLanguage<T> {
    fn new() -> PerLanguage<T> {
        PerLanguage(std::array::from_fn(|_| Mutex::default()))
    }

    /// The value of a language. `load` is called until it succeeds once.
    fn get<E>(&self, language: Language, load: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut loaded = self.0[language as usize].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = &*loaded {
            return Ok(Arc::clone(value));
        }
        Ok(Arc::clone(loaded.insert(Arc::new(load()?))))
    }
}

/// The shipped words of a language.
#[derive(Debug)]
pub struct Shipped {
    /// The words as a graph.
    pub words: WordTable,
    /// The words as a list.
    pub dictionary: Dictionary,
}

/// Why the engine cannot play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A table is missing, unreadable, damaged or outdated.
    #[error("{0}")]
    Table(#[from] TableError),
    /// The index of the words does not fit in memory.
    #[error("{0}")]
    Memory(#[source] NotEnoughMemory),
    /// The word cannot start a game; the text says what to write instead.
    #[error("the word cannot start a game, {0}")]
    Start(String),
}

impl Balda {
    /// The game with the tables in these places.
    pub fn at(places: &Places) -> Balda {
        let places = places.clone();
        Balda { places, words: PerLanguage::new(), gaddags: PerLanguage::new(), boards: PerLanguage::new() }
    }

    /// The shipped words of a language.
    pub fn shipped(&self, language: Language) -> Result<Arc<Shipped>, TableError> {
        self.words.get(language, || {
            let words = WordTable::open(&self.places, language)?;
            let dictionary = words.dawg.dictionary();
            Ok(Shipped { words, dictionary })
        })
    }

    /// A game with this start word and the shipped words. Words that are not indexed when the clock is over are not used,
    /// in this game and in those after it.
    pub fn shipped_task(&self, language: Language, word: &str, clock: Clock<'_>) -> Result<Task, EngineError> {
        let shipped = self.shipped(language)?;
        let start = start_word(language, word, &shipped.dictionary)?;
        let gaddag = self.gaddags.get(language, || Gaddag::within(&shipped.dictionary, clock));
        self.task(language, start, gaddag.map_err(EngineError::Memory)?)
    }

    /// A game with the dictionary of an input. Words that are not indexed when the clock is over are not used.
    pub fn own_task(&self, input: Input, clock: Clock<'_>) -> Result<Task, EngineError> {
        let gaddag = Gaddag::within(&input.dictionary, clock).map_err(EngineError::Memory)?;
        self.task(input.language, input.start, Arc::new(gaddag))
    }

    /// A game without stored boards if their table is missing.
    fn task(&self, language: Language, start: Start, gaddag: Arc<Gaddag>) -> Result<Task, EngineError> {
        let (warm, missing) = match self.warm_boards(language, start.side()) {
            Err(error @ TableError::Missing { .. }) => (Vec::new(), Some(error)),
            other => (other?, None),
        };
        Ok(Task { language, start, gaddag, warm, missing })
    }

    /// The stored boards of this side length. The search decides whether to start from them.
    fn warm_boards(&self, language: Language, side: usize) -> Result<Vec<WarmBoard>, TableError> {
        if !library::SIDES.contains(&side) {
            return Ok(Vec::new());
        }
        let library = self.boards.get(language, || Library::open(&self.places, language))?;
        let boards = library.boards.iter().filter(|stored| stored.side() == side);
        Ok(boards.map(|stored| stored.board.clone()).collect())
    }
}

/// The start of a game with these words.
fn start_word(language: Language, word: &str, dictionary: &Dictionary) -> Result<Start, EngineError> {
    let alphabet = language.alphabet();
    let letters = alphabet.word(word).ok_or_else(|| EngineError::Start(alphabet.remedy(word)))?;
    match Start::new(letters) {
        Err(_) => Err(EngineError::Start(String::from("choose a word of 3, 5, 7, 9, 11, 13 or 15 letters"))),
        Ok(start) if dictionary.contains(&start) => Ok(start),
        Ok(_) => Err(EngineError::Start(format!("choose a word of the {language} list"))),
    }
}

/// A game to search for.
#[derive(Debug)]
pub struct Task {
    /// The language.
    pub language: Language,
    start: Start,
    gaddag: Arc<Gaddag>,
    warm: Vec<WarmBoard>,
    /// The table of stored boards, if it is missing.
    pub missing: Option<TableError>,
}

impl Task {
    /// The search for a game, which may start from stored boards.
    pub fn annealing(&self) -> Result<Annealing<'_>, OtherAlphabet> {
        Ok(Annealing::new(&self.gaddag, &self.start)?.warm_boards(&self.warm))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn a_language_can_be_used_while_another_is_loaded() {
        let values = &PerLanguage::<u8>::new();
        let (begin, begun) = channel();
        let (finish, finished) = channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                values.get(Language::English, || {
                    begin.send(()).unwrap();
                    finished.recv().map(|()| 1)
                })
            });
            begun.recv().unwrap();
            assert_eq!(*values.get(Language::Russian, || Ok::<_, Infallible>(2)).unwrap(), 2);
            finish.send(()).unwrap();
        });
        assert_eq!(*values.get(Language::English, || Err("loaded twice")).unwrap(), 1);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let values = PerLanguage::<u8>::new();
        assert_eq!(values.get(Language::Turkish, || Err("missing")), Err("missing"));
        assert_eq!(*values.get(Language::Turkish, || Ok::<_, Infallible>(3)).unwrap(), 3);
    }
}
