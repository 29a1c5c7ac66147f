//! Points of Balda on the starts in `balda_starts.tsv`, through the real binary.

use std::process::Stdio;

use super::Program;

const STARTS: &str = include_str!("../balda_starts.tsv");

/// A start word and its language.
#[derive(Clone, Copy)]
pub struct Start {
    pub language: &'static str,
    pub word: &'static str,
}

impl Start {
    /// Cells of a side of the board.
    pub fn side(&self) -> usize {
        self.word.chars().count()
    }
}

pub fn starts() -> impl Iterator<Item = Start> {
    STARTS.lines().map(|line| {
        let (language, word) = line.split_once('\t').expect("a language and a word");
        Start { language, word }
    })
}

/// The points of one game; without options in the program's own time.
pub fn points(program: &Program, start: Start, options: &[&str]) -> u64 {
    let output = program
        .query("balda")
        .args(["--lang", start.language, "--word", start.word, "--json"])
        .args(options)
        .stdout(Stdio::piped())
        .output()
        .expect("the query binary starts");
    // Without the stored boards it answers too, with fewer points, and says so.
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a JSON object");
    object["points"].as_u64().expect("points")
}

pub fn mean(points: &[u64]) -> f64 {
    points.iter().sum::<u64>() as f64 / points.len() as f64
}
