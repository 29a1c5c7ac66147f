//! Errors in the rules of a game. Each names a position that shows the error.

use std::fmt;

/// Why the rules of a game cannot be solved. Positions are given as text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BadRules {
    /// The game's name cannot be a file name.
    Name(&'static str),
    /// There is no starting position.
    NoStart,
    /// A choice without moves, or chance without outcomes.
    NoMoves {
        /// The position.
        position: String,
    },
    /// The weights of a chance node sum to zero, or to more than 2^53.
    Weights {
        /// The position.
        position: String,
        /// The sum of the weights, or `None` if it overflows.
        sum: Option<u64>,
    },
    /// A value or a cost that is not a finite number.
    NotANumber {
        /// The position.
        position: String,
    },
    /// A value or a cost that is infinite, or a whole number that does not fit in an `i64`.
    Infinite {
        /// The position.
        position: String,
    },
    /// A proposal of zero moves.
    NothingProposed {
        /// The position.
        position: String,
    },
    /// Some best play waits for ever: no move is better than waiting, and waiting does not end by chance.
    EndlessWait {
        /// The position.
        position: String,
    },
    /// `canonical` is not idempotent.
    Canonical {
        /// A position that `canonical` returned.
        position: String,
        /// What `canonical` makes of that position.
        instead: String,
    },
    /// `ranks` is implemented, and `rank` is not.
    RankMissing {
        /// The position.
        position: String,
    },
    /// The values of all ranks do not fit in memory.
    TooManyRanks {
        /// The number of ranks.
        ranks: u64,
    },
    /// A rank is not below the number of ranks.
    RankTooLarge {
        /// The position.
        position: String,
        /// Its rank.
        rank: u64,
        /// The number of ranks.
        ranks: u64,
    },
    /// Two positions have the same rank.
    SameRank {
        /// The position.
        position: String,
        /// The position that `unrank` returns for its rank.
        other: String,
        /// The rank of both.
        rank: u64,
    },
    /// The text of a position is empty, is more than one line, or has white space around it.
    Text {
        /// The position.
        position: String,
    },
    /// The text of a position cannot be read.
    Unreadable {
        /// The position.
        position: String,
        /// The error of `FromStr`.
        error: String,
    },
    /// The text of a position parses to another position.
    ReadsOtherwise {
        /// The position.
        position: String,
        /// The position that its text parses to.
        other: String,
    },
    /// A position cannot be encoded, or its bytes do not decode to it.
    Encoding {
        /// The position, or why it cannot be encoded.
        position: String,
    },
    /// Some positions have a layer and others have none.
    LayerMissing {
        /// The position.
        position: String,
    },
    /// A move does not lead to a lower layer.
    Layer {
        /// The position.
        position: String,
        /// The position after the move.
        next: String,
    },
    /// The game can return to an earlier position.
    Cycle {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
        /// Whether this is known to be a shortest cycle.
        shortest: bool,
    },
    /// The bounds of a value do not converge.
    Apart {
        /// A position whose bounds are furthest apart.
        position: String,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A game with cycles and costs has a cost or a value below zero, or passes the turn.
    CostsInCycles {
        /// A position in a cycle.
        position: String,
    },
    /// Exact fractions were requested, but the game has cycles.
    CyclesExactly {
        /// A position in a cycle.
        position: String,
    },
    /// A second call of `node` or `rank` for the same position returned something else.
    Changing {
        /// The position.
        position: String,
    },
    /// A function of the rules panicked.
    Panicked {
        /// The position.
        position: String,
        /// The function, or the trait of the position type.
        function: &'static str,
    },
    /// More positions than the user allows.
    MorePositions {
        /// The number of positions that the user allows.
        most: u64,
        /// One of the positions.
        position: String,
    },
    /// More positions than fit in a 32-bit number.
    TooManyPositions,
}

impl fmt::Display for BadRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadRules::Name(name) => {
                write!(f, "the name '{}' of the game, use small letters, digits and '-' only", name.escape_debug())
            }
            BadRules::NoStart => write!(f, "there is no position to start from, let `starts` name one"),
            BadRules::NoMoves { position } => {
                write!(f, "position '{position}': no moves and not over, say with `Node::over` what it is worth")
            }
            BadRules::Weights { position, sum: Some(0) } => {
                write!(f, "position '{position}': weights that sum to zero, give some outcome a weight")
            }
            BadRules::Weights { position, .. } => {
                write!(f, "position '{position}': weights that sum to more than 2^53, divide them")
            }
            BadRules::NotANumber { position } => {
                write!(f, "position '{position}': a value or a cost that is not a number, mend its calculation")
            }
            BadRules::Infinite { position } => {
                write!(f, "position '{position}': a value or a cost that is infinite, mend its calculation")
            }
            BadRules::NothingProposed { position } => {
                write!(f, "position '{position}': a proposal of no moves, propose at least one")
            }
            BadRules::EndlessWait { position } => {
                write!(
                    f,
                    "position '{position}': the best play may wait there for ever, let waiting cost something or end by chance"
                )
            }
            BadRules::Canonical { position, instead } => {
                write!(f, "position '{position}': stands for others, but '{instead}' stands for it, ")?;
                write!(f, "let `canonical` return its own results unchanged")
            }
            BadRules::RankMissing { position } => {
                write!(f, "position '{position}': it has no rank, implement `rank` and `unrank` or leave out `ranks`")
            }
            BadRules::TooManyRanks { ranks } => {
                write!(f, "{ranks} ranks do not fit in memory, let `ranks` be smaller or leave it out")
            }
            BadRules::RankTooLarge { position, rank, ranks } => {
                write!(f, "position '{position}': its rank is {rank}, and there are {ranks}, mend `rank` or `ranks`")
            }
            BadRules::SameRank { position, other, rank } => {
                write!(f, "position '{position}': its rank {rank} is the one of '{other}' by `unrank`, ")?;
                write!(f, "give each position a rank of its own and let `unrank` return the position")
            }
            BadRules::Text { position } => {
                write!(f, "position '{}': its text is not one line, ", position.escape_debug())?;
                write!(f, "let `Display` write one, without blanks around it")
            }
            BadRules::Unreadable { position, error } => {
                write!(f, "position '{position}': its text does not read back ({error}), let `FromStr` read it")
            }
            BadRules::ReadsOtherwise { position, other } => {
                write!(f, "position '{position}': its text reads back as another position, '{other}', ")?;
                write!(f, "let `Display` write all of it")
            }
            BadRules::Encoding { position } => {
                write!(
                    f,
                    "position '{position}': its bytes do not lead back to it, derive `Serialize` and `Deserialize`"
                )
            }
            BadRules::LayerMissing { position } => {
                write!(
                    f,
                    "position '{position}': has no layer though others have one, let `layer` say it for all or none"
                )
            }
            BadRules::Layer { position, next } => {
                write!(f, "position '{position}': a move leads to '{next}', whose layer is not lower, mend `layer`")
            }
            BadRules::Cycle { positions, shortest } => {
                let kind = if *shortest { "the shortest cycle" } else { "a cycle" };
                write!(f, "the game may come back to where it was, {kind} is ")?;
                for position in positions {
                    write!(f, "'{position}' -> ")?;
                }
                write!(f, "'{}', ", positions.first().map_or("", String::as_str))?;
                match positions.len() {
                    1 => write!(f, "write `Node::again()` if nothing happens there, or choose `Cycles::Iterate`"),
                    _ => write!(f, "choose `Cycles::Iterate` for bounds instead of exact values"),
                }
            }
            BadRules::Apart { position, lower, upper } => {
                write!(f, "position '{position}': bounds {lower} and {upper} do not come together, ")?;
                write!(f, "take out the moves by which the game may go on for ever")
            }
            BadRules::CostsInCycles { position } => {
                write!(f, "position '{position}': a cycle in a game with costs, ")?;
                write!(f, "let no cost and no value be below zero and use `Node::go` instead of `Node::turn`")
            }
            BadRules::CyclesExactly { position } => {
                write!(f, "position '{position}': in a cycle, which has bounds and no fraction, leave out --exact")
            }
            BadRules::Changing { position } => {
                write!(f, "position '{position}': something else when asked again, let `node` depend on nothing but it")
            }
            BadRules::Panicked { position, function } => {
                write!(f, "position '{position}': {function} panicked with the message above, ")?;
                write!(f, "mend it for this position and those that follow it")
            }
            BadRules::MorePositions { most, position } => {
                write!(f, "more than {most} positions, such as '{position}', ")?;
                write!(f, "limit the game or pass a larger --max-positions")
            }
            BadRules::TooManyPositions => write!(f, "more than 4 billion positions, choose a smaller game"),
        }
    }
}

impl std::error::Error for BadRules {}
