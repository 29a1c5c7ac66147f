//! What is wrong with the rules of a game, with the position that shows it.

use std::fmt;

/// Why a game cannot be solved as its rules stand. Positions are texts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BadRules {
    /// The game's name cannot be a file's name.
    Name(&'static str),
    /// There is no position to start from.
    NoStart,
    /// A choice without moves, or chance without outcomes.
    NoMoves {
        /// The position.
        position: String,
    },
    /// Chance whose weights sum to zero, or to more than 2^53.
    Weights {
        /// The position.
        position: String,
        /// What the weights sum to, unless that is too much to count.
        sum: Option<u64>,
    },
    /// A value or a cost that is not a finite number.
    NotANumber {
        /// The position.
        position: String,
    },
    /// A choice of no moves.
    NothingProposed {
        /// The position.
        position: String,
    },
    /// A way to wait for ever.
    EndlessWait {
        /// The position.
        position: String,
    },
    /// The canonical position does not stand for itself.
    Canonical {
        /// The canonical position of some position.
        position: String,
        /// What stands for it instead of itself.
        instead: String,
    },
    /// A rank that is not below the number of ranks.
    RankTooLarge {
        /// The position.
        position: String,
        /// Its rank.
        rank: u64,
        /// How many ranks there are.
        ranks: u64,
    },
    /// Two positions have one rank.
    SameRank {
        /// The position.
        position: String,
        /// The position that its rank leads back to.
        other: String,
        /// The rank of both.
        rank: u64,
    },
    /// The text of a position takes more than one line, or none, or has white space around it.
    Text {
        /// The position.
        position: String,
    },
    /// The text of a position cannot be read.
    Unreadable {
        /// The position.
        position: String,
        /// What its author says about it.
        error: String,
    },
    /// The text of a position reads as another position.
    ReadsOtherwise {
        /// The position.
        position: String,
        /// What its text is read as.
        other: String,
    },
    /// The bytes of a position cannot be made or do not lead back to it.
    Encoding {
        /// The position, or why it has no bytes.
        position: String,
    },
    /// Some positions have a layer, and this one has none, or the other way round.
    LayerMissing {
        /// The position.
        position: String,
    },
    /// A move does not lead to a lower layer.
    Layer {
        /// The position.
        position: String,
        /// Where a move leads.
        next: String,
    },
    /// The game may come back to where it was.
    Cycle {
        /// The positions of a cycle; from the last one a move leads to the first one.
        positions: Vec<String>,
        /// Whether no cycle is shorter.
        shortest: bool,
    },
    /// The bounds of a value do not come together.
    Apart {
        /// A position whose bounds are the furthest apart.
        position: String,
        /// Its bound from below.
        lower: f64,
        /// Its bound from above.
        upper: f64,
    },
    /// Cycles, and costs below zero, or values below zero together with costs.
    CostsInCycles {
        /// A position in a cycle.
        position: String,
    },
    /// Fractions were asked for, and the game has cycles.
    CyclesExactly {
        /// A position in a cycle.
        position: String,
    },
    /// A position is something else when it is asked about again.
    Changing {
        /// The position.
        position: String,
    },
    /// More positions than can be numbered.
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
            BadRules::NothingProposed { position } => {
                write!(f, "position '{position}': a proposal of no moves, propose at least one")
            }
            BadRules::EndlessWait { position } => {
                write!(f, "position '{position}': a way to wait there for ever, take it out of the choice")
            }
            BadRules::Canonical { position, instead } => {
                write!(f, "position '{position}': stands for others, but '{instead}' stands for it, ")?;
                write!(f, "let `canonical` return its own results unchanged")
            }
            BadRules::RankTooLarge { position, rank, ranks } => {
                write!(f, "position '{position}': its rank is {rank}, and there are {ranks}, mend `rank` or `ranks`")
            }
            BadRules::SameRank { position, other, rank } => {
                write!(f, "position '{position}': its rank {rank} is the one of '{other}' by `unrank`, ")?;
                write!(f, "give each position a rank of its own")
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
                write!(f, "position '{position}': in a cycle, where costs and values must not be below zero, ")?;
                write!(f, "and no turn may be handed over if there are costs")
            }
            BadRules::CyclesExactly { position } => {
                write!(f, "position '{position}': in a cycle, which has bounds and no fraction, leave out --exact")
            }
            BadRules::Changing { position } => {
                write!(f, "position '{position}': something else when asked again, let `node` depend on nothing but it")
            }
            BadRules::TooManyPositions => write!(f, "more than 4 billion positions, choose a smaller game"),
        }
    }
}

impl std::error::Error for BadRules {}
