//! Measures the kit's speed and memory per position, and compares it with OpenSpiel on tic-tac-toe.
//!
//! `cargo bench -p tabletop-examples --bench kit` measures the kit alone. With a Python that has OpenSpiel, one run
//! measures both:
//! ```text
//! python3 -m venv target/openspiel && target/openspiel/bin/pip install open_spiel==2.0.2 cvxpy
//! cargo bench -p tabletop-examples --bench kit -- --python target/openspiel/bin/python
//! ```
//! `--quick` leaves the large game out.

#[allow(dead_code)]
#[path = "../src/bin/connect-four.rs"]
mod connect_four;
#[allow(dead_code)]
#[path = "../src/bin/tic-tac-toe.rs"]
mod tic_tac_toe;

use std::error::Error;
use std::fs;
use std::process::Command;
use std::time::Instant;

use connect_four::ConnectFour;
use tabletop::kit::{Precision, Solution, solve};
use tic_tac_toe::{Symmetry, TicTacToe};

/// Number of runs of a small game. The fastest counts.
const RUNS: usize = 20;
/// The kit must be at least this many times as fast as OpenSpiel.
const LEAST_RATIO: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let python = arguments.iter().position(|word| word == "--python").and_then(|place| arguments.get(place + 1));

    let rules = TicTacToe { symmetry: Symmetry::Ignored };
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let begin = Instant::now();
        let solution = solve(&rules, Precision::Doubles)?;
        assert_eq!(solution.positions(), 5478);
        least = least.min(begin.elapsed().as_secs_f64());
    }
    println!("tic-tac-toe, 5,478 positions without symmetry: {:.2} ms", least * 1e3);

    if let Some(python) = python {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/openspiel.py");
        let output = Command::new(python).arg(script).output()?;
        if !output.status.success() {
            return Err(format!("OpenSpiel: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let seconds: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
        let ratio = seconds / least;
        println!("OpenSpiel's value_iteration: {:.2} ms, which is {ratio:.0} times as long", seconds * 1e3);
        if ratio < LEAST_RATIO {
            return Err(format!("less than {LEAST_RATIO} times as fast").into());
        }
    }

    if arguments.iter().any(|word| word == "--quick") {
        return Ok(());
    }
    let rules = ConnectFour::new(4, 6).ok_or("the board is too large")?;
    let begin = Instant::now();
    let solution = solve(&rules, Precision::Doubles)?;
    report(&solution, begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let bytes = solution.encode(&rules)?;
    println!("  its table: {} bytes, encoded in {:.1} s", bytes.len(), begin.elapsed().as_secs_f64());
    Ok(())
}

fn report(solution: &Solution, seconds: f64) {
    let (positions, effort) = (solution.positions() as f64, solution.effort);
    println!("connect-four-4x6, {} positions: {seconds:.1} s", solution.positions());
    println!(
        "  {:.0} positions per second: found in {:.1} s, put in order in {:.1} s, solved in {:.1} s",
        positions / seconds,
        effort.exploring.as_secs_f64(),
        effort.ordering.as_secs_f64(),
        effort.solving.as_secs_f64()
    );
    println!("  {:.1} bytes per position in the solver's own structures", effort.memory as f64 / positions);
    if let Some(peak) = peak_memory() {
        println!("  {:.1} bytes per position of the whole program at most", peak / positions);
    }
}

/// The peak memory of this process in bytes, where the system reports it.
fn peak_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? * 1024.0)
}
