//! Requests about Balda: games, games that get better and better, and the words that can be made next.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use super::clock::Clock;
use super::explain::{game_object, moves_object};
use super::position::read_position;
use super::{Balda, Effort, EngineError, Language, PROFILE, PlayedGame, Source, Start, Task, answer, judge};
use crate::clock::Instant;
use crate::game::call::{Body, Call, CallAnswer, CallRequest, Outcome, Parameter, Parameters, Refusal};
use crate::game::{Error, Load};
use crate::input::Lines;
use crate::text::{as_line, to_json};

/// The largest input in bytes: a dictionary of a few hundred thousand words.
const MAX_INPUT: usize = 4 << 20;
/// The largest board in bytes, with the words so far.
const MAX_BOARD: usize = 1 << 16;
/// The longest search in seconds.
const MAX_SECONDS: f64 = 30.0;
/// The time of the first search of a streamed game, in seconds. It doubles with each further search.
const FIRST_ROUND: f64 = 0.25;

/// The default search time of a game, in seconds.
const GAME_SECONDS: f64 = 2.5;
/// The default search time of a game that gets better and better, in seconds.
const STREAM_SECONDS: f64 = 8.0;

/// The limits and the seed of a search.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Time limit in seconds.
    seconds: f64,
    /// Number of proposals. The same number gives the same game, unless the time limit ends the search first.
    proposals: Option<u64>,
    /// The random seed.
    seed: u64,
}

impl Limits {
    /// The limits in the parameters; `seconds` is the default.
    fn read(parameters: &Parameters, seconds: f64) -> Result<Limits, Refusal> {
        let seconds = parameters.number("seconds", seconds)?;
        if !(0.1..=MAX_SECONDS).contains(&seconds) {
            let remedy = format!("write seconds from 0.1 to {MAX_SECONDS}");
            return Err(Refusal::request("the parameter seconds is out of range", remedy));
        }
        let proposals = parameters.0.get("nodes").map(|_| parameters.number("nodes", 0)).transpose()?;
        // The number of proposals ends the search. The time is then only an upper limit.
        let seconds = if proposals.is_some() { MAX_SECONDS } else { seconds };
        Ok(Limits { seconds, proposals, seed: parameters.number("seed", 1)? })
    }

    /// The clock of work that begins now.
    fn clock(self, cancelled: &AtomicBool) -> Clock<'_> {
        Clock { deadline: Some(after(self.seconds)), stop: Some(cancelled) }
    }

    /// Searches from now on.
    fn search(self, task: &Task, cancelled: &AtomicBool) -> Result<PlayedGame, Refusal> {
        let game = task.search(Effort { clock: self.clock(cancelled), proposals: self.proposals, seed: self.seed });
        if cancelled.load(Ordering::Relaxed) {
            return Err(Refusal::busy("the game was given up"));
        }
        Ok(game)
    }
}

/// What Balda can be asked.
pub(super) fn calls() -> Vec<Call> {
    let game = |name, summary, seconds, answer| Call {
        name,
        summary,
        parameters: vec![
            Parameter::required("lang", "The language: en, ru or tr", "en"),
            Parameter::required("word", "The start word", "kenaf"),
            Parameter::optional("seconds", &format!("Seconds of search, {seconds} if left out"), "0.2"),
            Parameter::optional("nodes", "Proposals in place of seconds: the same number gives the same game", "2000"),
            Parameter::optional("seed", "Where chance begins, 1 if left out", "1"),
        ],
        load: Load::Play,
        body: Some((
            Body { most: MAX_INPUT, example: String::from("en\ncat\n\nact\ncart\ncat\ntar\n"), replaces: 2 },
            Load::Large,
        )),
        answer,
    };
    let board = "en\n...\ncat\n...\ncat\n";
    vec![
        game(
            "",
            "A game of Balda, on the shipped words or on those of a judge's input",
            GAME_SECONDS,
            CallAnswer::Varying,
        ),
        game(
            "stream",
            "A game of Balda that gets better and better, as server-sent events",
            STREAM_SECONDS,
            CallAnswer::Improving,
        ),
        Call {
            name: "next",
            summary: "The words that can be made next on a board of Balda",
            parameters: vec![Parameter::required("input", "The judge's input", board)],
            load: Load::Search,
            body: Some((Body { most: MAX_BOARD, example: board.to_owned(), replaces: 1 }, Load::Search)),
            answer: CallAnswer::Same,
        },
        Call {
            name: "start",
            summary: "A start word of the shipped list",
            parameters: vec![
                Parameter::required("lang", "The language: en, ru or tr", "en"),
                Parameter::required("letters", "How many letters", "5"),
                Parameter::optional("seed", "A number that chooses the word", "7"),
            ],
            load: Load::Search,
            body: None,
            answer: CallAnswer::Same,
        },
    ]
}

/// Refuses wrong parameters of a call. A body replaces the words of the game.
pub(super) fn check(name: &str, parameters: &Parameters, body: Option<&Body>) -> Result<(), Refusal> {
    if !matches!(name, "" | "stream") {
        return Ok(());
    }
    Limits::read(parameters, GAME_SECONDS)?;
    if body.is_none() {
        parameters.text("lang")?;
        parameters.text("word")?;
    }
    Ok(())
}

/// Answers a call.
pub(super) fn answer(balda: &Balda, request: CallRequest<'_>, better: &dyn Fn(&[u8])) -> Outcome {
    let CallRequest { name, parameters, body, .. } = request;
    match name {
        "" => {
            let limits = Limits::read(parameters, GAME_SECONDS)?;
            let task = task(balda, &request, limits)?;
            Ok(game_object(&limits.search(&task, request.cancelled)?, task.language))
        }
        "stream" => {
            let limits = Limits::read(parameters, STREAM_SECONDS)?;
            improve(&task(balda, &request, limits)?, limits, request.cancelled, better)
        }
        "next" => next_words(balda, body.map_or_else(|| parameters.text("input").map(str::as_bytes), Ok)?),
        "start" => {
            let (letters, seed) = (parameters.number("letters", 5)?, parameters.number("seed", 1)?);
            start_word(balda, parameters.text("lang")?, letters, seed)
        }
        _ => Err(Refusal::request(format!("{} has no call '{name}'", PROFILE.name), "leave it out")),
    }
}

/// The game that a request is about.
fn task(balda: &Balda, request: &CallRequest<'_>, limits: Limits) -> Result<Task, Refusal> {
    let CallRequest { parameters, body, cancelled, .. } = request;
    let (source, clock) = match body {
        // Indexing the words may take half of the time.
        Some(input) => (Source::Own(judge::read_input(&mut Lines::new(*input))?), limits.clock(cancelled).part(0.5)),
        None => (Source::Shipped(read_language(parameters.text("lang")?)?, parameters.text("word")?), Clock::default()),
    };
    Ok(balda.task(source, clock)?)
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        match error {
            EngineError::Start(remedy) => Refusal::request("the word cannot start a game", remedy),
            other => Error::from(other).into(),
        }
    }
}

/// The words that can be made next on a board.
fn next_words(balda: &Balda, input: &[u8]) -> Outcome {
    let described = read_position(&mut Lines::new(input))?;
    let shipped = balda.shipped(described.language())?;
    let position = described.position(|word| shipped.words.dawg.contains(word))?;
    let moves = answer::next_moves(&position.board, &shipped.words.dawg)
        .map_err(|error| Refusal::request(error.to_string(), "ask about another board"))?;
    Ok(moves_object(&moves, &position))
}

/// A start word from the shipped list with `letters` letters, chosen by `seed`.
fn start_word(balda: &Balda, language: &str, letters: usize, seed: u64) -> Outcome {
    let language = read_language(language)?;
    let shipped = balda.shipped(language)?;
    let words: Vec<_> = shipped.dictionary.words().filter(|word| word.len() == letters).collect();
    let place = (seed % (words.len().max(1) as u64)) as usize;
    let start = words.get(place).and_then(|word| Start::new(word.iter().copied().collect()).ok());
    let Some(start) = start else {
        let what = format!("no start word has {letters} letters");
        return Err(Refusal::request(what, "ask for 3, 5, 7, 9, 11, 13 or 15 letters"));
    };
    Ok(as_line(to_json(&StartObject { language: language.code(), word: start.to_string() })))
}

/// The time after this number of seconds.
fn after(seconds: f64) -> Instant {
    Instant::now() + Duration::from_secs_f64(seconds)
}

/// Searches repeatedly, each time for longer, and calls `better` with every game that is better than all before it.
fn improve(task: &Task, limits: Limits, cancelled: &AtomicBool, better: &dyn Fn(&[u8])) -> Outcome {
    let end = after(limits.seconds);
    let mut best: Option<PlayedGame> = None;
    let mut round = FIRST_ROUND;
    for seed in limits.seed.. {
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        // The last round takes all the time that is left, because one long search finds more than two short ones.
        let seconds = if left < 3.0 * round { left } else { round };
        let game = Limits { seconds, seed, ..limits }.search(task, cancelled)?;
        if best.as_ref().is_none_or(|best| game.letters() > best.letters()) {
            better(&game_object(&game, task.language));
            best = Some(game);
        }
        round *= 2.0;
        // With a number of proposals there is only one search: a second one would use another seed.
        if Instant::now() >= end || limits.proposals.is_some() {
            break;
        }
    }
    best.map(|game| game_object(&game, task.language)).ok_or_else(|| Refusal::busy("there was no time for a game"))
}

fn read_language(code: &str) -> Result<Language, Refusal> {
    code.parse().map_err(|_| Refusal::request("this language is not known", "write en, ru or tr"))
}

/// A start word.
#[derive(Serialize)]
struct StartObject {
    language: &'static str,
    word: String,
}
