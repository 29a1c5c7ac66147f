//! Replies to questions that need no input.

use std::fmt;

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
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplyError {
    /// The value of the option is wrong; the text says what to write instead.
    Value(String),
    /// The game cannot answer.
    Game(Error),
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplyError::Value(message) => f.write_str(message),
            ReplyError::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReplyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReplyError::Value(_) => None,
            ReplyError::Game(error) => Some(error),
        }
    }
}
