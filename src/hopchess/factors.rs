//! The chances of a board for all pairs of error factors.

use std::fmt::Write as _;

use serde::Serialize;

use super::Hopchess;
use super::matrix::LARGEST_FACTOR;
use super::rules::{CONTEST_CELLS, Case, ErrorFactor, Factors};
use crate::game::{Error, Game, Reply, Run};

/// The chances that Justin wins on a board, for all pairs of the contest's error factors. The factors of the case are
/// ignored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FactorChances {
    game: &'static str,
    board: Vec<String>,
    mover: char,
    /// Justin's error factors.
    pub justin: [u64; LARGEST_FACTOR],
    /// Donald's error factors.
    pub donald: [u64; LARGEST_FACTOR],
    /// A row for each of Justin's error factors, with a column for each of Donald's.
    pub probabilities: Vec<Vec<f64>>,
}

impl FactorChances {
    /// The chances of the board. A full board is looked up; a board in mid-game is searched for each pair.
    pub(super) fn of(game: &Hopchess, case: Case, run: &Run<'_>) -> Result<FactorChances, Error> {
        let board = case.position.board;
        let cells = board.shape().cells();
        // Larger boards would take minutes for all pairs.
        if cells > CONTEST_CELLS {
            let reason = format!("a board of {cells} cells");
            let remedy = format!("ask about boards of at most {CONTEST_CELLS} cells");
            return Err(Error::Limit { reason, remedy, setting: None });
        }
        let numbers = std::array::from_fn(|place| place as u64 + 1);
        let factors = numbers.map(|number| ErrorFactor::new(number).expect("an error factor is at least 1"));
        let mut probabilities = Vec::with_capacity(LARGEST_FACTOR);
        for justin in factors {
            if run.is_cancelled() {
                return Err(Error::cancelled());
            }
            let chance = |donald| game.value(&Case { factors: Factors { justin, donald }, ..case });
            let row = factors.iter().map(|&donald| Ok(chance(donald)?.to_f64()));
            probabilities.push(row.collect::<Result<_, Error>>()?);
        }
        Ok(FactorChances {
            game: Hopchess::PROFILE.name,
            board: board.to_string().lines().map(str::to_owned).collect(),
            mover: case.position.to_move.letter(),
            justin: numbers,
            donald: numbers,
            probabilities,
        })
    }
}

impl Reply for FactorChances {
    fn to_text(&self) -> String {
        let mut text = String::from("Justin's error factor by row, Donald's by column\n  ");
        let numbers = |text: &mut String, numbers: &mut dyn Iterator<Item = String>| {
            numbers.for_each(|number| write!(text, " {number:>5}").expect("writing to a string cannot fail"));
            text.push('\n');
        };
        numbers(&mut text, &mut self.donald.iter().map(u64::to_string));
        for (justin, row) in self.justin.iter().zip(&self.probabilities) {
            write!(text, "{justin:>2}").expect("writing to a string cannot fail");
            numbers(&mut text, &mut row.iter().map(|chance| format!("{chance:.3}")));
        }
        text
    }

    #[cfg(feature = "json")]
    fn to_json(&self) -> Vec<u8> {
        crate::text::to_json(self)
    }
}
