//! Facts about coloured Jenga.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use rayon::prelude::*;
use tabletop::jenga::form::{Form, Take, Top};
use tabletop::jenga::index::{Base, Class, Rank, TABLE_BLOCKS, unrank};
use tabletop::jenga::rules::{Colour, Minutes, PLACES};

use super::columns::{Columns, ranks};
use super::{Solved, describe};

const MAX_LEVELS: u8 = (TABLE_BLOCKS / PLACES) as u8;

pub(super) fn stats(known: &Columns<f64>) -> String {
    let (any_play, best_play) = (most_moves(), most_moves_of_best_play(known));
    let mut text = String::from("coloured Jenga\n");
    let mut fact = |what: &str, value: String| {
        writeln!(text, "  {what:<44} {value}").expect("a string takes any text");
    };
    fact("towers of up to six levels", Solved::of(known).to_string());
    for levels in 1..=MAX_LEVELS {
        let start = Class { full: levels - 1, half: 0, top: PLACES as u8 };
        fact(&format!("n = {levels}, the longest game"), extreme(known, start, Ordering::Greater));
        fact(&format!("n = {levels}, the shortest game"), extreme(known, start, Ordering::Less));
        let most = |moves: &Columns<u8>| moves.class(start).iter().copied().max().unwrap_or(0);
        let moves = format!("{} in any game, {} in one of best moves", most(&any_play), most(&best_play));
        fact(&format!("n = {levels}, the most moves"), moves);
    }
    fact("the place matters on a new level", Placement::count(known, PLACES as u8).to_string());
    fact("the place matters beside a first block", Placement::count(known, 1).to_string());
    text
}

/// The starts with the largest or the smallest value.
fn extreme(known: &Columns<f64>, start: Class, direction: Ordering) -> String {
    let values = known.class(start);
    let further = |a: &f64, b: &f64| if direction == Ordering::Greater { a.total_cmp(b) } else { b.total_cmp(a) };
    let value = values.iter().copied().max_by(further).unwrap_or(0.0);
    let equal: Vec<usize> = (0..values.len()).filter(|&rank| values[rank] == value).collect();
    let example = describe(&unrank(start, Rank(equal[0] as u32)).tower());
    format!("{value} minutes, such as {example}, {} of {} forms", equal.len(), values.len())
}

/// The most moves from each class in any game. It is the same for all forms of a class.
fn most_moves() -> Columns<u8> {
    let mut most = Columns::empty();
    for class in Class::all(TABLE_BLOCKS) {
        let Class { full, half, top } = class;
        let from_full = full.checked_sub(1).into_iter().flat_map(|full| [(full, half), (full, half + 1)]);
        let from_half = half.checked_sub(1).map(|half| (full, half));
        let after = from_full.chain(from_half).map(|(full, half)| match usize::from(top) {
            PLACES => Class { full: full + 1, half, top: 1 },
            _ => Class { full, half, top: top + 1 },
        });
        let moves = after.map(|after| 1 + most.class(after)[0]).max().unwrap_or(0);
        most.set(class, vec![moves]);
    }
    most
}

/// The most moves from each form if the player makes only best moves.
fn most_moves_of_best_play(known: &Columns<f64>) -> Columns<u8> {
    let mut most = Columns::empty();
    for class in Class::all(TABLE_BLOCKS) {
        let moves = ranks(class).map(|rank| {
            let steps = steps(known, &unrank(class, rank));
            let best = steps.iter().filter(|step| step.is_best(&steps));
            best.map(|step| 1 + most.value(&step.base, step.top)).max().unwrap_or(0)
        });
        let moves = moves.collect();
        most.set(class, moves);
    }
    most
}

/// A move and what it leads to.
struct Step {
    /// Steps of the same number take the same block.
    take: usize,
    colour: Colour,
    base: Base,
    top: Top,
    minutes: Minutes,
}

impl Step {
    /// Whether none of these steps of the same colour is better.
    fn is_best(&self, steps: &[Step]) -> bool {
        steps.iter().all(|other| other.colour != self.colour || other.minutes >= self.minutes)
    }
}

fn steps(known: &Columns<f64>, form: &Form) -> Vec<Step> {
    let mut steps = Vec::new();
    for (take, Take { colour, below }) in form.takes().enumerate() {
        let base = Base::from(&below);
        let puts = form.top.puts(colour).map(|top| {
            let minutes = Minutes(known.value(&base, top));
            Step { take, colour, base, top, minutes }
        });
        steps.extend(puts);
    }
    steps
}

/// How often it matters where a block is put.
#[derive(Default)]
struct Placement {
    /// Forms in which a block can go to different places.
    choices: usize,
    /// Forms in which a best move gets worse if its block is put elsewhere.
    matters: usize,
}

impl Placement {
    /// Counts over the forms with this many blocks on the top.
    fn count(known: &Columns<f64>, top: u8) -> Placement {
        let classes = Class::all(TABLE_BLOCKS).into_iter().filter(|class| class.top == top);
        classes.fold(Placement::default(), |sum, class| {
            let counted = ranks(class).map(|rank| Placement::of(&steps(known, &unrank(class, rank))));
            sum.plus(counted.reduce(Placement::default, Placement::plus))
        })
    }

    fn of(steps: &[Step]) -> Placement {
        let elsewhere = |step: &Step, other: &Step| step.take == other.take && step.top != other.top;
        let choice = steps.iter().any(|step| steps.iter().any(|other| elsewhere(step, other)));
        let worse = |step: &Step| steps.iter().any(|other| elsewhere(step, other) && other.minutes > step.minutes);
        let matters = steps.iter().any(|step| worse(step) && step.is_best(steps));
        Placement { choices: choice.into(), matters: matters.into() }
    }

    fn plus(self, other: Placement) -> Placement {
        Placement { choices: self.choices + other.choices, matters: self.matters + other.matters }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.matters as f64 / self.choices as f64;
        write!(f, "in {} of {} forms with a choice, {share:.1} %", self.matters, self.choices)
    }
}
