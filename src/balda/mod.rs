//! Balda: a word game on a square board, played alone for points.
//!
//! The start word is in the middle row. Each move puts a letter into an empty cell next to a filled one and makes a new
//! word through it, along neighbouring cells. A word scores its length.
//!
//! The engine finds good games, not the best one: it anneals a finished board until a limit is reached.
//!
//! ```
//! use tabletop::balda::{Alphabet, Annealing, Dictionary, Gaddag, Start, Word};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let words = "age agent ant ante ate cage eat enate fan fang fen gate gene get gnat kenaf keen knee nag neat net \
//!              tag tan tang tangent tango tea teen ten tenant";
//! let words: Vec<Word> = words.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
//! let dictionary = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
//! let gaddag = Gaddag::new(&dictionary)?;
//! let start: Start = "kenaf".parse()?;
//!
//! let game = Annealing::new(&gaddag, &start)?.proposals(20_000).seed(1).run().game;
//! game.check(|word| dictionary.contains(word))?;
//! assert!(game.points() > 1000);
//! println!("{game}");
//! # Ok(())
//! # }
//! ```

pub(crate) mod alphabet;
pub(crate) mod anneal;
pub mod answer;
mod cells;
pub mod clock;
pub mod dawg;
pub(crate) mod dictionary;
mod engine;
mod evaluate;
#[cfg(feature = "json")]
pub mod explain;
pub(crate) mod gaddag;
pub mod index;
#[cfg(feature = "json")]
mod input;
pub mod judge;
pub(crate) mod letter;
pub(crate) mod library;
pub mod position;
mod reach;
#[cfg(feature = "json")]
mod request;
pub(crate) mod rules;
mod search;
mod warm;

pub use alphabet::{Alphabet, Language, NotALanguage};
pub use anneal::{Annealed, Annealing, OtherAlphabet, WarmBoard};
pub use clock::Clock;
pub use dawg::Dawg;
pub use dictionary::{Dictionary, WordListHash};
pub use engine::{Balda, Effort, EngineError, Shipped, Source, Task};
pub use gaddag::{Gaddag, NotEnoughMemory};
pub use index::WordTable;
pub use letter::{Letter, NotAWord, Word};
pub use position::Position;
pub use reach::Unreachable;
pub use rules::{Board, Cell, IllegalGame, IllegalMove, Move, NotAStart, PlayedGame, Start};

use crate::game::{Contest, Profile};

/// The profile of Balda: name, help texts, sample input and tables.
pub const PROFILE: Profile<'static> = Profile {
    name: "balda",
    about: "Balda: a whole game with a high score",
    question: "Balda: a whole game with a high score, move by move",
    format: "write the language, the start word, an empty line and the dictionary",
    help: "\
Input: the language (en, ru or tr), the start word, an empty line, the words of
the dictionary; Russian in CP866. With --board: the language, the rows of the
board with '.' for an empty cell, then the words used so far; in UTF-8.

Start words of 9 letters or more start from stored boards, if their table is
found and the dictionary has most of the words.

Examples:
  tabletop balda input.txt -o output.txt
  tabletop balda --lang en --word kenaf --explain
  tabletop balda --check input.txt output.txt
  printf 'en\\n...\\ncat\\n...\\ncat\\n' | tabletop balda --board",
    sample: "en\ncat\n\ncat\nact\ncart\ntar\n",
    demonstration: Some("--lang en --word kenaf --explain"),
    max_cases: 1,
    contest: Contest { inputs: 30, seconds: 3 },
    tables: &[
        &index::ENGLISH,
        &index::RUSSIAN,
        &index::TURKISH,
        &library::ENGLISH,
        &library::RUSSIAN,
        &library::TURKISH,
    ],
    options: &[],
};
