//! The rules of coloured Jenga: blocks, levels, towers and legal moves.
//!
//! A level has three places. Blocks are taken only from levels below the top. Such a level must keep its middle block
//! or both of its side blocks, otherwise the tower falls:
//!
//! ```text
//!   B B G   full: any block may be taken
//!   B B .   one side is missing: the other side may be taken, the middle may not
//!   B . G   the middle is missing: nothing may be taken
//!   . B .   only the middle is left: nothing may be taken
//! ```

mod level;
mod minutes;
mod tower;

pub use level::{Colour, Level, NotALevel, PLACES, Place};
pub use minutes::{Minutes, Outlook, SIDES};
pub use tower::{IllegalMove, MAX_BLOCKS, Move, NotATower, Spot, Tower};
