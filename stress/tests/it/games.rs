//! What every game must satisfy for the tester.

use std::collections::HashSet;
use std::sync::Arc;

use tabletop::game::{Kind, Sizes, TestGame, TestInput, exact_test_games, read_test};
use tabletop::table::Places;

use crate::support::tables;

fn exact() -> Vec<Arc<dyn TestGame>> {
    exact_test_games(&Places::only(tables()))
}

fn sample(game: &Arc<dyn TestGame>, kind: Kind, seed: u64) -> Arc<dyn TestInput> {
    Arc::clone(game).sample(kind, &Sizes::one_case(&game.profile()), seed).unwrap()
}

/// The numbers of a description such as `rows 2, columns 3`.
fn sizes(input: &dyn TestInput) -> Vec<u32> {
    input.describe().split([' ', ',']).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn smaller_inputs_are_valid_and_shrinking_ends() {
    for game in exact() {
        let mut steps = 0;
        for seed in 0..6 {
            for kind in [Kind::Tiny, Kind::Ordinary, Kind::Edge] {
                // Detects a cycle: an input that shrinks to itself.
                let mut seen = HashSet::new();
                let mut input = read_test(&game, &sample(&game, kind, seed).text()).unwrap();
                loop {
                    let text = input.text();
                    assert!(seen.insert(text.clone()), "{}", String::from_utf8_lossy(&text));
                    let smaller = input.smaller(None);
                    for candidate in &smaller {
                        assert_eq!(read_test(&game, &candidate.text()).unwrap().text(), candidate.text());
                        assert_ne!(candidate.text(), text);
                        let (new, old) = (sizes(&**candidate), sizes(&*input));
                        assert!(new.iter().zip(&old).all(|(size, old)| size <= old), "{new:?} from {old:?}");
                    }
                    // The last candidate changes least, so this is the longest path.
                    match smaller.into_iter().last() {
                        Some(next) => input = next,
                        None => break,
                    }
                }
                steps += seen.len() - 1;
            }
        }
        assert!(steps > 0, "{} has no smaller inputs", game.profile().name);
    }
}

/// Edge cases are defined by the statement, and their text in random order is the same input. Sized cases have the
/// requested sizes.
#[test]
fn edge_cases_are_well_defined_and_sizes_are_respected() {
    for game in exact() {
        for seed in 0..60 {
            let drawn = sample(&game, Kind::Edge, seed);
            assert_eq!(drawn.remark(0), None, "{}", drawn.describe());
            let ordered = drawn.smaller(None);
            let ordered = ordered.iter().find(|other| other.describe() == drawn.describe()).expect("the same in order");
            assert_eq!(read_test(&game, &drawn.text()).unwrap().text(), ordered.text());
        }
        for size in game.sizes() {
            let wanted = *size.limits.start() + 1;
            let shape = Sizes(vec![(size.name.to_owned(), wanted..=wanted)]);
            let input = Arc::clone(&game).sample(Kind::Ordinary, &shape, 3).unwrap();
            assert!(input.describe().contains(&format!("{} {wanted}", size.name)), "{}", input.describe());
            assert_eq!(input.remark(0), None, "{}", input.describe());
        }
    }
}
