//! Explanations of Codenames, as text and as JSON.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use super::answer::{Advice, Guess, Move, Probability};
use super::rules::{Board, Team};
use crate::explain::{Explain, Paint, RankedMove};
use crate::text::visible;

/// The advice on a board, with the number of decimals to write.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardAdvice {
    /// The board.
    pub board: Board,
    /// Its hints, ranked.
    pub advice: Advice,
    /// Decimals of every probability.
    pub digits: usize,
}

impl Explain for BoardAdvice {
    type Case = Board;
    type Value = Probability;

    fn to_text(&self, paint: Paint) -> String {
        self.object().to_text(paint)
    }

    fn moves(&self) -> Vec<RankedMove<Board, Probability>> {
        let ranked = |choice: &Move| RankedMove { name: choice.to_string(), value: choice.win, next: None };
        self.advice.moves.iter().map(ranked).collect()
    }
}

impl BoardAdvice {
    fn object(&self) -> AdviceObject {
        AdviceObject::new(&self.board, &self.advice, self.digits)
    }
}

impl Serialize for BoardAdvice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object().serialize(serializer)
    }
}

/// The advice in the form that is written as JSON and as text.
#[derive(Serialize)]
struct AdviceObject {
    game: &'static str,
    mover: char,
    #[serde(flatten)]
    win: WinObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guessing: Option<String>,
    moves: Vec<MoveObject>,
    numbers: Vec<NumberObject>,
    first_guesses: Vec<GuessObject>,
    #[serde(skip)]
    teams: [TeamSummary; 2],
}

/// The probability that the team to move wins, rounded and as a double.
#[derive(Serialize)]
struct WinObject {
    answer: String,
    probability: f64,
}

#[derive(Serialize)]
struct MoveObject {
    hint: usize,
    words: Vec<String>,
    number: usize,
    #[serde(flatten)]
    win: WinObject,
    #[serde(skip)]
    best: bool,
}

#[derive(Serialize)]
struct NumberObject {
    number: usize,
    #[serde(flatten)]
    win: WinObject,
}

#[derive(Serialize)]
struct GuessObject {
    word: String,
    identity: char,
    outcome: String,
    #[serde(flatten)]
    win: WinObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A team and its number of unrevealed agents.
struct TeamSummary {
    name: String,
    agents: usize,
}

impl WinObject {
    fn new(win: Probability, digits: usize) -> WinObject {
        WinObject { answer: win.with_digits(digits), probability: win.to_f64() }
    }
}

impl AdviceObject {
    fn new(board: &Board, advice: &Advice, digits: usize) -> AdviceObject {
        let win = |win| WinObject::new(win, digits);
        let best = advice.best.as_ref();
        let numbers = best.map_or(&[][..], |best| &best.numbers);
        let guesses = best.map_or(&[][..], |best| &best.guesses);
        AdviceObject {
            game: "codenames",
            mover: board.to_move().letter(),
            win: win(advice.win),
            over: advice.winner.map(|winner| format!("{winner} has won")),
            blocked_by: advice.blocked_by.iter().map(|&card| board.cards()[card].word().to_owned()).collect(),
            guessing: board.guessing().map(|guessing| guessing.to_string()),
            moves: advice.moves.iter().map(|choice| MoveObject::new(board, advice, choice, digits)).collect(),
            numbers: numbers.iter().zip(1..).map(|(&p, number)| NumberObject { number, win: win(p) }).collect(),
            first_guesses: guesses.iter().map(|guess| GuessObject::new(board, guess, digits)).collect(),
            teams: [board.to_move(), board.to_move().other()].map(|team| TeamSummary::new(board, team)),
        }
    }
}

impl MoveObject {
    fn new(board: &Board, advice: &Advice, choice: &Move, digits: usize) -> MoveObject {
        let unrevealed = board.unrevealed(board.hints()[choice.hint]);
        MoveObject {
            hint: choice.hint + 1,
            words: unrevealed.map(|card| board.cards()[card].word().to_owned()).collect(),
            number: choice.number,
            win: WinObject::new(choice.win, digits),
            best: choice.win.equals(advice.win),
        }
    }
}

impl GuessObject {
    fn new(board: &Board, guess: &Guess, digits: usize) -> GuessObject {
        let card = &board.cards()[guess.card];
        GuessObject {
            word: card.word().to_owned(),
            identity: card.identity().letter(),
            outcome: guess.outcome.to_string(),
            win: WinObject::new(guess.win, digits),
            next: guess.next.as_ref().map(Board::to_string),
        }
    }
}

impl TeamSummary {
    fn new(board: &Board, team: Team) -> TeamSummary {
        TeamSummary { name: team.to_string(), agents: board.agents(team) }
    }
}

impl AdviceObject {
    fn to_text(&self, paint: Paint) -> String {
        let mut text = String::new();
        self.write(&mut text, paint).expect("a string takes any text");
        text
    }

    fn write(&self, text: &mut String, paint: Paint) -> fmt::Result {
        writeln!(text, "{}", self.win.answer)?;
        self.write_state(text)?;
        if self.over.is_none() {
            match self.moves.first() {
                None => writeln!(text, "    no hint has an unrevealed word")?,
                Some(best) => self.write_tables(text, best, paint)?,
            }
        }
        writeln!(text)
    }

    /// Writes whose turn it is, and what decides the game already.
    fn write_state(&self, text: &mut String) -> fmt::Result {
        let [mover, other] = &self.teams;
        let (to_reveal, left) = (agents(mover.agents), agents(other.agents));
        let act = if self.guessing.is_some() { "guess" } else { "move" };
        writeln!(text, "  {} to {act}, {to_reveal} to reveal; {} has {left}", mover.name, other.name)?;
        if let Some(over) = &self.over {
            return writeln!(text, "  the game is over: {over}");
        }
        if self.blocked_by.is_empty() {
            return Ok(());
        }
        writeln!(text, "  {} cannot win: no hint mentions {}", mover.name, visible(&self.blocked_by.join(" ")))
    }

    fn write_tables(&self, text: &mut String, best: &MoveObject, paint: Paint) -> fmt::Result {
        let width = self.win.answer.len().max("wins".len());
        self.write_moves(text, width, paint)?;
        if self.guessing.is_none() {
            writeln!(text, "  hint {} by number", best.hint)?;
        }
        for NumberObject { number, win } in &self.numbers {
            writeln!(text, "          {number:>6}  {}", win.answer)?;
        }
        let which = if self.guessing.is_some() { "next" } else { "first" };
        writeln!(text, "  hint {} with number {}, by {which} guess", best.hint, best.number)?;
        for GuessObject { word, identity, outcome, win, .. } in &self.first_guesses {
            writeln!(text, "               {identity}  {:<width$}  {}: {outcome}", win.answer, visible(word))?;
        }
        writeln!(text, "  wins: the probability for the team to move; * marks the best hints")?;
        writeln!(text, "  then: take 'next' of a guess from --json, or write . for the identity of each")?;
        writeln!(text, "  guessed card and the other team to move; if the team guesses on, write instead")?;
        writeln!(text, "  'guessing: hint {} with number N' after the identities, N hits to go", best.hint)
    }

    /// Writes the hints, best first; the column of probabilities is `width` characters wide.
    fn write_moves(&self, text: &mut String, width: usize, paint: Paint) -> fmt::Result {
        writeln!(text, "    hint  number  {:<width$}  words", "wins")?;
        for MoveObject { hint, words, number, win, best } in &self.moves {
            let mark = if *best { '*' } else { ' ' };
            let words = words.join(" ");
            let row = format!("  {mark} {hint:>4}  {number:>6}  {:<width$}  {}", win.answer, visible(&words));
            writeln!(text, "{}", if *best { paint.bold(&row) } else { row })?;
        }
        Ok(())
    }
}

fn agents(count: usize) -> String {
    if count == 1 { String::from("1 agent") } else { format!("{count} agents") }
}
