//! A solved game inside of a Rust program.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use super::ask::{PositionText, START, guarded};
use super::explain::{Detail, Explanation, explain};
use super::file::{Answers, Held, SolvedPosition, spec};
use super::no_answer::NoAnswer;
use super::rules::{Node, Rules, Step};
use super::speak::{asked, describe, remedy, reply_to, sample, smaller};
use super::value::Value;
use crate::game::{Description, Error, Game, Judging, Kind, PositionLine, Profile, Sample, Verdict, accepts_number};
use crate::input::{InputError, Lines};
use crate::table::{Places, Table, TableBytes, TableError};

/// Rules with their table: a solved game as part of a program.
///
/// ```
/// use std::sync::Arc;
///
/// use tabletop::explain::Explain;
/// use tabletop::game::{Form, Game, answer};
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
/// let lost = solved.iter().filter(|entry| entry.as_ref().is_ok_and(|entry| entry.value.worth.to_f64() < 0.0));
/// assert_eq!(lost.count(), 4);
/// assert_eq!(solved.check()?, 11);
/// // It is a game like those of this library, also for their doors, which know games by texts alone.
/// let advice = solved.advise(&"10".parse()?)?;
/// assert_eq!(advice.moves()[0].next, Some("9".parse()?));
/// assert_eq!(answer(&Arc::new(solved), b"10", Form::Judge)?, b"1\n");
/// # Ok(())
/// # }
/// ```
pub struct Solved<R: Rules + 'static> {
    answers: Answers<'static, R>,
    line: OnceLock<PositionLine>,
    description: OnceLock<Option<Description>>,
}

impl<R: Rules + 'static> Solved<R> {
    /// Opens the table of these rules in the first of the places that has it.
    pub fn open(rules: R, places: &Places) -> Result<Solved<R>, TableError> {
        Ok(Solved::of(Answers::of(Held::Owned(rules), places)?))
    }

    /// The game with the bytes of its table, as [`Solution::encode`](super::Solution::encode) gives them. Errors name the
    /// table by `path`.
    pub fn from_bytes(rules: R, table: Vec<u8>, path: &Path) -> Result<Solved<R>, TableError> {
        let table = Table::open(TableBytes::from(table), spec(&rules), path)?;
        Ok(Solved::of(Answers::of_table(Held::Owned(rules), table)?))
    }

    fn of(answers: Answers<'static, R>) -> Solved<R> {
        Solved { answers, line: OnceLock::new(), description: OnceLock::new() }
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
    /// cannot be reached.
    pub fn moves(&self, position: &R::Position) -> Result<Vec<SolvedMove<R>>, NoAnswer> {
        let explained = explain(self.rules(), &self.answers, position, Detail::Moves)?;
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
    pub fn best(&self, position: &R::Position) -> Result<Option<R::Move>, NoAnswer> {
        Ok(self.moves(position)?.into_iter().next().map(|best| best.step))
    }

    /// All positions with their values, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Result<SolvedPosition<R::Position>, TableError>> {
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
    /// Asks the rules about the position of a text.
    fn ask<T>(&self, text: &str, ask: impl FnOnce() -> Result<T, NoAnswer>) -> Result<T, Error> {
        guarded(text, ask).map_err(|no_answer| match no_answer {
            NoAnswer::Table(error) => Error::Table(error),
            no_answer => Error::Limit {
                reason: no_answer.message(self.rules().name()),
                remedy: remedy(self.rules(), &no_answer),
                setting: None,
            },
        })
    }
}

/// A case is the text of a position. The rules read it when they are asked about it.
impl<R: Rules + Send + 'static> Game for Solved<R> {
    const FORMAT: &'static str = PositionLine::FORMAT;
    type Case = PositionText;
    type Value = Value;
    type Advice = Explanation;

    fn profile(&self) -> Profile<'_> {
        let rules = self.rules();
        let start = || rules.starts().first().map_or_else(String::new, |start| start.to_string());
        self.line.get_or_init(|| PositionLine::new(rules.rules(), &start())).profile(rules.name(), rules.about())
    }

    fn description(&self) -> Option<&Description> {
        self.description.get_or_init(|| serde_json::from_value(describe(&self.answers)).ok()).as_ref()
    }

    fn ready(&self) -> Result<(), TableError> {
        Ok(())
    }

    fn read(lines: &mut Lines<impl Read>) -> Result<PositionText, InputError> {
        PositionText::read(lines)
    }

    fn write(cases: &[PositionText]) -> String {
        cases.iter().map(|case| format!("{case}\n")).collect()
    }

    fn value(&self, case: &PositionText) -> Result<Value, Error> {
        let explanation = self.ask(&case.0, || asked(&self.answers, &case.0, Detail::Value))?;
        Ok(explanation.root.value.whole)
    }

    fn advise(&self, case: &PositionText) -> Result<Explanation, Error> {
        self.ask(&case.0, || asked(&self.answers, &case.0, Detail::Moves))
    }

    fn write_answer(&self, value: &Value, out: &mut Vec<u8>) {
        let number = value.worth.to_f64().to_string();
        out.extend_from_slice(value.worth.fraction().unwrap_or(number).as_bytes());
    }

    fn accepts(value: &Value, answer: &str, judging: &Judging) -> Verdict {
        accepts_number(value.worth.to_f64(), value.worth.fraction().as_deref(), answer, judging.tolerance)
    }
}

impl<R: Rules + Send + 'static> Sample for Solved<R> {
    fn sample(&self, kind: Kind, seed: u64) -> Result<PositionText, Error> {
        let position = self.ask(START, || sample(self.rules(), kind.name(), seed))?;
        Ok(PositionText(position.to_string()))
    }

    fn smaller(&self, case: &PositionText) -> Vec<PositionText> {
        // Without smaller positions a test still has its result.
        let smaller = self.ask(&case.0, || smaller(self.rules(), &case.0)).unwrap_or_default();
        smaller.into_iter().map(PositionText).collect()
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
    use std::sync::Arc;

    use super::*;
    use crate::explain::Explain;
    use crate::game::{Form, Sizes, TestGame, answer};

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
        let entries: Vec<SolvedPosition<u8>> = solved.iter().collect::<Result<_, _>>().unwrap();
        assert_eq!(entries.len(), 11);
        for SolvedPosition { position: left, value } in entries {
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
    fn every_door_takes_a_solved_game() {
        let game = Arc::new(solved());
        let profile = Game::profile(&*game);
        assert_eq!((profile.name, profile.sample), ("ten-to-zero", "10\n"));
        assert!(profile.help.ends_with("A position such as 10"), "{}", profile.help);
        assert_eq!(Game::description(&*game).unwrap().starts, ["10"]);

        let advice = game.advise(&"9".parse().unwrap()).unwrap();
        let moves: Vec<_> = advice.moves().into_iter().map(|step| (step.name, step.value.worth.to_f64())).collect();
        assert_eq!(moves, [(String::from("1"), -1.0), (String::from("2"), -1.0)]);
        assert_eq!(answer(&game, b"start\n", Form::Judge).unwrap(), b"1\n");
        assert!(
            answer(&game, b"8", Form::Json)
                .unwrap()
                .starts_with(br#"{"game":"ten-to-zero","position":"8","value":1.0,"#)
        );

        let refused = |input: &[u8]| answer(&game, input, Form::Judge).unwrap_err().to_string();
        assert_eq!(refused(b"11"), "'11' is not reached from the start, write a position such as '10'");
        let expected =
            "'x' is not a position: invalid digit found in string; for example '10', write a position such as '10'";
        assert_eq!(refused(b"x"), expected);
        assert_eq!(refused(b" \n"), "line 1: the input is empty, write a position on a line");
    }

    #[test]
    fn a_solved_game_tests_programs() {
        let game = Arc::new(solved());
        let input = TestGame::sample(Arc::clone(&game), Kind::Worst, &Sizes::default(), 7).unwrap();
        assert_eq!(input.text(), b"8\n");
        let smaller = input.smaller(None).into_iter().map(|input| String::from_utf8(input.text()).unwrap());
        assert_eq!(smaller.collect::<Vec<_>>(), ["8\n", "6\n", "7\n"]);
        let judging = Judging { tolerance: 0.01, ..Judging::default() };
        let fault = |output: &str| input.judge(output.as_bytes(), &judging).unwrap().fault.map(|fault| fault.reason);
        for right in ["1", "1.0", "0.995", "2/2\n"] {
            assert_eq!(fault(right), None, "{right}");
        }
        assert_eq!(fault("0.98").unwrap(), "expected 1, found 0.98");
        assert_eq!(fault("won").unwrap(), "expected 1, found won: a number or a fraction is expected");
        assert_eq!(fault("1 1").unwrap(), "the output goes on after the last answer: 1");
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
