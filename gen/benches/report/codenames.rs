//! Codenames: the judge's worst boards, real ones, and how the cost grows.

use tabletop::seeded::Seeded;

use super::markdown::{mebibytes, ratio, table, time};
use super::{Bench, Effort, Section};
use tabletop::codenames::sample::Shape;
use tabletop_measure::codenames::{JUDGE_TYPICAL, JUDGE_WORST, REAL_30, REAL_50, TWENTY, TWENTY_DENSE};
use tabletop_measure::{Cost, typical_cost};

/// Number of seeded boards of each kind. The slowest is reported.
const SEEDS: u64 = 3;

pub fn section(bench: &Bench) -> Section {
    let boards = [
        ("the judge's largest, hints of half the board", JUDGE_WORST),
        ("the judge's largest, hints of up to 5 words", JUDGE_TYPICAL),
        ("20 cards, hints of up to 6 words", TWENTY),
        ("20 cards, hints of 10 words", TWENTY_DENSE),
        ("25 cards, hints of 4 words", REAL_30),
        ("25 cards, hints of 6 words", REAL_50),
    ];
    let boards = &boards[..bench.effort.choose(3, boards.len())];
    let mut rows = Vec::new();
    for (name, shape) in boards {
        // Large boards take long.
        let seeds = if shape.cards() > 20 || bench.effort == Effort::Quick { 1 } else { SEEDS };
        let Cost { seconds, peak_mebibytes } = worst(bench, shape, seeds)?;
        rows.push(vec![
            name.to_string(),
            shape.cards().to_string(),
            shape.hints.to_string(),
            time(seconds),
            mebibytes(peak_mebibytes),
        ]);
    }
    Ok(format!(
        "## Codenames, worst cases\nA whole query process on as many threads as the machine runs; the slowest of up to \
         {SEEDS} seeded boards; of boards above 20 cards one is taken.\n\n{}",
        table(&["board", "cards", "hints", "time", "peak"], &rows)
    ))
}

pub fn growth(bench: &Bench) -> Section {
    let with_cards = |cards: usize| {
        let (red, blue) = (cards * 9 / 25, cards * 8 / 25);
        Shape { red, blue, innocent: cards - 1 - red - blue, ..REAL_30 }
    };
    let most = bench.effort.choose(18, 25);
    let by_cards: Vec<Shape> = (10..=most).step_by(3).map(with_cards).collect();
    let of_hints = with_cards(bench.effort.choose(15, 20));
    let by_hints: Vec<Shape> = (10..=50).step_by(10).map(|hints| Shape { hints, ..of_hints.clone() }).collect();
    let mut text = String::from("### Codenames by cards and hints\nHints of 4 words, a process each.\n\n");
    for (what, shapes) in [("cards", by_cards), ("hints", by_hints)] {
        let mut rows = Vec::new();
        let mut before: Option<f64> = None;
        for shape in shapes {
            let Cost { seconds, peak_mebibytes } = worst(bench, &shape, 1)?;
            rows.push(vec![
                format!("{} cards, {} hints", shape.cards(), shape.hints),
                time(seconds),
                before.map_or(String::from("–"), |before| ratio(seconds / before)),
                mebibytes(peak_mebibytes),
            ]);
            before = Some(seconds);
        }
        text.push_str(&table(&[&format!("by {what}"), "time", "times the row above", "peak"], &rows));
        text.push('\n');
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// The cost of the slowest of `seeds` seeded boards.
fn worst(bench: &Bench, shape: &Shape, seeds: u64) -> Result<Cost, Box<dyn std::error::Error>> {
    let mut worst = Cost { seconds: 0.0, peak_mebibytes: None };
    for seed in 1..=seeds {
        let board = shape.board(&mut Seeded(seed))?;
        let file = bench.input("codenames board", &board.to_string())?;
        let found = typical_cost(bench.program.query("codenames").arg(file))?;
        if found.seconds > worst.seconds {
            worst = found;
        }
    }
    Ok(worst)
}
