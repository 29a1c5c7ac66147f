//! What the author of a game writes: a position type, a move type, and a function that describes a position.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(feature = "kit")]
use super::explored::Explored;
use super::number::Number;
use super::show::{Look, Touch};

/// Room is made for at most this number of moves before they are known.
const MANY_MOVES: usize = 64;

/// A bounded game of one player or two, with or without chance.
///
/// A value is one number. A single player maximises it ([`Node::max`]) or minimises it ([`Node::min`]). A game of two
/// players chooses one of two conventions:
/// - Every value is the first player's. The first player maximises, the second minimises, and a position says whose
///   turn it is.
/// - Every value belongs to the player to move, who maximises. [`Node::turn`] passes the turn, and [`Rules::sum`] is
///   the sum of both players' values. A position need not say whose turn it is.
pub trait Rules: Sync + Sized {
    /// A position. Its text is one line and parses back to the same position. Its encoded bytes are its key.
    type Position: Serialize + DeserializeOwned + Display + FromStr<Err: Display> + Send + Sync;
    /// A move, or its name.
    type Move: Display;

    /// The game's name in messages and JSON, and the name of its table file: lower-case letters, digits and `-`.
    fn name(&self) -> &str;

    /// The game in one line, for `--help`.
    fn about(&self) -> &str {
        "A game solved into a table"
    }

    /// The rules in words, or their version number. A table made with another text is refused. Change the text whenever
    /// values may change.
    fn rules(&self) -> &str {
        "1"
    }

    /// The sum of both players' values, for games that use [`Node::turn`]: 0 if a win is 1 and a loss is -1, and 1 if
    /// values are probabilities of winning. Half of it is the value of a draw by [`Cycles::Draw`], also without turns.
    fn sum(&self) -> i64 {
        0
    }

    /// What to do if the game can return to an earlier position.
    fn cycles(&self) -> Cycles {
        Cycles::Refuse
    }

    /// The unit of a value on a page, such as "points".
    fn unit(&self) -> &str {
        ""
    }

    /// The number of decimals of a value on a page, if it is fixed.
    fn decimals(&self) -> Option<u32> {
        None
    }

    /// The number of decimals that the table keeps, up to 15. A rounded value takes fewer bytes, and `ask` says its error.
    /// Fractions, and values with moves to the end, are not rounded. `solve --digits` overrides it.
    fn digits(&self) -> Option<u16> {
        None
    }

    /// The players' names on a page.
    fn players(&self) -> [&str; 2] {
        ["First", "Second"]
    }

    /// The rows of a board for a page, one character for each cell. Without rows a page shows the text of the position.
    fn board(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// What a player touches on the board to make a move.
    fn touch(&self, _position: &Self::Position, _step: &Self::Move) -> Touch {
        Touch::button()
    }

    /// How the characters of the board look. The others are shown as they are; `.` is an empty cell and a space is none.
    /// Looks named `own …` and `other …` belong to the player to move and to the other; each player keeps a colour.
    fn look(&self) -> Vec<Look> {
        Vec::new()
    }

    /// The starting positions. Only positions reachable from them are solved.
    fn starts(&self) -> Vec<Self::Position>;

    /// What a position is: over, a choice, or chance.
    fn node(&self, position: &Self::Position) -> Node<Self>;

    /// Whether the game only passes through a position that nobody asks for, such as dice between two throws. It is
    /// solved inside of each position that leads to it and is not stored. `ask` works it out from the stored positions.
    ///
    /// Transient positions must not lead in a circle without a stored position, and a start is never transient. A game
    /// with another [`Rules::cycles`] than [`Cycles::Refuse`] has none.
    fn is_transient(&self, _position: &Self::Position) -> bool {
        false
    }

    /// What a transient position is apart from the stored position that it follows, as a number: the dice and the throws
    /// that are left. What follows it must depend on this number alone, up to the next stored position, value or cost.
    /// Its node is then read once for all stored positions if it leads to transient positions only.
    ///
    /// A game whose turns have many transient positions is solved many times faster with it.
    fn pattern(&self, _transient: &Self::Position) -> Option<u32> {
        None
    }

    /// The transient position with a pattern that follows a stored position. A game with [`Rules::pattern`] must
    /// implement it.
    fn at_pattern(&self, _stored: &Self::Position, pattern: u32) -> Self::Position {
        // A start is not transient, and refused as `Fault::Pattern`.
        self.starts().into_iter().next().unwrap_or_else(|| panic!("no position has the pattern {pattern}"))
    }

    /// The representative of this position and all positions that are equal to it by symmetry. The representative must
    /// map to itself. It may be called with any position that a user writes.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// A number that never rises with a move, if the game has one: stones that are still to be placed, or pieces that
    /// are not borne off. The game is solved stage by stage, from the lowest number. If every move lowers it, the
    /// solver need not search for an order.
    fn stage(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// The positions from which a move leads to this one, if the game can be played backwards. All of the same stage must
    /// be there, in any form; what does not lead here by [`Rules::node`] must not.
    ///
    /// A position that cannot be reached may be there if it has a rank of its own, or one that is not below
    /// [`Rules::ranks`].
    ///
    /// It is never needed. Large games with [`Cycles::Draw`] and ranks or stages are solved faster with it, and with less
    /// memory.
    fn predecessors(&self, _position: &Self::Position) -> Option<Vec<Self::Position>> {
        None
    }

    /// All positions with their nodes, if the rules have found them already. They are then not searched for again, and
    /// [`Rules::node`] is called only to explain and to prove values. Such rules have no transient positions.
    #[cfg(feature = "kit")]
    fn explored(&self) -> Option<&Explored> {
        None
    }

    /// The number of ranks, if every position has a unique rank below this number. The table then stores values without
    /// keys.
    fn ranks(&self) -> Option<u64> {
        None
    }

    /// The rank of a canonical position. It may be called with any position that a user writes. An unreachable position
    /// may have any rank. A game with [`Rules::ranks`] must implement it.
    fn rank(&self, _position: &Self::Position) -> u64 {
        // Refused as `Fault::RankMissing`.
        u64::MAX
    }

    /// The canonical position of a rank. It is called only with results of [`Rules::rank`]. A game with
    /// [`Rules::ranks`] must implement it.
    fn unrank(&self, rank: u64) -> Self::Position {
        // The wrong position for all ranks but one, and refused as `Fault::SameRank`.
        self.starts().into_iter().next().unwrap_or_else(|| panic!("no position has the rank {rank}"))
    }
}

/// What to do if a game can return to an earlier position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cycles {
    /// Report the cycle and solve nothing.
    Refuse,
    /// A game that goes on for ever is a draw, which is worth half of [`Rules::sum`]. The game must not have chance.
    Draw,
    /// Compute lower and upper bounds by iteration. A single player gets the best value of all plays that end. A game
    /// of two players is refused if its values depend on what an endless game is worth.
    Iterate {
        /// The largest allowed difference between the two bounds of a value.
        tolerance: f64,
    },
}

/// What a position is. Nodes nest: the outcome of a throw may be a choice, and a move may be followed by a throw. At most
/// 50 nodes may be inside of each other.
pub enum Node<R: Rules> {
    /// The game is over with this value.
    Over(Number),
    /// The game goes on from a position.
    Go(R::Position),
    /// The other player is to move in a position. The value of that position is the other player's.
    Turn(R::Position),
    /// The same position again: nothing has happened.
    Again,
    /// A cost or a score that is added to the value of the inner node.
    Cost(Number, Box<Node<R>>),
    /// A player chooses.
    Choice {
        /// What the player wants.
        goal: Goal,
        /// The player proposes this number of best moves (all moves if there are fewer). One of the proposed moves
        /// happens, each with the same probability. With 1 the player's choice is certain.
        proposed: usize,
        /// The moves to choose from.
        moves: Vec<Step<R>>,
    },
    /// Chance decides.
    Chance(Vec<Outcome<R>>),
}

/// What a player wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// The largest value.
    Max,
    /// The smallest value.
    Min,
}

/// A move of a choice.
pub struct Step<R: Rules> {
    /// Its name.
    pub name: R::Move,
    /// What follows.
    pub then: Node<R>,
}

/// An outcome of chance.
pub struct Outcome<R: Rules> {
    /// Its name in explanations.
    pub name: Option<String>,
    /// Its probability is this weight divided by the sum of all weights.
    pub weight: u64,
    /// What follows.
    pub then: Node<R>,
}

/// Positions and moves by their texts.
impl<R: Rules> fmt::Debug for Node<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Over(value) => f.debug_tuple("Over").field(value).finish(),
            Node::Go(position) => write!(f, "Go({position})"),
            Node::Turn(position) => write!(f, "Turn({position})"),
            Node::Again => f.write_str("Again"),
            Node::Cost(cost, then) => f.debug_tuple("Cost").field(cost).field(then).finish(),
            Node::Choice { goal, proposed, moves } => {
                f.debug_tuple("Choice").field(goal).field(proposed).field(moves).finish()
            }
            Node::Chance(outcomes) => f.debug_tuple("Chance").field(outcomes).finish(),
        }
    }
}

impl<R: Rules> fmt::Debug for Step<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.then)
    }
}

impl<R: Rules> fmt::Debug for Outcome<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "weight {}: {:?}", self.weight, self.then)
    }
}

impl<R: Rules> Node<R> {
    /// The game is over with this value: a whole number, a double, or a [`Number::fraction`].
    pub fn over(value: impl Into<Number>) -> Node<R> {
        Node::Over(value.into())
    }

    /// The game goes on from a position.
    pub fn go(position: R::Position) -> Node<R> {
        Node::Go(position)
    }

    /// The other player is to move. The value here is [`Rules::sum`] minus the other player's value of the position.
    pub fn turn(position: R::Position) -> Node<R> {
        Node::Turn(position)
    }

    /// The same position again, as after a throw that changes nothing. The value is solved in closed form. Waiting can
    /// also be a move, unless the best play may then wait for ever.
    pub fn again() -> Node<R> {
        Node::Again
    }

    /// A choice of the largest value, from moves and the nodes that follow them.
    pub fn max(moves: impl IntoIterator<Item = (R::Move, Node<R>)>) -> Node<R> {
        Node::proposal(Goal::Max, 1, moves)
    }

    /// A choice of the smallest value, from moves and the nodes that follow them.
    pub fn min(moves: impl IntoIterator<Item = (R::Move, Node<R>)>) -> Node<R> {
        Node::proposal(Goal::Min, 1, moves)
    }

    /// The player proposes the best `proposed` moves (all moves if there are fewer), and one of them happens at random.
    pub fn proposal(goal: Goal, proposed: usize, moves: impl IntoIterator<Item = (R::Move, Node<R>)>) -> Node<R> {
        let moves = moves.into_iter().map(|(name, then)| Step { name, then });
        // Most rules filter a list of all moves, so the upper bound is about right.
        let mut steps = Vec::with_capacity(moves.size_hint().1.unwrap_or(0).min(MANY_MOVES));
        steps.extend(moves);
        Node::Choice { goal, proposed, moves: steps }
    }

    /// Chance, with whole-number weights.
    pub fn chance(outcomes: impl IntoIterator<Item = (u64, Node<R>)>) -> Node<R> {
        let outcomes = outcomes.into_iter().map(|(weight, then)| Outcome { name: None, weight, then });
        Node::Chance(outcomes.collect())
    }

    /// Chance, with whole-number weights and with names for explanations.
    pub fn chance_of<N: Display>(outcomes: impl IntoIterator<Item = (N, u64, Node<R>)>) -> Node<R> {
        let named = |(name, weight, then): (N, u64, Node<R>)| Outcome { name: Some(name.to_string()), weight, then };
        Node::Chance(outcomes.into_iter().map(named).collect())
    }

    /// Adds a cost (minutes, throws) to the value of this node.
    #[must_use]
    pub fn costing(self, cost: impl Into<Number>) -> Node<R> {
        Node::Cost(cost.into(), Box::new(self))
    }

    /// Adds points to the value of this node. The same as [`Node::costing`] under another name.
    #[must_use]
    pub fn scoring(self, points: impl Into<Number>) -> Node<R> {
        self.costing(points)
    }
}
