//! The value of a formula by the values of the successors.

use super::super::closed::{At, Closed, Piece, fixed_point};
use super::super::number::Arithmetic;
use super::super::walk::Timed;
use super::{Formula, Operation};

impl Formula {
    /// The value of the position. `value` returns the value of a successor. Waiting is solved in closed form. `None` if
    /// some best play waits for ever.
    pub(in super::super) fn value<T: Closed>(
        &self,
        sum: i64,
        value: &impl Fn(u32) -> T,
        stacks: &mut Stacks<T>,
    ) -> Option<T> {
        if self.waits {
            return fixed_point(self.may_wait_for_ever(), |at: At<'_, T>| {
                let value = |successor| match successor {
                    Successor::Position(next) => Piece::constant(value(next)),
                    Successor::Again => Piece::waiting(&at),
                    Successor::Collapsed(_) => unreachable!("only formulas of cycles are collapsed"),
                };
                self.evaluate(sum, &value, &mut stacks.pieces)
            });
        }
        let value = |successor| match successor {
            Successor::Position(next) => value(next),
            Successor::Again | Successor::Collapsed(_) => unreachable!("this formula does not wait"),
        };
        Some(self.evaluate(sum, &value, &mut stacks.values))
    }

    /// The value of the position. `value` also returns the value of the position itself, for waiting.
    pub(in super::super) fn evaluate<T: Arithmetic>(
        &self,
        sum: i64,
        value: &impl Fn(Successor) -> T,
        stack: &mut Vec<T>,
    ) -> T {
        stack.clear();
        let mut kept: Vec<T> = Vec::new();
        for (operations, formula) in self.parts() {
            for operation in operations {
                match *operation {
                    Operation::Keep => kept.extend(stack.last().cloned()),
                    Operation::Put => kept.extend(stack.pop()),
                    Operation::Recall(number) => stack.push(kept[number as usize].clone()),
                    Operation::Passed => {
                        let top = stack.last_mut().expect("passing the turn follows its node");
                        *top = top.seen_from_other(sum);
                    }
                    Operation::Over(number) => stack.push(T::of(number)),
                    Operation::Go(next) => stack.push(value(Successor::Position(next))),
                    Operation::Turn(next) => stack.push(value(Successor::Position(next)).seen_from_other(sum)),
                    Operation::Again => stack.push(value(Successor::Again)),
                    Operation::Collapsed(number) => stack.push(value(Successor::Collapsed(number))),
                    Operation::Cost(cost) => {
                        let top = stack.last_mut().expect("a cost follows its node");
                        *top = top.raised(cost);
                    }
                    Operation::Choice { goal, proposed, moves } => {
                        let from = stack.len() - moves as usize;
                        let chosen = T::choose(&mut stack[from..], proposed, goal);
                        stack.truncate(from);
                        stack.push(chosen);
                    }
                    Operation::Chance { first, outcomes, total } => {
                        let from = stack.len() - outcomes as usize;
                        let weights = &formula.weights[first as usize..][..outcomes as usize];
                        let mut weighted =
                            stack[from..].iter().zip(weights).map(|(value, &weight)| value.times(weight));
                        let start = weighted.next().expect("chance has an outcome");
                        let mean = weighted.fold(start, |sum, value| sum.plus(&value)).divided(total);
                        stack.truncate(from);
                        stack.push(mean);
                    }
                }
            }
        }
        stack.pop().expect("a node has a value")
    }

    /// The value of the position and the number of moves to the end under best play. The loser plays for the longest
    /// game; in a win or a draw the shortest game is preferred. The game is without chance.
    pub(in super::super) fn length<T: Arithmetic>(
        &self,
        sum: i64,
        middle: &T,
        value: &impl Fn(Successor) -> Timed<T>,
        stack: &mut Vec<Timed<T>>,
    ) -> Timed<T> {
        stack.clear();
        let mut kept: Vec<Timed<T>> = Vec::new();
        for (operations, _) in self.parts() {
            for operation in operations {
                match *operation {
                    Operation::Keep => kept.extend(stack.last().cloned()),
                    Operation::Put => kept.extend(stack.pop()),
                    Operation::Recall(number) => stack.push(kept[number as usize].clone()),
                    Operation::Passed => {
                        let top = stack.last_mut().expect("passing the turn follows its node");
                        top.value = top.value.seen_from_other(sum);
                    }
                    Operation::Over(number) => stack.push(Timed { value: T::of(number), moves: 0 }),
                    Operation::Go(next) => stack.push(value(Successor::Position(next))),
                    Operation::Again => stack.push(value(Successor::Again)),
                    Operation::Turn(next) => {
                        let next = value(Successor::Position(next));
                        stack.push(Timed { value: next.value.seen_from_other(sum), ..next });
                    }
                    Operation::Cost(cost) => {
                        let top = stack.last_mut().expect("a cost follows its node");
                        top.value = top.value.plus(&T::of(cost));
                    }
                    Operation::Choice { goal, moves, .. } => {
                        let from = stack.len() - moves as usize;
                        let best = |best, other| if Timed::is_better(other, best, goal, middle) { other } else { best };
                        let mut chosen = stack[from..].iter().reduce(best).expect("a choice has moves").clone();
                        chosen.moves = chosen.moves.saturating_add(1);
                        stack.truncate(from);
                        stack.push(chosen);
                    }
                    // Chance has a single outcome here, and nothing is collapsed.
                    Operation::Chance { .. } | Operation::Collapsed(_) => {}
                }
            }
        }
        stack.pop().expect("a node has a value")
    }
}

/// Stacks for evaluating formulas, reused between calls.
pub(in super::super) struct Stacks<T> {
    values: Vec<T>,
    pieces: Vec<Piece<T>>,
}

impl<T> Stacks<T> {
    pub(in super::super) fn new() -> Stacks<T> {
        Stacks { values: Vec::new(), pieces: Vec::new() }
    }
}

/// The position whose value a formula needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Successor {
    /// A numbered position.
    Position(u32),
    /// The position of the formula itself.
    Again,
    /// A collapsed end component.
    Collapsed(u32),
}
