//! Codenames: the judge's worst case against a plain memo recursion, and boards of up to 25 cards.
//!
//! The machine may be shared, so small boards are measured in processor time, the best of a few rounds, and large ones,
//! on two threads, in both. Memory is the peak of the process so far, which is why the recursion comes last.

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;
use std::time::Instant;

use support::Seeded;
use support::codenames::Shape;
use tabletop::codenames::{Board, Identity, LiveBoard, Run, Solution, Team};

const ROUNDS: usize = 10;
const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();
/// Hints of half the board; without assassins misses cost least, which rules the fewest hints out.
const JUDGE_WORST: Shape = Shape { red: 8, blue: 7, innocent: 0, assassins: 0, hints: 50, words: [7, 8] };
const JUDGE_TYPICAL: Shape = Shape { red: 5, blue: 5, innocent: 4, assassins: 1, hints: 50, words: [1, 5] };
const TWENTY: Shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 50, words: [1, 6] };
const TWENTY_DENSE: Shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 50, words: [10, 10] };
const REAL_30: Shape = Shape { red: 9, blue: 8, innocent: 7, assassins: 1, hints: 30, words: [4, 4] };
const REAL_50: Shape = Shape { red: 9, blue: 8, innocent: 7, assassins: 1, hints: 50, words: [6, 6] };

fn main() {
    for seed in 1..=3 {
        let seconds = solver_seconds(JUDGE_WORST, seed);
        println!("15 cards, 50 hints of 7 or 8 words     {:>8.1} ms of processor time", 1e3 * seconds);
    }
    let seconds = solver_seconds(JUDGE_TYPICAL, 1);
    println!("15 cards, 50 hints of up to 5 words    {:>8.1} ms of processor time", 1e3 * seconds);
    println!("peak so far                            {:>8} MiB", peak_mebibytes());
    large("20 cards, 50 hints of up to 6 words", TWENTY);
    large("20 cards, 50 hints of 10 words", TWENTY_DENSE);
    large("25 cards, 30 hints of 4 words", REAL_30);
    large("25 cards, 50 hints of 6 words", REAL_50);
    against_the_recursion();
}

fn win(board: &Board) -> f64 {
    let live = LiveBoard::new(board).expect("a board of 25 cards fits");
    Solution::new(&live, Run { threads: THREADS, ..Run::default() }).value(live.root(), board.to_move)
}

fn solver_seconds(shape: Shape, seed: u64) -> f64 {
    let board = shape.board(&mut Seeded(seed));
    let rounds = (0..ROUNDS).map(|_| processor_seconds(|| win(&board)).1);
    rounds.fold(f64::INFINITY, f64::min)
}

fn large(name: &str, shape: Shape) {
    let board = shape.board(&mut Seeded(1));
    let (start, processor_start) = (Instant::now(), process_seconds());
    let win = win(&board);
    let (seconds, processor) = (start.elapsed().as_secs_f64(), process_seconds() - processor_start);
    let peak = peak_mebibytes();
    println!("{name:<38} {seconds:>8.2} s, {processor:.2} s of processor time, {win:.12}, peak {peak} MiB");
}

fn against_the_recursion() {
    let board = JUDGE_WORST.board(&mut Seeded(1));
    let (expected, plain) = processor_seconds(|| Recursion::new(&board).win(0, board.to_move));
    let (found, fast) = processor_seconds(|| win(&board));
    assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    println!("memo recursion over set, team, hint, K {:>8.1} ms of processor time", 1e3 * plain);
    println!("the solver on the same board           {:>8.1} ms, {:.0} times as fast", 1e3 * fast, plain / fast);
}

/// The result of some work, and the processor time that this thread took for it.
fn processor_seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = thread_seconds();
    let result = work();
    (result, thread_seconds() - start)
}

fn thread_seconds() -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the time of a thread");
    let nanoseconds = statistics.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("the first number is the time on a processor") / 1e9
}

/// The processor time of all threads, in ticks of 10 ms.
fn process_seconds() -> f64 {
    let statistics = fs::read_to_string("/proc/self/stat").expect("Linux tells the time of a process");
    let after_name = statistics.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn peak_mebibytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells the memory of a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    let kibibytes: u64 = peak.expect("the peak is among it");
    kibibytes >> 10
}

/// The plain way: a memo over everything that a guess depends on.
struct Recursion<'a> {
    board: &'a Board,
    hints: Vec<u32>,
    agents: [u32; 2],
    wins: HashMap<(u32, Team), f64>,
    guesses: HashMap<(u32, Team, u8, u8), f64>,
}

impl<'a> Recursion<'a> {
    fn new(board: &'a Board) -> Recursion<'a> {
        let agents = Team::BOTH.map(|team| {
            let own = board.cards.iter().enumerate().filter(|(_, card)| card.identity == Identity::Agent(team));
            own.map(|(card, _)| 1 << card).sum()
        });
        let hints = board.hints.iter().map(|hint| hint.iter().map(|card| 1 << card).sum()).collect();
        Recursion { board, hints, agents, wins: HashMap::new(), guesses: HashMap::new() }
    }

    fn win(&mut self, revealed: u32, team: Team) -> f64 {
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
            sum += match self.board.cards[card as usize].identity {
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
