//! `speak`: the protocol of game programs, which `docs/game-programs.md` describes.

use std::io::{self, BufRead};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{expected, position};
use super::error::{BadRules, Fault};
use super::examples::named_examples;
use super::explain::{Detail, Explanation, explain};
use super::file::Answers;
use super::no_answer::NoAnswer;
use super::rules::Rules;
use super::walk::{node_of, successors};
use crate::door::{Failure, print};
use crate::game::program::PROTOCOL;
use crate::seeded::Seeded;

/// Maximum number of starts in a description.
const MAX_STARTS: usize = 100;
/// A description has examples if the game has at most this number of positions: they are explored for it.
const MAX_EXPLORED: u64 = 20_000;
/// Maximum number of moves in the random game that a sample is taken from.
const MAX_MOVES: usize = 10_000;

/// A request of a door.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(super) enum Request {
    Describe,
    Value {
        position: String,
    },
    Explain {
        position: String,
        #[serde(default)]
        form: String,
    },
    Sample {
        #[serde(default)]
        kind: String,
        #[serde(default)]
        seed: u64,
    },
    Smaller {
        position: String,
    },
}

/// What rules in another language unwind with, by [`resume_unwind`](std::panic::resume_unwind): the message of an error,
/// which goes into the reply. A panic of rules in Rust has printed its message already.
#[derive(Debug)]
pub struct Raised(pub String);

/// The reply to a request, which is also given as `text`.
pub(super) fn reply_to<R: Rules>(answers: &Answers<'_, R>, request: serde_json::Result<Request>, text: &str) -> Value {
    let request = match request {
        Err(error) => {
            return refusal(format!("the request is not understood: {error}"), "see docs/game-programs.md");
        }
        Ok(request) => request,
    };
    let rules = answers.rules();
    // Rules may panic at a position that they never lead to.
    let refused = |no_answer: NoAnswer| refusal(no_answer.message(rules.name()), remedy(rules, &no_answer));
    let reply = catch_unwind(AssertUnwindSafe(|| reply(answers, request).unwrap_or_else(refused)));
    reply.unwrap_or_else(|panic| match panic.downcast::<Raised>() {
        Ok(raised) => refusal(raised.0, "mend the rules"),
        Err(_) => refused(Fault::Panicked { function: "the rules" }.at(text).into()),
    })
}

/// What to do if there is no answer.
pub(super) fn remedy<R: Rules>(rules: &R, no_answer: &NoAnswer) -> String {
    match no_answer {
        NoAnswer::Text(_) => expected(rules),
        _ => String::from("mend the rules or solve the game again"),
    }
}

/// Answers requests on standard input, one per line, until it ends.
pub(super) fn speak<R: Rules>(answers: &Answers<'_, R>) -> Result<(), Failure> {
    let unreadable = |error| Failure::Usage(format!("stdin: cannot be read: {error}, write requests"));
    for line in io::stdin().lock().lines() {
        let line = line.map_err(unreadable)?;
        let reply = reply_to(answers, serde_json::from_str(&line), &line);
        print(format!("{reply}\n").as_bytes())?;
    }
    Ok(())
}

fn refusal(what: impl Into<String>, remedy: impl Into<String>) -> Value {
    json!({ "error": { "what": what.into(), "remedy": remedy.into() } })
}

fn reply<R: Rules>(answers: &Answers<'_, R>, request: Request) -> Result<Value, NoAnswer> {
    let rules = answers.rules();
    Ok(match request {
        Request::Describe => describe(answers),
        Request::Value { position } => {
            let explanation = asked(answers, &position, Detail::Value)?;
            serde_json::to_value(&explanation.root.value).expect("a value is JSON")
        }
        Request::Explain { position, form } => {
            let explanation = asked(answers, &position, Detail::Moves)?;
            match form.as_str() {
                "text" => json!({ "text": explanation.text() }),
                _ => serde_json::to_value(&explanation).expect("an explanation is JSON"),
            }
        }
        Request::Sample { kind, seed } => json!({ "position": sample(rules, &kind, seed)?.to_string() }),
        Request::Smaller { position } => json!({ "positions": smaller(rules, &position)? }),
    })
}

/// The explanation of the position of a text.
pub(super) fn asked<R: Rules>(answers: &Answers<'_, R>, text: &str, detail: Detail) -> Result<Explanation, NoAnswer> {
    let rules = answers.rules();
    let position = position(rules, Some(text), |_| ())?;
    let not_reached = || NoAnswer::Text(format!("'{position}' is not reached from the start"));
    explain(rules, answers, &position, detail)?.ok_or_else(not_reached)
}

/// The positions that follow the one of a text, in the order of their texts.
pub(super) fn smaller<R: Rules>(rules: &R, text: &str) -> Result<Vec<String>, NoAnswer> {
    let node = node_of(rules, &position(rules, Some(text), |_| ())?)?;
    let mut next: Vec<String> = successors(&node).iter().map(|next| next.to_string()).collect();
    next.sort_unstable();
    next.dedup();
    Ok(next)
}

/// How the game describes itself.
pub(super) fn describe<R: Rules>(answers: &Answers<'_, R>) -> Value {
    let rules = answers.rules();
    let starts: Vec<String> = rules.starts().iter().take(MAX_STARTS).map(R::Position::to_string).collect();
    json!({
        "protocol": PROTOCOL,
        "name": rules.name(),
        "about": rules.about(),
        "rules": rules.rules(),
        "players": if answers.choices().has_two_players() { 2 } else { 1 },
        "starts": starts,
        "examples": named_examples(rules, answers, MAX_EXPLORED),
        "sum": rules.sum(),
        "unit": rules.unit(),
        "decimals": rules.decimals(),
        "names": rules.players(),
        "look": rules.look(),
    })
}

/// A position of a random game: near its end for `tiny`, near its start for `worst`, the last one that goes on for
/// `edge`.
pub(super) fn sample<R: Rules>(rules: &R, kind: &str, seed: u64) -> Result<R::Position, NoAnswer> {
    let mut seeded = Seeded(seed);
    let mut starts = rules.starts();
    if starts.is_empty() {
        return Err(BadRules::from(Fault::NoStart).into());
    }
    let first = starts.swap_remove(seeded.below(starts.len() as u64) as usize);
    let mut game = vec![first];
    while game.len() < MAX_MOVES {
        let node = node_of(rules, &game[game.len() - 1])?;
        let next = successors(&node);
        if next.is_empty() {
            break;
        }
        let chosen = next[seeded.below(next.len() as u64) as usize].to_string();
        // The rules hand out their positions by reference, and the text of a position reads back to it.
        let Ok(next) = chosen.parse() else { break };
        game.push(next);
    }
    let moves = game.len() as u64;
    let place = match kind {
        "tiny" => moves - 1 - seeded.below(moves.div_ceil(4)),
        "worst" => seeded.below(moves.div_ceil(4)),
        "edge" => moves.saturating_sub(2),
        _ => seeded.below(moves),
    };
    Ok(game.swap_remove(place as usize))
}
