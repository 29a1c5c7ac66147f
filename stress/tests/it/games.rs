//! What every game must satisfy for the tester.

use std::collections::HashSet;

use tabletop::game::{Game, Kind, Visitor, visit_all};
use tabletop::table::Places;

use crate::support::tables;

/// Smaller cases are valid and different, and repeated shrinking ends.
struct Smaller;

impl Visitor for Smaller {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        let mut steps = 0;
        for seed in 0..6 {
            for start in [G::sample(Kind::Tiny, seed), G::sample(Kind::Ordinary, seed), G::edge(seed)] {
                // Detects a cycle: a case that shrinks to itself.
                let mut seen = HashSet::new();
                let mut case = start;
                loop {
                    assert!(seen.insert(case.to_string()), "{case}");
                    let smaller = G::smaller(&case);
                    for candidate in &smaller {
                        assert_eq!(candidate.to_string().parse::<G::Case>().unwrap(), *candidate);
                        assert_ne!(*candidate, case);
                        let (sizes, old) = (G::sizes(candidate), G::sizes(&case));
                        assert!(sizes.iter().zip(&old).all(|(size, old)| size <= old), "{candidate} from {case}");
                    }
                    // The last candidate changes least, so this is the longest path.
                    match smaller.into_iter().last() {
                        Some(next) => case = next,
                        None => break,
                    }
                }
                steps += seen.len() - 1;
            }
        }
        assert!(steps > 0, "{} has no smaller cases", G::PROFILE.name);
    }
}

#[test]
fn smaller_cases_are_valid_and_shrinking_ends() {
    visit_all(&mut Smaller);
}

/// Edge cases are repeatable and defined by the statement, and sized cases have the requested sizes.
struct Samples;

impl Visitor for Samples {
    type Output = ();

    fn visit<G: Game>(&mut self) {
        let game = G::open(&Places::only(tables())).unwrap();
        let edges: Vec<G::Case> = (0..60).map(G::edge).collect();
        assert!((0..60).map(G::edge).eq(edges.iter().cloned()));
        let texts: HashSet<String> = edges.iter().map(G::Case::to_string).collect();
        assert!(texts.len() > 10, "{}: {} different edges", G::PROFILE.name, texts.len());
        for case in &edges {
            assert_eq!(game.remark(case), None, "{case}");
            assert_eq!(
                G::read_all(G::write_shuffled(std::slice::from_ref(case), 5).as_bytes()).unwrap(),
                std::slice::from_ref(case)
            );
        }
        for (place, size) in G::SIZES.iter().enumerate() {
            let mut sizes = vec![None; G::SIZES.len()];
            sizes[place] = Some(*size.limits.start() + 1);
            let case = G::sized(&sizes, 3).unwrap();
            assert_eq!(G::sizes(&case)[place], *size.limits.start() + 1, "{}: {case}", size.name);
            assert_eq!(game.remark(&case), None, "{case}");
        }
    }
}

#[test]
fn edge_cases_are_well_defined_and_sizes_are_respected() {
    visit_all(&mut Samples);
}
