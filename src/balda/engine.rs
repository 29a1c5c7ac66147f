//! The engine with what it needs from the tables: the shipped words and the stored boards, loaded at first use.

use std::sync::{Arc, Mutex, PoisonError};

use super::alphabet::Language;
use super::anneal::{Annealing, WarmBoard};
use super::clock::Clock;
use super::dictionary::Dictionary;
use super::gaddag::{Gaddag, NotEnoughMemory};
use super::index::WordTable;
use super::judge::Input;
use super::library::{self, Library};
use super::rules::{PlayedGame, Start};
use crate::game::Error;
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

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Error {
        match error {
            EngineError::Table(error) => Error::Table(error),
            other => Error::Stopped { reason: other.to_string(), remedy: String::from("end other programs") },
        }
    }
}

/// The start word of a game, and the words that can be made.
#[derive(Debug)]
pub enum Source<'a> {
    /// A start word, and the shipped words of its language.
    Shipped(Language, &'a str),
    /// An input with its own dictionary.
    Own(Input),
}

/// When a search ends, and its seed. It ends at the first limit that it reaches, see [`Annealing`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort<'a> {
    /// Ends the search.
    pub clock: Clock<'a>,
    /// The number of proposals; the same number gives the same game.
    pub proposals: Option<u64>,
    /// The seed of the random numbers.
    pub seed: u64,
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

    /// Plays a game. Indexing the words may take half of the time.
    pub fn play(&self, source: Source<'_>, effort: Effort<'_>) -> Result<PlayedGame, EngineError> {
        Ok(self.task(source, effort.clock.part(0.5))?.search(effort))
    }

    /// A game to search for, without stored boards if their table is missing. Words that are not indexed when the clock is
    /// over are not used; if they are shipped words, not in later games either.
    pub fn task(&self, source: Source<'_>, clock: Clock<'_>) -> Result<Task, EngineError> {
        let (language, start, gaddag) = match source {
            Source::Shipped(language, word) => {
                let shipped = self.shipped(language)?;
                let start = start_word(language, word, &shipped.dictionary)?;
                (language, start, self.gaddags.get(language, || Gaddag::within(&shipped.dictionary, clock)))
            }
            Source::Own(Input { language, start, dictionary, .. }) => {
                (language, start, Gaddag::within(&dictionary, clock).map(Arc::new))
            }
        };
        let gaddag = gaddag.map_err(EngineError::Memory)?;
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
    /// The game that a search finds. It may start from stored boards.
    pub fn search(&self, Effort { clock, proposals, seed }: Effort<'_>) -> PlayedGame {
        let annealing = Annealing::new(&self.gaddag, &self.start).expect("a task has one alphabet");
        annealing.limits(clock, proposals).seed(seed).warm_boards(&self.warm).run().game
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
