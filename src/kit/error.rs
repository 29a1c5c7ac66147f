//! Errors in the rules of a game.

use std::fmt;

/// Why the rules of a game cannot be solved.
#[derive(Debug, Clone, PartialEq)]
pub struct BadRules {
    /// The text of a position that shows the fault. A fault of the whole game has none.
    pub position: Option<String>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with the rules of a game. Positions are given as text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The game's name cannot be a file name.
    Name(String),
    /// The game's name is that of a game or a table of this library.
    NameTaken(String),
    /// `starts` panicked.
    StartsPanicked,
    /// There is no starting position.
    NoStart,
    /// A choice without moves, or chance without outcomes.
    NoMoves,
    /// The weights of a chance node sum to zero, or to more than 2^53.
    Weights {
        /// The sum of the weights, or `None` if it overflows.
        sum: Option<u64>,
    },
    /// A value or a cost that is not a finite number.
    NotANumber,
    /// A value or a cost that is infinite, or a whole number that does not fit in an `i64`.
    Infinite,
    /// A value or a cost beyond 1e290, or a sum of them that is too large for a double.
    TooLarge,
    /// The nodes of a position are nested too deeply.
    Deep {
        /// The largest number of nodes inside of each other.
        most: usize,
    },
    /// A proposal of zero moves.
    NothingProposed,
    /// Some best play waits for ever: no move is better than waiting, and waiting does not end by chance.
    EndlessWait,
    /// `canonical` is not idempotent.
    Canonical {
        /// What `canonical` makes of the position that it returned.
        instead: String,
    },
    /// `ranks` is implemented, and `rank` is not.
    RankMissing,
    /// The values of all ranks do not fit in memory.
    TooManyRanks {
        /// The number of ranks.
        ranks: u64,
    },
    /// A rank is not below the number of ranks.
    RankTooLarge {
        /// The rank of the position.
        rank: u64,
        /// The number of ranks.
        ranks: u64,
    },
    /// Two positions have the same rank.
    SameRank {
        /// The position that `unrank` returns for the rank.
        other: String,
        /// The rank of both.
        rank: u64,
    },
    /// The text of a position is empty, is more than one line, or has white space around it.
    Text,
    /// The text of a position cannot be read.
    Unreadable {
        /// The error of `FromStr`.
        error: String,
    },
    /// The text of a position parses to another position.
    ReadsOtherwise {
        /// The position that the text parses to.
        other: String,
    },
    /// A position cannot be encoded, or its bytes do not decode to it.
    Encoding,
    /// Some positions have a stage and others have none.
    StageMissing,
    /// A move leads to a higher stage.
    StageRises {
        /// The position after the move.
        next: String,
    },
    /// No move leads from one of the predecessors to the position.
    Predecessor {
        /// The predecessor by `predecessors`.
        before: String,
    },
    /// The rules tell the predecessors of other positions.
    NoPredecessors,
    /// A move leads to a position of the same stage, whose `predecessors` do not know it.
    PredecessorMissing {
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
    /// No play from some positions ends.
    NoEnd {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
    },
    /// The player can go round for ever and scores without end.
    ScoresForEver {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
    },
    /// Two players can go round for ever, and the values depend on what that is worth.
    EndlessPlay {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
    },
    /// The bounds of a value converge too slowly. They are furthest apart at the position.
    Apart {
        /// The lower bound.
        lower: f64,
        /// The upper bound. It is infinite if none was found.
        upper: f64,
    },
    /// A game with cycles and costs has a cost or a value below zero, or passes the turn.
    CostsInCycles,
    /// A game in which an endless game is a draw has chance.
    ChanceAndDraw,
    /// A game in which an endless game is a draw has a cycle and costs.
    CostsAndDraw,
    /// A value of a game that repeats, or its counterpart for the other player, is not a double.
    Rounded,
    /// A transient position leads to itself through transient positions only.
    TransientCycle,
    /// A start is transient.
    TransientStart,
    /// A transient position in a game that may return to an earlier position.
    TransientInCycles,
    /// What follows a transient position is not decided by its pattern, or `at_pattern` returns another position.
    Pattern,
    /// A number of [`Explored`](super::Rules::explored) is of no position, or the position has no node.
    Incomplete,
    /// Exact fractions were requested, but the game has cycles.
    CyclesExactly,
    /// A second call of `node` or `rank` for the same position returned something else.
    Changing,
    /// A function of the rules panicked.
    Panicked {
        /// The function, or the trait of the position type.
        function: &'static str,
    },
    /// More positions than the user allows.
    MorePositions {
        /// The number of positions that the user allows.
        most: u64,
        /// One of the positions.
        example: String,
    },
    /// More positions than fit in a 32-bit number.
    TooManyPositions,
    /// Solving takes more memory than is allowed.
    Memory {
        /// What solving takes, in bytes.
        needed: u64,
        /// What is allowed, in bytes.
        allowed: u64,
        /// What else would help.
        remedy: &'static str,
    },
}

impl Fault {
    /// The fault, shown by a position.
    pub fn at(self, position: impl fmt::Display) -> BadRules {
        BadRules { position: Some(position.to_string()), fault: self }
    }
}

impl From<Fault> for BadRules {
    fn from(fault: Fault) -> BadRules {
        BadRules { position: None, fault }
    }
}

impl fmt::Display for BadRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "position '{position}': ")?;
        }
        write!(f, "{}", self.fault)
    }
}

impl std::error::Error for BadRules {}

/// What is wrong, and how it is mended.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Fault::*;
        match self {
            Name(name) => {
                write!(f, "the name '{}' of the game, use small letters, digits and '-' only", name.escape_debug())
            }
            NameTaken(name) => write!(f, "the name '{name}' of the game belongs to a game of tabletop, choose another"),
            StartsPanicked => f.write_str("`starts` panicked with the message above, mend it"),
            NoStart => f.write_str("there is no position to start from, let `starts` name one"),
            NoMoves => f.write_str("no moves and not over, say with `Node::over` what it is worth"),
            Weights { sum: Some(0) } => f.write_str("weights that sum to zero, give some outcome a weight"),
            Weights { .. } => f.write_str("weights that sum to more than 2^53, divide them"),
            NotANumber => f.write_str("a value or a cost that is not a number, mend its calculation"),
            Infinite => f.write_str("a value or a cost that is infinite, mend its calculation"),
            TooLarge => f.write_str("a value or a cost beyond 1e290, measure in larger units"),
            Deep { most } => {
                write!(f, "more than {most} nodes inside of each other, let `Node::go` lead to a position in between")
            }
            NothingProposed => f.write_str("a proposal of no moves, propose at least one"),
            EndlessWait => {
                f.write_str("the best play may wait there for ever, let waiting cost something or end by chance")
            }
            Canonical { instead } => {
                write!(f, "stands for others, but '{instead}' stands for it, ")?;
                f.write_str("let `canonical` return its own results unchanged")
            }
            RankMissing => f.write_str("it has no rank, implement `rank` and `unrank` or leave out `ranks`"),
            TooManyRanks { ranks } => {
                write!(f, "{ranks} ranks do not fit in memory, let `ranks` be smaller or leave it out")
            }
            RankTooLarge { rank, ranks } => {
                write!(f, "its rank is {rank}, and there are {ranks}, mend `rank` or `ranks`")
            }
            SameRank { other, rank } => {
                write!(f, "its rank {rank} is the one of '{other}' by `unrank`, ")?;
                f.write_str("give each position a rank of its own and let `unrank` return the position")
            }
            Text => f.write_str("its text is not one line, let `Display` write one, without blanks around it"),
            Unreadable { error } => write!(f, "its text does not read back ({error}), let `FromStr` read it"),
            ReadsOtherwise { other } => {
                write!(f, "its text reads back as another position, '{other}', let `Display` write all of it")
            }
            Encoding => f.write_str("its bytes do not lead back to it, derive `Serialize` and `Deserialize`"),
            StageMissing => f.write_str("has no stage though others have one, let `stage` say it for all or none"),
            StageRises { next } => write!(f, "a move leads to '{next}', whose stage is higher, mend `stage`"),
            Predecessor { before } => {
                write!(f, "no move leads there from '{before}', let `predecessors` leave it out")
            }
            NoPredecessors => {
                f.write_str("has no `predecessors` though others have, tell them for all positions or none")
            }
            PredecessorMissing { next } => {
                write!(f, "a move leads to '{next}', let its `predecessors` name this position")
            }
            Cycle { positions, shortest } => {
                let kind = if *shortest { "the shortest cycle" } else { "a cycle" };
                write!(f, "the game may come back to where it was, {kind} is {}, ", Round(positions))?;
                match positions.len() {
                    1 => f.write_str("write `Node::again()` if nothing happens there, or choose "),
                    _ => f.write_str("choose "),
                }?;
                f.write_str("`Cycles::Draw` if an endless game is a draw, or `Cycles::Iterate` if chance ends it")
            }
            NoEnd { positions } => {
                write!(f, "no play ends that goes round by {}, ", Round(positions))?;
                f.write_str("let a move or an outcome lead out, or say with `Node::over` what it is worth")
            }
            ScoresForEver { positions } => {
                write!(f, "the player may score for ever and go round by {}, ", Round(positions))?;
                f.write_str("let going round score nothing or end by chance")
            }
            EndlessPlay { positions } => {
                write!(f, "the players may go round for ever by {}, and values depend on it, ", Round(positions))?;
                f.write_str("count the repetitions in the position or end the game after a number of moves")
            }
            Apart { lower, upper } => {
                match upper.is_finite() {
                    true => write!(f, "bounds {lower} and {upper} converge too slowly, ")?,
                    false => write!(f, "the lower bound {lower} converges too slowly, ")?,
                }
                f.write_str("allow a larger tolerance or let the game end sooner")
            }
            CostsInCycles => {
                f.write_str(
                    "a cycle in a game with costs, let no cost and no value be below zero and use `Node::go` ",
                )?;
                f.write_str("instead of `Node::turn`")
            }
            ChanceAndDraw => f.write_str("chance in a game with `Cycles::Draw`, choose `Cycles::Iterate`"),
            CostsAndDraw => {
                f.write_str("a cycle in a game with costs and `Cycles::Draw`, ")?;
                f.write_str("leave out the costs or choose `Cycles::Iterate`")
            }
            Rounded => f.write_str("leads to values that are no doubles, pass --exact or use whole numbers"),
            TransientCycle => f.write_str("leads to itself through transient positions only, store one of them"),
            TransientStart => f.write_str("is a start and transient, let `is_transient` say no"),
            TransientInCycles => {
                f.write_str("transient in a game that may repeat, choose `Cycles::Refuse` or store it")
            }
            CyclesExactly => f.write_str("in a cycle, which has bounds and no fraction, leave out --exact"),
            Incomplete => f.write_str("no position of this number has a node, add it and describe it"),
            Pattern => f.write_str(
                "does not follow by its `pattern`, let it alone decide what follows apart from the stored position, \
                 and `at_pattern` return the position",
            ),
            Changing => f.write_str("something else when asked again, let `node` depend on nothing but it"),
            Panicked { function } => {
                write!(f, "{function} panicked with the message above, ")?;
                f.write_str("mend it for this position and those that follow it")
            }
            MorePositions { most, example } => {
                write!(f, "more than {most} positions, such as '{example}', ")?;
                f.write_str("limit the game or pass a larger --max-positions")
            }
            Memory { needed, allowed, remedy } => {
                let mib = |bytes: &u64| bytes.div_ceil(1 << 20);
                write!(f, "needs at least {} MiB of memory, and {} MiB are allowed, ", mib(needed), mib(allowed))?;
                write!(f, "pass a larger --memory, or {remedy}")
            }
            TooManyPositions => f.write_str("more than 4 billion positions, choose a smaller game"),
        }
    }
}

/// The positions of a cycle, with arrows.
struct Round<'a>(&'a [String]);

impl fmt::Display for Round<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|position| write!(f, "'{position}' -> "))?;
        write!(f, "'{}'", self.0.first().map_or("", String::as_str))
    }
}
