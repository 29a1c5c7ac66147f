//! Tables of Markdown, and figures as people read them.

/// A table: the first column is aligned left, the others right.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = line(head.iter().copied());
    text.push_str(&line((0..head.len()).map(|column| if column == 0 { "---" } else { "---:" })));
    for row in rows {
        text.push_str(&line(row.iter().map(String::as_str)));
    }
    text
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<&str> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A ratio, in bold: the figure that can be compared between machines.
pub fn ratio(value: f64) -> String {
    format!("**{}**", significant(value))
}

/// Three significant digits, with separated thousands.
pub fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => whole(value.round() as u64),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{value:.2}"),
        size if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

/// A whole number with separated thousands.
pub fn whole(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// A time in a suitable unit.
pub fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 1.0 => format!("{} s", significant(seconds)),
        seconds if seconds >= 1e-3 => format!("{} ms", significant(seconds * 1e3)),
        seconds if seconds >= 1e-6 => format!("{} µs", significant(seconds * 1e6)),
        seconds => format!("{} ns", significant(seconds * 1e9)),
    }
}

/// An amount of memory, or a dash if it was not measured.
pub fn mebibytes(amount: Option<f64>) -> String {
    amount.map_or(String::from("–"), |amount| format!("{} MiB", significant(amount)))
}

/// A number of rounds with its noun.
pub fn rounds_of(rounds: usize) -> String {
    if rounds == 1 { String::from("one round") } else { format!("{rounds} rounds") }
}
