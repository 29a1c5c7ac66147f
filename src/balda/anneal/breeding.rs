//! Breeding: annealing a board under many start words, so that it suits start words that it has not seen.

use super::annealer::{Annealer, Tuning, random_board};
use super::random::Random;
use super::{Annealed, OtherAlphabet, WarmBoard, strongest};
use crate::balda::cells::WideSet;
use crate::balda::clock::Clock;
use crate::balda::gaddag::Gaddag;
use crate::balda::rules::Start;

/// Temperature at the end of a breeding that is `Cool` or `FromParentsHot`, in letters: a little below the one at which a
/// game's search begins after its trials. Most boards are also mended down to it.
const BRED_COLD: f64 = 0.8;

/// Temperature at the end of a hot breeding, in letters, before it is multiplied by the heat of the words.
const BRED_COLD_HOT: f64 = 0.6;

/// Temperature at the beginning of a breeding `FromParentsHot`, in letters. In English of side 11, two boards bred from
/// 1.2 letters gained nothing, from 1.6 letters 1.4 %, from 1.8 letters 1.7 % (16 start words).
const PARENTS_HOT: f64 = 1.8;

/// The temperatures of a breeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
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
    pub(super) fn tuning(self, gaddag: &Gaddag) -> Tuning {
        match self {
            Heat::Cool => Tuning { cold: BRED_COLD, ..Tuning::default() },
            Heat::Hot => Tuning { cold: BRED_COLD_HOT, ..Tuning::default() }.heated(gaddag),
            Heat::FromParents => Tuning { hot: Tuning::default().warm_hot, ..Tuning::default() },
            Heat::FromParentsHot => Tuning { hot: PARENTS_HOT, cold: BRED_COLD, ..Tuning::default() },
        }
    }

    /// The temperatures at which a board with gaps is annealed again: new words form, and related words stay. A board from
    /// parents is mended at lower temperatures, so that more of it stays.
    fn mending(self) -> Tuning {
        match self {
            Heat::Cool | Heat::Hot => Tuning { hot: 1.2, cold: BRED_COLD, ..Tuning::default() },
            Heat::FromParents | Heat::FromParentsHot => Tuning { hot: 0.8, ..Tuning::default() },
        }
    }
}

/// Anneals a board while its start word changes, so that the result does not depend on the middle row and can be used
/// as a warm board. Between two start words the work can be stopped, stored and continued.
#[derive(Debug)]
pub struct Breeding<'a> {
    gaddag: &'a Gaddag,
    starts: &'a [Start],
    /// Proposals for each start word.
    share: u64,
    heat: Heat,
}

/// The state of a breeding between two start words: everything that the next steps depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreedingState {
    /// The board at the end of the last start word.
    pub board: WarmBoard,
    /// The state of the random number generator; never 0.
    pub random: u64,
}

/// The result of one step of a breeding.
#[derive(Clone, Debug)]
pub struct Bred {
    /// The state with which the next start word begins.
    pub state: BreedingState,
    /// The best game with this start word. Its board is not yet annealed as far as a game's would be.
    pub best: Annealed,
}

impl<'a> Breeding<'a> {
    /// A breeding with these start words, one after the other, each with an equal share of the proposals.
    ///
    /// `None` if there is no start word, if they differ in length, or if one is not of the dictionary's alphabet.
    pub fn new(gaddag: &'a Gaddag, starts: &'a [Start], proposals: u64, heat: Heat) -> Option<Breeding<'a>> {
        let side = starts.first()?.side();
        let is_playable = |start: &Start| start.side() == side && OtherAlphabet::check(gaddag, start).is_ok();
        let share = (proposals / starts.len() as u64).max(1);
        starts.iter().all(is_playable).then_some(Breeding { gaddag, starts, share, heat })
    }

    /// The state before the first start word. The board is the best one for this start word that can be made of the
    /// parents' halves. It has random letters if there are no parents, or if they are too weak.
    pub fn begin(&self, seed: u64, parents: &[WarmBoard]) -> BreedingState {
        let start = &self.starts[0];
        let mut random = Random::new(seed);
        let best = with_cell_set!(start.side(), Set => {
            strongest::<Set>(self.gaddag, start, parents, 1, Clock::default())
        });
        let board = best.into_iter().next().unwrap_or_else(|| random_board(self.gaddag, start, &mut random));
        BreedingState { board, random: random.0 }
    }

    /// Continues from a state with the start word number `turn`, from 0. Equal states give equal results.
    ///
    /// `None` if there is no start word of this number, or if the board of the state does not fit.
    pub fn step(&self, turn: usize, state: &BreedingState) -> Option<Bred> {
        let start = self.starts.get(turn)?;
        let board = self.with_start(&state.board, start)?;
        let tuning = self.heat.tuning(self.gaddag);
        let random = Random(state.random.max(1));
        let turns = self.starts.len();
        Some(with_cell_set!(start.side(), Set => {
            let mut annealer = Annealer::<Set>::from_board(self.gaddag, board, random, tuning);
            annealer.anneal(&|done| {
                let elapsed = (turn as f64 + done as f64 / self.share as f64) / turns as f64;
                (done < self.share).then_some(elapsed)
            });
            let state = BreedingState { board: annealer.current_board(), random: annealer.random.0 };
            Bred { state, best: annealer.finish(start, Clock::default()) }
        }))
    }

    /// Anneals the board at the end of a breeding again, to find words for the cells that have none.
    ///
    /// `None` if the board does not fit the start words.
    pub fn mend(&self, board: &WarmBoard, proposals: u64, seed: u64) -> Option<Annealed> {
        let start = self.starts.last()?;
        let board = self.with_start(board, start)?;
        let tuning = self.heat.mending();
        Some(with_cell_set!(start.side(), Set => {
            let mut annealer = Annealer::<Set>::from_board(self.gaddag, board, Random::new(seed), tuning);
            annealer.anneal(&|done| (done < proposals).then(|| done as f64 / proposals as f64));
            annealer.finish(start, Clock::default())
        }))
    }

    fn with_start(&self, board: &WarmBoard, start: &Start) -> Option<WarmBoard> {
        let fits = board.fits(start.side(), self.gaddag.alphabet().len());
        fits.then(|| board.clone().with_start(start))
    }
}
