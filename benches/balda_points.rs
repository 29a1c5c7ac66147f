//! Points of Balda by language and size, on the starts in `balda_starts.tsv`, through the real binary.
//!
//! `cargo bench --bench balda_points -- [SECONDS] [SEEDS] [THREADS]`; without arguments 3 seconds per game as the contest
//! gives, one seed, one thread.

use std::collections::BTreeMap;
use std::process::Command;

const STARTS: &str = include_str!("balda_starts.tsv");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

fn main() {
    // Cargo passes `--bench` to every benchmark.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let argument = |place: usize, default: &str| arguments.get(place).map_or(default, String::as_str).to_owned();
    let (seconds, seeds, threads) = (argument(0, "2.75"), argument(1, "1"), argument(2, "1"));
    let seeds: u64 = seeds.parse().expect("the number of seeds");

    let mut points: BTreeMap<(String, usize), Vec<u64>> = BTreeMap::new();
    for line in STARTS.lines() {
        let (language, word) = line.split_once('\t').expect("a language and a word");
        for seed in 1..=seeds {
            let found = play(language, word, &seconds, seed, &threads);
            points.entry((language.to_owned(), word.chars().count())).or_default().push(found);
        }
    }
    for ((language, side), points) in &points {
        println!("{language} {side:>2} x {side:<2}  {:>7.0}  ({} games)", mean(points), points.len());
    }
    let all: Vec<u64> = points.into_values().flatten().collect();
    println!("mean       {:>7.0}  ({} games of {seconds} s, {threads} threads)", mean(&all), all.len());
}

fn play(language: &str, word: &str, seconds: &str, seed: u64, threads: &str) -> u64 {
    let output = Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["balda", "--lang", language, "--word", word, "--json", "--tables", TABLES])
        .args(["--time", seconds, "--seed", &seed.to_string(), "--threads", threads])
        .output()
        .expect("the query binary starts");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a JSON object");
    object["points"].as_u64().expect("points")
}

fn mean(points: &[u64]) -> f64 {
    points.iter().sum::<u64>() as f64 / points.len() as f64
}
