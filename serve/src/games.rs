//! The games with exact answers, behind one object-safe trait.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabletop::game::{Game, Kind, Profile, Visitor, visit_all};
use tabletop::hopchess::Hopchess;
use tabletop::query::{Form, Writer};
use tabletop::table::Places;

use crate::codenames;
use crate::failure::Failure;
use crate::pool::Work;
use crate::traffic::Traffic;

/// Maximum number of cases in a request.
pub const MAX_CASES: usize = 100;
/// Maximum number of cases that are answered at once. A request with more cases goes to a pool.
const QUICK_CASES: usize = 5;

/// An answer as JSON, or an error.
pub type Outcome = Result<Vec<u8>, Failure>;

/// A parsed question.
pub enum Asked {
    /// The answer, from a lookup.
    Answered(Vec<u8>),
    /// Work for a pool: the answer takes longer than a lookup.
    Later(PoolKind, Work<Outcome>),
}

/// The pool that does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolKind {
    /// Work that takes up to a few seconds and 16 MiB.
    Search,
    /// Searches beyond the tables, which take up to 128 MiB, one at a time.
    Deep,
    /// Work that takes up to 512 MiB, one at a time.
    Large,
}

/// A game with exact answers.
pub trait Served: Send + Sync {
    /// The name and the texts of the game.
    fn profile(&self) -> &'static Profile;

    /// Parses an input, and answers it if a lookup is enough.
    fn ask(&self, input: &[u8]) -> Result<Asked, Failure>;

    /// Answers one of the game's own questions, such as `reroll`.
    fn reply(&self, question: &str, value: &str) -> Outcome;

    /// A seeded input.
    fn sample(&self, kind: Kind, seed: u64) -> String;
}

/// The games. All requests share their tables.
pub struct Games {
    /// All games in the order of the list.
    pub all: Vec<Arc<dyn Served>>,
    /// Hop chess with its concrete type.
    pub hopchess: Arc<Hopchess>,
}

impl Games {
    /// The games with the tables in these places. Long searches give way to `traffic`.
    pub fn at(places: &Places, traffic: &Arc<Traffic>) -> Games {
        let hopchess = Arc::new(Hopchess::at(places));
        Games { all: visit_all(&mut Opening { places, traffic, hopchess: &hopchess }), hopchess }
    }

    /// The game of this name.
    pub fn named(&self, name: &str) -> Option<&Arc<dyn Served>> {
        self.all.iter().find(|game| game.profile().name == name)
    }
}

struct Opening<'a> {
    places: &'a Places,
    traffic: &'a Arc<Traffic>,
    hopchess: &'a Arc<Hopchess>,
}

impl Visitor for Opening<'_> {
    type Output = Arc<dyn Served>;

    fn visit<G: Game>(&mut self) -> Arc<dyn Served> {
        let shared: Arc<dyn Any + Send + Sync> = self.hopchess.clone();
        let game = shared.downcast::<G>().unwrap_or_else(|_| Arc::new(G::at(self.places)));
        let exact = Exact(game);
        match G::PROFILE.name {
            codenames::NAME => Arc::new(codenames::Cancellable { exact, traffic: Arc::clone(self.traffic) }),
            _ => Arc::new(exact),
        }
    }
}

/// A game that is answered through the [`Game`] trait.
pub struct Exact<G>(Arc<G>);

impl<G: Game> Exact<G> {
    fn read(input: &[u8]) -> Result<Vec<G::Case>, Failure> {
        let cases = G::read_all(input)?;
        if cases.len() > MAX_CASES {
            let what = format!("{} cases in one request", cases.len());
            return Err(Failure::bad_request(what, format!("ask about at most {MAX_CASES} at a time")));
        }
        Ok(cases)
    }
}

fn answer<G: Game>(game: &G, cases: &[G::Case], cancelled: Option<&AtomicBool>) -> Outcome {
    let mut out = Vec::new();
    let mut writer = Writer::new(game, Form::Json);
    writer.begin(&mut out);
    for case in cases {
        if cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(Failure::busy("the question was given up"));
        }
        writer.answer(case, &mut out)?;
    }
    writer.end(&mut out);
    Ok(out)
}

impl<G: Game> Served for Exact<G> {
    fn profile(&self) -> &'static Profile {
        &G::PROFILE
    }

    fn ask(&self, input: &[u8]) -> Result<Asked, Failure> {
        let cases = Self::read(input)?;
        let are_quick = cases.iter().all(|case| self.0.is_quick(case));
        if cases.len() <= QUICK_CASES && are_quick {
            return answer(&*self.0, &cases, None).map(Asked::Answered);
        }
        let game = Arc::clone(&self.0);
        let pool = if are_quick { PoolKind::Search } else { PoolKind::Deep };
        Ok(Asked::Later(pool, Box::new(move |cancelled| answer(&*game, &cases, Some(cancelled)))))
    }

    fn reply(&self, question: &str, value: &str) -> Outcome {
        let mut text = self.0.reply(question, value)?.to_json();
        text.push(b'\n');
        Ok(text)
    }

    fn sample(&self, kind: Kind, seed: u64) -> String {
        G::write(&[G::sample(kind, seed)])
    }
}
