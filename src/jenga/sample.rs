//! Seeded towers before the first move.

use super::rules::{Colour, Level, Place, Tower};
use crate::game::{Kind, Size};
use crate::seeded::Seeded;

/// Levels of the contest's towers.
const MIN_LEVELS: u64 = 2;
const MAX_LEVELS: u64 = 6;

/// A tower of this kind: as low as the contest allows, of any height, or as high as the contest allows.
pub(super) fn sample(kind: Kind, seed: u64) -> Tower {
    let mut seeded = Seeded(seed);
    let height = match kind {
        Kind::Tiny => MIN_LEVELS,
        Kind::Ordinary => MIN_LEVELS + seeded.below(MAX_LEVELS - MIN_LEVELS + 1),
        Kind::Worst => MAX_LEVELS,
    };
    tower(height, &mut seeded)
}

/// The levels that a sample can be asked for: eight full ones are what can be searched.
pub(super) const SIZES: &[Size] = &[Size { name: "levels", limits: 2..=8 }];

/// A tower of this many levels, or of any height that the contest allows.
pub(super) fn sized(levels: Option<u32>, seed: u64) -> Tower {
    let mut seeded = Seeded(seed);
    let any = MIN_LEVELS + seeded.below(MAX_LEVELS - MIN_LEVELS + 1);
    tower(levels.map_or(any, u64::from), &mut seeded)
}

/// A low tower that lacks a colour, so that the player waits often, or whose top or levels are of one colour.
pub(super) fn edge(seed: u64) -> Tower {
    let mut seeded = Seeded(seed);
    let height = MIN_LEVELS + seeded.below(3);
    let colours = [0; 2].map(|_| Colour::ALL[seeded.below(3) as usize]);
    let is_uniform = seeded.below(2) == 0;
    let levels = (0..height).map(|_| {
        let first = colours[seeded.below(2) as usize];
        let pick = |seeded: &mut Seeded| if is_uniform { first } else { colours[seeded.below(2) as usize] };
        Place::ALL.into_iter().fold(Level::EMPTY, |level, place| level.with(place, Some(pick(&mut seeded))))
    });
    Tower::new(levels.collect()).expect("a tower of full levels stands")
}

/// The tower without one of its levels, or with blocks of a colour that comes earlier in the list of colours.
pub(super) fn smaller(tower: &Tower) -> Vec<Tower> {
    let levels = tower.levels();
    let mut found = Vec::new();
    if levels.len() as u64 > MIN_LEVELS {
        for left_out in 0..levels.len() {
            let kept = levels.iter().enumerate().filter(|&(place, _)| place != left_out);
            found.push(kept.map(|(_, level)| *level).collect());
        }
    }
    for (high, &colour) in Colour::ALL.iter().enumerate() {
        for &lower in &Colour::ALL[..high] {
            let repaint = |level: &Level| {
                let colour_of = |place| if level.get(place) == Some(colour) { Some(lower) } else { level.get(place) };
                Place::ALL.into_iter().fold(*level, |level, place| level.with(place, colour_of(place)))
            };
            found.push(levels.iter().map(repaint).collect());
            for number in 0..levels.len() {
                for place in Place::ALL.into_iter().filter(|&place| levels[number].get(place) == Some(colour)) {
                    let mut levels = levels.to_vec();
                    levels[number] = levels[number].with(place, Some(lower));
                    found.push(levels);
                }
            }
        }
    }
    let towers = found.into_iter().filter_map(|levels| Tower::new(levels).ok());
    towers.filter(|other| other != tower).collect()
}

/// A full tower of any colours.
fn tower(height: u64, seeded: &mut Seeded) -> Tower {
    let levels = (0..height).map(|_| level(seeded)).collect();
    Tower::new(levels).expect("a tower of full levels stands")
}

fn level(seeded: &mut Seeded) -> Level {
    let colour = |seeded: &mut Seeded| Colour::ALL[seeded.below(Colour::ALL.len() as u64) as usize];
    Place::ALL.into_iter().fold(Level::EMPTY, |level, place| level.with(place, Some(colour(seeded))))
}
