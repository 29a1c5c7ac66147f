//! A solved game inside of a Rust program.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::explain::{Detail, explain};
use super::file::{Answers, Held, spec};
use super::no_answer::NoAnswer;
use super::rules::{Node, Rules, Step};
use super::speak::reply_to;
use super::value::Value;
use crate::game::{Error, ProgramGame};
use crate::table::{Places, Table, TableBytes, TableError};

/// Rules with their table: a solved game as part of a program.
///
/// ```
/// use tabletop::game::{Form, answer};
/// use tabletop::kit::{Node, Precision, Rules, Solved, solve};
/// use tabletop::table::Places;
///
/// /// Two players take turns to subtract one or two. The player who reaches zero wins.
/// struct TenToZero;
///
/// impl Rules for TenToZero {
///     type Position = u8;
///     type Move = u8;
///
///     fn name(&self) -> &str {
///         "ten-to-zero"
///     }
///
///     fn starts(&self) -> Vec<u8> {
///         vec![10]
///     }
///
///     fn node(&self, left: &u8) -> Node<Self> {
///         if *left == 0 {
///             return Node::over(-1);
///         }
///         Node::max((1..=2.min(*left)).map(|step| (step, Node::turn(left - step))))
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let directory = tempfile::tempdir()?;
/// let table = solve(&TenToZero, Precision::Doubles)?.encode(&TenToZero)?;
/// std::fs::write(directory.path().join("ten-to-zero.tbl"), table)?;
///
/// let solved = Solved::open(TenToZero, &Places::only(directory.path()))?;
/// assert_eq!(solved.value(&10)?.unwrap().to_string(), "1 in 7 moves");
/// assert_eq!(solved.best(&10)?, Some(1));
/// assert_eq!(solved.iter().filter(|entry| entry.as_ref().is_ok_and(|(_, value)| value.worth.to_f64() < 0.0)).count(), 4);
/// assert_eq!(solved.check()?, 11);
/// // The same game as texts, like the games of this library.
/// let game = solved.into_game()?;
/// assert_eq!(answer(&game, b"10", Form::Judge)?, b"1\n");
/// # Ok(())
/// # }
/// ```
pub struct Solved<R: Rules + 'static> {
    answers: Answers<'static, R>,
}

impl<R: Rules + 'static> Solved<R> {
    /// Opens the table of these rules in the first of the places that has it.
    pub fn open(rules: R, places: &Places) -> Result<Solved<R>, TableError> {
        Ok(Solved { answers: Answers::of(Held::Owned(rules), places)? })
    }

    /// The game with the bytes of its table, as [`Solution::encode`](super::Solution::encode) gives them. Errors name the
    /// table by `path`.
    pub fn from_bytes(rules: R, table: Vec<u8>, path: &Path) -> Result<Solved<R>, TableError> {
        let table = Table::open(TableBytes::from(table), spec(&rules), path)?;
        Ok(Solved { answers: Answers::of_table(Held::Owned(rules), table)? })
    }

    /// The reply to a request of the protocol in `docs/game-programs.md`, both as JSON.
    pub fn reply(&self, request: &str) -> String {
        reply_to(&self.answers, serde_json::from_str(request), request).to_string()
    }

    /// The open table.
    #[cfg(feature = "kit")]
    pub(super) fn answers(&self) -> &Answers<'static, R> {
        &self.answers
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        self.answers.rules()
    }

    /// The value of a position, or `None` if it cannot be reached.
    pub fn value(&self, position: &R::Position) -> Result<Option<Value>, TableError> {
        self.answers.value(position)
    }

    /// The moves of a position, best first. There are none if the game is over, if chance decides, or if the position
    /// cannot be reached. The error is a message.
    pub fn moves(&self, position: &R::Position) -> Result<Vec<SolvedMove<R>>, String> {
        let message = |no_answer: NoAnswer| no_answer.message(self.rules().name());
        let explained = explain(self.rules(), &self.answers, position, Detail::Moves).map_err(message)?;
        let Some(listed) = explained.and_then(|explained| explained.root.moves) else { return Ok(Vec::new()) };
        let Node::Choice { moves, .. } = self.rules().node(position) else { return Ok(Vec::new()) };
        let mut steps: Vec<Option<Step<R>>> = moves.into_iter().map(Some).collect();
        let solved = listed.into_iter().filter_map(|explained| {
            let step = steps.get_mut(explained.place)?.take()?;
            let next = match step.then {
                Node::Go(next) | Node::Turn(next) => Some(next),
                _ => None,
            };
            Some(SolvedMove { step: step.name, value: explained.then.value.value, next })
        });
        Ok(solved.collect())
    }

    /// The best move of a position, if it has moves.
    pub fn best(&self, position: &R::Position) -> Result<Option<R::Move>, String> {
        Ok(self.moves(position)?.into_iter().next().map(|best| best.step))
    }

    /// All positions with their values, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Result<(R::Position, Value), TableError>> {
        self.answers.entries()
    }
}

/// A move of a solved game.
#[non_exhaustive]
pub struct SolvedMove<R: Rules> {
    /// The move.
    pub step: R::Move,
    /// The value of the position if the move is made, for the player who makes it.
    pub value: f64,
    /// The next position, if the move alone decides it.
    pub next: Option<R::Position>,
}

impl<R: Rules> fmt::Debug for SolvedMove<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.next.as_ref().map(ToString::to_string);
        f.debug_struct("SolvedMove")
            .field("step", &self.step.to_string())
            .field("value", &self.value)
            .field("next", &next)
            .finish()
    }
}

impl<R: Rules + Send + 'static> Solved<R> {
    /// The game as a value that every door takes: it answers texts, draws and judges inputs. It fails if the name or
    /// the starts of the rules cannot be used.
    pub fn into_game(self) -> Result<Arc<ProgramGame>, Error> {
        let name = self.rules().name().to_owned();
        ProgramGame::of(name, Box::new(self.answers)).map(Arc::new)
    }
}

impl<R: Rules + 'static> fmt::Debug for Solved<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved").field("table", &self.answers.path()).finish_non_exhaustive()
    }
}

/// This also runs without the solver, see `.ci/run`.
#[cfg(test)]
mod tests {
    use super::*;

    /// The table of [`TenToZero`], as the solver wrote it.
    const TABLE: &[u8] = include_bytes!("ten-to-zero.tbl");

    /// Two players take turns to subtract one or two. The player who reaches zero wins.
    struct TenToZero;

    impl Rules for TenToZero {
        type Position = u8;
        type Move = u8;

        fn name(&self) -> &str {
            "ten-to-zero"
        }

        fn starts(&self) -> Vec<u8> {
            vec![10]
        }

        fn node(&self, left: &u8) -> Node<TenToZero> {
            if *left == 0 {
                return Node::over(-1);
            }
            Node::max((1..=2.min(*left)).map(|step| (step, Node::turn(left - step))))
        }
    }

    fn solved() -> Solved<TenToZero> {
        Solved::from_bytes(TenToZero, TABLE.to_vec(), Path::new("ten-to-zero.tbl")).unwrap()
    }

    #[test]
    fn a_table_is_enough_to_answer() {
        let solved = solved();
        let entries: Vec<(u8, Value)> = solved.iter().collect::<Result<_, _>>().unwrap();
        assert_eq!(entries.len(), 11);
        for (left, value) in entries {
            assert_eq!(value.worth.to_f64(), if left % 3 == 0 { -1.0 } else { 1.0 });
            assert_eq!(solved.value(&left).unwrap(), Some(value));
            assert_eq!(
                solved.best(&left).unwrap(),
                (1..=2.min(left)).find(|step| (left - step) % 3 == 0).or((left > 0).then_some(1))
            );
        }
        assert_eq!(solved.value(&11).unwrap(), None);
        let reply = solved.reply(r#"{"ask":"explain","position":"10"}"#);
        assert!(reply.contains(r#""move":"1","moves_to_end":6,"next":"9""#), "{reply}");
        let about = solved.reply(r#"{"ask":"describe"}"#);
        assert!(about.contains(r#""starts":["10"]"#), "{about}");
    }

    #[test]
    #[cfg(feature = "kit")]
    fn the_solver_finds_the_same_values() {
        let solution = crate::kit::solve(&TenToZero, crate::kit::Precision::Doubles).unwrap();
        let written = solution.encode(&TenToZero).unwrap();
        let written = Solved::from_bytes(TenToZero, written, Path::new("memory")).unwrap();
        assert!(written.iter().map(Result::unwrap).eq(solved().iter().map(Result::unwrap)));
    }
}
