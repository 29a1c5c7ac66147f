//! Chances: looked up for full boards, searched for everything else.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::chance::Chance;
use super::index::{BOARDS, BoardRank, ROWS};
use super::row::Row;
use super::rules::{Case, Grid, Move, Player};
use super::search::Search;
use crate::table::{MappedFile, Places, Table, TableError};

/// The chance that Justin wins, by search.
pub fn search(case: Case) -> Chance {
    Search::new(case.position.board.shape(), case.factors).chance(case.position)
}

/// The answers for full boards, by lookup.
pub struct Answers<D> {
    boards: Table<D, u32>,
    rows: Table<D, u8>,
    /// The rows that were asked for, by where they begin: unpacking one takes longer than all the rest of an answer.
    unpacked: FxHashMap<u32, Row>,
}

impl Answers<MappedFile> {
    /// Opens the tables of boards and of rows.
    pub fn open(places: &Places) -> Result<Self, TableError> {
        Ok(Answers::new(places.open(&BOARDS)?, places.open(&ROWS)?))
    }
}

impl<D: AsRef<[u8]>> Answers<D> {
    /// Takes the tables of boards and of rows.
    pub fn new(boards: Table<D, u32>, rows: Table<D, u8>) -> Self {
        Answers { boards, rows, unpacked: FxHashMap::default() }
    }

    /// The chance that Justin wins, or `None` if the tables do not cover the case: the board is not full or too large,
    /// or an error factor above 13 can make a difference on it.
    pub fn look_up(&mut self, case: Case) -> Result<Option<Chance>, TableError> {
        let Case { position, factors } = case;
        let Some(rank) = BoardRank::of(position.board) else { return Ok(None) };
        match position.to_move {
            Player::Justin => Ok(self.row(rank)?.chance(factors)),
            // In the tables Justin moves first, so the two change their names.
            Player::Donald => Ok(self.look_up(case.exchanged())?.map(Chance::rest)),
        }
    }

    /// The row of a board.
    pub fn row(&mut self, rank: BoardRank) -> Result<&Row, TableError> {
        let first = self.boards.get(rank.index() as u64)?;
        let rows = &self.rows;
        match self.unpacked.entry(first) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                let bytes = rows.rest_of_block(u64::from(first))?;
                let row = Row::unpack(bytes).ok_or_else(|| rows.makes_no_sense(u64::from(first)))?;
                Ok(unknown.insert(row))
            }
        }
    }
}

/// A legal move, with the chance that Justin wins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub capture: Move,
    /// The chance that Justin wins.
    pub chance: Chance,
    /// Whether the move belongs to the mover's best proposal set.
    pub proposed: bool,
}

/// What the player whose turn it is may do, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The position and the error factors.
    pub case: Case,
    /// The chance that Justin wins.
    pub chance: Chance,
    /// All moves, the best for the mover first, equal ones in the order of their cells.
    pub choices: Vec<Choice>,
}

impl Advice {
    /// Works out every move by search.
    pub fn new(case: Case) -> Advice {
        let Case { position, factors } = case;
        let shape = position.board.shape();
        let mut search = Search::new(shape, factors);
        let mut moves: Vec<Move> = Grid::new(shape).moves(position.pieces()).collect();
        moves.sort_unstable();
        let mut choices: Vec<Choice> = moves
            .into_iter()
            .map(|capture| Choice { capture, chance: search.chance(position.after(capture)), proposed: false })
            .collect();
        choices.sort_by(|left, right| {
            let by_justin = right.chance.to_f64().total_cmp(&left.chance.to_f64());
            if position.to_move == Player::Justin { by_justin } else { by_justin.reverse() }
        });
        for choice in choices.iter_mut().take(factors.of(position.to_move).moves()) {
            choice.proposed = true;
        }
        Advice { case, chance: search.chance(position), choices }
    }
}
