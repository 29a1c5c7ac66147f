//! Coloured Jenga: the generator, from its start to the finished table, against the referee on the same towers. The
//! referee is a plain recursion with a memo.

use std::io;
use std::process::{Command, Stdio};
use std::time::Instant;

use tabletop_gen::jenga::referee::{Referee, starts};

const LEVELS: usize = 6;

fn main() -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    let start = Instant::now();
    let mut generator = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
    generator.args(["jenga", "--jobs", "2", "--out"]).arg(directory.path());
    let status = generator.stdout(Stdio::null()).status()?;
    assert!(status.success(), "{generator:?} failed");
    let fast = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let mut referee = Referee::default();
    let minutes: f64 = (1..=LEVELS).flat_map(starts).map(|tower| referee.minutes(&tower)).sum();
    let plain = start.elapsed().as_secs_f64();
    println!("generator      {fast:>8.2} s on two threads, compression and writing included");
    println!("plain solver   {plain:>8.2} s for {} towers ({minutes:.0} minutes in all)", referee.towers());
    println!("               {:>8.1} times as long", plain / fast);
    Ok(())
}
