//! The interface of every game, on two levels.
//!
//! A game is a type that implements [`Game`]. It reads cases from a judge's text and writes them back. It answers a
//! case with a value, and advises on it: every move, its value and the next position. [`Sample`] draws cases.
//!
//! ```
//! use tabletop::game::Game;
//! use tabletop::jenga::Jenga;
//! use tabletop::table::Places;
//!
//! let jenga = Jenga::open(&Places::only("tables"))?;
//! let tower = "2\nRGB\nGRG\n".parse()?;
//! let advice = jenga.advise(&tower)?;
//! println!("{}", tabletop::explain::Explain::to_text(&advice, Default::default()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game is also a value that implements [`TextGame`], text in and text out, and [`TestGame`], which also draws inputs
//! and judges outputs. The command line, the tester and the web page use games only through these. [`games`] lists all.
//!
//! ```
//! use tabletop::game::{Form, answer, games};
//! use tabletop::table::Places;
//!
//! for game in games(&Places::only("tables")) {
//!     let sample = game.profile().sample.to_owned();
//!     println!("{}", String::from_utf8(answer(&game, sample.as_bytes(), Form::Judge)?)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "json")]
pub mod call;
#[cfg(feature = "json")]
mod cases;
mod error;
mod interface;
mod located;
#[cfg(feature = "json")]
mod position_line;
mod profile;
#[cfg(feature = "json")]
pub(crate) mod program;
mod reply;
mod run;
mod sample;
#[cfg(feature = "json")]
mod tested;
#[cfg(feature = "json")]
mod text;
mod verdict;

pub use error::{Error, Setting};
pub use interface::Game;
#[cfg(feature = "solved")]
pub(crate) use position_line::PositionLine;
pub use profile::{Contest, GameOption, OptionKind, OptionValue, Profile, Role};
#[cfg(feature = "programs")]
pub use program::become_program;
#[cfg(feature = "json")]
pub use program::{CharacterLook, Description, Example, ProgramGame};
pub use reply::{Reply, ReplyError};
pub use run::{Load, PATIENCE, Progress, Run};
pub use sample::{Kind, Sample, Size, Sizes};
#[cfg(feature = "json")]
pub use text::{
    AnswerError, Form, Input, SampleError, TestGame, TestInput, TextGame, TextLines, Writer, answer, answer_cases,
    read, read_only, read_test,
};
#[cfg(feature = "solved")]
pub(crate) use verdict::accepts_number;
pub(crate) use verdict::accepts_within;
pub use verdict::{Fault, FaultKind, Judgement, Judging, Points, Ties, Verdict};

#[cfg(feature = "json")]
use std::sync::Arc;

use crate::balda;
use crate::codenames::Codenames;
use crate::dice::Dice;
use crate::hopchess::Hopchess;
use crate::jenga::Jenga;
use crate::table::{Places, Spec, TableError};

/// Every table that a game of this library uses, in listing order.
pub fn tables() -> impl Iterator<Item = &'static Spec> {
    PROFILES.iter().flat_map(|profile| profile.tables.iter().copied())
}

/// Defines the list of games with exact answers. Every other list follows from it.
macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The profiles of all games in listing order. Balda, which has no exact answers, is the last.
        pub const PROFILES: &[&Profile<'static>] = &[$(&<$game>::PROFILE,)+ &balda::PROFILE];

        /// The game of this name, if it has exact answers. Only for the query, which need not contain the samplers.
        #[cfg(feature = "cli")]
        pub(crate) fn exact_game(name: &str, places: &Places) -> Option<Box<dyn TextGame>> {
            $(if name == <$game>::PROFILE.name {
                return Some(Box::new(<$game>::at(places)));
            })+
            None
        }

        /// The games with exact answers, in listing order, with the tables in these places. Each table is opened when
        /// an input first needs it.
        #[cfg(feature = "json")]
        pub fn exact_test_games(places: &Places) -> Vec<Arc<dyn TestGame>> {
            vec![$(Arc::new(<$game>::at(places))),+]
        }

        $(impl $game {
            /// The game with every table in these places open.
            pub fn open(places: &Places) -> Result<$game, TableError> {
                let game = <$game>::at(places);
                Game::ready(&game)?;
                Ok(game)
            }
        })+
    };
}

games![Dice, Jenga, Hopchess, Codenames];

/// All games, in listing order, with the tables in these places.
#[cfg(feature = "json")]
pub fn games(places: &Places) -> Vec<Arc<dyn TestGame>> {
    let mut games = exact_test_games(places);
    games.push(Arc::new(balda::Balda::at(places)));
    games
}
