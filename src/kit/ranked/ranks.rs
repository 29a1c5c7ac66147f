//! The rank of a position: as the rules say, or its place in the files of keys.

use std::ops::Deref;

use super::super::error::{BadRules, Fault};
use super::super::key::{key_of, position_of};
use super::super::rules::Rules;
use super::keys::KeyFiles;

/// Rules of a game in which every position has a rank. All else is as in the rules.
pub(in super::super) struct RankedRules<'a, R> {
    pub(super) rules: &'a R,
    /// The keys of all positions, if the rules have no ranks.
    pub(super) keys: Option<KeyFiles>,
}

impl<R> Deref for RankedRules<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.rules
    }
}

impl<'a, R: Rules> RankedRules<'a, R> {
    /// The ranks of the rules.
    pub(in super::super) fn new(rules: &'a R) -> RankedRules<'a, R> {
        RankedRules { rules, keys: None }
    }

    /// The number of ranks.
    pub(in super::super) fn count(&self) -> u64 {
        match &self.keys {
            Some(keys) => keys.len(),
            None => self.rules.ranks().unwrap_or(0),
        }
    }

    /// The rank of a position in canonical form. `None` if it has no key in the files.
    pub(in super::super) fn rank(&self, position: &R::Position) -> Result<Option<u64>, BadRules> {
        if let Some(keys) = &self.keys {
            let stage = self.rules.stage(position).ok_or_else(|| Fault::StageMissing.at(position))?;
            return Ok(keys.rank(stage, &key_of::<R>(position)?));
        }
        let (rank, ranks) = (self.rules.rank(position), self.count());
        if rank < ranks {
            return Ok(Some(rank));
        }
        let fault = if rank == u64::MAX { Fault::RankMissing } else { Fault::RankTooLarge { rank, ranks } };
        Err(fault.at(position))
    }

    /// The rank of a position that may be unreachable.
    pub(in super::super) fn rank_if_any(&self, position: &R::Position) -> Result<Option<u64>, BadRules> {
        match self.keys {
            Some(_) => self.rank(position),
            None => Ok(Some(self.rules.rank(position)).filter(|&rank| rank < self.count())),
        }
    }

    /// The position of a rank.
    pub(in super::super) fn unrank(&self, rank: u64) -> R::Position {
        match &self.keys {
            Some(keys) => position_of::<R>(keys.get(rank)).expect("a key was made from a position"),
            None => self.rules.unrank(rank),
        }
    }
}
