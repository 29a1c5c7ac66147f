//! The page in a browser. The report needs none, so `serve/tests/browser/run --figures` measures and keeps its last run.

use std::fs;

use super::markdown::{table, time, whole};
use super::{Bench, Section};

/// The figures, with a server and without: kind, bytes, seconds, milliseconds.
const FIGURES: &str = "benches/page.tsv";

pub fn section(bench: &Bench) -> Section {
    let text = fs::read_to_string(bench.repository.join(FIGURES))?;
    let rows: Option<Vec<Vec<String>>> = text.lines().map(row).collect();
    let rows =
        rows.ok_or_else(|| format!("{FIGURES}: not four fields a line, run serve/tests/browser/run --figures"))?;
    let head =
        ["page", "bytes before the first answer, tables aside", "first answer about dice, cold", "click to update"];
    Ok(format!(
        "## Page\nDebian's Chromium on the machine that serves, without compression; medians of seven cold starts and of 21 \
         clicks on moves of hop chess, measured by `serve/tests/browser/run --figures`.\n\n{}",
        table(&head, &rows)
    ))
}

fn row(line: &str) -> Option<Vec<String>> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [kind, bytes, seconds, milliseconds] = fields[..] else { return None };
    let milliseconds: f64 = milliseconds.parse().ok()?;
    Some(vec![kind.to_owned(), whole(bytes.parse().ok()?), time(seconds.parse().ok()?), time(milliseconds / 1000.0)])
}
