//! What coloured Jenga is: blocks, levels, towers, what may be taken and where it goes.
//!
//! A level has three places. Only levels below the top give blocks, and each of them must keep its middle block or both
//! of its side blocks, or the tower falls:
//!
//! ```text
//!   B B G   all there: any one may be taken
//!   B B .   a side gone: the other side may be taken, the middle may not
//!   B . G   the middle gone: nothing may be taken
//!   . B .   only the middle left: nothing may be taken
//! ```

mod level;
mod minutes;
mod tower;

pub use level::{Colour, Level, NotALevel, PLACES, Place};
pub use minutes::{Minutes, Outlook, SIDES};
pub use tower::{IllegalMove, MAX_BLOCKS, Move, NotATower, Spot, Tower};
