//! Balda for the tester: a command must play a legal game. Its points are reported together with ours.

mod engine;

use std::ops::RangeInclusive;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tabletop::balda::PROFILE;
use tabletop::game::Kind;
use tabletop::input::InputError;
use tabletop::seeded::Seeded;
use tabletop::table::Places;

use crate::failure::Failure;
use crate::plan::{Draw, Recipe, Shape};
use crate::subject::{Defaults, Subject};
use crate::verdict::{Judgement, Points, Verdict};

use engine::{Broken, Effort, Reader};

const LETTERS: &str = "letters";
const WORDS: &str = "words";
/// Number of words in a small dictionary.
const FEW_WORDS: usize = 60;
/// Number of proposals that the engine makes for an answer file.
const ANSWER_PROPOSALS: u64 = 50_000;

/// Balda.
pub struct Balda {
    places: Places,
    /// The shipped words of each language, in the contest's encoding and order.
    shipped: [OnceLock<Vec<Vec<u8>>>; 3],
}

/// An input, in the contest's encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    language: &'static str,
    start: Vec<u8>,
    /// The sorted dictionary, including the start word.
    words: Vec<Vec<u8>>,
}

impl Balda {
    /// The name of the game.
    pub const NAME: &'static str = PROFILE.name;

    /// Balda with the shipped words. They are loaded at first use.
    pub fn new(places: &Places) -> Balda {
        Balda { places: places.clone(), shipped: Default::default() }
    }

    fn shipped(&self, language: usize) -> Result<&[Vec<u8>], Failure> {
        if let Some(words) = self.shipped[language].get() {
            return Ok(words);
        }
        let words = engine::shipped_words(&self.places, language)?;
        Ok(self.shipped[language].get_or_init(|| words))
    }

    fn reader(&self, input: &Input) -> Result<Reader, Failure> {
        Reader::new(&self.text(input)).map_err(|error| Failure::Usage(error.to_string()))
    }
}

impl Subject for Balda {
    type Input = Input;

    fn name(&self) -> &'static str {
        Balda::NAME
    }

    fn ready(&self) -> Result<(), Failure> {
        (0..self.shipped.len()).try_for_each(|language| self.shipped(language).map(|_| ()))
    }

    fn defaults(&self) -> Defaults {
        Defaults { inputs: 30, time: Duration::from_secs(3) }
    }

    fn sizes(&self) -> Vec<(&'static str, RangeInclusive<u32>)> {
        vec![(LETTERS, 3..=15), (WORDS, 1..=1_000_000)]
    }

    fn draw(&self, recipe: Recipe, shape: &Shape) -> Result<Input, Failure> {
        let mut seeded = Seeded(recipe.seed);
        let place = seeded.below(3) as usize;
        let language = engine::languages()[place];
        let shipped = self.shipped(place)?;
        let drawn = match recipe.draw {
            Draw::Kind(Kind::Tiny) => 5,
            Draw::Kind(Kind::Ordinary) => [5, 7][seeded.below(2) as usize],
            Draw::Kind(Kind::Worst) => 11,
            Draw::Edge => [5, 7, 9, 11][seeded.below(4) as usize],
        };
        let letters = shape.size(LETTERS, recipe.seed).unwrap_or(drawn) as usize;
        let starts: Vec<&Vec<u8>> = shipped.iter().filter(|word| word.len() == letters).collect();
        if starts.is_empty() || letters.is_multiple_of(2) {
            return Err(Failure::Usage(format!("--shape: no start word of {letters} letters, ask for an odd number")));
        }
        let start = starts[seeded.below(starts.len() as u64) as usize].clone();
        let drawn = match recipe.draw {
            Draw::Kind(Kind::Tiny) => Some(FEW_WORDS),
            Draw::Kind(_) => None,
            // A dictionary of the start word alone is valid, and has no legal move.
            Draw::Edge => [Some(1), Some(FEW_WORDS), None][seeded.below(3) as usize],
        };
        let count = shape.size(WORDS, recipe.seed).map(|words| words as usize).or(drawn);
        let words = match count {
            Some(count) => few_words(shipped, &start, count, &mut seeded),
            None => shipped.to_vec(),
        };
        Ok(Input { language, start, words })
    }

    fn text(&self, input: &Input) -> Vec<u8> {
        let mut text = [input.language.as_bytes(), b"\n", &input.start, b"\n\n"].concat();
        for word in &input.words {
            text.extend_from_slice(word);
            text.push(b'\n');
        }
        text
    }

    fn read(&self, text: &[u8]) -> Result<Input, InputError> {
        Reader::new(text)?;
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        let code = lines.next().unwrap_or_default();
        let language = engine::languages().into_iter().find(|language| language.as_bytes() == code);
        let start = lines.next().unwrap_or_default().to_vec();
        Ok(Input { language: language.unwrap_or_default(), start, words: lines.map(<[u8]>::to_vec).collect() })
    }

    fn describe(&self, input: &Input) -> String {
        let Input { language, start, words } = input;
        format!("language {language}, {LETTERS} {}, {WORDS} {}", start.len(), words.len())
    }

    fn answer(&self, input: &Input) -> Result<Vec<u8>, Failure> {
        Ok(self.reader(input)?.play(&Effort::Proposals(ANSWER_PROPOSALS)).text())
    }

    fn judge(&self, input: &Input, output: &[u8], time: Duration) -> Result<Judgement, Failure> {
        let deadline = Instant::now() + time;
        let reader = self.reader(input)?;
        Ok(match reader.score(output) {
            // Zero time means an answer file. It is checked but not compared with our score.
            Ok(_) if time.is_zero() => Judgement::ACCEPTED,
            Ok(command) => {
                let ours = reader.play(&Effort::Until(deadline)).score();
                Judgement { points: Some(Points { command, ours }), ..Judgement::ACCEPTED }
            }
            Err(Broken::Rule(reason)) => Judgement::refused(Verdict::WrongAnswer, reason),
            Err(Broken::Format(reason)) => Judgement::refused(Verdict::PresentationError, reason),
        })
    }

    fn smaller(&self, input: &Input, _case: Option<usize>) -> Vec<Input> {
        let Input { start, words, .. } = input;
        let mut found = Vec::new();
        // Leaves out halves of the words, then quarters, and so on down to single words.
        let mut parts = 2;
        while parts / 2 < words.len() {
            let size = words.len().div_ceil(parts);
            for left_out in (0..words.len()).step_by(size) {
                let is_kept = |place: usize| !(left_out..left_out + size).contains(&place);
                let kept = words.iter().enumerate().filter(|&(place, word)| is_kept(place) || word == start);
                let kept: Vec<Vec<u8>> = kept.map(|(_, word)| word.clone()).collect();
                if kept.len() < words.len() {
                    found.push(Input { words: kept, ..input.clone() });
                }
            }
            if words.len() > 1000 && parts > 64 {
                break;
            }
            parts *= 2;
        }
        let shorter = words.iter().filter(|word| word.len() % 2 == 1 && (5..start.len()).contains(&word.len()));
        found.extend(shorter.take(8).map(|word| Input { start: word.clone(), ..input.clone() }));
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
