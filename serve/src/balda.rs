//! Balda: games, streams of improving games, and the words that can be made next.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tabletop::balda::anneal::WarmBoard;
use tabletop::balda::clock::Clock;
use tabletop::balda::explain::{game_object, moves_object};
use tabletop::balda::index::WordTable;
use tabletop::balda::judge::{self, Input};
use tabletop::balda::library::{self, Library};
use tabletop::balda::position::read_position;
use tabletop::balda::{Annealing, Dictionary, Gaddag, Game, Language, Start, answer};
use tabletop::input::Lines;
use tabletop::table::{Places, TableError};
use tabletop::text;

use crate::failure::Failure;
use crate::games::Outcome;
use crate::stream::EventSender;

/// The largest input in bytes: a dictionary of a few hundred thousand words.
pub const MAX_INPUT: usize = 4 << 20;
/// The longest search in seconds.
pub const MAX_SECONDS: f64 = 30.0;
/// The time of the first search of a streamed game, in seconds. It doubles with each further search.
const FIRST_ROUND: f64 = 0.25;

/// The shipped words and boards, loaded at first use.
pub struct Balda {
    places: Places,
    words: PerLanguage<Shipped>,
    boards: PerLanguage<Library>,
}

/// A value for each language. Loading one language does not delay the others.
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
struct Shipped {
    words: WordTable,
    dictionary: Dictionary,
    gaddag: Gaddag,
}

/// The limits and the seed of a search.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Time limit in seconds.
    pub seconds: f64,
    /// Number of proposals. The same number gives the same game, unless the time limit ends the search first.
    pub proposals: Option<u64>,
    /// The random seed.
    pub seed: u64,
}

/// A game to search for.
pub struct Task {
    language: Language,
    start: Start,
    words: TaskWords,
    warm: Vec<WarmBoard>,
}

enum TaskWords {
    Shipped(Arc<Shipped>),
    Own(Gaddag),
}

impl Task {
    fn gaddag(&self) -> &Gaddag {
        match &self.words {
            TaskWords::Shipped(shipped) => &shipped.gaddag,
            TaskWords::Own(gaddag) => gaddag,
        }
    }
}

impl Balda {
    /// The game with the tables in these places.
    pub fn at(places: &Places) -> Balda {
        Balda { places: places.clone(), words: PerLanguage::new(), boards: PerLanguage::new() }
    }

    fn shipped(&self, language: Language) -> Result<Arc<Shipped>, Failure> {
        self.words.get(language, || {
            let words = WordTable::open(&self.places, language)?;
            let dictionary = words.dawg.dictionary();
            let gaddag = Gaddag::new(&dictionary).map_err(|error| Failure::busy(error.to_string()))?;
            Ok(Shipped { words, dictionary, gaddag })
        })
    }

    /// A game with the shipped words.
    pub fn shipped_task(&self, language: &str, word: &str) -> Result<Task, Failure> {
        let language = read_language(language)?;
        let shipped = self.shipped(language)?;
        let refused = |remedy: String| Failure::bad_request("the word cannot start a game", remedy);
        let word = language.alphabet().word(word);
        let word = word.ok_or_else(|| refused(format!("write it in small {}", language.alphabet().described())))?;
        let start =
            Start::new(word).map_err(|_| refused(String::from("choose a word of 3, 5, 7, 9, 11, 13 or 15 letters")))?;
        if !shipped.dictionary.contains(&start) {
            return Err(refused(format!("choose a word of the {language} list")));
        }
        let warm = self.warm_boards(language, start.side())?;
        Ok(Task { language, start, words: TaskWords::Shipped(shipped), warm })
    }

    /// The stored boards of this side length. Empty if their table is missing: games then start from random letters.
    fn warm_boards(&self, language: Language, side: usize) -> Result<Vec<WarmBoard>, Failure> {
        if !library::SIDES.contains(&side) {
            return Ok(Vec::new());
        }
        match self.boards.get(language, || Library::open(&self.places, language)) {
            Err(TableError::Missing { .. }) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
            Ok(library) => {
                let boards = library.boards.iter().filter(|stored| stored.side() == side);
                Ok(boards.map(|stored| stored.board.clone()).collect())
            }
        }
    }

    /// A game with the dictionary of a judge's input. Indexing the words may take half of the time.
    pub fn own_task(&self, input: &[u8], effort: Effort, cancelled: &AtomicBool) -> Result<Task, Failure> {
        let Input { language, start, dictionary } = judge::read_input(&mut Lines::new(input))?;
        let deadline = Instant::now() + Duration::from_secs_f64(effort.seconds / 2.0);
        let clock = Clock { deadline: Some(deadline), stop: Some(cancelled) };
        let gaddag = Gaddag::within(&dictionary, clock).map_err(|error| Failure::busy(error.to_string()))?;
        let warm = self.warm_boards(language, start.side())?;
        Ok(Task { language, start, words: TaskWords::Own(gaddag), warm })
    }

    /// The words that can be made next on a board.
    pub fn next_words(&self, input: &[u8]) -> Outcome {
        let described = read_position(&mut Lines::new(input))?;
        let shipped = self.shipped(described.language())?;
        let position = described.position(|word| shipped.words.dawg.contains(word))?;
        let moves = answer::next_moves(&position.board, &shipped.words.dawg)
            .map_err(|error| Failure::bad_request(error.to_string(), "ask about another board"))?;
        Ok(moves_object(&moves, position.language))
    }

    /// A start word from the shipped list with `letters` letters, chosen by `seed`.
    pub fn start_word(&self, language: &str, letters: usize, seed: u64) -> Outcome {
        let language = read_language(language)?;
        let shipped = self.shipped(language)?;
        let words: Vec<_> = shipped.dictionary.words().filter(|word| word.len() == letters).collect();
        let place = (seed % (words.len().max(1) as u64)) as usize;
        let start = words.get(place).and_then(|word| Start::new(word.iter().copied().collect()).ok());
        let Some(start) = start else {
            let what = format!("no start word has {letters} letters");
            return Err(Failure::bad_request(what, "ask for 3, 5, 7, 9, 11, 13 or 15 letters"));
        };
        let mut line = text::to_json(&StartObject { language: language.code(), word: start.to_string() });
        line.push(b'\n');
        Ok(line)
    }
}

/// Finds a game with one search.
pub fn play(task: &Task, effort: Effort, cancelled: &AtomicBool) -> Outcome {
    let game = search(task, effort, cancelled)?;
    if cancelled.load(Ordering::Relaxed) {
        return Err(Failure::busy("the game was given up"));
    }
    Ok(game_object(&game, task.language))
}

/// Searches repeatedly, each time for longer, and sends every game that is better than all before it.
pub fn improve(task: &Task, effort: Effort, cancelled: &AtomicBool, events: &EventSender) -> Outcome {
    let end = Instant::now() + Duration::from_secs_f64(effort.seconds);
    let mut best: Option<Game> = None;
    let mut round = FIRST_ROUND;
    for seed in effort.seed.. {
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        // The last round takes all the time that is left, because one long search finds more than two short ones.
        let seconds = if left < 3.0 * round { left } else { round };
        let game = search(task, Effort { seconds, seed, ..effort }, cancelled)?;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Failure::busy("the game was given up"));
        }
        if best.as_ref().is_none_or(|best| game.letters() > best.letters()) {
            events.send("best", &game_object(&game, task.language));
            best = Some(game);
        }
        round *= 2.0;
        // With a number of proposals there is only one search: a second one would use another seed.
        if Instant::now() >= end || effort.proposals.is_some() {
            break;
        }
    }
    best.map(|game| game_object(&game, task.language)).ok_or_else(|| Failure::busy("there was no time for a game"))
}

fn search(task: &Task, effort: Effort, cancelled: &AtomicBool) -> Result<Game, Failure> {
    let annealing = Annealing::new(task.gaddag(), &task.start)
        .map_err(|error| Failure::bad_request(error.to_string(), "write both in one alphabet"))?
        .deadline(Instant::now() + Duration::from_secs_f64(effort.seconds))
        .stop(cancelled)
        .warm_boards(&task.warm)
        .seed(effort.seed);
    let annealing = effort.proposals.map_or(annealing, |proposals| annealing.proposals(proposals));
    Ok(annealing.run().game)
}

fn read_language(code: &str) -> Result<Language, Failure> {
    code.parse().map_err(|_| Failure::bad_request("this language is not known", "write en, ru or tr"))
}

/// A start word.
#[derive(Serialize)]
struct StartObject {
    language: &'static str,
    word: String,
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
