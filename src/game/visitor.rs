//! Generic code for every game.

use super::Game;

/// Generic code that runs for a game.
pub trait Visitor {
    /// The result for one game.
    type Output;

    /// Runs for the game `G`.
    fn visit<G: Game>(&mut self) -> Self::Output;
}
