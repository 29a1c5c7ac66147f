//! The interface of every game. The command line, the tester, the web page and Rust programs all use it.
//!
//! A game is a type that implements [`Game`]. It reads cases from a judge's text and writes them back. It answers a
//! case with a value, and advises on it: every move, its value and the next position. [`PROFILES`] lists the
//! descriptions of all games, and [`visit_all`] runs generic code for every game.
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

mod error;
mod interface;
mod located;
mod profile;
mod progress;
mod reply;
mod sample;
mod verdict;
mod visitor;

pub use error::Error;
pub use interface::Game;
#[doc(hidden)]
pub use located::Located;
pub use profile::{GameOption, Profile, Role};
pub use progress::{Progress, Watch};
pub use reply::{Reply, ReplyError};
pub use sample::{Kind, Size};
pub use verdict::Verdict;
pub(crate) use verdict::accepts_within;
pub use visitor::Visitor;

use crate::balda;
use crate::codenames::Codenames;
use crate::dice::Dice;
use crate::hopchess::Hopchess;
use crate::jenga::Jenga;
use crate::table::Spec;

/// Every table that a game of this library uses, in listing order.
pub fn tables() -> impl Iterator<Item = &'static Spec> {
    PROFILES.iter().flat_map(|profile| profile.tables.iter().copied())
}

/// Defines the list of games with exact answers. All code that handles every game uses this list.
macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The profiles of all games, Balda included, in listing order.
        pub const PROFILES: &[&Profile] = &[$(&<$game as Game>::PROFILE,)+ &balda::PROFILE];

        /// Visits every game with exact answers, in listing order.
        pub fn visit_all<V: Visitor>(visitor: &mut V) -> Vec<V::Output> {
            vec![$(visitor.visit::<$game>()),+]
        }

        /// Visits the game with this name, if it is in the list.
        pub fn visit_named<V: Visitor>(name: &str, visitor: &mut V) -> Option<V::Output> {
            $(if name == <$game as Game>::PROFILE.name {
                return Some(visitor.visit::<$game>());
            })+
            None
        }
    };
}

games![Dice, Jenga, Hopchess, Codenames];
