//! Dice poker: two players, five dice each, one reroll each.
//!
//! A rerolls any of his dice. Then B, who sees A's final hand, rerolls any of hers. A wins if his hand is heavier;
//! equal hands are not a win.
//!
//! ```
//! use tabletop::dice::{Case, Dice};
//! use tabletop::game::Game;
//! use tabletop::table::Places;
//!
//! let dice = Dice::open(&Places::only("tables"))?;
//! let case = Case::first_rolls("1 2 3 1 1".parse()?, "1 2 3 4 5".parse()?);
//! assert_eq!(dice.value(&case)?.to_string(), "0.430834");
//!
//! let best = dice.advise(&case)?.choices[0];
//! assert_eq!(best.keep.kept.to_string(), "1 1 1");
//! assert_eq!(best.chance.fraction(), "20101/46656");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod answer;
pub(crate) mod chance;
mod explain;
pub mod index;
mod judge;
pub mod rules;
mod sample;

use std::io::Read;

pub use answer::{Advice, Choice, Outcome, Outcomes};
pub use chance::{Chance, ROLLS};
pub use explain::RerollReport;
pub use rules::{Arrangement, Case, Hand, Keep, Kept, NotAHand, Stage, Weight};

use answer::Adviser;
use index::{HANDS, PAIRS, REROLLS};

use crate::game::{
    Contest, Error, Game, GameOption, Judging, Kind, OptionKind, OptionValue, Profile, Reply, ReplyError, Role, Sample,
    Verdict,
};
use crate::input::{InputError, Lines};
use crate::table::{LazyTable, Places, Table, TableBytes, TableError};

/// Dice poker, answered from its tables.
#[derive(Debug)]
pub struct Dice {
    pairs: LazyTable<u32>,
    hands: LazyTable<u8>,
    rerolls: LazyTable<u16>,
    /// Replaces the stage [`Stage::FirstRolls`] of every case.
    stage: Stage,
}

impl Dice {
    /// The description of the game.
    pub const PROFILE: Profile<'static> = Profile {
        name: "dice",
        about: "Dice poker: the probability that A wins",
        question: "dice poker: how likely A wins, and what to reroll",
        format: "write the number of cases, then A's dice and B's dice on a line each",
        help: "\
Input: the number of cases, then for each case A's five dice on one line and
B's five dice on the next. A line 'to move: B' before a case says that A's
dice are his final hand.

Examples:
  printf '1\\n6 6 6 6 6\\n1 2 3 4 5\\n' | tabletop dice
  printf '1\\n1 2 3 1 1\\n1 2 3 4 5\\n' | tabletop dice --explain
  printf '1\\n1 1 1 4 4\\n1 2 3 4 5\\n' | tabletop dice --a-finished --explain",
        sample: "1\n1 2 3 1 1\n1 2 3 4 5\n",
        demonstration: None,
        max_cases: judge::MAX_CASES,
        contest: Contest::USUAL,
        tables: &[&PAIRS, &HANDS, &REROLLS],
        options: &[
            GameOption {
                name: "a-finished",
                kind: OptionKind::Flag,
                help: "A's dice are final: answer for B, and list B's moves",
                role: Role::Setting,
            },
            GameOption {
                name: "reroll",
                kind: OptionKind::Text { placeholder: "DICE", example: "1 1 1" },
                help: "Keep DICE, such as '1 1 1': how the other dice fall",
                role: Role::Question,
            },
        ],
    };

    /// The game with the tables in these places. Each table is opened when a case first needs it.
    pub fn at(places: &Places) -> Dice {
        Dice {
            pairs: LazyTable::at(places, &PAIRS),
            hands: LazyTable::at(places, &HANDS),
            rerolls: LazyTable::at(places, &REROLLS),
            stage: Stage::FirstRolls,
        }
    }

    /// The game with these tables: the pairs of hands, the weights of hands, the distributions of rerolls.
    pub fn new(pairs: Table<TableBytes, u32>, hands: Table<TableBytes, u8>, rerolls: Table<TableBytes, u16>) -> Dice {
        Dice { pairs: pairs.into(), hands: hands.into(), rerolls: rerolls.into(), stage: Stage::FirstRolls }
    }

    /// The distribution of the final hand when these dice are kept.
    pub fn reroll(&self, kept: Kept) -> Result<RerollReport, Error> {
        let adviser = self.adviser()?;
        Ok(RerollReport::new(kept, adviser.outcomes(kept.into())?, adviser.distribution(kept.into())?))
    }

    fn adviser(&self) -> Result<Adviser<'_>, TableError> {
        Ok(Adviser::new(self.hands.table()?, self.rerolls.table()?))
    }

    /// The case with the stage of this game's settings, unless the case has a stage of its own.
    fn staged(&self, case: &Case) -> Case {
        let stage = match case.stage {
            Stage::FirstRolls => self.stage,
            Stage::AToMove => Stage::FirstRolls,
            own => own,
        };
        Case { stage, ..*case }
    }

    fn first_rolls(&self, case: Case) -> Result<Chance, TableError> {
        let rank = index::pair_rank(case.a.into(), case.b.into());
        let pairs = self.pairs.table()?;
        Chance::from_ways(pairs.get(rank)?).ok_or_else(|| pairs.invalid_record(rank))
    }
}

impl Game for Dice {
    const FORMAT: &'static str = Dice::PROFILE.format;
    type Case = Case;
    type Value = Chance;
    type Advice = Advice;

    fn profile(&self) -> Profile<'_> {
        Dice::PROFILE
    }

    fn ready(&self) -> Result<(), TableError> {
        self.pairs.table()?;
        self.adviser()?;
        Ok(())
    }

    fn set(&mut self, option: &str, _value: OptionValue<'_>) -> Result<(), String> {
        match option {
            "a-finished" => self.stage = Stage::AFinished,
            _ => return Err(format!("dice has no option '{option}'")),
        }
        Ok(())
    }

    fn reply(&self, question: &str, value: &str) -> Result<Box<dyn Reply>, ReplyError> {
        if question != "reroll" {
            return Err(ReplyError::Value(format!("dice has no question '{question}'")));
        }
        let kept: Kept = value.parse().map_err(|error: NotAHand| ReplyError::Value(error.to_string()))?;
        Ok(Box::new(self.reroll(kept).map_err(ReplyError::Game)?))
    }

    fn read_count(lines: &mut Lines<impl Read>) -> Result<Option<u32>, InputError> {
        judge::read_count(lines)
    }

    fn read(lines: &mut Lines<impl Read>) -> Result<Case, InputError> {
        judge::read_case(lines)
    }

    fn write(cases: &[Case]) -> String {
        judge::write_cases(cases)
    }

    fn value(&self, case: &Case) -> Result<Chance, Error> {
        let case = self.staged(case);
        match case.stage {
            Stage::FirstRolls => Ok(self.first_rolls(case)?),
            _ => Ok(self.adviser()?.advise(case)?.chance),
        }
    }

    fn advise(&self, case: &Case) -> Result<Advice, Error> {
        Ok(self.adviser()?.advise(self.staged(case))?)
    }

    fn write_answer(&self, value: &Chance, out: &mut Vec<u8>) {
        out.extend_from_slice(&value.digits());
    }

    fn accepts(value: &Chance, answer: &str, _judging: &Judging) -> Verdict {
        judge::accepts(*value, answer)
    }
}

impl Sample for Dice {
    const CONTEST_CASES: u32 = 20;

    fn sample(&self, kind: Kind, seed: u64) -> Result<Case, Error> {
        Ok(sample::sample(kind, seed))
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        sample::smaller(case)
    }

    fn write_shuffled(cases: &[Case], seed: u64) -> String {
        sample::write_shuffled(cases, seed)
    }
}
