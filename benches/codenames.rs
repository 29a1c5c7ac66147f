//! Codenames: the judge's worst case against a plain memo recursion, and boards of up to 25 cards.
//!
//! The machine may be shared, so small boards are measured in processor time, as the best of a few rounds. Large boards
//! run on two threads and are measured in processor time and in wall-clock time. Memory is the peak of the process so
//! far, so the recursion, which needs the most, comes last.

use std::fs;
use std::time::Instant;

use tabletop::codenames::Solver;
use tabletop::codenames::sample::Shape;
use tabletop::seeded::Seeded;
use tabletop_measure::codenames::{
    JUDGE_TYPICAL, JUDGE_WORST, LOPSIDED, REAL_30, REAL_50, Recursion, TWENTY, TWENTY_DENSE, win,
};
use tabletop_measure::peak_kibibytes;

const ROUNDS: usize = 10;

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
    large("18 cards, 100 hints of 9 to 15 words", LOPSIDED);
    against_the_recursion();
}

fn solver_seconds(shape: Shape, seed: u64) -> f64 {
    let board = shape.board(&mut Seeded(seed)).expect("the shape is possible");
    let rounds = (0..ROUNDS).map(|_| processor_seconds(|| win(&board)).1);
    rounds.fold(f64::INFINITY, f64::min)
}

fn large(name: &str, shape: Shape) {
    let board = shape.board(&mut Seeded(1)).expect("the shape is possible");
    let estimate = Solver::new(board.clone()).expect("the board fits in memory").effort().seconds;
    let (start, processor_start) = (Instant::now(), process_seconds());
    let win = win(&board);
    let (seconds, processor) = (start.elapsed().as_secs_f64(), process_seconds() - processor_start);
    let peak = peak_mebibytes();
    println!(
        "{name:<38} {seconds:>8.2} s, {processor:.2} s of processor time ({estimate:.2} s estimated), {win:.12}, peak {peak} MiB"
    );
}

fn against_the_recursion() {
    let board = JUDGE_WORST.board(&mut Seeded(1)).expect("the shape is possible");
    let (expected, plain) = processor_seconds(|| Recursion::new(&board).win(0, board.to_move()));
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
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux reports the time of a thread");
    let nanoseconds = statistics.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("the first number is the time on a processor") / 1e9
}

/// The processor time of all threads, in ticks of 10 ms.
fn process_seconds() -> f64 {
    let statistics = fs::read_to_string("/proc/self/stat").expect("Linux reports the time of a process");
    let after_name = statistics.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn peak_mebibytes() -> u64 {
    peak_kibibytes(std::process::id()).expect("Linux reports the memory of a process") >> 10
}
