//! Coloured Jenga for the kit's plain solver, with whole towers as positions.
//!
//! It shares the rules with the solver and nothing else: no forms, no numbers, no tables.

use std::collections::BTreeMap;
use std::fmt;

use tabletop::jenga::{Colour, Level, Move, Place, Tower};
use tabletop::kit::{Node, Plain, Rules};
use tabletop::seeded::Seeded;

/// The game as its rules say: each minute a throw, then a block of the thrown colour.
///
/// A position is a tower as text, the levels from the bottom with `/` between them.
pub struct ColouredJenga;

/// A move with a readable text.
pub struct Take(Move);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.0.take, self.0.put)
    }
}

impl Rules for ColouredJenga {
    type Position = String;
    type Move = Take;

    fn name(&self) -> &str {
        "coloured-jenga"
    }

    fn about(&self) -> &str {
        "Coloured Jenga from two levels: the minutes until it is over"
    }

    fn starts(&self) -> Vec<String> {
        starts(2).iter().map(text).collect()
    }

    fn node(&self, position: &String) -> Node<ColouredJenga> {
        let tower = read(position);
        // By colour. Moves that lead to the same normalized tower are merged.
        let mut moves: BTreeMap<Colour, BTreeMap<String, Move>> = BTreeMap::new();
        for step in tower.moves() {
            let next = tower.after(step).expect("a legal move");
            moves.entry(step.colour).or_default().entry(text(&next)).or_insert(step);
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

/// The normalized tower as text.
fn text(tower: &Tower) -> String {
    let levels: Vec<String> = normalized(tower).levels().iter().map(Level::to_string).collect();
    levels.join("/")
}

fn read(text: &str) -> Tower {
    let levels = text.split('/').map(|level| Level::from_letters(level.as_bytes()).expect("a level"));
    Tower::new(levels.collect()).expect("a position is a tower that stands")
}

/// Solves towers with the kit's plain solver and its memo.
pub struct Referee {
    plain: Plain<'static, ColouredJenga, f64>,
}

impl Default for Referee {
    fn default() -> Referee {
        Referee { plain: Plain::new(&ColouredJenga) }
    }
}

impl Referee {
    /// The expected minutes of a tower.
    pub fn minutes(&mut self, tower: &Tower) -> f64 {
        self.plain.value(&text(tower)).expect("the rules are valid")
    }

    /// The number of different towers in the memo.
    pub fn towers(&self) -> usize {
        self.plain.positions()
    }
}

/// Removes what does not affect the game: levels from which nothing can be taken, the order of the levels below the
/// top, whether a level is mirrored, and the colour of a middle block that lacks a side block, so that it cannot be
/// taken.
fn normalized(tower: &Tower) -> Tower {
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

/// The level of three blocks with this number, from 0 to 26.
fn full_level(number: u64) -> Level {
    let letter = |place: u64| b"RGB"[(number / 3_u64.pow(place as u32) % 3) as usize];
    Level::from_letters(&[letter(0), letter(1), letter(2)]).expect("three letters are a level")
}

/// A random start of `levels` levels.
pub fn seeded_start(seeded: &mut Seeded, levels: usize) -> Tower {
    Tower::new((0..levels).map(|_| full_level(seeded.below(27))).collect()).expect("full levels are a tower")
}

/// The tower after `moves` random moves, or fewer if the game ends first.
pub fn after_moves(seeded: &mut Seeded, mut tower: Tower, moves: u64) -> Tower {
    for _ in 0..moves {
        let steps = tower.moves();
        if steps.is_empty() {
            break;
        }
        tower = tower.after(steps[seeded.below(steps.len() as u64) as usize]).expect("a legal move");
    }
    tower
}

/// Every start of `levels` levels. Starts that differ only in the order of the levels below the top, or in mirrored
/// levels, are listed once.
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
