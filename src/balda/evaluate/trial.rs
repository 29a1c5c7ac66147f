//! The trial of a proposal: the total that it would reach, computed before the board is changed.
//!
//! A proposal takes words away from some turns. The trial computes three totals, one after the other: with the words
//! that are left in the buckets, with the longest new word for each turn, and with an assignment that uses no word
//! twice. Each step refuses most of the remaining proposals.

use std::ops::{Range, RangeInclusive};

use super::buckets::Entry;
use super::{Evaluation, TURNS};
use crate::balda::cells::CellSet;
use crate::balda::search::Occurrence;

/// The occurrences that a proposal takes away: those in the buckets of `turns` that use one of `cells`.
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

/// A change of the fill order: the cell filled at turn `from` moves to turn `to`, and the cells between shift by one.
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

/// A word that is assigned to the cell of a turn, or taken from it.
#[derive(Clone, Copy)]
struct Assignment<S> {
    turn: usize,
    entry: Entry<S>,
}

/// What a proposal would change. It is kept between proposals only to reuse its memory.
pub(super) struct Trial<S> {
    /// Turns whose word the proposal takes away, with these words.
    lost: Vec<Assignment<S>>,
    /// All words through the changed cell; none if only the order changes.
    pub found: Vec<Occurrence<S>>,
    /// Unused words that the proposal makes possible and that are longer than the fallback of their turn. Turns are
    /// numbered as before the proposal.
    candidates: Vec<Occurrence<S>>,
    /// Length of the longest word that each turn has without `candidates`.
    fallback: [u8; TURNS],
    /// Length of the longest word for each turn, if a word could be used twice.
    longest: [u8; TURNS],
    /// Turns that need or may get another word.
    affected: Vec<usize>,
    assigned: Vec<Assignment<S>>,
    /// Words of other turns that were replaced by longer ones.
    replaced: Vec<Assignment<S>>,
}

impl<S: CellSet> Trial<S> {
    pub fn new() -> Self {
        Trial {
            lost: Vec::new(),
            found: Vec::new(),
            candidates: Vec::new(),
            fallback: [0; TURNS],
            longest: [0; TURNS],
            affected: Vec::new(),
            assigned: Vec::new(),
            replaced: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.lost.clear();
        self.found.clear();
        self.candidates.clear();
        self.affected.clear();
        self.assigned.clear();
        self.replaced.clear();
    }

    /// Lists the turns that lose their word or have a longer one in `candidates`, in falling order of the longest word.
    fn list_affected(&mut self) {
        self.affected.extend(self.lost.iter().map(|lost| lost.turn));
        for word in &self.candidates {
            let turn = usize::from(word.turn);
            if word.length == self.longest[turn] && !self.affected.contains(&turn) {
                self.affected.push(turn);
            }
        }
        let longest = &self.longest;
        self.affected.sort_unstable_by_key(|&turn| (std::cmp::Reverse(longest[turn]), turn));
    }
}

impl<S: CellSet> Evaluation<'_, S> {
    /// Changes the letter of a cell, given by its number, if that reaches `min_total`; returns whether it did.
    ///
    /// Refuses without a search if the new words through the cell would have to gain more than `gain_limit`.
    pub fn try_letter(&mut self, cell: usize, letter: u8, min_total: i32, gain_limit: i32) -> bool {
        let exclusion = Exclusion { cells: S::single(cell), turns: 1..self.order.len() };
        let fallback_total = self.remove_lost_words(&exclusion);
        if min_total - fallback_total > gain_limit {
            self.roll_back();
            return false;
        }
        self.set_letter_bit(cell, letter);
        self.find_candidates(cell);
        if !self.reaches(min_total, fallback_total, &exclusion) {
            self.set_letter_bit(cell, self.letters[cell]);
            self.roll_back();
            return false;
        }
        self.letters[cell] = letter;
        self.buckets.remove_through(exclusion.cells);
        self.hold_assigned(|evaluation, turn| evaluation.order[turn]);
        self.keep_found();
        self.improve();
        true
    }

    /// Moves the cell filled at turn `from` to turn `to` if that reaches `min_total`; returns whether it did.
    pub fn try_turn(&mut self, from: usize, to: usize, min_total: i32) -> bool {
        let reorder = Reorder { from, to };
        let exclusion = self.exclusion(reorder);
        let fallback_total = self.remove_lost_words(&exclusion);
        self.find_moved_candidates(reorder, &exclusion);
        if !self.reaches(min_total, fallback_total, &exclusion) {
            self.roll_back();
            return false;
        }
        for turn in exclusion.turns {
            let order = &self.order;
            let new_cell = |entry: &Entry<S>| order[new_last_turn(order, reorder, entry)];
            self.buckets.move_through(order[turn], exclusion.cells, new_cell);
        }
        // The assignments number turns as before the change.
        let old_order = self.reorder(reorder);
        self.hold_assigned(|_, turn| old_order[turn]);
        self.number_turns(reorder.turns());
        self.improve();
        true
    }

    /// The occurrences whose last cell changes. If a cell is filled later, it becomes the last cell of the words
    /// through it that were made at turns `from + 1` to `to`. If it is filled earlier, words through it and through
    /// cells of turns `to` to `from - 1` are made at the last of these cells.
    fn exclusion(&self, Reorder { from, to }: Reorder) -> Exclusion<S> {
        if from < to {
            return Exclusion { cells: S::single(self.order[from]), turns: from + 1..to + 1 };
        }
        let between = self.order[to..from].iter().fold(S::EMPTY, |cells, &cell| cells.union(S::single(cell)));
        Exclusion { cells: between, turns: from..from + 1 }
    }

    /// Collects the unused words whose last cell changes and that are longer than the fallback of their new turn.
    fn find_moved_candidates(&mut self, reorder: Reorder, exclusion: &Exclusion<S>) {
        let trial = &mut self.trial;
        // If the cell is filled later, all words go to turn `from`, so the shorter words of each bucket can be skipped.
        let min_length = if reorder.is_later() { trial.fallback[reorder.from] } else { 0 };
        for turn in exclusion.turns.clone() {
            let bucket = &self.buckets[self.order[turn]];
            for entry in bucket.iter().take_while(|entry| entry.length > min_length) {
                if entry.cells.meets(exclusion.cells) && !self.used.contains(entry.word) {
                    let new_turn = new_last_turn(&self.order, reorder, entry);
                    if entry.length > trial.fallback[new_turn] {
                        trial.candidates.push(entry.at_turn(new_turn));
                    }
                }
            }
        }
    }

    /// Whether the proposal reaches `min_total`, given the total without the candidates.
    fn reaches(&mut self, min_total: i32, fallback_total: i32, exclusion: &Exclusion<S>) -> bool {
        self.longest_total(fallback_total) >= min_total && self.assign(exclusion) >= min_total
    }

    /// Removes the chosen words that the exclusion takes away, and finds the next unused word in the buckets of their
    /// cells. Returns the total with these fallbacks; two cells may have the same one.
    fn remove_lost_words(&mut self, exclusion: &Exclusion<S>) -> i32 {
        let trial = &mut self.trial;
        trial.clear();
        trial.fallback = self.held_lengths;
        let mut total = self.total;
        // Every turn is written, but the position advances only on a hit: a branch here would be unpredictable.
        let mut hit = [0u8; TURNS];
        let mut hits = 0;
        for turn in exclusion.turns.clone() {
            hit[hits % TURNS] = turn as u8;
            hits += usize::from(self.held_cells[turn % TURNS].meets(exclusion.cells));
        }
        for turn in hit[..hits].iter().map(|&turn| usize::from(turn)) {
            let entry = self.held[self.order[turn]];
            self.used.remove(entry.word);
            total -= self.worth.of(entry.length);
            trial.lost.push(Assignment { turn, entry });
        }
        for lost in &trial.lost {
            let bucket = &self.buckets[self.order[lost.turn]];
            let fallback = bucket
                .iter()
                .find(|entry| !entry.cells.meets(exclusion.cells) && !self.used.contains(entry.word))
                .map_or(0, |entry| entry.length);
            trial.fallback[lost.turn] = fallback;
            total += self.worth.of(fallback);
        }
        total
    }

    /// Searches for all words through the changed cell. Collects the unused ones longer than their turn's fallback.
    fn find_candidates(&mut self, cell: usize) {
        let trial = &mut self.trial;
        self.searcher.words_through(self.gaddag, &self.grid, self.grid.square(cell), &mut trial.found);
        self.words_found += trial.found.len();
        let is_candidate = |word: &&Occurrence<S>| {
            word.length > trial.fallback[usize::from(word.turn)] && !self.used.contains(word.word)
        };
        trial.candidates.extend(trial.found.iter().filter(is_candidate));
    }

    /// Sets the longest word for each turn, and returns the total with these words; two turns may have the same one.
    fn longest_total(&mut self, fallback_total: i32) -> i32 {
        let trial = &mut self.trial;
        trial.longest = trial.fallback;
        let mut total = fallback_total;
        for word in &trial.candidates {
            let longest = &mut trial.longest[usize::from(word.turn)];
            if word.length > *longest {
                total += self.worth.of(word.length) - self.worth.of(*longest);
                *longest = word.length;
            }
        }
        total
    }

    /// Assigns to every affected turn its longest unused word, in the order of the list; returns the total.
    fn assign(&mut self, exclusion: &Exclusion<S>) -> i32 {
        self.trial.list_affected();
        let mut total = self.total;
        for lost in &self.trial.lost {
            total += self.worth.of(0) - self.worth.of(lost.entry.length);
        }
        for index in 0..self.trial.affected.len() {
            let turn = self.trial.affected[index];
            total += self.assign_turn(turn, exclusion);
        }
        total
    }

    /// Assigns to a turn its longest unused word; returns what that adds to the total.
    fn assign_turn(&mut self, turn: usize, exclusion: &Exclusion<S>) -> i32 {
        let cell = self.order[turn];
        let trial = &mut self.trial;
        let is_lost = trial.lost.iter().any(|lost| lost.turn == turn);
        let current = if is_lost { Entry::NOTHING } else { self.held[cell] };
        let mut choice = current;
        for word in &trial.candidates {
            if usize::from(word.turn) == turn && word.length > choice.length && !self.used.contains(word.word) {
                choice = word.entry();
            }
        }
        let excluded = exclusion.at(turn);
        let longer = self.buckets[cell]
            .iter()
            .take_while(|entry| entry.length > choice.length)
            .find(|entry| !entry.cells.meets(excluded) && !self.used.contains(entry.word));
        if let Some(longer) = longer {
            choice = *longer;
        }
        if choice.length == current.length {
            return 0;
        }
        if current.length > 0 {
            self.used.remove(current.word);
            trial.replaced.push(Assignment { turn, entry: current });
        }
        self.used.insert(choice.word);
        trial.assigned.push(Assignment { turn, entry: choice });
        self.worth.of(choice.length) - self.worth.of(current.length)
    }

    /// Restores the used words to what they were before the proposal.
    fn roll_back(&mut self) {
        for assigned in &self.trial.assigned {
            self.used.remove(assigned.entry.word);
        }
        for removed in self.trial.lost.iter().chain(&self.trial.replaced) {
            self.used.insert(removed.entry.word);
        }
    }

    /// Chooses the words that the trial assigned; `cell` maps the turns of the trial to cells.
    fn hold_assigned(&mut self, cell: impl Fn(&Self, usize) -> usize) {
        for index in 0..self.trial.lost.len() {
            let cell = cell(self, self.trial.lost[index].turn);
            self.held[cell] = Entry::NOTHING;
        }
        for index in 0..self.trial.assigned.len() {
            let Assignment { turn, entry } = self.trial.assigned[index];
            let cell = cell(self, turn);
            self.held[cell] = entry;
        }
    }

    /// Changes the order, and returns the order before the change.
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

/// The turn, numbered as before the change of the order, whose cell becomes the last cell of the occurrence.
#[inline(always)]
fn new_last_turn<S: CellSet>(order: &[usize], Reorder { from, to }: Reorder, entry: &Entry<S>) -> usize {
    if from < to {
        return from;
    }
    let uses = |&turn: &usize| entry.cells.meets(S::single(order[turn]));
    (to..from).rev().find(uses).unwrap_or(to)
}
