//! Cold start: the run time of a whole query process against that of `true`, interleaved in one run.
//!
//! The machine may be shared, so the figure to compare is the ratio of the medians.

use std::fs;
use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 1000;
/// Queries by name, the first word of which is the game, with their input.
const QUERIES: &[(&str, &str)] = &[
    ("dice", "1\n1 2 3 1 1\n1 2 3 4 5\n"),
    ("jenga", "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n"),
    // The first block of a level is the furthest from the table: two moves.
    ("jenga in mid-game", "7\nRGB\nGRB\nBBG\nGGR\nBRR\nRB.\nB..\n"),
    ("hopchess", "1 13\nJDJDDJJDJDDJD\n13 13\n"),
    ("codenames", "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n"),
];

fn main() -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    let mut commands = vec![("true", Command::new("true"))];
    for &(name, input) in QUERIES {
        let game = name.split(' ').next().unwrap_or(name);
        let file = directory.path().join(name);
        fs::write(&file, input)?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
        command.arg(game).arg(file).args(["--tables", concat!(env!("CARGO_MANIFEST_DIR"), "/tables")]);
        commands.push((name, command));
    }
    let mut times = vec![Vec::new(); commands.len()];
    for _ in 0..ROUNDS {
        for ((_, command), times) in commands.iter_mut().zip(&mut times) {
            times.push(run(command)?);
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    for ((name, _), median) in commands.iter().zip(&medians) {
        println!("{name:<18} {:>8.1} µs   {:.2} times `true`", median * 1e6, median / medians[0]);
    }
    Ok(())
}

fn run(command: &mut Command) -> io::Result<Duration> {
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    assert!(status.success(), "{command:?} failed");
    Ok(start.elapsed())
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}
