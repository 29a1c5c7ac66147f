//! The chance that Justin wins: looked up for full boards, searched for other positions.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::chance::Chance;
use super::index::BoardRank;
use super::matrix::FactorMatrix;
use super::rules::{Case, Move, Player};
use super::search::Search;
use crate::ranked::{order_of, ranked};
use crate::table::{Table, TableBytes, TableError};

/// The chance that Justin wins, by search.
pub fn search(case: Case) -> Chance {
    Search::new(case.position.board.shape(), case.factors).chance(case.position)
}

/// The matrices unpacked so far, by the rank of their first byte. Unpacking is the slowest part of an answer.
#[derive(Debug, Default)]
pub(super) struct UnpackedMatrices(RwLock<FxHashMap<u32, Arc<FactorMatrix>>>);

/// Looks up the answers for full boards.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    pub(super) boards: &'a Table<TableBytes, u32>,
    pub(super) rows: &'a Table<TableBytes, u8>,
    pub(super) unpacked: &'a UnpackedMatrices,
}

impl Answers<'_> {
    /// The chance that Justin wins, or `None` if the tables do not cover the case: the board is not full or its shape
    /// is not in the tables, or an error factor above 13 can change the result.
    pub(super) fn look_up(&self, case: Case) -> Result<Option<Chance>, TableError> {
        let Case { position, factors } = case;
        let Some(rank) = BoardRank::of(position.board) else { return Ok(None) };
        match position.to_move {
            Player::Justin => Ok(self.matrix(rank)?.chance(factors)),
            // In the tables Justin moves first, so the players are exchanged.
            Player::Donald => Ok(self.look_up(case.exchanged())?.map(Chance::rest)),
        }
    }

    /// The matrix of a board.
    pub(super) fn matrix(&self, rank: BoardRank) -> Result<Arc<FactorMatrix>, TableError> {
        let first = self.boards.get(rank.index() as u64)?;
        let known = self.unpacked.0.read().unwrap_or_else(PoisonError::into_inner).get(&first).cloned();
        if let Some(matrix) = known {
            return Ok(matrix);
        }
        let bytes = self.rows.rest_of_block(u64::from(first))?;
        let matrix = Arc::new(FactorMatrix::unpack(bytes).ok_or_else(|| self.rows.invalid_record(u64::from(first)))?);
        self.unpacked.0.write().unwrap_or_else(PoisonError::into_inner).insert(first, Arc::clone(&matrix));
        Ok(matrix)
    }
}

/// A legal move, with the chance that Justin wins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub capture: Move,
    /// The chance that Justin wins.
    pub chance: Chance,
    /// Whether the move belongs to the mover's proposal set.
    pub proposed: bool,
}

/// The moves of the player whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The position and the error factors.
    pub case: Case,
    /// The chance that Justin wins.
    pub chance: Chance,
    /// All moves, the best for the mover first. Equal moves are in the order of their cells.
    pub choices: Vec<Choice>,
}

impl Advice {
    /// The position after one of the choices, with the same error factors.
    pub fn next(&self, choice: &Choice) -> Case {
        Case { position: self.case.position.after_legal(choice.capture), factors: self.case.factors }
    }

    /// The winner, if the player to move has no move.
    pub fn winner(&self) -> Option<Player> {
        self.choices.is_empty().then(|| self.case.position.to_move.opponent())
    }

    /// Computes the value of every move by search.
    pub(super) fn new(case: Case) -> Advice {
        let Case { position, factors } = case;
        let shape = position.board.shape();
        let mut search = Search::new(shape, factors);
        let choices = position
            .moves()
            .into_iter()
            .map(|capture| Choice { capture, chance: search.chance(position.after_legal(capture)), proposed: false })
            .collect();
        let mut choices = ranked(choices, |choice: &Choice| {
            let chance = order_of(choice.chance.to_f64());
            if position.to_move == Player::Justin { -chance } else { chance }
        });
        for choice in choices.iter_mut().take(factors.of(position.to_move).moves()) {
            choice.proposed = true;
        }
        Advice { case, chance: search.chance(position), choices }
    }
}
