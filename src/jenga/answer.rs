//! Expected minutes: looked up where the top is complete, searched from there where it is not.

use rustc_hash::FxHashMap;

use super::form::{Form, Take};
use super::index::{Base, Class, Rank};
use super::rules::{Colour, Minutes, Move, Outlook, Tower};
use crate::ranked::{order_of, ranked};
use crate::table::{Table, TableBytes, TableError};

/// The answers for towers of any form.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    towers: &'a Table<TableBytes, f64>,
}

impl<'a> Answers<'a> {
    /// Takes the table of towers.
    pub(super) fn new(towers: &'a Table<TableBytes, f64>) -> Self {
        Answers { towers }
    }

    /// The minutes expected for a tower.
    pub(super) fn minutes(&self, tower: &Tower) -> Result<Minutes, TableError> {
        self.search().minutes(&tower.into())
    }

    /// Every move with the minutes expected after it.
    pub(super) fn advise(&self, tower: &Tower) -> Result<Advice, TableError> {
        let mut search = self.search();
        let mut choices: Vec<Choice> = Vec::new();
        for step in tower.moves() {
            let minutes = search.minutes(&Form::from(&tower.after_legal(step)))?;
            let equal = |choice: &&mut Choice| choice.colour() == step.colour && choice.minutes == minutes;
            match choices.iter_mut().find(equal) {
                Some(choice) => choice.others.push(step),
                None => choices.push(Choice { first: step, others: Vec::new(), minutes }),
            }
        }
        let choices = ranked(choices, |choice| order_of(choice.minutes.0));
        Ok(Advice { tower: tower.clone(), choices })
    }

    fn search(&self) -> Search<'a> {
        Search { answers: *self, known: FxHashMap::default() }
    }

    /// The minutes in the table, or `None` for a form that it does not hold.
    fn look_up(&self, class: Class, rank: Rank) -> Result<Option<Minutes>, TableError> {
        let Some(first) = class.first_record() else { return Ok(None) };
        let record = u64::from(first + rank.0);
        match self.towers.get(record)? {
            minutes if minutes.is_finite() && minutes >= 0.0 => Ok(Some(Minutes(minutes))),
            _ => Err(self.towers.invalid_record(record)),
        }
    }
}

/// A search down to the table that remembers what it has met.
///
/// Within the table's bound a form whose top is not complete is one or two moves away from forms that are looked up.
/// Larger towers are played down to the table; the numbers of their forms are the keys of what is remembered.
struct Search<'a> {
    answers: Answers<'a>,
    known: FxHashMap<(Class, Rank), Minutes>,
}

impl Search<'_> {
    /// The minutes expected for a form.
    fn minutes(&mut self, form: &Form) -> Result<Minutes, TableError> {
        self.minutes_over(form, &Base::from(&form.below))
    }

    /// The same for a form whose levels below the top are numbered already.
    fn minutes_over(&mut self, form: &Form, base: &Base) -> Result<Minutes, TableError> {
        let class = base.class(form.top);
        let rank = base.rank(form.top);
        if let Some(minutes) = self.answers.look_up(class, rank)? {
            return Ok(minutes);
        }
        if let Some(&minutes) = self.known.get(&(class, rank)) {
            return Ok(minutes);
        }
        let mut outlook = Outlook::NO_MOVE;
        for Take { colour, below } in form.takes() {
            let base = Base::from(&below);
            for top in form.top.puts(colour) {
                outlook.offer(colour, self.minutes_over(&Form { below, top }, &base)?);
            }
        }
        let minutes = outlook.minutes();
        self.known.insert((class, rank), minutes);
        Ok(minutes)
    }
}

/// Moves of one colour that leave the game equally long.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The first of them.
    pub first: Move,
    /// The others.
    pub others: Vec<Move>,
    /// The minutes expected after any of them.
    pub minutes: Minutes,
}

impl Choice {
    /// The colour of the block.
    pub fn colour(&self) -> Colour {
        self.first.colour
    }

    /// How many moves these are.
    pub fn moves(&self) -> usize {
        1 + self.others.len()
    }
}

/// What the player may do when the die has been thrown.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The tower.
    pub tower: Tower,
    /// Every choice of every colour, the shortest game first.
    choices: Vec<Choice>,
}

impl Advice {
    /// The choices for a colour, the best first; none where the player has to wait.
    pub fn choices(&self, colour: Colour) -> impl Iterator<Item = &Choice> {
        self.choices.iter().filter(move |choice| choice.colour() == colour)
    }

    /// The minutes expected before the die is thrown.
    pub fn minutes(&self) -> Minutes {
        let mut outlook = Outlook::NO_MOVE;
        for choice in &self.choices {
            outlook.offer(choice.colour(), choice.minutes);
        }
        outlook.minutes()
    }
}
