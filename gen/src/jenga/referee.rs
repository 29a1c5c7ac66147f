//! The plain solver of coloured Jenga: recursion over towers as they stand, and a hash map.
//!
//! It shares the rules with the solver and nothing else: no forms, no numbers, no tables.

use std::collections::{BTreeMap, HashMap};

use tabletop::jenga::{Colour, Level, Place, Tower};

use super::Seeded;

/// Works out towers by nothing but the rules, and remembers them.
#[derive(Default)]
pub struct Referee {
    known: HashMap<Vec<Level>, f64>,
}

impl Referee {
    /// The minutes expected for a tower.
    pub fn minutes(&mut self, tower: &Tower) -> f64 {
        let tower = without_what_does_not_matter(tower);
        if let Some(&minutes) = self.known.get(tower.levels()) {
            return minutes;
        }
        // In the order of the colours, so that the sums below are the same in every run.
        let mut least = BTreeMap::new();
        for step in tower.moves() {
            let after = self.minutes(&tower.after(step));
            let best = least.entry(step.colour).or_insert(after);
            *best = after.min(*best);
        }
        let probability = |colour| if colour == Colour::Red { 1.0 / 6.0 } else { 1.0 / 3.0 };
        let of_a_move: f64 = least.keys().map(|&colour| probability(colour)).sum();
        let after_a_move: f64 = least.iter().map(|(&colour, after)| probability(colour) * after).sum();
        let minutes = if least.is_empty() { 0.0 } else { (1.0 + after_a_move) / of_a_move };
        self.known.insert(tower.levels().to_vec(), minutes);
        minutes
    }

    /// How many different towers are known.
    pub fn towers(&self) -> usize {
        self.known.len()
    }
}

/// Levels that give nothing are left out, those below the top are put in order, each is seen from its lesser end, and
/// the middle of a level without a side is always red: it cannot be taken any more.
fn without_what_does_not_matter(tower: &Tower) -> Tower {
    let lesser = |level: Level| level.min(level.mirrored());
    let gives = |level: &Level| Place::ALL.iter().any(|&place| level.takeable(place).is_some());
    let below = tower.below().iter().copied().filter(gives).map(|level| match level.blocks() {
        2 => lesser(level.with(Place::Middle, Some(Colour::Red))),
        _ => lesser(level),
    });
    let mut levels: Vec<Level> = below.collect();
    levels.sort();
    levels.push(lesser(tower.top()));
    Tower::new(levels).expect("a tower without some of its levels is a tower")
}

/// A level of three blocks for each number below 27.
fn full_level(number: u64) -> Level {
    let letter = |place: u64| b"RGB"[(number / 3_u64.pow(place as u32) % 3) as usize];
    Level::from_letters(&[letter(0), letter(1), letter(2)]).expect("three letters are a level")
}

/// Some start of so many levels.
pub fn seeded_start(seeded: &mut Seeded, levels: usize) -> Tower {
    Tower::new((0..levels).map(|_| full_level(seeded.below(27))).collect()).expect("full levels are a tower")
}

/// The tower after some moves, or fewer where the game ends before.
pub fn after_moves(seeded: &mut Seeded, mut tower: Tower, moves: u64) -> Tower {
    for _ in 0..moves {
        let steps = tower.moves();
        if steps.is_empty() {
            break;
        }
        tower = tower.after(steps[seeded.below(steps.len() as u64) as usize]);
    }
    tower
}

/// Every start of so many levels, of those that differ in the order of the levels below the top or in the end from
/// which a level is seen one.
pub fn starts(levels: usize) -> Vec<Tower> {
    let different: Vec<Level> = (0..27).map(full_level).filter(|level| *level <= level.mirrored()).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 1..levels {
        let longer = |stack: &Vec<usize>| {
            let stack = stack.clone();
            (stack.last().copied().unwrap_or(0)..different.len()).map(move |next| [&stack[..], &[next]].concat())
        };
        below = below.iter().flat_map(longer).collect();
    }
    let with_tops = below.iter().flat_map(|stack| (0..different.len()).map(move |top| [&stack[..], &[top]].concat()));
    let towers = with_tops.map(|stack| Tower::new(stack.into_iter().map(|kind| different[kind]).collect()));
    towers.map(|tower| tower.expect("full levels are a tower")).collect()
}
