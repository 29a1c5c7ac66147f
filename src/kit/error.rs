//! Errors in the rules of a game.

use std::fmt;

/// Why the rules of a game cannot be solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}{fault}", .position.as_ref().map_or(String::new(), |position| format!("position '{position}': ")))]
pub struct BadRules {
    /// The text of a position that shows the fault. A fault of the whole game has none.
    pub position: Option<String>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with the rules of a game, and how it is mended. Positions are given as text.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The game's name cannot be a file name.
    #[error("the name '{}' of the game, use small letters, digits and '-' only", .0.escape_debug())]
    Name(String),
    /// The game's name is that of a game or a table of this library.
    #[error("the name '{0}' of the game belongs to a game of tabletop, choose another")]
    NameTaken(String),
    /// `starts` panicked.
    #[error("`starts` panicked with the message above, mend it")]
    StartsPanicked,
    /// There is no starting position.
    #[error("there is no position to start from, let `starts` name one")]
    NoStart,
    /// A choice without moves, or chance without outcomes.
    #[error("no moves and not over, say with `Node::over` what it is worth")]
    NoMoves,
    /// The weights of a chance node sum to zero, or to more than 2^53.
    #[error("weights that sum to {}", match .sum {
        Some(0) => "zero, give some outcome a weight",
        _ => "more than 2^53, divide them",
    })]
    Weights {
        /// The sum of the weights, or `None` if it overflows.
        sum: Option<u64>,
    },
    /// A value or a cost that is not a finite number.
    #[error("a value or a cost that is not a number, mend its calculation")]
    NotANumber,
    /// A value or a cost that is infinite, or a whole number that does not fit in an `i64`.
    #[error("a value or a cost that is infinite, mend its calculation")]
    Infinite,
    /// A value or a cost beyond 1e290, or a sum of them that is too large for a double.
    #[error("a value or a cost beyond 1e290, measure in larger units")]
    TooLarge,
    /// The nodes of a position are nested too deeply.
    #[error("more than {most} nodes inside of each other, let `Node::go` lead to a position in between")]
    Deep {
        /// The largest number of nodes inside of each other.
        most: usize,
    },
    /// A proposal of zero moves.
    #[error("a proposal of no moves, propose at least one")]
    NothingProposed,
    /// Some best play waits for ever: no move is better than waiting, and waiting does not end by chance.
    #[error("the best play may wait there for ever, let waiting cost something or end by chance")]
    EndlessWait,
    /// `canonical` is not idempotent.
    #[error("stands for others, but '{instead}' stands for it, let `canonical` return its own results unchanged")]
    Canonical {
        /// What `canonical` makes of the position that it returned.
        instead: String,
    },
    /// `ranks` is implemented, and `rank` is not.
    #[error("it has no rank, implement `rank` and `unrank` or leave out `ranks`")]
    RankMissing,
    /// The values of all ranks do not fit in memory.
    #[error("{ranks} ranks do not fit in memory, let `ranks` be smaller or leave it out")]
    TooManyRanks {
        /// The number of ranks.
        ranks: u64,
    },
    /// A rank is not below the number of ranks.
    #[error("its rank is {rank}, and there are {ranks}, mend `rank` or `ranks`")]
    RankTooLarge {
        /// The rank of the position.
        rank: u64,
        /// The number of ranks.
        ranks: u64,
    },
    /// Two positions have the same rank.
    #[error(
        "its rank {rank} is the one of '{other}' by `unrank`, \
         give each position a rank of its own and let `unrank` return the position"
    )]
    SameRank {
        /// The position that `unrank` returns for the rank.
        other: String,
        /// The rank of both.
        rank: u64,
    },
    /// The text of a position is empty, is more than one line, or has white space around it.
    #[error("its text is not one line, let `Display` write one, without blanks around it")]
    Text,
    /// The text of a position cannot be read.
    #[error("its text does not read back ({error}), let `FromStr` read it")]
    Unreadable {
        /// The error of `FromStr`.
        error: String,
    },
    /// The text of a position parses to another position.
    #[error("its text reads back as another position, '{other}', let `Display` write all of it")]
    ReadsOtherwise {
        /// The position that the text parses to.
        other: String,
    },
    /// A position cannot be encoded, or its bytes do not decode to it.
    #[error("its bytes do not lead back to it, derive `Serialize` and `Deserialize`")]
    Encoding,
    /// Some positions have a stage and others have none.
    #[error("has no stage though others have one, let `stage` say it for all or none")]
    StageMissing,
    /// A move leads to a higher stage.
    #[error("a move leads to '{next}', whose stage is higher, mend `stage`")]
    StageRises {
        /// The position after the move.
        next: String,
    },
    /// No move leads from one of the predecessors to the position.
    #[error("no move leads there from '{before}', let `predecessors` leave it out")]
    Predecessor {
        /// The predecessor by `predecessors`.
        before: String,
    },
    /// The rules tell the predecessors of other positions.
    #[error("has no `predecessors` though others have, tell them for all positions or none")]
    NoPredecessors,
    /// A move leads to a position of the same stage, whose `predecessors` do not know it.
    #[error("a move leads to '{next}', let its `predecessors` name this position")]
    PredecessorMissing {
        /// The position after the move.
        next: String,
    },
    /// The game can return to an earlier position.
    #[error(
        "the game may come back to where it was, {} cycle is {}, {}choose \
         `Cycles::Draw` if an endless game is a draw, or `Cycles::Iterate` if chance ends it",
        if *.shortest { "the shortest" } else { "a" },
        Round(.positions),
        if .positions.len() == 1 { "write `Node::again()` if nothing happens there, or " } else { "" }
    )]
    Cycle {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
        /// Whether this is known to be a shortest cycle.
        shortest: bool,
    },
    /// No play from some positions ends.
    #[error(
        "no play ends that goes round by {}, \
         let a move or an outcome lead out, or say with `Node::over` what it is worth",
        Round(.positions)
    )]
    NoEnd {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
    },
    /// The player can go round for ever and scores without end.
    #[error(
        "the player may score for ever and go round by {}, let going round score nothing or end by chance",
        Round(.positions)
    )]
    ScoresForEver {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
    },
    /// Two players can go round for ever, and the values depend on what that is worth.
    #[error(
        "the players may go round for ever by {}, and values depend on it, \
         count the repetitions in the position or end the game after a number of moves",
        Round(.positions)
    )]
    EndlessPlay {
        /// The positions of a cycle. A move leads from the last to the first.
        positions: Vec<String>,
    },
    /// The bounds of a value converge too slowly. They are furthest apart at the position.
    #[error("{} too slowly, allow a larger tolerance or let the game end sooner", match .upper.is_finite() {
        true => format!("bounds {lower} and {upper} converge"),
        false => format!("the lower bound {lower} converges"),
    })]
    Apart {
        /// The lower bound.
        lower: f64,
        /// The upper bound. It is infinite if none was found.
        upper: f64,
    },
    /// A game with cycles and costs has a cost or a value below zero, or passes the turn.
    #[error(
        "a cycle in a game with costs, \
         let no cost and no value be below zero and use `Node::go` instead of `Node::turn`"
    )]
    CostsInCycles,
    /// A game in which an endless game is a draw has chance.
    #[error("chance in a game with `Cycles::Draw`, choose `Cycles::Iterate`")]
    ChanceAndDraw,
    /// A game in which an endless game is a draw has a cycle and costs.
    #[error("a cycle in a game with costs and `Cycles::Draw`, leave out the costs or choose `Cycles::Iterate`")]
    CostsAndDraw,
    /// A value of a game that repeats, or its counterpart for the other player, is not a double.
    #[error("leads to values that are no doubles, pass --exact or use whole numbers")]
    Rounded,
    /// A transient position leads to itself through transient positions only.
    #[error("leads to itself through transient positions only, store one of them")]
    TransientCycle,
    /// A start is transient.
    #[error("is a start and transient, let `is_transient` say no")]
    TransientStart,
    /// A transient position in a game that may return to an earlier position.
    #[error("transient in a game that may repeat, choose `Cycles::Refuse` or store it")]
    TransientInCycles,
    /// What follows a transient position is not decided by its pattern, or `at_pattern` returns another position.
    #[error(
        "does not follow by its `pattern`, let it alone decide what follows apart from the stored position, \
         and `at_pattern` return the position"
    )]
    Pattern,
    /// A number of [`Explored`](super::Rules::explored) is of no position, or the position has no node.
    #[error("no position of this number has a node, add it and describe it")]
    Incomplete,
    /// Exact fractions were requested, but the game has cycles.
    #[error("in a cycle, which has bounds and no fraction, leave out --exact")]
    CyclesExactly,
    /// A second call of `node` or `rank` for the same position returned something else.
    #[error("something else when asked again, let `node` depend on nothing but it")]
    Changing,
    /// A function of the rules panicked.
    #[error("{function} panicked with the message above, mend it for this position and those that follow it")]
    Panicked {
        /// The function, or the trait of the position type.
        function: &'static str,
    },
    /// More positions than the user allows.
    #[error("more than {most} positions, such as '{example}', limit the game or pass a larger --max-positions")]
    MorePositions {
        /// The number of positions that the user allows.
        most: u64,
        /// One of the positions.
        example: String,
    },
    /// More positions, or choices inside of them, than 31 bits can number.
    #[error("more than 2 billion positions, choose a smaller game")]
    TooManyPositions,
    /// More stages than 16 bits can number.
    #[error("more than 65535 stages, let `stage` join some of them")]
    TooManyStages,
    /// Solving takes more memory than is allowed.
    #[error(
        "needs at least {} MiB of memory, and {} MiB are allowed, pass a larger --memory, or {remedy}",
        .needed.div_ceil(1 << 20),
        .allowed.div_ceil(1 << 20)
    )]
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

/// The positions of a cycle, with arrows.
struct Round<'a>(&'a [String]);

impl fmt::Display for Round<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|position| write!(f, "'{position}' -> "))?;
        write!(f, "'{}'", self.0.first().map_or("", String::as_str))
    }
}
