//! Codenames as a [`Game`].

use std::io::Read;
use std::time::Duration;

use super::answer::{DIGITS, Probability};
use super::explain::BoardAdvice;
use super::judge;
use super::rules::Board;
use super::sample::{self, Sizes};
use super::solve::{Solution, SolveError, Solver};
use crate::clock::Instant;
use crate::game::{
    self, Contest, Error, Game, GameOption, Judging, Kind, Load, OptionKind, OptionValue, Profile, Role, Run, Sample,
    Setting, Size, Verdict,
};
use crate::input::{InputError, Lines};
use crate::table::{Places, TableError};

/// The option for the time that a board may take.
const TIME: &str = "time";
/// A board counts as quick if it is expected to take at most this time.
const QUICK: Duration = Duration::from_millis(10);

/// A board with more positions than this is a large load. Their values take 16 MiB.
const LARGE_POSITIONS: u64 = 1 << 20;

/// Codenames; each board is solved on request.
#[derive(Debug)]
pub struct Codenames {
    digits: usize,
    /// The time that a board may take; without it, what the run says.
    time: Option<Duration>,
}

impl Default for Codenames {
    fn default() -> Codenames {
        Codenames { digits: DIGITS, time: None }
    }
}

impl Codenames {
    /// The description of the game.
    pub const PROFILE: Profile<'static> = Profile {
        name: "codenames",
        about: "Codenames: how likely the team to move wins, and the best hint",
        question: "Codenames: how likely the team to move wins, and which hint to give",
        format: "write the number of cards and the team, the words, the identities and the hints",
        help: "\
Input: the number of cards and the team to move (R or B); the words of the
cards; their identities (R, B, I for an innocent bystander, A for an assassin,
. for a revealed card); the number of hints; per hint the number of its words
and the words.

Example:
  printf '3 R\\nbat cave wing\\nR B R\\n2\\n2 bat wing\\n1 cave\\n' |
      tabletop codenames --explain",
        sample: "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n",
        demonstration: None,
        max_cases: 1,
        contest: Contest::USUAL,
        tables: &[],
        options: &[
            GameOption {
                name: "digits",
                kind: OptionKind::Number { placeholder: "N", least: 1, most: 12, example: 6 },
                help: "Decimals of every probability, from 1 to 12 [default: 4]",
                role: Role::Setting,
            },
            GameOption {
                name: TIME,
                kind: OptionKind::Number { placeholder: "SECONDS", least: 1, most: u64::MAX, example: 120 },
                help: "Refuse a board expected to take longer [default: 60]",
                role: Role::Setting,
            },
        ],
    };

    /// The game. It has no tables.
    pub fn at(_places: &Places) -> Codenames {
        Codenames::default()
    }

    /// Solves a board and passes the solution to `ask`.
    fn solve<T>(&self, board: &Board, run: &Run<'_>, ask: impl FnOnce(&Solution<'_>) -> T) -> Result<T, Error> {
        let run = match self.time {
            Some(time) => Run { patience: time, deadline: Instant::now().checked_add(time), ..*run },
            None => *run,
        };
        let solver = Solver::new(board.clone()).map_err(refusal)?;
        let solution = solver.solve(run).map_err(refusal)?;
        Ok(ask(&solution))
    }
}

/// Why a board is not solved, and what the user can do about it.
#[cold]
fn refusal(error: SolveError) -> Error {
    let (reason, remedy) = (error.found(), error.remedy().to_owned());
    match error {
        SolveError::TooLong { effort, .. } => {
            let setting = Setting { name: TIME, value: effort.seconds.ceil().to_string() };
            Error::Limit { reason, remedy, setting: Some(setting) }
        }
        SolveError::OutOfTime | SolveError::Cancelled | SolveError::OutOfMemory => Error::Stopped { reason, remedy },
        _ => Error::Limit { reason, remedy, setting: None },
    }
}

impl Game for Codenames {
    const FORMAT: &'static str = Codenames::PROFILE.format;
    type Case = Board;
    type Value = Probability;
    type Advice = BoardAdvice;

    fn profile(&self) -> Profile<'_> {
        Codenames::PROFILE
    }

    fn ready(&self) -> Result<(), TableError> {
        Ok(())
    }

    fn set(&mut self, option: &str, value: OptionValue<'_>) -> Result<(), String> {
        match (option, value) {
            ("digits", OptionValue::Number(digits)) => self.digits = digits as usize,
            (TIME, OptionValue::Number(seconds)) => self.time = Some(Duration::from_secs(seconds)),
            _ => return Err(format!("codenames has no option '{option}'")),
        }
        Ok(())
    }

    fn read(lines: &mut Lines<impl Read>) -> Result<Board, InputError> {
        judge::read_board(lines)
    }

    fn load(&self, board: &Board, patience: Duration) -> Result<Load, Error> {
        let effort = Solver::new(board.clone()).map_err(refusal)?.effort();
        match effort.time() {
            time if time <= QUICK => Ok(Load::Lookup),
            time if time > patience => Err(refusal(SolveError::TooLong { effort, patience })),
            _ if effort.positions > LARGE_POSITIONS => Ok(Load::Large),
            _ => Ok(Load::Search),
        }
    }

    fn value(&self, board: &Board) -> Result<Probability, Error> {
        self.value_with(board, &Run::default())
    }

    fn advise(&self, board: &Board) -> Result<BoardAdvice, Error> {
        self.advise_with(board, &Run::default())
    }

    fn value_with(&self, board: &Board, run: &Run<'_>) -> Result<Probability, Error> {
        self.solve(board, run, |solution| solution.win())
    }

    fn advise_with(&self, board: &Board, run: &Run<'_>) -> Result<BoardAdvice, Error> {
        let advice = self.solve(board, run, |solution| solution.advise())?;
        Ok(BoardAdvice { board: board.clone(), advice, digits: self.digits })
    }

    fn write_answer(&self, win: &Probability, out: &mut Vec<u8>) {
        out.extend_from_slice(win.with_digits(self.digits).as_bytes());
    }

    fn remark(&self, board: &Board) -> Option<String> {
        board.can_get_stuck().then(|| {
            String::from(
                "the hints can run out before either team has won, which is read as a loss for the team whose turn \
                 it is then",
            )
        })
    }

    fn accepts(win: &Probability, answer: &str, _judging: &Judging) -> Verdict {
        game::accepts_within(win.to_f64(), answer, judge::TOLERANCE)
    }
}

impl Sample for Codenames {
    const SIZES: &'static [Size] = sample::SIZES;

    fn sample(&self, kind: Kind, seed: u64) -> Result<Board, Error> {
        Ok(match kind {
            Kind::Tiny => sample::tiny(seed),
            Kind::Ordinary => sample::ordinary(seed),
            Kind::Worst => sample::worst(seed),
            Kind::Edge => sample::edge(seed),
        })
    }

    fn with_sizes(&self, sizes: &[Option<u32>], seed: u64) -> Result<Board, String> {
        let size = |place: usize| sizes.get(place).copied().flatten().map(|size| size as usize);
        sample::sized(Sizes { cards: size(0), hints: size(1), words: size(2) }, seed)
    }

    fn sizes(board: &Board) -> Vec<u32> {
        let words = board.hints().iter().map(|hint| hint.iter().count()).max().unwrap_or(0);
        vec![board.cards().len() as u32, board.hints().len() as u32, words as u32]
    }

    fn smaller(&self, board: &Board) -> Vec<Board> {
        sample::smaller(board)
    }
}
