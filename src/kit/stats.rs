//! Statistics of a solved game: positions by layer, the distribution of values, the longest game, examples.

use std::fmt::Write as _;

use super::explore::{Watch, explore};
use super::failure::Failure;
use super::file::Answers;
use super::order::lengths;
use super::rules::Rules;
use super::value::Value;

/// Maximum number of rows of a plot.
const ROWS: usize = 20;
/// Length of the longest bar in characters.
const BAR: usize = 40;

/// The statistics as text.
pub(super) fn stats<R: Rules>(rules: &R, answers: &Answers<'_, R>, watch: &Watch<'_>) -> Result<String, Failure> {
    let graph = explore(rules, watch)?;
    let values = answers.values_of(&graph)?;
    let mut text = String::new();
    let bits = answers.file_bytes() as f64 * 8.0 / graph.len() as f64;
    line(
        &mut text,
        format_args!(
            "{}: {} position{}, {} moves and outcomes between them",
            R::NAME,
            graph.len(),
            plural(graph.len()),
            graph.edges.len()
        ),
    );
    line(&mut text, format_args!("table: {} bytes, {bits:.2} bits per position", answers.file_bytes()));

    let heights = lengths(&graph);
    match &heights {
        Some(heights) => {
            let longest = heights.iter().max().copied().unwrap_or(0);
            line(
                &mut text,
                format_args!("longest game: {longest} position{} after the first", plural(longest as usize)),
            );
        }
        None => line(&mut text, format_args!("longest game: endless")),
    }
    let (title, layers): (&str, Vec<u32>) = if !graph.layers.is_empty() {
        ("positions by layer:", graph.layers.clone())
    } else if let Some(heights) = heights {
        ("positions by how many can follow at most:", heights)
    } else {
        let depth_of = |number: u32| graph.depths.partition_point(|&first| first <= number) as u32 - 1;
        ("positions by the fewest before them:", (0..graph.len() as u32).map(depth_of).collect())
    };
    line(&mut text, format_args!("\n{title}"));
    plot(&mut text, layers.iter().map(|&layer| f64::from(layer)).collect());
    line(&mut text, format_args!("\nvalues:"));
    plot(&mut text, values.iter().map(|value| value.worth.to_f64()).collect());

    line(&mut text, format_args!("\nexamples:"));
    let of = |number: usize| (number, &values[number]);
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_by(|&one, &other| values[one].worth.to_f64().total_cmp(&values[other].worth.to_f64()));
    let longest = (0..values.len()).max_by_key(|&number| (values[number].moves, std::cmp::Reverse(number)));
    let mut examples: Vec<(&str, (usize, &Value))> = vec![
        ("start", of(0)),
        ("least", of(sorted[0])),
        ("median", of(sorted[sorted.len() / 2])),
        ("greatest", of(sorted[sorted.len() - 1])),
    ];
    if let Some(longest) = longest.filter(|&number| values[number].moves.is_some()) {
        examples.push(("longest", of(longest)));
    }
    for (name, (number, value)) in examples {
        line(&mut text, format_args!("  {name:<8}  {}  {value}", graph.text::<R>(number as u32)));
    }
    Ok(text)
}

/// The ending of a noun after a count.
fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}

/// Appends a bar for each distinct number, or for each of `ROWS` equal intervals if there are more.
fn plot(text: &mut String, mut numbers: Vec<f64>) {
    numbers.sort_by(f64::total_cmp);
    let mut distinct = numbers.clone();
    distinct.dedup();
    let rows: Vec<(String, usize)> = if distinct.len() <= ROWS {
        let count = |number: f64| numbers.iter().filter(|&&other| other == number).count();
        distinct.iter().map(|&number| (number.to_string(), count(number))).collect()
    } else {
        let (least, greatest) = (numbers[0], numbers[numbers.len() - 1]);
        let mut edges: Vec<f64> =
            (0..=ROWS).map(|edge| least + (greatest - least) * edge as f64 / ROWS as f64).collect();
        if numbers.iter().all(|number| number.fract() == 0.0) {
            edges.iter_mut().for_each(|edge| *edge = edge.ceil());
        }
        let below = |edge: f64| numbers.partition_point(|&number| number < edge);
        let last = edges.len() - 2;
        let interval = |(row, ends): (usize, &[f64])| {
            let end = if row == last { numbers.len() } else { below(ends[1]) };
            (format!("{} to {}", short(ends[0]), short(ends[1])), end - below(ends[0]))
        };
        edges.windows(2).enumerate().map(interval).collect()
    };
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    for (name, count) in rows {
        let bar = "#".repeat((count * BAR).div_ceil(most));
        line(text, format_args!("  {name:>width$}  {count:>10}  {bar}"));
    }
}

/// The number with at most four digits after the decimal point.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
