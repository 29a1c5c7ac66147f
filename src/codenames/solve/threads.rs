//! Solves the blocks of a large board on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::blocks::{Block, Blocks, Layout};
use super::error::SolveError;
use super::live::LiveBoard;
use super::stop::Stop;
use super::strips;
use super::turn::Chances;
use crate::game::{Progress, Run};

/// Boards with fewer live cards are solved so fast that a second thread does not pay.
pub const PARALLEL_WIDTH: usize = 18;
/// Number of cards that select the block: it gives enough blocks for progress reports and for several threads.
const BLOCK_CARDS: usize = 8;

/// Solves all blocks, layer by layer. A layer has the blocks with the same number of cards in their numbers. A set
/// leads only to sets in its own block or in earlier layers, so the blocks of a layer can be solved in parallel.
pub fn solve_blocks(board: &LiveBoard, chances: &Chances, run: Run, stop: Stop) -> Result<Blocks, SolveError> {
    let parallel = board.width() >= PARALLEL_WIDTH;
    let mut blocks = Blocks::new(Layout::new(board.width(), if parallel { BLOCK_CARDS } else { 0 }));
    let threads = if parallel { run.threads.get() } else { 1 };
    let total = blocks.layout().blocks();
    let done = AtomicU64::new(0);
    for cards in 0..=total.trailing_zeros() {
        let layer: Vec<usize> = (0..total).filter(|number| number.count_ones() == cards).collect();
        let solve = |number: usize| {
            let block = strips::solve_block(board, chances, &blocks, number, stop)?;
            (run.watch)(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total: total as u64 });
            Ok(block)
        };
        for (number, block) in solve_layer(&layer, threads, &solve)? {
            blocks.insert(number, block);
        }
    }
    Ok(blocks)
}

/// A solved block with its number.
type Numbered = (usize, Block);
type SolveBlock<'a> = &'a (dyn Fn(usize) -> Result<Block, SolveError> + Sync);

/// Solves the blocks of a layer. Each thread takes the next block from a queue. The calling thread works too, so the
/// layer is solved even if no other thread can be started.
fn solve_layer(layer: &[usize], threads: usize, solve: SolveBlock) -> Result<Vec<Numbered>, SolveError> {
    let queue = Mutex::new(layer.iter());
    let next = || queue.lock().expect("no thread panics while it holds the queue").next().copied();
    let work = || -> Result<Vec<Numbered>, SolveError> {
        std::iter::from_fn(next).map(|number| Ok((number, solve(number)?))).collect()
    };
    thread::scope(|scope| {
        let helpers = threads.min(layer.len()).saturating_sub(1);
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let started: Vec<_> = (0..helpers).map_while(start).collect();
        let mut blocks = work()?;
        for helper in started {
            blocks.extend(helper.join().expect("solving a block does not panic")?);
        }
        Ok(blocks)
    })
}
