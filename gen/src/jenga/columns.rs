//! A value for every form: a column per class, addressed by rank.

use rayon::prelude::*;
use tabletop::jenga::form::{Form, Take, Top};
use tabletop::jenga::index::{Base, Class, Rank, TABLE_BLOCKS};
use tabletop::jenga::rules::{Minutes, Outlook, PLACES};

const FULLS: usize = TABLE_BLOCKS / 3 + 1;
const HALVES: usize = TABLE_BLOCKS / 2 + 1;

/// The values of type `T` that are known so far.
pub(super) struct Columns<T>(Vec<Vec<T>>);

impl<T> Columns<T> {
    /// No values are known.
    pub(super) fn empty() -> Columns<T> {
        Columns((0..FULLS * HALVES * PLACES).map(|_| Vec::new()).collect())
    }

    /// The values of a class in the order of the ranks; empty until they are known.
    pub(super) fn class(&self, class: Class) -> &[T] {
        &self.0[place(class)]
    }

    /// Stores the values of a class.
    pub(super) fn set(&mut self, class: Class, values: Vec<T>) {
        self.0[place(class)] = values;
    }
}

impl<T: Copy> Columns<T> {
    /// The value of the form with this base and top. Its class must be known.
    pub(super) fn value(&self, base: &Base, top: Top) -> T {
        self.class(base.class(top))[base.rank(top).0 as usize]
    }
}

impl Columns<f64> {
    /// The expected minutes of a form, derived from all forms that a move leads to.
    pub(super) fn derive(&self, form: &Form) -> Minutes {
        let mut outlook = Outlook::NO_MOVE;
        for Take { colour, below } in form.takes() {
            let base = Base::from(&below);
            for top in form.top.puts(colour) {
                outlook.offer(colour, Minutes(self.value(&base, top)));
            }
        }
        outlook.minutes()
    }
}

fn place(class: Class) -> usize {
    (usize::from(class.full) * HALVES + usize::from(class.half)) * PLACES + usize::from(class.top) - 1
}

/// Every rank of a class.
pub(super) fn ranks(class: Class) -> impl IndexedParallelIterator<Item = Rank> {
    (0..class.forms() as usize).into_par_iter().map(|rank| Rank(rank as u32))
}
