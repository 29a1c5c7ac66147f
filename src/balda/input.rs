//! Balda as a game of texts: inputs that are drawn, judged and made smaller.

use std::sync::Arc;
use std::time::Duration;

use super::alphabet::Language;
use super::clock::Clock;
use super::engine::{Balda, Effort, Source};
use super::judge::{self, Encoding, Violation};
use super::{PROFILE, PlayedGame, explain, request};
use crate::clock::Instant;
use crate::game::call::{Body, Call, CallRequest, Outcome, Parameters, Refusal};
use crate::game::{
    AnswerError, Error, FaultKind, Form, Input, Judgement, Judging, Kind, Load, Points, Profile, Reply, ReplyError,
    Run, SampleError, Size, Sizes, TestGame, TestInput, TextGame, TextLines,
};
use crate::input::{InputError, Lines};
use crate::seeded::Seeded;

const LETTERS: &str = "letters";
const WORDS: &str = "words";
/// Number of words in a small dictionary.
const FEW_WORDS: usize = 60;
/// Number of proposals for an answer without a deadline. The same number gives the same game.
const ANSWER_PROPOSALS: u64 = 50_000;

impl TextGame for Balda {
    fn profile(&self) -> Profile<'_> {
        PROFILE
    }

    fn ready(&self) -> Result<(), Error> {
        Language::ALL.into_iter().try_for_each(|language| self.shipped(language).map(|_| ()).map_err(Error::Table))
    }

    fn read_next(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn Input>>, InputError> {
        Ok(self.read_test(lines)?.map(|input| input as Arc<dyn Input>))
    }

    fn skip_next(&self, lines: &mut TextLines<'_>) -> Result<(), InputError> {
        judge::read_input(lines).map(|_| ())
    }

    fn answer_next(
        &self,
        lines: &mut TextLines<'_>,
        form: Form,
        run: &Run<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<String>, AnswerError> {
        let line = lines.next_number();
        let input = judge::read_input(lines)?;
        answer(self, input, form, run, out).map_err(|error| AnswerError::Game { line, error })?;
        Ok(None)
    }
}

impl TestGame for Balda {
    fn sizes(&self) -> Vec<Size> {
        vec![Size { name: LETTERS, limits: 3..=15 }, Size { name: WORDS, limits: 1..=1_000_000 }]
    }

    fn sample(self: Arc<Self>, kind: Kind, sizes: &Sizes, seed: u64) -> Result<Arc<dyn TestInput>, SampleError> {
        sizes.check(&self.sizes()).map_err(SampleError::Sizes)?;
        let mut seeded = Seeded(seed);
        let language = Language::ALL[seeded.below(3) as usize];
        let shipped = self.shipped(language).map_err(|error| SampleError::Game(error.into()))?;
        let contest = |word: &[super::Letter]| word.iter().map(|letter| letter.to_contest()).collect::<Vec<u8>>();
        let shipped: Vec<Vec<u8>> = shipped.dictionary.words().map(contest).collect();
        let drawn = match kind {
            Kind::Tiny => 5,
            Kind::Ordinary => [5, 7][seeded.below(2) as usize],
            Kind::Worst => 11,
            Kind::Edge => [5, 7, 9, 11][seeded.below(4) as usize],
        };
        let letters = sizes.size(LETTERS, seed).unwrap_or(drawn) as usize;
        let starts: Vec<&Vec<u8>> = shipped.iter().filter(|word| word.len() == letters).collect();
        if starts.is_empty() || letters.is_multiple_of(2) {
            let message = format!("no start word of {letters} letters, ask for an odd number");
            return Err(SampleError::Sizes(message));
        }
        let start = starts[seeded.below(starts.len() as u64) as usize].clone();
        let drawn = match kind {
            Kind::Tiny => Some(FEW_WORDS),
            Kind::Ordinary | Kind::Worst => None,
            // A dictionary of the start word alone is valid, and has no legal move.
            Kind::Edge => [Some(1), Some(FEW_WORDS), None][seeded.below(3) as usize],
        };
        let count = sizes.size(WORDS, seed).map(|words| words as usize).or(drawn);
        let words = match count {
            Some(count) => few_words(&shipped, &start, count, &mut seeded),
            None => shipped,
        };
        Ok(Arc::new(Words { game: self, language, start, words }))
    }

    fn read_test(self: Arc<Self>, lines: &mut TextLines<'_>) -> Result<Option<Arc<dyn TestInput>>, InputError> {
        if lines.is_at_end()? {
            return Ok(None);
        }
        // Every line keeps its number, so that errors name the right one.
        let (mut text, mut number) = (Vec::new(), 0);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line()? {
            text.resize(text.len() + (line.number - number) as usize - usize::from(number == 0), b'\n');
            number = line.number;
            text.extend_from_slice(line.bytes);
            found.push(line.bytes.to_vec());
        }
        let read = judge::read_input(&mut Lines::new(&text[..]))?;
        let words = found.split_off(found.len().min(2));
        let start = found.pop().unwrap_or_default();
        Ok(Some(Arc::new(Words { game: self, language: read.language, start, words })))
    }

    fn calls(&self) -> Vec<Call> {
        request::calls()
    }

    fn check_call(&self, call: &str, parameters: &Parameters, body: Option<&Body>) -> Result<(), Refusal> {
        request::check(call, parameters, body)
    }

    fn call(&self, request: CallRequest<'_>, better: &dyn Fn(&[u8])) -> Outcome {
        request::answer(self, request, better)
    }
}

/// Plays a game until the run's deadline; without a deadline, for a fixed number of proposals.
fn play(balda: &Balda, input: judge::Input, run: &Run<'_>) -> Result<PlayedGame, Error> {
    let clock = Clock { deadline: run.deadline, stop: run.cancelled };
    let proposals = run.deadline.is_none().then_some(ANSWER_PROPOSALS);
    Ok(balda.play(Source::Own(input), Effort { clock, proposals, seed: 1 })?)
}

fn answer(balda: &Balda, input: judge::Input, form: Form, run: &Run<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let language = input.language;
    let game = play(balda, input, run)?;
    match form {
        Form::Judge => judge::write_game(&game, Encoding::Contest, out),
        Form::Explain(paint) => out.extend_from_slice(explain::game_text(&game, paint).as_bytes()),
        Form::Json => out.extend_from_slice(explain::game_object(&game, language).trim_ascii_end()),
    }
    Ok(())
}

/// An input in the contest's encoding.
#[derive(Clone)]
struct Words {
    game: Arc<Balda>,
    language: Language,
    start: Vec<u8>,
    /// The dictionary, including the start word.
    words: Vec<Vec<u8>>,
}

impl Words {
    fn read(&self) -> judge::Input {
        judge::read_input(&mut Lines::new(&self.text()[..])).expect("the input is valid")
    }
}

impl Input for Words {
    fn cases(&self) -> usize {
        1
    }

    fn line(&self, _case: usize) -> u64 {
        1
    }

    fn remark(&self, _case: usize) -> Option<String> {
        None
    }

    fn load(&self, _patience: Duration) -> Result<Load, Error> {
        Ok(Load::Large)
    }

    fn answer(&self, _case: usize, form: Form, run: &Run<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        answer(&self.game, self.read(), form, run, out)
    }

    fn view(&self, view: &str, _run: &Run<'_>) -> Result<Box<dyn Reply>, ReplyError> {
        Err(ReplyError::Value(PROFILE.lacks("view", view)))
    }
}

impl TestInput for Words {
    fn text(&self) -> Vec<u8> {
        let mut text = [self.language.code().as_bytes(), b"\n", &self.start, b"\n\n"].concat();
        for word in &self.words {
            text.extend_from_slice(word);
            text.push(b'\n');
        }
        text
    }

    fn describe(&self) -> String {
        let (letters, words) = (self.start.len(), self.words.len());
        format!("language {}, {LETTERS} {letters}, {WORDS} {words}", self.language.code())
    }

    fn judge(&self, output: &[u8], judging: &Judging) -> Result<Judgement, Error> {
        let deadline = Instant::now() + judging.time;
        let input = self.read();
        match judge::check(&input, &mut Lines::new(output)) {
            Ok(_) if judging.time.is_zero() => Ok(Judgement::default()),
            Ok(game) => {
                let ours = play(&self.game, input, &Run { deadline: Some(deadline), ..Run::default() })?;
                let points = Points { command: u64::from(game.points()), ours: u64::from(ours.points()) };
                Ok(Judgement { points: Some(points), ..Judgement::default() })
            }
            Err(Violation::Format(error)) => Ok(Judgement::refused(FaultKind::Malformed, error.to_string())),
            Err(Violation::Rule { line, broken }) => {
                Ok(Judgement::refused(FaultKind::Wrong, format!("line {line}: {broken}")))
            }
        }
    }

    fn smaller(&self, _case: Option<usize>) -> Vec<Arc<dyn TestInput>> {
        let Words { start, words, .. } = self;
        let mut found: Vec<Arc<dyn TestInput>> = Vec::new();
        // Leaves out halves of the words, then quarters, and so on down to single words.
        let mut parts = 2;
        while parts / 2 < words.len() {
            let size = words.len().div_ceil(parts);
            for left_out in (0..words.len()).step_by(size) {
                let is_kept = |place: usize| !(left_out..left_out + size).contains(&place);
                let kept = words.iter().enumerate().filter(|&(place, word)| is_kept(place) || word == start);
                let kept: Vec<Vec<u8>> = kept.map(|(_, word)| word.clone()).collect();
                if kept.len() < words.len() {
                    found.push(Arc::new(Words { words: kept, ..self.clone() }));
                }
            }
            if words.len() > 1000 && parts > 64 {
                break;
            }
            parts *= 2;
        }
        let shorter = words.iter().filter(|word| word.len() % 2 == 1 && (5..start.len()).contains(&word.len()));
        for word in shorter.take(8) {
            found.push(Arc::new(Words { start: word.clone(), ..self.clone() }));
        }
        found
    }
}

/// The start word and up to `count - 1` other words. Words that need at most one letter that the start word lacks come
/// first, because they are likely to be playable.
fn few_words(shipped: &[Vec<u8>], start: &[u8], count: usize, seeded: &mut Seeded) -> Vec<Vec<u8>> {
    let foreign = |word: &[u8]| word.iter().filter(|letter| !start.contains(letter)).count();
    let is_near = |word: &[u8]| word.len() <= 5 && foreign(word) <= 1;
    let (mut near, mut far): (Vec<&Vec<u8>>, Vec<&Vec<u8>>) =
        shipped.iter().filter(|word| word.as_slice() != start).partition(|word| is_near(word));
    let mut words = vec![start.to_vec()];
    for list in [&mut near, &mut far] {
        while words.len() < count && !list.is_empty() {
            words.push(list.swap_remove(seeded.below(list.len() as u64) as usize).clone());
        }
    }
    words.sort();
    words
}
