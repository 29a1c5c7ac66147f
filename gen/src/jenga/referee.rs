//! Coloured Jenga for the plain solver of the kit: towers as they stand.
//!
//! It shares the rules with the solver and nothing else: no forms, no numbers, no tables.

use std::collections::BTreeMap;
use std::fmt;

use tabletop::jenga::{Colour, Level, Move, Place, Tower};
use tabletop::kit::{Node, Plain, Rules};
use tabletop::seeded::Seeded;

/// The game as its rules say: a throw a minute, and a block of its colour.
///
/// A position is a tower as text, the levels from the bottom with `/` between them.
pub struct ColouredJenga;

/// A move as people call it.
pub struct Take(Move);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.0.take, self.0.put)
    }
}

impl Rules for ColouredJenga {
    const NAME: &'static str = "coloured-jenga";
    const ABOUT: &'static str = "Coloured Jenga from two levels: the minutes until it is over";
    type Position = String;
    type Move = Take;

    fn starts(&self) -> Vec<String> {
        starts(2).iter().map(text).collect()
    }

    fn node(&self, position: &String) -> Node<ColouredJenga> {
        let tower = read(position);
        // In the order of the colours; moves that differ in nothing that matters are one.
        let mut moves: BTreeMap<Colour, BTreeMap<String, Move>> = BTreeMap::new();
        for step in tower.moves() {
            moves.entry(step.colour).or_default().entry(text(&tower.after_legal(step))).or_insert(step);
        }
        if moves.is_empty() {
            return Node::over(0);
        }
        let thrown = |colour: Colour| match moves.get(&colour) {
            None => Node::again(),
            Some(moves) => Node::min(moves.iter().map(|(next, step)| (Take(*step), Node::go(next.clone())))),
        };
        let black = (1, Node::again());
        Node::chance([(1, thrown(Colour::Red)), (2, thrown(Colour::Green)), (2, thrown(Colour::Blue)), black])
            .costing(1)
    }
}

/// What matters of a tower, as text.
fn text(tower: &Tower) -> String {
    let levels: Vec<String> = without_what_does_not_matter(tower).levels().iter().map(Level::to_string).collect();
    levels.join("/")
}

fn read(text: &str) -> Tower {
    let levels = text.split('/').map(|level| Level::from_letters(level.as_bytes()).expect("a level"));
    Tower::new(levels.collect()).expect("a position is a tower that stands")
}

/// Works out towers by the kit's plain solver, and remembers them.
pub struct Referee {
    plain: Plain<'static, ColouredJenga, f64>,
}

impl Default for Referee {
    fn default() -> Referee {
        Referee { plain: Plain::new(&ColouredJenga) }
    }
}

impl Referee {
    /// The minutes expected for a tower.
    pub fn minutes(&mut self, tower: &Tower) -> f64 {
        self.plain.value(&text(tower)).expect("the rules are good")
    }

    /// How many different towers are known.
    pub fn towers(&self) -> usize {
        self.plain.positions()
    }
}

/// Removes what does not matter: levels from which nothing can be taken, the order of the levels below the top, the end
/// from which a level is seen, and the colour of a middle that lacks a side: it cannot be taken any more.
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

/// A random start of this many levels.
pub fn seeded_start(seeded: &mut Seeded, levels: usize) -> Tower {
    Tower::new((0..levels).map(|_| full_level(seeded.below(27))).collect()).expect("full levels are a tower")
}

/// The tower after this many random moves, or fewer if the game ends before.
pub fn after_moves(seeded: &mut Seeded, mut tower: Tower, moves: u64) -> Tower {
    for _ in 0..moves {
        let steps = tower.moves();
        if steps.is_empty() {
            break;
        }
        tower = tower.after_legal(steps[seeded.below(steps.len() as u64) as usize]);
    }
    tower
}

/// Every start of this many levels. Of starts that differ only in the order of the levels below the top, or in the end
/// from which a level is seen, there is one.
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
