//! Every typed game that draws cases tests programs.

use std::sync::Arc;

use super::cases::Cases;
use super::located::Located;
use super::sample::CASES;
use super::text::{SampleError, TestGame, TestInput, TextLines};
use super::{Error, FaultKind, Game, Judgement, Judging, Kind, Sample, Size, Sizes};
use crate::input::InputError;
use crate::seeded::Seeded;

/// Maximum number of attempts to draw a valid combination of sizes from ranges.
const SIZES_TRIED: usize = 100;

impl<G: Sample> TestGame for G {
    fn sizes(&self) -> Vec<Size> {
        let most = Game::profile(self).max_cases;
        let cases = (most > 1).then_some(Size { name: CASES, limits: 1..=most });
        G::SIZES.iter().cloned().chain(cases).collect()
    }

    fn sample(self: Arc<Self>, kind: Kind, sizes: &Sizes, seed: u64) -> Result<Arc<dyn TestInput>, SampleError> {
        sizes.check(&TestGame::sizes(&*self)).map_err(SampleError::Sizes)?;
        let cases = if Game::profile(&*self).max_cases == 1 {
            vec![draw(&*self, kind, sizes, seed)?]
        } else {
            let mut seeded = Seeded(seed);
            let drawn = case_count(kind, G::CONTEST_CASES, &mut seeded);
            let count = sizes.size(CASES, seed).unwrap_or(drawn);
            (0..count).map(|_| draw(&*self, kind, sizes, seeded.below(1 << 53))).collect::<Result<_, _>>()?
        };
        let cases = cases.into_iter().map(|case| Located { line: 1, case }).collect();
        Ok(Arc::new(Cases { game: self, cases, order: Some(seed) }))
    }

    fn read_test(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn TestInput>>, InputError> {
        Ok(Cases::read_next(self, lines)?.map(|cases| cases as Arc<dyn TestInput>))
    }
}

fn case_count(kind: Kind, most: u32, seeded: &mut Seeded) -> u32 {
    let up_to = |most: u32, seeded: &mut Seeded| 1 + seeded.below(u64::from(most)) as u32;
    match kind {
        Kind::Tiny => 1,
        Kind::Edge => up_to(most.min(3), seeded),
        Kind::Ordinary => up_to(most, seeded),
        Kind::Worst => most,
    }
}

fn draw<G: Sample>(game: &G, kind: Kind, sizes: &Sizes, seed: u64) -> Result<G::Case, SampleError> {
    if !G::SIZES.iter().any(|size| sizes.asks_for(size.name)) {
        return Sample::sample(game, kind, seed).map_err(SampleError::Game);
    }
    // Some combinations of sizes within the ranges may be invalid, so several are tried.
    let mut seeds = Seeded(seed);
    let mut sized = Err(String::new());
    for _ in 0..SIZES_TRIED {
        let seed = seeds.below(1 << 53);
        let wanted: Vec<Option<u32>> = G::SIZES.iter().map(|size| sizes.size(size.name, seed)).collect();
        sized = game.sized(&wanted, seed);
        if sized.is_ok() {
            break;
        }
    }
    sized.map_err(SampleError::Sizes)
}

impl<G: Sample> Cases<G> {
    fn with(&self, cases: Vec<G::Case>, order: Option<u64>) -> Arc<dyn TestInput> {
        let cases = cases.into_iter().map(|case| Located { line: 1, case }).collect();
        Arc::new(Cases { game: Arc::clone(&self.game), cases, order })
    }

    fn plain_cases(&self) -> Vec<G::Case> {
        self.cases.iter().map(|located| located.case.clone()).collect()
    }

    /// Judges the next words of an output as the answer to a case. It takes as many words as our answer has. White
    /// space does not matter.
    fn judge_next<'a>(
        &self,
        case: &G::Case,
        words: &mut impl Iterator<Item = &'a str>,
        judging: &Judging,
    ) -> Result<Judgement, Error> {
        let value = self.game.value(case)?;
        let expected = self.game.answer(&value);
        let count = expected.split_ascii_whitespace().count();
        let found: Vec<&str> = words.take(count).collect();
        if found.len() < count {
            return Ok(Judgement::refused(FaultKind::Malformed, format!("expected {expected}, found nothing")));
        }
        let found = found.join(" ");
        Ok(Judgement::of(G::accepts(&value, &found, judging), &expected, &found, judging))
    }
}

impl<G: Sample> TestInput for Cases<G> {
    fn text(&self) -> Vec<u8> {
        let cases = self.plain_cases();
        match self.order {
            Some(seed) => G::write_shuffled(&cases, seed).into_bytes(),
            None => G::write(&cases).into_bytes(),
        }
    }

    fn describe(&self) -> String {
        let mut parts = Vec::new();
        if Game::profile(&*self.game).max_cases > 1 {
            parts.push(format!("{CASES} {}", self.cases.len()));
        }
        if let [only] = &self.cases[..] {
            let sizes = G::SIZES.iter().zip(G::sizes(&only.case));
            parts.extend(sizes.map(|(size, number)| format!("{} {number}", size.name)));
        }
        parts.join(", ")
    }

    fn judge(&self, output: &[u8], judging: &Judging) -> Result<Judgement, Error> {
        let Ok(output) = str::from_utf8(output) else {
            return Ok(Judgement::refused(FaultKind::Malformed, "the output is not plain text"));
        };
        let mut words = output.split_ascii_whitespace();
        let mut ties = 0;
        for (number, located) in self.cases.iter().enumerate() {
            let mut judged = self.judge_next(&located.case, &mut words, judging)?;
            if let Some(fault) = &mut judged.fault {
                if self.cases.len() > 1 {
                    fault.reason = format!("case {}: {}", number + 1, fault.reason);
                }
                fault.case = Some(number);
                return Ok(judged);
            }
            ties += judged.ties;
        }
        Ok(match words.next() {
            Some(word) => {
                let reason = format!("the output goes on after the last answer: {word}");
                Judgement::refused(FaultKind::Malformed, reason)
            }
            None => Judgement { ties, ..Judgement::default() },
        })
    }

    fn smaller(&self, case: Option<usize>) -> Vec<Arc<dyn TestInput>> {
        let (cases, count) = (self.plain_cases(), self.cases.len());
        let mut lists: Vec<Vec<G::Case>> = Vec::new();
        if count > 1 {
            // The wrongly answered case alone comes first: it fails by itself unless earlier cases matter.
            lists.extend(case.and_then(|case| cases.get(case)).map(|case| vec![case.clone()]));
            lists.extend([cases[..count / 2].to_vec(), cases[count / 2..].to_vec()]);
            lists.extend((0..count).map(|left_out| [&cases[..left_out], &cases[left_out + 1..]].concat()));
        }
        let mut found: Vec<Arc<dyn TestInput>> = lists.into_iter().map(|cases| self.with(cases, self.order)).collect();
        if self.order.is_some() {
            found.push(self.with(cases.clone(), None));
        }
        for (number, case) in cases.iter().enumerate() {
            // A case that the statement does not define proves nothing.
            for simpler in self.game.smaller(case).into_iter().filter(|case| self.game.remark(case).is_none()) {
                let mut cases = cases.clone();
                cases[number] = simpler;
                found.push(self.with(cases, self.order));
            }
        }
        found
    }
}
