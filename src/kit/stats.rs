//! Statistics of a solved game: positions by stage, the distribution of values, the longest game, examples.

use std::fmt::Write as _;

use super::examples::examples;
use super::explore::{Watch, explore};
use super::failure::Failure;
use super::file::Answers;
use super::order::lengths;
use super::ranked::{Checks, Ranked, has_many_ranks};
use super::rules::Rules;
use crate::text::visible;

/// Maximum number of rows of a plot.
const ROWS: usize = 20;
/// Length of the longest bar in characters.
const BAR: usize = 40;

/// The statistics as text.
pub(super) fn stats<R: Rules>(rules: &R, answers: &Answers<'_, R>, watch: &Watch<'_>) -> Result<String, Failure> {
    if has_many_ranks(rules)
        && let Some(ranked) = Ranked::of_table(rules, answers, watch, Checks::None)?
    {
        return Ok(stats_by_rank(rules, answers, &ranked));
    }
    let graph = explore(rules, watch)?;
    let values = answers.values_of(&graph)?;
    let mut text = String::new();
    line(
        &mut text,
        format_args!(
            "{}: {} position{}, {} moves and outcomes between them",
            rules.name(),
            graph.len(),
            plural(graph.len()),
            graph.edges.len()
        ),
    );
    size(&mut text, answers, graph.len());

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
    let (title, layers): (&str, Vec<u32>) = if !graph.stages.is_empty() {
        ("positions by stage:", graph.stages.clone())
    } else if let Some(heights) = heights {
        ("positions by how many can follow at most:", heights)
    } else {
        let depth_of = |number: u32| graph.depths.partition_point(|&first| first <= number) as u32 - 1;
        ("positions by the fewest before them:", (0..graph.len() as u32).map(depth_of).collect())
    };
    line(&mut text, format_args!("\n{title}"));
    plot(&mut text, counted(layers.iter().map(|&layer| f64::from(layer)).collect()));
    line(&mut text, format_args!("\nvalues:"));
    plot(&mut text, counted(values.iter().map(|value| value.worth.to_f64()).collect()));

    line(&mut text, format_args!("\nexamples:"));
    for (name, number) in examples(&values) {
        let position = graph.text::<R>(number as u32);
        line(&mut text, format_args!("  {name:<8}  {}  {}", visible(&position), values[number]));
    }
    Ok(text)
}

/// The statistics of a game that is solved by its ranks, without the moves between positions.
fn stats_by_rank<R: Rules>(rules: &R, answers: &Answers<'_, R>, ranked: &Ranked) -> String {
    let mut text = String::new();
    let positions = ranked.positions();
    line(&mut text, format_args!("{}: {positions} position{}", rules.name(), plural(positions)));
    size(&mut text, answers, positions);
    let stages = ranked.stages();
    if stages.len() > 1 {
        line(&mut text, format_args!("\npositions by stage:"));
        plot(&mut text, stages);
    }
    line(&mut text, format_args!("\nvalues:"));
    plot(&mut text, ranked.counted_values());
    line(&mut text, format_args!("\nexamples:"));
    for (name, rank) in ranked.examples() {
        let position = rules.unrank(rank);
        let value = ranked.number(rank).map(|number| ranked.value(number).to_string()).unwrap_or_default();
        line(&mut text, format_args!("  {name:<8}  {}  {value}", visible(&position.to_string())));
    }
    text
}

/// Appends the size of the table.
fn size<R: Rules>(text: &mut String, answers: &Answers<'_, R>, positions: usize) {
    let bits = answers.file_bytes() as f64 * 8.0 / positions as f64;
    line(text, format_args!("table: {} bytes, {bits:.2} bits per position", answers.file_bytes()));
}

/// The ending of a noun after a count.
fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}

/// The different numbers in ascending order, and how often each occurs.
pub(super) fn counted(mut numbers: Vec<f64>) -> Vec<(f64, usize)> {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.chunk_by(|one, other| one == other).map(|same| (same[0], same.len())).collect()
}

/// Appends a bar for each different number, or for each of `ROWS` equal intervals if there are more.
fn plot(text: &mut String, numbers: Vec<(f64, usize)>) {
    let rows: Vec<(String, usize)> = if numbers.len() <= ROWS {
        numbers.iter().map(|(number, count)| (number.to_string(), *count)).collect()
    } else {
        let (least, greatest) = (numbers[0].0, numbers[numbers.len() - 1].0);
        let mut edges: Vec<f64> =
            (0..=ROWS).map(|edge| least + (greatest - least) * edge as f64 / ROWS as f64).collect();
        if numbers.iter().all(|(number, _)| number.fract() == 0.0) {
            edges.iter_mut().for_each(|edge| *edge = edge.ceil());
        }
        let below = |edge: f64| numbers.partition_point(|&(number, _)| number < edge);
        let last = edges.len() - 2;
        let interval = |(row, ends): (usize, &[f64])| {
            let end = if row == last { numbers.len() } else { below(ends[1]) };
            let count = numbers[below(ends[0])..end].iter().map(|(_, count)| count).sum();
            (format!("{} to {}", short(ends[0]), short(ends[1])), count)
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
