//! Breeding: annealing a board under many start words, so that it suits start words that it has not seen.

use tabletop::balda::{Annealed, Annealing, Gaddag, Start, WarmBoard};
use tabletop::internal::balda::{Resumable, Temperatures};

/// Temperature at the end of a breeding that is `Cool` or `FromParentsHot`, in letters: a little below the one at which a
/// game's search begins after its trials. Most boards are also mended down to it.
const BRED_COLD: f64 = 0.8;

/// Temperature at the end of a hot breeding, in letters, before it is multiplied by the heat of the words.
const BRED_COLD_HOT: f64 = 0.6;

/// Temperature at the beginning of a breeding `FromParents`, in letters: that of a game's search after its trials.
const PARENTS: f64 = 1.2;

/// Temperature at the beginning of a breeding `FromParentsHot`, in letters. In English of side 11, two boards bred from
/// 1.2 letters gained nothing, from 1.6 letters 1.4 %, from 1.8 letters 1.7 % (16 start words).
const PARENTS_HOT: f64 = 1.8;

/// The temperatures of a breeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heat {
    /// The same temperatures for all dictionaries; they are low for long words. Boards differ little, and a longer
    /// breeding makes a better board.
    Cool,
    /// Hotter for longer words. Boards differ much: in English, the best of eight short ones is as strong as a long cool
    /// one.
    Hot,
    /// Begins at 1.2 letters, like the search of a game after its trials. Most words of the parents stay.
    FromParents,
    /// Begins at 1.8 letters. In English, where words are longer, too little changes at 1.2 letters.
    FromParentsHot,
}

impl Heat {
    fn temperatures(self, gaddag: &Gaddag) -> Temperatures {
        let usual = Temperatures::default();
        match self {
            Heat::Cool => Temperatures { cold: BRED_COLD, ..usual },
            Heat::Hot => Temperatures { cold: BRED_COLD_HOT, ..usual }.heated(gaddag),
            Heat::FromParents => Temperatures { hot: PARENTS, ..usual },
            Heat::FromParentsHot => Temperatures { hot: PARENTS_HOT, cold: BRED_COLD },
        }
    }

    /// The temperatures at which a board with gaps is annealed again: new words form, and related words stay. A board from
    /// parents is mended at lower temperatures, so that more of it stays.
    fn mending(self) -> Temperatures {
        match self {
            Heat::Cool | Heat::Hot => Temperatures { hot: 1.2, cold: BRED_COLD },
            Heat::FromParents | Heat::FromParentsHot => Temperatures { hot: 0.8, ..Temperatures::default() },
        }
    }
}

/// Anneals a board while its start word changes, so that the result does not depend on the middle row and can be used
/// as a warm board. Between two start words the work can be stopped, stored and continued.
#[derive(Debug)]
pub(super) struct Breeding<'a> {
    gaddag: &'a Gaddag,
    starts: &'a [Start],
    /// Proposals for each start word.
    share: u64,
    heat: Heat,
}

/// The result of one step of a breeding.
#[derive(Clone, Debug)]
pub(super) struct Bred {
    /// The state with which the next start word begins.
    pub(super) state: Resumable,
    /// The best game with this start word. Its board is not yet annealed as far as a game's would be.
    pub(super) best: Annealed,
}

impl<'a> Breeding<'a> {
    /// A breeding with these start words, one after the other, each with an equal share of the proposals.
    ///
    /// `None` if there is no start word, if they differ in length, or if one is not of the dictionary's alphabet.
    pub(super) fn new(gaddag: &'a Gaddag, starts: &'a [Start], proposals: u64, heat: Heat) -> Option<Breeding<'a>> {
        let side = starts.first()?.side();
        let is_playable = |start: &Start| start.side() == side && Annealing::new(gaddag, start).is_ok();
        let share = (proposals / starts.len() as u64).max(1);
        starts.iter().all(is_playable).then_some(Breeding { gaddag, starts, share, heat })
    }

    /// The state before the first start word.
    pub(super) fn begin(&self, seed: u64, parents: &[WarmBoard]) -> Resumable {
        let begun = Resumable::begin(self.gaddag, &self.starts[0], seed, parents);
        begun.expect("the start words are of the dictionary's alphabet")
    }

    /// Continues from a state with the start word number `turn`, from 0. Equal states give equal results.
    ///
    /// `None` if there is no start word of this number, or if the board of the state does not fit.
    pub(super) fn step(&self, turn: usize, state: &Resumable) -> Option<Bred> {
        let (turns, share) = (self.starts.len() as f64, self.share);
        let progress = |done| (done < share).then(|| (turn as f64 + done as f64 / share as f64) / turns);
        let temperatures = self.heat.temperatures(self.gaddag);
        let (state, best) = state.anneal(self.gaddag, self.starts.get(turn)?, temperatures, &progress)?;
        Some(Bred { state, best })
    }

    /// Anneals the board at the end of a breeding again, to find words for the cells that have none.
    ///
    /// `None` if the board does not fit the start words.
    pub(super) fn mend(&self, board: &WarmBoard, proposals: u64, seed: u64) -> Option<Annealed> {
        let progress = |done| (done < proposals).then(|| done as f64 / proposals as f64);
        let state = Resumable::seeded(board.clone(), seed);
        state.anneal(self.gaddag, self.starts.last()?, self.heat.mending(), &progress).map(|(_, best)| best)
    }
}

#[cfg(test)]
mod tests {
    use tabletop::balda::{Alphabet, Dictionary, Word};

    use super::*;

    fn index(words: &str) -> Gaddag {
        let words: Vec<Word> = words.split_whitespace().map(|word| word.parse().unwrap()).collect();
        Gaddag::new(&Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]))).unwrap()
    }

    fn gaddag() -> Gaddag {
        index(
            "tango tang gnat enate fang tan ant ante ten net neat eat tea ate kenaf gene agent gate get tag nag fan fen \
             keen knee teen age cage tenant tangent",
        )
    }

    fn start(word: &str) -> Start {
        word.parse().unwrap()
    }

    fn numbers(word: &str) -> Vec<u8> {
        word.parse::<Word>().unwrap().iter().map(|letter| letter.number()).collect()
    }

    #[test]
    fn only_a_hot_breeding_is_hotter_for_longer_words() {
        let temperatures = |heat: Heat, word| {
            let Temperatures { hot, cold } = heat.temperatures(&index(word));
            (hot, cold)
        };
        let (short, long) = (temperatures(Heat::Hot, "abcdef"), temperatures(Heat::Hot, "abcdefghi"));
        assert_eq!(long, (1.5 * short.0, 1.5 * short.1));
        assert_eq!(temperatures(Heat::Cool, "abcdef"), temperatures(Heat::Cool, "abcdefghi"));
        assert_eq!(short.0, temperatures(Heat::Cool, "abcdef").0);
    }

    #[test]
    fn each_heat_gives_another_board() {
        let (gaddag, starts) = (gaddag(), [start("kenaf")]);
        let bred = |heat| {
            let breeding = Breeding::new(&gaddag, &starts, 3000, heat).unwrap();
            breeding.step(0, &breeding.begin(3, &[])).unwrap().state
        };
        assert_eq!(bred(Heat::Hot), bred(Heat::Hot));
        let heats = [Heat::Cool, Heat::Hot, Heat::FromParents, Heat::FromParentsHot];
        for (number, &heat) in heats.iter().enumerate() {
            assert!(heats[..number].iter().all(|&other| bred(other) != bred(heat)), "{heat:?}");
        }
    }

    #[test]
    fn breeding_ends_with_the_last_start_word_and_a_legal_game() {
        let gaddag = gaddag();
        let starts = ["kenaf", "tango", "agent"].map(start);
        let breeding = Breeding::new(&gaddag, &starts, 6000, Heat::Cool).unwrap();
        let first = breeding.step(0, &breeding.begin(3, &[])).unwrap();
        let bred = (1..3).fold(first, |bred, turn| breeding.step(turn, &bred.state).unwrap()).best;
        assert_eq!(bred.game.start, starts[2]);
        assert_eq!(bred.board.letters[10..15], numbers("agent"));
        bred.game.check(|word| gaddag.contains(word)).expect("a legal game");
        assert!(bred.board.fits(5, 26));
        assert!(Breeding::new(&gaddag, &[], 6000, Heat::Cool).is_none());
        assert!(Breeding::new(&gaddag, &["kenaf", "cat"].map(start), 6000, Heat::Cool).is_none());
        assert!(Breeding::new(&gaddag, &[start("искра")], 6000, Heat::Cool).is_none());
    }

    #[test]
    fn a_step_of_a_breeding_depends_only_on_its_state() {
        let gaddag = gaddag();
        let starts = ["kenaf", "tango", "agent"].map(start);
        let breeding = Breeding::new(&gaddag, &starts, 6000, Heat::Cool).unwrap();
        let state = |turn, state: &Resumable| breeding.step(turn, state).unwrap().state;
        let first = state(0, &breeding.begin(3, &[]));
        let second = state(1, &first);
        assert_eq!(state(0, &breeding.begin(3, &[])), first);
        let other = Breeding::new(&gaddag, &starts, 6000, Heat::Cool).unwrap();
        assert_eq!(other.step(1, &first.clone()).unwrap().state, second);
        assert_ne!(state(0, &breeding.begin(4, &[])), first);
        assert_eq!(second.board.letters[10..15], numbers("tango"));
        assert!(breeding.step(3, &second).is_none(), "there are three start words");
        let of_another_side = WarmBoard { letters: vec![0; 9], order: vec![0, 1, 2, 6, 7, 8] };
        assert!(breeding.step(0, &Resumable { board: of_another_side, random: 1 }).is_none());
    }
}
