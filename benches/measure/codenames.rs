//! Boards of Codenames, the solver, and a plain memo recursion to compare it with.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use tabletop::codenames::sample::Shape;
use tabletop::codenames::{Board, Identity, Run, Solver, Team};

const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();
/// The largest board of the judge. Hints name half the cards, and there are no assassins: a miss costs little, so few
/// hints can be ruled out.
pub const JUDGE_WORST: Shape = Shape { red: 8, blue: 7, innocent: 0, assassins: 0, hints: 50, words: 7..=8 };
/// As many cards and hints as the judge allows, with hints of an ordinary length.
pub const JUDGE_TYPICAL: Shape = Shape { red: 5, blue: 5, innocent: 4, assassins: 1, hints: 50, words: 1..=5 };
/// Twenty cards, hints of up to 6 words.
pub const TWENTY: Shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 50, words: 1..=6 };
/// Twenty cards, hints of half of them.
pub const TWENTY_DENSE: Shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 50, words: 10..=10 };
/// The board of the real game, 30 hints.
pub const REAL_30: Shape = Shape { red: 9, blue: 8, innocent: 7, assassins: 1, hints: 30, words: 4..=4 };
/// The board of the real game, 50 longer hints.
pub const REAL_50: Shape = Shape { red: 9, blue: 8, innocent: 7, assassins: 1, hints: 50, words: 6..=6 };
/// A team with nearly all cards, no assassin, and long hints: few hints can be ruled out.
pub const LOPSIDED: Shape = Shape { red: 1, blue: 16, innocent: 1, assassins: 0, hints: 100, words: 9..=15 };

/// The probability that the team to move wins. A large board is solved on two threads.
pub fn win(board: &Board) -> f64 {
    let solver = Solver::new(board.clone()).expect("a board of 25 cards fits");
    let run = Run { threads: THREADS, patience: Duration::MAX, ..Run::default() };
    solver.solve(run).expect("nothing cancels the run").win().to_f64()
}

/// A plain recursion with a memo for everything that a guess depends on.
pub struct Recursion<'a> {
    board: &'a Board,
    hints: Vec<u32>,
    agents: [u32; 2],
    wins: HashMap<(u32, Team), f64>,
    guesses: HashMap<(u32, Team, u8, u8), f64>,
}

impl<'a> Recursion<'a> {
    /// A recursion with an empty memo.
    pub fn new(board: &'a Board) -> Recursion<'a> {
        let agents = Team::BOTH.map(|team| {
            let own = board.cards().iter().enumerate().filter(|(_, card)| card.identity() == Identity::Agent(team));
            own.map(|(card, _)| 1 << card).sum()
        });
        let hints = board.hints().iter().map(|hint| hint.iter().map(|card| 1 << card).sum()).collect();
        Recursion { board, hints, agents, wins: HashMap::new(), guesses: HashMap::new() }
    }

    /// The probability that `team`, which is to move, wins when these cards are revealed.
    pub fn win(&mut self, revealed: u32, team: Team) -> f64 {
        if let Some(&known) = self.wins.get(&(revealed, team)) {
            return known;
        }
        let mut best = 0.0_f64;
        for hint in 0..self.hints.len() {
            for number in 1..=(self.hints[hint] & !revealed).count_ones() as u8 {
                best = best.max(self.guess(revealed, team, hint as u8, number));
            }
        }
        self.wins.insert((revealed, team), best);
        best
    }

    fn guess(&mut self, revealed: u32, team: Team, hint: u8, number: u8) -> f64 {
        if let Some(&known) = self.guesses.get(&(revealed, team, hint, number)) {
            return known;
        }
        let words = self.hints[usize::from(hint)] & !revealed;
        let mut sum = 0.0;
        for card in (0..32).filter(|card| words >> card & 1 == 1) {
            let after = revealed | 1 << card;
            sum += match self.board.cards()[card as usize].identity() {
                Identity::Assassin => 0.0,
                Identity::Agent(owner) if self.agents[owner as usize] & !after == 0 => {
                    f64::from(u8::from(owner == team))
                }
                Identity::Agent(owner) if owner == team && number > 1 => self.guess(after, team, hint, number - 1),
                _ => 1.0 - self.win(after, team.other()),
            };
        }
        let value = sum / f64::from(words.count_ones());
        self.guesses.insert((revealed, team, hint, number), value);
        value
    }
}
