//! Checks what the rules say of a position.

use std::cell::Cell;

use xxhash_rust::xxh3::xxh3_64;

use super::error::{BadRules, Fault};
use super::formula::Formula;
use super::key::{append_key, key_of};
use super::keys::decode;
use super::rules::Rules;
use super::walk::{node_of, successors_of};

/// Checks that a move leads from each predecessor of a position to it, and that its successors of the same stage know
/// it.
pub(super) fn check_predecessors<R: Rules>(rules: &R, position: &R::Position) -> Result<(), BadRules> {
    let Some(before) = rules.predecessors(position) else { return Ok(()) };
    let own = key_of::<R>(position)?;
    for before in before {
        let before = rules.canonical(before);
        if !has_key(rules, successors_of(rules, node_of(rules, &before)?)?, &own)? {
            return Err(Fault::Predecessor { before: before.to_string() }.at(position));
        }
    }
    let stage = rules.stage(position);
    for next in successors_of(rules, node_of(rules, position)?)? {
        let next = rules.canonical(next);
        if rules.stage(&next) == stage && !has_key(rules, rules.predecessors(&next).unwrap_or_default(), &own)? {
            return Err(Fault::PredecessorMissing { next: next.to_string() }.at(position));
        }
    }
    Ok(())
}

/// Whether one of the positions has this key in canonical form.
fn has_key<R: Rules>(rules: &R, positions: Vec<R::Position>, key: &[u8]) -> Result<bool, BadRules> {
    for position in positions {
        if key_of::<R>(&rules.canonical(position))? == key {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks that two calls of `node` return the same.
pub(super) fn check_node<R: Rules>(rules: &R, position: &R::Position) -> Result<(), BadRules> {
    let formula = || {
        let mut formula = Formula::new();
        let number = |next: R::Position| Ok(xxh3_64(&key_of::<R>(&next)?) as u32);
        formula.build(rules, node_of(rules, position)?, position, number).map(|()| formula)
    };
    if formula()?.is_same(&formula()?) { Ok(()) } else { Err(Fault::Changing.at(position)) }
}

/// Checks what every position must satisfy: its bytes, text, canonical form and rank.
pub(super) fn check_position<R: Rules>(
    rules: &R,
    position: &R::Position,
    key: &[u8],
    scratch: &mut Vec<u8>,
    running: &Cell<&'static str>,
) -> Result<(), BadRules> {
    running.set("`Serialize`");
    let has_key = |other: &R::Position, scratch: &mut Vec<u8>| {
        scratch.clear();
        append_key::<R>(other, scratch).map(|()| scratch == key)
    };
    if !has_key(position, scratch)? {
        return Err(Fault::Encoding.at(position));
    }
    running.set("`canonical`");
    let canonical = rules.canonical(decode::<R>(key)?);
    if !has_key(&canonical, scratch)? {
        return Err(Fault::Canonical { instead: canonical.to_string() }.at(position));
    }
    running.set("`Display`");
    let text = position.to_string();
    if text.is_empty() || text.trim() != text || text.contains(char::is_control) {
        return Err(Fault::Text.at(text.escape_debug()));
    }
    running.set("`FromStr`");
    match text.parse::<R::Position>() {
        Err(error) => return Err(Fault::Unreadable { error: error.to_string() }.at(text)),
        Ok(other) if !has_key(&other, scratch)? => {
            return Err(Fault::ReadsOtherwise { other: other.to_string() }.at(text));
        }
        Ok(_) => {}
    }
    let Some(ranks) = rules.ranks() else { return Ok(()) };
    running.set("`rank`");
    let rank = rules.rank(position);
    if rank == u64::MAX {
        return Err(Fault::RankMissing.at(text));
    }
    if rank >= ranks {
        return Err(Fault::RankTooLarge { rank, ranks }.at(text));
    }
    running.set("`unrank`");
    let other = rules.unrank(rank);
    if !has_key(&other, scratch)? {
        return Err(Fault::SameRank { other: other.to_string(), rank }.at(text));
    }
    Ok(())
}
