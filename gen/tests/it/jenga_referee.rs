//! Coloured Jenga against its referee, and games played out.

use std::collections::HashMap;

use crate::support::shipped_tables;
use tabletop::game::Game;
use tabletop::jenga::form::Form;
use tabletop::jenga::{Colour, Jenga, Minutes, Tower};
use tabletop::seeded::Seeded;
use tabletop::table::Places;
use tabletop_gen::jenga::referee::{Referee, after_moves, seeded_start, starts};

fn answers() -> Jenga {
    Jenga::open(&Places::only(shipped_tables())).unwrap()
}

/// The solver and the referee add in a different order, so the last bits may differ.
#[track_caller]
fn assert_agree(answers: &Jenga, referee: &mut Referee, tower: &Tower) {
    let (found, expected) = (answers.value(tower).unwrap().0, referee.minutes(tower));
    assert!((found - expected).abs() <= 1e-12 * expected, "{found}, but {expected} by the referee for {tower:?}");
}

#[test]
fn the_referee_agrees_on_all_starts_of_up_to_four_levels() {
    let (answers, mut referee) = (answers(), Referee::default());
    let all: Vec<Tower> = (1..=4).flat_map(starts).collect();
    assert_eq!(all.len(), 18 * (1 + 18 + 171 + 1140));
    for tower in &all {
        assert_agree(&answers, &mut referee, tower);
    }
    assert!(referee.towers() > all.len(), "the referee also solves what the moves lead to");
}

#[test]
fn the_referee_agrees_on_300_starts_of_five_levels() {
    let (answers, mut referee, mut seeded) = (answers(), Referee::default(), Seeded(5));
    for _ in 0..300 {
        assert_agree(&answers, &mut referee, &seeded_start(&mut seeded, 5));
    }
}

#[test]
#[ignore = "takes a minute; run once by CI"]
fn the_referee_agrees_on_40_starts_of_six_levels() {
    let (answers, mut referee, mut seeded) = (answers(), Referee::default(), Seeded(6));
    for _ in 0..40 {
        assert_agree(&answers, &mut referee, &seeded_start(&mut seeded, 6));
    }
}

#[test]
fn the_referee_agrees_on_1000_towers_in_mid_game() {
    let (answers, mut referee, mut seeded) = (answers(), Referee::default(), Seeded(1000));
    let mut tops = [0; 4];
    for _ in 0..1000 {
        let levels = 2 + seeded.below(5) as usize;
        let start = seeded_start(&mut seeded, levels);
        // Early in a game of six levels, the referee takes seconds per tower.
        let least = if levels == 6 { 9 } else { 1 };
        let moves = least + seeded.below(9);
        let tower = after_moves(&mut seeded, start, moves);
        assert_agree(&answers, &mut referee, &tower);
        tops[usize::from(tower.top().blocks())] += 1;
    }
    assert!(tops[1..].iter().all(|&towers| towers > 200), "{tops:?}");
}

#[test]
fn the_referee_agrees_beyond_the_table() {
    let (answers, mut referee) = (answers(), Referee::default());
    for levels in [
        &["RGB"; 7][..],
        &["RGB"; 8],
        &["GRG", "GRG", "GRG", "GRG", "GRG", "GRG", "GRG", "BRB"],
        &["RR.", "GB.", ".BG", "BR.", "RRR", "RRR", "GB.", "BB.", "RG.", "B.."],
        &["RR.", "GB.", ".BG", "BR.", ".G.", "R.B", "GB.", "BB.", "RG.", ".RR", "B.."],
    ] {
        let tower = Tower::new(levels.iter().map(|level| level.parse().unwrap()).collect()).unwrap();
        assert_agree(&answers, &mut referee, &tower);
    }
}

/// The best next tower for each colour, the same for all towers of a form.
type Policy = HashMap<Form, [Option<Tower>; 3]>;

fn best_moves(answers: &Jenga, tower: &Tower) -> [Option<Tower>; 3] {
    let advice = answers.advise(tower).unwrap();
    Colour::ALL.map(|colour| Some(tower.after(advice.choices(colour).next()?.first).expect("a legal move")))
}

/// The minutes of one game under the table's policy.
fn play(answers: &Jenga, policy: &mut Policy, start: &Tower, seeded: &mut Seeded) -> u32 {
    let mut tower = start.clone();
    for minute in 0.. {
        let best = policy.entry(Form::from(&tower)).or_insert_with(|| best_moves(answers, &tower));
        if best.iter().all(Option::is_none) {
            return minute;
        }
        let next = match seeded.below(6) {
            0 => &best[Colour::Red as usize],
            1 | 2 => &best[Colour::Green as usize],
            3 | 4 => &best[Colour::Blue as usize],
            _ => &None,
        };
        if let Some(next) = next {
            tower = next.clone();
        }
    }
    unreachable!("a game ends")
}

#[test]
fn games_under_the_policy_of_the_table_last_as_long_as_expected() {
    const GAMES: u32 = 20_000;
    let (answers, mut seeded) = (answers(), Seeded(20));
    for game in 0..20 {
        let start = seeded_start(&mut seeded, 2 + game % 5);
        let moves = seeded.below(3);
        let start = after_moves(&mut seeded, start, moves);
        let mut policy = Policy::new();
        let minutes: Vec<f64> =
            (0..GAMES).map(|_| f64::from(play(&answers, &mut policy, &start, &mut seeded))).collect();
        let mean = minutes.iter().sum::<f64>() / f64::from(GAMES);
        let variance = minutes.iter().map(|minutes| (minutes - mean).powi(2)).sum::<f64>() / f64::from(GAMES - 1);
        let Minutes(expected) = answers.value(&start).unwrap();
        // All 20 seeded means are within this margin. A policy that is a tenth of a minute worse would not be.
        let margin = 3.5 * (variance / f64::from(GAMES)).sqrt();
        assert!((mean - expected).abs() <= margin, "{mean} ± {margin}, expected {expected} for {start:?}");
    }
}

#[test]
fn the_advice_adds_up_to_the_answer_and_counts_every_move() {
    let (answers, mut seeded) = (answers(), Seeded(7));
    for game in 0..200 {
        let start = seeded_start(&mut seeded, 1 + game % 6);
        let moves = seeded.below(8);
        let tower = after_moves(&mut seeded, start, moves);
        let advice = answers.advise(&tower).unwrap();
        assert_eq!(advice.minutes().0.to_bits(), answers.value(&tower).unwrap().0.to_bits(), "{tower:?}");
        let counted: usize =
            Colour::ALL.iter().flat_map(|&colour| advice.choices(colour)).map(|choice| choice.moves()).sum();
        assert_eq!(counted, tower.moves().len());
        for colour in Colour::ALL {
            assert!(advice.choices(colour).is_sorted_by(|better, worse| better.minutes < worse.minutes));
        }
    }
}
