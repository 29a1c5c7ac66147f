//! Hop chess: two players who make errors, on a rectangle of pieces that capture their neighbours.
//!
//! A move captures a neighbouring piece of either player. A player who cannot move loses. The error factor of a player
//! is the size of his proposal set: he plays a random move among that many best moves. Both players know both factors.
//!
//! ```
//! use tabletop::game::Game;
//! use tabletop::hopchess::{Case, Hopchess};
//! use tabletop::table::Places;
//!
//! let hopchess = Hopchess::open(&Places::only("tables"))?;
//! let case: Case = "1 3\nJJD\n3 1\n".parse()?;
//! assert_eq!(hopchess.value(&case)?.to_string(), "0.667");
//!
//! let advice = hopchess.advise(&case)?;
//! let best = &advice.choices[0];
//! assert_eq!(best.chance.fraction().as_deref(), Some("1"));
//! assert_eq!(hopchess.value(&advice.next(best))?, best.chance);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod answer;
mod bits;
pub(crate) mod chance;
mod codec;
mod explain;
mod factors;
pub mod index;
mod judge;
pub mod matrix;
pub mod rules;
mod sample;
pub(crate) mod search;

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

pub use answer::{Advice, Choice};
pub use chance::{Chance, Share};
pub use factors::FactorChances;
pub use rules::{Board, CONTEST_CELLS, Case, Cells, ErrorFactor, Factors, IllegalMove, Move, Player, Position, Shape};

use answer::{Answers, UnpackedMatrices};
use index::{BOARDS, BoardRank, ROWS};
use matrix::FactorMatrix;

use crate::game::{
    Contest, Error, Game, GameOption, Judging, Kind, Load, OptionKind, Profile, Reply, ReplyError, Role, Run, Sample,
    Size, Verdict,
};
use crate::input::{InputError, Lines};
use crate::table::{LazyTable, Places, Table, TableBytes, TableError};

/// The name of the view with the chances of all pairs of error factors.
const FACTORS: &str = "factors";

/// Hop chess, answered from its tables and by search.
#[derive(Debug)]
pub struct Hopchess {
    boards: LazyTable<u32>,
    rows: LazyTable<u8>,
    unpacked: UnpackedMatrices,
}

impl Hopchess {
    /// The description of the game.
    pub const PROFILE: Profile<'static> = Profile {
        name: "hopchess",
        about: "Hop chess (\"Human Error\"): the probability that Justin wins",
        question: "hop chess: how likely Justin wins, and what every move is worth",
        format: "write the numbers of rows and columns, the rows of the board, then the error factors",
        help: "\
Input: the numbers of rows and columns, the rows of the board in letters J and
D, then the error factors of Justin and Donald. Beyond the contest a cell may
be empty ('.'), a board may have up to 16 cells, error factors may be any size,
and a line 'to move: J' or 'to move: D' before them says whose turn it is.

Examples:
  printf '1 3\\nJJD\\n3 1\\n' | tabletop hopchess
  printf '2 3\\nJ.D\\nDJJ\\nto move: J\\n2 2\\n' | tabletop hopchess --explain",
        sample: "2 2\nJJ\nDD\n3 1\n",
        demonstration: None,
        max_cases: 1,
        contest: Contest::USUAL,
        tables: &[&BOARDS, &ROWS],
        options: &[GameOption {
            name: FACTORS,
            kind: OptionKind::Flag,
            help: "The chances of a board for all pairs of error factors",
            role: Role::View,
        }],
    };

    /// The game with the tables in these places. Each table is opened when a case first needs it.
    pub fn at(places: &Places) -> Hopchess {
        Hopchess {
            boards: LazyTable::at(places, &BOARDS),
            rows: LazyTable::at(places, &ROWS),
            unpacked: UnpackedMatrices::default(),
        }
    }

    /// The game with these tables: the boards, and the packed rows that they refer to.
    pub fn new(boards: Table<TableBytes, u32>, rows: Table<TableBytes, u8>) -> Hopchess {
        Hopchess { boards: boards.into(), rows: rows.into(), unpacked: UnpackedMatrices::default() }
    }

    /// The chance that Justin wins, or `None` if the tables do not contain the case. They contain full boards of 2 to
    /// 13 cells, except with an error factor above 13 that can change the result.
    pub fn look_up(&self, case: &Case) -> Result<Option<Chance>, TableError> {
        // A case outside the tables must not need them.
        if BoardRank::of(case.position.board).is_none() {
            return Ok(None);
        }
        self.answers()?.look_up(*case)
    }

    /// The chances of a board for all pairs of error factors.
    pub fn matrix(&self, rank: BoardRank) -> Result<Arc<FactorMatrix>, TableError> {
        self.answers()?.matrix(rank)
    }

    fn answers(&self) -> Result<Answers<'_>, TableError> {
        Ok(Answers { boards: self.boards.table()?, rows: self.rows.table()?, unpacked: &self.unpacked })
    }
}

impl Game for Hopchess {
    const FORMAT: &'static str = Hopchess::PROFILE.format;
    type Case = Case;
    type Value = Chance;
    type Advice = Advice;

    fn profile(&self) -> Profile<'_> {
        Hopchess::PROFILE
    }

    fn ready(&self) -> Result<(), TableError> {
        self.answers().map(|_| ())
    }

    fn read(lines: &mut Lines<impl Read>) -> Result<Case, InputError> {
        judge::read_case(lines)
    }

    fn load(&self, case: &Case, _patience: Duration) -> Result<Load, Error> {
        // All moves of a contest's board can be searched quickly.
        let is_quick = case.position.board.shape().cells() <= CONTEST_CELLS;
        Ok(if is_quick { Load::Lookup } else { Load::Deep })
    }

    fn value(&self, case: &Case) -> Result<Chance, Error> {
        Ok(self.look_up(case)?.unwrap_or_else(|| answer::search(*case)))
    }

    fn advise(&self, case: &Case) -> Result<Advice, Error> {
        Ok(Advice::new(*case))
    }

    fn view(&self, view: &str, case: &Case, run: &Run<'_>) -> Result<Box<dyn Reply>, ReplyError> {
        match view {
            FACTORS => Ok(Box::new(FactorChances::of(self, *case, run).map_err(ReplyError::Game)?)),
            _ => Err(ReplyError::Value(format!("hopchess has no view '{view}'"))),
        }
    }

    fn accepts(chance: &Chance, answer: &str, _judging: &Judging) -> Verdict {
        judge::accepts(*chance, answer)
    }
}

impl Sample for Hopchess {
    const SIZES: &'static [Size] = sample::SIZES;

    fn sample(&self, kind: Kind, seed: u64) -> Result<Case, Error> {
        Ok(sample::sample(kind, seed))
    }

    fn with_sizes(&self, sizes: &[Option<u32>], seed: u64) -> Result<Case, String> {
        let size = |place: usize| sizes.get(place).copied().flatten();
        sample::sized(size(0), size(1), seed)
    }

    fn sizes(case: &Case) -> Vec<u32> {
        let shape = case.position.board.shape();
        vec![shape.rows() as u32, shape.columns() as u32]
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        sample::smaller(case)
    }
}
