//! Values of transient positions. They are not stored, and are worked out from the stored positions that follow.

#[cfg(feature = "fractions")]
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::explain::Stored;
use super::key::key_of;
use super::number::{Bounds, Number};
use super::rules::Rules;
use super::value::Value;
use super::walk::{Timed, node_of, successors, timed, waits, worth};

/// More values than this are forgotten before the next question.
const MOST: usize = 1 << 16;

/// The arithmetic of the stored values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredAs {
    Doubles,
    #[cfg(feature = "fractions")]
    Fractions,
    Bounds,
}

/// Works out transient positions and remembers their values.
pub(super) struct Through {
    /// The value of a draw.
    middle: f64,
    stored_as: StoredAs,
    /// The values by key. `None` if some successor is not stored, and while the successors are looked at.
    known: FxHashMap<Vec<u8>, Option<Value>>,
}

impl Through {
    pub(super) fn new(middle: f64, stored_as: StoredAs) -> Through {
        Through { middle, stored_as, known: FxHashMap::default() }
    }

    /// The value of a transient position, or `None` if it leads to a position that is not stored.
    pub(super) fn value<R: Rules, E>(
        &mut self,
        rules: &R,
        position: &R::Position,
        stored: &mut impl FnMut(&R::Position) -> Result<Option<Value>, E>,
    ) -> Result<Option<Value>, E> {
        if self.known.len() > MOST {
            self.known.clear();
        }
        match self.stored_as {
            StoredAs::Doubles => self.value_in::<R, f64, E>(rules, position, stored),
            #[cfg(feature = "fractions")]
            StoredAs::Fractions => self.value_in::<R, BigRational, E>(rules, position, stored),
            StoredAs::Bounds => self.value_in::<R, Bounds, E>(rules, position, stored),
        }
    }

    fn value_in<R: Rules, T: Stored, E>(
        &mut self,
        rules: &R,
        position: &R::Position,
        stored: &mut impl FnMut(&R::Position) -> Result<Option<Value>, E>,
    ) -> Result<Option<Value>, E> {
        let Ok(key) = key_of::<R>(position) else { return Ok(None) };
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        self.known.insert(key.clone(), None);
        let Ok(node) = node_of(rules, position) else { return Ok(None) };
        if waits(&node) {
            return Ok(None);
        }
        let mut has_moves = false;
        let mut values: Vec<Timed<T>> = Vec::new();
        for next in successors(&node) {
            let value =
                if rules.is_transient(next) { self.value_in::<R, T, E>(rules, next, stored)? } else { stored(next)? };
            let Some(Value { worth, moves }) = value else { return Ok(None) };
            let Some(value) = T::stored(&worth) else { return Ok(None) };
            has_moves |= moves.is_some();
            values.push(Timed { value, moves: moves.unwrap_or(0) });
        }
        let mut values = values.into_iter();
        let value = if has_moves {
            let middle = T::of(Number::Double(self.middle));
            // The position does not wait, so its own value is not used.
            let own = Timed { value: middle.clone(), moves: 0 };
            let Timed { value, moves } = timed(rules, &node, &mut values, &own, &middle);
            Value { worth: value.shown(), moves: Some(moves) }
        } else {
            let mut next = |_: &R::Position| values.next().expect("a value for every successor").value;
            Value { worth: worth(rules, &node, &mut next, None).shown(), moves: None }
        };
        self.known.insert(key, Some(value.clone()));
        Ok(Some(value))
    }
}
