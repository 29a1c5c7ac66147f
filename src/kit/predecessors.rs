//! Compares what the rules say of predecessors with their nodes.

use super::error::{BadRules, Fault};
use super::key::key_of;
use super::rules::Rules;
use super::walk::{node_of, successors_of};

/// Checks that a move leads from each predecessor of a position to it, and that its successors of the same stage know it.
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
