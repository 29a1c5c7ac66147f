//! A game for tests.

use super::rules::{Cycles, Node, Rules};

/// A game whose positions are numbers, whose moves are texts and whose rules are functions. The solver is compiled for
/// every type of rules, so small games share this one.
pub(super) struct Toy {
    pub(super) name: &'static str,
    pub(super) start: u32,
    pub(super) cycles: Cycles,
    pub(super) sum: i64,
    pub(super) node: Box<dyn Fn(u32) -> Node<Toy> + Sync>,
    pub(super) canonical: fn(u32) -> u32,
    pub(super) is_transient: fn(u32) -> bool,
    pub(super) stage: fn(u32) -> Option<u32>,
    pub(super) ranks: fn(&Toy) -> Option<u64>,
    /// The rank of a number, and the number of a rank.
    pub(super) renumber: fn(u64) -> u64,
}

/// The names of moves that are numbers.
pub(super) const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

impl Toy {
    /// A game from 5 that may have cycles.
    pub(super) fn new(node: impl Fn(u32) -> Node<Toy> + Sync + 'static) -> Toy {
        Toy {
            name: "toy",
            start: 5,
            cycles: Cycles::Iterate { tolerance: 1e-6 },
            sum: 0,
            node: Box::new(node),
            canonical: |position| position,
            is_transient: |_| false,
            stage: |_| None,
            ranks: |_| None,
            renumber: |rank| rank,
        }
    }
}

impl Rules for Toy {
    type Position = u32;
    type Move = &'static str;

    fn name(&self) -> &str {
        self.name
    }

    fn cycles(&self) -> Cycles {
        self.cycles
    }

    fn sum(&self) -> i64 {
        self.sum
    }

    fn starts(&self) -> Vec<u32> {
        vec![self.start]
    }

    fn node(&self, position: &u32) -> Node<Toy> {
        (self.node)(*position)
    }

    fn canonical(&self, position: u32) -> u32 {
        (self.canonical)(position)
    }

    fn is_transient(&self, position: &u32) -> bool {
        (self.is_transient)(*position)
    }

    fn stage(&self, position: &u32) -> Option<u32> {
        (self.stage)(*position)
    }

    fn ranks(&self) -> Option<u64> {
        (self.ranks)(self)
    }

    fn rank(&self, position: &u32) -> u64 {
        (self.renumber)(u64::from(*position))
    }

    fn unrank(&self, rank: u64) -> u32 {
        (self.renumber)(rank) as u32
    }
}
