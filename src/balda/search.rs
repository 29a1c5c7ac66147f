//! Finds all words through one cell of a full board.
//!
//! The board has a border, so a step is one addition and needs no test for the edge. A letter is a bit, and a border
//! square has none.
//!
//! ```text
//!   side 3, stride 4:    0  1  2  3       squares 5 6 7, 9 10 11, 13 14 15 are the board;
//!                        4 [5][6][7]      square 8 is both the right end of the first row
//!                        8 [9][10][11]    and the left end of the second
//!                       12 [13][14][15]
//!                       16 17 18 19 20
//! ```

use super::cells::CellSet;
use super::gaddag::{Gaddag, NONE, Node};
use super::rules::MAX_SIDE;

/// Room for the bordered board of side 15 (273 squares), rounded up to a power of two so that indexing needs no check.
pub const SQUARES: usize = 512;
const _: () = assert!((MAX_SIDE + 2) * (MAX_SIDE + 1) < SQUARES);

/// Room for the cells of a board of side 15.
const CELLS: usize = 256;
const _: () = assert!(MAX_SIDE * MAX_SIDE <= CELLS);

/// A word on the board: its number, its cells, and the turn at which the last of them is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occurrence<S> {
    pub cells: S,
    pub word: u32,
    pub length: u8,
    pub turn: u8,
}

/// A full board in the form that the search reads: letters, and the turn at which each square is filled.
#[derive(Clone)]
pub struct Grid<S> {
    pub side: usize,
    pub stride: usize,
    /// The bordered board.
    pub squares: [Square<S>; SQUARES],
    /// The square of each cell; cells are numbered row by row.
    square_of: [u16; CELLS],
}

/// One square of the bordered board.
#[derive(Clone, Copy)]
pub struct Square<S> {
    /// The set of this one cell; empty on the border.
    pub single: S,
    /// The letter as a bit; 0 on the border.
    pub letter_bit: u32,
    /// The turn at which the square is filled; 0 for the start word.
    pub turn: u8,
}

impl<S: CellSet> Square<S> {
    const BORDER: Square<S> = Square { single: S::EMPTY, letter_bit: 0, turn: 0 };
}

impl<S: CellSet> Grid<S> {
    /// A board without letters.
    pub fn new(side: usize) -> Grid<S> {
        let mut grid = Grid { side, stride: side + 1, squares: [Square::BORDER; SQUARES], square_of: [0; CELLS] };
        for cell in 0..side * side {
            let square = (cell / side + 1) * grid.stride + cell % side + 1;
            grid.square_of[cell] = square as u16;
            grid.squares[square].single = S::single(cell);
        }
        grid
    }

    /// The square of a cell; cells are numbered row by row.
    pub fn square(&self, cell: usize) -> usize {
        usize::from(self.square_of[cell]) % SQUARES
    }

    /// The cell of a square of the board.
    pub fn cell(&self, square: usize) -> usize {
        (square / self.stride - 1) * self.side + square % self.stride - 1
    }

    /// The four squares around a square of the board.
    #[inline(always)]
    pub fn around(&self, square: usize) -> [usize; 4] {
        [square - 1, square + 1, square - self.stride, square + self.stride]
    }
}

/// The most steps in each queue of a search. Boards of real words need a few hundred. An artificial dictionary on a
/// board of one letter could need millions; the search then stops here, and words are missed, never invented.
const QUEUE: usize = 1 << 11;

/// A part of a word on the board. The trie node that it leads to is passed separately.
#[derive(Clone, Copy)]
struct Partial<S> {
    cells: S,
    /// The square added last.
    square: usize,
    /// The latest turn of all its cells.
    turn: u8,
    length: u8,
}

/// A queued step: a partial word and one more square. Most steps that are written are not kept, so writing one must be
/// cheap: everything but the cells is one store. What depends on the new square is computed when the step is taken.
#[derive(Clone, Copy)]
struct Step<S> {
    /// The cells without the new one.
    cells: S,
    /// From the low bits: node before the step (32 bits), new square (16), latest turn before it (8), new length (8).
    packed: u64,
}

impl<S: CellSet> Step<S> {
    const NOTHING: Step<S> = Step { cells: S::EMPTY, packed: 0 };

    /// A step from a part at `node`; [`Step::to`] adds the new square.
    #[inline(always)]
    fn from(part: Partial<S>, node: u32) -> Step<S> {
        let packed = u64::from(node) | u64::from(part.turn) << 48 | u64::from(part.length + 1) << 56;
        Step { cells: part.cells, packed }
    }

    #[inline(always)]
    fn to(self, square: usize) -> Step<S> {
        Step { packed: self.packed | (square as u64) << 32, ..self }
    }

    /// A prefix at `node` that is to be extended from the entry square. The prefix has this square already, so taking
    /// the step only sets its last square.
    #[inline(always)]
    fn at_entry(part: Partial<S>, node: u32, entry: usize) -> Step<S> {
        Step::from(Partial { length: part.length - 1, ..part }, node).to(entry)
    }

    /// The node before the step; for [`Step::at_entry`], the node of the prefix itself.
    #[inline(always)]
    fn node(self) -> u32 {
        self.packed as u32
    }

    #[inline(always)]
    fn square(self) -> usize {
        usize::from((self.packed >> 32) as u16) % SQUARES
    }

    /// The node that the step leads to.
    #[inline(always)]
    fn next_node(self, nodes: &[Node], grid: &Grid<S>) -> u32 {
        nodes[self.node() as usize].child(grid.squares[self.square()].letter_bit)
    }

    /// The partial word that the step leads to.
    #[inline(always)]
    fn take(self, grid: &Grid<S>) -> Partial<S> {
        let new = &grid.squares[self.square()];
        Partial {
            cells: self.cells.union(new.single),
            square: self.square(),
            turn: new.turn.max((self.packed >> 48) as u8),
            length: (self.packed >> 56) as u8,
        }
    }
}

/// A first-in, first-out queue of steps.
struct Queue<S> {
    items: Box<[Step<S>; QUEUE]>,
    end: usize,
}

impl<S: CellSet> Queue<S> {
    fn new() -> Queue<S> {
        let items = vec![Step::NOTHING; QUEUE].into_boxed_slice();
        Queue { items: items.try_into().unwrap_or_else(|_| unreachable!("the length is QUEUE")), end: 0 }
    }

    /// Whether the four steps from one more square may not fit.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.end + 5 > QUEUE
    }

    /// Always writes the item, but advances the end only if `keep` is true: a branch here would be unpredictable.
    #[inline(always)]
    fn push_if(&mut self, keep: bool, item: Step<S>) {
        self.items[self.end % QUEUE] = item;
        self.end += usize::from(keep);
    }
}

/// The search, with queues that are reused from one search to the next.
///
/// Both walks are breadth first: the nodes in a queue do not depend on each other, so the processor can fetch several
/// from memory at the same time.
pub struct Searcher<S> {
    /// Steps towards the beginning of the word.
    backward: Queue<S>,
    /// Prefixes of words, to be extended from the entry square.
    prefixes: Queue<S>,
    /// Steps towards the end of the word.
    forward: Queue<S>,
}

impl<S: CellSet> Searcher<S> {
    pub fn new() -> Searcher<S> {
        Searcher { backward: Queue::new(), prefixes: Queue::new(), forward: Queue::new() }
    }

    /// Pushes every word through `square` to `found`.
    pub fn words_through(&mut self, gaddag: &Gaddag, grid: &Grid<S>, square: usize, found: &mut Vec<Occurrence<S>>) {
        if gaddag.backward[0].letters & grid.squares[square].letter_bit == 0 {
            return;
        }
        let nothing = Partial { cells: S::EMPTY, square, turn: 0, length: 0 };
        self.backward.items[0] = Step::from(nothing, 0).to(square);
        self.backward.end = 1;
        self.prefixes.end = 0;
        self.forward.end = 0;
        self.walk_backward(gaddag, grid, square);
        self.walk_forward(gaddag, grid, found);
    }

    /// Walks towards the beginnings of words, and queues each complete prefix for the walk forward.
    fn walk_backward(&mut self, gaddag: &Gaddag, grid: &Grid<S>, entry: usize) {
        let mut next = 0;
        while next < self.backward.end && !self.backward.is_full() && !self.prefixes.is_full() {
            let step = self.backward.items[next % QUEUE];
            next += 1;
            let part = step.take(grid);
            let index = step.next_node(&gaddag.backward, grid);
            let node = &gaddag.backward[index as usize];
            self.prefixes.push_if(node.target != NONE, Step::at_entry(part, node.target, entry));
            push_steps(&mut self.backward, grid, index, node.letters, part);
        }
    }

    /// Walks towards the ends of words, and reports each word on the way.
    fn walk_forward(&mut self, gaddag: &Gaddag, grid: &Grid<S>, found: &mut Vec<Occurrence<S>>) {
        for next in 0..self.prefixes.end {
            let step = self.prefixes.items[next % QUEUE];
            self.visit_forward(gaddag, grid, step.node(), step.take(grid), found);
        }
        let mut next = 0;
        while next < self.forward.end {
            let step = self.forward.items[next % QUEUE];
            next += 1;
            let index = step.next_node(&gaddag.forward, grid);
            self.visit_forward(gaddag, grid, index, step.take(grid), found);
        }
    }

    /// Reports the part if it is a word, and queues the steps from it.
    #[inline(always)]
    fn visit_forward(
        &mut self,
        gaddag: &Gaddag,
        grid: &Grid<S>,
        index: u32,
        part: Partial<S>,
        found: &mut Vec<Occurrence<S>>,
    ) {
        let node = &gaddag.forward[index as usize];
        if node.target != NONE {
            found.push(Occurrence { cells: part.cells, word: node.target, length: part.length, turn: part.turn });
        }
        let letters = if self.forward.is_full() { 0 } else { node.letters };
        push_steps(&mut self.forward, grid, index, letters, part);
    }
}

/// Queues a step to each unused square around the end of the part whose letter is in `letters`.
#[inline(always)]
fn push_steps<S: CellSet>(queue: &mut Queue<S>, grid: &Grid<S>, node: u32, letters: u32, part: Partial<S>) {
    let step = Step::from(part, node);
    for square in grid.around(part.square) {
        let next = &grid.squares[square % SQUARES];
        queue.push_if((next.letter_bit & letters != 0) & !part.cells.meets(next.single), step.to(square));
    }
}
