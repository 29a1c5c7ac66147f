//! Codenames as a [`Game`].

use std::io::Read;
use std::time::Duration;

use super::answer::{DIGITS, Probability};
use super::explain::BoardAdvice;
use super::judge;
use super::rules::Board;
use super::sample::{self, Sizes};
use super::solve::{Run, Solution, SolveError, Solver};
use crate::game::{self, Error, Game, GameOption, Kind, Profile, Role, Size, Verdict, Watch};
use crate::input::{InputError, Lines};
use crate::table::{Places, TableError};

/// A board counts as quick if it is expected to take at most this time.
const QUICK: Duration = Duration::from_millis(10);

/// Codenames; each board is solved on request.
pub struct Codenames {
    digits: usize,
    /// The time that a board may take; without it, the solver's default.
    time: Option<Duration>,
    watch: Option<Watch>,
}

impl Default for Codenames {
    fn default() -> Codenames {
        Codenames { digits: DIGITS, time: None, watch: None }
    }
}

impl Codenames {
    /// Solves a board and passes the solution to `ask`.
    fn solve<T>(&self, board: &Board, ask: impl FnOnce(&Solution<'_>) -> T) -> Result<T, Error> {
        let mut run = self.time.map_or_else(Run::default, Run::within);
        if let Some(watch) = &self.watch {
            run.watch = watch;
        }
        let solver = Solver::new(board.clone()).map_err(limit)?;
        let solution = solver.solve(run).map_err(limit)?;
        Ok(ask(&solution))
    }
}

/// Why a board is not solved, and what the user can do about it.
fn limit(error: SolveError) -> Error {
    let remedy = match error {
        SolveError::TooLong { effort, .. } => {
            let seconds = effort.seconds.ceil();
            format!("pass --time {seconds} to wait for it, or leave out cards or hints that matter least")
        }
        _ => error.remedy().to_owned(),
    };
    Error::Limit { reason: error.found(), remedy }
}

impl Game for Codenames {
    const PROFILE: Profile = Profile {
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
        tables: &[],
        options: &[
            GameOption {
                name: "digits",
                value: Some("N"),
                help: "Decimals of every probability, from 1 to 12 [default: 4]",
                role: Role::Setting,
            },
            GameOption {
                name: "time",
                value: Some("SECONDS"),
                help: "Refuse a board expected to take longer [default: 60]",
                role: Role::Setting,
            },
        ],
    };
    const SIZES: &'static [Size] = sample::SIZES;
    type Case = Board;
    type Value = Probability;
    type Advice = BoardAdvice;

    fn at(_places: &Places) -> Codenames {
        Codenames::default()
    }

    fn ready(&self) -> Result<(), TableError> {
        Ok(())
    }

    fn set(&mut self, option: &str, value: Option<&str>) -> Result<(), String> {
        let value = value.unwrap_or_default();
        match option {
            "digits" => {
                let digits = value.parse().ok().filter(|digits| (1..=12).contains(digits));
                self.digits = digits.ok_or_else(|| String::from("write a whole number from 1 to 12"))?;
            }
            "time" => {
                let seconds = value.parse().ok().filter(|seconds| *seconds >= 1);
                let seconds = seconds.ok_or_else(|| String::from("write a whole number of seconds, 1 or more"))?;
                self.time = Some(Duration::from_secs(seconds));
            }
            _ => return Err(format!("codenames has no option '{option}'")),
        }
        Ok(())
    }

    fn read(lines: &mut Lines<impl Read>) -> Result<Board, InputError> {
        judge::read_board(lines)
    }

    fn is_quick(&self, board: &Board) -> bool {
        Solver::new(board.clone()).is_ok_and(|solver| solver.effort().time() <= QUICK)
    }

    fn value(&self, board: &Board) -> Result<Probability, Error> {
        self.solve(board, |solution| solution.win())
    }

    fn advise(&self, board: &Board) -> Result<BoardAdvice, Error> {
        let advice = self.solve(board, |solution| solution.advise())?;
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

    fn watch(&mut self, watch: Watch) {
        self.watch = Some(watch);
    }

    fn sample(kind: Kind, seed: u64) -> Board {
        match kind {
            Kind::Tiny => sample::tiny(seed),
            Kind::Ordinary => sample::ordinary(seed),
            Kind::Worst => sample::worst(seed),
        }
    }

    fn edge(seed: u64) -> Board {
        sample::edge(seed)
    }

    fn with_sizes(sizes: &[Option<u32>], seed: u64) -> Result<Board, String> {
        let size = |place: usize| sizes.get(place).copied().flatten().map(|size| size as usize);
        sample::sized(Sizes { cards: size(0), hints: size(1), words: size(2) }, seed)
    }

    fn sizes(board: &Board) -> Vec<u32> {
        let words = board.hints().iter().map(|hint| hint.iter().count()).max().unwrap_or(0);
        vec![board.cards().len() as u32, board.hints().len() as u32, words as u32]
    }

    fn smaller(board: &Board) -> Vec<Board> {
        sample::smaller(board)
    }

    fn accepts(win: &Probability, answer: &str) -> Verdict {
        game::accepts_within(win.to_f64(), answer, judge::TOLERANCE)
    }
}
