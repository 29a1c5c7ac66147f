//! The values of all sets of unrevealed cards.
//!
//! ```text
//! set   │ page: high bits │ strip: middle bits │ place: 4 low bits │
//!
//! page  │ strip 0, Red │ strip 0, Blue │ strip 1, Red │ strip 1, Blue │ …
//! strip │ 16 values, one per place │
//! ```
//!
//! The sets of a strip differ only in their four lowest cards and lie side by side, so that one vector instruction
//! works on several of them. A page is finished by one thread and then only read; pages with equally many cards in
//! their high bits cannot lead to each other, so they can be worked on at the same time.

use super::live::LiveSet;
use crate::codenames::rules::Team;

/// Cards that tell the sets of a strip apart.
pub const STRIP_CARDS: usize = 4;
/// Sets in a strip.
pub const STRIP_SETS: usize = 1 << STRIP_CARDS;

/// The probabilities that a team wins, for each of the sets of a strip.
pub type Strip = [f64; STRIP_SETS];

/// The probability that a team wins after it has handed over the turn, by the set that is then unrevealed.
///
/// A team whose agents are all revealed has won, whoever would be next: its standing is 1, and the other team's is 0.
pub trait Standings {
    /// The standing of a team.
    fn standing(&self, set: LiveSet, team: Team) -> f64;
}

/// Where a set lies in its strip.
#[inline(always)]
pub fn place(set: LiveSet) -> usize {
    set.index() % STRIP_SETS
}

/// A page of strips, both teams' in turn.
pub type Page = Vec<Strip>;

/// How set numbers are cut into pages.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    pages: usize,
    /// Sets per page, as a power of two.
    page_shift: u32,
    /// Strips per page and team, less one.
    strip_mask: usize,
}

impl Binding {
    /// Pages for `width` live cards, so that `2^page_cards` of them hold all sets.
    pub fn new(width: usize, page_cards: usize) -> Binding {
        let width = width.max(STRIP_CARDS);
        let page_cards = page_cards.min(width - STRIP_CARDS);
        let page_width = width - page_cards;
        let strip_mask = (1 << (page_width - STRIP_CARDS)) - 1;
        Binding { pages: 1 << page_cards, page_shift: page_width as u32, strip_mask }
    }

    /// The number of pages.
    pub fn pages(self) -> usize {
        self.pages
    }

    /// The number of strips per page and team.
    pub fn strips(self) -> usize {
        self.strip_mask + 1
    }

    /// The smallest set of a strip: its low cards are all revealed.
    pub fn base(self, page: usize, strip: usize) -> LiveSet {
        LiveSet(((page * self.strips() + strip) * STRIP_SETS) as u32)
    }

    #[inline(always)]
    fn page(self, set: LiveSet) -> usize {
        set.index() >> self.page_shift
    }

    #[inline(always)]
    fn strip_index(self, set: LiveSet, team: Team) -> usize {
        let strip = (set.index() / STRIP_SETS) & self.strip_mask;
        2 * strip + team as usize
    }
}

/// All pages; those that are not finished yet are empty.
#[derive(Debug)]
pub struct Book {
    binding: Binding,
    pages: Vec<Page>,
}

impl Book {
    /// A book without a finished page.
    pub fn new(binding: Binding) -> Book {
        Book { binding, pages: vec![Page::new(); binding.pages()] }
    }

    /// How set numbers are cut into pages.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// Puts a finished page in.
    pub fn insert(&mut self, number: usize, page: Page) {
        self.pages[number] = page;
    }
}

impl Standings for Book {
    fn standing(&self, set: LiveSet, team: Team) -> f64 {
        self.pages[self.binding.page(set)][self.binding.strip_index(set, team)][place(set)]
    }
}

/// A page in work, with the finished ones to look things up in.
pub struct Desk<'a> {
    book: &'a Book,
    number: usize,
    page: Page,
}

impl Desk<'_> {
    /// Starts the page of a number.
    pub fn new(book: &Book, number: usize) -> Desk<'_> {
        Desk { book, number, page: Page::with_capacity(2 * book.binding.strips()) }
    }

    /// Starts the next strip of the page, for both teams.
    pub fn open_strip(&mut self) {
        self.page.extend([[0.0; STRIP_SETS]; 2]);
    }

    /// Writes the standings of both teams at a place of the strip that was started last.
    pub fn write(&mut self, place: usize, standings: [f64; 2]) {
        let last = self.page.len() - standings.len();
        for (strip, standing) in self.page[last..].iter_mut().zip(standings) {
            strip[place] = standing;
        }
    }

    /// The page, finished.
    pub fn into_page(self) -> Page {
        self.page
    }

    /// The strip in which `set` has the place [`place`].
    #[inline(always)]
    pub fn strip(&self, set: LiveSet, team: Team) -> &Strip {
        let number = self.book.binding.page(set);
        let page = if number == self.number { &self.page } else { &self.book.pages[number] };
        &page[self.book.binding.strip_index(set, team)]
    }
}

impl Standings for Desk<'_> {
    #[inline(always)]
    fn standing(&self, set: LiveSet, team: Team) -> f64 {
        self.strip(set, team)[place(set)]
    }
}
