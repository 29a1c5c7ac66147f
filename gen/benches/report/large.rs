//! Large games of the kit. They take hours, so `examples/large/run` measures them and keeps the last run of each.

use std::fs;

use super::markdown::{mebibytes, significant, table, time, whole};
use super::{Bench, Section};

/// The figures, a game per line: name, positions, seconds, seconds of CPU time, MiB, bytes of the table, value of the start.
const FIGURES: &str = "benches/large.tsv";

pub fn section(bench: &Bench) -> Section {
    let text = fs::read_to_string(bench.repository.join(FIGURES))?;
    let rows: Option<Vec<Vec<String>>> = text.lines().map(row).collect();
    let rows = rows.ok_or_else(|| format!("{FIGURES}: not seven fields a line, run examples/large/run"))?;
    let head =
        ["game", "positions", "time", "CPU time", "peak", "bytes per position", "table", "bits per position", "start"];
    Ok(format!(
        "## Large games\nGames of `examples/`, measured one by one by `examples/large/run`, on as many threads as the machine \
         runs; from the start of `solve` to the written table.\n\n{}",
        table(&head, &rows)
    ))
}

fn row(line: &str) -> Option<Vec<String>> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, positions, seconds, processor, memory, bytes, start] = fields[..] else { return None };
    let numbers: Option<Vec<f64>> =
        [positions, seconds, processor, memory, bytes].iter().map(|number| number.parse().ok()).collect();
    let [positions, seconds, processor, memory, bytes] = numbers?[..] else { return None };
    Some(vec![
        name.to_owned(),
        whole(positions as u64),
        time(seconds),
        time(processor),
        mebibytes(Some(memory)),
        significant(memory * f64::from(1 << 20) / positions),
        format!("{} MB", significant(bytes / 1e6)),
        significant(8.0 * bytes / positions),
        start.to_owned(),
    ])
}
