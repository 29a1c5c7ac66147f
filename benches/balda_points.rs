//! Balda's points by language and board size, on the starts in `balda_starts.tsv`, through the real binary. Also the
//! time of the longest game, which must stay below the contest's 3 seconds on an idle machine.
//!
//! `cargo bench --bench balda_points -- [SECONDS] [SEEDS] [THREADS]`; the defaults are the program's own 2.75 seconds,
//! one seed and one thread.

use std::collections::BTreeMap;

use tabletop_measure::Program;
use tabletop_measure::balda::{mean, measure, starts};

fn main() {
    // Cargo passes `--bench` to every benchmark.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let argument = |place: usize, default: &str| arguments.get(place).map_or(default, String::as_str).to_owned();
    let (seconds, seeds, threads) = (argument(0, "2.75"), argument(1, "1"), argument(2, "1"));
    let seeds: u64 = seeds.parse().expect("the number of seeds");
    let program = Program {
        binary: env!("CARGO_BIN_EXE_tabletop").into(),
        tables: concat!(env!("CARGO_MANIFEST_DIR"), "/tables").into(),
    };

    let mut found: BTreeMap<(&str, usize), Vec<u64>> = BTreeMap::new();
    let mut longest = 0.0_f64;
    for start in starts() {
        for seed in 1..=seeds {
            let options = ["--time", &seconds, "--seed", &seed.to_string(), "--threads", &threads];
            let game = measure(&program, start, &options);
            longest = longest.max(game.seconds);
            found.entry((start.language, start.side())).or_default().push(game.points);
        }
    }
    for ((language, side), points) in &found {
        println!("{language} {side:>2} x {side:<2}  {:>7.0}  ({} games)", mean(points), points.len());
    }
    let all: Vec<u64> = found.into_values().flatten().collect();
    println!("mean       {:>7.0}  ({} games of {seconds} s, {threads} threads)", mean(&all), all.len());
    println!("longest    {longest:>7.3} s");
}
