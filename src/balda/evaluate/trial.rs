//! The trial of a proposal: what it would be worth, found before anything is changed.
//!
//! A proposal takes words away from some turns. In three steps, each of which refuses most of what is left, the turns are
//! given others: the total that is sure whatever else happens, the total if each turn got its longest word, and the total
//! of an assignment without a word twice.

use std::ops::{Range, RangeInclusive};

use super::buckets::Entry;
use super::{Evaluation, TURNS};
use crate::balda::cells::CellSet;
use crate::balda::search::Occurrence;

/// Occurrences that a proposal takes away: those that use one of `cells`, from the buckets of the turns.
struct Exclusion<S> {
    cells: S,
    turns: Range<usize>,
}

impl<S: CellSet> Exclusion<S> {
    #[inline(always)]
    fn at(&self, turn: usize) -> S {
        if self.turns.contains(&turn) { self.cells } else { S::EMPTY }
    }
}

/// A change of the fill order: the cell filled at turn `from` is filled at turn `to`, and those between make room.
#[derive(Clone, Copy)]
struct Reorder {
    from: usize,
    to: usize,
}

impl Reorder {
    fn is_later(self) -> bool {
        self.from < self.to
    }

    fn turns(self) -> RangeInclusive<usize> {
        self.from.min(self.to)..=self.from.max(self.to)
    }
}

/// A word given to the cell of a turn, or taken from it.
#[derive(Clone, Copy)]
struct Grant<S> {
    turn: usize,
    entry: Entry<S>,
}

/// What a proposal would change, kept between proposals only for its memory.
pub(super) struct Trial<S> {
    /// Turns whose word the proposal takes away, and those words.
    broken: Vec<Grant<S>>,
    /// All words through the changed cell; none if only the order changes.
    pub found: Vec<Occurrence<S>>,
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

impl<S: CellSet> Trial<S> {
    pub fn new() -> Self {
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

    /// Lists the turns that lose their word or have a longer one in `wanted`, the longest wish first.
    fn list_affected(&mut self) {
        self.affected.extend(self.broken.iter().map(|broken| broken.turn));
        for word in &self.wanted {
            let turn = usize::from(word.turn);
            if word.length == self.best[turn] && !self.affected.contains(&turn) {
                self.affected.push(turn);
            }
        }
        let best = &self.best;
        self.affected.sort_unstable_by_key(|&turn| (std::cmp::Reverse(best[turn]), turn));
    }
}

impl<S: CellSet> Evaluation<'_, S> {
    /// Changes the letter of a cell, given by its number, if the total is then at least `least`; says whether it did.
    ///
    /// Gives up before the search when the words through the cell would have to bring more than `patience`.
    pub fn try_letter(&mut self, cell: usize, letter: u8, least: i32, patience: i32) -> bool {
        let exclusion = Exclusion { cells: S::single(cell), turns: 1..self.order.len() };
        let sure = self.break_words(&exclusion);
        if least - sure > patience {
            self.roll_back();
            return false;
        }
        self.set_letter_bit(cell, letter);
        self.find_words(cell);
        if !self.is_worth(least, sure, &exclusion) {
            self.set_letter_bit(cell, self.letters[cell]);
            self.roll_back();
            return false;
        }
        self.letters[cell] = letter;
        self.buckets.remove_through(exclusion.cells);
        self.hold_grants(|evaluation, turn| evaluation.order[turn]);
        self.keep_found();
        self.improve();
        true
    }

    /// Moves the cell filled at turn `from` to turn `to` if the total is then at least `least`; says whether it did.
    pub fn try_turn(&mut self, from: usize, to: usize, least: i32) -> bool {
        let reorder = Reorder { from, to };
        let exclusion = self.exclusion(reorder);
        let sure = self.break_words(&exclusion);
        self.want_handed_over(reorder, &exclusion);
        if !self.is_worth(least, sure, &exclusion) {
            self.roll_back();
            return false;
        }
        for turn in exclusion.turns {
            let order = &self.order;
            let heir = |entry: &Entry<S>| order[heir(order, reorder, entry)];
            self.buckets.hand_over(order[turn], exclusion.cells, heir);
        }
        // The grants name turns as they were before.
        let old_order = self.reorder(reorder);
        self.hold_grants(|_, turn| old_order[turn]);
        self.number_turns(reorder.turns());
        self.improve();
        true
    }

    /// The occurrences that change their last cell. If a cell is filled later, it becomes the last of all words through it
    /// that were made since; if earlier, words through it and a cell filled in between are made at that one.
    fn exclusion(&self, Reorder { from, to }: Reorder) -> Exclusion<S> {
        if from < to {
            return Exclusion { cells: S::single(self.order[from]), turns: from + 1..to + 1 };
        }
        let between = self.order[to..from].iter().fold(S::EMPTY, |cells, &cell| cells.union(S::single(cell)));
        Exclusion { cells: between, turns: from..from + 1 }
    }

    /// Picks the unused words among the occurrences that change their last cell, longer than what their new one is sure of.
    fn want_handed_over(&mut self, reorder: Reorder, exclusion: &Exclusion<S>) {
        let trial = &mut self.trial;
        // The longest come first, so that the rest of a bucket is passed over if all of it goes to one turn.
        let floor = if reorder.is_later() { trial.floor[reorder.from] } else { 0 };
        for turn in exclusion.turns.clone() {
            let bucket = &self.buckets[self.order[turn]];
            for entry in bucket.iter().take_while(|entry| entry.length > floor) {
                if entry.cells.meets(exclusion.cells) && !self.used.contains(entry.word) {
                    let heir = heir(&self.order, reorder, entry);
                    if entry.length > trial.floor[heir] {
                        trial.wanted.push(entry.at_turn(heir));
                    }
                }
            }
        }
    }

    /// Whether the proposal leaves a total of at least `least`, of which `sure` is sure.
    fn is_worth(&mut self, least: i32, sure: i32, exclusion: &Exclusion<S>) -> bool {
        self.note_best(sure) >= least && self.grant(exclusion) >= least
    }

    /// Takes away the words that the exclusion hits, and falls back on the next in the buckets of their cells.
    /// Returns the total that is then left, should no two cells fall back on the same word.
    fn break_words(&mut self, exclusion: &Exclusion<S>) -> i32 {
        let trial = &mut self.trial;
        trial.clear();
        trial.floor = self.held_lengths;
        let mut sure = self.total;
        // Every turn is written, and kept only if it is hit: a branch here could not be predicted.
        let mut hit = [0u8; TURNS];
        let mut hits = 0;
        for turn in exclusion.turns.clone() {
            hit[hits % TURNS] = turn as u8;
            hits += usize::from(self.held_cells[turn % TURNS].meets(exclusion.cells));
        }
        for turn in hit[..hits].iter().map(|&turn| usize::from(turn)) {
            let entry = self.held[self.order[turn]];
            self.used.remove(entry.word);
            sure -= self.worth.of(entry.length);
            trial.broken.push(Grant { turn, entry });
        }
        for broken in &trial.broken {
            let bucket = &self.buckets[self.order[broken.turn]];
            let spare = bucket
                .iter()
                .find(|entry| !entry.cells.meets(exclusion.cells) && !self.used.contains(entry.word))
                .map_or(0, |entry| entry.length);
            trial.floor[broken.turn] = spare;
            sure += self.worth.of(spare);
        }
        sure
    }

    /// Finds all words through the changed cell, and picks the unused ones longer than what their cell is sure of.
    fn find_words(&mut self, cell: usize) {
        let trial = &mut self.trial;
        self.searcher.words_through(self.gaddag, &self.grid, self.grid.square(cell), &mut trial.found);
        self.words_found += trial.found.len();
        let is_wanted =
            |word: &&Occurrence<S>| word.length > trial.floor[usize::from(word.turn)] && !self.used.contains(word.word);
        trial.wanted.extend(trial.found.iter().filter(is_wanted));
    }

    /// Notes the longest word for each turn; returns the total should no two turns want the same.
    fn note_best(&mut self, sure: i32) -> i32 {
        let trial = &mut self.trial;
        trial.best = trial.floor;
        let mut total = sure;
        for word in &trial.wanted {
            let best = &mut trial.best[usize::from(word.turn)];
            if word.length > *best {
                total += self.worth.of(word.length) - self.worth.of(*best);
                *best = word.length;
            }
        }
        total
    }

    /// Gives every affected turn the longest word still unused, the longest wish first; returns the total.
    fn grant(&mut self, exclusion: &Exclusion<S>) -> i32 {
        self.trial.list_affected();
        let mut total = self.total;
        for broken in &self.trial.broken {
            total += self.worth.of(0) - self.worth.of(broken.entry.length);
        }
        for index in 0..self.trial.affected.len() {
            let turn = self.trial.affected[index];
            total += self.grant_turn(turn, exclusion);
        }
        total
    }

    /// Gives one turn its longest unused word; returns what that adds to the total.
    fn grant_turn(&mut self, turn: usize, exclusion: &Exclusion<S>) -> i32 {
        let cell = self.order[turn];
        let trial = &mut self.trial;
        let is_broken = trial.broken.iter().any(|broken| broken.turn == turn);
        let present = if is_broken { Entry::NOTHING } else { self.held[cell] };
        let mut choice = present;
        for wanted in &trial.wanted {
            if usize::from(wanted.turn) == turn && wanted.length > choice.length && !self.used.contains(wanted.word) {
                choice = wanted.entry();
            }
        }
        let hidden = exclusion.at(turn);
        let spare = self.buckets[cell]
            .iter()
            .take_while(|entry| entry.length > choice.length)
            .find(|entry| !entry.cells.meets(hidden) && !self.used.contains(entry.word));
        if let Some(spare) = spare {
            choice = *spare;
        }
        if choice.length == present.length {
            return 0;
        }
        if present.length > 0 {
            self.used.remove(present.word);
            trial.given_up.push(Grant { turn, entry: present });
        }
        self.used.insert(choice.word);
        trial.grants.push(Grant { turn, entry: choice });
        self.worth.of(choice.length) - self.worth.of(present.length)
    }

    /// Marks the words in use as they were before the proposal.
    fn roll_back(&mut self) {
        for granted in &self.trial.grants {
            self.used.remove(granted.entry.word);
        }
        for taken in self.trial.broken.iter().chain(&self.trial.given_up) {
            self.used.insert(taken.entry.word);
        }
    }

    /// Holds the words that the trial gave, at the cells of its turns.
    fn hold_grants(&mut self, cell: impl Fn(&Self, usize) -> usize) {
        for index in 0..self.trial.broken.len() {
            let cell = cell(self, self.trial.broken[index].turn);
            self.held[cell] = Entry::NOTHING;
        }
        for index in 0..self.trial.grants.len() {
            let Grant { turn, entry } = self.trial.grants[index];
            let cell = cell(self, turn);
            self.held[cell] = entry;
        }
    }

    /// Changes the order, and returns it as it was.
    fn reorder(&mut self, reorder: Reorder) -> [usize; TURNS] {
        let mut before = [0; TURNS];
        before[..self.order.len()].copy_from_slice(&self.order);
        let turns = &mut self.order[reorder.turns()];
        if reorder.is_later() {
            turns.rotate_left(1)
        } else {
            turns.rotate_right(1)
        }
        before
    }

    #[inline(always)]
    fn set_letter_bit(&mut self, cell: usize, letter: u8) {
        self.grid.squares[self.grid.square(cell)].letter_bit = 1 << letter;
    }
}

/// The turn, as it is before a change of the order, whose cell will be the last of an occurrence that changes it.
#[inline(always)]
fn heir<S: CellSet>(order: &[usize], Reorder { from, to }: Reorder, entry: &Entry<S>) -> usize {
    if from < to {
        return from;
    }
    let uses = |&turn: &usize| entry.cells.meets(S::single(order[turn]));
    (to..from).rev().find(uses).unwrap_or(to)
}
