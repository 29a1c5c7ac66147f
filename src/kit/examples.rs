//! Positions worth a look.

use rustc_hash::FxHashSet;

use super::file::Answers;
use super::key::{key_of, position_of};
use super::rules::Rules;
use super::value::Value;
use super::walk::{node_of, successors_of};
use crate::game::Example;

/// Positions worth a look: the start, the extremes and the median of the values, and the longest game.
pub(super) fn examples(values: &[Value]) -> Vec<(&'static str, usize)> {
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_by(|&one, &other| values[one].worth.to_f64().total_cmp(&values[other].worth.to_f64()));
    let moves = |number: usize| values[number].moves.filter(|&moves| moves != Value::ENDLESS);
    let longest = (0..values.len()).max_by_key(|&number| (moves(number), std::cmp::Reverse(number)));
    let mut examples = vec![
        ("start", 0),
        ("least", sorted[0]),
        ("median", sorted[sorted.len() / 2]),
        ("greatest", sorted[sorted.len() - 1]),
    ];
    examples.extend(longest.filter(|&number| moves(number).is_some()).map(|longest| ("longest", longest)));
    examples
}

/// [`examples`] with their texts, without the start, in a game with at most `most` positions. A position that is several
/// of them has the first name.
pub(super) fn named_examples<R: Rules>(rules: &R, answers: &Answers<'_, R>, most: u64) -> Vec<Example> {
    if answers.len() > most {
        return Vec::new();
    }
    let Some((positions, values)) = reached(rules, answers) else { return Vec::new() };
    let mut found: Vec<Example> = Vec::new();
    for (name, number) in examples(&values).into_iter().skip(1) {
        let position = positions[number].to_string();
        if number > 0 && found.iter().all(|known| known.position != position) {
            found.push(Example { name: name.to_owned(), position });
        }
    }
    found
}

/// All positions with their values, in the order in which they are found from the starts. `None` if the rules or the table
/// are wrong.
fn reached<R: Rules>(rules: &R, answers: &Answers<'_, R>) -> Option<(Vec<R::Position>, Vec<Value>)> {
    let mut known = FxHashSet::default();
    let mut found = Vec::new();
    let mut next = rules.starts();
    let mut values: Vec<Value> = Vec::new();
    loop {
        for position in next {
            let key = key_of::<R>(&rules.canonical(position)).ok()?;
            if known.insert(key.clone()) {
                found.push(position_of::<R>(&key)?);
            }
        }
        let Some(position) = found.get(values.len()) else { return Some((found, values)) };
        values.push(answers.value(position).ok()??);
        next = successors_of(rules, node_of(rules, position).ok()?).ok()?;
    }
}
