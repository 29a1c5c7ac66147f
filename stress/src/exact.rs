//! Games with exact answers, for the tester.

use std::ops::RangeInclusive;
use std::time::Duration;

use tabletop::game::{self, Game, Kind};
use tabletop::input::InputError;
use tabletop::query::{self, Form, QueryError};
use tabletop::seeded::Seeded;
use tabletop::table::Places;

use crate::failure::Failure;
use crate::plan::{Draw, Recipe, Shape};
use crate::subject::{Defaults, Subject};
use crate::verdict::{Judgement, Verdict};

/// Maximum number of attempts to draw a valid combination of sizes from ranges.
const SIZES_TRIED: usize = 100;
/// The name of the size that counts the cases of an input.
const CASES: &str = "cases";

/// A game with exact answers.
pub struct Exact<G> {
    game: G,
    ties: Ties,
}

/// How to judge a value halfway between two roundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// Both roundings are accepted.
    Either,
    /// Only our rounding is accepted.
    Strict,
}

/// An input: a list of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Cases<C> {
    /// The cases.
    pub cases: Vec<C>,
    /// The seed that shuffles what the contest allows in any order; `None` keeps our own order.
    pub order: Option<u64>,
}

impl<G: Game> Exact<G> {
    /// The game with the tables in these places. Drawing inputs needs no tables.
    pub fn at(places: &Places, ties: Ties) -> Exact<G> {
        Exact { game: G::at(places), ties }
    }

    fn case_count(&self, draw: Draw, seeded: &mut Seeded) -> u32 {
        let most = G::CONTEST_CASES;
        let up_to = |most: u32, seeded: &mut Seeded| 1 + seeded.below(u64::from(most)) as u32;
        match draw {
            Draw::Kind(Kind::Tiny) => 1,
            Draw::Edge => up_to(most.min(3), seeded),
            Draw::Kind(Kind::Ordinary) => up_to(most, seeded),
            Draw::Kind(Kind::Worst) => most,
        }
    }

    fn case(draw: Draw, shape: &Shape, seed: u64) -> Result<G::Case, Failure> {
        if !G::SIZES.iter().any(|size| shape.asks_for(size.name)) {
            return Ok(match draw {
                Draw::Kind(kind) => G::sample(kind, seed),
                Draw::Edge => G::edge(seed),
            });
        }
        // Some combinations of sizes within the ranges may be invalid, so several are tried.
        let mut seeds = Seeded(seed);
        let mut sized = Err(String::new());
        for _ in 0..SIZES_TRIED {
            let seed = seeds.below(1 << 53);
            let sizes: Vec<Option<u32>> = G::SIZES.iter().map(|size| shape.size(size.name, seed)).collect();
            sized = G::sized(&sizes, seed);
            if sized.is_ok() {
                break;
            }
        }
        sized.map_err(|error| Failure::Usage(format!("--shape: {error}")))
    }

    /// Judges the next words of an output as the answer to a case. It takes as many words as our answer has. White
    /// space does not matter.
    fn judge_next<'a>(&self, case: &G::Case, words: &mut impl Iterator<Item = &'a str>) -> Result<Judgement, Failure> {
        let value = self.game.value(case)?;
        let expected = self.game.answer(&value);
        let count = expected.split_ascii_whitespace().count();
        let found: Vec<&str> = words.take(count).collect();
        if found.len() < count {
            return Ok(Judgement::refused(Verdict::PresentationError, format!("expected {expected}, found nothing")));
        }
        let found = found.join(" ");
        Ok(match G::accepts(&value, &found) {
            game::Verdict::Accepted => Judgement::ACCEPTED,
            game::Verdict::Tie if self.ties == Ties::Either => Judgement { ties: 1, ..Judgement::ACCEPTED },
            game::Verdict::Tie => {
                let reason = format!("expected {expected}, found {found}, the other rounding of a tie");
                Judgement::refused(Verdict::WrongAnswer, reason)
            }
            game::Verdict::Wrong => {
                Judgement::refused(Verdict::WrongAnswer, format!("expected {expected}, found {found}"))
            }
            game::Verdict::Malformed(reason) => {
                Judgement::refused(Verdict::PresentationError, format!("expected {expected}, found {found}: {reason}"))
            }
        })
    }
}

impl<G: Game> Subject for Exact<G> {
    type Input = Cases<G::Case>;

    fn name(&self) -> &'static str {
        G::PROFILE.name
    }

    fn ready(&self) -> Result<(), Failure> {
        Ok(self.game.ready()?)
    }

    fn defaults(&self) -> Defaults {
        Defaults { inputs: 1000, time: Duration::from_secs(2) }
    }

    fn sizes(&self) -> Vec<(&'static str, RangeInclusive<u32>)> {
        let cases = (G::MAX_CASES > 1).then_some((CASES, 1..=G::MAX_CASES));
        G::SIZES.iter().map(|size| (size.name, size.limits.clone())).chain(cases).collect()
    }

    fn draw(&self, recipe: Recipe, shape: &Shape) -> Result<Cases<G::Case>, Failure> {
        let Recipe { draw, seed } = recipe;
        let mut seeded = Seeded(seed);
        if G::MAX_CASES == 1 {
            return Ok(Cases { cases: vec![Self::case(draw, shape, seed)?], order: Some(seed) });
        }
        let drawn = self.case_count(draw, &mut seeded);
        let count = shape.size(CASES, seed).unwrap_or(drawn);
        let cases = (0..count).map(|_| Self::case(draw, shape, seeded.below(1 << 53)));
        Ok(Cases { cases: cases.collect::<Result<_, _>>()?, order: Some(seed) })
    }

    fn text(&self, input: &Cases<G::Case>) -> Vec<u8> {
        match input.order {
            Some(seed) => G::write_shuffled(&input.cases, seed).into_bytes(),
            None => G::write(&input.cases).into_bytes(),
        }
    }

    fn read(&self, text: &[u8]) -> Result<Cases<G::Case>, InputError> {
        Ok(Cases { cases: G::read_all(text)?, order: None })
    }

    fn describe(&self, input: &Cases<G::Case>) -> String {
        let mut parts = Vec::new();
        if G::MAX_CASES > 1 {
            parts.push(format!("{CASES} {}", input.cases.len()));
        }
        if let [case] = &input.cases[..] {
            parts.extend(G::SIZES.iter().zip(G::sizes(case)).map(|(size, number)| format!("{} {number}", size.name)));
        }
        parts.join(", ")
    }

    fn answer(&self, input: &Cases<G::Case>) -> Result<Vec<u8>, Failure> {
        query::answer(&self.game, &self.text(input), Form::Judge).map_err(|error| match error {
            QueryError::Game(error) => error.into(),
            QueryError::Input(error) => Failure::Usage(error.to_string()),
        })
    }

    fn judge(&self, input: &Cases<G::Case>, output: &[u8], _time: Duration) -> Result<Judgement, Failure> {
        let Ok(output) = str::from_utf8(output) else {
            return Ok(Judgement::refused(Verdict::PresentationError, "the output is not plain text"));
        };
        let mut words = output.split_ascii_whitespace();
        let mut judgement = Judgement::ACCEPTED;
        for (number, case) in input.cases.iter().enumerate() {
            let judged = self.judge_next(case, &mut words)?;
            if !judged.is_accepted() {
                let reason = match input.cases.len() {
                    1 => judged.reason,
                    _ => format!("case {}: {}", number + 1, judged.reason),
                };
                return Ok(Judgement { case: Some(number), reason, ..judged });
            }
            judgement.ties += judged.ties;
        }
        Ok(match words.next() {
            Some(word) => {
                let reason = format!("the output goes on after the last answer: {word}");
                Judgement::refused(Verdict::PresentationError, reason)
            }
            None => judgement,
        })
    }

    fn smaller(&self, input: &Cases<G::Case>, case: Option<usize>) -> Vec<Cases<G::Case>> {
        let Cases { cases, order } = input;
        let count = cases.len();
        let mut lists: Vec<Vec<G::Case>> = Vec::new();
        if count > 1 {
            // The wrongly answered case alone comes first: it fails by itself unless earlier cases matter.
            lists.extend(case.and_then(|case| cases.get(case)).map(|case| vec![case.clone()]));
            lists.extend([cases[..count / 2].to_vec(), cases[count / 2..].to_vec()]);
            lists.extend((0..count).map(|left_out| [&cases[..left_out], &cases[left_out + 1..]].concat()));
        }
        let mut found: Vec<Cases<G::Case>> = lists.into_iter().map(|cases| Cases { cases, order: *order }).collect();
        if order.is_some() {
            found.push(Cases { cases: cases.clone(), order: None });
        }
        for (number, case) in cases.iter().enumerate() {
            // A case that the statement does not define proves nothing.
            for simpler in G::smaller(case).into_iter().filter(|case| self.game.remark(case).is_none()) {
                let mut cases = cases.clone();
                cases[number] = simpler;
                found.push(Cases { cases, order: *order });
            }
        }
        found
    }
}
