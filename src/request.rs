//! Requests to games as a web server or a page sends them.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::game::call::{Outcome, Parameters, Refusal};
use crate::game::{self, Form, Input, Kind, Load, Run, Sizes, TestGame, TextGame};
use crate::table::{FORMAT_VERSION, Spec};
use crate::text::{self, as_line};

/// Maximum number of cases in a request.
pub const MAX_CASES: usize = 100;
/// Maximum number of cases that count as a lookup.
const QUICK_CASES: usize = 5;
/// A case that is expected to take longer is refused.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A valid input, and what it takes to answer it.
pub struct Question {
    game: Arc<dyn TextGame>,
    input: Arc<dyn Input>,
    /// How much work the hardest case takes.
    pub load: Load,
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("load", &self.load).finish_non_exhaustive()
    }
}

impl Question {
    /// Reads an input of a game. Refuses one that is too large or would take too long.
    pub fn read(game: &Arc<dyn TextGame>, input: &[u8]) -> Result<Question, Refusal> {
        let input = game::read(game, input)?;
        if input.cases() > MAX_CASES {
            let what = format!("{} cases in one request", input.cases());
            return Err(Refusal::request(what, format!("ask about at most {MAX_CASES} at a time")));
        }
        let load = match input.load(TIME_LIMIT)? {
            Load::Lookup if input.cases() > QUICK_CASES => Load::Search,
            load => load,
        };
        Ok(Question { game: Arc::clone(game), input, load })
    }

    /// The JSON answer, as the command line writes it.
    pub fn answer(&self, run: &Run<'_>) -> Outcome {
        game::answer_cases(self.game.profile(), &*self.input, Form::Json, run, |_, error| error.into())
    }

    /// The reply to one of the profile's views.
    pub fn view(&self, view: &str, run: &Run<'_>) -> Outcome {
        Ok(as_line(self.input.view(view, run)?.to_json()))
    }
}

/// The reply to one of the profile's questions.
pub fn reply(game: &dyn TextGame, question: &str, value: &str) -> Outcome {
    Ok(as_line(game.reply(question, value)?.to_json()))
}

/// A valid input of one case. The parameters `kind` and `seed` choose it.
pub fn sample(game: &Arc<dyn TestGame>, parameters: &Parameters) -> Outcome {
    let kinds = Kind::ALL.map(Kind::name).join(", ");
    let kind = parameters.0.get("kind").map_or(Some(Kind::Ordinary), |name| Kind::named(name));
    let kind = kind.ok_or_else(|| Refusal::request("this kind is not known", format!("write one of {kinds}")))?;
    let sizes = Sizes::one_case(&game.profile());
    let input = Arc::clone(game).sample(kind, &sizes, parameters.number("seed", 1)?)?;
    let input = String::from_utf8_lossy(&input.text()).into_owned();
    Ok(as_line(text::to_json(&HashMap::from([("input", input)]))))
}

/// Every table of the games.
#[derive(Serialize)]
struct TablesObject {
    format_version: u32,
    tables: Vec<TableState>,
}

/// A table and its state: "ready", or why it cannot be used.
#[derive(Debug, Serialize)]
pub struct TableState {
    /// Its name.
    pub table: &'static str,
    /// The game that uses it.
    pub game: &'static str,
    /// The state.
    pub state: &'static str,
    /// The number of its positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The length of the file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The digest of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it is the shipped table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipped: Option<bool>,
    /// The program that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
}

impl TableState {
    /// A table of which only the state is known.
    pub fn new(spec: &'static Spec, state: &'static str) -> TableState {
        let (table, game) = (spec.name, spec.game);
        TableState { table, game, state, positions: None, bytes: None, sha256: None, shipped: None, generator: None }
    }
}

/// The tables of the games as JSON.
pub fn list_tables(state_of: impl Fn(&'static Spec) -> TableState) -> Vec<u8> {
    let tables = game::tables().map(state_of).collect();
    as_line(text::to_json(&TablesObject { format_version: FORMAT_VERSION, tables }))
}
