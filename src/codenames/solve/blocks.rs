//! The values of all sets of unrevealed cards.
//!
//! ```text
//! set   │ block: high bits │ strip: middle bits │ place: 4 low bits │
//!
//! block │ strip 0, Red │ strip 0, Blue │ strip 1, Red │ strip 1, Blue │ …
//! strip │ 16 values, one per place │
//! ```
//!
//! The sets of a strip differ only in their four lowest cards and are adjacent, so one vector instruction works on
//! several of them. A block is solved by one thread and then only read. Blocks with the same number of cards in their
//! high bits do not depend on each other, so they can be solved at the same time.

use super::SolveError;
use super::live::LiveSet;
use super::memory::reserved;
use crate::codenames::rules::Team;

/// Number of low cards in which the sets of a strip differ.
pub const STRIP_CARDS: usize = 4;
/// Number of sets in a strip.
pub const STRIP_SETS: usize = 1 << STRIP_CARDS;

/// The probabilities that a team wins, for each of the sets of a strip.
pub type Strip = [f64; STRIP_SETS];

/// Gives the waiting win of a team for each set of unrevealed cards: the probability that the team wins when it waits,
/// which means that the other team is to move.
///
/// A team whose agents are all revealed has won: its waiting win is 1, and the other team's is 0.
pub trait WaitingWins {
    /// The waiting win of a team when `set` is unrevealed.
    fn waiting_win(&self, set: LiveSet, team: Team) -> f64;
}

/// The index of a set in its strip.
#[inline(always)]
pub fn place(set: LiveSet) -> usize {
    set.index() % STRIP_SETS
}

/// The strips of a block, alternately for both teams.
pub type Block = Vec<Strip>;

/// How sets are divided into blocks.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    blocks: usize,
    /// Binary logarithm of the number of sets per block.
    block_shift: u32,
    /// Strips per block and team, minus one.
    strip_mask: usize,
}

impl Layout {
    /// `2^block_cards` blocks for all sets of `width` live cards.
    pub fn new(width: usize, block_cards: usize) -> Layout {
        let width = width.max(STRIP_CARDS);
        let block_cards = block_cards.min(width - STRIP_CARDS);
        let block_width = width - block_cards;
        let strip_mask = (1 << (block_width - STRIP_CARDS)) - 1;
        Layout { blocks: 1 << block_cards, block_shift: block_width as u32, strip_mask }
    }

    /// The number of blocks.
    pub fn blocks(self) -> usize {
        self.blocks
    }

    /// The number of strips per block and team.
    pub fn strips(self) -> usize {
        self.strip_mask + 1
    }

    /// The smallest set of a strip, with all low cards revealed.
    pub fn base(self, block: usize, strip: usize) -> LiveSet {
        LiveSet(((block * self.strips() + strip) * STRIP_SETS) as u32)
    }

    #[inline(always)]
    fn block(self, set: LiveSet) -> usize {
        set.index() >> self.block_shift
    }

    #[inline(always)]
    fn strip_index(self, set: LiveSet, team: Team) -> usize {
        let strip = (set.index() / STRIP_SETS) & self.strip_mask;
        2 * strip + team as usize
    }
}

/// All blocks; a block that is not solved yet is empty.
#[derive(Debug)]
pub struct Blocks {
    layout: Layout,
    blocks: Vec<Block>,
}

impl Blocks {
    /// The blocks of a layout, none of them solved.
    pub fn new(layout: Layout) -> Blocks {
        Blocks { layout, blocks: vec![Block::new(); layout.blocks()] }
    }

    /// How sets are divided into blocks.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Stores a solved block.
    pub fn insert(&mut self, number: usize, block: Block) {
        self.blocks[number] = block;
    }
}

impl WaitingWins for Blocks {
    fn waiting_win(&self, set: LiveSet, team: Team) -> f64 {
        self.blocks[self.layout.block(set)][self.layout.strip_index(set, team)][place(set)]
    }
}

/// The block that is being solved, and the solved blocks that it depends on.
pub struct OpenBlock<'a> {
    solved: &'a Blocks,
    number: usize,
    block: Block,
}

impl OpenBlock<'_> {
    /// Starts block `number`.
    pub fn new(solved: &Blocks, number: usize) -> Result<OpenBlock<'_>, SolveError> {
        Ok(OpenBlock { solved, number, block: reserved(2 * solved.layout.strips())? })
    }

    /// Starts the next strip of the block, for both teams.
    pub fn open_strip(&mut self) {
        self.block.extend([[0.0; STRIP_SETS]; 2]);
    }

    /// Writes the waiting wins of both teams at `place` of the last strip.
    pub fn write(&mut self, place: usize, wins: [f64; 2]) {
        let last = self.block.len() - wins.len();
        for (strip, win) in self.block[last..].iter_mut().zip(wins) {
            strip[place] = win;
        }
    }

    /// The solved block.
    pub fn into_block(self) -> Block {
        self.block
    }

    /// The strip of `set`; its index in the strip is [`place`].
    #[inline(always)]
    pub fn strip(&self, set: LiveSet, team: Team) -> &Strip {
        let number = self.solved.layout.block(set);
        let block = if number == self.number { &self.block } else { &self.solved.blocks[number] };
        &block[self.solved.layout.strip_index(set, team)]
    }
}

impl WaitingWins for OpenBlock<'_> {
    #[inline(always)]
    fn waiting_win(&self, set: LiveSet, team: Team) -> f64 {
        self.strip(set, team)[place(set)]
    }
}
