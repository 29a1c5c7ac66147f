//! How long a query takes: as a process, in a stream, and as a call of the library.

use super::markdown::{ratio, rounds_of, significant, table, time};
use super::{Bench, Section};
use tabletop_measure::{cold_start as queries, lookup, medians};

pub fn cold_start(bench: &Bench) -> Section {
    let rounds = bench.effort.choose(20, 1000);
    let mut contestants = queries::contestants(&bench.program, bench.scratch.path())?;
    let medians = medians(rounds, &mut contestants);
    let rows: Vec<Vec<String>> = contestants
        .iter()
        .zip(&medians)
        .map(|(contestant, &median)| vec![contestant.name.clone(), time(median), ratio(median / medians[0])])
        .collect();
    Ok(format!(
        "## Cold start\nA whole process, from its start to its end, against `true`; medians of {}.\n\n{}",
        rounds_of(rounds),
        table(&["process", "time", "times `true`"], &rows)
    ))
}

pub fn warm_lookups(bench: &Bench) -> Section {
    let (rounds, cases) = bench.effort.choose((1, 50_000), (7, 1_000_000));
    let mut contestants = lookup::streams(&bench.program, bench.scratch.path(), cases)?;
    let streams = contestants.len();
    contestants.extend(lookup::calls(&bench.program));
    let medians = medians(rounds, &mut contestants);
    let per_second = |name: &str, mut among: std::ops::Range<usize>| {
        let place = among.find(|&place| contestants[place].name == name)?;
        Some(contestants[place].count as f64 / medians[place])
    };
    let mut games: Vec<(&str, &str)> = Vec::new();
    for contestant in &contestants {
        let game = (contestant.name.as_str(), contestant.unit);
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let mut rows = Vec::new();
    for (game, unit) in games {
        let (stream, call) = (per_second(game, 0..streams), per_second(game, streams..contestants.len()));
        let millions = |rate: Option<f64>| rate.map_or(String::from("–"), |rate| significant(rate / 1e6));
        let faster = call.zip(stream).map_or(String::from("–"), |(call, stream)| ratio(call / stream));
        rows.push(vec![format!("{game}, {unit}"), millions(stream), millions(call), faster]);
    }
    Ok(format!(
        "## Warm lookups\nMillions a second on one core: judge inputs through `--many`, text in and text out, and calls of \
         the library; medians of {}. Codenames is solved, not looked up.\n\n{}",
        rounds_of(rounds),
        table(&["game", "`--many`", "library", "library / `--many`"], &rows)
    ))
}
