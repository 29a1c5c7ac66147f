//! The worth of a finished board: its letters and the order in which its cells are filled.
//!
//! A word on the board can be made in exactly one turn: the one that fills the last of its cells. So every
//! occurrence of a word belongs to one cell, and a game is a choice of one occurrence for each cell with no word
//! twice. Adjacency needs no care: a word of two letters or more joins its cell to one filled before.
//!
//! [`Evaluation`] keeps all occurrences, in a bucket for each cell, the longest first. A proposal is first tried
//! against them and, if it changes letters, against all words that a search through the changed cells finds; most
//! are refused there. Only what is accepted updates the buckets, with the words that the trial has found already.

use crate::balda::cells::CellSet;
use crate::balda::lexicon::Lexicon;
use crate::balda::rules::{Cell, Game, MAX_SIDE, Move};
use crate::balda::search::{Grid, Occurrence, Searcher};

/// Room for the turns 1 to 210 at which cells are filled; turn 0 is the start word.
const TURNS: usize = 256;
const _: () = assert!(MAX_SIDE * (MAX_SIDE - 1) < TURNS);

/// An occurrence in the bucket of its last cell; length 0 stands for "no word".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry<S> {
    pub cells: S,
    pub word: u32,
    pub length: u8,
}

impl<S: CellSet> Entry<S> {
    const NOTHING: Entry<S> = Entry { cells: S::EMPTY, word: 0, length: 0 };
}

/// What a cell without a word costs, in points. The rules forbid to fill it, so that all words through it are
/// lost as well; as much as a good word is enough to keep such boards rare.
const GAP_COST: i32 = 10;

/// What a cell adds to the points by the length of its word.
fn points(length: u8) -> i32 {
    if length == 0 { -GAP_COST } else { i32::from(length) }
}

/// What a word is worth to the search by its length: its points, or more for long words and less for short ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth([i32; Worth::LENGTHS]);

impl Worth {
    /// Parts of a point in which worth is counted.
    pub const PER_POINT: i32 = 64;
    /// Longer words are worth as much as the longest of these.
    const LENGTHS: usize = 32;
    /// The length at which a bend changes nothing, in letters: an ordinary word of a good board.
    const ORDINARY: f64 = 8.0;
    /// One more letter is worth at least this, in points, so that longer is always better.
    const LEAST_STEP: f64 = 0.1;

    /// `bend` is what a word gains for each letter squared by which it differs from an ordinary one, in points.
    pub fn new(bend: f64) -> Worth {
        let mut worth = [-GAP_COST * Worth::PER_POINT; Worth::LENGTHS];
        let mut least = 0.0f64;
        for (length, place) in worth.iter_mut().enumerate().skip(1) {
            let letters = length as f64;
            let beyond = letters - Worth::ORDINARY;
            least = (letters + bend * beyond * beyond).max(least + Worth::LEAST_STEP);
            *place = libm::round(least * f64::from(Worth::PER_POINT)) as i32;
        }
        Worth(worth)
    }

    #[inline(always)]
    fn of(&self, length: u8) -> i32 {
        self.0[usize::from(length).min(Worth::LENGTHS - 1)]
    }
}

/// A new letter for a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter {
    pub cell: usize,
    pub code: u8,
}

/// Occurrences that a proposal takes away: those that meet `cells`, from the buckets of a range of turns.
#[derive(Clone, Copy)]
struct Exclusion<S> {
    cells: S,
    first: usize,
    last: usize,
}

impl<S: CellSet> Exclusion<S> {
    #[inline(always)]
    fn at(&self, turn: usize) -> S {
        if (self.first..=self.last).contains(&turn) { self.cells } else { S::EMPTY }
    }
}

/// A word given to the cell of a turn by a proposal.
#[derive(Clone, Copy)]
struct Grant<S> {
    turn: usize,
    entry: Entry<S>,
}

/// What a proposal would change, kept between proposals only for its memory.
struct Trial<S> {
    /// Turns whose word the proposal takes away, and those words.
    broken: Vec<Grant<S>>,
    /// All words through the changed cells; none if only the order changes.
    found: Vec<Occurrence<S>>,
    /// Unused words that the proposal brings to a cell, longer than what it is sure of; turns as before the proposal.
    wanted: Vec<Occurrence<S>>,
    /// Length of the longest word that each turn is sure of without `wanted`.
    floor: [u8; TURNS],
    /// The longest word for each turn, should no two turns want the same.
    best: [u8; TURNS],
    /// Turns to be given another word.
    affected: Vec<usize>,
    grants: Vec<Grant<S>>,
    /// Words of unbroken turns that were given up for longer ones.
    given_up: Vec<Grant<S>>,
}

/// A finished board, its fill order, and the words chosen for its cells.
pub(crate) struct Evaluation<'l, S> {
    lexicon: &'l Lexicon,
    grid: Grid<S>,
    searcher: Searcher<S>,
    /// Letter codes by cell.
    letters: Vec<u8>,
    /// The cell filled at each turn; turn 0 stands for the start word.
    order: Vec<usize>,
    /// All occurrences by their last cell, longest first.
    buckets: Vec<Vec<Entry<S>>>,
    /// The word chosen for each cell.
    held: Vec<Entry<S>>,
    /// The words in use, the start word among them, one bit each.
    used: Vec<u64>,
    /// Length of the word of each turn.
    held_lengths: [u8; TURNS],
    /// Cells of the word of each turn.
    held_cells: [S; TURNS],
    worth: Worth,
    /// Sum of the worths of all words held.
    total: i32,
    points: i32,
    /// Words that the searches for new letters have found so far.
    words_found: usize,
    trial: Trial<S>,
}

impl<'l, S: CellSet> Evaluation<'l, S> {
    /// Evaluates a board from scratch. `letters` are row by row with the start word in the middle row; `order`
    /// lists the other cells as they are filled.
    pub fn new(lexicon: &'l Lexicon, letters: &[u8], order: &[usize]) -> Self {
        let side = letters.len().isqrt();
        let mut grid = Grid::new(side);
        for (cell, &letter) in letters.iter().enumerate() {
            grid.squares[grid.square(cell)].letter_bit = 1 << letter;
        }
        let middle = side / 2 * side;
        let mut used = vec![0; lexicon.word_count().div_ceil(64)];
        if let Some(start) = lexicon.find(&letters[middle..middle + side]) {
            set_used(&mut used, start);
        }
        let mut evaluation = Evaluation {
            lexicon,
            grid,
            searcher: Searcher::new(),
            letters: letters.to_vec(),
            order: std::iter::once(middle).chain(order.iter().copied()).collect(),
            buckets: vec![Vec::new(); side * side],
            held: vec![Entry::NOTHING; side * side],
            used,
            held_lengths: [0; TURNS],
            held_cells: [S::EMPTY; TURNS],
            worth: Worth::new(0.0),
            total: 0,
            points: 0,
            words_found: 0,
            trial: Trial::new(),
        };
        evaluation.number_turns(1, order.len());
        evaluation.fill_buckets();
        evaluation.improve();
        evaluation
    }

    /// Sum of the worths of all words held, in parts of a point, less a penalty for each cell without a word.
    pub fn total(&self) -> i32 {
        self.total
    }

    /// Sum of the lengths of all words held, in letters, less a penalty for each cell without a word.
    pub fn points(&self) -> i32 {
        self.points
    }

    /// Words that the searches for new letters have found so far: a measure of the time that proposals took.
    pub fn words_found(&self) -> usize {
        self.words_found
    }

    /// Counts words by another worth from now on.
    pub fn set_worth(&mut self, worth: Worth) {
        self.worth = worth;
        self.sum_up();
    }

    /// Letter codes, row by row.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The cells in the order in which they are filled.
    pub fn order(&self) -> &[usize] {
        &self.order[1..]
    }

    /// The turn at which a cell is filled; 0 for the start word.
    pub fn turn(&self, cell: usize) -> usize {
        usize::from(self.grid.squares[self.grid.square(cell)].turn)
    }

    /// Changes letters if the total is then at least `least`; says whether it did.
    ///
    /// Gives up before the search when the words through the cells would have to bring more than `patience`.
    pub fn try_letters(&mut self, changes: &[Letter], least: i32, patience: i32) -> bool {
        let cells = changes.iter().fold(S::EMPTY, |cells, change| cells.union(self.single(change.cell)));
        let exclusion = Exclusion { cells, first: 1, last: self.order.len() - 1 };
        let sure = self.break_words(exclusion);
        if least - sure > patience {
            self.roll_back();
            return false;
        }
        self.put_letters(changes);
        self.find_words(changes);
        if self.optimistic(sure) < least || self.grant(exclusion) < least {
            self.put_back(changes);
            self.roll_back();
            return false;
        }
        for change in changes {
            self.letters[change.cell] = change.code;
        }
        self.commit_letters(cells);
        true
    }

    /// Moves the cell filled at turn `from` to turn `to` if the total is then at least `least`; says whether it did.
    pub fn try_turn(&mut self, from: usize, to: usize, least: i32) -> bool {
        if from < to { self.try_later(from, to, least) } else { self.try_earlier(from, to, least) }
    }

    fn try_later(&mut self, from: usize, to: usize, least: i32) -> bool {
        let cell = self.order[from];
        let exclusion = Exclusion { cells: self.single(cell), first: from + 1, last: to };
        let sure = self.break_words(exclusion);
        let floor = self.trial.floor[from];
        for turn in from + 1..=to {
            let bucket = &self.buckets[self.order[turn]];
            for entry in bucket.iter().take_while(|entry| entry.length > floor) {
                if entry.cells.meets(exclusion.cells) && !is_used(&self.used, entry.word) {
                    self.trial.wanted.push(entry.at_turn(from));
                }
            }
        }
        if self.optimistic(sure) < least || self.grant(exclusion) < least {
            self.roll_back();
            return false;
        }
        for turn in from + 1..=to {
            let mut bucket = std::mem::take(&mut self.buckets[self.order[turn]]);
            bucket.retain(|entry| {
                let moves = entry.cells.meets(exclusion.cells);
                if moves {
                    insert(&mut self.buckets[cell], *entry);
                }
                !moves
            });
            self.buckets[self.order[turn]] = bucket;
        }
        self.order[from..=to].rotate_left(1);
        self.commit_turns(from, to);
        true
    }

    fn try_earlier(&mut self, from: usize, to: usize, least: i32) -> bool {
        let cell = self.order[from];
        let shifted = self.order[to..from].iter().fold(S::EMPTY, |cells, &other| cells.union(self.single(other)));
        let exclusion = Exclusion { cells: shifted, first: from, last: from };
        let sure = self.break_words(exclusion);
        for entry in &self.buckets[cell] {
            if entry.cells.meets(shifted) && !is_used(&self.used, entry.word) {
                let turn = self.latest_turn(entry, to, from);
                if entry.length > self.trial.floor[turn] {
                    self.trial.wanted.push(entry.at_turn(turn));
                }
            }
        }
        if self.optimistic(sure) < least || self.grant(exclusion) < least {
            self.roll_back();
            return false;
        }
        let mut bucket = std::mem::take(&mut self.buckets[cell]);
        bucket.retain(|entry| {
            let moves = entry.cells.meets(shifted);
            if moves {
                let heir = self.order[self.latest_turn(entry, to, from)];
                insert(&mut self.buckets[heir], *entry);
            }
            !moves
        });
        self.buckets[cell] = bucket;
        self.order[to..=from].rotate_right(1);
        self.commit_turns(to, from);
        true
    }

    /// The latest turn in `first..end` whose cell the entry uses; there must be one.
    fn latest_turn(&self, entry: &Entry<S>, first: usize, end: usize) -> usize {
        let uses = |&turn: &usize| entry.cells.meets(self.single(self.order[turn]));
        (first..end).rev().find(uses).expect("the entry uses a cell of these turns")
    }

    #[inline(always)]
    fn single(&self, cell: usize) -> S {
        S::single(cell)
    }

    /// Takes away the words that the exclusion hits, and falls back on the next in the buckets of their cells.
    /// Returns the total that is then left, should no two cells fall back on the same word.
    fn break_words(&mut self, exclusion: Exclusion<S>) -> i32 {
        let trial = &mut self.trial;
        trial.clear();
        trial.floor = self.held_lengths;
        let mut sure = self.total;
        // Every turn is written, and kept only if it is hit: a branch here could not be predicted.
        let mut hit = [0u8; TURNS];
        let mut hits = 0;
        for turn in exclusion.first..=exclusion.last {
            hit[hits % TURNS] = turn as u8;
            hits += usize::from(self.held_cells[turn % TURNS].meets(exclusion.cells));
        }
        for turn in hit[..hits].iter().map(|&turn| usize::from(turn)) {
            let entry = self.held[self.order[turn]];
            clear_used(&mut self.used, entry.word);
            sure -= self.worth.of(entry.length);
            trial.broken.push(Grant { turn, entry });
        }
        for broken in &trial.broken {
            let bucket = &self.buckets[self.order[broken.turn]];
            let spare = bucket
                .iter()
                .find(|entry| !entry.cells.meets(exclusion.cells) && !is_used(&self.used, entry.word))
                .map_or(0, |entry| entry.length);
            trial.floor[broken.turn] = spare;
            sure += self.worth.of(spare);
        }
        sure
    }

    /// Puts the new letters on the grid.
    fn put_letters(&mut self, changes: &[Letter]) {
        for change in changes {
            self.grid.squares[self.grid.square(change.cell)].letter_bit = 1 << change.code;
        }
    }

    /// Puts the present letters back on the grid.
    fn put_back(&mut self, changes: &[Letter]) {
        for change in changes {
            self.grid.squares[self.grid.square(change.cell)].letter_bit = 1 << self.letters[change.cell];
        }
    }

    /// Finds all words through the changed cells, and picks the unused ones longer than what their cell is sure of.
    fn find_words(&mut self, changes: &[Letter]) {
        let trial = &mut self.trial;
        search_changes(&mut self.searcher, self.lexicon, &mut self.grid, changes, &mut trial.found);
        self.words_found += trial.found.len();
        let is_wanted = |word: &&Occurrence<S>| {
            word.length > trial.floor[usize::from(word.turn)] && !is_used(&self.used, word.word)
        };
        trial.wanted.extend(trial.found.iter().filter(is_wanted));
    }

    /// The total with the longest word for each cell, should no two want the same; the turns that change.
    fn optimistic(&mut self, sure: i32) -> i32 {
        let trial = &mut self.trial;
        trial.best = trial.floor;
        let mut total = sure;
        for broken in &trial.broken {
            trial.affected.push(broken.turn);
        }
        for word in &trial.wanted {
            let turn = usize::from(word.turn);
            let best = trial.best[turn];
            if word.length > best {
                if best == self.held_lengths[turn] && best == trial.floor[turn] && !trial.affected.contains(&turn) {
                    trial.affected.push(turn);
                }
                trial.best[turn] = word.length;
                total += self.worth.of(word.length) - self.worth.of(best);
            }
        }
        total
    }

    /// Gives every affected turn the longest word still unused, the longest wish first; returns the total.
    fn grant(&mut self, exclusion: Exclusion<S>) -> i32 {
        let trial = &mut self.trial;
        trial.affected.sort_unstable_by_key(|&turn| (std::cmp::Reverse(trial.best[turn]), turn));
        let mut total = self.total;
        for broken in &trial.broken {
            total += self.worth.of(0) - self.worth.of(broken.entry.length);
        }
        for index in 0..self.trial.affected.len() {
            let turn = self.trial.affected[index];
            total += self.grant_turn(turn, exclusion);
        }
        total
    }

    /// Gives one turn its longest unused word; returns what that adds to the total.
    fn grant_turn(&mut self, turn: usize, exclusion: Exclusion<S>) -> i32 {
        let cell = self.order[turn];
        let trial = &mut self.trial;
        let present =
            if trial.broken.iter().any(|broken| broken.turn == turn) { Entry::NOTHING } else { self.held[cell] };
        let mut choice = present;
        for wanted in &trial.wanted {
            if usize::from(wanted.turn) == turn && wanted.length > choice.length && !is_used(&self.used, wanted.word) {
                choice = wanted.entry();
            }
        }
        let hidden = exclusion.at(turn);
        let spare = self.buckets[cell]
            .iter()
            .take_while(|entry| entry.length > choice.length)
            .find(|entry| !entry.cells.meets(hidden) && !is_used(&self.used, entry.word));
        if let Some(spare) = spare {
            choice = *spare;
        }
        if choice.length == present.length {
            return 0;
        }
        if present.length > 0 {
            clear_used(&mut self.used, present.word);
            trial.given_up.push(Grant { turn, entry: present });
        }
        set_used(&mut self.used, choice.word);
        trial.grants.push(Grant { turn, entry: choice });
        self.worth.of(choice.length) - self.worth.of(present.length)
    }

    /// Marks the words in use as they were before the proposal.
    fn roll_back(&mut self) {
        for granted in &self.trial.grants {
            clear_used(&mut self.used, granted.entry.word);
        }
        for taken in self.trial.broken.iter().chain(&self.trial.given_up) {
            set_used(&mut self.used, taken.entry.word);
        }
    }

    fn commit_letters(&mut self, cells: S) {
        for bucket in &mut self.buckets {
            bucket.retain(|entry| !entry.cells.meets(cells));
        }
        self.hold_grants();
        self.keep_found();
        self.improve();
    }

    fn commit_turns(&mut self, first: usize, last: usize) {
        // The grants name turns as they were, so they are translated before the turns are numbered anew.
        self.hold_grants_by_old_turns(first, last);
        self.number_turns(first, last);
        self.improve();
    }

    fn hold_grants(&mut self) {
        for broken in &self.trial.broken {
            self.held[self.order[broken.turn]] = Entry::NOTHING;
        }
        for granted in &self.trial.grants {
            self.held[self.order[granted.turn]] = granted.entry;
        }
    }

    fn hold_grants_by_old_turns(&mut self, first: usize, last: usize) {
        let mut cell_of_old_turn = [0usize; TURNS];
        for &cell in &self.order[first..=last] {
            cell_of_old_turn[self.turn(cell)] = cell;
        }
        for broken in &self.trial.broken {
            self.held[cell_of_old_turn[broken.turn]] = Entry::NOTHING;
        }
        for granted in &self.trial.grants {
            self.held[cell_of_old_turn[granted.turn]] = granted.entry;
        }
    }

    fn number_turns(&mut self, first: usize, last: usize) {
        for turn in first..=last {
            self.grid.squares[self.grid.square(self.order[turn])].turn = turn as u8;
        }
    }

    /// Adds every occurrence on the board to its bucket.
    fn fill_buckets(&mut self) {
        let all: Vec<Letter> = self.letters.iter().enumerate().map(|(cell, &code)| Letter { cell, code }).collect();
        search_changes(&mut self.searcher, self.lexicon, &mut self.grid, &all, &mut self.trial.found);
        self.keep_found();
    }

    /// Adds the words through the changed cells to their buckets.
    fn keep_found(&mut self) {
        // Words within the middle row alone belong to no turn.
        for found in self.trial.found.iter().filter(|found| found.turn > 0) {
            insert(&mut self.buckets[self.order[usize::from(found.turn)]], found.entry());
        }
    }

    /// Lets each cell change to a longer unused word until none can; then sums up.
    fn improve(&mut self) {
        loop {
            let mut changed = false;
            for turn in 1..self.order.len() {
                changed |= self.improve_cell(self.order[turn]);
            }
            if !changed {
                break;
            }
        }
        self.sum_up();
    }

    fn improve_cell(&mut self, cell: usize) -> bool {
        let present = self.held[cell];
        let mut longer = self.buckets[cell].iter().take_while(|entry| entry.length > present.length);
        let Some(&choice) = longer.find(|entry| !is_used(&self.used, entry.word)) else {
            return false;
        };
        if present.length > 0 {
            clear_used(&mut self.used, present.word);
        }
        set_used(&mut self.used, choice.word);
        self.held[cell] = choice;
        true
    }

    fn sum_up(&mut self) {
        (self.total, self.points) = (0, 0);
        for (turn, &cell) in self.order.iter().enumerate().skip(1) {
            let held = self.held[cell];
            self.held_lengths[turn] = held.length;
            self.held_cells[turn] = held.cells;
            self.total += self.worth.of(held.length);
            self.points += points(held.length);
        }
    }

    /// The words chosen, by cell.
    pub fn held(&self) -> &[Entry<S>] {
        &self.held
    }

    /// Chooses the words of an earlier evaluation of this same board.
    pub fn hold(&mut self, held: &[Entry<S>]) {
        for entry in self.held.iter().filter(|entry| entry.length > 0) {
            clear_used(&mut self.used, entry.word);
        }
        self.held.copy_from_slice(held);
        for entry in held.iter().filter(|entry| entry.length > 0) {
            set_used(&mut self.used, entry.word);
        }
        self.improve();
    }

    /// The game of this board. A cell without a word cannot be filled, so words through it are given up first.
    pub fn into_game(mut self) -> Game {
        let mut unfilled = vec![false; self.held.len()];
        while let Some(cell) = self.order().iter().copied().find(|&cell| self.held[cell].length == 0 && !unfilled[cell])
        {
            unfilled[cell] = true;
            self.give_up_cell(cell);
        }
        let side = self.grid.side;
        let middle = side / 2 * side;
        let moves = self.order().iter().filter(|&&cell| self.held[cell].length > 0).map(|&cell| self.move_at(cell));
        Game { start: self.letters[middle..middle + side].to_vec(), moves: moves.collect() }
    }

    fn give_up_cell(&mut self, cell: usize) {
        let single = self.single(cell);
        for bucket in &mut self.buckets {
            bucket.retain(|entry| !entry.cells.meets(single));
        }
        for held in &mut self.held {
            if held.cells.meets(single) {
                clear_used(&mut self.used, held.word);
                *held = Entry::NOTHING;
            }
        }
        self.improve();
    }

    fn move_at(&self, cell: usize) -> Move {
        let entry = self.held[cell];
        let mut path = Vec::new();
        let starts = 0..self.letters.len();
        let found = starts.into_iter().any(|start| self.spell(&entry, 0, start, &mut path));
        assert!(found, "a word held is on the board");
        let place = |cell: usize| Cell { row: (cell / self.grid.side) as u8, column: (cell % self.grid.side) as u8 };
        Move {
            cell: place(cell),
            letter: self.letters[cell],
            word: path.iter().map(|&cell| self.letters[cell]).collect(),
            path: path.into_iter().map(place).collect(),
        }
    }

    /// Extends the path by a cell of the entry and on to the end of its word, if it can be spelt so.
    fn spell(&self, entry: &Entry<S>, node: usize, cell: usize, path: &mut Vec<usize>) -> bool {
        let node = &self.lexicon.forward[node];
        let letter_bit = 1 << self.letters[cell];
        if !entry.cells.meets(self.single(cell)) || path.contains(&cell) || node.letters & letter_bit == 0 {
            return false;
        }
        let child = node.child(letter_bit) as usize;
        path.push(cell);
        if path.len() == usize::from(entry.length) && self.lexicon.forward[child].target == entry.word {
            return true;
        }
        let square = self.grid.square(cell);
        for next in self.grid.around(square) {
            if self.grid.squares[next].letter_bit != 0 && self.spell(entry, child, self.grid.cell(next), path) {
                return true;
            }
        }
        path.pop();
        false
    }
}

impl<S: CellSet> Entry<S> {
    fn at_turn(&self, turn: usize) -> Occurrence<S> {
        Occurrence { cells: self.cells, word: self.word, length: self.length, turn: turn as u8 }
    }
}

impl<S: CellSet> Occurrence<S> {
    fn entry(&self) -> Entry<S> {
        Entry { cells: self.cells, word: self.word, length: self.length }
    }
}

impl<S: CellSet> Trial<S> {
    fn new() -> Self {
        Trial {
            broken: Vec::new(),
            found: Vec::new(),
            wanted: Vec::new(),
            floor: [0; TURNS],
            best: [0; TURNS],
            affected: Vec::new(),
            grants: Vec::new(),
            given_up: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.broken.clear();
        self.found.clear();
        self.wanted.clear();
        self.affected.clear();
        self.grants.clear();
        self.given_up.clear();
    }
}

/// Finds the words through any of the changed cells, each once.
fn search_changes<S: CellSet>(
    searcher: &mut Searcher<S>,
    lexicon: &Lexicon,
    grid: &mut Grid<S>,
    changes: &[Letter],
    found: &mut Vec<Occurrence<S>>,
) {
    for change in changes {
        let square = grid.square(change.cell);
        searcher.words_through(lexicon, grid, square, found);
        // Words through this cell are all found now: later searches go around it.
        grid.squares[square].letter_bit = 0;
    }
    for change in changes {
        grid.squares[grid.square(change.cell)].letter_bit = 1 << change.code;
    }
}

/// Most occurrences kept for one cell. Boards of real words need a hundred; where a made-up dictionary gives more, the
/// shortest are forgotten, so that a proposal stays cheap.
const BUCKET: usize = 1 << 9;

fn insert<S: CellSet>(bucket: &mut Vec<Entry<S>>, entry: Entry<S>) {
    let place = bucket.iter().position(|other| other.length < entry.length).unwrap_or(bucket.len());
    if place < BUCKET {
        bucket.truncate(BUCKET - 1);
        bucket.insert(place, entry);
    }
}

/// Whether bit `word` is set.
#[inline(always)]
fn is_used(used: &[u64], word: u32) -> bool {
    used[word as usize / 64] >> (word % 64) & 1 != 0
}

#[inline(always)]
fn set_used(used: &mut [u64], word: u32) {
    used[word as usize / 64] |= 1 << (word % 64);
}

#[inline(always)]
fn clear_used(used: &mut [u64], word: u32) {
    used[word as usize / 64] &= !(1 << (word % 64));
}

#[cfg(test)]
mod tests;
