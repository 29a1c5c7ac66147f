//! The tester's interface to Balda's engine and judge, in the contest's text format.

use std::time::Instant;

use tabletop::balda::index::WordTable;
use tabletop::balda::judge::{self, Encoding, Violation};
use tabletop::balda::{Annealing, Gaddag, Game, Language};
use tabletop::input::{InputError, Lines};
use tabletop::table::{Places, TableError};

/// The codes of the languages.
pub(super) fn languages() -> [&'static str; 3] {
    Language::ALL.map(Language::code)
}

/// The shipped words of `languages()[language]`.
pub(super) fn shipped_words(places: &Places, language: usize) -> Result<Vec<Vec<u8>>, TableError> {
    let language = Language::ALL[language];
    let dictionary = WordTable::open(places, language)?.dawg.dictionary();
    Ok(dictionary.words().map(|word| word.iter().map(|letter| letter.to_contest()).collect()).collect())
}

/// A parsed input, for judging and for playing.
pub(super) struct Reader(judge::Input);

/// The first error in an output.
pub(super) enum Broken {
    /// The output is not a list of moves.
    Format(String),
    /// A move is illegal.
    Rule(String),
}

/// How long the engine plays.
pub(super) enum Effort {
    /// Until this deadline.
    Until(Instant),
    /// For this number of proposals. The same number gives the same game.
    Proposals(u64),
}

impl Reader {
    /// Reads an input.
    pub(super) fn new(text: &[u8]) -> Result<Reader, InputError> {
        judge::read_input(&mut Lines::new(text)).map(Reader)
    }

    /// The contest's score of an output.
    pub(super) fn score(&self, output: &[u8]) -> Result<u64, Broken> {
        match judge::check(&self.0, &mut Lines::new(output)) {
            Ok(game) => Ok(u64::from(game.points())),
            Err(Violation::Format(error)) => Err(Broken::Format(error.to_string())),
            Err(Violation::Rule { line, broken }) => Err(Broken::Rule(format!("line {line}: {broken}"))),
        }
    }

    /// Plays a game.
    pub(super) fn play(&self, effort: &Effort) -> Played {
        let judge::Input { start, dictionary, .. } = &self.0;
        let gaddag = Gaddag::new(dictionary).expect("the words of one input fit into memory");
        let annealing = Annealing::new(&gaddag, start).expect("the start word is in the dictionary");
        let annealing = match *effort {
            Effort::Until(deadline) => annealing.deadline(deadline),
            Effort::Proposals(count) => annealing.proposals(count),
        };
        Played { game: annealing.seed(1).run().game }
    }
}

/// A game that the engine played.
pub(super) struct Played {
    game: Game,
}

impl Played {
    /// The contest's score.
    pub(super) fn score(&self) -> u64 {
        u64::from(self.game.points())
    }

    /// The contest's output.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        judge::write_game(&self.game, Encoding::Contest, &mut text);
        text
    }
}
