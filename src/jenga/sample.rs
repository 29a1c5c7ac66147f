//! Seeded towers before the first move.

use super::rules::{Colour, Level, Place, Tower};
use crate::game::{Kind, Size};
use crate::seeded::Seeded;

/// The contest's towers have from `MIN_LEVELS` to `CONTEST_LEVELS` levels.
const MIN_LEVELS: u64 = 2;
const CONTEST_LEVELS: u64 = 6;

/// A tower of this kind: as low as the contest allows, of any height, or as high as the contest allows.
pub(super) fn sample(kind: Kind, seed: u64) -> Tower {
    let mut seeded = Seeded(seed);
    let height = match kind {
        Kind::Tiny => MIN_LEVELS,
        Kind::Ordinary => MIN_LEVELS + seeded.below(CONTEST_LEVELS - MIN_LEVELS + 1),
        Kind::Worst => CONTEST_LEVELS,
        Kind::Edge => return edge(seed),
    };
    tower(height, &mut seeded)
}

/// The numbers of levels that [`sized`] accepts: eight full levels are the limit of the search.
pub(super) const SIZES: &[Size] = &[Size { name: "levels", limits: 2..=8 }];

/// A tower with this number of levels. `None` means any number that the contest allows.
pub(super) fn sized(levels: Option<u32>, seed: u64) -> Tower {
    let mut seeded = Seeded(seed);
    let any = MIN_LEVELS + seeded.below(CONTEST_LEVELS - MIN_LEVELS + 1);
    tower(levels.map_or(any, u64::from), &mut seeded)
}

/// A low tower with at most two colours, so that the player often waits. In half of them each level has one colour.
fn edge(seed: u64) -> Tower {
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

/// The tower without one of its levels, or with one or all blocks of a colour changed to a colour earlier in
/// [`Colour::ALL`].
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

/// A tower of full levels with random colours.
fn tower(height: u64, seeded: &mut Seeded) -> Tower {
    let levels = (0..height).map(|_| level(seeded)).collect();
    Tower::new(levels).expect("a tower of full levels stands")
}

fn level(seeded: &mut Seeded) -> Level {
    let colour = |seeded: &mut Seeded| Colour::ALL[seeded.below(Colour::ALL.len() as u64) as usize];
    Place::ALL.into_iter().fold(Level::EMPTY, |level, place| level.with(place, Some(colour(seeded))))
}
