//! Hop chess: the probability that Justin wins, for all pairs of error factors.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tabletop::game::Game;
use tabletop::hopchess::{CONTEST_CELLS, Case, ErrorFactor, Factors, Hopchess};
use tabletop::text;

use crate::failure::Failure;
use crate::games::{Asked, Outcome, PoolKind};

/// The largest error factor of the contest.
const LARGEST: u64 = 13;

/// `probabilities` has a row for each of Justin's error factors and a column for each of Donald's.
#[derive(Serialize)]
struct FactorsObject {
    game: &'static str,
    board: Vec<String>,
    mover: char,
    justin: [u64; LARGEST as usize],
    donald: [u64; LARGEST as usize],
    probabilities: Vec<Vec<f64>>,
}

/// The probabilities of a board for all pairs of error factors. The factors in the input are ignored.
///
/// A full board is looked up in the tables. A board in mid-game is searched for each pair.
pub fn factors(game: &Arc<Hopchess>, input: &[u8]) -> Result<Asked, Failure> {
    let case = std::str::from_utf8(input)
        .map_err(|_| Failure::bad_request("the input is not valid UTF-8", "send plain text"))?
        .parse::<Case>()?;
    let board = case.position.board;
    // Larger boards would take minutes for all pairs.
    if board.shape().cells() > CONTEST_CELLS {
        let what = format!("a board of {} cells", board.shape().cells());
        return Err(Failure::bad_request(what, format!("ask about boards of at most {CONTEST_CELLS} cells")));
    }
    if board.is_full() {
        return matrix(game, case, None).map(Asked::Answered);
    }
    let game = Arc::clone(game);
    Ok(Asked::Later(PoolKind::Search, Box::new(move |cancelled| matrix(&game, case, Some(cancelled)))))
}

fn matrix(game: &Hopchess, case: Case, cancelled: Option<&AtomicBool>) -> Outcome {
    let mut probabilities = Vec::new();
    for justin in 1..=LARGEST {
        if cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(Failure::busy("the question was given up"));
        }
        let mut line = Vec::new();
        for donald in 1..=LARGEST {
            let factors = Factors { justin: factor(justin), donald: factor(donald) };
            line.push(game.value(&Case { factors, ..case })?.to_f64());
        }
        probabilities.push(line);
    }
    let numbers = std::array::from_fn(|place| place as u64 + 1);
    let mut text = text::to_json(&FactorsObject {
        game: Hopchess::PROFILE.name,
        board: case.position.board.to_string().lines().map(str::to_owned).collect(),
        mover: case.position.to_move.letter(),
        justin: numbers,
        donald: numbers,
        probabilities,
    });
    text.push(b'\n');
    Ok(text)
}

fn factor(moves: u64) -> ErrorFactor {
    ErrorFactor::new(moves).expect("an error factor is at least 1")
}
