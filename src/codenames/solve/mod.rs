//! The solver: the value of every set of unrevealed cards, in an order in which each set comes after all that it can
//! lead to.
//!
//! Two methods share the closed form of [`turn`]. [`rows`] keeps a bound per set, team and hint, which leaves next to
//! no work but takes memory: a judge's board (15 cards, 50 hints) takes 14 MiB, each further card twice as much.
//! [`strips`] keeps nothing but the values and works with vectors and a weaker bound; it is at most three times as
//! slow, and a real board of 25 cards fits in 256 MiB. So `rows` serves while its rows stay within [`ROWS_LIMIT`], and
//! `strips` beyond.
//!
//! Both leave vector instructions to the compiler, which has to do with the oldest ones of the target. Compiled for the
//! newest, the program was a sixth faster on 25 cards: not enough to choose at run time, which would need unsafe code.

pub mod book;
pub mod live;
pub mod rows;
pub mod strips;
pub mod turn;

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use book::{Binding, Book, Page, Standings};
pub use live::{LiveBoard, TooLarge};
use live::{LiveHint, LiveSet};
use turn::{Chances, Turn};

use super::rules::Team;

/// Bytes of rows up to which a row per set is kept.
pub const ROWS_LIMIT: u64 = 32 << 20;
/// Boards with fewer live cards are solved before a second thread would have started to be of use.
const PARALLEL_WIDTH: usize = 18;
/// With so many cards choosing the page there are enough pages for a progress report and for several threads.
const PAGE_CARDS: usize = 8;

/// How far a long run has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Parts of equally many sets that are solved.
    pub done: usize,
    /// All parts.
    pub total: usize,
}

/// How to run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Threads for a large board; a small one takes one.
    pub threads: NonZeroUsize,
    /// Is told how far a large board has got, from any thread.
    pub watch: &'a (dyn Fn(Progress) + Sync),
}

impl Default for Run<'_> {
    /// As many threads as the machine runs at a time, and nobody to watch.
    fn default() -> Self {
        Run { threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN), watch: &|_| () }
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// A solved board.
pub struct Solution<'a> {
    board: &'a LiveBoard,
    chances: Chances,
    standings: Box<dyn Standings>,
}

impl<'a> Solution<'a> {
    /// Solves a board, by the method that suits its size.
    pub fn new(board: &'a LiveBoard, run: Run) -> Solution<'a> {
        if rows::bytes(board) <= ROWS_LIMIT { Solution::by_rows(board) } else { Solution::by_strips(board, run) }
    }

    /// Solves a board with [`rows`].
    pub fn by_rows(board: &'a LiveBoard) -> Solution<'a> {
        let chances = Chances::new();
        let sheet = rows::solve(board, &chances);
        Solution { board, chances, standings: Box::new(sheet) }
    }

    /// Solves a board with [`strips`].
    pub fn by_strips(board: &'a LiveBoard, run: Run) -> Solution<'a> {
        let chances = Chances::new();
        let book = write_book(board, &chances, run);
        Solution { board, chances, standings: Box::new(book) }
    }

    /// The board.
    pub fn board(&self) -> &'a LiveBoard {
        self.board
    }

    /// The probability that `team` wins after it has handed over the turn while `set` is unrevealed.
    pub fn standing(&self, set: LiveSet, team: Team) -> f64 {
        self.standings.standing(set, team)
    }

    /// The probability that `team` wins when it is on the move while `set` is unrevealed.
    pub fn value(&self, set: LiveSet, team: Team) -> f64 {
        1.0 - self.standing(set, team.other())
    }

    /// The probabilities that `team` wins when it gives `hint` with the numbers 1, 2, … up to its unrevealed words.
    pub fn values(&self, set: LiveSet, team: Team, hint: LiveHint) -> Vec<f64> {
        Turn::new(self.board, set, team, hint).values(self.board, &*self.standings, &self.chances)
    }
}

/// Works out all pages: those with fewer cards in their numbers first, and those with equally many side by side,
/// because what a set leads to lies in a page with fewer of these cards or in its own.
fn write_book(board: &LiveBoard, chances: &Chances, run: Run) -> Book {
    let parallel = board.width() >= PARALLEL_WIDTH;
    let mut book = Book::new(Binding::new(board.width(), if parallel { PAGE_CARDS } else { 0 }));
    let threads = if parallel { run.threads.get() } else { 1 };
    let total = book.binding().pages();
    let solved = AtomicUsize::new(0);
    for cards in 0..=total.trailing_zeros() {
        let layer: Vec<usize> = (0..total).filter(|number| number.count_ones() == cards).collect();
        let solve = |number: usize| {
            let page = strips::solve_page(board, chances, &book, number);
            (run.watch)(Progress { done: solved.fetch_add(1, Ordering::Relaxed) + 1, total });
            page
        };
        for (number, page) in solve_layer(&layer, threads, &solve) {
            book.insert(number, page);
        }
    }
    book
}

/// Solves the pages of a layer, each by whichever thread is free.
fn solve_layer(layer: &[usize], threads: usize, solve: &(dyn Fn(usize) -> Page + Sync)) -> Vec<(usize, Page)> {
    if threads.min(layer.len()) <= 1 {
        return layer.iter().map(|&number| (number, solve(number))).collect();
    }
    let queue = Mutex::new(layer.iter());
    let next = || queue.lock().expect("no thread panics with the queue").next().copied();
    let work = || std::iter::from_fn(next).map(|number| (number, solve(number))).collect::<Vec<_>>();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(layer.len())).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a page is worked out without panicking")).collect()
    })
}
