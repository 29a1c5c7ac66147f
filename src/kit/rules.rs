//! What the author of a game writes: a type for a position, one for a move, and what a position is.

use std::fmt::Display;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::number::Number;

/// A bounded game of one player or two, with or without chance.
///
/// A value is one number. In a game of one player it is what he wants most of ([`Node::max`]) or least of
/// ([`Node::min`]). For two players there are two ways to write it, and a game chooses one of them:
/// - every value is seen from the first player: he maximises, the second one minimises, and a position says whose turn
///   it is;
/// - every value is seen from the player who is to move: he maximises, [`Node::turn`] hands the turn over, and
///   [`Rules::SUM`] is what the values of both add up to. Then a position need not say whose turn it is.
pub trait Rules: Sync + Sized {
    /// The game's name in messages and JSON, and its table's file name: small letters, digits and `-`.
    const NAME: &'static str;
    /// The game in one line, for the help.
    const ABOUT: &'static str = "A game solved into a table";
    /// The rules in words, or the number of their version. Tables that were made with another text are refused, so change
    /// it whenever the values may change.
    const RULES: &'static str = "1";
    /// What the values of both players add up to, where [`Node::turn`] is used: 0 if a win is 1 and a loss is -1, and 1
    /// if values are probabilities of winning.
    const SUM: i64 = 0;
    /// What to do if a game may come back to where it was.
    const CYCLES: Cycles = Cycles::Refuse;

    /// A position. Its text takes one line and reads back to the same position; its encoded bytes are its key.
    type Position: Serialize + DeserializeOwned + Display + FromStr<Err: Display> + Send + Sync;
    /// A move, or how people call it.
    type Move: Display;

    /// Where the game may start. What cannot be reached from there is not solved.
    fn starts(&self) -> Vec<Self::Position>;

    /// What a position is: over, a choice, or chance.
    fn node(&self, position: &Self::Position) -> Node<Self>;

    /// The position that stands for this one and all that are like it by symmetry. It stands for itself. It is also asked
    /// for about any position that somebody writes.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// A number that falls with every move, if there is one: it saves the work of finding the order of the positions.
    fn layer(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// How many ranks there are, if every position has a rank of its own below this number: a table then holds values
    /// without keys.
    fn ranks(&self) -> Option<u64> {
        None
    }

    /// The rank of a canonical position. It is also asked for about any position that somebody writes; one that the game
    /// does not lead to may have any rank.
    fn rank(&self, _position: &Self::Position) -> u64 {
        unreachable!("a game with ranks says what they are")
    }

    /// The canonical position of a rank; it is asked only for the ranks of positions.
    fn unrank(&self, _rank: u64) -> Self::Position {
        unreachable!("a game with ranks says whose they are")
    }
}

/// What to do if a game may come back to where it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cycles {
    /// Say so, and solve nothing.
    Refuse,
    /// Bring bounds from below and from above together until they are at most this far apart.
    Iterate {
        /// The largest difference between the bounds of a value.
        tolerance: f64,
    },
}

/// What a position is. Nodes nest: the outcome of a throw may be a choice, and what follows a move may be a throw.
pub enum Node<R: Rules> {
    /// The game is over with this value.
    Over(Number),
    /// The game goes on from a position.
    Go(R::Position),
    /// The other player is to move in a position, whose value is seen from him.
    Turn(R::Position),
    /// The same position again: nothing has happened.
    Again,
    /// What follows costs or scores something, which is added to its value.
    Cost(Number, Box<Node<R>>),
    /// Somebody chooses.
    Choice {
        /// What he wants.
        goal: Goal,
        /// He proposes so many of his best moves, or all that he has, and one of them happens, each as likely as the
        /// others. Who proposes one move makes it.
        proposed: usize,
        /// What he can choose from.
        moves: Vec<Step<R>>,
    },
    /// Nobody chooses.
    Chance(Vec<Outcome<R>>),
}

/// What a choice is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// How explanations call it, if it has a name.
    pub name: Option<String>,
    /// Its share of all weights is its probability.
    pub weight: u64,
    /// What follows.
    pub then: Node<R>,
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

    /// The other player is to move, and the value of the position is seen from him: what it is worth here is
    /// [`Rules::SUM`] less that.
    pub fn turn(position: R::Position) -> Node<R> {
        Node::Turn(position)
    }

    /// The same position again, as after a throw that does not help. What waiting leads to is worked out in closed form.
    pub fn again() -> Node<R> {
        Node::Again
    }

    /// A choice for the largest value, among moves and what follows them.
    pub fn max(moves: impl IntoIterator<Item = (R::Move, Node<R>)>) -> Node<R> {
        Node::proposal(Goal::Max, 1, moves)
    }

    /// A choice for the smallest value, among moves and what follows them.
    pub fn min(moves: impl IntoIterator<Item = (R::Move, Node<R>)>) -> Node<R> {
        Node::proposal(Goal::Min, 1, moves)
    }

    /// The chooser proposes `proposed` of his best moves, or all that he has, and one of them happens at random.
    pub fn proposal(goal: Goal, proposed: usize, moves: impl IntoIterator<Item = (R::Move, Node<R>)>) -> Node<R> {
        let moves = moves.into_iter().map(|(name, then)| Step { name, then }).collect();
        Node::Choice { goal, proposed, moves }
    }

    /// Chance, among outcomes with whole-number weights.
    pub fn chance(outcomes: impl IntoIterator<Item = (u64, Node<R>)>) -> Node<R> {
        let outcomes = outcomes.into_iter().map(|(weight, then)| Outcome { name: None, weight, then });
        Node::Chance(outcomes.collect())
    }

    /// Chance, among outcomes with names for explanations and whole-number weights.
    pub fn chance_of<N: Display>(outcomes: impl IntoIterator<Item = (N, u64, Node<R>)>) -> Node<R> {
        let named = |(name, weight, then): (N, u64, Node<R>)| Outcome { name: Some(name.to_string()), weight, then };
        Node::Chance(outcomes.into_iter().map(named).collect())
    }

    /// The same, and it costs something (minutes, throws) that is added to the value.
    #[must_use]
    pub fn costing(self, cost: impl Into<Number>) -> Node<R> {
        Node::Cost(cost.into(), Box::new(self))
    }

    /// The same, and it brings points that are added to the value; [`Node::costing`] by the name that a gain has.
    #[must_use]
    pub fn scoring(self, points: impl Into<Number>) -> Node<R> {
        self.costing(points)
    }
}
