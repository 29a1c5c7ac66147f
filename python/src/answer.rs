//! Answers to one case. Long searches run in a thread of their own, so that Ctrl-C can stop them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabletop::balda::clock::Clock;
use tabletop::balda::{Balda, Effort, EngineError, Language, Source};
use tabletop::balda::{explain::game_object, judge};
use tabletop::dice::{Case, Hand};
use tabletop::explain::Paint;
use tabletop::game::{Form, Game, Load, OptionKind, OptionValue, PATIENCE, Run, TextGame, answer_cases, games, read};
use tabletop::jenga::Tower;
use tabletop::table::Places;

use crate::{DICE, HOPCHESS, JENGA, error};

/// How often Ctrl-C is looked for.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

static GAMES: LazyLock<Vec<Arc<dyn TextGame>>> =
    LazyLock::new(|| games(&Places::inside_program()).into_iter().map(|game| game as Arc<dyn TextGame>).collect());
static BALDA: LazyLock<Arc<Balda>> = LazyLock::new(|| Arc::new(Balda::at(&Places::inside_program())));

/// Runs `work` without the interpreter. Its flag is set by Ctrl-C, which becomes `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let cancelled = AtomicBool::new(false);
    py.detach(|| {
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let cancelled = &cancelled;
            scope.spawn(move || {
                // The receiver is kept until the thread ends.
                let _ = sender.send(work(cancelled));
            });
            let mut interrupt = None;
            loop {
                match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(done) => return interrupt.map_or(Ok(done), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(interrupt.unwrap_or_else(|| PyValueError::new_err("the search panicked")));
                    }
                    Err(RecvTimeoutError::Timeout) if interrupt.is_none() => {
                        interrupt = Python::attach(|py| py.check_signals()).err();
                        cancelled.store(interrupt.is_some(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    })
}

/// The form of an answer by its name.
fn form_of(name: &str) -> PyResult<Form> {
    match name {
        "judge" => Ok(Form::Judge),
        "text" => Ok(Form::Explain(Paint::Plain)),
        "json" => Ok(Form::Json),
        _ => Err(PyValueError::new_err(format!("'{name}' is no form, write judge, text or json"))),
    }
}

/// The game with this name and these settings: numbers above 0, rounded up.
fn game_of(py: Python<'_>, name: &str, settings: &HashMap<String, f64>) -> PyResult<Arc<dyn TextGame>> {
    let no_game = || PyValueError::new_err(format!("'{name}' is no game"));
    if settings.is_empty() {
        return GAMES.iter().find(|game| game.profile().name == name).cloned().ok_or_else(no_game);
    }
    let mut games = games(&Places::inside_program()).into_iter();
    let mut game = games.find(|game| game.profile().name == name).ok_or_else(no_game)?;
    let own = Arc::get_mut(&mut game).expect("nothing else has the game");
    for (option, &number) in settings {
        let known = own.profile().options.iter().find(|known| known.name == option).map(|known| known.kind);
        let Some(OptionKind::Number { placeholder, .. }) = known else {
            return Err(PyValueError::new_err(format!("'{option}' is no number that {name} has")));
        };
        let what = format!("the {option} is not a number of {}", placeholder.to_lowercase());
        let wrong = || error::input(py, 0, &what, &format!("pass a {option} above 0"));
        if !number.is_finite() || number <= 0.0 {
            return Err(wrong());
        }
        own.set(option, OptionValue::Number(number.ceil() as u64)).map_err(|_| wrong())?;
    }
    Ok(game)
}

/// Answers a judge's input in one of the forms `judge`, `text` and `json`, as the command line does, with these settings
/// of the game.
#[pyfunction]
pub(crate) fn answer(
    py: Python<'_>,
    game: &str,
    text: &[u8],
    form: &str,
    settings: HashMap<String, f64>,
) -> PyResult<Vec<u8>> {
    let form = form_of(form)?;
    let game = game_of(py, game, &settings)?;
    let input = read(&game, text).map_err(|error| error::of_text(py, &error))?;
    let work = |cancelled: &AtomicBool| {
        let run = Run { cancelled: Some(cancelled), ..Run::default() };
        answer_cases(game.profile(), &*input, form, &run, |_, error| error)
    };
    let is_quick = matches!(input.load(PATIENCE), Ok(Load::Lookup));
    let answered = if is_quick { py.detach(|| work(&AtomicBool::new(false))) } else { interruptible(py, work)? };
    answered.map_err(|error| error::of_game(py, &error))
}

/// Plays a game of Balda and returns it as JSON: the dictionary of a judge's input, or the shipped words if `text` is
/// `None`. The same number of proposals and the same seed give the same game.
#[pyfunction]
#[pyo3(signature = (language, word, text, time, proposals, seed))]
pub(crate) fn balda_play(
    py: Python<'_>,
    language: &str,
    word: &str,
    text: Option<&[u8]>,
    time: Option<f64>,
    proposals: u64,
    seed: u64,
) -> PyResult<Vec<u8>> {
    let no_language = |_| error::input(py, 1, &format!("'{language}' is not a language"), "write en, ru or tr");
    let language: Language = language.parse().map_err(no_language)?;
    let no_time = |_| error::input(py, 0, "the time is not a number of seconds", "pass a time above 0");
    let time = time.map(Duration::try_from_secs_f64).transpose().map_err(no_time)?;
    let input = match text {
        None => None,
        Some(text) => Some(
            judge::read_input(&mut tabletop::input::Lines::new(text)).map_err(|error| error::of_text(py, &error))?,
        ),
    };
    let balda = Arc::clone(&BALDA);
    let played = interruptible(py, move |cancelled| {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let (language, source) = match input {
            Some(input) => (input.language, Source::Own(input)),
            None => (language, Source::Shipped(language, word)),
        };
        let clock = Clock { deadline, stop: Some(cancelled) };
        let effort = Effort { clock, proposals: deadline.is_none().then_some(proposals), seed };
        Ok(game_object(&balda.play(source, effort)?, language))
    })?;
    played.map_err(|error| match error {
        EngineError::Start(remedy) => error::input(py, 2, "the word cannot start a game", &remedy),
        other => error::of_game(py, &other.into()),
    })
}

/// A hand of five dice.
fn hand(py: Python<'_>, text: &str, line: u64) -> PyResult<Hand> {
    text.parse().map_err(|_| {
        let what = format!("{} is not a hand", tabletop::input::quote(text.as_bytes()));
        error::input(py, line, &what, "write five numbers from 1 to 6")
    })
}

/// The ways out of 6^10 in which A wins after the first rolls.
#[pyfunction]
pub(crate) fn dice_ways(py: Python<'_>, a: &str, b: &str) -> PyResult<u32> {
    let case = Case::first_rolls(hand(py, a, 1)?, hand(py, b, 2)?);
    DICE.value(&case).map(|chance| chance.ways()).map_err(|error| error::of_game(py, &error))
}

/// The expected minutes of a tower in the judge's format.
#[pyfunction]
pub(crate) fn jenga_minutes(py: Python<'_>, text: &str) -> PyResult<f64> {
    let tower: Tower = text.parse().map_err(|error| error::of_text(py, &error))?;
    py.detach(|| JENGA.value(&tower)).map(|minutes| minutes.0).map_err(|error| error::of_game(py, &error))
}

/// The probability that Justin wins, in the judge's format, and the fraction if it is short.
#[pyfunction]
pub(crate) fn hopchess_chance(py: Python<'_>, text: &str) -> PyResult<(f64, Option<String>)> {
    let case: tabletop::hopchess::Case = text.parse().map_err(|error| error::of_text(py, &error))?;
    let chance = py.detach(|| HOPCHESS.value(&case)).map_err(|error| error::of_game(py, &error))?;
    Ok((chance.to_f64(), chance.fraction()))
}
