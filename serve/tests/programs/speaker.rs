//! A game program for the tests. The name of its file chooses how it misbehaves.

#![forbid(unsafe_code)]

#[path = "../../../stress/tests/programs/speaker.rs"]
mod speaker;

use std::time::Duration;

/// Longer than any test waits.
const FOREVER: Duration = Duration::from_secs(600);

fn main() {
    speaker::speak();
}
