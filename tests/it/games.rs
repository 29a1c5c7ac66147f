//! Properties of every game in the list.

use crate::support::{shipped_tables, tabletop};
use tabletop::explain::{Explain, Paint};
use tabletop::game::{Game, Kind, PROFILES, Verdict, Visitor, visit_all, visit_named};
use tabletop::query::{self, Form};
use tabletop::seeded::Seeded;
use tabletop::table::Places;

const SEEDS: u64 = 200;

fn open<G: Game>() -> G {
    G::open(&Places::only(shipped_tables())).unwrap()
}

/// Samples of every kind.
fn samples<G: Game>(seeds: u64) -> impl Iterator<Item = G::Case> {
    Kind::ALL.into_iter().flat_map(move |kind| (0..seeds).map(move |seed| G::sample(kind, seed)))
}

#[track_caller]
fn assert_reads_back<G: Game>(case: &G::Case) {
    let only = std::slice::from_ref(case);
    assert_eq!(G::read_all(G::write(only).as_bytes()).unwrap(), only);
    assert_eq!(case.to_string().parse::<G::Case>().unwrap(), *case);
}

/// Every sample reads back from its text, and so does every position of games played from the samples.
struct ReadBack;

impl Visitor for ReadBack {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        let game: G = open();
        for case in samples::<G>(SEEDS) {
            assert_reads_back::<G>(&case);
        }
        let mut seeded = Seeded(12);
        for start in (0..60).map(|seed| G::sample(Kind::Ordinary, seed)) {
            let mut case = start;
            loop {
                let moves = game.advise(&case).unwrap().moves();
                let next: Vec<G::Case> = moves.into_iter().filter_map(|ranked| ranked.next).collect();
                next.iter().for_each(assert_reads_back::<G>);
                if next.is_empty() {
                    break;
                }
                case = next[seeded.below(next.len() as u64) as usize].clone();
            }
        }
    }
}

#[test]
fn every_position_reads_back_from_its_text() {
    visit_all(&mut ReadBack);
}

/// A size outside of its limits is refused with the limits.
struct OtherSizes;

impl Visitor for OtherSizes {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        for (place, size) in G::SIZES.iter().enumerate() {
            let (low, high) = (size.limits.start(), size.limits.end());
            for outside in low.checked_sub(1).into_iter().chain([high + 1, u32::MAX]) {
                let mut sizes = vec![None; G::SIZES.len()];
                sizes[place] = Some(outside);
                let message = format!("{} go from {low} to {high}, ask for a number between them", size.name);
                assert_eq!(G::sized(&sizes, 7).unwrap_err(), message);
            }
        }
    }
}

#[test]
fn sizes_outside_the_limits_are_refused() {
    visit_all(&mut OtherSizes);
}

/// The same seed gives the same case, and different seeds give different cases.
struct Samples;

impl Visitor for Samples {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        let texts: Vec<String> = samples::<G>(SEEDS).map(|case| case.to_string()).collect();
        assert!(samples::<G>(SEEDS).map(|case| case.to_string()).eq(texts.iter().cloned()));
        for kind in texts.chunks(SEEDS as usize) {
            let mut different = kind.to_vec();
            different.sort();
            different.dedup();
            assert!(different.len() > 5, "{}: {} different samples", G::PROFILE.name, different.len());
        }
    }
}

#[test]
fn samples_are_repeatable_and_various() {
    visit_all(&mut Samples);
}

/// The game's own answer is accepted. The answer to another case, a text that is no number, and no text are not.
struct Accepts;

impl Visitor for Accepts {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        let game: G = open();
        let cases: Vec<G::Case> = samples::<G>(20).collect();
        let values: Vec<G::Value> = cases.iter().map(|case| game.value(case).unwrap()).collect();
        let answers: Vec<String> = values.iter().map(|value| game.answer(value)).collect();
        for ((case, value), answer) in cases.iter().zip(values).zip(&answers) {
            assert_eq!(G::accepts(&value, answer), Verdict::Accepted, "{case}");
            let other = answers.iter().find(|&other| other != answer).expect("some answers differ");
            assert_eq!(G::accepts(&value, other), Verdict::Wrong, "{case}: {other}");
            // Six decimals are wrong, or too many for the game.
            assert_ne!(G::accepts(&value, "0.123456"), Verdict::Accepted, "{case}");
            assert!(matches!(G::accepts(&value, "nan"), Verdict::Malformed(_)), "{case}");
            assert!(matches!(G::accepts(&value, ""), Verdict::Malformed(_)), "{case}");
        }
    }
}

#[test]
fn the_contests_comparison_accepts_our_answers_and_no_others() {
    visit_all(&mut Accepts);
}

/// The real program prints what the library answers, in every form.
struct SameAsProgram;

impl Visitor for SameAsProgram {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        let game: G = open();
        let name = G::PROFILE.name;
        let mut inputs: Vec<String> = samples::<G>(2).map(|case| case.to_string()).collect();
        inputs.push(G::PROFILE.sample.to_owned());
        for input in inputs {
            for (form, arguments) in [
                (Form::Judge, &[name][..]),
                (Form::Explain(Paint::Plain), &[name, "--explain"]),
                (Form::Json, &[name, "--json"]),
            ] {
                let expected = query::answer(&game, input.as_bytes(), form).unwrap();
                tabletop(arguments, &input).answers(&String::from_utf8(expected).unwrap());
            }
        }
    }
}

#[test]
fn the_program_prints_what_the_library_answers() {
    visit_all(&mut SameAsProgram);
}

/// Plays whole games through the real program by feeding back `next`. Every position has the value stated beside it.
/// Returns how many positions were reached.
struct PlayOn;

impl Visitor for PlayOn {
    type Output = usize;

    fn visit<G: Game>(&mut self) -> usize {
        let game: G = open();
        let mut positions = 0;
        let mut seeded = Seeded(7);
        for seed in 0..12 {
            let mut text = G::sample(Kind::Ordinary, seed).to_string();
            loop {
                let object = json::<G>(&text);
                let mut next = Vec::new();
                collect_next(&object, &mut next);
                let moves = game.advise(&text.parse().unwrap()).unwrap().moves();
                let goes_on = moves.iter().any(|ranked| ranked.next.is_some());
                assert!(!next.is_empty() || !goes_on, "{text}");
                let Some((stated, position)) = pick(&next, &mut seeded) else { break };
                let following = json::<G>(position);
                let found = value_of(&following);
                // In Codenames the probability is the mover's, and the other team may be the mover now.
                let mover_changed = G::PROFILE.name == "codenames" && object["mover"] != following["mover"];
                let found = if mover_changed { 1.0 - found } else { found };
                assert!((stated - found).abs() <= 1e-12 * stated.abs().max(1.0), "{stated} {found}\n{position}");
                text = position.to_owned();
                positions += 1;
            }
        }
        positions
    }
}

/// The JSON object of the only case of an input.
fn json<G: Game>(text: &str) -> serde_json::Value {
    let outcome = tabletop(&[G::PROFILE.name, "--json"], text);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
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

fn pick<'a>(next: &'a [(f64, String)], seeded: &mut Seeded) -> Option<(f64, &'a str)> {
    let (stated, text) = next.get(seeded.below(next.len().max(1) as u64) as usize)?;
    Some((*stated, text))
}

#[test]
fn whole_games_can_be_played_by_feeding_back_next() {
    let positions = visit_all(&mut PlayOn);
    assert!(positions.iter().sum::<usize>() > 100, "{positions:?}");
}

/// Returns the name of a game.
struct Name;

impl Visitor for Name {
    type Output = &'static str;

    fn visit<G: Game>(&mut self) -> &'static str {
        G::PROFILE.name
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
    for name in visit_all(&mut Name) {
        assert_eq!(visit_named(name, &mut Name), Some(name));
    }
    assert_eq!(visit_named("nim", &mut Name), None);
}
