//! Balda's points on the starts in `balda_starts.tsv`, through the real binary.

use std::process::Stdio;
use std::time::Instant;

use crate::Program;

const STARTS: &str = include_str!("../../gen/words/balda_starts.tsv");

/// A start word and its language.
#[derive(Clone, Copy)]
pub struct Start {
    /// The language as `--lang` takes it.
    pub language: &'static str,
    /// The word in the middle row.
    pub word: &'static str,
}

impl Start {
    /// Number of cells along a side of the board.
    pub fn side(&self) -> usize {
        self.word.chars().count()
    }
}

/// Every start of the list.
pub fn starts() -> impl Iterator<Item = Start> {
    STARTS.lines().map(|line| {
        let (language, word) = line.split_once('\t').expect("a language and a word");
        Start { language, word }
    })
}

/// The measurements of one game.
pub struct Measured {
    /// Its points.
    pub points: u64,
    /// Wall-clock seconds from the start of the program to its end.
    pub seconds: f64,
}

/// The points of one game. Without options it takes the program's default time.
pub fn points(program: &Program, start: Start, options: &[&str]) -> u64 {
    measure(program, start, options).points
}

/// Measures one game.
pub fn measure(program: &Program, start: Start, options: &[&str]) -> Measured {
    let began = Instant::now();
    let output = program
        .query("balda")
        .args(["--lang", start.language, "--word", start.word, "--json"])
        .args(options)
        .stdout(Stdio::piped())
        .output()
        .expect("the query binary starts");
    let seconds = began.elapsed().as_secs_f64();
    // Without the stored boards the program still answers, with fewer points, and warns on standard error.
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a JSON object");
    Measured { points: object["points"].as_u64().expect("points"), seconds }
}

/// The mean of the points.
pub fn mean(points: &[u64]) -> f64 {
    points.iter().sum::<u64>() as f64 / points.len() as f64
}
