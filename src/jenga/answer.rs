//! Expected minutes: looked up if the table has the form, otherwise searched down to the table.

use rustc_hash::FxHashMap;

use super::form::{Form, Take};
use super::index::{Base, Class, Rank};
use super::rules::{Colour, Minutes, Move, Outlook, Tower};
use crate::ranked::{order_of, ranked};
use crate::table::{Table, TableBytes, TableError};

/// Answers from the table, with a search for the forms that it does not have.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    towers: &'a Table<TableBytes, f64>,
}

impl<'a> Answers<'a> {
    /// Uses this table of towers.
    pub(super) fn new(towers: &'a Table<TableBytes, f64>) -> Self {
        Answers { towers }
    }

    /// The expected minutes of a tower.
    pub(super) fn minutes(&self, tower: &Tower) -> Result<Minutes, TableError> {
        let mut search = self.search();
        let minutes = search.minutes(&tower.into())?;
        search.require_all_bytes()?;
        Ok(minutes)
    }

    /// Every move with the expected minutes after it.
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
        search.require_all_bytes()?;
        let choices = ranked(choices, |choice| order_of(choice.minutes.0));
        Ok(Advice { tower: tower.clone(), choices })
    }

    fn search(&self) -> Search<'a> {
        Search { answers: *self, memo: FxHashMap::default(), absent: None }
    }

    /// The minutes in the table, or `None` if the table does not have the form.
    fn look_up(&self, class: Class, rank: Rank) -> Result<Option<Minutes>, TableError> {
        let Some(first) = class.first_record() else { return Ok(None) };
        let record = u64::from(first + rank.0);
        match self.towers.get(record)? {
            // The table may have been opened with another spec, which allows any value.
            minutes if minutes.is_finite() && minutes >= 0.0 => Ok(Some(Minutes(minutes))),
            _ => Err(self.towers.invalid_record(record)),
        }
    }
}

/// A search down to the table, with a memo.
///
/// Within the table's limit, a form with an incomplete top is one or two moves away from forms in the table. Larger
/// towers take more moves.
struct Search<'a> {
    answers: Answers<'a>,
    memo: FxHashMap<(Class, Rank), Minutes>,
    /// The error if bytes of the table are absent. The search goes on, so that it asks for all of them at once. Its values
    /// mean nothing then.
    absent: Option<TableError>,
}

impl Search<'_> {
    /// The expected minutes of a form.
    fn minutes(&mut self, form: &Form) -> Result<Minutes, TableError> {
        self.minutes_over(form, &Base::from(&form.below))
    }

    /// Fails if any bytes that the search needs are absent.
    fn require_all_bytes(&mut self) -> Result<(), TableError> {
        self.absent.take().map_or(Ok(()), Err)
    }

    /// The expected minutes of a form, when the levels below its top are already ranked.
    fn minutes_over(&mut self, form: &Form, base: &Base) -> Result<Minutes, TableError> {
        let class = base.class(form.top);
        let rank = base.rank(form.top);
        match self.answers.look_up(class, rank) {
            Ok(Some(minutes)) => return Ok(minutes),
            Ok(None) => {}
            Err(error) if error.is_absent() => {
                self.absent = Some(error);
                return Ok(Minutes::NONE);
            }
            Err(error) => return Err(error),
        }
        if let Some(&minutes) = self.memo.get(&(class, rank)) {
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
        self.memo.insert((class, rank), minutes);
        Ok(minutes)
    }
}

/// Moves of one colour with the same expected minutes after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The first move.
    pub first: Move,
    /// The other moves.
    pub others: Vec<Move>,
    /// The expected minutes after any of the moves.
    pub minutes: Minutes,
}

impl Choice {
    /// The colour of the block.
    pub fn colour(&self) -> Colour {
        self.first.colour
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        1 + self.others.len()
    }
}

/// The choices of the player for every colour of the die.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The tower.
    pub tower: Tower,
    /// Every choice of every colour, the fewest minutes first.
    choices: Vec<Choice>,
}

impl Advice {
    /// The choices for a colour, the best first; none if the player has to wait.
    pub fn choices(&self, colour: Colour) -> impl Iterator<Item = &Choice> {
        self.choices.iter().filter(move |choice| choice.colour() == colour)
    }

    /// The expected minutes before the die is rolled.
    pub fn minutes(&self) -> Minutes {
        let mut outlook = Outlook::NO_MOVE;
        for choice in &self.choices {
            outlook.offer(choice.colour(), choice.minutes);
        }
        outlook.minutes()
    }
}
