//! The key of a position is its encoded bytes.

use super::error::{BadRules, Fault};
use super::rules::Rules;

/// Appends the key of a position.
pub(super) fn append_key<R: Rules>(position: &R::Position, bytes: &mut Vec<u8>) -> Result<(), BadRules> {
    let taken = std::mem::take(bytes);
    *bytes =
        postcard::to_extend(position, taken).map_err(|error| Fault::Encoding.at(format!("{position} ({error})")))?;
    Ok(())
}

/// The key of a position.
pub(super) fn key_of<R: Rules>(position: &R::Position) -> Result<Vec<u8>, BadRules> {
    let mut bytes = Vec::new();
    append_key::<R>(position, &mut bytes)?;
    Ok(bytes)
}

/// The position of a key, or `None` if the bytes are not a key.
pub(super) fn position_of<R: Rules>(key: &[u8]) -> Option<R::Position> {
    match postcard::take_from_bytes(key) {
        Ok((position, [])) => Some(position),
        _ => None,
    }
}
