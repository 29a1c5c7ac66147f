//! Properties of every game in the list.

use std::sync::Arc;

use crate::support::{shipped_tables, tabletop};
use tabletop::explain::Paint;
use tabletop::game::{
    Fault, FaultKind, Form, Judging, Kind, PROFILES, Sizes, TestGame, TestInput, TextLines, answer, exact_test_games,
    games, read_test,
};
use tabletop::input::Lines;
use tabletop::seeded::Seeded;
use tabletop::table::Places;

const SEEDS: u64 = 200;

fn exact() -> Vec<Arc<dyn TestGame>> {
    exact_test_games(&Places::only(shipped_tables()))
}

fn sample(game: &Arc<dyn TestGame>, kind: Kind, seed: u64) -> Arc<dyn TestInput> {
    Arc::clone(game).sample(kind, &Sizes::one_case(&game.profile()), seed).unwrap()
}

/// Samples of every kind, with one case each.
fn samples(game: &Arc<dyn TestGame>, seeds: u64) -> impl Iterator<Item = Arc<dyn TestInput>> {
    Kind::ALL.into_iter().flat_map(move |kind| (0..seeds).map(move |seed| sample(game, kind, seed)))
}

fn text(input: &Arc<dyn TestInput>) -> String {
    String::from_utf8(input.text()).unwrap()
}

#[track_caller]
fn assert_reads_back(game: &Arc<dyn TestGame>, written: &[u8]) {
    let written_again = read_test(game, written).unwrap().text();
    assert_eq!(read_test(game, &written_again).unwrap().text(), written_again);
    let json = |text: &[u8]| answer(game, text, Form::Json).unwrap();
    assert!(json(written) == json(&written_again), "{}", String::from_utf8_lossy(written));
}

/// Every sample reads back from its text, and so does every position of games played from the samples.
#[test]
fn every_position_reads_back_from_its_text() {
    for game in exact() {
        for input in samples(&game, 20) {
            assert_reads_back(&game, &input.text());
        }
        for input in samples(&game, SEEDS) {
            let own = read_test(&game, &input.text()).unwrap().text();
            assert_eq!(read_test(&game, &own).unwrap().text(), own);
        }
        let mut seeded = Seeded(12);
        for seed in 0..60 {
            let mut text = text(&sample(&game, Kind::Ordinary, seed));
            loop {
                let mut next = Vec::new();
                collect_next(&object(&answer(&game, text.as_bytes(), Form::Json).unwrap()), &mut next);
                for (_, position) in &next {
                    assert_eq!(read_test(&game, position.as_bytes()).unwrap().text(), position.as_bytes());
                }
                let chosen = seeded.below(next.len().max(1) as u64) as usize;
                let Some((_, position)) = next.into_iter().nth(chosen) else { break };
                text = position;
            }
        }
    }
}

#[test]
fn sizes_outside_the_limits_are_refused() {
    for game in games(&Places::only(shipped_tables())) {
        for size in game.sizes() {
            let (low, high) = (size.limits.start(), size.limits.end());
            for outside in low.checked_sub(1).into_iter().chain([high + 1, u32::MAX]) {
                let shape = Sizes(vec![(size.name.to_owned(), outside..=outside)]);
                let message = format!("{} go from {low} to {high}, ask for a number between them", size.name);
                let error = Arc::clone(&game).sample(Kind::Tiny, &shape, 7).err().unwrap();
                assert!(matches!(error, tabletop::game::SampleError::Sizes(found) if found == message));
            }
        }
    }
}

/// The same seed gives the same case, and different seeds give different cases.
#[test]
fn samples_are_repeatable_and_various() {
    for game in exact() {
        let texts: Vec<String> = samples(&game, SEEDS).map(|input| text(&input)).collect();
        assert!(samples(&game, SEEDS).map(|input| text(&input)).eq(texts.iter().cloned()));
        for kind in texts.chunks(SEEDS as usize) {
            let mut different = kind.to_vec();
            different.sort();
            different.dedup();
            assert!(different.len() > 5, "{}: {} different samples", game.profile().name, different.len());
        }
    }
}

/// The game's own answer is accepted. The answer to another case, a text that is no number, and no text are not.
#[test]
fn the_contests_comparison_accepts_our_answers_and_no_others() {
    for game in exact() {
        let inputs: Vec<Arc<dyn TestInput>> = samples(&game, 20).collect();
        let answers: Vec<Vec<u8>> =
            inputs.iter().map(|input| answer(&game, &input.text(), Form::Judge).unwrap()).collect();
        let fault = |input: &Arc<dyn TestInput>, output: &[u8]| {
            input.judge(output, &Judging::default()).unwrap().fault.map(|Fault { kind, .. }| kind)
        };
        for (input, own) in inputs.iter().zip(&answers) {
            let shown = text(input);
            assert_eq!(fault(input, own), None, "{shown}");
            let other = answers.iter().find(|&other| other != own).expect("some answers differ");
            assert_eq!(fault(input, other), Some(FaultKind::Wrong), "{shown}");
            // Six decimals are wrong, or too many for the game.
            assert_ne!(fault(input, b"0.123456"), None, "{shown}");
            for malformed in [&b"nan"[..], b"", b"\xff", &[own, &b"1"[..]].concat()] {
                assert_eq!(fault(input, malformed), Some(FaultKind::Malformed), "{shown}");
            }
        }
    }
}

/// The real program prints what the library answers, in every form.
#[test]
fn the_program_prints_what_the_library_answers() {
    for game in exact() {
        let name = game.profile().name;
        let mut inputs: Vec<String> = samples(&game, 2).map(|input| text(&input)).collect();
        inputs.push(game.profile().sample.to_owned());
        for input in inputs {
            for (form, arguments) in [
                (Form::Judge, &[name][..]),
                (Form::Explain(Paint::Plain), &[name, "--explain"]),
                (Form::Json, &[name, "--json"]),
            ] {
                let expected = answer(&game, input.as_bytes(), form).unwrap();
                tabletop(arguments, &input).answers(&String::from_utf8(expected).unwrap());
            }
        }
    }
}

#[test]
fn the_program_prints_the_game_of_balda_that_the_library_plays() {
    let balda = games(&Places::only(shipped_tables())).pop().expect("Balda is the last game");
    let input = balda.profile().sample.to_owned();
    let forms = [(Form::Judge, None), (Form::Explain(Paint::Plain), Some("--explain")), (Form::Json, Some("--json"))];
    for (form, argument) in forms {
        let expected = String::from_utf8(answer(&balda, input.as_bytes(), form).unwrap()).unwrap();
        // The library makes as many proposals.
        let arguments: Vec<&str> = ["balda", "--nodes", "50000"].into_iter().chain(argument).collect();
        tabletop(&arguments, &input).answers(&expected);
    }
}

/// Plays whole games through the real program by feeding back `next`. Every `next` of every position on the way is
/// accepted, and has the value stated beside it. Returns how many positions were compared.
fn play_on(game: &Arc<dyn TestGame>) -> usize {
    let name = game.profile().name;
    let json = |inputs: &str| -> Vec<serde_json::Value> {
        let outcome = tabletop(&[name, "--json", "--many"], inputs);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        outcome.stdout.lines().map(|line| object(line.as_bytes())).collect()
    };
    let mut positions = 0;
    let mut seeded = Seeded(7);
    let kinds = [Kind::Tiny, Kind::Ordinary].into_iter();
    for mut text in kinds.flat_map(|kind| (0..8).map(move |seed| text(&sample(game, kind, seed)))) {
        loop {
            let object = json(&text).remove(0);
            let mut next = Vec::new();
            collect_next(&object, &mut next);
            let inputs: String = next.iter().map(|(_, position)| position.as_str()).collect();
            let following = json(&inputs);
            assert_eq!(following.len(), next.len(), "{inputs}");
            for ((stated, position), following) in next.iter().zip(following) {
                let found = value_of(&following);
                // In Codenames the probability is the mover's, and the other team may be the mover now.
                let mover_changed = name == "codenames" && object["mover"] != following["mover"];
                let found = if mover_changed { 1.0 - found } else { found };
                assert!((stated - found).abs() <= 1e-12 * stated.abs().max(1.0), "{stated} {found}\n{position}");
            }
            positions += next.len();
            let chosen = seeded.below(next.len().max(1) as u64) as usize;
            let Some((_, position)) = next.into_iter().nth(chosen) else { break };
            text = position;
        }
    }
    positions
}

/// The JSON object of the only case of an answer.
fn object(answer: &[u8]) -> serde_json::Value {
    let object: serde_json::Value = serde_json::from_slice(answer).unwrap();
    object.get("cases").map_or(object.clone(), |cases| cases[0].clone())
}

/// The value of an object, under the name that its game uses.
fn value_of(object: &serde_json::Value) -> f64 {
    ["minutes", "probability"].iter().find_map(|name| object[*name].as_f64()).expect("every object has a value")
}

/// Every `next` below an object, with the value that stands beside it.
fn collect_next(value: &serde_json::Value, found: &mut Vec<(f64, String)>) {
    match value {
        serde_json::Value::Array(elements) => elements.iter().for_each(|element| collect_next(element, found)),
        serde_json::Value::Object(fields) => {
            if let Some(next) = fields.get("next") {
                found.push((value_of(value), next.as_str().unwrap().to_owned()));
            }
            fields.values().for_each(|field| collect_next(field, found));
        }
        _ => {}
    }
}

#[test]
fn whole_games_can_be_played_by_feeding_back_next() {
    let positions: Vec<usize> = exact().iter().map(play_on).collect();
    assert!(positions.iter().all(|&count| count > 15), "{positions:?}");
}

/// Concatenated inputs are read one after another, up to the first mistake.
#[test]
fn concatenated_inputs_are_read_one_after_another() {
    for game in exact() {
        let texts: Vec<String> = samples(&game, 3).map(|input| text(&input)).collect();
        let read_all = |text: &str| {
            let mut lines: TextLines = Lines::new(Box::new(text.as_bytes()));
            let mut inputs = Vec::new();
            loop {
                match Arc::clone(&game).read_test(&mut lines) {
                    Ok(Some(input)) => inputs.push(input.text()),
                    Ok(None) => return (inputs, None),
                    Err(error) => return (inputs, Some(error.to_string())),
                }
            }
        };
        let own = |text: &String| read_test(&game, text.as_bytes()).unwrap().text();
        let expected: Vec<Vec<u8>> = texts.iter().map(own).collect();
        assert_eq!(read_all(&(texts.join("\n") + "\n")), (expected.clone(), None));
        assert_eq!(read_all("\n \n"), (Vec::new(), None));
        let (inputs, error) = read_all(&format!("{}?\n{}", texts[0], texts[1]));
        assert_eq!(inputs, &expected[..1]);
        let line = texts[0].lines().count() + 1;
        assert!(error.unwrap().starts_with(&format!("line {line}: ")));
    }
}

#[test]
fn every_game_has_a_profile_that_fits_a_terminal_and_a_unique_name() {
    let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
    let mut different = names.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), names.len());
    for profile in PROFILES {
        for line in [profile.about, profile.question].into_iter().chain(profile.help.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    let listed = games(&Places::only(shipped_tables()));
    assert!(listed.iter().map(|game| game.profile().name).eq(names));
}
