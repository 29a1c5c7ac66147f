//! Replies to questions that need no input.

use super::Error;

/// The reply to a question, see [`Role::Question`](super::Role::Question).
pub trait Reply {
    /// The reply as text for people.
    fn to_text(&self) -> String;

    /// The reply as a JSON object.
    #[cfg(feature = "json")]
    fn to_json(&self) -> Vec<u8>;
}

/// Why a question has no reply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// The value of the option is wrong; the text says what to write instead.
    #[error("{0}")]
    Value(String),
    /// The game cannot answer.
    #[error("{0}")]
    Game(#[source] Error),
}
